import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { milliseconds, seconds } from '../../src/base/units.ts';
import { FixtureServer, type Route } from './fixture-server.ts';
import { openBench, paths, type Bench } from './render-bench.ts';

const APPEND = 'const add=(u)=>document.body.insertAdjacentHTML("beforeend",`<a href="${u}">${u}</a>`);';
const script = (code: string): string =>
  `<!doctype html><body><a href="/first">first</a><script>${APPEND}${code}</script>`;
const answersAfter =
  (duration: number): Route =>
  (_request, response) => {
    wait(duration)
      .then(() => response.end('/fetched'))
      .catch(() => {});
  };

const ROUTES: Record<string, Route> = {
  '/timers': script('setTimeout(()=>add("/t800"),800);setTimeout(()=>add("/t2000"),2000)'),
  '/late-timers': script('setTimeout(()=>add("/t800"),800);setTimeout(()=>add("/t4800"),4800)'),
  '/slow': script('fetch("/slow-api").then(r=>r.text()).then(add)'),
  '/slow-api': answersAfter(600),
  '/streams': script(`new EventSource("/events");new WebSocket("ws://"+location.host+"/socket");
    const poll=()=>fetch("/poll?"+Math.random()).then(()=>setTimeout(poll,200));poll();setTimeout(()=>add("/t1000"),1000)`),
  '/events': (_request, response) => {
    response.setHeader('content-type', 'text/event-stream');
    response.write('data: hello\n\n');
  },
  '/poll': (_request, response) => response.end('{}'),
  '/stream-and-fetch': script(
    `new EventSource("/events");setTimeout(()=>fetch("/slow-api").then(r=>r.text()).then(u=>setTimeout(()=>add(u),100)),400)`,
  ),
  '/never': script('fetch("/unanswered").then(()=>add("/no"));setTimeout(()=>add("/t500"),500)'),
  '/unanswered': () => {},
  '/frames': script('let n=0;const f=()=>{n++?add("/frame"):requestAnimationFrame(f)};requestAnimationFrame(f)'),
  '/transition': script('setTimeout(()=>document.startViewTransition(()=>add("/new-view")),500)'),
  '/fetched-transition': script(
    'fetch("/slow-api").then(r=>r.text()).then(u=>document.startViewTransition(async()=>add(await(await fetch("/slow-api?2")).text()+"-view")))',
  ),
  '/seen': script(
    'new IntersectionObserver((es)=>es.some(e=>e.isIntersecting)&&add("/seen-it")).observe(document.querySelector("a"))',
  ),
  '/seen-late': script(
    'new IntersectionObserver((es)=>es.some(e=>e.isIntersecting)&&import("/seen.js")).observe(document.querySelector("a"))',
  ),
  '/seen.js': (_request, response) => {
    response.setHeader('content-type', 'text/javascript');
    response.end('setTimeout(()=>document.body.insertAdjacentHTML("beforeend","<a href=/seen-later>x</a>"),600)');
  },
  '/short-list': `<!doctype html><div></div><p id=end>end</p><script>let batch=0;
    const look=()=>new IntersectionObserver((es,o)=>{if(!es.some(e=>e.isIntersecting)||batch>7)return;o.disconnect();
      fetch("/slow-batch?page="+ ++batch).then(r=>r.text()).then(t=>{document.querySelector("div").insertAdjacentHTML("beforeend",t);look()});
    }).observe(document.querySelector("#end"));look()</script>`,
  // each of these parts takes its size a frame after the one before
  '/sized-in-turn': script(`let part=0;const next=()=>{const one=document.body.appendChild(document.createElement("p"));
    new ResizeObserver((_,o)=>{o.disconnect();if(++part<3)next();else fetch("/slow-api").then(r=>r.text()).then(add)}).observe(one)};next()`),
  '/long-list': `<!doctype html><style>a{display:block;height:900px}</style><div></div><p id=end>end</p><script>let batch=0;
    const load=()=>fetch("/slow-batch?page="+ ++batch).then(r=>r.text()).then(t=>document.querySelector("div").insertAdjacentHTML("beforeend",t));
    new IntersectionObserver(es=>es.some(e=>e.isIntersecting)&&batch<8&&load()).observe(document.querySelector("#end"))</script>`,
  '/slow-batch': (request, response) => {
    const page = new URL(request.url ?? '', 'http://localhost').searchParams.get('page');
    wait(200)
      .then(() => response.end(`<a href="/batch-${page}">${page}</a>`))
      .catch(() => {});
  },
  '/endless': `<!doctype html><style>li{height:400px}</style><ul></ul><div id=end>end</div><script>let batch=0;
    const load=()=>fetch("/batch?"+batch).then(r=>r.text()).then(t=>{document.querySelector("ul").insertAdjacentHTML("beforeend",t)});
    new IntersectionObserver(es=>{if(es.some(e=>e.isIntersecting)&&batch<3){batch++;load()}}).observe(document.querySelector("#end"))</script>`,
  '/batch': (request, response) => {
    const batch = (request.url ?? '').split('?')[1];
    response.end(Array.from({ length: 5 }, (_, item) => `<li><a href="/item-${batch}-${item}">x</a></li>`).join(''));
  },
  '/two-parts': (_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.write('<!doctype html><a href="/one">1</a>' + ' '.repeat(2000));
    wait(500)
      .then(() => response.end('<a href="/two">2</a>'))
      .catch(() => {});
  },
  '/selector': script('setTimeout(()=>document.body.insertAdjacentHTML("beforeend","<p id=there>there</p>"),7000)'),
};

let site: FixtureServer;
beforeAll(async () => {
  site = await FixtureServer.open({ ...ROUTES });
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
});

describe('in virtual time', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await openBench();
  });
  afterAll(async () => {
    await bench[Symbol.asyncDispose]();
  });

  test('links that timers add after 0.8 s and 4.8 s are there before so much time has passed', async () => {
    const page = await bench.capture(site.url('/late-timers'));
    expect(paths(page, 'anchor')).toEqual(['/first', '/t4800', '/t800']);
    expect(page.settle).toEqual({ reason: 'timer-drained', pending: [] });
    expect(page.timing.total).toBeLessThan(4800);
  });

  test('a fetch that takes 600 ms is waited for', async () => {
    const page = await bench.capture(site.url('/slow'));
    expect(paths(page, 'anchor')).toEqual(['/fetched', '/first']);
    expect(page.settle.reason).toBe('timer-drained');
  });

  test('a page of streams, sockets and polls ends long before its time is over and says what it did not wait for', async () => {
    const page = await bench.capture(site.url('/streams'));
    expect(paths(page, 'anchor')).toEqual(['/first', '/t1000']);
    expect(page.settle.reason).toBe('quiet');
    expect(page.settle.pending.join(' ')).toContain('eventsource http');
    expect(page.timing.total).toBeLessThan(seconds(12));
  });

  test('a slow answer beside an open stream is waited for', async () => {
    const page = await bench.capture(site.url('/stream-and-fetch'));
    expect(paths(page, 'anchor')).toEqual(['/fetched', '/first']);
    expect(page.settle.reason).toBe('quiet');
  });

  test('a request that is never answered holds the page until the settle timeout, and its timers are found', async () => {
    const page = await bench.capture(site.url('/never'));
    expect(paths(page, 'anchor')).toEqual(['/first', '/t500']);
    expect(page.settle).toEqual({ reason: 'timeout', pending: [`fetch ${site.url('/unanswered')}`] });
  });

  test('what waits for frames happens', async () => {
    expect(paths(await bench.capture(site.url('/frames')), 'anchor')).toEqual(['/first', '/frame']);
    expect(paths(await bench.capture(site.url('/seen')), 'anchor')).toEqual(['/first', '/seen-it']);
  });

  test('what is loaded because it comes into view has time for its timers', async () => {
    expect(paths(await bench.capture(site.url('/seen-late')), 'anchor')).toEqual(['/first', '/seen-later']);
  });

  test('a list that loads until it fills the window is loaded to its end, though nothing can be scrolled', async () => {
    const batches = Array.from({ length: 8 }, (_, page) => `/batch-${page + 1}`);
    expect(paths(await bench.capture(site.url('/short-list')), 'anchor')).toEqual(batches);
  });

  test('what the last of the frames asks for is waited for', async () => {
    expect(paths(await bench.capture(site.url('/sized-in-turn')), 'anchor')).toEqual(['/fetched', '/first']);
  });

  test('what a view transition changes is there', async () => {
    expect(paths(await bench.capture(site.url('/transition')), 'anchor')).toEqual(['/first', '/new-view']);
    expect(paths(await bench.capture(site.url('/fetched-transition')), 'anchor')).toEqual(['/fetched-view', '/first']);
  });

  test('an endless page is scrolled until its three batches have come, and says so', async () => {
    const page = await bench.capture(site.url('/endless'));
    expect(paths(page, 'anchor')).toHaveLength(15);
    expect(new Set(page.foundLinks.map(({ stage }) => stage))).toContain('scroll');
  });

  test('the eighth slow batch of a list is waited for like the first: what scrolling asks for is no poll', async () => {
    const page = await bench.capture(site.url('/long-list'));
    expect(paths(page, 'anchor')).toEqual(Array.from({ length: 8 }, (_, n) => `/batch-${n + 1}`));
  });

  test('a document that arrives in two parts is whole', async () => {
    expect(paths(await bench.capture(site.url('/two-parts')), 'anchor')).toEqual(['/one', '/two']);
  });

  test('eight visits in a row of one warm page all see what comes late', async () => {
    for (let visit = 0; visit < 8; visit++) {
      expect(paths(await bench.capture(site.url(visit % 2 ? '/timers' : '/slow')), 'anchor')).toHaveLength(
        visit % 2 ? 3 : 2,
      );
    }
    expect(bench.renderer.stats()).toMatchObject({ pagesReplaced: 0, browsersReplaced: 0 });
  });
});

test('explore none does not scroll', async () => {
  await using bench = await openBench({ explore: 'none' });
  const page = await bench.capture(site.url('/endless'));
  expect(paths(page, 'anchor').length).toBeLessThan(15);
  expect(page.foundLinks.every(({ stage }) => stage === 'load')).toBe(true);
});

test('mode load takes the page at its load event', async () => {
  await using bench = await openBench({ settle: { kind: 'load' }, explore: 'none' });
  for (let visit = 0; visit < 2; visit++) {
    const page = await bench.capture(site.url('/timers'));
    expect(page.settle.reason).toBe('load');
    expect(paths(page, 'anchor')).toEqual(['/first']);
  }
});

test('mode after gives the page so much of its own time', async () => {
  await using bench = await openBench({ settle: { kind: 'after', duration: milliseconds(1000) } });
  expect(paths(await bench.capture(site.url('/timers')), 'anchor')).toEqual(['/first', '/t800']);
});

test('a selector is waited for beyond the usual budget', async () => {
  await using bench = await openBench({ waitFor: '#there' });
  expect((await bench.capture(site.url('/selector'))).text).toContain('there');
});

test('a selector that never comes ends in a timeout with the page as it is', async () => {
  await using bench = await openBench({ waitFor: '#nowhere', settleTimeout: seconds(1) });
  const page = await bench.capture(site.url('/timers'));
  expect(page.settle.reason).toBe('timeout');
  expect(paths(page, 'anchor')).toHaveLength(3);
});

test('a page that begins with what it keeps in a database is waited for, and one that keeps nothing is not', async () => {
  // as pages do that look for their user before they show anything
  const database = `const done=(q)=>new Promise((r,j)=>{q.onsuccess=()=>r(q.result);q.onerror=j});
    (async()=>{const q=indexedDB.open('app',1);q.onupgradeneeded=()=>q.result.createObjectStore('kept');const db=await done(q);
    const kept=()=>db.transaction('kept','readwrite').objectStore('kept');
    await done(kept().put('/mine','user'));add(await done(kept().get('user')))})()`;
  site.add({ '/user/first': script(database), '/user/second': script(database) });
  await using bench = await openBench({ workers: 1 });
  await bench.capture(site.url('/user/first', 'kept.localhost'));
  const page = await bench.capture(site.url('/user/second', 'kept.localhost'));
  expect(paths(page, 'anchor')).toEqual(['/first', '/mine']);
  expect(page.settle.reason).toBe('quiet');
  expect((await bench.capture(site.url('/timers', 'other.localhost'))).settle.reason).toBe('timer-drained');
});

describe('where the browser draws by itself', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await openBench({}, { frameControl: false });
  });
  afterAll(async () => {
    await bench[Symbol.asyncDispose]();
  });

  test('a slow answer is waited for, and timers pass in no time', async () => {
    const page = await bench.capture(site.url('/slow'));
    expect(paths(page, 'anchor')).toEqual(['/fetched', '/first']);
    expect(page.settle.reason).toBe('timer-drained');
    expect(paths(await bench.capture(site.url('/timers')), 'anchor')).toEqual(['/first', '/t2000', '/t800']);
  });

  test('streams and polls do not hold it', async () => {
    const page = await bench.capture(site.url('/streams'));
    expect(page.settle.reason).toBe('quiet');
    expect(page.timing.total).toBeLessThan(seconds(12));
  });

  test('an endless page is scrolled, too', async () => {
    expect(paths(await bench.capture(site.url('/endless')), 'anchor')).toHaveLength(15);
  });
});
