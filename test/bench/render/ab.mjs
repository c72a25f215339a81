// Two builds of the renderer in one process, in turns over the pages of one family: what has a change brought? On a machine
// whose speed changes within the hour only runs side by side can be compared. The renderer alone, through egress, no crawl.
// Usage: node test/bench/render/ab.mjs <dist>[@own|@riding|@adopted] <other dist>… [--families d] [--batch 40] [--rounds 4] [--workers 2]
// @own: contexts are made without Playwright; @riding, the default: by Playwright; @adopted: it has each page all the time as well.
import { fork } from 'node:child_process';
import { homedir, loadavg } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import { cpuBelow } from '../process-tree.mjs';
import { expectedLinks } from './families.mjs';

const { values: options, positionals: builds } = parseArgs({
  options: {
    families: { type: 'string', default: 'd' },
    batch: { type: 'string', default: '40' },
    rounds: { type: 'string', default: '4' },
    workers: { type: 'string', default: '2' },
  },
  allowPositionals: true,
});
const BATCH = Number(options.batch);
const WORKERS = Number(options.workers);
const SIZE = 1000;
const never = new AbortController().signal;

async function open(side, origin) {
  const [build, contexts = 'riding'] = side.split('@');
  const load = (path) => import(pathToFileURL(resolve(build, path)).href);
  const { openRenderer, RENDER_FLAGS } = await load('src/render/open-renderer.js');
  const { openEgress } = await load('src/egress/open-egress.js');
  const { canonicalUrl } = await load('src/model/url/canonical-url.js');
  const { hostKeyOf } = await load('src/model/url/host-key.js');
  const { systemClock } = await load('src/base/clock.js');
  const { silentLog } = await load('src/base/log.js');
  const { findBrowser, browserEnvironment } = await load('browsers/launch/find-browser.js');
  const { launchBrowser } = await load('browsers/launch/launch-browser.js');
  const grants = [{ cidr: '127.0.0.1', port: Number(new URL(origin).port) }];
  const limits = { connectTimeout: 5000, resolveTimeout: 5000 };
  const egress = await openEgress({ grants, closedPorts: [], ...limits }, { log: silentLog });
  const asked = { asked: null, environment: browserEnvironment(process.env, process.platform, homedir()) };
  const found = await findBrowser(asked, never);
  const { proxyUrl, proxyCredential } = egress;
  const launch = {
    proxyUrl,
    proxyCredential,
    frameControl: true,
    extraFlags: RENDER_FLAGS,
    sandbox: 'auto',
    contexts: contexts === 'own' ? 'own' : 'playwright',
    log: silentLog,
  };
  const start = async (stop) => {
    const browser = await launchBrowser(found, launch, stop);
    return contexts === 'adopted' ? adopting(browser) : browser;
  };
  const renderer = await openRenderer(
    {
      workers: WORKERS,
      userAgent: 'OrbweaverBench/1.0',
      viewport: { width: 1280, height: 800 },
      settle: { kind: 'auto' },
      settleTimeout: 15_000,
      pageTimeout: 60_000,
      waitFor: null,
      explore: 'scroll',
      block: [],
      selectLinks: [],
      screenshot: 'none',
      extraHeaders: [],
    },
    { launch: start, egress, clock: systemClock, log: silentLog },
  );
  const visit = (text) => {
    const url = canonicalUrl(text);
    const fixed = {
      depth: 0,
      redirects: 0,
      hops: 0,
      referrer: null,
      kind: 'seed',
      confidence: 'high',
      attempt: 1,
      token: 1,
    };
    return { url, host: hostKeyOf(url), ...fixed, leasedAt: Date.now(), leasedUntil: Date.now() + 60_000 };
  };
  const close = async () => {
    await renderer[Symbol.asyncDispose]();
    await egress[Symbol.asyncDispose]();
  };
  return { build: side, renderer, visit, close, page: 0, runs: [], latencies: [], found: 0, expected: 0 };
}

/** Playwright is attached to each page from its beginning, and stays. */
function adopting(browser) {
  const openContext = browser.openContext.bind(browser);
  browser.openContext = async (manner) => {
    const context = await openContext(manner);
    const openPage = async () => {
      const page = await context.openPage();
      await page.adopt();
      return page;
    };
    return { openPage, close: () => context.close() };
  };
  return browser;
}

/** So many pages of a family; what they cost. */
async function batch(side, family, origin) {
  const site = { family, size: SIZE };
  const before = {
    browser: cpuBelow(side.renderer.stats().browserPid),
    node: process.cpuUsage(),
    at: performance.now(),
  };
  const end = side.page + BATCH;
  const worker = async () => {
    while (side.page < end) {
      const page = side.page++ % SIZE;
      const started = performance.now();
      const outcome = await side.renderer.render(side.visit(`${origin}/${family}/${SIZE}/p/${page}`), never);
      side.latencies.push(performance.now() - started);
      if (outcome.kind !== 'captured') throw new Error(JSON.stringify(outcome).slice(0, 300));
      const links = new Set(outcome.page.foundLinks.map(({ href }) => href));
      const expected = expectedLinks(site, page);
      side.expected += expected.size;
      for (const link of expected) if (links.has(link)) side.found += 1;
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));
  const node = process.cpuUsage(before.node);
  side.runs.push({
    browser: (cpuBelow(side.renderer.stats().browserPid) - before.browser) / BATCH,
    node: (node.user + node.system) / 1000 / BATCH,
    wall: (performance.now() - before.at) / BATCH,
  });
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

const server = fork(fileURLToPath(new URL('site.mjs', import.meta.url)), {
  stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
});
const { origin } = await new Promise((done) => server.once('message', done));
for (const family of options.families.split(',')) {
  const sides = [];
  for (const build of builds) sides.push(await open(build, origin));
  // the first batch of each is its warming up
  for (let round = 0; round <= Number(options.rounds); round++)
    for (const side of sides) await batch(side, family, origin);
  for (const side of sides) {
    const first = side.runs.shift();
    const of = (key) => median(side.runs.map((run) => run[key]));
    const cpu = median(side.runs.map((run) => run.browser + run.node));
    console.log(
      `${family} ${side.build}: ${cpu.toFixed(0)} ms CPU a page (browser ${of('browser').toFixed(0)}, node ${of('node').toFixed(0)}), ` +
        `${(1000 / of('wall')).toFixed(1)} pages/s, median visit ${median(side.latencies).toFixed(0)} ms, ` +
        `first batch ${(1000 / first.wall).toFixed(1)} pages/s, links ${side.found}/${side.expected}, load ${loadavg()[0].toFixed(1)}`,
    );
    await side.close();
  }
}
server.disconnect();
