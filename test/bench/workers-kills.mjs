// Tests that a crawl by many processes keeps its hosts' delay, and loses or doubles nothing, while processes are killed. 20 hosts, 4 workers; one
// is killed, one joins, the controller is killed several times and a standby process takes over. The server's log is checked. Usage: node
// test/bench/workers-kills.mjs [pages a host] [kills], after `npm run build`; needs redis-server.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { TOTAL_CREDIT } from '../../dist/src/base/units.js';
import { openFrontier } from '../../dist/src/frontier/open-frontier.js';
import { keySpace } from '../../dist/src/redis/key-space.js';

const HOSTS = 20;
const PAGES = Number(process.argv[2] ?? 250);
const KILLS = Number(process.argv[3] ?? 5);
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
  '--keep-state',
  '--delay',
  `${DELAY}ms`,
];
const began = performance.now();
let leader = start('crawl', ...seeds, '--redis', url, '-w', '0', '-o', 'out', ...common);
const workers = [lend(), lend(), lend(), lend()];
const visits = () => [...arrivals.values()].reduce((sum, all) => sum + all.length, 0);
const reach = async (share) => {
  while (visits() < HOSTS * PAGES * share) await sleep(20);
};
const standBy = () => start('resume', 'out', '--redis', url, '--standby', '--quiet');
const takeOvers = [];
const firstVisits = [];

/** Kills the leading process. A standby process takes over. */
async function killLeader(heir) {
  const [key] = await client.keys('*:w:controller');
  const epoch = await client.hget(key, 'epoch');
  leader.kill('SIGKILL');
  const killed = performance.now();
  while ((await client.hget(key, 'epoch')) === epoch) await sleep(10);
  takeOvers.push(performance.now() - killed);
  const before = visits();
  while (visits() === before) await sleep(10);
  firstVisits.push(performance.now() - killed);
  leader = heir;
}

await reach(0.1);
let heir = standBy();
workers[0].kill('SIGKILL');
await reach(0.2);
workers.push(lend());
for (let kill = 0; kill < KILLS; kill += 1) {
  await reach(0.25 + (0.65 * kill) / KILLS);
  await killLeader(heir);
  if (kill < KILLS - 1) heir = standBy();
}
await once(leader, 'exit');
const id = JSON.parse(readFileSync(join(base, 'out', 'crawl.json'), 'utf8')).id;
const frontier = await openFrontier({ client, keys: keySpace(id), state: 'shared' });
const creditDrift = (await frontier.audit()) - TOTAL_CREDIT;
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const words = (values) => `p50 ${Math.round(median(values))} ms, max ${Math.round(Math.max(...values))} ms`;
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
  creditDrift,
  kills: takeOvers.length,
  takenOver: words(takeOvers),
  firstVisitAfter: words(firstVisits),
});
for (const child of workers) child.kill('SIGTERM');
await sleep(3000);
client.disconnect();
redis.kill();
for (const server of servers) server.close();
rmSync(base, { recursive: true, force: true });
process.exit(0);
