// Compares --render auto with --render always: crawls a site both ways with the built program, compares pages, their facts and all their
// links, speculative ones included, and prints how many pages were rendered and the cost.
// With a limit it compares only what both crawls reached. Counted apart: code that scripts load by themselves or ahead, because a page that
// is not rendered does not load it (docs/design/duplicates-and-traps.md, "Page clusters"); addresses in script texts that the
// other crawl knows from elsewhere; and texts of links.
// Usage: node test/bench/auto-equals-always.mjs <folder|url> [--limit <pages>] [--build <dist>] [-- flags of crawl]
// Exit code 1 if the two differ. Linux only (CPU time is read from /proc).
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { reapedSeconds, watchTree } from './process-tree.mjs';

const SAMPLE_EVERY = 200;
const SHOWN = 20;

const split = process.argv.indexOf('--');
const own = split === -1 ? process.argv.slice(2) : process.argv.slice(2, split);
const crawlFlags = split === -1 ? [] : process.argv.slice(split + 1);
const { values: options, positionals } = parseArgs({
  args: own,
  allowPositionals: true,
  options: { limit: { type: 'string' }, build: { type: 'string', default: 'dist' } },
});
const [site] = positionals;
const program = resolve(options.build, 'src/cli/main.js');
if (site === undefined || positionals.length > 1 || !existsSync(program)) {
  process.stderr.write(
    'Usage: node test/bench/auto-equals-always.mjs <folder|url> [--limit <pages>] [--build <dist>] [-- flags]\n' +
      `The program is expected at ${program}; build it with: node scripts/build.mjs\n`,
  );
  process.exit(2);
}

/** Reads records without their origin: a folder is served on another port each time. */
function records(folder, name, origin) {
  const file = join(folder, name);
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line.replaceAll(origin, '')));
}

async function crawl(render) {
  const scratch = mkdtempSync(join(tmpdir(), 'orbweaver-auto-'));
  const folder = join(scratch, 'crawl');
  try {
    // one page at a time: the order of links decides which pages a limit lets in
    const limit = options.limit === undefined ? [] : ['--limit', options.limit, '--workers', '1'];
    const flags = ['-o', folder, '--no-progress', '--quiet', '--render', render, ...limit, ...crawlFlags];
    const reapedBefore = reapedSeconds();
    const started = performance.now();
    const child = spawn(process.execPath, [program, 'crawl', site, ...flags], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const tree = watchTree(child.pid);
    const timer = setInterval(() => tree.sample(), SAMPLE_EVERY);
    const code = await new Promise((done) => child.once('exit', (status, signal) => done(status ?? signal)));
    clearInterval(timer);
    const { seconds } = tree.result();
    const sampled = Object.values(seconds).reduce((sum, one) => sum + one, 0);
    const crawlFile = JSON.parse(readFileSync(join(folder, 'crawl.json'), 'utf8'));
    const { origin } = new URL(crawlFile.seeds[0]);
    return {
      code,
      wall: (performance.now() - started) / 1000,
      cpu: Math.max(sampled, reapedSeconds() - reapedBefore),
      pages: records(folder, 'pages.jsonl', origin),
      links: records(folder, 'links.jsonl', origin),
      skipped: records(folder, 'skipped.jsonl', origin),
    };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function pageKey({ url, finalUrl, outcome, status, contentType, title, description, canonical, lang, h1, robots }) {
  return JSON.stringify([url, finalUrl, outcome, status, contentType, title, description, canonical, lang, h1, robots]);
}

function isInScript({ context }) {
  return context === 'literal' || context === 'script comment';
}

/** The target of a link, without its fragment and a slash at the end. */
function place(url) {
  return url.replace(/#.*$/s, '').replace(/\/$/, '');
}

function placeKey({ from, to }) {
  return `${from} ${to}`;
}

/** Links in a script are reported for the first page that loads it, which depends on the order. A blob address is new each time. */
function linkKey(link) {
  const { from, to, kind, context, frame, rel, text, confidence } = link;
  const page = isInScript(link) ? '' : from;
  return JSON.stringify([page, to, kind, context, frame, rel, text, confidence]).replaceAll(/blob:[^"]*/g, 'blob:');
}

/** Is it a file of code, a hint, or a request for the data of a page that is linked anyway? @param linked targets of the page's anchors */
function isLoadedOnly({ kind, context, rel, to }, linked) {
  if (kind === 'link-element') return rel.length > 0 && rel.every((each) => HINTS.has(each));
  if (kind === 'resource') return context === 'script/@src';
  if (kind !== 'request' || !/^(?:import|fetch(?: HEAD)?|xhr)$/.test(context)) return false;
  if (context === 'import') return true;
  // /a/_next/data/x/guide/page.json and /guide/page/data.json are of /guide/page, /docs and /docs/__next._tree.txt of /docs
  const path = place(to.replace(/\?.*$/s, ''));
  const own = path.replace(/\/_[^/]*$/, '');
  return [...linked].some((page) => {
    const linkedPath = page.replace(/^https?:\/\/[^/]+/, '');
    return path === linkedPath || own === linkedPath || (/[^/]\/[^/]/.test(page) && path.includes(linkedPath));
  });
}

const HINTS = new Set(['prefetch', 'preload', 'modulepreload', 'preconnect', 'dns-prefetch']);

/** Skipped URLs without probes, whose names are made up, and without guesses that lead to a page by another spelling. */
function skippedForGood({ skipped, pages }) {
  const seen = new Set(pages.map(({ url }) => place(url)));
  return skipped.filter(
    ({ reason, url }) => reason !== 'probe' && !(reason === 'low-confidence' && seen.has(place(url))),
  );
}

function skippedKey({ url }) {
  return url;
}

/** @param [counts] selects the records to look for in the other crawl */
function difference(name, keyOf, always, auto, counts = () => true) {
  const [one, other] = [new Set(always.map(keyOf)), new Set(auto.map(keyOf))];
  const unknown = (records, known) =>
    new Set(
      records
        .filter(counts)
        .map(keyOf)
        .filter((key) => !known.has(key)),
    );
  return [
    ...[...unknown(always, other)].map((key) => `missing ${name}: ${key}`),
    ...[...unknown(auto, one)].map((key) => `invented ${name}: ${key}`),
  ];
}

const always = await crawl('always');
const auto = await crawl('auto');
// with a limit, each crawl has a few pages that the other did not reach
const [seenAlways, seenAuto] = [always, auto].map(({ pages }) => new Set(pages.map(({ url }) => url)));
const inBoth = (url) => options.limit === undefined || (seenAlways.has(url) && seenAuto.has(url));
const apart = { code: 0, addresses: 0, texts: 0 };
const differences = [
  ...difference('page', pageKey, always.pages, auto.pages, ({ url }) => inBoth(url)),
  ...lostLinks('missing', always, auto),
  ...lostLinks('invented', auto, always),
  ...(options.limit === undefined ? difference('skipped', skippedKey, ...[always, auto].map(skippedForGood)) : []),
];
function lostLinks(name, crawl, other) {
  const known = new Set(other.links.map(linkKey));
  const places = new Set(
    other.links.filter(({ confidence }) => confidence === 'high').map(({ from, to }) => placeKey({ from, to })),
  );
  const targets = new Set([...other.pages.map(({ url }) => url), ...other.links.map(({ to }) => to)].map(place));
  const lost = new Map();
  const linked = new Map();
  for (const { from, to, kind } of crawl.links) {
    if (!linked.has(from)) linked.set(from, new Set());
    if (kind === 'anchor') linked.get(from).add(place(to).replace(/\.\w+$/, ''));
  }
  for (const link of crawl.links) {
    const key = linkKey(link);
    if (!inBoth(link.from) || known.has(key) || lost.has(key)) continue;
    if (isLoadedOnly(link, linked.get(link.from))) apart.code += 1;
    else if (isInScript(link) && targets.has(place(link.to))) apart.addresses += 1;
    else if (link.kind === 'anchor' && places.has(placeKey(link))) apart.texts += 1;
    else lost.set(key, `${name} link: ${key}`);
  }
  return [...lost.values()];
}

const sameText = new Map(always.pages.map(({ url, digest }) => [url, digest]));
const texts = auto.pages.filter(({ url, digest, rendered }) => !rendered && sameText.get(url) === digest).length;
const plain = auto.pages.filter(({ outcome, rendered }) => outcome === 'captured' && !rendered).length;
const row = (name, { code, wall, cpu, pages, links }) => {
  const rendered = pages.filter((page) => page.rendered).length;
  const each = ((cpu / Math.max(1, pages.length)) * 1000).toFixed(1);
  return `  ${name.padEnd(7)} exit ${code}, ${pages.length} visits, ${rendered} rendered, ${links.length} links, ${wall.toFixed(1)} s, ${each} ms CPU a visit, start and end included\n`;
};
process.stdout.write(`${site}\n${row('always', always)}${row('auto', auto)}`);
process.stdout.write(`  ${[...seenAlways].filter((url) => seenAuto.has(url)).length} of the URLs in both\n`);
process.stdout.write(`  of ${plain} pages that were not rendered ${texts} have the very text that a browser shows\n`);
for (const line of differences.slice(0, SHOWN)) process.stdout.write(`  ${line.slice(0, 400)}\n`);
process.stdout.write(
  `  ${differences.length} differences; apart from them ${apart.code} files of code and hints that scripts load, data of linked pages included, ` +
    `${apart.addresses} addresses in scripts that are known from elsewhere, ${apart.texts} anchors with another text\n`,
);
process.exitCode = differences.length === 0 && always.code === auto.code ? 0 : 1;
