// What does a known URL cost in Redis, and what do a settlement with 50 links and a lease cost of its processor time?
// Fixed work: a few big and many small hosts, seeded; URLs are admitted, then pages are leased and settled with 50 links
// each, half of them new and four of five of the same host. Redis' time is that of its processor (INFO cpu), so that a loaded
// machine disturbs it little.
//
// At the end one site is crawled: leases and settlements with 60 links, and the journal of them read.
//
//     npm run build && node test/bench/frontier.mjs [URLs, default 100000] [parts of a page of that site, default 70]
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { silentLog } from '../../dist/src/base/log.js';
import { seededRandom } from '../../dist/src/base/random.js';
import { TOTAL_CREDIT } from '../../dist/src/base/units.js';
import { openFrontier } from '../../dist/src/frontier/redis-frontier.js';
import { connectRedis } from '../../dist/src/redis/connect.js';
import { keySpace } from '../../dist/src/redis/key-space.js';
import { startPrivateRedis } from '../../dist/src/redis/private-server.js';

const URLS = Number(process.argv[2] ?? 100_000);
const LINKS = 50;
const random = seededRandom(1);
const { signal } = new AbortController();

const stateFolder = await mkdtemp(join(tmpdir(), 'orbweaver-bench-'));
const server = await startPrivateRedis({ stateFolder, searchPath: process.env.PATH ?? '', log: silentLog }, signal);
const { client, ...connection } = await connectRedis({ kind: 'socket', path: server.socketPath }, silentLog, signal);
const frontier = await openFrontier({ client, keys: keySpace('bench-frontier'), books: 'new' });

/** Host sizes after libraries.md, section 5: the largest has some 4 % of all URLs, the median some dozens. */
const hosts = Math.max(4, Math.round(URLS / 50));
const PAGES = Math.min(1000, Math.floor(hosts / 4));
const hostOf = () => Math.floor(hosts * random() ** 3);
let made = 0;
const newUrl = (origin = `https://www.host-${hostOf()}.example`) => {
  made += 1;
  return `${origin}/section-${made % 97}/a-title-of-usual-length-${made}`;
};
const candidate = (url, referrer = null) => ({
  url,
  depth: 2,
  redirects: 0,
  hops: 0,
  referrer,
  kind: 'anchor',
  confidence: 'high',
});

async function memory() {
  return Number(/used_memory:(\d+)/.exec(await client.info('memory'))[1]);
}

/** Processor time of Redis' main thread, in microseconds. */
async function processorTime() {
  const cpu = await client.info('cpu');
  return (
    1e6 *
    [...cpu.matchAll(/used_cpu_(?:user|sys)_main_thread:([\d.]+)/g)].reduce((sum, [, time]) => sum + Number(time), 0)
  );
}

async function measured(name, count, work) {
  const [usec, start] = [await processorTime(), performance.now()];
  await work();
  const spent = (await processorTime()) - usec;
  const wall = performance.now() - start;
  console.log(
    `${name}: ${(spent / count).toFixed(1)} us of Redis, ${((wall / count) * 1000).toFixed(1)} us of wall time each (${count})`,
  );
}

const empty = await memory();
const known = [];
await measured('admit one URL', URLS, async () => {
  for (let done = 0; done < URLS; done += 500) {
    const urls = Array.from({ length: Math.min(500, URLS - done) }, newUrl);
    known.push(...urls);
    await frontier.admit(
      // as pages bring them: fifty links of each
      urls.map((url, index) => candidate(url, `https://www.host-1.example/from-page-${done + index - (index % 50)}`)),
      [],
      1e12,
    );
  }
});
console.log(`memory: ${(((await memory()) - empty) / URLS).toFixed(1)} bytes a queued URL, ${hosts} hosts`);

const visits = [];
await measured('lease one URL', PAGES, async () => {
  for (let now = 1e12; visits.length < PAGES; now += 1000) {
    const reply = await frontier.lease({ now, count: 1, leaseFor: 1e9, newHostDelay: 1000 });
    if (reply.kind === 'leased') visits.push(...reply.visits);
  }
});

const byHost = new Map();
for (const url of known) {
  const host = new URL(url).origin;
  const urls = byHost.get(host);
  if (urls === undefined) byHost.set(host, [url]);
  else urls.push(url);
}
const knownOf = (host) => {
  const urls = host === undefined ? known : (byHost.get(host) ?? []);
  return urls[Math.floor(random() * urls.length)];
};
const record = { url: '', links: { found: LINKS, new: 0 }, credit: null };
const settlements = visits.map((visit) => ({
  ending: { kind: 'visited', record },
  links: Array.from({ length: LINKS }, (_, index) => {
    // Four of five links stay on the host; half are new, the others known and queued.
    const own = index % 5 !== 0;
    const to = index % 2 === 0 ? newUrl(own ? visit.host : undefined) : (own && knownOf(visit.host)) || knownOf();
    return { record: { from: visit.url, to }, target: { kind: 'candidate', candidate: candidate(to, visit.url) } };
  }),
  hostDelay: 1000,
  hostSlots: 1,
  hostBackoff: null,
  hostBackoffMost: null,
  serverTime: null,
  novelty: null,
  newSeeds: [],
}));
await measured(`settle a page with ${LINKS} links`, PAGES, async () => {
  for (const [index, visit] of visits.entries()) await frontier.settle(visit, settlements[index], 2e12);
});

/** One site, crawled: every page links to 60 pages of it, and names 70 parts like a shop does. */
const PARTS = Number(process.argv[3] ?? 70);
const SITE = 3000;
const site = 'https://one.example';
const pageAt = (index) => `${site}/section-${index % 97}/a-title-of-usual-length-${index}`;
const one = await openFrontier({ client, keys: keySpace('bench-one-host'), books: 'new' });
await one.admit([{ ...candidate(pageAt(0)), kind: 'seed' }], [], 1e12);
const edge = (from, to, kind) => ({
  from,
  to,
  href: to.slice(site.length),
  kind,
  confidence: 'high',
  context: 'a/@href',
  stage: 'load',
  frame: null,
  text: 'A title of usual length',
  rel: [],
});
const spent = { lease: 0, settle: 0, node: 0, wall: 0 };
const VISITS = 1500;
for (let visit = 0; visit < VISITS; visit += 1) {
  const before = await processorTime();
  const reply = await one.lease({ now: 1e12 + visit, count: 1, leaseFor: 1e9, newHostDelay: 0 });
  const between = await processorTime();
  const [leased] = reply.visits;
  const links = [
    ...Array.from({ length: 60 }, () => pageAt(Math.floor(SITE * random()))).map((to) => ({
      record: edge(leased.url, to, 'anchor'),
      target: { kind: 'candidate', candidate: candidate(to, leased.url) },
    })),
    ...Array.from({ length: PARTS }, (_, index) => ({
      record: edge(leased.url, `${site}/img/${visit}-${index}.png`, 'resource'),
      target: { kind: 'part' },
    })),
  ];
  const [begin, cpu] = [performance.now(), process.cpuUsage()];
  await one.settle(
    leased,
    {
      ending: { kind: 'visited', record: { ...record, digest: null } },
      links,
      hostDelay: 0,
      hostSlots: 4,
      hostBackoff: null,
      hostBackoffMost: null,
      serverTime: null,
      novelty: null,
      newSeeds: [],
    },
    1e12 + visit,
  );
  const { user, system } = process.cpuUsage(cpu);
  spent.wall += performance.now() - begin;
  spent.lease += between - before;
  spent.settle += (await processorTime()) - between;
  spent.node += user + system;
}
const each = (figure) => (figure / VISITS).toFixed(1);
console.log(
  `one host: lease ${each(spent.lease)} us of Redis; settle with 60 links and ${PARTS} parts ${each(spent.settle)} us of Redis, ${each(spent.node)} us of Node, ${each(spent.wall * 1000)} us of wall time (${VISITS})`,
);
const [pumpCpu, pumpStart] = [process.cpuUsage(), performance.now()];
for (let done = 0; ;) {
  const stretch = await one.journal(100);
  if (stretch.entries.length === 0) break;
  done = stretch.upTo;
  await one.journalWritten({ upTo: done, lengths: {} });
}
const pump = process.cpuUsage(pumpCpu);
console.log(
  `one host: reading the journal ${each(pump.user + pump.system)} us of Node, ${each((performance.now() - pumpStart) * 1000)} us of wall time a page`,
);

const start = performance.now();
const sum = await frontier.audit();
console.log(`audit: ${sum === TOTAL_CREDIT ? 'exact' : `WRONG, ${sum}`}, ${(performance.now() - start).toFixed(0)} ms`);
console.log(
  `load average ${loadavg()
    .map((load) => load.toFixed(1))
    .join(' ')}`,
);

await connection[Symbol.asyncDispose]();
await server[Symbol.asyncDispose]();
await rm(stateFolder, { recursive: true });
