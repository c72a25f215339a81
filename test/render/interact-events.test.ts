/** Events of leaving, wheels and drags, and keys that a script compares with: each element gets them once. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { seconds } from '../../src/base/units.ts';
import { FixtureServer } from './fixture-server.ts';
import { openBench, paths, type Bench } from './render-bench.ts';

let site: FixtureServer;
let bench: Bench;

beforeAll(async () => {
  site = await FixtureServer.open({});
});
// each test has a renderer of its own: what using one page has taught is for the pages that follow
beforeEach(async () => {
  bench = await openBench({ workers: 1, explore: 'click', pageTimeout: seconds(40) });
});
afterEach(async () => {
  await bench[Symbol.asyncDispose]();
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
});

const MAKE = `const made=(to)=>{const a=document.createElement('a');a.href=to;a.textContent=to;document.body.append(a)};`;

async function explored(path: string, body: string, script: string): Promise<string[]> {
  site.add({ [path]: `<!doctype html><title>t</title>${body}<script>${MAKE}${script}</script>` });
  const captured = await bench.capture(site.url(path));
  const found = captured.foundLinks.filter(({ stage, kind }) => stage === 'click' && kind === 'anchor');
  return paths({ ...captured, foundLinks: found });
}

const P = '<p id=b>here</p>';
const on = (type: string, then = `made('/t')`): string => `b.addEventListener('${type}',(e)=>{${then}})`;

test.each([
  ['leaving it', P, on('mouseleave')],
  ['going out of it', P, on('mouseout')],
  ['a pointer that leaves', P, on('pointerleave')],
  ['a pointer that goes out', P, on('pointerout')],
  ['coming and leaving', P, `let over=false;${on('mouseenter', 'over=true')};${on('mouseleave', `over&&made('/t')`)}`],
  ['leaving the page by its upper edge', '', `document.addEventListener('mouseleave',(e)=>e.clientY<0&&made('/t'))`],
  ['leaving the window', '', `addEventListener('mouseout',(e)=>{if(!e.relatedTarget&&e.clientY<=0)made('/t')})`],
  ['losing the focus', '<input id=b>', on('blur')],
  ['losing the focus, heard further up', '<div id=b><input></div>', on('focusout')],
  ['a window that loses the focus', '', `addEventListener('blur',(e)=>e.target===window&&made('/t'))`],
  ['a wheel', P, on('wheel', `e.deltaY>0&&made('/t')`)],
  ['a wheel that turns across', P, on('wheel', `e.deltaX>0&&made('/t')`)],
  ['a wheel over the page', '', `addEventListener('wheel',(e)=>made('/t'),{passive:true})`],
  ['the wheel of old', P, on('mousewheel')],
  ['taking it up', '<p id=b draggable=true>here</p>', on('dragstart', `e.dataTransfer&&made('/t')`)],
  ['a drop', P, `${on('dragover', 'e.preventDefault()')};${on('drop')}`],
  ['a context menu of the page', '', `document.addEventListener('contextmenu',()=>made('/t'))`],
  ['the middle button', P, on('auxclick', `e.button===1&&made('/t')`)],
  ['a key that is compared with', '', `document.addEventListener('keydown',(e)=>{if(e.key==='g')made('/t')})`],
  ['a key by its place', '', `addEventListener('keydown',(e)=>{if(e.code==='KeyX')made('/t')})`],
  ['a key by its number', '', `document.onkeyup=(e)=>{if(e.keyCode==82)made('/t')}`],
  ['a capital letter', '', `document.onkeydown=(e)=>{e.key==='G'&&e.shiftKey&&made('/t')}`],
  ['a key beside another', '', `onkeydown=(e)=>{if((e.ctrlKey||e.metaKey)&&e.key==='b')made('/t')}`],
  [
    'a key of many, one of which closes what another opens',
    '<p id=o></p>',
    `onkeydown=(e)=>{switch(e.key){case'o':o.innerHTML='<button id=x>show</button>';x.onclick=()=>made('/t');break;case'Escape':o.innerHTML=''}}`,
  ],
  [
    'a key of a list',
    '',
    `onkeydown=({key})=>{if(['e','d'].includes(key))0;const e={key};if(['z'].includes(e.key))made('/t')}`,
  ],
  ['a table of keys, called elsewhere', '', `const jump=(e)=>{if('u'===e.key)made('/t')};onkeydown=(e)=>jump(e)`],
  [
    'a shortcut of a library',
    '',
    `const bind=(k,f)=>{const[m,l]=k.split('+');addEventListener('keydown',(e)=>e.altKey===(m==='alt')&&e.key===l&&f())};bind("alt+p",()=>made('/t'))`,
  ],
  [
    'a key for readers',
    '<main aria-keyshortcuts=v></main>',
    `const k=document.querySelector('main').getAttribute('aria-keyshortcuts');onkeydown=(e)=>e.key===k&&made('/t')`,
  ],
  ['a key of a field', '<input id=b>', on('keydown', `if(e.key==='Home')made('/t')`)],
  ['a key of an element', '<p id=b tabindex=0>here</p>', on('keydown', `if(e.key==='F2')made('/t')`)],
])('a link behind %s is found', async (name, body, script) => {
  expect(await explored(`/event-${encodeURIComponent(name)}`, body, script)).toContain('/t');
});

test('the handler of a script of its own is read too', async () => {
  site.add({
    '/keys.js': (_request, response) => {
      response.setHeader('content-type', 'text/javascript');
      response.end(
        `const keys={};export const when=(k,f)=>{keys[k]=f};addEventListener('keydown',(e)=>keys[e.key]?.());const known=(e)=>e.key==='y'`,
      );
    },
    '/module': `<!doctype html><title>t</title><body><script type=module>import{when}from'/keys.js';${MAKE}when('y',()=>made('/t'))</script>`,
  });
  expect(paths(await bench.capture(site.url('/module')))).toContain('/t');
});

test('each element is left, blurred, turned and dragged once, and of a kind that brings nothing few are', async () => {
  const rows = Array.from({ length: 30 }, () => '<p class=r>row</p>').join('');
  const script = `const n={};for(const r of document.querySelectorAll('.r'))for(const t of ['mouseleave','blur','wheel','dragstart'])
    r.addEventListener(t,()=>{n[t]=(n[t]??0)+1;document.title=JSON.stringify(n);fetch('/count?'+t)})`;
  await explored('/few', rows, script);
  const counted = site.paths().filter((path) => path.startsWith('/count?'));
  for (const [type, most] of [
    ['mouseleave', 3],
    ['blur', 3],
    ['wheel', 6],
    ['dragstart', 3],
  ] as const)
    expect(counted.filter((path) => path.endsWith(type)).length, type).toBeLessThanOrEqual(most);
});

test('keys that take something away are not struck, nor those by which a script signs out', async () => {
  const script = `const hit=(e)=>fetch('/hit?'+e.key);onkeydown=(e)=>{if(e.key==='Delete')hit(e);if(e.key==='Backspace')hit(e);if(e.key==='q')logout(e);if(e.key==='w')hit(e)};function logout(e){hit(e)}`;
  await explored('/harm', '', script);
  expect(site.paths().filter((path) => path.startsWith('/hit'))).toEqual(['/hit?w']);
});

test('a request that a key or a drop sets off and that could change something does not leave the browser', async () => {
  const post = `fetch(String.fromCharCode(47)+'w',{method:'POST',body:'x'})`;
  await explored(
    '/writes',
    P,
    `onkeydown=(e)=>{if(e.key==='g')${post}};${on('drop', post)};${on('blur', post)};${on('wheel', post)}`,
  );
  expect(site.asked.filter((line) => line.startsWith('POST'))).toEqual([]);
});
