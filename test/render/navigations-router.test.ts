import { afterAll, beforeAll, expect, test } from 'vitest';
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

/** A router by the Navigation API: it handles paths that begin with /view. */
const ROUTER = `navigation.addEventListener('navigate', (event) => {
  const url = new URL(event.destination.url);
  if (!event.canIntercept || event.hashChange || !url.pathname.startsWith('/view')) return;
  event.intercept({ handler: async () => {
    document.title = url.pathname;
    document.querySelector('main').innerHTML = '<a href="/in' + url.pathname + '">deeper</a>';
  } });
});`;
const page = (script: string, router = ROUTER): string =>
  `<!doctype html><title>start</title><main></main><a href=/known>k</a><script>${router}</script><script type=module>${script}</script><a href=/after>a</a>`;

test.each([
  ['navigation.navigate', 'navigation.navigate("/view/one")'],
  ['location.href', 'location.href="/view/one"'],
  ['a click by script', 'const a=document.createElement("a");a.href="/view/one";document.body.append(a);a.click()'],
  ['a late assignment', 'setTimeout(()=>location.assign("/view/one"),500)'],
  ['a form', 'const f=document.createElement("form");f.action="/view/one";document.body.append(f);f.submit()'],
])('what a router takes over is shown and read: %s', async (name, script) => {
  const path = `/routed-${encodeURIComponent(name)}`;
  site.add({ [path]: page(script) });
  const before = site.asked.length;
  const captured = await bench.capture(site.url(path));
  expect(captured.title).toBe('/view/one');
  expect(paths(captured, 'anchor')).toEqual(expect.arrayContaining(['/after', '/in/view/one', '/known']));
  expect(paths(captured)).toContain('/view/one');
  expect(site.asked.slice(before).filter((line) => line.includes('view'))).toEqual([]);
});

test('what the router leaves alone is recorded once, reaches no server, and the page goes on', async () => {
  site.add({
    '/left-alone': page(
      'location.href="/gone";setTimeout(()=>{const a=document.createElement("a");a.href="/late";document.body.append(a)},800)',
    ),
  });
  const before = site.asked.length;
  const captured = await bench.capture(site.url('/left-alone'));
  expect(paths(captured, 'navigation')).toEqual(['/gone']);
  expect(paths(captured, 'anchor')).toEqual(['/after', '/known', '/late']);
  expect(captured.finalUrl).toBe(site.url('/left-alone'));
  expect(site.asked.slice(before).filter((line) => line.includes('gone'))).toEqual([]);
});

test('a router may lead through many views, between what it leaves alone', async () => {
  const many =
    'let n=0;const next=()=>{if(++n>12)return;location.href=n%3?"/view/"+n:"/gone/"+n;setTimeout(next,40)};next()';
  site.add({ '/many': page(many) });
  const captured = await bench.capture(site.url('/many'));
  expect(captured.title).toBe('/view/11');
  expect(paths(captured, 'navigation')).toEqual(
    [1, 2, 4, 5, 7, 8, 10, 11]
      .map((n) => `/view/${n}`)
      .concat([3, 6, 9, 12].map((n) => `/gone/${n}`))
      .sort(),
  );
  expect(site.paths().filter((path) => /gone|view/.test(path))).toEqual([]);
});

test('what stands behind a script that leaves at once is read', async () => {
  site.add({ '/leaves': '<!doctype html><script>location.href="/gone"</script><a href=/behind>b</a>' });
  const captured = await bench.capture(site.url('/leaves'));
  expect(paths(captured)).toEqual(['/behind', '/gone']);
});

test('what the page waits for comes, though the page wants to be elsewhere', async () => {
  const script =
    'fetch("/data").then(r=>r.text()).then(t=>{const a=document.createElement("a");a.href=t;document.body.append(a)});location.href="/gone"';
  site.add({
    '/waits': page(script, ''),
    '/data': (_request, response) => setTimeout(() => response.end('/from-data'), 300),
  });
  const captured = await bench.capture(site.url('/waits'));
  expect(paths(captured, 'anchor')).toEqual(['/after', '/from-data', '/known']);
});

test('the page is read while it wants to be elsewhere all the time', async () => {
  site.add({ '/restless': page('setInterval(()=>{location.href="/gone/"+Math.random()},1)', '') });
  const before = site.asked.length;
  const captured = await bench.capture(site.url('/restless'));
  expect(captured.finalUrl).toBe(site.url('/restless'));
  expect(paths(captured, 'anchor')).toEqual(['/after', '/known']);
  expect(paths(captured, 'navigation').length).toBe(50);
  expect(site.asked.slice(before).filter((line) => line.includes('gone'))).toEqual([]);
});

test('a POST that a router could take over is sent nowhere', async () => {
  site.add({
    '/posts': page(
      'const f=document.createElement("form");f.method="post";f.action="/order";document.body.append(f);f.submit()',
    ),
  });
  const before = site.asked.length;
  const captured = await bench.capture(site.url('/posts'));
  const sent = captured.foundLinks.find(({ context }) => context === 'submit() POST');
  expect([sent?.kind, sent?.href]).toEqual(['form', site.url('/order')]);
  expect(captured.finalUrl).toBe(site.url('/posts'));
  expect(site.asked.slice(before).filter((line) => line.includes('order'))).toEqual([]);
});

test('a page that floods its navigations takes none from the page after it', async () => {
  site.add({
    '/floods': page('for(let n=0;n<1000;n++)location.hash="#"+n;', ''),
    '/after-flood': page('setTimeout(()=>{location.href="/gone"},10)', ''),
  });
  await bench.capture(site.url('/floods'));
  expect(paths(await bench.capture(site.url('/after-flood')), 'navigation')).toEqual(['/gone']);
});
