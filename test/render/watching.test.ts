/** A page's watch: its record of requests, workers and frames, on which other parts rely. */
import { homedir } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { browserEnvironment, findBrowser } from '../../browsers/launch/find-browser.ts';
import { launchBrowser } from '../../browsers/launch/launch-browser.ts';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import { memoryLimits } from '../../src/core/memory/memory-verdict.ts';
import { KnownSubresources } from '../../src/core/page-clusters/known-subresources.ts';
import { canonicalUrl } from '../../src/model/url/canonical-url.ts';
import { registrableDomainOf } from '../../src/model/url/host-key.ts';
import { withoutThreads } from '../../src/offload/offload.ts';
import { LiveBrowser } from '../../src/render/live-browser.ts';
import { RENDER_FLAGS } from '../../src/render/open-renderer.ts';
import type { WarmPage } from '../../src/render/page/warm-page.ts';
import { NO_SIGN_INS } from '../../src/render/sign-ins.ts';
import { FixtureServer, type Route } from './fixture-server.ts';
import { QUICK } from './render-bench.ts';

const signal = new AbortController().signal;

const typed =
  (type: string, body: string): Route =>
  (_request, response) => {
    response.setHeader('content-type', type);
    response.end(body);
  };

let site: FixtureServer;
let browser: LiveBrowser;
beforeAll(async () => {
  site = await FixtureServer.open({
    '/script.js': typed('text/javascript', 'fetch("/data.json");new WebSocket("ws://"+location.host+"/socket")'),
    '/data.json': typed('application/json', '{}'),
    '/plain': '<title>plain</title>',
    '/style.css': typed('text/css', ''),
    '/worker.js': typed('text/javascript', 'fetch("/from-worker").then(()=>postMessage(1));setInterval(()=>{},1e3)'),
    '/from-worker': typed('text/plain', 'x'),
    '/service.js': typed('text/javascript', 'self.oninstall=e=>e.waitUntil(fetch("/from-service"))'),
  });
  const environment = browserEnvironment(process.env, process.platform, homedir());
  const found = await findBrowser({ asked: null, environment }, signal);
  const started = await launchBrowser(
    found,
    { proxyUrl: null, frameControl: false, extraFlags: RENDER_FLAGS, sandbox: 'auto', log: silentLog },
    signal,
  );
  const { userAgent, viewport, extraHeaders, block } = QUICK;
  const known = new KnownSubresources();
  const page = {
    userAgent,
    viewport,
    extraHeaders,
    block,
    known,
    offload: withoutThreads,
    memory: memoryLimits(1),
    bodyArrives: () => null,
    signIns: NO_SIGN_INS,
  };
  browser = new LiveBrowser(started, { ...page, clock: systemClock, log: silentLog });
});
afterAll(async () => {
  await browser.close(signal);
  await site[Symbol.asyncDispose]();
});

async function shown(html: string): Promise<WarmPage> {
  site.add({ '/': html });
  const url = canonicalUrl(site.url('/'));
  if (url === null) throw new Error('not a URL');
  const page = await browser.openPage(registrableDomainOf(url), 'shared', signal);
  page.watch.clear();
  page.interceptor.expect();
  await page.session.send('Page.navigate', { url });
  return page;
}

test('each request is listed with its class, its answer and whether the parser or a script asked for it', async () => {
  const page = await shown('<link rel=stylesheet href=/style.css><script src=/script.js></script><p>x');
  await expect.poll(() => page.watch.requests.filter(({ ended }) => ended)).toHaveLength(4);
  await expect.poll(() => page.watch.requests.filter(({ status }) => status !== null)).toHaveLength(5);
  const root = site.url('');
  const seen = page.watch.requests.map(({ url, method, type, status, contentType, initiator, ended }) => [
    `${method} ${url.replace(root, '')}`,
    type,
    status,
    contentType,
    initiator,
    ended,
  ]);
  expect(seen).toHaveLength(5);
  expect(seen).toEqual(
    expect.arrayContaining([
      ['GET /', 'document', 200, 'text/html', 'other', true],
      ['GET /style.css', 'stylesheet', 200, 'text/css', 'parser', true],
      ['GET /script.js', 'script', 200, 'text/javascript', 'parser', true],
      ['GET /data.json', 'fetch', 200, 'application/json', 'script', true],
      [`GET ${site.url('/socket').replace('http', 'ws')}`, 'websocket', 101, null, 'script', false],
    ]),
  );
  expect(page.watch.requests[0]?.frameId).toBe(page.frameId);
  expect(page.watch.pending()).toEqual(['websocket 1']);
  expect(page.watch.holdsConnections).toBe(true);
  await page.dispose(signal);
});

test('a body can be read while its page is shown', async () => {
  site.add({ '/data.json': typed('application/json', '{"a":"/b"}') });
  const page = await shown('<script>fetch("/data.json").then(r=>r.text())</script>');
  const answered = (): string | undefined =>
    page.watch.requests.find(({ type, ended }) => type === 'fetch' && ended)?.id;
  await expect.poll(answered).toBeDefined();
  const { body } = await page.session.send('Network.getResponseBody', { requestId: answered() ?? '' });
  expect(body).toBe('{"a":"/b"}');
  await page.dispose(signal);
});

test('a worker is counted while it runs, and its requests are among those of the page', async () => {
  const page = await shown('<script>w=new Worker("/worker.js");w.onmessage=()=>document.title="told"</script>');
  await expect.poll(() => page.watch.workers).toBe(1);
  await expect.poll(() => page.watch.requests.map(({ url }) => url)).toContain(site.url('/from-worker'));
  await expect.poll(() => page.watch.requests.every(({ ended }) => ended)).toBe(true);
  await page.session.send('Runtime.evaluate', { expression: 'w.terminate()' });
  await expect.poll(() => page.watch.workers).toBe(0);
  await page.dispose(signal);
});

test('frames are counted as they come and go', async () => {
  const page = await shown('<iframe srcdoc="<iframe></iframe>"></iframe><iframe id=last></iframe>');
  await expect.poll(() => page.watch.frameCount).toBe(4);
  await page.session.send('Runtime.evaluate', { expression: 'document.querySelector("iframe").remove()' });
  await expect.poll(() => page.watch.frameCount).toBe(2);
  page.interceptor.expect();
  await page.session.send('Page.navigate', { url: site.url('/plain') });
  await expect.poll(() => page.watch.frameCount).toBe(1);
  await page.dispose(signal);
});

test('a page that a person has touched and that asks to stay is left all the same', async () => {
  const page = await shown('<script>onbeforeunload=(event)=>{event.preventDefault();return "stay"}</script>');
  const dialogs: string[] = [];
  page.session.on('Page.javascriptDialogOpening', ({ type }) => dialogs.push(type));
  site.add({ '/stay': '<script>onbeforeunload=(event)=>{event.preventDefault();return "stay"}</script>' });
  for (let visit = 0; visit < 10; visit++) {
    await expect.poll(() => page.watch.loadAt).not.toBeNull();
    await page.session.send('Runtime.evaluate', { expression: '1', userGesture: true });
    page.watch.clear();
    page.interceptor.expect();
    const { errorText } = await page.session.send('Page.navigate', { url: site.url(`/stay?${visit}`) });
    expect(errorText).toBeUndefined();
    expect(page.interceptor.answer?.verdict.kind).toBe('render');
  }
  expect(dialogs).toEqual(Array.from({ length: 10 }, () => 'beforeunload'));
  await page.dispose(signal);
});

test('a document has no service workers: what a page shows after it has asked for one is shown', async () => {
  const page = await shown(
    `<iframe srcdoc="<script>document.title='serviceWorker' in navigator</script>"></iframe><script type=module>
      if ('serviceWorker' in navigator) await navigator.serviceWorker.register('/service.js');
      document.title = 'shown';
    </script>`,
  );
  const valueOf = async (expression: string): Promise<unknown> =>
    (await page.session.send('Runtime.evaluate', { expression, returnByValue: true })).result.value;
  await expect.poll(() => valueOf('document.title')).toBe('shown');
  await expect.poll(() => valueOf('frames[0].document.title')).toBe('false');
  await page.dispose(signal);
});

test('a service worker that comes by another way is ended before it runs: no page of ours is answered by one', async () => {
  const page = await shown('<title>asks</title>');
  const world = { frameId: page.frameId, worldName: 'other' };
  const valueOf = async (expression: string): Promise<unknown> => {
    const { executionContextId: contextId } = await page.session.send('Page.createIsolatedWorld', world);
    const parameters = { expression, contextId, awaitPromise: true, returnByValue: true };
    return (await page.session.send('Runtime.evaluate', parameters)).result.value;
  };
  await expect.poll(() => valueOf('document.title')).toBe('asks');
  expect(await valueOf('void navigator.serviceWorker.register("/service.js"),"asked"')).toBe('asked');
  await expect.poll(() => site.paths()).toContain('/service.js');
  page.interceptor.expect();
  await page.session.send('Page.navigate', { url: site.url('/plain') });
  expect(await valueOf('navigator.serviceWorker.controller')).toBe(null);
  const active = 'navigator.serviceWorker.getRegistrations().then((all)=>all.filter((one)=>one.active).length)';
  expect(await valueOf(active)).toBe(0);
  expect(site.paths()).not.toContain('/from-service');
  await page.dispose(signal);
});

test('a page has no permissions, and its downloads go nowhere', async () => {
  const page = await shown(
    '<a href="data:application/zip,x" download=x>x</a><script>document.links[0].click()</script>',
  );
  const expression =
    'Promise.all(["geolocation","notifications"].map(name=>navigator.permissions.query({name}).then(r=>r.state)))';
  const asked = await page.session.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
  expect(asked.result.value).toEqual(['denied', 'denied']);
  await page.dispose(signal);
});
