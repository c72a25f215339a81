// Measures the cost of one crawl on one Redis, and its speed by the number of workers. Fixed work: HOSTS hosts on loopback addresses with PAGES
// pages each, no delay, no browser (--render never), to measure frontier, queue and processes without Chromium. Processor time varies least on a
// busy machine: it counts a process and all its descendants, browsers included. Usage: node test/bench/workers.mjs [workers…], after
// `npm run build`; needs redis-server. NODES=3 runs the crawl on a Redis Cluster of 3 nodes; CROSS: links of a page to other hosts;
// RENDER=always renders the pages; HOSTS and PAGES: their numbers; SLOTS: visits of a process at a time, or auto;
// DELAY: pause of a host; OWN=1: the controller makes visits, too, beside workers; BUILD: another dist.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { processTree, processUse } from '../../dist/src/base/process/process-memory.js';

const HOSTS = Number(process.env.HOSTS ?? 24);
const PAGES = Number(process.env.PAGES ?? 40);
const LINKS = 20;
const CROSS = Number(process.env.CROSS ?? 0);
const NODES = Number(process.env.NODES ?? 1);
const RENDER = process.env.RENDER ?? 'never';
const SLOTS = process.env.SLOTS ?? '4';
const OWN_SLOTS = SLOTS === 'auto' ? [] : ['-w', SLOTS];
const DELAY = process.env.DELAY === undefined ? [] : ['--delay', process.env.DELAY];
const MAIN = join(
  resolve(process.env.BUILD ?? fileURLToPath(new URL('../../dist', import.meta.url))),
  'bin/orbweaver.js', // bundled, as users run it: to load the modules one by one costs each process more than a second
);
const [HTTP, REDIS] = [8961, 6391];

const base = mkdtempSync(join(tmpdir(), 'orbweaver-bench-'));
const addresses = Array.from({ length: HOSTS }, (_, index) => `127.0.1.${index + 1}`);
const servers = addresses.map((address) =>
  createServer((request, response) => {
    const number = request.url === '/' ? 0 : Number(/^\/p(\d+)\.html$/.exec(request.url ?? '')?.[1] ?? NaN);
    if (Number.isNaN(number)) return void response.writeHead(404).end();
    const words = Array.from({ length: 80 }, (_, index) => `w${(number * 37 + index * 101) % 9973}`).join(' ');
    const links = Array.from({ length: LINKS }, (_, index) => {
      const other = addresses[(addresses.indexOf(address) + 1 + index) % HOSTS];
      const base = index < CROSS ? `http://${other}:${HTTP}` : '';
      return `<a href="${base}/p${(number * LINKS + index + 1) % PAGES}.html">l</a>`;
    });
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<!doctype html><title>${address} ${number}</title><p>${words} ${address}</p>${links.join('')}`);
  }).listen(HTTP, address),
);
await Promise.all(servers.map((server) => once(server, 'listening')));

/** Processor time of processes and their descendants, as last seen of each: the time of an ended renderer stays. */
class ProcessorMeter {
  #ticks = new Map();

  look(pids) {
    for (const pid of pids)
      for (const each of processTree(pid, () => false)) {
        const use = processUse(each);
        if (use !== null && use.ticks > 0) this.#ticks.set(each, use.ticks);
      }
  }

  get seconds() {
    return [...this.#ticks.values()].reduce((sum, ticks) => sum + ticks / 100, 0);
  }

  /** Processes seen so far. */
  get seen() {
    return this.#ticks.size;
  }
}

/** Starts Redis servers, and joins several to a cluster. */
async function startServers() {
  const ports = Array.from({ length: NODES }, (_, index) => REDIS + index);
  const common = ['--save', '', '--appendonly', 'no', '--bind', '127.0.0.1'];
  const servers = ports.map((port) => {
    const cluster = [
      '--cluster-enabled',
      'yes',
      '--cluster-port',
      String(port + 100),
      '--cluster-config-file',
      join(base, `${port}.conf`),
    ];
    return startProgram('redis-server', ['--port', String(port), ...common, ...(NODES > 1 ? cluster : [])], {
      stdio: 'ignore',
    });
  });
  await sleep(500);
  const clients = ports.map((port) => new Redis(port, '127.0.0.1'));
  if (NODES > 1) {
    for (const [index, client] of clients.entries()) {
      await client.call('CLUSTER', 'RESET', 'HARD');
      await client.call('CLUSTER', 'SET-CONFIG-EPOCH', String(index + 1));
      const [from, to] = [index, index + 1].map((at) => Math.floor((at * 16384) / NODES));
      await client.call('CLUSTER', 'ADDSLOTSRANGE', String(from), String(to - 1));
      await clients[0].call('CLUSTER', 'MEET', '127.0.0.1', String(ports[index]), String(ports[index] + 100));
    }
    for (const client of clients)
      while (!/cluster_state:ok/.test(await client.call('CLUSTER', 'INFO'))) await sleep(50);
  }
  const end = async () => {
    for (const client of clients) client.disconnect();
    for (const server of servers) {
      server.kill();
      await once(server, 'exit');
    }
  };
  return { clients, end };
}

/** What runs now; a bench that is broken off leaves no worker that would join the crawl of the next one. */
const started = new Set();
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    for (const child of started) child.kill('SIGKILL');
    process.exit(1);
  });

/** Starts a program, which is ended with this one. */
function startProgram(...words) {
  const child = spawn(...words);
  started.add(child);
  child.once('exit', () => started.delete(child));
  return child;
}

let runs = 0;
async function measure(workers) {
  const out = `out-${(runs += 1)}`;
  const { clients, end } = await startServers();
  const url = `redis://127.0.0.1:${REDIS}`;
  const there = ['--redis', url, ...(NODES > 1 ? ['--redis-cluster'] : [])];
  const start = (...words) => startProgram(process.execPath, [MAIN, ...words], { cwd: base, stdio: 'ignore' });
  const lent = Array.from({ length: workers }, () => start('worker', ...there, '--crawl', '*', ...OWN_SLOTS));
  const own = workers === 0 || process.env.OWN === '1' ? OWN_SLOTS : ['-w', '0'];
  const seeds = addresses.map((address) => `http://${address}:${HTTP}/`);
  const common = [
    '--render',
    RENDER,
    '--snapshot',
    'none',
    '--no-robots',
    '--no-sitemap',
    '--quiet',
    '--keep-state',
    ...DELAY,
  ];
  const began = performance.now();
  const crawl = start('crawl', ...seeds, ...there, ...own, '-o', out, ...common);
  const ended = once(crawl, 'exit');
  const read = () =>
    Promise.all(
      clients.map(async (client) => {
        const figures = [...(await client.info('all')).matchAll(/^(used_cpu_(?:user|sys)):([\d.]+)\r?$/gm)];
        return figures.reduce((sum, [, , value]) => sum + Number(value), 0);
      }),
    );
  const hasBegun = async () => (await Promise.all(clients.map((client) => client.keys('*:f:state')))).flat().length > 0;
  while (!(await hasBegun())) await sleep(20);
  const before = await read();
  const [controller, others] = [new ProcessorMeter(), new ProcessorMeter()];
  let over = false;
  void ended.then(() => (over = true));
  while (!over) {
    controller.look([crawl.pid]);
    others.look(lent.map(({ pid }) => pid));
    await Promise.race([ended, sleep(500)]); // looking at all processes costs some 5 ms for each browser
  }
  const [time, after] = [(performance.now() - began) / 1000, await read()];
  const lines = readFileSync(join(base, out, 'pages.jsonl'), 'utf8')
    .trim()
    .split('\n').length;
  const redisCpu = after.map((seconds, index) => seconds - before[index]);
  for (const child of lent) child.kill('SIGTERM');
  await Promise.all(lent.map((child) => (child.exitCode === null ? once(child, 'exit') : null)));
  await end();
  const perVisit = (seconds) => ((seconds * 1000) / lines).toFixed(2).padStart(6);
  console.log(
    `${String(workers).padStart(2)} workers  ${lines} pages  ${time.toFixed(1).padStart(5)} s  ${(lines / time).toFixed(0).padStart(4)}/s` +
      `  ms of processor a page: Redis ${redisCpu.map(perVisit).join(' +')}  controller ${perVisit(controller.seconds)}  workers ${perVisit(others.seconds)}` +
      `  processes ${controller.seen + others.seen}  load ${loadavg()[0].toFixed(1)}`,
  );
}

const asked = process.argv.slice(2).map(Number);
for (const workers of asked.length > 0 ? asked : [0, 1, 2, 4]) await measure(workers);
for (const server of servers) server.close();
rmSync(base, { recursive: true, force: true });
process.exit(0);
