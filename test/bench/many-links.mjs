// Measures the cost of a page by the number of its links. Crawls made-up sites with the built program, each page with that many links, and
// adds up the processor time of its processes between two moments of one crawl. README.md beside it describes the figures. Linux only.
// Usage: node test/bench/many-links.mjs [--links <n,…>] [--kinds sidebar,unique] [--render always,auto] [--pages <n>] [--warm <n>]
//          [--rounds <n>] [--build <dist>] [--against <other dist>] [--bare] [--serve <port>] [-- flags of crawl]
// --bare: the same pages in a browser that only loads them and reads nothing (bare-pages.mjs): the lower bound for any crawler.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { startMeasured } from './render/meter.mjs';
import { median } from './render/statistics.mjs';

/** A run that takes longer is aborted. */
const RUN_LIMIT = 900_000;

const split = process.argv.indexOf('--');
const crawlFlags = split === -1 ? [] : process.argv.slice(split + 1);
const { values: options } = parseArgs({
  args: split === -1 ? process.argv.slice(2) : process.argv.slice(2, split),
  options: {
    links: { type: 'string', default: '50,200,500,1800,5000,10000' },
    kinds: { type: 'string', default: 'sidebar,unique' },
    render: { type: 'string', default: 'always' },
    pages: { type: 'string', default: '60' },
    warm: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '3' },
    build: { type: 'string', default: 'dist' },
    against: { type: 'string' },
    bare: { type: 'boolean', default: false },
    serve: { type: 'string' },
  },
});
const BARE = 'the browser alone';
const [pages, warm, rounds] = [options.pages, options.warm, options.rounds].map(Number);

const WORDS =
  'a archive body call class column count default error event field file format index item key line list map message method model name node object option order page parser path pool query queue range record result row schema session source stream table task text token tree type value view window worker'.split(
    ' ',
  );

/** Made-up words: the same each time, and different for each page. */
function prose(seed, count) {
  let state = seed * 2654435761 + 12345;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return `${WORDS[(state >>> 8) % WORDS.length]}${(state >>> 16) % 97}`;
  }).join(' ');
}

const item = (href, text) => `<li class="entry"><a href="${href}" class="link depth2">${text}</a></li>`;

/** The navigation: for `sidebar` the same on all pages, else links that no other page has. */
function navigation(kind, page, count) {
  const items =
    kind === 'sidebar'
      ? (index) => item(`/sidebar/${count}/api/module-${index % 40}/Type${index}.html`, `Type${index}`)
      : (index) => item(`/unique/${count}/api/part-${page}/${index}/`, `Member ${page}.${index}`);
  // the last link leads on, so that a site has as many pages as a crawl wants, however few links a page has
  const further = item(`/${kind}/${count}/further-${page + 1}/`, `Further ${page + 1}`);
  return [...Array.from({ length: count - 1 }, (_, index) => items(index)), further].join('\n');
}

function document(kind, page, count) {
  const title = `${kind} ${page}`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<script>addEventListener('load', () => document.documentElement.classList.add('ready'));</script></head>
<body><nav><ul>\n${navigation(kind, page, count)}\n</ul></nav>
<main><h1>${title}</h1><p>${prose(page + 1, 250)}</p></main></body></html>`;
}

/** Numbers of the pages in the order of their first requests. */
let asked = new Map();
let onAsked = () => {};

function answer(request, response) {
  const [, kind, size] = /^\/(sidebar|unique)\/(\d+)\//.exec(request.url) ?? [];
  if (kind === undefined) {
    response.writeHead(404, { 'content-type': 'text/plain' });
    return response.end('not found');
  }
  const isNew = !asked.has(request.url);
  if (isNew) asked.set(request.url, asked.size);
  const text = document(kind, asked.get(request.url), Number(size));
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': Buffer.byteLength(text) });
  response.end(text);
  return isNew && onAsked(asked.size);
}

async function listen(port) {
  const server = createServer(answer);
  await new Promise((done) => server.listen(port, '127.0.0.1', done));
  return { server, origin: `http://127.0.0.1:${server.address().port}` };
}

/** One crawl: processor time a page, in ms, from the request for page number `warm` to that for the last one. */
async function run({ kind, links, render, build }) {
  const { server, origin } = await listen(0);
  asked = new Map();
  const scratch = mkdtempSync(join(tmpdir(), 'orbweaver-many-links-'));
  const flags = ['--quiet', '--no-progress', '--render', render, '--limit', String(pages)];
  const site = `${origin}/${kind}/${links}/`;
  const program =
    build === BARE
      ? [join(import.meta.dirname, 'bare-pages.mjs'), site, String(pages)]
      : [
          resolve(build, 'src/cli/main.js'),
          'crawl',
          `${site}start/`,
          '-o',
          join(scratch, 'crawl'),
          ...flags,
          ...crawlFlags,
        ];
  try {
    const marks = [];
    const measured = startMeasured(program, { timeout: RUN_LIMIT });
    onAsked = (count) => (count === warm || count === pages) && marks.push(measured.reading());
    const { code, complaints, peak, load } = await measured.ended;
    const [from, to] = marks;
    if (to === undefined) throw new Error(`the crawl ended with ${code} after ${asked.size} pages: ${complaints}`);
    const each = (key) => ((to[key] - from[key]) * 1000) / (pages - warm);
    const [cpu, node, redis] = [each('total'), each('node'), each('redis')];
    const told = build === BARE ? { edges: 0, new: 0, known: 0 } : edgesOf(join(scratch, 'crawl'));
    const pagesPerSecond = ((pages - warm) * 1000) / (to.at - from.at);
    return { cpu, node, redis, renderer: cpu - node - redis, pagesPerSecond, peakMb: peak.pss / 1024, load, ...told };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
    await new Promise((done) => server.close(done));
  }
}

/** Counts in the folder: lines of links, those that made their page known, and pages that the crawl knew. */
function edgesOf(folder) {
  const lines = readFileSync(join(folder, 'links.jsonl'), 'utf8').split('\n').filter(Boolean);
  const { totals } = JSON.parse(readFileSync(join(folder, 'crawl.json'), 'utf8'));
  return {
    edges: lines.length,
    new: lines.filter((line) => line.endsWith('"new":true}')).length,
    known: totals.discovered,
  };
}

const number = (value) => value.toFixed(value < 10 ? 1 : 0);
const spread = (values) =>
  values.length < 2
    ? number(median(values))
    : `${number(median(values))} (${number(Math.min(...values))}–${number(Math.max(...values))})`;

function table(runs) {
  const groups = new Map();
  for (const one of runs) {
    const key = [one.build, one.kind, one.render].join(', ');
    const rows = groups.get(key) ?? groups.set(key, new Map()).get(key);
    rows.set(one.links, [...(rows.get(one.links) ?? []), one]);
  }
  const header = [
    'links',
    'CPU ms/page',
    'renderer',
    'node',
    'Redis',
    'pages/s',
    'peak MB',
    'new of edges',
    'against the first',
  ];
  return [...groups]
    .map(([key, rows]) => {
      const least = median([...rows.values()][0].map(({ cpu }) => cpu));
      const lines = [...rows].map(([links, some]) => {
        const of = (name) => some.map((one) => one[name]);
        const shown = ['cpu', 'renderer', 'node', 'redis', 'pagesPerSecond'].map((name) => spread(of(name)));
        const { edges, new: made } = some[0];
        const ratio = median(of('cpu')) / least;
        return [links, ...shown, number(median(of('peakMb'))), `${made} of ${edges}`, `${ratio.toFixed(1)}×`];
      });
      const cells = [header, header.map(() => '---'), ...lines];
      return `${key}\n\n${cells.map((line) => `| ${line.join(' | ')} |`).join('\n')}`;
    })
    .join('\n\n');
}

if (options.serve !== undefined) {
  const { origin } = await listen(Number(options.serve));
  process.stdout.write(`${origin}/sidebar/1800/start/\n${origin}/unique/1800/start/\n`);
} else {
  const builds = [
    options.build,
    ...(options.against === undefined ? [] : [options.against]),
    ...(options.bare ? [BARE] : []),
  ];
  const runs = [];
  for (let round = 1; round <= rounds; round++) {
    for (const kind of options.kinds.split(','))
      for (const render of options.render.split(','))
        for (const links of options.links.split(','))
          for (const build of builds) {
            const one = { build, kind, render, links, ...(await run({ kind, render, links, build })) };
            runs.push(one);
            const { cpu, renderer, node, redis, pagesPerSecond, edges, known, load } = one;
            process.stderr.write(
              `${round} ${build} ${kind} ${render} ${links}: ${number(cpu)} ms CPU a page (renderer ${number(renderer)}, node ${number(node)}, ` +
                `Redis ${number(redis)}), ${number(pagesPerSecond)} pages/s, ${one.new} new of ${edges} edges, ${known} known, load ${load.toFixed(1)}\n`,
            );
          }
  }
  process.stdout.write(
    `\n${table(runs)}\n\n${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, ${pages} pages, the first ${warm} not counted, ` +
      `load average at the end ${loadavg()[0].toFixed(1)}\n`,
  );
}
