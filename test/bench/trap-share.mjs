// How much of a budget does a trap take? The eight shapes of one site: 3,000 good pages under 6 URL patterns with power-law
// targets and 8 links of navigation on every page, and a trap whose pages have 1, 30, 100 or 1,000 links to new ones, entered
// from one page or from the navigation; and 100 hosts of 100 pages with one link into the trap. Nothing is rendered: the real
// frontier is asked what to fetch next, and told what a page of the site has.
//
//     npm run build && node test/bench/trap-share.mjs [fetches of one site, default 1200] [fetches of 100 hosts, default 4000]
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../../dist/src/base/log.js';
import { seededRandom } from '../../dist/src/base/random.js';
import { TOTAL_CREDIT } from '../../dist/src/base/units.js';
import { openFrontier } from '../../dist/src/frontier/redis-frontier.js';
import { connectRedis } from '../../dist/src/redis/connect.js';
import { keySpace } from '../../dist/src/redis/key-space.js';
import { startPrivateRedis } from '../../dist/src/redis/private-server.js';

const ONE_SITE = Number(process.argv[2] ?? 1200);
const MANY_HOSTS = Number(process.argv[3] ?? 4000);
const { signal } = new AbortController();
const stateFolder = await mkdtemp(join(tmpdir(), 'orbweaver-bench-'));
const server = await startPrivateRedis({ stateFolder, searchPath: process.env.PATH ?? '', log: silentLog }, signal);
const { client, ...connection } = await connectRedis({ kind: 'socket', path: server.socketPath }, silentLog, signal);

const record = { url: '', outcome: 'captured', digest: null, links: { found: 0, new: 0, parts: 0 }, credit: null };
const candidate = (url, referrer, depth) => ({
  url,
  depth,
  redirects: 0,
  hops: 0,
  referrer,
  kind: referrer === null ? 'seed' : 'anchor',
  confidence: 'high',
});

/** Crawls what `linksOf` tells; @returns the share of the fetches that were of the trap */
async function trapShare(name, { seeds, linksOf, isTrap, fetches, budgets }) {
  const frontier = await openFrontier({ client, keys: keySpace(name), books: 'new', budgets });
  await frontier.admit(
    seeds.map((url) => candidate(url, null, 0)),
    [],
    1e12,
  );
  let [done, trapped] = [0, 0];
  for (; done < fetches; done += 1) {
    const reply = await frontier.lease({ now: 1e12 + done, count: 1, leaseFor: 1e9, newHostDelay: 0 });
    if (reply.kind !== 'leased') break;
    const [visit] = reply.visits;
    if (isTrap(visit.url)) trapped += 1;
    const links = linksOf(visit.url).map((to) => ({
      record: { from: visit.url, to },
      target: { kind: 'candidate', candidate: candidate(to, visit.url, visit.depth + 1) },
    }));
    const novelty = isTrap(visit.url) ? 'known' : 'new';
    const pace = { hostDelay: 0, hostSlots: 1, hostBackoff: null, hostBackoffMost: null, serverTime: null };
    const settlement = { ending: { kind: 'visited', record }, links, ...pace, novelty, newSeeds: [] };
    await frontier.settle(visit, settlement, 1e12 + done);
  }
  const sum = await frontier.audit();
  if (sum !== TOTAL_CREDIT) throw new Error(`credit was made or lost: ${sum}`);
  return { share: (100 * trapped) / done, done };
}

/** A trap page has so many links to new ones, numbered without end. */
function trapLinks(branching, origin) {
  let made = 0;
  return () => Array.from({ length: branching }, () => `${origin}/trap/${(made += 1)}`);
}

function oneSite(branching, entry) {
  const random = seededRandom(1);
  const origin = 'https://site.example';
  const pages = Array.from({ length: 3000 }, (_, index) => `${origin}/${'abcdef'[index % 6]}/${index}`);
  const navigation = [...pages.slice(0, 8), ...(entry === 'navigation' ? [`${origin}/trap/0`] : [])];
  const more = trapLinks(branching, origin);
  const targets = pages.map(() => Array.from({ length: 12 }, () => pages[Math.floor(3000 * random() ** 3)]));
  // every page can be reached from one before it
  for (let index = 8; index < 3000; index += 1) targets[Math.floor(index * random())].push(pages[index]);
  if (entry === 'one page') targets[0].push(`${origin}/trap/0`);
  return {
    seeds: [pages[0]],
    linksOf: (url) => [...navigation, ...(url.includes('/trap/') ? more() : targets[Number(url.split('/').pop())])],
    isTrap: (url) => url.includes('/trap/'),
    fetches: ONE_SITE,
  };
}

function manyHosts(branching) {
  const random = seededRandom(2);
  const page = (host, index) => `https://host-${host}.example/p/${index}`;
  const more = trapLinks(branching, 'https://trap.example');
  const targets = new Map();
  for (let host = 0; host < 100; host += 1) {
    for (let index = 0; index < 100; index += 1) {
      const links = Array.from({ length: 7 }, () =>
        random() < 0.8
          ? page(host, Math.floor(100 * random()))
          : page(Math.floor(100 * random()), Math.floor(100 * random())),
      );
      targets.set(page(host, index), links);
    }
    for (let index = 1; index < 100; index += 1)
      targets.get(page(host, Math.floor(index * random()))).push(page(host, index));
  }
  targets.get(page(0, 0)).push('https://trap.example/trap/0');
  return {
    seeds: Array.from({ length: 100 }, (_, host) => page(host, 0)),
    linksOf: (url) => targets.get(url) ?? more(),
    isTrap: (url) => url.startsWith('https://trap.example/'),
    fetches: MANY_HOSTS,
  };
}

const percent = ({ share, done }) => `${share.toFixed(1)} % of ${done}`;
for (const entry of ['one page', 'navigation']) {
  for (const branching of [1, 30, 100, 1000]) {
    const name = `bench-${entry.replace(' ', '-')}-${branching}`;
    const on = await trapShare(`${name}-on`, { ...oneSite(branching, entry), budgets: 'on' });
    const off = await trapShare(`${name}-off`, { ...oneSite(branching, entry), budgets: 'off' });
    console.log(
      `one site, trap of ${branching} new links a page from ${entry}: ${percent(on)} with budgets, ${percent(off)} by credit alone`,
    );
  }
}
for (const branching of [1, 100, 1000]) {
  const off = await trapShare(`bench-hosts-${branching}`, { ...manyHosts(branching), budgets: 'off' });
  console.log(`100 hosts, trap of ${branching} new links a page: ${percent(off)} by credit alone`);
}

await connection[Symbol.asyncDispose]();
await server[Symbol.asyncDispose]();
await rm(stateFolder, { recursive: true });
