// Measures the cost of each worker learning by itself which pages need no browser (--render auto). HOSTS hosts with PAGES pages of one kind each, with a
// script and a sheet: the first pages of a kind are rendered. Counts rendered pages by the number of workers. Usage: node test/bench/workers-learning.mjs
// [hosts] [pages] [host concurrency] [workers…], after `npm run build`; needs redis-server and a browser.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';

const [hosts = 20, pages = 40, concurrency = 1, ...asked] = process.argv.slice(2).map(Number);
const MAIN = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));
const [HTTP, REDIS] = [8964, 6394];

const base = mkdtempSync(join(tmpdir(), 'orbweaver-bench-'));
const server = createServer((request, response) => {
  const send = (type, body) => response.writeHead(200, { 'content-type': type }).end(body);
  if (request.url === '/site.js') return void send('text/javascript', 'window.counted = 1;');
  if (request.url === '/site.css') return void send('text/css', 'p { color: #123 }');
  const number = request.url === '/' ? 0 : Number(/^\/p(\d+)\.html$/.exec(request.url ?? '')?.[1] ?? NaN);
  if (Number.isNaN(number)) return void response.writeHead(404).end();
  const links = Array.from({ length: 10 }, (_, index) => `<a href="/p${(number * 10 + index + 1) % pages}.html">l</a>`);
  const words = Array.from({ length: 80 }, (_, index) => `w${(number * 37 + index * 101) % 9973}`).join(' ');
  const head = `<title>${number}</title><link rel="stylesheet" href="/site.css"><script src="/site.js"></script>`;
  send('text/html', `<!doctype html><head>${head}</head><p>${words} ${request.headers.host}</p>${links.join('')}`);
}).listen(HTTP, '0.0.0.0', 4096);
await once(server, 'listening');

async function measure(workers) {
  const redis = spawn('redis-server', ['--port', String(REDIS), '--save', '', '--appendonly', 'no'], {
    stdio: 'ignore',
  });
  await sleep(500);
  const client = new Redis(REDIS, '127.0.0.1');
  const url = `redis://127.0.0.1:${REDIS}`;
  const start = (...words) =>
    spawn(process.execPath, [MAIN, ...words], { cwd: base, stdio: ['ignore', 'ignore', 'inherit'] });
  const lent = Array.from({ length: workers }, () => start('worker', '--redis', url, '--crawl', '*', '-w', '2'));
  const seeds = Array.from({ length: hosts }, (_, index) => `http://127.0.6.${index + 1}:${HTTP}/`);
  const common = [
    '--snapshot',
    'none',
    '--no-robots',
    '--no-sitemap',
    '--quiet',
    '--host-concurrency',
    String(concurrency),
  ];
  const began = performance.now();
  const own = workers === 0 ? '2' : '0';
  const crawl = start('crawl', ...seeds, '--redis', url, '-w', own, '-o', `out-${workers}`, ...common);
  await once(crawl, 'exit');
  const seconds = (performance.now() - began) / 1000;
  const lines = readFileSync(join(base, `out-${workers}`, 'pages.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  for (const child of lent) child.kill('SIGTERM');
  await Promise.all(lent.map((child) => (child.exitCode === null ? once(child, 'exit') : null)));
  client.disconnect();
  redis.kill();
  await once(redis, 'exit');
  const rendered = lines.filter((page) => page.rendered).length;
  console.log(
    JSON.stringify({
      workers,
      hosts,
      concurrency,
      pages: lines.length,
      rendered,
      share: Number((rendered / lines.length).toFixed(3)),
      seconds: Math.round(seconds),
      load: Number(loadavg()[0].toFixed(1)),
    }),
  );
}

for (const workers of asked.length > 0 ? asked : [0, 4]) await measure(workers);
server.closeAllConnections();
server.close();
rmSync(base, { recursive: true, force: true });
process.exit(0);
