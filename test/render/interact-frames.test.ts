/** Frames without an address of their own are explored like the page itself; those with one are visited separately. */
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

const page = (body: string): string => `<!doctype html><title>t</title>${body}`;
/** A document with controls; the links that they bring contain the frame's name. */
const controls = (name: string): string => `<button id=b>show</button><p id=p>over</p><ul id=u><li>entry</ul>
  <script>const made=(to)=>{const a=document.createElement('a');a.href='/'+'${name}'+to;document.body.append(a)};
  b.onclick=()=>made('-click');p.addEventListener('mouseenter',()=>made('-hover'));
  u.addEventListener('click',(e)=>e.target.localName==='li'&&made('-entry'));
  addEventListener('keydown',(e)=>e.key==='?'&&made('-key'))</script>`;
const quoted = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
const inScript = (text: string): string => JSON.stringify(text).replaceAll('</script>', '<\\/script>');

async function explored(path: string): Promise<string[]> {
  const captured = await bench.capture(site.url(path));
  const found = captured.foundLinks.filter(({ stage }) => stage === 'click');
  return [...new Set(paths({ ...captured, foundLinks: found }, 'anchor'))];
}

const all = (name: string): string[] => ['click', 'entry', 'hover', 'key'].map((what) => `/${name}-${what}`);

test.each([
  ['srcdoc', `<iframe srcdoc="${quoted(controls('f'))}"></iframe>`],
  ['a sandbox', `<iframe sandbox="allow-scripts" srcdoc="${quoted(controls('f'))}"></iframe>`],
  [
    'a script that writes',
    `<iframe id=i></iframe><script>const d=i.contentDocument;d.open();d.write(${inScript(controls('f'))});d.close()</script>`,
  ],
  ['a frame in a frame', `<iframe srcdoc="${quoted(`<iframe srcdoc="${quoted(controls('f'))}"></iframe>`)}"></iframe>`],
  [
    'a blob',
    `<iframe id=i></iframe><script>i.src=URL.createObjectURL(new Blob([${inScript(`<base href="{origin}">${controls('f')}`)}.replace('{origin}',location.origin)],{type:'text/html'}))</script>`,
  ],
  [
    'a frame that a button brings',
    `<button id=o>open</button><script>o.onclick=()=>{o.remove();const f=document.createElement('iframe');f.srcdoc=${inScript(controls('f'))};document.body.append(f)}</script>`,
  ],
])('the controls of a frame that is made by %s are used', async (name, body) => {
  const path = `/frame-${encodeURIComponent(name)}`;
  site.add({ [path]: page(body) });
  expect(await explored(path)).toEqual(all('f'));
});

test('frames beside each other are used each, and the page too', async () => {
  const frames = ['f', 'g', 'h'].map((name) => `<iframe srcdoc="${quoted(controls(name))}"></iframe>`);
  site.add({ '/beside': page(`${controls('page')}${frames.join('')}`) });
  expect(await explored('/beside')).toEqual([...all('f'), ...all('g'), ...all('h'), ...all('page')]);
});

test('a frame without an address is used each time, however often it is visited', async () => {
  site.add({ '/again': page(`<iframe srcdoc="${quoted(controls('f'))}"></iframe>`) });
  for (let time = 0; time < 5; time++) expect(await explored('/again')).toEqual(all('f'));
});

test('a frame with an address of its own is left alone: it is a page', async () => {
  site.add({ '/holder': page('<iframe src=/inner></iframe><button>show</button>'), '/inner': page(controls('f')) });
  expect(await explored('/holder')).toEqual([]);
});

test('a request of a frame that could change something does not leave the browser', async () => {
  const writes = `<button onclick="fetch(String.fromCharCode(47)+'w',{method:'POST',body:'x'})">Show</button>
    <button class=d onclick="fetch(String.fromCharCode(47)+'d')">Delete</button><button class=o onclick="fetch('/out')">Log out</button>`;
  site.add({ '/writes': page(`<iframe srcdoc="${quoted(writes)}"></iframe>`) });
  const captured = await bench.capture(site.url('/writes'));
  expect(site.paths().filter((path) => ['/w', '/d', '/out'].includes(path))).toEqual([]);
  const held = captured.foundLinks.filter(({ context }) => context.endsWith('(held)'));
  expect(held.map(({ href, context }) => `${new URL(href).pathname} ${context}`).toSorted()).toEqual([
    '/d fetch GET (held)',
    '/w fetch POST (held)',
  ]);
});
