import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FixtureServer } from './fixture-server.ts';
import { openBench, paths, type Bench } from './render-bench.ts';

let site: FixtureServer;
let bench: Bench;
beforeAll(async () => {
  site = await FixtureServer.open({});
  bench = await openBench({ workers: 1 });
});
afterAll(async () => {
  await bench[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const page = (script: string): string =>
  `<!doctype html><title>t</title><script>${script}</script><a href=/known>k</a>`;

describe('what hears a page', () => {
  test('is not to be seen by it', async () => {
    const look = `
      const native = (f) => /^function \\S* ?\\([^)]*\\) \\{ \\[native code\\] \\}$/.test(Function.prototype.toString.call(f));
      const functions = [history.pushState, history.replaceState, window.open, window.fetch, XMLHttpRequest.prototype.open,
        EventTarget.prototype.addEventListener, Function.prototype.toString, HTMLFormElement.prototype.submit,
        HTMLElement.prototype.click, Element.prototype.attachShadow, navigator.sendBeacon, Worker, WebSocket, EventSource];
      const plain = document.createElement('iframe');
      document.documentElement.append(plain);
      const odd = Object.getOwnPropertyNames(window).filter((name) => !(name in plain.contentWindow) && !['look', 'native', 'functions', 'plain', 'odd', '0'].includes(name));
      plain.remove();
      document.title = JSON.stringify([functions.every(native), odd, navigation.onnavigate, typeof orbweaverRecord,
        history.pushState.name, Object.keys(history).length, 'orbweaver' in window]);`;
    site.add({ '/looks': page(`{${look}}`) });
    const captured = await bench.capture(site.url('/looks'));
    expect(JSON.parse(captured.title)).toEqual([true, [], null, 'undefined', 'pushState', 0, false]);
  });

  test.each([
    ['listeners', 'EventTarget.prototype.addEventListener=()=>{throw 1};EventTarget.prototype.dispatchEvent=()=>false'],
    [
      'collections',
      'for(const o of [Array,Set,Map])for(const k of ["push","map","filter","includes","has","add","forEach","indexOf","slice","sort"])o.prototype[k]=()=>{throw 1}',
    ],
    [
      'reflection',
      'Reflect.get=()=>null;Object.defineProperty(window,"navigation",{value:null});JSON.stringify=()=>"{}"',
    ],
    [
      'inheritance',
      'for(const k of ["url","kept","how","toJSON","destination"])Object.defineProperty(Object.prototype,k,{get(){throw 1},set(){throw 1}})',
    ],
    [
      'events',
      'navigation.addEventListener("navigate",e=>{e.stopImmediatePropagation();Object.defineProperty(e,"destination",{value:null})},true)',
    ],
    ['texts', 'String.prototype.slice=()=>"x";String.prototype.toString=()=>"y";RegExp.prototype.exec=()=>null'],
  ])('is not to be broken by replaced %s', async (name, sabotage) => {
    site.add({
      [`/breaks-${name}`]: page(
        `${sabotage};history.pushState(null,"","/pushed");setTimeout(()=>{location.href="/gone"},50);open("/window")`,
      ),
    });
    const captured = await bench.capture(site.url(`/breaks-${name}`));
    expect(paths(captured)).toEqual(['/gone', '/known', '/pushed', '/window']);
    expect(site.paths()).not.toContain('/gone');
  });

  test('lives on where the document is written anew', async () => {
    const anew =
      'setTimeout(()=>{document.open();document.write("<a href=/anew>a</a>");document.close();setTimeout(()=>history.pushState(null,"","/pushed-anew"),100);setTimeout(()=>{location.href="/gone-anew"},200)},300)';
    site.add({ '/anew-page': page(anew) });
    const captured = await bench.capture(site.url('/anew-page'));
    expect(paths(captured)).toEqual(expect.arrayContaining(['/anew', '/gone-anew', '/pushed-anew']));
    expect(site.paths()).not.toContain('/gone-anew');
  });
});

describe('a flood is cut, and the page after it is served:', () => {
  test.each([
    ['addresses pushed', 'for(let n=0;n<20000;n++)try{history.pushState(null,"","/p"+n)}catch{}', 'history', 50],
    ['fragments', 'for(let n=0;n<20000;n++)location.hash="#/r"+n', 'history', 50],
    ['windows', 'for(let n=0;n<1000;n++)open("/window"+n)', 'window-open', 50],
    ['addresses assigned', 'let n=0;setInterval(()=>{location.href="/gone"+n++},0)', 'navigation', 50],
  ])('%s', async (name, script, kind, most) => {
    site.add({
      [`/flood-${encodeURIComponent(name)}`]: page(script),
      '/after': page('history.pushState(null,"","/heard")'),
    });
    const before = site.asked.length;
    const captured = await bench.capture(site.url(`/flood-${encodeURIComponent(name)}`));
    const found = captured.foundLinks.filter((foundLink) => foundLink.kind === kind).length;
    expect(found).toBeGreaterThan(0);
    expect(found).toBeLessThanOrEqual(most);
    expect(site.asked.slice(before).filter((line) => /^GET \/(?:gone|window|p\d)/.test(line))).toEqual([]);
    expect(paths(await bench.capture(site.url('/after')), 'history')).toEqual(['/heard']);
  });
});

test.each([
  ['a meta refresh', '<!doctype html><meta http-equiv=refresh content="0"><a href=/known>k</a>', {}],
  [
    'a meta refresh to itself',
    '<!doctype html><meta http-equiv=refresh content="0;url=/loop"><a href=/known>k</a>',
    {},
  ],
  ['a Refresh header', '<!doctype html><a href=/known>k</a>', { refresh: '0;url=/loop' }],
  ['location', '<!doctype html><script>location.href="/loop?"+Math.random()</script><a href=/known>k</a>', {}],
  ['reload', '<!doctype html><script>location.reload()</script><a href=/known>k</a>', {}],
  [
    'replace, late',
    '<!doctype html><script>setInterval(()=>location.replace("/loop"),20)</script><a href=/known>k</a>',
    {},
  ],
  [
    'a form that sends itself',
    '<!doctype html><a href=/known>k</a><form action=/loop></form><script>document.forms[0].submit()</script>',
    {},
  ],
])('a loop by %s asks the server once', async (_what, body, headers) => {
  site.add({
    '/loop': (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html', ...headers });
      response.end(body);
    },
  });
  const before = site.asked.length;
  const captured = await bench.capture(site.url('/loop'));
  expect(paths(captured, 'anchor')).toEqual(['/known']);
  expect(site.asked.slice(before).filter((line) => line.startsWith('GET /loop'))).toHaveLength(1);
});
