// Does a crawl by many processes keep its hosts' delay, and lose or double nothing, while processes are killed? 20 hosts, 4 workers; one is killed, one
// comes, the controller is killed and a process that stands by takes over. The server's log is the judge. Usage: node test/bench/workers-kills.mjs
// [pages a host], after `npm run build`; needs redis-server.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';

const HOSTS = 20;
const PAGES = Number(process.argv[2] ?? 250);
const DELAY = 100;
const MAIN = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));
const [HTTP, REDIS] = [8962, 6392];

const base = mkdtempSync(join(tmpdir(), 'orbweaver-bench-'));
const addresses = Array.from({ length: HOSTS }, (_, index) => `127.0.2.${index + 1}`);
const arrivals = new Map(addresses.map((address) => [address, []]));
const servers = addresses.map((address) =>
  createServer((request, response) => {
    const number = request.url === '/' ? 0 : Number(/^\/p(\d+)\.html$/.exec(request.url ?? '')?.[1] ?? NaN);
    if (Number.isNaN(number)) return void response.writeHead(404).end();
    arrivals.get(address).push({ at: performance.now(), number });
    const words = Array.from({ length: 80 }, (_, index) => `w${(number * 37 + index * 101) % 9973}`).join(' ');
    const links = [2 * number + 1, 2 * number + 2].filter((n) => n < PAGES).map((n) => `<a href="/p${n}.html">l</a>`);
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<!doctype html><title>${address} ${number}</title><p>${words} ${address}</p>${links.join('')}`);
  }).listen(HTTP, address),
);
await Promise.all(servers.map((server) => once(server, 'listening')));
const redis = spawn('redis-server', ['--port', String(REDIS), '--save', '', '--appendonly', 'no'], { stdio: 'ignore' });
await sleep(500);
const client = new Redis(REDIS, '127.0.0.1');
const url = `redis://127.0.0.1:${REDIS}`;
const start = (...words) => spawn(process.execPath, [MAIN, ...words], { cwd: base, stdio: 'ignore' });
const lend = () => start('worker', '--redis', url, '--crawl', '*', '-w', '4');
const seeds = addresses.map((address) => `http://${address}:${HTTP}/`);
const common = [
  '--render',
  'never',
  '--snapshot',
  'none',
  '--no-robots',
  '--no-sitemap',
  '--quiet',
  '--delay',
  `${DELAY}ms`,
];
const began = performance.now();
const crawl = start('crawl', ...seeds, '--redis', url, '-w', '0', '-o', 'out', ...common);
const workers = [lend(), lend(), lend(), lend()];
const visits = () => [...arrivals.values()].reduce((sum, all) => sum + all.length, 0);
const reach = async (share) => {
  while (visits() < HOSTS * PAGES * share) await sleep(20);
};
await reach(0.2);
const standby = start('resume', 'out', '--redis', url, '--standby', '--quiet');
workers[0].kill('SIGKILL');
await reach(0.4);
workers.push(lend());
await reach(0.6);
const [key] = await client.keys('*:w:controller');
crawl.kill('SIGKILL');
const killed = performance.now();
while ((await client.hget(key, 'epoch')) === '1') await sleep(10);
const taken = performance.now() - killed;
const before = visits();
while (visits() === before) await sleep(10);
const resumed = performance.now() - killed;
await once(standby, 'exit');
const pages = readFileSync(join(base, 'out', 'pages.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
const urls = pages.map((page) => page.url);
const pauses = [...arrivals.values()].flatMap((all) => all.slice(1).map(({ at }, index) => at - all[index].at));
const totals = JSON.parse(readFileSync(join(base, 'out', 'crawl.json'), 'utf8')).totals;
console.log({
  visits: visits(),
  seconds: Math.round((performance.now() - began) / 1000),
  shortestPause: Math.round(Math.min(...pauses)),
  shorterThanDelay: pauses.filter((pause) => pause < DELAY - 5).length,
  lost: HOSTS * PAGES - new Set(urls).size,
  doubled: urls.length - new Set(urls).size,
  fetchedAgain: [...arrivals.values()].reduce(
    (sum, all) => sum + all.length - new Set(all.map(({ number }) => number)).size,
    0,
  ),
  failed: pages.filter(({ outcome }) => outcome !== 'captured').length,
  totals,
  takenOver: `${Math.round(taken)} ms`,
  firstVisitAfter: `${Math.round(resumed)} ms`,
});
for (const child of workers) child.kill('SIGTERM');
await sleep(3000);
console.log('keys left:', await client.keys('*'));
client.disconnect();
redis.kill();
for (const server of servers) server.close();
rmSync(base, { recursive: true, force: true });
process.exit(0);
