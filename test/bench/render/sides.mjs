// Compares ways of rendering in one process, in turns over the pages of one family: builds, or owners of the contexts. Renders through
// egress, without a crawl. If the machine's speed changes within the hour, only runs side by side are comparable.
import { loadavg } from 'node:os';

import { moduleOf, openBenchRenderer, visitMaker } from '../bench-renderer.mjs';
import { cpuBelow } from '../process-tree.mjs';
import { expectedLinks } from './families.mjs';

const SIZE = 1000;
const never = new AbortController().signal;

/** @param name folder of a build, optionally with @own, @riding (the default) or @adopted: see ab.mjs */
async function openSide(name, { origin, workers }) {
  const [build, contexts = 'riding'] = name.split('@');
  const { openEgress } = await moduleOf(build, 'src/egress/open-egress.js');
  const { silentLog } = await moduleOf(build, 'src/base/log.js');
  const grants = [{ cidr: '127.0.0.1', port: Number(new URL(origin).port) }];
  const limits = { connectTimeout: 5000, resolveTimeout: 5000 };
  const egress = await openEgress({ grants, closedPorts: [], ...limits }, { log: silentLog });
  const renderer = await openBenchRenderer(build, {
    settings: { workers },
    launch: { contexts: contexts === 'own' ? 'own' : 'playwright' },
    egress,
    wrap: contexts === 'adopted' ? adopting : undefined,
  });
  const close = async () => {
    await renderer[Symbol.asyncDispose]();
    await egress[Symbol.asyncDispose]();
  };
  return {
    name,
    renderer,
    visit: await visitMaker(build),
    close,
    page: 0,
    runs: [],
    latencies: [],
    found: 0,
    expected: 0,
  };
}

/** Attaches Playwright to each page from its beginning, for good. */
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

/** Renders `batch` pages of a family and records their cost. */
async function measureBatch(side, family, { origin, batch, workers }) {
  const site = { family, size: SIZE };
  const before = {
    browser: cpuBelow(side.renderer.stats().browserPid),
    node: process.cpuUsage(),
    at: performance.now(),
  };
  const end = side.page + batch;
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
  await Promise.all(Array.from({ length: workers }, worker));
  const node = process.cpuUsage(before.node);
  side.runs.push({
    browser: (cpuBelow(side.renderer.stats().browserPid) - before.browser) / batch,
    node: (node.user + node.system) / 1000 / batch,
    wall: (performance.now() - before.at) / batch,
  });
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

/**
 * @param how origin of the site of the families; family; batch: pages of a turn; rounds; workers
 * @returns milliseconds of CPU a page and the other figures of each side, as medians of its turns without the first, which warms up
 */
export async function compareSides(names, { family, rounds, ...how }) {
  const sides = [];
  for (const name of names) sides.push(await openSide(name, how));
  for (let round = 0; round <= rounds; round++) for (const side of sides) await measureBatch(side, family, how);
  const results = [];
  for (const side of sides) {
    const first = side.runs.shift();
    const of = (key) => median(side.runs.map((run) => run[key]));
    results.push({
      name: side.name,
      cpu: median(side.runs.map((run) => run.browser + run.node)),
      browser: of('browser'),
      node: of('node'),
      pagesPerSecond: 1000 / of('wall'),
      latency: median(side.latencies),
      firstPagesPerSecond: 1000 / first.wall,
      found: side.found,
      expected: side.expected,
      load: loadavg()[0],
    });
    await side.close();
  }
  return results;
}
