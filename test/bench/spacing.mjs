// Tests that the pauses between two visits of a host are kept, whichever process visits it, by the server's own log.
// Fixed work: that many visits of 20 hosts on loopback by 4 processes, each with its own dispatcher over one
// frontier (spacing/worker.mjs: no browser, one request a visit, answers of 0 to 20 ms). One visit in fifty is throttled; one
// process is killed in the middle, and another one takes its place.
//
//     npm run build && node test/bench/spacing.mjs [visits, default 10000] [delay in ms, default 100]
//
// 10,000 visits take about a minute at 100 ms. Exit code 1 if a gap is shorter than the delay - 5 ms.
import { fork } from 'node:child_process';
import { createServer } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { silentLog } from '../../dist/src/base/log.js';
import { seededRandom } from '../../dist/src/base/random.js';
import { openFrontier } from '../../dist/src/frontier/open-frontier.js';
import { connectRedis } from '../../dist/src/redis/connect.js';
import { keySpace } from '../../dist/src/redis/key-space.js';
import { startPrivateRedis } from '../../dist/src/redis/private-server.js';

const VISITS = Number(process.argv[2] ?? 10_000);
const DELAY = Number(process.argv[3] ?? 100);
const HOSTS = 20;
const PROCESSES = 4;
/** Milliseconds: timers fire a little early, and the log has the arrival of a request. */
const TOLERANCE = 5;
/** A killed process leaves its leases behind; their hosts rest until the leases end. */
const LEASE_FOR = 2000;
const { signal } = new AbortController();

const random = seededRandom(1);
/** host → times of requests, in ms since the start. */
const log = new Map();
let asked = 0;
const server = createServer((request, response) => {
  const at = performance.now();
  const host = request.headers.host ?? '';
  const moments = log.get(host) ?? [];
  log.set(host, moments);
  moments.push(at);
  asked += 1;
  const throttled = asked % 50 === 0;
  setTimeout(() => {
    response.writeHead(throttled ? 429 : 200, { 'content-type': 'text/html' });
    response.end('<title>page</title>');
  }, random() * 20);
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address();

const stateFolder = await mkdtemp(join(tmpdir(), 'orbweaver-bench-'));
const redis = await startPrivateRedis({ stateFolder, searchPath: process.env.PATH ?? '', log: silentLog }, signal);
const { client, ...connection } = await connectRedis({ kind: 'socket', path: redis.socketPath }, silentLog, signal);
const frontier = await openFrontier({ client, keys: keySpace('bench-spacing'), state: 'new' });
const urls = Array.from(
  { length: VISITS },
  (_, index) => `http://h${index % HOSTS}.localhost:${port}/p${Math.floor(index / HOSTS)}`,
);
const known = { redirects: 0, hops: 0, referrer: null, kind: 'anchor', confidence: 'high', depth: 0 };
await frontier.admit(
  urls.map((url) => ({ ...known, url })),
  [],
  Date.now(),
);

const load = loadavg()[0];
const began = performance.now();
const start = () =>
  fork(join(import.meta.dirname, 'spacing/worker.mjs'), [redis.socketPath, String(DELAY), String(LEASE_FOR)]);
const ended = (worker) => new Promise((resolve) => worker.once('exit', resolve));
const workers = Array.from({ length: PROCESSES }, start);
const victim = workers[0];
const replaced = new Promise((resolve) => {
  const watch = setInterval(() => {
    if (asked < VISITS / 2) return;
    clearInterval(watch);
    victim.kill('SIGKILL');
    resolve(ended(start()));
  }, 50);
});
await Promise.all([...workers.map(ended), replaced]);
const took = (performance.now() - began) / 1000;

const gaps = [...log.values()].flatMap((moments) => moments.slice(1).map((at, index) => at - moments[index]));
gaps.sort((one, other) => one - other);
const short = gaps.filter((gap) => gap < DELAY - TOLERANCE).length;
const { visited, queued, leased } = await frontier.totals();
const at = (share) => gaps[Math.floor(gaps.length * share)]?.toFixed(1);
console.log(
  `${log.size} hosts, ${PROCESSES} processes, one of them killed: ${visited} visits (${queued + leased} left), ${asked} requests in ${took.toFixed(1)} s (load ${load?.toFixed(1)})`,
);
console.log(
  `delay ${DELAY} ms: gaps least ${at(0)} ms, 1 % ${at(0.01)} ms, median ${at(0.5)} ms, most ${gaps.at(-1)?.toFixed(1)} ms`,
);
console.log(`${short} of ${gaps.length} gaps shorter than ${DELAY - TOLERANCE} ms`);
if (short > 0 || visited !== VISITS) process.exitCode = 1;

await connection[Symbol.asyncDispose]();
await redis[Symbol.asyncDispose]();
server.closeAllConnections();
server.close();
await rm(stateFolder, { recursive: true, force: true });
