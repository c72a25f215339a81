import { afterAll, beforeAll, expect, test } from 'vitest';
import { leadsToPage } from '../../src/core/links/page-link.ts';
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

const page = (script: string, markup = ''): string =>
  `<!doctype html><title>stays</title>${markup}<a href=/known>k</a><script>${script}</script>`;

test.each([
  ['location.href', 'setTimeout(()=>{location.href="/gone"},300)', 'navigation'],
  ['location.assign at once', 'location.assign("/gone")', 'navigation'],
  ['location.replace', 'addEventListener("load",()=>location.replace("/gone"))', 'navigation'],
  [
    'a click by script',
    'const a=document.createElement("a");a.href="/gone";setTimeout(()=>a.click(),50)',
    'navigation',
  ],
  [
    'a form sent by script',
    'const f=document.createElement("form");f.action="/gone";document.body.append(f);f.submit()',
    'form',
  ],
  ['a frame that leads the page away', '', 'navigation'],
])('%s is recorded, and the page stays where it is', async (name, script, kind) => {
  const path = `/start-${encodeURIComponent(name)}`;
  site.add({
    '/leader': '<script>top.location.href="/gone"</script>',
    [path]: page(script, name.startsWith('a frame') ? '<iframe src=/leader></iframe>' : ''),
  });
  const before = site.asked.length;
  const captured = await bench.capture(site.url(path));
  expect(captured.title).toBe('stays');
  expect(captured.finalUrl).toBe(site.url(path));
  expect(paths(captured, kind)).toContain('/gone');
  expect(site.asked.slice(before).filter((line) => line.includes('gone'))).toEqual([]);
});

test('a meta refresh is a link, and is not followed', async () => {
  site.add({ '/refresh': page('', '<meta http-equiv=refresh content="1;url=/gone">') });
  const captured = await bench.capture(site.url('/refresh'));
  expect(paths(captured, 'meta-refresh')).toEqual(['/gone']);
  expect(site.paths()).not.toContain('/gone');
});

test('a form sent by POST names no page to visit and sends nothing', async () => {
  site.add({ '/post': page('document.forms[0].submit()', '<form method=post action=/order><input name=n></form>') });
  const captured = await bench.capture(site.url('/post'));
  const sent = captured.foundLinks.find(({ context }) => context === 'submit() POST');
  expect([sent?.kind, sent?.href]).toEqual(['form', site.url('/order')]);
  expect(captured.foundLinks.filter(leadsToPage).map(({ href }) => href)).toEqual(['/known']);
  expect(site.paths()).not.toContain('/order');
});

test('history entries are recorded with the call that made them', async () => {
  site.add({
    '/history': page(
      'history.pushState({},"","/pushed");history.replaceState({},"","/replaced");setTimeout(()=>{location.hash="#/route"},10)',
    ),
  });
  const captured = await bench.capture(site.url('/history'));
  const history = captured.foundLinks.filter(({ kind }) => kind === 'history');
  expect(history.map(({ href, context }) => [new URL(href).pathname + new URL(href).hash, context])).toEqual([
    ['/pushed', 'history.pushState'],
    ['/replaced', 'history.replaceState'],
    ['/replaced#/route', 'hashchange'],
  ]);
  expect(captured.finalUrl).toBe(site.url('/replaced#/route'));
});

test('a flood of history entries leaves 50', async () => {
  site.add({ '/flood': page('for(let n=0;n<5000;n++)try{history.pushState({},"","/p"+n)}catch{}') });
  const captured = await bench.capture(site.url('/flood'));
  expect(captured.foundLinks.filter(({ kind }) => kind === 'history').length).toBe(50);
});

test('windows do not open, and their addresses are recorded', async () => {
  site.add({
    '/windows': page('for(let n=0;n<200;n++)open("/window"+(n%3))', '<a id=b target=_blank href=/blank></a>'),
  });
  const captured = await bench.capture(site.url('/windows'));
  expect(paths(captured, 'window-open')).toEqual(['/window0', '/window1', '/window2']);
  expect(site.paths().filter((path) => path.startsWith('/window') && path !== '/windows')).toEqual([]);
});

test('what is led into a named frame is recorded', async () => {
  site.add({
    '/targets': page(
      'setTimeout(()=>document.getElementById("t").click(),50)',
      '<iframe name=named></iframe><a id=t target=named href=/into>i</a>',
    ),
    '/into': '<a href=/in-named>n</a>',
  });
  const captured = await bench.capture(site.url('/targets'));
  expect(paths(captured, 'navigation')).toEqual(['/into']);
});

test('pages of one hash-routed application are loaded anew for each route', async () => {
  site.add({ '/app': '<!doctype html><title>x</title><script>document.title="route "+location.hash</script>' });
  expect((await bench.capture(site.url('/app#/one'))).title).toBe('route #/one');
  expect((await bench.capture(site.url('/app#/two'))).title).toBe('route #/two');
  expect((await bench.capture(site.url('/app#/two'))).title).toBe('route #/two');
  expect(site.paths().filter((path) => path === '/app')).toHaveLength(3);
});

test.each([
  ['at once', 'history.back()'],
  ['by a timer', 'setTimeout(()=>history.back(),50)'],
])('a page that goes back in history %s stays, though the browser showed nothing before it', async (name, script) => {
  const path = `/back-${encodeURIComponent(name)}`;
  site.add({ [path]: page(script) });
  const url = site.url(path, `${name.replaceAll(' ', '-')}.localhost`);
  const captured = await bench.capture(url);
  expect(captured.finalUrl).toBe(url);
  expect(paths(captured)).toEqual(['/known']);
});

test.each([
  ['at once', 'window.print();window.close()'],
  ['by a timer', 'setTimeout(()=>window.close(),50)'],
])('a page that closes itself %s is read all the same', async (name, script) => {
  const path = `/closes-${name.replaceAll(' ', '-')}`;
  const host = `${path.slice(1)}.localhost`;
  site.add({
    [path]: page(`${script};setTimeout(()=>document.body.insertAdjacentHTML("beforeend","<a href=/later>l</a>"),1000)`),
    '/after': page(''),
  });
  for (let visit = 0; visit < 2; visit++)
    expect(paths(await bench.capture(site.url(`${path}?${visit}`, host)))).toEqual(['/known', '/later']);
  expect(paths(await bench.capture(site.url('/after', host)))).toEqual(['/known']);
});

test('a page that goes back in history leads nowhere', async () => {
  site.add({ '/first': page(''), '/back': page('setTimeout(()=>history.back(),50)') });
  await bench.capture(site.url('/first'));
  const before = site.asked.length;
  const captured = await bench.capture(site.url('/back'));
  expect(captured.finalUrl).toBe(site.url('/back'));
  expect(site.asked.slice(before).filter((line) => line === 'GET /first')).toEqual([]);
  expect(paths(captured)).toEqual(['/known']);
  expect((await bench.capture(site.url('/first'))).finalUrl).toBe(site.url('/first'));
});
