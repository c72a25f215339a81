/** Pages that stress differences between kinds of browser, each with its links. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Route } from './fixture-server.ts';

interface KindPage {
  readonly html: Route;
  /** Paths of its anchors. */
  readonly links: readonly string[];
}

const ADD = 'const add=(u)=>document.body.insertAdjacentHTML("beforeend",`<a href="${u}">${u}</a>`);';
const script = (code: string): string =>
  `<!doctype html><body><a href="/first">first</a><script>${ADD}${code}</script>`;
const page = (code: string, ...links: readonly string[]): KindPage => ({
  html: script(code),
  links: ['/first', ...links],
});
const answersAfter =
  (duration: number, text: string): Route =>
  (_request, response) => {
    wait(duration)
      .then(() => response.end(text))
      .catch(() => {});
  };

const STYLES = '<style>@keyframes k{to{opacity:.5}}#a{animation:k 3s}#b{transition:opacity 2s}</style>';

export const KIND_PAGES: Readonly<Record<string, KindPage>> = {
  '/frames-counted': page(
    'let n=0;const f=()=>{if(++n===30)add("/f30");else requestAnimationFrame(f)};requestAnimationFrame(f)',
    '/f30',
  ),
  '/frames-timed': page(
    'let t0;const f=(t)=>{t0??=t;if(t-t0>3000)add("/t3");else requestAnimationFrame(f)};requestAnimationFrame(f)',
    '/t3',
  ),
  '/frames-by-clock': page(
    'const t0=performance.now();const f=()=>{if(performance.now()-t0>3000)add("/c3");else requestAnimationFrame(f)};requestAnimationFrame(f)',
    '/c3',
  ),
  '/animations': page(
    `document.head.innerHTML='${STYLES}';document.body.insertAdjacentHTML('beforeend','<i id=a>a</i><i id=b>b</i>');
    a.onanimationend=()=>add('/animationend');b.ontransitionend=()=>add('/transitionend');setTimeout(()=>b.style.opacity=.3,100)`,
    '/animationend',
    '/transitionend',
  ),
  '/observers': page(
    `for(const h of [50,3000]){const d=document.createElement('div');d.style.height=h+'px';document.body.append(d);
    new IntersectionObserver((e)=>e.at(-1).isIntersecting&&add('/seen-'+h)).observe(d)}
    new ResizeObserver(()=>add('/resized')).observe(document.body.firstChild);
    new MutationObserver((_m,o)=>{o.disconnect();add('/mutated')}).observe(document.body,{childList:true})`,
    '/mutated',
    '/resized',
    '/seen-3000',
    '/seen-50',
  ),
  '/idle': page(
    'requestIdleCallback(()=>add("/idle"));setTimeout(()=>requestIdleCallback(()=>add("/late")),1000)',
    '/idle',
    '/late',
  ),
  '/timers': page('for(const t of [800,2000,4900])setTimeout(()=>add("/t"+t),t)', '/t2000', '/t4900', '/t800'),
  '/ten-seconds': {
    html: `<!doctype html><body><script>${ADD}setTimeout(()=>add("/t10"),9500)</script>`,
    links: ['/t10'],
  },
  '/chain': page(
    'fetch("/slow").then(()=>setTimeout(()=>fetch("/slower").then(r=>r.text()).then(add),1500))',
    '/chained',
  ),
  '/scrolled': page(
    `document.body.style.height="5000px";addEventListener("scroll",()=>{if(scrollY>500&&!window.d){d=1;add("/scrolled")}});
    addEventListener("scrollend",()=>{if(!window.e){e=1;add("/scrollend")}})`,
    '/scrolled',
    '/scrollend',
  ),
  '/endless': page(
    `let n=0;const s=document.createElement('div');s.textContent='end';document.body.append(s);
    const more=()=>n<3&&fetch('/more').then(()=>{n++;for(const i of [0,1]){const d=document.createElement('div');d.style.height='500px';
    d.innerHTML='<a href=/e'+n+i+'>x</a>';s.before(d)}});new IntersectionObserver((e)=>e.at(-1).isIntersecting&&more()).observe(s)`,
    ...['/e10', '/e11', '/e20', '/e21', '/e30', '/e31'],
  ),
  '/workers': page('new Worker("/worker.js").onmessage=({data})=>add(data)', '/told', '/told-answer', '/told-late'),
  '/socket': page(
    'new WebSocket("ws://"+location.host+"/words").onmessage=({data})=>add(data);new EventSource("/events").onmessage=({data})=>add(data)',
    '/from-socket',
    '/streamed',
  ),
  '/windows': page(
    'window.open("/w1");setTimeout(()=>window.open("/w2"),300);const a=document.createElement("a");a.href="/w3";a.target="_blank";document.body.append(a);a.click()',
    '/w3',
  ),
  '/leaves': page('setTimeout(()=>{location.href="/left"},1500)'),
  '/closed-tree': page(
    'const d=document.createElement("div");document.body.append(d);const s=d.attachShadow({mode:"closed"});setTimeout(()=>s.innerHTML="<a href=/closed>c</a>",1200)',
    '/closed',
  ),
  '/lazy': page(
    'for(const i of [0,1,2])document.body.insertAdjacentHTML("beforeend",`<div style="height:900px">x</div><img loading=lazy src=/p${i}.png onload="add(\'/loaded${i}\')">`)',
    ...['/loaded0', '/loaded1', '/loaded2'],
  ),
  '/loop': page('const t=Date.now();while(Date.now()-t<500);add("/looped")', '/looped'),
  '/sites': {
    html: (request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(
        script(
          `onmessage=({data})=>add(data);document.body.insertAdjacentHTML('beforeend','<iframe src=/inside></iframe><iframe src="http://localhost:${request.socket.localPort}/outside"></iframe>')`,
        ),
      );
    },
    links: ['/first', '/first', '/first', '/in-late', '/out-late', '/posted', '/posted-later'],
  },
};

const PICTURE = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

/** Answers to the pages' requests. */
export const KIND_ANSWERS: Readonly<Record<string, Route>> = {
  '/slow': answersAfter(300, 'x'),
  '/slower': answersAfter(300, '/chained'),
  '/more': answersAfter(30, 'x'),
  '/events': (_request, response) => {
    response.setHeader('content-type', 'text/event-stream');
    response.write('data: /streamed\n\n');
  },
  '/worker.js': (_request, response) => {
    response.setHeader('content-type', 'text/javascript');
    response.end(
      'postMessage("/told");setTimeout(()=>postMessage("/told-late"),700);fetch("/asked-by-worker").then(()=>postMessage("/told-answer"))',
    );
  },
  '/asked-by-worker': answersAfter(50, 'x'),
  '/inside': script('setTimeout(()=>add("/in-late"),1000)'),
  '/outside': script(
    'setTimeout(()=>{add("/out-late");parent.postMessage("/posted","*")},1000);setTimeout(()=>parent.postMessage("/posted-later","*"),4000)',
  ),
  ...Object.fromEntries(
    [0, 1, 2].map((n): [string, Route] => [
      `/p${n}.png`,
      (_request, response) => {
        response.setHeader('content-type', 'image/gif');
        response.end(Buffer.from(PICTURE, 'base64'));
      },
    ]),
  ),
};
