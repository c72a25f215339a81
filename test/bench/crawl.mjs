// Measures what a whole crawl finds and costs, started as a user does: runs the built program on a folder or URL, compares the
// pages with a list of the existing ones, and adds up CPU time and memory of node, browser and Redis. Linux only.
// Usage: node test/bench/crawl.mjs <folder|url> [--expect <file with one path a line>] [--runs <n>] [--build <dist>]
//                                  [--keep <new folder>] [-- flags of crawl]
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { reapedSeconds, watchTree } from './process-tree.mjs';

/** Five samples a second: CPU that a process uses after its last sample is missed, at most 0.2 s of it. */
const SAMPLE_EVERY = 200;
/** The most missing and invented pages that are printed. */
const SHOWN = 20;

const split = process.argv.indexOf('--');
const own = split === -1 ? process.argv.slice(2) : process.argv.slice(2, split);
const crawlFlags = split === -1 ? [] : process.argv.slice(split + 1);
const { values: options, positionals } = parseArgs({
  args: own,
  allowPositionals: true,
  options: {
    expect: { type: 'string' },
    runs: { type: 'string', default: '1' },
    build: { type: 'string', default: 'dist' },
    keep: { type: 'string' },
  },
});
const [site] = positionals;
const program = resolve(options.build, 'src/cli/main.js');
if (site === undefined || positionals.length > 1 || !existsSync(program)) {
  process.stderr.write(
    'Usage: node test/bench/crawl.mjs <folder|url> [--expect <file>] [--runs <n>] [--build <dist>] [--keep <folder>] [-- flags]\n' +
      `The program is expected at ${program}; build it with: node scripts/build.mjs\n`,
  );
  process.exit(2);
}

const records = (file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
const round = (number, digits) => Number(number.toFixed(digits));
const countBy = (list, key) => {
  const counts = {};
  for (const one of list) counts[key(one)] = (counts[key(one)] ?? 0) + 1;
  return counts;
};

/** Path, query and fragment of a URL: the port is another one each time. */
function pathOf(url) {
  const { pathname, search, hash } = new URL(url);
  return `${pathname}${search}${hash}`;
}

/** Runs the program from start to exit under watch. */
async function runProgram(args) {
  const reapedBefore = reapedSeconds();
  const started = performance.now();
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  const tree = watchTree(child.pid);
  const timer = setInterval(() => tree.sample(), SAMPLE_EVERY);
  const code = await new Promise((done) => child.once('exit', (status, signal) => done(status ?? signal)));
  clearInterval(timer);
  const { seconds, peak } = tree.result();
  const sampled = Object.values(seconds).reduce((sum, one) => sum + one, 0);
  const reaped = reapedSeconds() - reapedBefore;
  return { code, wall: (performance.now() - started) / 1000, seconds, peak, sampled, reaped };
}

/** Compares the captured pages with the existing ones. */
function compare(pages) {
  const captured = pages.filter((page) => page.outcome === 'captured').map((page) => pathOf(page.url));
  const found = new Set(captured);
  const result = { captured: captured.length, twice: captured.length - found.size };
  if (options.expect === undefined) return result;
  const lines = readFileSync(options.expect, 'utf8').split('\n');
  const expected = new Set(lines.map((line) => line.trim()).filter((line) => line.startsWith('/')));
  return {
    ...result,
    expected: expected.size,
    missing: [...expected].filter((path) => !found.has(path)),
    invented: [...found].filter((path) => !expected.has(path)),
  };
}

async function measure(run) {
  const scratch = mkdtempSync(join(tmpdir(), 'orbweaver-bench-'));
  const folder = options.keep === undefined ? join(scratch, 'crawl') : `${options.keep}${run === 1 ? '' : `-${run}`}`;
  try {
    const before = loadavg();
    const ran = await runProgram(['crawl', site, '-o', folder, '--no-progress', '--quiet', ...crawlFlags]);
    const after = loadavg();
    if (!existsSync(join(folder, 'crawl.json')))
      throw new Error(`the program wrote no crawl; it ended with ${ran.code}`);
    const crawl = JSON.parse(readFileSync(join(folder, 'crawl.json'), 'utf8'));
    const pages = records(join(folder, 'pages.jsonl'));
    return {
      exit: ran.code,
      crawl,
      pages: compare(pages),
      visits: pages.length,
      outcomes: countBy(pages, (p) => p.outcome),
      ran,
      before,
      after,
    };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The figures of one run, for the table and the JSON line. */
function figures({ exit, crawl, pages, visits, outcomes, ran, before, after }) {
  const each = (seconds) => round(seconds / Math.max(1, visits), 4);
  const crawled = (Date.parse(crawl.finished) - Date.parse(crawl.started)) / 1000;
  // Both sums can only be too small: samples miss the last moments of a process; the kernel's sum misses processes that were killed
  // together with their parent, because no process of ours waited for them (renderers of a browser).
  const total = Math.max(ran.sampled, ran.reaped);
  const mb = (kb) => Math.round(kb / 1024);
  return {
    exit,
    state: crawl.state,
    visits,
    outcomes,
    ...pages,
    totals: crawl.totals,
    wall: round(ran.wall, 2),
    crawled: round(crawled, 2),
    pagesPerSecond: round(visits / ran.wall, 2),
    cpu: {
      total: round(total, 2),
      sampled: round(ran.sampled, 2),
      reaped: round(ran.reaped, 2),
      cores: round(total / ran.wall, 2),
    },
    cpuPerPage: {
      total: each(total),
      node: each(ran.seconds.node),
      browser: each(ran.seconds.browser),
      redis: each(ran.seconds.redis),
      rest: each(total - ran.sampled + ran.seconds.other),
    },
    peakMb: {
      pss: mb(ran.peak.pss),
      ...Object.fromEntries(Object.entries(ran.peak.pssByGroup).map(([group, kb]) => [group, mb(kb)])),
      rss: mb(ran.peak.rss),
    },
    processes: ran.peak.processes,
    load: { before: before.map((one) => round(one, 2)), after: after.map((one) => round(one, 2)) },
  };
}

function rowsOf(one) {
  const cpu = one.cpuPerPage;
  const totals = one.totals;
  const rows = [
    ['ended', `${one.state}, exit code ${one.exit}`],
    [
      'pages',
      one.expected === undefined
        ? `${one.captured} captured`
        : `${one.captured} captured, ${one.expected} expected, ${one.missing.length} missing, ${one.invented.length} invented`,
    ],
    [
      'visits',
      `${one.visits}: ${Object.entries(one.outcomes)
        .map(([name, count]) => `${count} ${name}`)
        .join(', ')}; ${one.twice} captured twice`,
    ],
    [
      'totals',
      `${totals.discovered} discovered = ${totals.visited} visited + ${totals.failed} failed + ${totals.skipped} skipped + ${totals.queued} queued`,
    ],
    ['wall', `${one.wall} s from start to exit, ${one.crawled} s of them crawling: ${one.pagesPerSecond} pages/s`],
    [
      'CPU',
      `${one.cpu.sampled} s by samples, ${one.cpu.reaped} s of waited-for children by the kernel; ${one.cpu.cores} cores busy`,
    ],
    ['CPU per page', `${cpu.total} s: node ${cpu.node}, browser ${cpu.browser}, Redis ${cpu.redis}, rest ${cpu.rest}`],
    [
      'peak memory',
      `${one.peakMb.pss} MB PSS (node ${one.peakMb.node ?? 0}, browser ${one.peakMb.browser ?? 0}, Redis ${one.peakMb.redis ?? 0}), ${one.peakMb.rss} MB RSS; ${one.processes} processes`,
    ],
    ['load average', `${one.load.before.join(' ')} before, ${one.load.after.join(' ')} after`],
  ];
  for (const kind of ['missing', 'invented']) {
    const paths = one[kind] ?? [];
    for (const path of paths.slice(0, SHOWN)) rows.push([kind, path]);
    if (paths.length > SHOWN) rows.push([kind, `… and ${paths.length - SHOWN} more`]);
  }
  return rows;
}

function print(title, rows) {
  const width = Math.max(...rows.map(([name]) => name.length));
  process.stdout.write(`\n${title}\n${rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}\n`).join('')}`);
}

const runs = [];
let versions;
for (let run = 1; run <= Number(options.runs); run++) {
  const measured = await measure(run);
  versions = measured.crawl.versions;
  runs.push(figures(measured));
  print(`run ${run} of ${options.runs}: ${site}`, rowsOf(runs.at(-1)));
}
const spread = (pick) => {
  const sorted = runs.map(pick).toSorted((a, b) => a - b);
  return { min: sorted[0], median: sorted[Math.floor((sorted.length - 1) / 2)], max: sorted.at(-1) };
};
const summary = {
  pagesPerSecond: spread((one) => one.pagesPerSecond),
  cpuPerPage: spread((one) => one.cpuPerPage.total),
  peakPssMb: spread((one) => one.peakMb.pss),
};
const machine = {
  cores: cpus().length,
  model: cpus()[0]?.model,
  memoryMb: Math.round(totalmem() / 1024 ** 2),
  ...versions,
};
const line = ({ min, median, max }) => `${median} median, ${min} to ${max}`;
print('all runs', [
  ['pages/s', line(summary.pagesPerSecond)],
  ['CPU s per page', line(summary.cpuPerPage)],
  ['peak PSS, MB', line(summary.peakPssMb)],
  [
    'machine',
    Object.entries(machine)
      .map(([name, value]) => `${name} ${value}`)
      .join(', '),
  ],
]);
// CPU that this script itself has used; none of the figures above includes it.
const { user, system } = process.cpuUsage();
const benchCpu = round((user + system) / 1e6, 2);
const shortened = runs.map((one) => ({
  ...one,
  missing: one.missing?.slice(0, SHOWN),
  invented: one.invented?.slice(0, SHOWN),
  missingCount: one.missing?.length,
  inventedCount: one.invented?.length,
}));
process.stdout.write(
  `\n${JSON.stringify({ site, crawlFlags, date: new Date().toISOString(), machine, benchCpu, summary, runs: shortened })}\n`,
);
