// What does a rendered page cost in a whole crawl, and which of its links are found? This program against Crawlee on the
// same pages, the same machine, in turns. README.md beside it says what is measured and how. Linux only.
// Usage: node test/bench/render.mjs [--families a,b,…] [--pages <n>] [--peer-pages <n>] [--warm <n>] [--rounds <n>]
//          [--peer-rounds <n>] [--only <crawlers>] [--peer-workers <n>] [--browser <path>] [--peer-browser <path>]
//          [--peer-libraries <folders>] [--auto all] [--build <dist>] [--json <file>] [--drift <pages>]
import { execFileSync, fork } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { crawlee, measure, orbweaver } from './render/contestants.mjs';
import { drift } from './render/drift.mjs';
import { FAMILIES, expectedLinks } from './render/families.mjs';
import { cpuFrom } from './render/meter.mjs';
import { table } from './render/statistics.mjs';

const { values: options } = parseArgs({
  options: {
    families: { type: 'string', default: FAMILIES.join(',') },
    pages: { type: 'string', default: '240' },
    'peer-pages': { type: 'string', default: '72' },
    warm: { type: 'string', default: '24' },
    rounds: { type: 'string', default: '3' },
    'peer-rounds': { type: 'string', default: '2' },
    only: { type: 'string' },
    'peer-workers': { type: 'string', default: '4' },
    browser: { type: 'string' },
    'peer-browser': { type: 'string' },
    'peer-libraries': { type: 'string' },
    auto: { type: 'string', default: 'a' },
    build: { type: 'string', default: 'dist' },
    json: { type: 'string' },
    drift: { type: 'string' },
  },
});
const whole = (name) => {
  const value = Number(options[name]);
  if (!Number.isSafeInteger(value) || value < 0)
    throw new Error(`--${name} wants a whole number, not ${options[name]}`);
  return value;
};

/** The peer, and what pages are made of, in a folder of their own: never dependencies of the program. */
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

async function startSite() {
  const child = fork(fileURLToPath(new URL('render/site.mjs', import.meta.url)), {
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
    watch: async (prefix, marks, tell) => {
      onMark = tell;
      const watching = next('watching');
      child.send({ prefix, marks });
      await watching;
    },
    close: () => child.disconnect(),
  };
}

/** A family's site of so many pages, with what is to be found on each. */
function siteOf(family, pages, { origin }) {
  const site = { family, size: pages };
  const prefix = `/${family}/${pages}/p/`;
  const expected = new Map(
    Array.from({ length: pages }, (_, page) => [
      `${origin}${prefix}${page}`,
      new Set([...expectedLinks(site, page)].map((path) => `${origin}${path}`)),
    ]),
  );
  return { prefix, seed: `${origin}/${family}/${pages}/`, expected, pages, warm: Math.min(whole('warm'), pages >> 1) };
}

/** What is to be reached against the peer on the same browser (the ratio as CPU of the peer by CPU of ours). */
const TARGETS = {
  a: '1/5',
  'a auto': '1/40, 5 ms',
  b: '1/3.5',
  c: '1/6',
  d: '1/4, no slower',
  e: '1/2.5',
  'e blocked': '1/6',
  f: '1/3',
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
const peer = (name, executable, libraries) => ({
  ...crawlee(name, { executable, workers, libraries }),
  pages: whole('peer-pages'),
  rounds: whole('peer-rounds'),
});

/** Who crawls a family, in the order of their turns. */
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
    all.push({ row: `${family} auto`, ...ours('Orbweaver, --render auto', ['--render', 'auto']) });
  if (chromium !== null)
    all.push({ row: family, ...peer('Crawlee, defaults', chromium, options['peer-libraries'] ?? null) });
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
  server.close();
  const machine = {
    cores: cpus().length,
    model: cpus()[0]?.model,
    memoryMb: Math.round(totalmem() / 1024 ** 2),
    node: process.version,
  };
  process.stdout.write(
    `\n${table(runs, SAME)}\n\nCPU from: ${cpuFrom()}. ${JSON.stringify(machine)}, browser ${shell}, default browser ${chromium ?? 'none'}, ` +
      `${Math.round((performance.now() - started) / 1000)} s, load average at the end ${loadavg()[0].toFixed(1)}\n`,
  );
  if (options.json !== undefined) writeFileSync(options.json, JSON.stringify({ options, machine, runs }, undefined, 1));
}

function report(run) {
  const n = (value) => (Number.isFinite(value) ? value.toFixed(1) : '–');
  process.stderr.write(
    `${run.round} ${run.family} ${run.contestant}: ${n(run.cpu)} ms CPU/page (node ${n(run.node)}, Redis ${n(run.redis)}; whole run ${n(run.wholeCpu)}), ` +
      `${n(run.pagesPerSecond)} pages/s, links ${run.found}/${run.expected}, ${n(run.peakMb)} MB, load ${run.load.toFixed(1)}, ` +
      `${run.wall.toFixed(1)} s, exit ${run.exit} ${JSON.stringify(run.reasons)}${run.failed > 0 ? ` ${run.failed} failed: ${run.failures[0]}` : ''}${run.complaints}\n`,
  );
  if (run.missed.length > 0) process.stderr.write(`  missed: ${run.missed.slice(0, 2).join(', ')}\n`);
}
