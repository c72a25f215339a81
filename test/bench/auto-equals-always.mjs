// Does a crawl that renders where it pays find what one finds that always renders? Crawls a site both ways with the built
// program, compares pages, their facts and all their links, the speculative links too, and prints how many pages were rendered and what it cost.
// Usage: node test/bench/auto-equals-always.mjs <folder|url> [--limit <pages>] [--build <dist>] [-- flags of crawl]
// Exit code 1 where the two differ. Linux only (CPU time is read from /proc).
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

/** A folder is served on another port each time: its origin is taken away wherever it stands. */
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
    // one page at a time: which pages a limit lets in hangs on the order in which links come
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

/** What stands in a script is told of the first page that loads it: which that is hangs on the order. An address of a blob is made anew each time. */
function linkKeys(links) {
  return links.map(({ from, to, kind, context, frame, rel, text, confidence }) =>
    JSON.stringify([
      context === 'literal' || context === 'script comment' ? '' : from,
      to,
      kind,
      context,
      frame,
      rel,
      text,
      confidence,
    ]).replaceAll(/blob:[^"]*/g, 'blob:'),
  );
}

function difference(name, always, auto) {
  const [one, other] = [new Set(always), new Set(auto)];
  return [
    ...[...one].filter((key) => !other.has(key)).map((key) => `missing ${name}: ${key}`),
    ...[...other].filter((key) => !one.has(key)).map((key) => `invented ${name}: ${key}`),
  ];
}

const always = await crawl('always');
const auto = await crawl('auto');
const differences = [
  ...difference('page', always.pages.map(pageKey), auto.pages.map(pageKey)),
  ...difference('link', linkKeys(always.links), linkKeys(auto.links)),
  ...difference(
    'skipped',
    always.skipped.map(({ url }) => url),
    auto.skipped.map(({ url }) => url),
  ),
];
const sameText = new Map(always.pages.map(({ url, digest }) => [url, digest]));
const texts = auto.pages.filter(({ url, digest, rendered }) => !rendered && sameText.get(url) === digest).length;
const plain = auto.pages.filter(({ outcome, rendered }) => outcome === 'captured' && !rendered).length;
const row = (name, { code, wall, cpu, pages, links }) => {
  const rendered = pages.filter((page) => page.rendered).length;
  const each = ((cpu / Math.max(1, pages.length)) * 1000).toFixed(1);
  return `  ${name.padEnd(7)} exit ${code}, ${pages.length} visits, ${rendered} rendered, ${links.length} links, ${wall.toFixed(1)} s, ${each} ms CPU a visit, start and end included\n`;
};
process.stdout.write(`${site}\n${row('always', always)}${row('auto', auto)}`);
process.stdout.write(`  of ${plain} pages that were not rendered ${texts} have the very text that a browser shows\n`);
for (const line of differences.slice(0, SHOWN)) process.stdout.write(`  ${line.slice(0, 400)}\n`);
process.stdout.write(`  ${differences.length} differences\n`);
process.exitCode = differences.length === 0 && always.code === auto.code ? 0 : 1;
