// Crawls a site given as a function, without browser and network: asks the real frontier, in a Redis of its own, for the next URL
// and tells it the links of that page. For benchmarks of the order of visits.
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { silentLog } from '../../dist/src/base/log.js';
import { TOTAL_CREDIT } from '../../dist/src/base/units.js';
import { openFrontier } from '../../dist/src/frontier/open-frontier.js';
import { connectRedis } from '../../dist/src/redis/connect.js';
import { keySpace } from '../../dist/src/redis/key-space.js';
import { startPrivateRedis } from '../../dist/src/redis/private-server.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Edits of a copy of the program's Lua scripts, for comparisons that the program has no switch for: file, old text, new text. */
export const VARIANTS = {
  /** No pattern gets a queue of its own, so credit is paid to pages, not to patterns. */
  pages: [
    ['includes/pattern.lua', /^(\s*local FIRST_PAGES =) \d+$/m, '$1 1e9'],
    ['includes/credit.lua', /return math\.min\(host\.members, .*$/m, 'return host.members'],
  ],
  /**
   * The first version of the frontier: ended URLs get a share, too, and lambda pays out everything when it holds an eighth of all
   * credit.
   */
  reference: [
    ['includes/credit.lua', /^local ENDED_PART = .*$/m, 'local ENDED_PART = 1'],
    ['includes/credit.lua', /^local RICH = .*$/m, 'local RICH = 2 ^ 52 / 8'],
  ],
};

async function openVariant(folder, edits) {
  await cp(join(root, 'dist'), folder, { recursive: true });
  for (const [name, pattern, replacement] of edits) {
    const file = join(folder, 'src/frontier/lua', name);
    const text = await readFile(file, 'utf8');
    if (!pattern.test(text)) throw new Error(`${name} has no ${pattern} any more`);
    await writeFile(file, text.replace(pattern, replacement));
  }
  const { openFrontier: open } = await import(pathToFileURL(join(folder, 'src/frontier/open-frontier.js')).href);
  return open;
}

/**
 * Dispose the result. Its `open` opens a frontier: the product's, or one of the requested variants.
 * @param variants edits by name
 */
export async function startFrontiers(variants = VARIANTS) {
  const { signal } = new AbortController();
  // below node_modules, so that a copy finds the packages
  const folder = await mkdtemp(join(root, 'node_modules/.bench-'));
  const server = await startPrivateRedis(
    { stateFolder: folder, searchPath: process.env.PATH ?? '', log: silentLog },
    signal,
  );
  const { client, ...connection } = await connectRedis({ kind: 'socket', path: server.socketPath }, silentLog, signal);
  const openers = { product: openFrontier };
  for (const [name, edits] of Object.entries(variants)) openers[name] = await openVariant(join(folder, name), edits);
  let opened = 0;
  return {
    open({ variant = 'product', budgets = 'on' } = {}) {
      return openers[variant]({ client, keys: keySpace(`bench-${(opened += 1)}`), state: 'new', budgets });
    },
    async [Symbol.asyncDispose]() {
      await connection[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

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

/**
 * @param frontier new; no pauses, so that credit alone decides
 * @param site `seeds`, `linksOf(url)`, and `noveltyOf(url)` if it has one
 * @returns the URLs in the order of their visits
 */
export async function nullCrawl(frontier, { seeds, linksOf, noveltyOf = () => null }, fetches) {
  const began = 1e12;
  await frontier.admit(
    seeds.map((url) => candidate(url, null, 0)),
    [],
    began,
  );
  const visited = [];
  while (visited.length < fetches) {
    const now = began + visited.length;
    const reply = await frontier.lease({ now, count: 1, leaseFor: 1e9, newHostDelay: 0 });
    if (reply.kind !== 'leased') break;
    const [visit] = reply.visits;
    visited.push(visit.url);
    const links = linksOf(visit.url).map((to) => ({
      record: { from: visit.url, to },
      target: { kind: 'candidate', candidate: candidate(to, visit.url, visit.depth + 1) },
    }));
    const pace = { hostDelay: 0, hostSlots: 1, hostBackoff: null, hostBackoffMost: null, serverTime: null };
    const commit = { disposition: { kind: 'visited', record }, links, ...pace, newSeeds: [] };
    await frontier.commit(visit, { ...commit, novelty: noveltyOf(visit.url) }, now);
  }
  const sum = await frontier.audit();
  if (sum !== TOTAL_CREDIT) throw new Error(`credit was made or lost: ${sum}`);
  return visited;
}

/** Visits the same site in breadth-first order. */
export function breadthFirst({ seeds, linksOf }, fetches) {
  const queue = [...seeds];
  const seen = new Set(queue);
  for (let at = 0; at < Math.min(queue.length, fetches); at += 1) {
    for (const to of linksOf(queue[at])) {
      if (seen.has(to)) continue;
      seen.add(to);
      queue.push(to);
    }
  }
  return queue.slice(0, fetches);
}
