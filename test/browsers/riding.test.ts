/** Playwright on our pipe: its contexts, our pages. browsers/playwright/pipe-transport.ts has the rules of its messages. */
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserEnvironment, findBrowser } from '../../browsers/launch/find-browser.ts';
import { launchBrowser } from '../../browsers/launch/launch-browser.ts';
import type { Browser, BrowserContext, BrowserPage } from '../../browsers/protocol/browser.ts';
import { silentLog } from '../../src/base/log.ts';
import { FixtureServer } from '../render/fixture-server.ts';
import { until } from '../support/until.ts';

const MANNER = { userAgent: 'OrbweaverTest/1.0', viewport: { width: 800, height: 600 } };
const signal = new AbortController().signal;

let site: FixtureServer;
beforeAll(async () => {
  site = await FixtureServer.open({
    '/': '<title>home</title><button onclick="document.title=\'clicked\'">go</button><script>document.cookie="a=1"</script>',
    '/worker': '<title>worker</title><script>new Worker("/worker.js")</script><iframe src="/"></iframe>',
    '/worker.js': (_request, response) => {
      response.setHeader('content-type', 'text/javascript');
      response.end('console.log("from the worker")');
    },
    '/loud': '<title>loud</title><script>for(let i=0;i<200;i++)console.log("x".repeat(1000))</script>',
  });
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
});

async function launched(frameControl = true): Promise<Browser & AsyncDisposable> {
  const environment = browserEnvironment(process.env, process.platform, homedir());
  const found = await findBrowser({ asked: null, environment }, signal);
  const options = { proxyUrl: null, frameControl, extraFlags: [], sandbox: 'auto', log: silentLog } as const;
  const browser = await launchBrowser(found, options, signal);
  return Object.assign(browser, { [Symbol.asyncDispose]: () => browser.close() });
}

/** Loads a page over our own session. */
async function load(page: BrowserPage, path: string): Promise<void> {
  const loaded = new Promise<void>((resolve) => void page.session.once('Page.loadEventFired', () => resolve()));
  await page.session.send('Page.enable');
  await page.session.send('Page.navigate', { url: site.url(path) });
  await loaded;
}

async function titleOf({ session }: BrowserPage): Promise<unknown> {
  const { result } = await session.send('Runtime.evaluate', { expression: 'document.title', returnByValue: true });
  return result.value;
}

async function cookieOf(page: BrowserPage): Promise<unknown> {
  const expression = 'document.cookie';
  return (await page.session.send('Runtime.evaluate', { expression, returnByValue: true })).result.value;
}

test('the version is pinned, for the transport is a young part of the interface', async () => {
  const { dependencies } = JSON.parse(await readFile('package.json', 'utf8'));
  const installed = JSON.parse(await readFile('node_modules/playwright-core/package.json', 'utf8'));
  expect(dependencies['playwright-core']).toBe(installed.version);
});

test("the contexts of a browser are Playwright's, and end with it", async () => {
  await using browser = await launched();
  const before = browser.playwright?.contexts ?? Number.NaN;
  const contexts = await Promise.all([1, 2, 3].map(() => browser.openContext(MANNER)));
  expect(browser.playwright?.contexts).toBe(before + 3);
  await Promise.all(contexts.map((context) => context.close()));
  expect(browser.playwright?.contexts).toBe(before);
});

test('pages of a context share its storage, those of another do not', async () => {
  await using browser = await launched(false);
  const [one, other] = await Promise.all([browser.openContext(MANNER), browser.openContext(MANNER)]);
  const [first, second, apart] = await Promise.all([one.openPage(), one.openPage(), other.openPage()]);
  await load(first, '/');
  await load(second, '/loud');
  await load(apart, '/loud');
  expect([await cookieOf(second), await cookieOf(apart)]).toEqual(['a=1', '']);
});

test('a page that is closed leaves the context to the others', async () => {
  await using browser = await launched(false);
  const context = await browser.openContext(MANNER);
  const [first, second] = await Promise.all([context.openPage(), context.openPage()]);
  const ended = new Promise((resolve) => first.listen(listenerOf(resolve)));
  await first.close();
  expect(await ended).toBe('closed');
  await load(second, '/');
  expect(await titleOf(second)).toBe('home');
});

test('no message reaches Playwright while pages are visited', async () => {
  await using browser = await launched(false);
  const page = await (await browser.openContext(MANNER)).openPage();
  const before = browser.playwright?.messages;
  for (const path of ['/', '/worker', '/loud']) await load(page, path);
  expect(await titleOf(page)).toBe('loud');
  expect(browser.playwright?.messages).toBe(before);
});

describe.each([true, false])('with frames on demand: %s', (frameControl) => {
  test('a page is handed to Playwright, used by it, let go, visited again, and handed over again', async () => {
    await using browser = await launched(frameControl);
    const context = await browser.openContext(MANNER);
    const page = await context.openPage();
    await load(page, '/worker');
    await load(page, '/');
    for (const round of [1, 2]) {
      const adopted = await page.adopt();
      expect(await adopted.page.title()).toBe('home');
      expect(adopted.page.url()).toBe(site.url('/'));
      await adopted.page.evaluate(`document.title += ' round ${round}'`);
      await adopted.letGo();
      expect(adopted.page.isClosed()).toBe(true);
      expect(await titleOf(page)).toBe(`home round ${round}`);
      await load(page, '/worker');
      await load(page, '/');
    }
  });

  test('two pages of a context are handed over at once', async () => {
    await using browser = await launched(frameControl);
    const context = await browser.openContext(MANNER);
    const pages = await Promise.all([context.openPage(), context.openPage()]);
    await Promise.all([load(pages[0], '/'), load(pages[1], '/loud')]);
    const adopted = await Promise.all(pages.map((page) => page.adopt()));
    expect(await Promise.all(adopted.map(({ page }) => page.title()))).toEqual(['home', 'loud']);
    await Promise.all(adopted.map(({ letGo }) => letGo()));
  });
});

test("Playwright's own new page works beside ours", async () => {
  await using browser = await launched(false);
  const context: BrowserContext = await browser.openContext(MANNER);
  const page = await context.openPage();
  await load(page, '/');
  const adopted = await page.adopt();
  const own = await adopted.page.context().newPage();
  await own.goto(site.url('/loud'));
  expect(await own.title()).toBe('loud');
  await own.close();
  await adopted.letGo();
});

test('a browser that Playwright has lost is ended, for its contexts have', async () => {
  await using browser = await launched(false);
  const page = await (await browser.openContext(MANNER)).openPage();
  const adopted = await page.adopt();
  await adopted.page.context().browser()?.close();
  await until(() => browser.gone.aborted, 'the end of the browser');
});

function listenerOf(ended: (how: string) => void): Parameters<BrowserPage['listen']>[0] {
  return { workerStarted: () => {}, workerEnded: () => {}, frameStarted: () => {}, ended };
}
