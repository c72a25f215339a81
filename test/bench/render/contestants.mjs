// The crawlers of the benchmark: how to start each on a site, and how to read the links it has found.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { startMeasured } from './meter.mjs';

const PEER = fileURLToPath(new URL('../peer/crawlee.mjs', import.meta.url));

/** A run that takes longer counts as hung and is ended with all its processes. */
const TIMEOUT = 240_000;

/**
 * This program, started as a user does.
 * @param flags of `crawl`, besides seeds and output folder
 */
export function orbweaver(name, { program, browser, flags }) {
  return {
    name,
    prepare: ({ seed, urls }, scratch) => {
      const folder = join(scratch, 'crawl');
      const list = join(scratch, 'urls.txt');
      if (urls !== undefined) writeFileSync(list, `${urls.join('\n')}\n`);
      const seeds = urls === undefined ? [seed] : ['--url-list', list, '--depth', '0'];
      const args = [program, 'crawl', ...seeds, '--output', folder, '--no-progress', '--quiet', ...flags];
      return {
        args,
        environment: browser === null ? {} : { ORBWEAVER_BROWSER: browser },
        result: () => crawlFolder(folder),
      };
    },
  };
}

const lines = (file) =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
    : [];

function crawlFolder(folder) {
  const found = new Map();
  const failures = [];
  const reasons = {};
  for (const page of lines(join(folder, 'pages.jsonl'))) {
    found.set(page.url, new Set());
    if (page.outcome !== 'captured') failures.push(`${page.url}: ${page.outcome} ${page.detail ?? ''}`);
    const reason = page.settle?.reason ?? 'none';
    reasons[reason] = (reasons[reason] ?? 0) + 1;
  }
  const anchors = new Map();
  for (const link of lines(join(folder, 'links.jsonl'))) {
    if (link.confidence !== 'low') found.get(link.from)?.add(link.to);
    if (link.kind === 'anchor') anchors.set(link.from, (anchors.get(link.from) ?? new Set()).add(link.to));
  }
  return { found, anchors, failures, reasons };
}

/** One of Crawlee's crawlers (peer/crawlee.mjs) on the given browser, with `workers` pages at a time. */
export function crawlee(name, { crawler = 'playwright', executable, workers, libraries }) {
  return {
    name,
    prepare: ({ seed, urls }, scratch) => {
      const result = join(scratch, 'result.json');
      const job = {
        crawler,
        urls: urls ?? [seed],
        follow: urls === undefined,
        workers,
        executable,
        storage: join(scratch, 'storage'),
        result,
      };
      return {
        args: [PEER, JSON.stringify(job)],
        // Crawlee looks at the size of the machine to find its own; it is told that it may use most of it.
        environment: {
          CRAWLEE_AVAILABLE_MEMORY_RATIO: '0.8',
          ...(libraries === null ? {} : { LD_LIBRARY_PATH: libraries }),
        },
        result: () => {
          if (!existsSync(result)) return { found: new Map(), failures: ['it wrote no result'], reasons: {} };
          const { found, failures, rendered } = JSON.parse(readFileSync(result, 'utf8'));
          return {
            anchors: null,
            found: new Map(Object.entries(found).map(([url, to]) => [url, new Set(to)])),
            failures,
            reasons: rendered === null ? {} : { rendered },
          };
        },
      };
    },
  };
}

/**
 * One run, from start to exit.
 * @param site { prefix, seed or urls, expected: Map from URL to Set of URLs or null, pages, warm }
 * @param server its `watch` counts the pages that are asked for, and reports at each of the counts `marks`
 */
export async function measure(contestant, site, server) {
  const scratch = mkdtempSync(join(tmpdir(), 'orbweaver-bench-'));
  try {
    const { args, environment, result } = contestant.prepare(site, scratch);
    const readings = new Map();
    let run = null;
    // A mark arrives a moment after the request for the page; the delay is the same for all.
    await server.watch({ prefix: site.prefix, paths: site.paths, marks: [site.warm, site.pages] }, (pages) =>
      readings.set(pages, run.reading()),
    );
    run = startMeasured(args, { timeout: TIMEOUT, environment });
    const started = performance.now();
    const end = await run.ended;
    const wall = (performance.now() - started) / 1000;
    const { found, anchors, failures, reasons } = result();
    return {
      contestant: contestant.name,
      ...figures(site, readings, end),
      ...(site.expected === null ? { anchors: onSite(site, anchors ?? found) } : coverage(site, found)),
      wall,
      failures: failures.slice(0, 5),
      failed: failures.length,
      reasons,
      exit: end.code,
      complaints: end.code === 0 ? '' : end.complaints.slice(-500),
    };
  } finally {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Figures per page, between the request for the page after the warm-up and the request for the last page. */
function figures(site, readings, { whole, peak, load }) {
  const [from, to] = [readings.get(site.warm), readings.get(site.pages)];
  const each = (key) => (from && to ? ((to[key] - from[key]) * 1000) / (site.pages - site.warm) : Number.NaN);
  return {
    cpu: each('total'),
    node: each('node'),
    redis: each('redis'),
    pagesPerSecond: from && to ? ((site.pages - site.warm) * 1000) / (to.at - from.at) : Number.NaN,
    /** CPU of the whole run divided by its pages: includes start, warm-up and end. */
    wholeCpu: whole === null ? Number.NaN : (whole * 1000) / site.pages,
    peakMb: peak.pss / 1024,
    load,
  };
}

/** Links to other pages of the same site, without fragments, as texts `page -> target` of paths: ports change with each run. */
function onSite({ urls }, found) {
  const { origin } = new URL(urls[0]);
  const path = (url) => {
    const { pathname, search } = new URL(url);
    return `${pathname}${search}`;
  };
  const links = new Set();
  for (const [from, targets] of found)
    for (const to of targets)
      if (to.startsWith(`${origin}/`) && path(to) !== path(from)) links.add(`${path(from)} -> ${path(to)}`);
  return links;
}

function coverage({ expected }, found) {
  let of = 0;
  let got = 0;
  const missed = [];
  for (const [url, links] of expected) {
    of += links.size;
    for (const link of links) {
      if (found.get(url)?.has(link)) got += 1;
      else if (missed.length < 5) missed.push(`${url} -> ${link}`);
    }
  }
  return { found: got, expected: of, missed };
}
