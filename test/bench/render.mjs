// Measures the cost of a rendered page in a whole crawl, and how many of its links are found. Compares this program with Crawlee on the
// same pages and machine, in turns. README.md beside it describes the figures. Linux only.
// Usage: node test/bench/render.mjs [--families a,b,…] [--pages <n>] [--peer-pages <n>] [--warm <n>] [--rounds <n>]
//          [--peer-rounds <n>] [--default-rounds <n>] [--only <crawlers>] [--peer-workers <n>] [--browser <path>] [--peer-browser <path>]
//          [--peer-libraries <folders>] [--auto all] [--build <dist>] [--json <file>] [--drift <pages>]
//          [--auto-pages <n>] [--site <name>=<folder>=<list of pages>] [--contexts <families>]
import { execFileSync, fork } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { crawlee, measure, orbweaver } from './render/contestants.mjs';
import { drift } from './render/drift.mjs';
import { FAMILIES, expectedLinks } from './render/families.mjs';
import { cpuFrom } from './render/meter.mjs';
import { compareSides } from './render/sides.mjs';
import { pool, table } from './render/statistics.mjs';

const { values: options } = parseArgs({
  options: {
    families: { type: 'string', default: FAMILIES.join(',') },
    pages: { type: 'string', default: '160' },
    'peer-pages': { type: 'string', default: '72' },
    'auto-pages': { type: 'string', default: '1200' },
    warm: { type: 'string', default: '24' },
    rounds: { type: 'string', default: '3' },
    'peer-rounds': { type: 'string', default: '2' },
    'default-rounds': { type: 'string', default: '1' },
    only: { type: 'string' },
    'peer-workers': { type: 'string', default: '4' },
    browser: { type: 'string' },
    'peer-browser': { type: 'string' },
    'peer-libraries': { type: 'string' },
    auto: { type: 'string', default: 'a,g' },
    build: { type: 'string', default: 'dist' },
    json: { type: 'string' },
    drift: { type: 'string' },
    contexts: { type: 'string', default: 'a,b,c' },
    site: { type: 'string', multiple: true, default: [] },
  },
});
const whole = (name) => {
  const value = Number(options[name]);
  if (!Number.isSafeInteger(value) || value < 0)
    throw new Error(`--${name} wants a whole number, not ${options[name]}`);
  return value;
};

/** Installs the peer and the packages for the pages in a folder of their own: never dependencies of the program. */
function installPeer() {
  const folder = fileURLToPath(new URL('peer', import.meta.url));
  if (existsSync(join(folder, 'node_modules/@crawlee/playwright'))) return;
  process.stderr.write('installing the packages of the benchmark (npm ci in test/bench/peer) …\n');
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1' },
  });
}

function inPath(...names) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path)) ?? null;
}

/** @param folder of a real site; left out, the families are served */
async function startSite(folder) {
  const child = fork(fileURLToPath(new URL('render/site.mjs', import.meta.url)), folder === undefined ? [] : [folder], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  let heard = () => {};
  let failed = () => {};
  child.once('exit', () => failed(new Error('the sites ended')));
  const next = (kind) =>
    new Promise((done, reject) => {
      failed = reject;
      heard = (message) => message.kind === kind && done(message);
    });
  let onMark = () => {};
  child.on('message', (message) => (message.kind === 'mark' ? onMark(message.pages) : heard(message)));
  const { origin } = await next('listening');
  return {
    origin,
    watch: async (what, tell) => {
      onMark = tell;
      const watching = next('watching');
      child.send(what);
      await watching;
    },
    close: () => child.disconnect(),
  };
}

/** The part of a long run that is warm-up, too: V8 needs some hundred pages to compile the code of a crawl. */
const WARM_PART = 0.2;

/** A family's site of that many pages, with the links to find on each. */
function siteOf(family, pages, { origin }) {
  const site = { family, size: pages };
  const prefix = `/${family}/${pages}/p/`;
  const expected = new Map(
    Array.from({ length: pages }, (_, page) => [
      `${origin}${prefix}${page}`,
      new Set([...expectedLinks(site, page)].map((path) => `${origin}${path}`)),
    ]),
  );
  return {
    prefix,
    seed: `${origin}/${family}/${pages}/`,
    expected,
    pages,
    warm: Math.min(Math.max(whole('warm'), Math.round(pages * WARM_PART)), pages >> 1),
  };
}

/**
 * A real site: the list names its pages. No list names their links: the expected links are those that any of the
 * crawlers finds (statistics.mjs, pool).
 */
function realSiteOf(list, { origin }) {
  const urls = readFileSync(list, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('/'))
    .map((path) => `${origin}${path}`);
  return {
    prefix: '/',
    urls,
    expected: null,
    pages: urls.length,
    warm: Math.round(urls.length * WARM_PART),
    paths: urls.map((url) => new URL(url).pathname),
  };
}

/** Goals against the peer on the same browser (a ratio is CPU of ours to CPU of the peer). */
const TARGETS = {
  a: '1/5',
  'a auto': '1/40, 5 ms',
  b: '1/3.5',
  c: '1/6',
  d: '1/4, no slower',
  e: '1/2.5',
  'e blocked': '1/6',
  f: '1/3',
  g: '40 ms',
  'g auto': '10 ms',
};
const SAME = 'Crawlee, same browser';

installPeer();
const program = resolve(options.build, 'src/cli/main.js');
if (!existsSync(program)) throw new Error(`the program is expected at ${program}: node scripts/build.mjs`);
const shell = options.browser ?? inPath('chromium-headless-shell', 'chrome-headless-shell', 'headless_shell');
const chromium = options['peer-browser'] ?? inPath('chromium', 'google-chrome', 'google-chrome-stable');
const workers = whole('peer-workers');
const ours = (name, flags) => ({
  ...orbweaver(name, { program, browser: shell, flags }),
  pages: whole('pages'),
  rounds: whole('rounds'),
});
const peer = (name, executable, libraries, crawler = 'playwright') => ({
  ...crawlee(name, { crawler, executable, workers, libraries }),
  pages: whole('peer-pages'),
  rounds: whole('peer-rounds'),
});

/** The crawlers of a family, in the order of their turns. */
function contestantsFor(family) {
  const all = [
    { row: family, ...ours('Orbweaver', ['--render', 'always']) },
    { row: family, ...peer(SAME, shell, null) },
  ];
  if (family === 'e')
    all.push({
      row: 'e blocked',
      ...ours('Orbweaver, --block', ['--render', 'always', '--block', 'image,font,media']),
    });
  if (options.auto === 'all' || options.auto.split(',').includes(family))
    all.push({
      row: `${family} auto`,
      ...ours('Orbweaver, --render auto', ['--render', 'auto']),
      pages: Math.max(whole('pages'), whole('auto-pages')),
    });
  if (chromium !== null)
    all.push({
      row: family,
      ...peer('Crawlee, defaults', chromium, options['peer-libraries'] ?? null),
      rounds: whole('default-rounds'),
    });
  return options.only === undefined ? all : all.filter(({ name }) => options.only.split(';').includes(name));
}

const server = await startSite();
if (options.drift !== undefined) {
  await drift({ server, siteOf, contestant: ours('Orbweaver', ['--render', 'always']), pages: whole('drift') });
  server.close();
} else {
  const runs = [];
  const started = performance.now();
  for (let round = 1; round <= Math.max(whole('rounds'), whole('peer-rounds')); round++) {
    for (const family of options.families.split(',')) {
      for (const contestant of contestantsFor(family).filter(({ rounds }) => round <= rounds)) {
        const run = await measure(contestant, siteOf(family, contestant.pages, server), server);
        runs.push({
          site: family,
          family: contestant.row,
          round,
          target:
            contestant.name === 'Orbweaver' || contestant.row !== family ? (TARGETS[contestant.row] ?? null) : null,
          ...run,
        });
        report(runs.at(-1));
      }
    }
  }
  const contexts = await measureContexts(server);
  server.close();
  for (const text of options.site) await measureRealSite(text, runs);
  const machine = {
    cores: cpus().length,
    model: cpus()[0]?.model,
    memoryMb: Math.round(totalmem() / 1024 ** 2),
    node: process.version,
  };
  process.stdout.write(
    `\n${table(pool(runs), SAME)}\n${contexts}\nCPU from: ${cpuFrom()}. ${JSON.stringify(machine)}, browser ${shell}, default browser ${chromium ?? 'none'}, ` +
      `${Math.round((performance.now() - started) / 1000)} s, load average at the end ${loadavg()[0].toFixed(1)}\n`,
  );
  if (options.json !== undefined)
    writeFileSync(options.json, JSON.stringify({ options, machine, runs: pool(runs) }, undefined, 1));
}

/** Measures the cost of contexts by their owner: the renderer alone, in this process, in turns. `riding`: Playwright's, as in crawls. */
async function measureContexts({ origin }) {
  const families = options.contexts.split(',').filter((family) => family !== '');
  if (families.length === 0) return '';
  const rows = [];
  for (const family of families) {
    const names = ['own', 'riding', 'adopted'].map((whose) => `${options.build}@${whose}`);
    const how = { origin, family, batch: 40, rounds: Math.max(2, whole('rounds')), workers: 2 };
    const sides = await compareSides(names, how);
    const of = ({ cpu, node, found, expected }) =>
      `${cpu.toFixed(1)} (node ${node.toFixed(1)})${found === expected ? '' : `, links ${found}/${expected}`}`;
    rows.push(`| ${family} | ${sides.map(of).join(' | ')} |`);
    process.stderr.write(`contexts ${rows.at(-1)}\n`);
  }
  return `\n| ms CPU/page | own | riding | adopted |\n|---|---|---|---|\n${rows.join('\n')}\n`;
}

/** @param text `name=folder=list of its pages`, the list with one path a line */
async function measureRealSite(text, runs) {
  const [name, folder, list] = text.split('=');
  if (list === undefined) throw new Error(`--site wants name=folder=list, not ${text}`);
  const server = await startSite(resolve(folder));
  const contestants = [
    ours('Orbweaver', ['--render', 'always']),
    peer(SAME, shell, null),
    ours('Orbweaver, --render auto', ['--render', 'auto']),
    peer('Crawlee, adaptive', shell, null, 'adaptive'),
    peer('Crawlee, Cheerio', shell, null, 'cheerio'),
  ].filter((one) => options.only === undefined || options.only.split(';').includes(one.name));
  for (let round = 1; round <= whole('rounds'); round++) {
    for (const contestant of contestants.filter(({ rounds }) => round <= rounds)) {
      const run = await measure(contestant, realSiteOf(list, server), server);
      runs.push({ site: name, family: name, round, target: null, ...run });
      report(runs.at(-1));
    }
  }
  server.close();
}

function report(run) {
  const n = (value) => (Number.isFinite(value) ? value.toFixed(1) : '–');
  process.stderr.write(
    `${run.round} ${run.family} ${run.contestant}: ${n(run.cpu)} ms CPU/page (node ${n(run.node)}, Redis ${n(run.redis)}; whole run ${n(run.wholeCpu)}), ` +
      `${n(run.pagesPerSecond)} pages/s, links ${run.anchors === undefined ? `${run.found}/${run.expected}` : run.anchors.size}, ${n(run.peakMb)} MB, load ${run.load.toFixed(1)}, ` +
      `${run.wall.toFixed(1)} s, exit ${run.exit} ${JSON.stringify(run.reasons)}${run.failed > 0 ? ` ${run.failed} failed: ${run.failures[0]}` : ''}${run.complaints}\n`,
  );
  if (run.missed?.length > 0) process.stderr.write(`  missed: ${run.missed.slice(0, 2).join(', ')}\n`);
}
