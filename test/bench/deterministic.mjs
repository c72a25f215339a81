// Tests that deterministic crawls of a site do not differ: crawls fixture sites n times each with `--deterministic` and whole-page screenshots,
// and compares every crawl with the first: pages, pixels (the bytes of the PNGs), text, DOM and links.
// Usage: node test/bench/deterministic.mjs [--runs 50] [--sites restless,spa-history] [--without] [--keep] [-- flags of crawl]
// --without: the same without the flag, to show its effect. Exit code 1 if a page, a pixel, a text or a link differs.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { serveSite } from './serve-site.mjs';

const SITES = resolve(import.meta.dirname, '../../fixtures/sites');
const COMMAND = resolve(import.meta.dirname, '../../dist/src/cli/main.js');
const SHOWN = 5;

const split = process.argv.indexOf('--');
const crawlFlags = split === -1 ? [] : process.argv.slice(split + 1);
const { values: options } = parseArgs({
  args: split === -1 ? process.argv.slice(2) : process.argv.slice(2, split),
  options: {
    runs: { type: 'string', default: '50' },
    sites: { type: 'string', default: 'restless,spa-history,spa-hash,infinite-scroll,late-links,iframes,shadow-dom' },
    without: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
});

function flagsOf(site) {
  const file = join(SITES, site, 'expected.json');
  const { options: wanted = {} } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  return Object.entries(wanted)
    .filter(([name]) => name !== 'deterministic')
    .flatMap(([name, value]) =>
      value === true ? [`--${name}`] : [value].flat().flatMap((one) => [`--${name}`, `${one}`]),
    );
}

async function crawl(site, url, folder) {
  const flags = ['--snapshot', 'html,text,screenshot', '--full-page', '--delay', '0', '--quiet', ...flagsOf(site)];
  const fixed = options.without ? [] : ['--deterministic'];
  const child = spawn(process.execPath, [COMMAND, 'crawl', url, '-o', folder, ...flags, ...fixed, ...crawlFlags], {
    stdio: 'ignore',
  });
  await new Promise((done) => child.once('exit', done));
}

const lines = (folder, name) =>
  readFileSync(join(folder, name), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
const digest = (folder, path) =>
  path === null
    ? null
    : createHash('sha256')
        .update(readFileSync(join(folder, path)))
        .digest('hex');

/** The facets of a crawl that must be the same each time; a Map of keys to values for each. */
function facetsOf(folder) {
  const pages = lines(folder, 'pages.jsonl');
  const links = lines(folder, 'links.jsonl')
    .map((line) => JSON.stringify(line))
    .sort();
  const of = (value) => new Map(pages.map((page) => [page.url, value(page)]));
  return {
    pages: of(({ outcome, status, title, finalUrl }) => JSON.stringify([outcome, status, title, finalUrl])),
    pixels: of(({ snapshot }) => digest(folder, snapshot.screenshot)),
    text: of(({ snapshot }) => digest(folder, snapshot.text)),
    html: of(({ snapshot }) => digest(folder, snapshot.html)),
    links: new Map(links.map((line) => [line, true])),
  };
}

function differences(first, other) {
  return [...new Set([...first.keys(), ...other.keys()])].filter((key) => first.get(key) !== other.get(key));
}

let failed = false;
const runs = Number(options.runs);
for (const site of options.sites.split(',')) {
  const base = mkdtempSync(join(tmpdir(), 'orbweaver-deterministic-'));
  const { url, stop } = await serveSite(site);
  const began = performance.now();
  const counts = { pages: 0, pixels: 0, text: 0, html: 0, links: 0 };
  const shown = new Set();
  let first = null;
  let pictures = 0;
  for (let run = 0; run < runs; run++) {
    const folder = join(base, `crawl-${run}`);
    await crawl(site, url, folder);
    const facets = facetsOf(folder);
    pictures += [...facets.pixels.values()].filter((value) => value !== null).length;
    first ??= facets;
    for (const name of Object.keys(counts)) {
      const different = differences(first[name], facets[name]);
      counts[name] += different.length;
      for (const key of different) shown.add(`${name}: ${key}`);
    }
    if (run > 0 && !options.keep) rmSync(folder, { recursive: true });
  }
  await stop();
  if (!options.keep) rmSync(base, { recursive: true });
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  const captured = [...first.pages.values()].filter((value) => value.startsWith('["captured"')).length;
  const without = [...first.pixels.values()].filter((value) => value === null).length;
  const size = `${captured} of ${first.pages.size} pages, ${first.links.size} links, ${pictures} pictures in all, ${without} pages without`;
  const said = Object.entries(counts).map(([name, count]) => `${name} ${count}`);
  process.stdout.write(`${site}: ${runs} runs (${size}), ${seconds} s; different: ${said.join(', ')}\n`);
  for (const line of [...shown].slice(0, SHOWN)) process.stdout.write(`  ${line}\n`);
  if (options.keep) process.stdout.write(`  ${base}\n`);
  failed ||= counts.pages + counts.pixels + counts.text + counts.links > 0;
}
process.stdout.write(
  `load average ${loadavg()
    .map((load) => load.toFixed(1))
    .join(', ')}\n`,
);
process.exitCode = failed ? 1 : 0;
