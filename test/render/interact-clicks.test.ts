import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { FixtureServer } from './fixture-server.ts';
import { openBench, paths, type Bench } from './render-bench.ts';

let site: FixtureServer;
let bench: Bench;

beforeAll(async () => {
  site = await FixtureServer.open({});
});
// each test has a renderer of its own: what using one page has taught is for the pages that follow
beforeEach(async () => {
  bench = await openBench({ workers: 1, explore: 'click' });
});
afterEach(async () => {
  await bench[Symbol.asyncDispose]();
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
});

const MAKE = `const made=(to,into=document.body)=>{const a=document.createElement('a');a.href=to;a.textContent=to;into.append(a)};`;

function page(body: string, script = ''): string {
  return `<!doctype html><title>t</title>${body}<script>${MAKE}${script}</script>`;
}

async function explored(path: string): Promise<string[]> {
  const captured = await bench.capture(site.url(path));
  return paths({ ...captured, foundLinks: captured.foundLinks.filter(({ stage }) => stage === 'click') });
}

test('a page that the number of its actions left with controls says which', async () => {
  const kinds = (count: number): string =>
    Array.from({ length: count }, (_, at) => `<x-${at} onclick="1">use ${at}</x-${at}>`).join('');
  // of 100 actions ten are real input, as the elements do not react
  site.add({ '/many': page(kinds(94)), '/few': page(kinds(4)) });
  expect((await bench.capture(site.url('/many'))).unusedControls).toEqual({
    count: 4,
    limit: 'actions',
    names: ['use 90', 'use 91', 'use 92'],
  });
  expect((await bench.capture(site.url('/few'))).unusedControls).toBeUndefined();
});

test.each([
  ['a button', `<button id=b>show</button>`, `b.onclick=()=>made('/t')`],
  ['an attribute', `<div onclick="made('/t')">show</div>`, ``],
  ['an element that merely listens', `<p id=b>show</p>`, `b.addEventListener('click',()=>made('/t'))`],
  [
    'a listener that answers later',
    `<p id=b>show</p>`,
    `b.addEventListener('click',()=>setTimeout(()=>made('/t'),250))`,
  ],
  [
    'a role',
    `<div id=r><div role=tab>show</div></div>`,
    `r.addEventListener('click',(e)=>e.target.closest('[role=tab]')&&made('/t'))`,
  ],
  [
    'the hand as cursor, heard at the document',
    `<style>.x{cursor:pointer}</style><div class=x>show</div>`,
    `document.addEventListener('click',(e)=>e.target.closest('.x')&&made('/t'))`,
  ],
  ['a link that stays here', `<a href="#" id=b>show</a>`, `b.onclick=(e)=>{e.preventDefault();made('/t')}`],
  ['a view transition', `<button id=b>show</button>`, `b.onclick=()=>document.startViewTransition(()=>made('/t'))`],
  [
    'a view transition that begins later',
    `<button id=b>show</button>`,
    `b.onclick=()=>setTimeout(()=>document.startViewTransition(()=>made('/t')),200)`,
  ],
  [
    'a link to a place in the page by its whole address',
    `<base href="/"><a id=b>show</a>`,
    `b.href=location.pathname.slice(1)+'#place';b.onclick=(e)=>{e.preventDefault();made('/t')}`,
  ],
  ['a summary', `<details id=d><summary>show</summary></details>`, `d.addEventListener('toggle',()=>made('/t',d))`],
  ['a press of the mouse', `<p id=b>show</p>`, `b.addEventListener('mousedown',()=>made('/t'))`],
  ['a touch', `<p id=b>show</p>`, `b.addEventListener('touchend',()=>made('/t'))`],
  ['a pointer above it', `<p id=b>show</p>`, `b.addEventListener('mouseenter',()=>made('/t'))`],
  ['a key for the whole page', ``, `document.addEventListener('keydown',(e)=>e.key==='?'&&made('/t'))`],
  ['a search of the whole page', ``, `window.addEventListener('keydown',(e)=>e.ctrlKey&&e.key==='k'&&made('/t'))`],
  ['a field that is written into', `<input id=b>`, `b.addEventListener('input',()=>b.value&&made('/t'))`],
  ['a slider', `<input type=range id=b max=9>`, `b.addEventListener('change',()=>b.value==='9'&&made('/t'))`],
  ['a date', `<input type=date id=b>`, `b.addEventListener('change',()=>b.value&&made('/t'))`],
  [
    'a proposal for a field',
    `<input list=l id=b><datalist id=l><option value=Oslo><option value=Rome></datalist>`,
    `b.addEventListener('change',()=>b.value==='Rome'&&made('/t'))`,
  ],
  [
    'what jQuery delegates, beside an event of the page itself',
    `<div id=b><b class=js-x>show</b></div>`,
    `const handler=()=>{};b.jQuery3601={events:{'cart:updated':[{handler}],click:[{handler,selector:'.js-x'}]}};b.addEventListener('click',(e)=>e.target.closest('.js-x')&&made('/t'))`,
  ],
  [
    'an entry of a list that listens',
    `<ul id=b><li>show</ul>`,
    `b.addEventListener('click',(e)=>e.target.localName==='li'&&made('/t'))`,
  ],
  [
    'a card, heard at the window',
    `<div class=product-card><p>show</div>`,
    `window.addEventListener('click',(e)=>e.target.closest('.product-card')&&made('/t'))`,
  ],
  [
    'data of its own, heard at the document',
    `<span data-panel=2>show</span>`,
    `document.addEventListener('click',(e)=>e.target.dataset.panel&&made('/t'))`,
  ],
  [
    'a swipe',
    `<div id=b>show</div>`,
    `let x;b.addEventListener('touchstart',(e)=>{x=e.touches[0].clientX});b.addEventListener('touchend',(e)=>x-e.changedTouches[0].clientX>40&&made('/t'))`,
  ],
  [
    'a handle that is dragged',
    `<div id=b>show</div>`,
    `let x=null;b.onpointerdown=(e)=>{x=e.clientX};document.onpointermove=(e)=>{x!==null&&Math.abs(x-e.clientX)>20&&made('/t')}`,
  ],
  ['the focus', `<input id=b>`, `b.addEventListener('focus',()=>made('/t'))`],
  ['a key', `<p id=b tabindex=0>show</p>`, `b.addEventListener('keydown',(e)=>e.key==='ArrowDown'&&made('/t'))`],
  [
    'a long press',
    `<p id=b>show</p>`,
    `let t;b.addEventListener('pointerdown',()=>{t=setTimeout(()=>made('/t'),600)});b.addEventListener('pointerup',()=>clearTimeout(t))`,
  ],
  ['a context menu', `<p id=b>show</p>`, `b.addEventListener('contextmenu',()=>made('/t'))`],
  ['two clicks', `<p id=b>show</p>`, `b.addEventListener('dblclick',()=>made('/t'))`],
  [
    'a choice',
    `<select id=b><option>one<option>two<option>three</select>`,
    `b.addEventListener('change',()=>b.selectedIndex===2&&made('/t'))`,
  ],
  [
    'a choice after one that chooses nothing, and one that is switched off',
    `<select id=b><option value=0>Choose…<option disabled value=1>one<option value=2>two</select>`,
    `b.addEventListener('change',()=>b.value==='2'?made('/t'):made('/wrong'))`,
  ],
  ['a box', `<label><input type=checkbox id=b> show</label>`, `b.addEventListener('change',()=>made('/t'))`],
  [
    'a listener that trusts the browser only',
    `<div style="height:3000px"></div><button id=b>show</button>`,
    `b.addEventListener('click',(e)=>e.isTrusted&&made('/t'))`,
  ],
  [
    'a key that is to be a real one',
    `<input id=b>`,
    `b.addEventListener('keydown',(e)=>e.isTrusted&&e.key==='Enter'&&made('/t'))`,
  ],
  [
    'a listener in a closed tree that trusts the browser only',
    `<div id=h></div>`,
    `const r=h.attachShadow({mode:'closed'});r.innerHTML='<p>b</p>';r.querySelector('p').onclick=(e)=>e.isTrusted&&made('/t')`,
  ],
  [
    'an open shadow tree',
    `<div id=h></div>`,
    `h.attachShadow({mode:'open'}).innerHTML='<button>b</button>';h.shadowRoot.querySelector('button').onclick=()=>made('/t')`,
  ],
  [
    'a closed shadow tree',
    `<div id=h></div>`,
    `const r=h.attachShadow({mode:'closed'});r.innerHTML='<p>b</p>';r.querySelector('p').onclick=()=>made('/t')`,
  ],
])('a link behind %s is found', async (name, body, script) => {
  const path = `/kind-${encodeURIComponent(name)}`;
  site.add({ [path]: page(body, script) });
  const found = await explored(path);
  expect(found).toContain('/t');
  expect(found).not.toContain('/wrong');
});

test('a link that is found by a click has that stage and is called by what was clicked', async () => {
  site.add({
    '/named': page(`<button id=b>Open the door</button><a href=/known>k</a>`, `b.onclick=()=>{location.href='/gone'}`),
  });
  const captured = await bench.capture(site.url('/named'));
  expect(captured.foundLinks.map(({ kind, stage, text }) => ({ kind, stage, text }))).toEqual([
    { kind: 'anchor', stage: 'load', text: 'k' },
    // the target in the script's text is known before
    { kind: 'script', stage: 'load', text: '' },
    { kind: 'navigation', stage: 'click', text: 'Open the door' },
  ]);
  expect(site.paths()).not.toContain('/gone');
});

test('what an action reveals is explored as well: a menu in a menu', async () => {
  const menu = `const button=(text,then,into)=>{const b=document.createElement('button');b.textContent=text;b.onclick=then;into.append(b)};
    const sub=(text,then)=>{menu.replaceChildren();button(text,then,menu)};
    button('Menu',()=>sub('Products',()=>sub('Garden',()=>made('/t',menu))),bar)`;
  site.add({ '/menus': page(`<nav id=bar></nav><div id=menu></div>`, menu) });
  expect(await explored('/menus')).toContain('/t');
});

test('a list without addresses is paged to its end', async () => {
  const list = `let n=1;const show=()=>{list.replaceChildren();for(let i=0;i<3;i++)made('/item'+n+i,list);next.disabled=n===5};show();next.onclick=()=>{n+=1;show()}`;
  site.add({ '/paged': page(`<div id=list></div><button id=next>Next</button>`, list) });
  const found = await explored('/paged');
  expect(found).toHaveLength(12);
});

test('pictures between two arrows are seen to the last, though one arrow takes back what the other does', async () => {
  const arrows = `let n=0;const show=()=>{list.replaceChildren();made('/picture'+n,list)};show();
    back.onclick=()=>{n=Math.max(0,n-1);show()};on.onclick=()=>{n=Math.min(5,n+1);show()}`;
  site.add({ '/arrows': page(`<div id=list></div><button id=back>‹</button><button id=on>›</button>`, arrows) });
  expect(await explored('/arrows')).toHaveLength(5);
});

test('of what merely looks like a button, and stays silent, few are tried', async () => {
  const cards = Array.from({ length: 40 }, (_, at) => `<div class=card>${at}</div>`).join('');
  const count = `let n=0;document.addEventListener('click',()=>fetch('/tried?'+n++))`;
  site.add({ '/looks': page(cards, count), '/tried': 'x' });
  await explored('/looks');
  expect(site.paths().filter((path) => path.startsWith('/tried')).length).toBeLessThanOrEqual(3);
});

test('a list that loads more is loaded whole', async () => {
  const list = `let n=0;more.onclick=async()=>{for(const to of await(await fetch('/more.json?'+n++)).json())made(to,list);if(n===4)more.remove()}`;
  site.add({
    '/more': page(`<div id=list></div><button id=more>Load more</button>`, list),
    '/more.json': (request, response) => {
      const n = Number(request.url?.split('?')[1]);
      response.end(JSON.stringify([`/m${n}a`, `/m${n}b`]));
    },
  });
  expect((await explored('/more')).filter((path) => path.startsWith('/m') && path !== '/more.json')).toHaveLength(8);
});

test('what is covered is not used by real input: a press would meet what covers it', async () => {
  const cover = `<button id=b>show</button><div id=c style="position:fixed;inset:0"></div>`;
  site.add({
    '/covered': page(
      cover,
      `document.onmousedown=(e)=>e.isTrusted&&made('/met');b.onclick=(e)=>e.isTrusted&&made('/t')`,
    ),
  });
  expect(await explored('/covered')).toEqual([]);
});

test('links of an inert part that an action brings are speculative: a search shows pieces of other pages so', async () => {
  const body = `<div inert><a href=/menu>menu of a phone</a></div><button id=b>search</button>`;
  const show = `b.onclick=()=>{const box=document.createElement('div');document.body.append(box);
    box.innerHTML='<p><span inert><a href=./gone>g</a></span></p><div inert><a href=./piece>p</a></div><a href=/result>r</a>';
    setTimeout(()=>box.firstChild.remove(),50)}`;
  site.add({ '/searched': page(body, show) });
  const { foundLinks } = await bench.capture(site.url('/searched'));
  expect(foundLinks.map(({ href, confidence }) => `${confidence} ${href}`)).toEqual([
    'high /menu',
    'low ./piece',
    'high /result',
    'low ./gone',
  ]);
});

test('what hears nothing is tried by real input once for each kind, and seldom', async () => {
  const kinds = Array.from({ length: 30 }, (_, at) => `<button class="${'k'.repeat(at + 1)}">show</button>`).join('');
  const count = `let n=0;for(const b of document.querySelectorAll('button'))b.onclick=(e)=>{if(e.isTrusted)fetch('/real?'+n++)}`;
  site.add({ '/unmoved': page(kinds, count), '/real': 'x' });
  await explored('/unmoved');
  expect(site.paths().filter((path) => path.startsWith('/real')).length).toBeLessThanOrEqual(10);
});
