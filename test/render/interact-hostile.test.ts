import { afterAll, beforeAll, expect, test } from 'vitest';
import { FixtureServer } from './fixture-server.ts';
import { openBench, paths, type Bench } from './render-bench.ts';

let site: FixtureServer;
let bench: Bench;

beforeAll(async () => {
  site = await FixtureServer.open({ '/next': '<!doctype html><title>next</title><a href=/a>a</a>' });
  bench = await openBench({ workers: 1, explore: 'click' });
});
afterAll(async () => {
  await bench[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

test.each([
  ['hangs for ever when it is clicked', `<button onclick="while(1);">a</button><button onclick="while(1);">b</button>`],
  [
    'makes a button with every click',
    `<div id=d><button>0</button></div><script>let n=0;d.onclick=()=>{const b=document.createElement('button');b.className='c'+String.fromCharCode(97+n%26)+n;b.textContent='b'+n++;d.append(b)}</script>`,
  ],
  [
    'opens dialogs',
    `<button onclick="alert(1);confirm(2);prompt(3)">a</button><button class=b onclick="print()">b</button>`,
  ],
  ['opens a thousand windows', `<button onclick="for(let n=0;n<1000;n++)open('/w'+n)">a</button>`],
  ['takes everything away', `<button onclick="document.documentElement.remove()">a</button><button>b</button>`],
  [
    'leads away with every click',
    `<button onclick="location='/gone'">a</button><button class=b onclick="document.write('x')">b</button>`,
  ],
  [
    'has fields named like everything',
    `<form><input name=getAttribute><input name=parentNode><input name=children><input name=isConnected></form><img name=querySelectorAll><button onclick="1">a</button>`,
  ],
  [
    'lies about its listeners',
    `<button>a</button><script>const b=document.querySelector('button');Object.defineProperty(b,'__reactProps$x',{get(){throw new Error('no')}});Object.getOwnPropertyNames=()=>{throw 1};JSON.stringify=()=>'{"nodes":[[1e9,["<script>"]]],"delegated":[[["click"],"*"]]}'</script>`,
  ],
])('a page that %s is captured, and the next one too', async (name, body) => {
  const path = `/${encodeURIComponent(name)}`;
  site.add({ [path]: `<!doctype html><title>t</title><a href=/known>k</a>${body}` });
  const captured = await bench.capture(site.url(path));
  expect(captured.foundLinks.some(({ href }) => href === '/known')).toBe(true);
  expect((await bench.capture(site.url('/next'))).title).toBe('next');
});

test('a click that hangs is made once, and does not end the use of the page', async () => {
  const script = `let n=0;a.onclick=()=>{n++;for(;;);};b.onclick=()=>{const s=document.createElement('a');s.href='/after'+n;document.body.append(s)}`;
  site.add({
    '/hangs-once': `<!doctype html><title>t</title><button id=a>a</button><p><button id=b>b</button></p><script>${script}</script>`,
  });
  expect(paths(await bench.capture(site.url('/hangs-once')), 'anchor')).toEqual(['/after1']);
});

test('a page whose buttons open a dialog each is used to its end', async () => {
  const talking = ['p', 'q', 'r', 's'].flatMap((kind) =>
    [1, 2, 3].map((one) => `<${kind}><button onclick="alert(1)">${kind}${one}</button></${kind}>`),
  );
  const last = `<div><i><button class=z onclick="const s=document.createElement('a');s.href='/last';document.body.append(s)">z</button></i></div>`;
  site.add({ '/talks': `<!doctype html><title>t</title>${talking.join('')}${last}` });
  expect(paths(await bench.capture(site.url('/talks')), 'anchor')).toEqual(['/last']);
});

test('controls that are left where too many clicks hang are told as such', async () => {
  const hanging = ['p', 'q', 'i'].map((kind) => `<${kind}><button onclick="for(;;);">${kind}</button></${kind}>`);
  const last = `<div><button class=z onclick="const s=document.createElement('a');s.href='/last';document.body.append(s)">z</button></div>`;
  site.add({ '/hang': `<!doctype html><title>t</title>${hanging.join('')}${last}` });
  const { unusedControls } = await bench.capture(site.url('/hang'));
  expect(unusedControls).toEqual({ count: 2, limit: 'hangs', names: ['i', 'z'] });
});
