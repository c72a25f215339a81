// Measures the memory of a known URL in Redis, and the processor time of Redis and node for a lease and for a commit with 50 links,
// with ever more known URLs. README.md describes the figures.
//
//     npm run build && node test/bench/frontier.mjs [--sizes 10000,100000,1000000] [--pages 400] [--one-site] [--seen 1000000]
//          [--mixes commit,known,navigation,none] [--build <dist>]
//
// --sizes 10000000 takes some 15 minutes and 2 GB.
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const { values: flags } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10000,100000,1000000' },
    pages: { type: 'string', default: '400' },
    seen: { type: 'string', default: '1000000' },
    mixes: { type: 'string', default: 'commit,known,navigation,none' },
    'one-site': { type: 'boolean', default: false },
    build: { type: 'string', default: 'dist' },
  },
});
const built = (path) => import(pathToFileURL(resolve(flags.build, 'src', path)).href);
const { silentLog } = await built('base/log.js');
const { seededRandom } = await built('base/random.js');
const { TOTAL_CREDIT } = await built('base/units.js');
const { openFrontier } = await built('frontier/open-frontier.js');
const { connectRedis } = await built('redis/connect.js');
const { keySpace } = await built('redis/key-space.js');
const { startPrivateRedis } = await built('redis/private-server.js');
const SIZES = flags.sizes.split(',').map(Number);
const PAGES = Number(flags.pages);
const LINKS = 50;
/** Operations measured together: INFO cpu is precise enough for that many. */
const CHUNK = 20;
const { signal } = new AbortController();

const bench = await openBench();

/** A private server with one frontier that grows from size to size. */
async function openBench() {
  const stateFolder = await mkdtemp(join(tmpdir(), 'orbweaver-bench-'));
  const server = await startPrivateRedis({ stateFolder, searchPath: process.env.PATH ?? '', log: silentLog }, signal);
  const { client, ...connection } = await connectRedis({ kind: 'socket', path: server.socketPath }, silentLog, signal);
  const frontier = await openFrontier({ client, keys: keySpace('bench-frontier'), state: 'new' });
  const empty = await usedMemory(client);
  return {
    client,
    frontier,
    empty,
    random: seededRandom(1),
    known: [],
    byHost: new Map(),
    made: 0,
    hosts: 0,
    now: 1e12,
    async close() {
      await connection[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      await rm(stateFolder, { recursive: true });
    },
  };
}

async function usedMemory(client) {
  return Number(/used_memory:(\d+)/.exec(await client.info('memory'))[1]);
}

/** Processor time of Redis' main thread, in microseconds. */
async function processorTime(client = bench.client) {
  const cpu = await client.info('cpu');
  const parts = [...cpu.matchAll(/used_cpu_(?:user|sys)_main_thread:([\d.]+)/g)];
  return 1e6 * parts.reduce((sum, [, time]) => sum + Number(time), 0);
}

/** Runs a piece of work and adds its processor time per operation to the figures. */
async function counted(figures, operations, work) {
  const [redis, node] = [await processorTime(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(node);
  figures.redis.push(((await processorTime()) - redis) / operations);
  figures.node.push((user + system) / operations);
}

const noFigures = () => ({ redis: [], node: [] });
const quantile = (figures, part) => figures.toSorted((a, b) => a - b)[Math.floor(part * (figures.length - 1))];

/**
 * Fixed work: few big and many small hosts (design/scheduling, "Memory of a URL"): the largest has some 4 % of all URLs, the
 * median some dozens.
 */
function newUrl(origin = `https://www.host-${Math.floor(bench.hosts * bench.random() ** 3)}.example`) {
  bench.made += 1;
  return `${origin}/section-${bench.made % 97}/a-title-of-usual-length-${bench.made}`;
}

function keep(url) {
  const host = url.slice(0, url.indexOf('/', 8));
  const urls = bench.byHost.get(host);
  if (urls === undefined) bench.byHost.set(host, [bench.known.length]);
  else urls.push(bench.known.length);
  bench.known.push(url);
}

function knownUrl(host) {
  const own = host === undefined ? undefined : bench.byHost.get(host);
  if (own === undefined) return bench.known[Math.floor(bench.random() * bench.known.length)];
  return bench.known[own[Math.floor(bench.random() * own.length)]];
}

function candidate(url, referrer = null) {
  return { url, depth: 2, redirects: 0, hops: 0, referrer, kind: 'anchor', confidence: 'high' };
}

async function growTo(size) {
  bench.hosts = Math.max(4, Math.round(size / 50));
  const figures = { size, ping: noFigures(), admit: noFigures(), lease: noFigures(), ...commitFigures() };
  while (bench.known.length < size) {
    const urls = Array.from({ length: Math.min(500, size - bench.known.length) }, () => newUrl());
    urls.forEach(keep);
    // as pages report them: fifty links of each page
    const told = urls.map((url, index) =>
      candidate(url, `https://www.host-1.example/from-page-${bench.made + index - (index % LINKS)}`),
    );
    await counted(figures.admit, urls.length, () => bench.frontier.admit(told, [], bench.now));
  }
  await forgetJournal(bench.frontier);
  const { queued } = await bench.frontier.totals();
  figures.memory = ((await usedMemory(bench.client)) - bench.empty) / queued;
  // an unmeasured lease first: Redis then looks at the hosts that have become due
  await leased(1).then(([visit]) => bench.frontier.release(visit.token, bench.now));
  for (let done = 0; done < PAGES; done += CHUNK) {
    await counted(figures.ping, CHUNK, async () => {
      for (let number = 0; number < CHUNK; number += 1) await bench.client.ping();
    });
    for (const name of flags.mixes.split(',')) {
      const visits = [];
      await counted(figures.lease, CHUNK, async () => visits.push(...(await leased(CHUNK))));
      const commits = visits.map((visit) => visitCommitOf(visit, LINKS_OF[name]));
      await counted(figures[name], CHUNK, async () => {
        for (const [index, visit] of visits.entries()) await bench.frontier.commit(visit, commits[index], bench.now);
      });
    }
  }
  return figures;
}

/** Drops the pages of the size before: records that wait for the disk are no part of the frontier. */
async function forgetJournal(frontier) {
  for (;;) {
    const { upTo, entries } = await frontier.journal(100);
    if (entries.length === 0) return;
    await frontier.journalWritten({ upTo, lengths: {} });
  }
}

async function leased(count) {
  const visits = [];
  while (visits.length < count) {
    bench.now += 100;
    const reply = await bench.frontier.lease({ now: bench.now, count: 1, leaseFor: 1e9, newHostDelay: 1000 });
    if (reply.kind === 'leased') visits.push(...reply.visits);
  }
  return visits;
}

const record = { url: '', links: { found: LINKS, new: 0 }, credit: null };
const politely = { hostDelay: 1000, hostSlots: 1, hostBackoff: null, hostBackoffMost: null, serverTime: null };
const otherwise = { novelty: null, newSeeds: [] };

/** The links of one visit. Four of five stay on the host. */
const LINKS_OF = {
  /** Half of the links are new, the others known, almost all of them queued. */
  commit: ({ host }) => fiftyLinks(host, (index, on) => (index % 2 === 0 ? newUrl(on) : knownUrl(on))),
  known: ({ host }) => fiftyLinks(host, (_, on) => knownUrl(on)),
  /** Links of a navigation: the same on all pages of a host. */
  navigation: ({ host }) => navigationOf(host),
  none: () => [],
};

const commitFigures = () => Object.fromEntries(flags.mixes.split(',').map((name) => [name, noFigures()]));

/** Fifty different URLs: a host that has too few takes some of other hosts. */
function fiftyLinks(host, urlOf) {
  const urls = new Set();
  for (let tries = 0; urls.size < LINKS; tries += 1) {
    const on = urls.size % 5 === 0 || tries > 2 * LINKS ? undefined : host;
    urls.add(urlOf(urls.size, on));
  }
  return [...urls];
}

const navigations = new Map();

function navigationOf(host) {
  if (!navigations.has(host))
    navigations.set(
      host,
      fiftyLinks(host, (_, on) => knownUrl(on)),
    );
  return navigations.get(host);
}

function visitCommitOf(visit, linksOf) {
  const links = linksOf(visit).map((to) => ({
    record: { from: visit.url, to },
    target: { kind: 'candidate', candidate: candidate(to, visit.url) },
  }));
  return { disposition: { kind: 'visited', record }, links, ...politely, ...otherwise };
}

function show({ size, memory, ...operations }) {
  const texts = Object.entries(operations).map(([name, { redis, node }]) => {
    const [least, median] = [quantile(redis, 0), quantile(redis, 0.5)].map((figure) => figure.toFixed(0));
    return `${name} ${median} us of Redis (least ${least}), ${quantile(node, 0.5).toFixed(0)} us of node`;
  });
  console.log(`${size} URLs, ${bench.hosts} hosts: ${memory.toFixed(1)} bytes a URL; ${texts.join('; ')}`);
}

/** Crawls one site: every page links to 60 of its 3,000 pages, and to 70 parts as a shop does. */
async function oneSite() {
  const [visits, parts, pages] = [1500, 70, 3000];
  const site = 'https://one.example';
  const pageAt = (index) => `${site}/section-${index % 97}/a-title-of-usual-length-${index}`;
  const one = await openFrontier({ client: bench.client, keys: keySpace('bench-one-host'), state: 'new' });
  await one.admit([{ ...candidate(pageAt(0)), kind: 'seed' }], [], 1e12);
  const figures = { lease: noFigures(), commit: noFigures() };
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
  for (let number = 0; number < visits; number += 1) {
    let visit;
    await counted(figures.lease, 1, async () => {
      const reply = await one.lease({ now: 1e12 + number, count: 1, leaseFor: 1e9, newHostDelay: 0 });
      [visit] = reply.visits;
    });
    const to = Array.from({ length: 60 }, () => pageAt(Math.floor(pages * bench.random())));
    const anchors = to.map((url) => ({
      record: edge(visit.url, url, 'anchor'),
      target: { kind: 'candidate', candidate: candidate(url, visit.url) },
    }));
    const images = Array.from({ length: parts }, (_, index) => ({
      record: edge(visit.url, `${site}/img/${number}-${index}.png`, 'resource'),
      target: { kind: 'subresource' },
    }));
    const disposition = { kind: 'visited', record: { ...record, digest: null } };
    const commit = {
      disposition,
      links: [...anchors, ...images],
      ...politely,
      hostDelay: 0,
      hostSlots: 4,
      ...otherwise,
    };
    await counted(figures.commit, 1, () => one.commit(visit, commit, 1e12 + number));
  }
  for (const [name, { redis, node }] of Object.entries(figures)) {
    console.log(
      `one site, ${name}: ${quantile(redis, 0.5).toFixed(0)} us of Redis, ${quantile(node, 0.5).toFixed(0)} us of node (${visits})`,
    );
  }
  const pump = process.cpuUsage();
  await forgetJournal(one);
  const { user, system } = process.cpuUsage(pump);
  console.log(`one site, reading the journal: ${((user + system) / visits).toFixed(0)} us of node a page`);
}

/** Bytes a URL of the set of ended URLs: skips `count` URLs and forgets their lines. */
async function seenAlone(count) {
  const own = await openFrontier({ client: bench.client, keys: keySpace('bench-seen'), state: 'new' });
  const before = await usedMemory(bench.client);
  for (let done = 0; done < count; done += 1000) {
    const skipped = Array.from({ length: 1000 }, (_, index) => ({
      url: `https://gone.example/${done + index}`,
      reason: 'out-of-scope',
      rule: '/',
      referrer: null,
    }));
    await own.admit([], skipped, 1e12);
    const { upTo } = await own.journal(10);
    await own.journalWritten({ upTo, lengths: {} });
  }
  return ((await usedMemory(bench.client)) - before) / count;
}

try {
  for (const size of SIZES) {
    show(await growTo(size));
  }
  if (flags['one-site']) await oneSite();
  const seen = Number(flags.seen);
  if (seen > 0) console.log(`seen set alone, ${seen}: ${(await seenAlone(seen)).toFixed(1)} bytes a URL`);
  const sum = await bench.frontier.audit();
  console.log(`audit: ${sum === TOTAL_CREDIT ? 'exact' : `WRONG, ${sum}`}`);
  console.log(
    `load average ${loadavg()
      .map((load) => load.toFixed(1))
      .join(' ')}`,
  );
} finally {
  await bench.close();
}
