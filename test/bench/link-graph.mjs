/**
 * Measures the cost of a link in the index of the link graph, and the time of a query. Makes a synthetic crawl folder with the given
 * number of lines in links.jsonl; then the built program builds the index, queries it and ranks it.
 *
 * The synthetic web: 20 sites; a page has the 25 links of its site's navigation, links to neighbours in its folder, a few to
 * popular pages of its site (a power law) and of others, and parts (sheets, scripts, pictures of its own and of its folder).
 *
 *   node test/bench/link-graph.mjs [links] [--keep <folder>] [--ask]     (--ask: the folder and its index exist)
 */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { hits } from '../../dist/src/core/graph/hits.js';
import { pageRank } from '../../dist/src/core/graph/page-rank.js';
import { buildLinkIndex, openLinkIndex } from '../../dist/src/inspect/link-index.js';
import { deadEnds, orphanPages, pageDepths } from '../../dist/src/inspect/link-surveys.js';
import { queryLinks } from '../../dist/src/inspect/query-links.js';
import { pageGraph, rankPages } from '../../dist/src/inspect/rank-pages.js';

const words = process.argv.slice(2);
const wanted = Number(words[0] ?? 1e6);
const kept = words.includes('--keep') ? words[words.indexOf('--keep') + 1] : null;
const folder = kept ?? mkdtempSync(join(tmpdir(), 'orbweaver-link-graph-'));
const never = new AbortController().signal;
const LINKS_A_PAGE = 62;
const SITES = 20;
const QUESTIONS = 1000;

/** A random number generator with a seed (mulberry32). */
let state = 1;
function random() {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}
const below = (count) => Math.floor(random() * count);
/** Random numbers, small ones much more often than large ones. */
const popular = (count) => Math.floor(count ** random()) - 1;

const WORDS =
  'about account archive article basic building camera change cheap city cloud coffee company design early europe family field garden green guide health history house island kitchen large light little market metal modern mountain music north notes office paper photo press price quick recipe review river school simple small software spring station street summer system table travel update video water weather winter wood world yellow'.split(
    ' ',
  );
/** A random-looking number, the same for the same input. */
function mix(number) {
  let mixed = Math.imul(number ^ 0x9e3779b9, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
/** Words in no order, so that names in a folder have no more in common than real ones. */
function slug(number) {
  const mixed = mix(number);
  const [one, two, three, four] = [mixed % 62, (mixed >>> 6) % 62, (mixed >>> 13) % 62, (mixed >>> 20) % 62];
  return `${WORDS[one]}-${WORDS[two]}-${WORDS[three]}-${WORDS[four]}${mixed % 2 === 0 ? `-${mixed % 100_000}` : ''}`;
}

/** Pages of a site, of sizes that differ by a power law. */
function layOut(pages) {
  const weights = Array.from({ length: SITES }, (_, site) => 1 / (site + 1));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight, site) => ({
    origin: site % 4 === 3 ? `https://www.site-${site}.example.org` : `https://site${site}.example.com`,
    cdn: site % 2 === 0 ? `https://cdn${site}.example.net` : null,
    pages: Math.max(30, Math.floor((pages * weight) / total)),
  }));
}
const FOLDER = 40;
const urlOf = ({ origin }, page) =>
  page === 0
    ? `${origin}/`
    : `${origin}/${WORDS[Math.floor(page / FOLDER) % 62]}/${Math.floor(page / FOLDER)}/${slug(page)}${page % 3 === 0 ? '.html' : ''}`;

function* linksOf(sites, site, page) {
  const own = sites[site];
  const assets = own.cdn ?? own.origin;
  for (let index = 0; index < 25; index += 1)
    yield ['anchor', urlOf(own, Math.floor((index * own.pages) / 25)), 'a/@href'];
  const start = page - (page % FOLDER);
  for (let index = 0; index < 12; index += 1)
    yield ['anchor', urlOf(own, Math.min(own.pages - 1, start + below(FOLDER))), 'a/@href'];
  for (let index = 0; index < 6; index += 1) yield ['anchor', urlOf(own, popular(own.pages)), 'a/@href'];
  for (let index = below(3); index > 0; index -= 1) {
    const other = sites[popular(SITES)];
    yield ['anchor', urlOf(other, popular(other.pages)), 'a/@href'];
  }
  if (random() < 0.5) yield ['anchor', `https://elsewhere-${popular(50_000)}.example/${slug(below(200))}`, 'a/@href'];
  yield ['link-element', urlOf(own, page), 'link/@href'];
  for (let index = 0; index < 6; index += 1)
    yield ['resource', `${assets}/assets/app.${index}.4f3a9c.js`, 'script/@src'];
  for (let index = 0; index < 2; index += 1) yield ['resource', `${assets}/assets/theme.${index}.css`, 'link/@href'];
  for (let index = 0; index < 4; index += 1)
    yield ['resource', `${assets}/images/${Math.floor(page / FOLDER)}/${slug(start + below(FOLDER))}.jpg`, 'img/@src'];
  for (let index = 0; index < 4; index += 1)
    yield [
      'resource',
      `${assets}/media/${mix(page * 4 + index).toString(16)}/${slug(page * 4 + index)}.webp`,
      'img/@srcset',
    ];
}

async function makeFolder() {
  const sites = layOut(wanted / LINKS_A_PAGE);
  const [links, pages] = [
    createWriteStream(join(folder, 'links.jsonl')),
    createWriteStream(join(folder, 'pages.jsonl')),
  ];
  let lines = 0;
  // in the order in which a crawl reaches them: sites in turn
  for (let page = 0; lines < wanted; page += 1) {
    for (let site = 0; site < SITES && lines < wanted; site += 1) {
      if (page >= sites[site].pages) continue;
      const from = urlOf(sites[site], page);
      let text = '';
      for (const [kind, to, context] of linksOf(sites, site, page)) {
        text += `${JSON.stringify({ from, to, href: to.slice(to.indexOf('/', 8)), kind, confidence: 'high', context, stage: 'load', frame: null, text: kind === 'anchor' ? 'A few words of text' : '', rel: kind === 'link-element' ? ['canonical'] : [], new: false })}\n`;
        lines += 1;
      }
      pages.write(`${JSON.stringify({ url: from, finalUrl: from, outcome: 'captured', robots: [], depth: 1 })}\n`);
      if (!links.write(text)) await once(links, 'drain');
    }
    if (sites.every(({ pages: own }) => page >= own)) break;
  }
  for (const stream of [links, pages]) {
    stream.end();
    await once(stream, 'close');
  }
  const seed = urlOf(sites[0], 0);
  const about = {
    id: 'c-bench',
    state: 'finished',
    end: 'all-visited',
    seeds: sites.map((site) => urlOf(site, 0)),
    options: { seeds: [seed] },
    versions: { orbweaver: '0.1.0' },
    started: '2026-01-01T00:00:00.000Z',
    finished: null,
    suspectedTraps: [],
  };
  writeFileSync(join(folder, 'crawl.json'), JSON.stringify(about));
}

/** Peak resident memory of this process so far, MB (VmHWM). */
function peak() {
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0) / 1024);
}
const spread = (times) => {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))].toFixed(2);
  return `median ${at(0.5)} ms, 99 % ${at(0.99)} ms, most ${at(1)} ms`;
};
/** On a busy machine processor time is more reliable than the clock. */
async function timed(work) {
  const [start, before] = [performance.now(), process.cpuUsage()];
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return [result, performance.now() - start, (user + system) / 1000];
}
const seconds = (clock, processor) =>
  `${(clock / 1000).toFixed(2)} s (${(processor / 1000).toFixed(2)} s of processor time)`;

const build = words.includes('--build');
if (build) {
  // a separate process, so that its memory is only that of the build
  const { seeds } = JSON.parse(readFileSync(join(folder, 'crawl.json'), 'utf8'));
  const before = peak();
  const [, ...took] = await timed(() => buildLinkIndex({ folder, seeds }, never));
  console.log(`built in ${seconds(...took)}, peak memory ${peak()} MB (${before} MB before)`);
  process.exit(0);
}

try {
  console.log(`node ${process.version}, ${cpus()[0]?.model}, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}`);
  if (!existsSync(join(folder, 'crawl.json'))) await makeFolder();
  const built = words.includes('--ask')
    ? { stdout: '', stderr: '' }
    : spawnSync(process.execPath, [import.meta.filename, String(wanted), '--keep', folder, '--build'], {
        encoding: 'utf8',
      });
  process.stdout.write(built.stdout + built.stderr);
  await measure();
} finally {
  if (kept === null) rmSync(folder, { recursive: true });
}

async function measure() {
  const { seeds } = JSON.parse(readFileSync(join(folder, 'crawl.json'), 'utf8'));
  const [graph, opened] = await timed(() =>
    openLinkIndex({ folder, seeds, onIndexing: (why) => console.log(why) }, never),
  );
  const { header } = graph;
  const size = ({ start, table, blocks }) => table + (blocks + 1) * 10 - start;
  const parts = Object.fromEntries(Object.entries(header.sections).map(([name, section]) => [name, size(section)]));
  const whole = statSync(join(folder, 'graph/links.bin')).size + statSync(join(folder, 'graph/graph.json')).size;
  const linksBytes = statSync(join(folder, 'links.jsonl')).size;
  console.log(
    `${header.lines} lines, ${header.edges} edges after merging, ${header.urls} URLs; links.jsonl ${(linksBytes / 1e6).toFixed(0)} MB, index ${(whole / 1e6).toFixed(1)} MB`,
  );
  const per = (bytes, count) => (bytes / count).toFixed(2);
  console.log('bytes', 'per line', 'per edge');
  const both = parts.out + parts.in;
  for (const [name, bytes] of [
    ['out', parts.out],
    ['in', parts.in],
    ['both directions', both],
    ['both and where lines stand', both + parts.nodes],
    ['dictionary', parts.urls],
    ['all', whole],
  ]) {
    console.log(`  ${name}: ${per(bytes, header.lines)}, ${per(bytes, header.edges)}`);
  }

  const urls = [];
  for (let index = 0; index < QUESTIONS; index += 1) urls.push(await graph.urlOf(below(graph.size)));
  await graph[Symbol.asyncDispose]();
  const times = { to: [], from: [] };
  const processor = { to: 0, from: 0 };
  console.log(
    `opened in ${opened.toFixed(1)} ms; ${QUESTIONS} URLs, each asked as the command does, everything newly opened, 50 lines told`,
  );
  for (const url of urls) {
    for (const direction of ['to', 'from']) {
      const [, took, own] = await timed(() =>
        queryLinks(folder, direction, url, { onIndexing: (why) => console.log(why) }),
      );
      times[direction].push(took);
      processor[direction] += own / QUESTIONS;
    }
  }
  for (const direction of ['to', 'from']) {
    console.log(`  --${direction} ${spread(times[direction])}; processor time ${processor[direction].toFixed(2)} ms`);
  }
  const hub = seeds[0];
  const [answer, hubTime, hubOwn] = await timed(() => queryLinks(folder, 'to', hub));
  console.log(
    `  --to a hub that ${answer.total} pages link to: ${hubTime.toFixed(1)} ms, processor time ${hubOwn.toFixed(1)} ms`,
  );
  const main = join(import.meta.dirname, '../../dist/src/cli/main.js');
  const whole5 = urls.slice(0, 7).map((url) => {
    const start = performance.now();
    const { status } = spawnSync(process.execPath, [main, 'links', folder, '--to', url]);
    if (status !== 0) throw new Error(`links ended with ${status}`);
    return performance.now() - start;
  });
  const bare = Array.from({ length: 7 }, () => {
    const start = performance.now();
    spawnSync(process.execPath, [main, '--version']);
    return performance.now() - start;
  });
  console.log(`  the whole command: ${spread(whole5)}; of that the program's start (--version): ${spread(bare)}`);

  const again = await openLinkIndex({ folder, seeds }, never);
  for (const [name, work] of Object.entries({ orphans: orphanPages, 'dead ends': deadEnds, depths: pageDepths })) {
    const [, ...took] = await timed(() => work(again));
    console.log(`  ${name}: ${seconds(...took)}`);
  }
  const [{ links }, ...loading] = await timed(() => pageGraph(again));
  const [, ...ranking] = await timed(() => pageRank(links));
  const [, ...hubbing] = await timed(() => hits(links));
  console.log(
    `  links of pages loaded: ${seconds(...loading)}\n  PageRank: ${seconds(...ranking)}\n  HITS: ${seconds(...hubbing)}`,
  );
  const [ranks, ...took] = await timed(() => rankPages(again));
  await again[Symbol.asyncDispose]();
  const sum = [...ranksOf(ranks)].reduce((total, rank) => total + rank, 0);
  console.log(
    `ranks of ${ranks.pages} pages by ${ranks.links} links (PageRank, HITS, sites): ${seconds(...took)}, sum of PageRank 1 ${sum < 1 ? '-' : '+'} ${Math.abs(sum - 1).toExponential(1)}; peak memory ${peak()} MB`,
  );
}

function* ranksOf(ranks) {
  for (const { rank } of ranks.top(ranks.pages)) yield rank.pageRank;
}
