// Measures the cost of a page's screenshot: CPU milliseconds a page (node, Redis and all browser processes) of whole crawls with
// `--snapshot html,text`, and the same with a screenshot of the view, and of the whole page, in turns; every page is rendered.
// Usage: node test/bench/screenshots.mjs [--pages 60] [--rounds 5] [--workers 2] [--site <folder> --paths <file>] [--build dist]
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { noisePicture } from './render/assets.mjs';
import { cpuFrom, startMeasured } from './render/meter.mjs';
import { median } from './render/statistics.mjs';

const { values: options } = parseArgs({
  options: {
    pages: { type: 'string', default: '60' },
    rounds: { type: 'string', default: '5' },
    workers: { type: 'string', default: '2' },
    build: { type: 'string', default: 'dist' },
    site: { type: 'string' },
    paths: { type: 'string' },
  },
});

const WORDS = 'the crawler visits every page of a site once and keeps what it has seen in a folder of its own'.split(
  ' ',
);
const text = (seed, length) =>
  Array.from({ length }, (_, n) => WORDS[(seed * 7 + n * 5 + (n >> 3)) % WORDS.length]).join(' ');
const pictures = [1, 2, 3].map((seed) => noisePicture(320, 200, seed));
const SHEET =
  'body{font:16px/1.5 serif;margin:0 auto;max-width:60em}nav{background:#eee;padding:1em}figure{float:right;margin:1em}';

/** An article: some 700 words, three pictures, a sheet and a navigation. */
function article(page) {
  const links = Array.from(
    { length: 12 },
    (_, n) => `<li><a href="/page/${(page + n) % Number(options.pages)}">${text(n, 3)}</a>`,
  );
  const parts = Array.from(
    { length: 6 },
    (_, n) =>
      `<h2>${text(page + n, 5)}</h2>${n < 3 ? `<figure><img src=/${n}.png width=320 height=200></figure>` : ''}<p>${text(page + n, 110)}`,
  );
  return `<!doctype html><title>Page ${page}</title><link rel=stylesheet href=/sheet.css><nav><ul>${links.join('')}</ul></nav><h1>Article ${page}</h1>${parts.join('')}`;
}

const TYPES = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

function answer(path) {
  if (options.site !== undefined) {
    try {
      return [
        TYPES[extname(path)] ?? 'application/octet-stream',
        readFileSync(join(options.site, decodeURIComponent(path))),
      ];
    } catch {
      return null;
    }
  }
  const [, page] = /^\/page\/(\d+)$/.exec(path) ?? [];
  if (page !== undefined) return ['text/html', article(Number(page))];
  if (path === '/sheet.css') return ['text/css', SHEET];
  const [, number] = /^\/(\d)\.png$/.exec(path) ?? [];
  return number === undefined ? null : ['image/png', pictures[Number(number)]];
}

const server = createServer((request, response) => {
  const found = answer(new URL(request.url, 'http://x').pathname);
  response.writeHead(found === null ? 404 : 200, {
    'content-type': found?.[0] ?? 'text/plain',
    'cache-control': 'max-age=600',
  });
  response.end(found?.[1] ?? '');
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const base = `http://127.0.0.1:${server.address().port}`;
const paths =
  options.paths === undefined
    ? Array.from({ length: Number(options.pages) }, (_, n) => `/page/${n}`)
    : readFileSync(options.paths, 'utf8').split('\n').filter(Boolean).slice(0, Number(options.pages));

/** CPU milliseconds a page of a whole crawl, including its start and end. */
async function crawl(flags) {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-screenshots-'));
  try {
    const program = resolve(options.build, 'src/cli/main.js');
    const list = paths.map((path) => `${base}${path}`);
    const args = ['crawl', ...list, '--depth', '0', '--render', 'always', '--no-robots', '--no-sitemap', '--quiet'];
    const run = startMeasured(
      [program, ...args, '--workers', options.workers, '--output', join(folder, 'crawl'), ...flags],
      {
        timeout: 600_000,
        environment: {},
      },
    );
    const { code, complaints, whole } = await run.ended;
    if (code !== 0) throw new Error(`crawl ended with ${code}: ${complaints}`);
    const lines = readFileSync(join(folder, 'crawl/pages.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const wanted = flags.includes('html,text') ? 0 : lines.length;
    const shot = lines.filter(({ snapshot }) => snapshot.screenshot !== null).length;
    if (lines.length !== paths.length || shot !== wanted) throw new Error(`${lines.length} pages, ${shot} pictures`);
    return ((whole ?? run.reading().total) * 1000) / lines.length;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const CONTESTANTS = [
  ['html,text', ['--snapshot', 'html,text']],
  ['and the view', ['--snapshot', 'html,text,screenshot']],
  ['and the whole page', ['--snapshot', 'html,text,screenshot', '--full-page']],
];
const figures = CONTESTANTS.map(() => []);
console.log(`${paths.length} pages, ${options.workers} workers, CPU by ${cpuFrom()}, load ${loadavg()[0].toFixed(1)}`);
await crawl(CONTESTANTS[0][1]); // warms the file cache and the disk
for (let round = 0; round < Number(options.rounds); round++) {
  for (const [index, [, flags]] of CONTESTANTS.entries()) figures[index].push(await crawl(flags));
  console.log(
    `round ${round + 1}: ${figures.map((each) => each.at(-1).toFixed(1)).join(', ')} ms, load ${loadavg()[0].toFixed(1)}`,
  );
}
for (const [index, [name]] of CONTESTANTS.entries()) {
  const added = figures[index].map((value, round) => value - figures[0][round]);
  const spread = (values) =>
    `${median(values).toFixed(1)} (${Math.min(...values).toFixed(1)} to ${Math.max(...values).toFixed(1)})`;
  console.log(
    `${name}: ${spread(figures[index])} ms a page${index === 0 ? '' : `, ${spread(added)} of them for the picture`}`,
  );
}
server.close();
