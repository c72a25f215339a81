// What does one crawl cost on one Redis, and how much faster is it with more workers? Fixed work: HOSTS hosts on loopback addresses with PAGES pages each,
// no delay, no browser (--render never), so that frontier, queue and processes are measured and not Chromium. Processor time is the figure that a busy
// machine changes least: of a process and all that it starts, browsers included. Usage: node test/bench/workers.mjs [workers…], after `npm run build`;
// needs redis-server. RENDER=always renders the pages, HOSTS and PAGES say how many there are, SLOTS how many visits a process makes at a time.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { processTree, processUse } from '../../dist/src/base/process/process-memory.js';

const HOSTS = Number(process.env.HOSTS ?? 24);
const PAGES = Number(process.env.PAGES ?? 40);
const LINKS = 20;
const RENDER = process.env.RENDER ?? 'never';
const SLOTS = process.env.SLOTS ?? '4';
const MAIN = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));
const [HTTP, REDIS] = [8961, 6391];

const base = mkdtempSync(join(tmpdir(), 'orbweaver-bench-'));
const addresses = Array.from({ length: HOSTS }, (_, index) => `127.0.1.${index + 1}`);
const servers = addresses.map((address) =>
  createServer((request, response) => {
    const number = request.url === '/' ? 0 : Number(/^\/p(\d+)\.html$/.exec(request.url ?? '')?.[1] ?? NaN);
    if (Number.isNaN(number)) return void response.writeHead(404).end();
    const words = Array.from({ length: 80 }, (_, index) => `w${(number * 37 + index * 101) % 9973}`).join(' ');
    const links = Array.from(
      { length: LINKS },
      (_, index) => `<a href="/p${(number * LINKS + index + 1) % PAGES}.html">l</a>`,
    );
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<!doctype html><title>${address} ${number}</title><p>${words} ${address}</p>${links.join('')}`);
  }).listen(HTTP, address),
);
await Promise.all(servers.map((server) => once(server, 'listening')));

/** Seconds of processor time of a process that has not ended, and of those that it has started. */
const cpuOf = (pid) => {
  readFileSync(`/proc/${pid}/stat`); // throws where it has ended
  return processTree(pid, () => false).reduce((sum, each) => sum + (processUse(each)?.ticks ?? 0) / 100, 0);
};

async function measure(workers) {
  const redis = spawn('redis-server', ['--port', String(REDIS), '--save', '', '--appendonly', 'no'], {
    stdio: 'ignore',
  });
  await sleep(500);
  const client = new Redis(REDIS, '127.0.0.1');
  const url = `redis://127.0.0.1:${REDIS}`;
  const start = (...words) => spawn(process.execPath, [MAIN, ...words], { cwd: base, stdio: 'ignore' });
  const lent = Array.from({ length: workers }, () => start('worker', '--redis', url, '--crawl', '*', '-w', SLOTS));
  const own = workers === 0 ? SLOTS : '0';
  const seeds = addresses.map((address) => `http://${address}:${HTTP}/`);
  const common = ['--render', RENDER, '--snapshot', 'none', '--no-robots', '--no-sitemap', '--quiet', '--keep-state'];
  const crawl = start('crawl', ...seeds, '--redis', url, '-w', own, '-o', `out-${workers}`, ...common);
  const ended = once(crawl, 'exit');
  const read = async () =>
    Object.fromEntries(
      [...(await client.info('all')).matchAll(/^(\w+):([\d.]+)\r?$/gm)].map(([, key, value]) => [key, Number(value)]),
    );
  while ((await client.keys('*:f:state')).length === 0) await sleep(20);
  const [before, began] = [await read(), performance.now()];
  let [controllerCpu, workersCpu] = [0, 0];
  let over = false;
  void ended.then(() => (over = true));
  while (!over) {
    try {
      // what a browser took is gone with it
      controllerCpu = Math.max(controllerCpu, cpuOf(crawl.pid));
      workersCpu = Math.max(
        workersCpu,
        lent.reduce((sum, { pid }) => sum + cpuOf(pid), 0),
      );
    } catch {
      // it has just ended
    }
    await sleep(50);
  }
  const [time, after] = [(performance.now() - began) / 1000, await read()];
  const lines = readFileSync(join(base, `out-${workers}`, 'pages.jsonl'), 'utf8')
    .trim()
    .split('\n').length;
  const redisCpu = after.used_cpu_user + after.used_cpu_sys - before.used_cpu_user - before.used_cpu_sys;
  for (const child of lent) child.kill('SIGTERM');
  await Promise.all(lent.map((child) => (child.exitCode === null ? once(child, 'exit') : null)));
  client.disconnect();
  redis.kill();
  await once(redis, 'exit');
  const perVisit = (seconds) => ((seconds * 1000) / lines).toFixed(2).padStart(6);
  console.log(
    `${String(workers).padStart(2)} workers  ${lines} pages  ${time.toFixed(1).padStart(5)} s  ${(lines / time).toFixed(0).padStart(4)}/s` +
      `  ms of processor a page: Redis ${perVisit(redisCpu)}  controller ${perVisit(controllerCpu)}  workers ${perVisit(workersCpu)}` +
      `  load ${loadavg()[0].toFixed(1)}`,
  );
}

const asked = process.argv.slice(2).map(Number);
for (const workers of asked.length > 0 ? asked : [0, 1, 2, 4]) await measure(workers);
for (const server of servers) server.close();
rmSync(base, { recursive: true, force: true });
process.exit(0);
