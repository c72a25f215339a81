// Measures how many hosts a broad crawl opens in a second, and the cost of a host. HOSTS hosts on loopback addresses (127.0.0.0/8), one page each with
// links to FANOUT others; robots.txt is answered. No browser. Politeness as for any host: robots.txt first, the page after the delay.
// Usage: node test/bench/broad.mjs [hosts] [flags of crawl…], after `npm run build`; needs redis-server.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';

const [first, ...rest] = process.argv.slice(2);
const HOSTS = Number(first ?? 20_000);
const flags = rest.length > 0 ? rest : ['--delay', '1s'];
const FANOUT = 10;
/** Milliseconds until an answer, as of a distant server. */
const ANSWER = Number(process.env.ANSWER ?? 100);
const MAIN = fileURLToPath(new URL(`../../${process.env.BUILD ?? 'dist'}/src/cli/main.js`, import.meta.url));
const [HTTP, REDIS] = [Number(process.env.HTTP ?? 8963), Number(process.env.REDIS ?? 6393)];
/** The part of the run that the rate is measured over: without start and end. */
const [FROM, TO] = [0.1, 0.9];

const addressOf = (number) => `127.${1 + Math.floor(number / 65_536)}.${(number >> 8) & 255}.${number & 255}`;
const numberOf = (host) => {
  const [, a, b, c] = host.split(':')[0].split('.').map(Number);
  return (a - 1) * 65_536 + b * 256 + c;
};
const opened = new Map();
const pages = new Map();
let [open, mostOpen] = [0, 0];
const server = createServer((request, response) => {
  open += 1;
  mostOpen = Math.max(mostOpen, open);
  response.on('close', () => (open -= 1));
  const host = request.headers.host;
  const number = numberOf(host);
  if (!opened.has(host)) opened.set(host, performance.now());
  setTimeout(() => {
    if (request.url === '/robots.txt')
      return void response.writeHead(200, { 'content-type': 'text/plain' }).end('User-agent: *\nAllow: /\n');
    if (request.url !== '/') return void response.writeHead(404).end();
    pages.set(host, performance.now());
    const words = Array.from({ length: 60 }, (_, index) => `w${(number * 37 + index * 101) % 9973}`).join(' ');
    const links = Array.from(
      { length: FANOUT },
      (_, index) => `<a href="http://${addressOf((number * FANOUT + index + 1) % HOSTS)}:${HTTP}/">l</a>`,
    );
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<!doctype html><title>${number}</title><p>${words} ${host}</p>${links.join('')}`);
  }, ANSWER);
});
server.keepAliveTimeout = 1000;
server.listen(HTTP, '0.0.0.0', 4096);
await once(server, 'listening');

const base = mkdtempSync(join(tmpdir(), 'orbweaver-bench-'));
const redis = spawn('redis-server', ['--port', String(REDIS), '--save', '', '--appendonly', 'no'], { stdio: 'ignore' });
await sleep(500);
const client = new Redis(REDIS, '127.0.0.1');
const info = async () =>
  Object.fromEntries(
    [...(await client.info('all')).matchAll(/^(\w+):([\d.]+)\r?$/gm)].map(([, key, value]) => [key, Number(value)]),
  );
const before = await info();
const words = [
  '--redis',
  `redis://127.0.0.1:${REDIS}`,
  '--render',
  'never',
  '--snapshot',
  'none',
  '--no-sitemap',
  '--scope',
  'any',
];
const began = performance.now();
const crawl = spawn(
  process.execPath,
  [
    ...(process.env.NODE_ARGS ?? '').split(' ').filter(Boolean),
    MAIN,
    'crawl',
    `http://${addressOf(0)}:${HTTP}/`,
    ...words,
    '-o',
    'out',
    '--keep-state',
    '--quiet',
    '--allow-private',
    '127.0.0.0/8',
    ...flags,
  ],
  { cwd: base, stdio: ['ignore', 'inherit', 'inherit'] },
);
let [cpu, memory, over] = [0, 0, false];
void once(crawl, 'exit').then(() => (over = true));
while (!over) {
  try {
    const fields = readFileSync(`/proc/${crawl.pid}/stat`, 'utf8').split(') ')[1].split(' ');
    cpu = (Number(fields[11]) + Number(fields[12])) / 100;
    memory = Math.max(
      memory,
      Number(/VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${crawl.pid}/status`, 'utf8'))?.[1] ?? 0),
    );
  } catch {
    // the process has just ended
  }
  await sleep(50);
}
const time = (performance.now() - began) / 1000;
const after = await info();
const moments = [...opened.values()].sort((a, b) => a - b);
const at = (share) => moments[Math.min(moments.length - 1, Math.floor(moments.length * share))] ?? 0;
const rate = (moments.length * (TO - FROM)) / ((at(TO) - at(FROM)) / 1000);
const calls = Object.entries(after).filter(([key]) => key === 'total_commands_processed')[0]?.[1] ?? 0;
const per = (value) => Number((value / Math.max(1, opened.size)).toFixed(2));
console.log(
  JSON.stringify({
    hosts: opened.size,
    pages: pages.size,
    seconds: Number(time.toFixed(1)),
    openedPerSecond: Math.round(rate),
    mostOpenConnections: mostOpen,
    msOfNodePerHost: per(cpu * 1000),
    msOfRedisPerHost: per(
      (after.used_cpu_user + after.used_cpu_sys - before.used_cpu_user - before.used_cpu_sys) * 1000,
    ),
    callsPerHost: per(calls - before.total_commands_processed),
    nodePeakMb: Math.round(memory / 1024),
    redisBytesPerHost: Math.round((after.used_memory - before.used_memory) / Math.max(1, opened.size)),
    load: Number(loadavg()[0].toFixed(1)),
  }),
);
client.disconnect();
redis.kill();
server.closeAllConnections();
server.close();
if (process.env.KEEP === undefined) rmSync(base, { recursive: true, force: true });
else console.log(base);
process.exit(0);
