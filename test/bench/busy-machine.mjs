// Tests that a crawl survives a busy machine: crawls a made-up site of pages that compute, draw and fetch, beside --loops processes that
// only compute, and counts how often the browser was given up and how often a page was requested twice. Linux only.
// Usage: node test/bench/busy-machine.mjs [--loops <n>] [--pages <n>] [--work <ms>] [--rounds <n>] [--build <dist>] [--against <other dist>]
//          [-- flags of crawl]
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const split = process.argv.indexOf('--');
const crawlFlags = split === -1 ? [] : process.argv.slice(split + 1);
const { values: options } = parseArgs({
  args: split === -1 ? process.argv.slice(2) : process.argv.slice(2, split),
  options: {
    loops: { type: 'string', default: '10' },
    pages: { type: 'string', default: '150' },
    work: { type: 'string', default: '250' },
    rounds: { type: 'string', default: '1' },
    build: { type: 'string', default: 'dist' },
    against: { type: 'string' },
  },
});
const [loops, pages, work] = [options.loops, options.pages, options.work].map(Number);
/** Iterations of the pages' loop in a millisecond, on this machine when it is idle. */
const PER_MILLISECOND = 25_000;

/** A page that computes for a while when it loads, draws a chain of frames, fetches, and has a link from each. */
const pageOf = (number) => `<!doctype html><html><head><meta charset="utf-8"><title>Page ${number}</title></head><body>
<main id="main"><h1>Page ${number}</h1>${Array.from({ length: 300 }, (_, index) => `<p>Paragraph ${index} of page ${number}: ${(number * 7919 + index * 104729).toString(36)}</p>`).join('')}</main>
<script>
const add = (href) => document.getElementById('main').insertAdjacentHTML('beforeend', '<a href="' + href + '">' + href + '</a>');
let sum = 0;
for (let turn = 0; turn < ${work * PER_MILLISECOND}; turn++) sum = (sum + turn * turn) % 1000003;
add('/computed/${number}?' + (sum < 0));
let frames = 0;
const frame = () => (++frames === 20 ? add('/drawn/${number}') : requestAnimationFrame(frame));
requestAnimationFrame(frame);
fetch('/api/${number}').then((answer) => answer.json()).then((to) => to.forEach(add));
setTimeout(() => add('/timer/${number}'), 1500);
</script></body></html>`;

const LINKS_OF_PAGE = 4;

async function openSite() {
  const asked = new Map();
  const server = createServer((request, response) => {
    const [, kind, number] = /^\/(\w*)\/?(\d*)/.exec(request.url) ?? [];
    const send = (type, text, code = 200) => {
      response.writeHead(code, { 'content-type': type });
      response.end(text);
    };
    if (kind === 'api') return send('application/json', JSON.stringify([`/fetched/${number}`]));
    if (kind === 'page') {
      asked.set(request.url, (asked.get(request.url) ?? 0) + 1);
      return send('text/html', pageOf(number));
    }
    if (kind !== '') return send('text/plain', '', 404);
    const all = Array.from({ length: pages }, (_, page) => `<a href="/page/${page}">${page}</a>`);
    return send('text/html', `<!doctype html><title>Index</title>${all.join(' ')}`);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { origin: `http://127.0.0.1:${server.address().port}`, asked, server };
}

/** Starts processes that compute until they are ended. */
function startLoops() {
  const busy = Array.from({ length: loops }, () => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
  return () => busy.forEach((one) => one.kill('SIGKILL'));
}

const lines = (file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

async function run(build) {
  const { origin, asked, server } = await openSite();
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-busy-'));
  const end = startLoops();
  try {
    await wait(10_000); // until the load average follows
    const load = loadavg()[0];
    const began = performance.now();
    const args = ['crawl', `${origin}/`, '-o', join(folder, 'crawl'), '--quiet', '--no-progress', '--render', 'always'];
    const child = spawn(
      process.execPath,
      [resolve(build, 'src/cli/main.js'), ...args, '--include', '/page/', ...crawlFlags],
      {
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
    const code = await new Promise((done) => child.once('exit', (status, signal) => done(status ?? signal)));
    const seconds = (performance.now() - began) / 1000;
    const log = lines(join(folder, 'crawl/log.jsonl'));
    const records = lines(join(folder, 'crawl/pages.jsonl')).filter(({ url }) => url.includes('/page/'));
    const links = lines(join(folder, 'crawl/links.jsonl')).filter(({ to }) =>
      /\/(?:computed|drawn|fetched|timer)\//.test(to),
    );
    const retired = log.filter(({ event }) => event === 'browser retired');
    return {
      build,
      code,
      load: [load, loadavg()[0]],
      seconds,
      captured: records.filter(({ outcome }) => outcome === 'captured').length,
      timeouts: records.filter(({ settle }) => settle?.reason === 'timeout').length,
      links: new Set(links.map(({ to }) => to)).size,
      retired: retired.length,
      why: [...new Set(retired.map(({ why }) => why))],
      twice: [...asked.values()].filter((count) => count > 1).length,
    };
  } finally {
    end();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

for (let round = 1; round <= Number(options.rounds); round++) {
  for (const build of [options.build, options.against].filter((one) => one !== undefined)) {
    const { load, seconds, captured, timeouts, links, retired, why, twice, code } = await run(build);
    process.stdout.write(
      `${round} ${build}: ${captured} of ${pages} captured, ${links} of ${pages * LINKS_OF_PAGE} links, browser retired ${retired} times${why.map((one) => ` (${one})`).join('')}, ` +
        `${twice} pages asked for twice, ${timeouts} ended by a timeout, ${seconds.toFixed(0)} s, exit ${code}, load ${load.map((one) => one.toFixed(1)).join(' to ')}\n`,
    );
  }
}
process.stdout.write(
  `${loops} busy processes, ${work} ms of computing a page, ${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}\n`,
);
