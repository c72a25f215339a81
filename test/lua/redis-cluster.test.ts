/** Crawls on a Redis Cluster: a crawl of one part is on one node, and continues when its keys move or a replica takes over. Real nodes on loopback. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { TOTAL_CREDIT } from '../../src/base/units.ts';
import { openSimilarityIndex } from '../../src/dedup/redis-similarity-index.ts';
import { openWorkQueue } from '../../src/dispatch/work-queue.ts';
import { announce, announcedCrawls } from '../../src/fleet/posting.ts';
import { NewsList } from '../../src/fleet/news.ts';
import { takeEpoch } from '../../src/fleet/epoch.ts';
import { systemClock } from '../../src/base/clock.ts';
import { openFrontier } from '../../src/frontier/open-frontier.ts';
import type { Frontier } from '../../src/frontier/frontier.ts';
import { crawlId } from '../../src/model/crawl-id.ts';
import type { Visit } from '../../src/model/visit.ts';
import { connectRedis, type RedisConnection } from '../../src/redis/connect.ts';
import { checkRedisFitness } from '../../src/redis/fitness.ts';
import { forgetKeys } from '../../src/redis/forget-keys.ts';
import { keySpace, type KeySpace } from '../../src/redis/key-space.ts';
import { at, leaseOne, link, seed, visited } from '../support/frontier-nouns.ts';
import { startTestCluster, type ClusterNode, type TestCluster } from '../support/redis-cluster.ts';
import { startUserRedis } from '../support/redis-server.ts';
import { until } from '../support/until.ts';

const never = new AbortController().signal;
let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startTestCluster(3, 3);
}, 30_000);
afterAll(() => cluster[Symbol.asyncDispose]());

const connect = (): Promise<RedisConnection> => connectRedis({ kind: 'cluster', url: cluster.url }, silentLog, never);
const metaOf = (keys: KeySpace): string => keys.key('f', 'meta');

let crawls = 0;
/** Keys of a new crawl that fall on this node. */
async function keysOn(node: ClusterNode): Promise<KeySpace> {
  for (;;) {
    const keys = keySpace(crawlId(`test-cluster-${(crawls += 1)}`));
    if ((await cluster.masterOf(metaOf(keys))) === node) return keys;
  }
}

/** Starts a crawl with one visited page that has ten links. */
async function begin(keys: KeySpace, frontier: Frontier): Promise<void> {
  await frontier.admit([seed(`https://${keys.crawl}.example/`)], [], at(0));
  const visit = await leaseOne(frontier, 0);
  const links = Array.from({ length: 10 }, (_, n) => link(visit, `https://h${n}.example/`));
  await frontier.commit(visit, visited(visit, links), at(1));
}

/** Visits everything queued, one lease and one commit at a time. */
async function finish(frontier: Frontier, onVisit: (visit: Visit, made: number) => Promise<void>): Promise<number> {
  for (let made = 0; ; made += 1) {
    const { queued } = await frontier.totals();
    if (queued === 0) return made;
    const visit = await leaseOne(frontier, 1_000_000 * (made + 1));
    await onVisit(visit, made);
    expect(await frontier.commit(visit, visited(visit, []), at(1_000_000 * (made + 1) + 1))).toMatchObject({
      kind: 'committed',
    });
  }
}

describe('a cluster', () => {
  it('is fit, and is refused where it is taken for one server, or one server for it', async () => {
    await using alone = await startUserRedis();
    expect(await checkRedisFitness(cluster.client)).toEqual(await checkRedisFitness(alone.client));
    await using node = await connectRedis({ kind: 'url', url: cluster.url }, silentLog, never);
    await expect(checkRedisFitness(node.client)).rejects.toMatchObject({
      code: 'REDIS_UNFIT',
      message: expect.stringContaining('Give --redis-cluster'),
    });
    await expect(connectRedis({ kind: 'cluster', url: alone.url }, silentLog, never)).rejects.toMatchObject({
      code: 'REDIS_UNREACHABLE',
      message: expect.stringContaining('cluster support disabled'),
    });
    await expect(connectRedis({ kind: 'cluster', url: `${cluster.url}/3` }, silentLog, never)).rejects.toMatchObject({
      code: 'REDIS_UNFIT',
      message: expect.stringContaining('/3'),
    });
  });

  it('that would evict keys on one of its nodes is refused', async () => {
    const node = cluster.nodes[1]?.client;
    await node?.config('SET', 'maxmemory', '100mb', 'maxmemory-policy', 'allkeys-lru');
    await expect(checkRedisFitness(cluster.client)).rejects.toMatchObject({ code: 'REDIS_UNFIT' });
    await node?.config('SET', 'maxmemory', '0', 'maxmemory-policy', 'noeviction');
  });

  it('holds a crawl on each node, with scripts, similarity index and queue, and forgets each for itself', async () => {
    const masters = cluster.nodes.slice(0, 3);
    for (const node of masters) {
      const keys = await keysOn(node);
      const frontier = await openFrontier({ client: cluster.client, keys, state: 'new' });
      await begin(keys, frontier);
      expect(await finish(frontier, async () => {})).toBe(10);
      expect(await frontier.audit()).toBe(TOTAL_CREDIT);
      await openSimilarityIndex({ client: cluster.client, keys, threshold: 0.9 });
      const queue = await openWorkQueue({
        client: cluster.client,
        prefix: keys.key('q', 'bull'),
        slots: 1,
        process: async ({ token }) => void came.push(token),
        log: silentLog,
      });
      const came: number[] = [];
      await frontier.admit([seed('https://last.example/')], [], at(90_000_000));
      const visit = await leaseOne(frontier, 90_000_000);
      await queue.add([visit]);
      await expect.poll(() => came).toEqual([visit.token]);
      await queue[Symbol.asyncDispose]();
      const there = await node.client.keys(`${keys.prefix}*`);
      expect(there.length).toBeGreaterThan(10);
      expect(await forgetKeys(cluster.client, keys.prefix)).toBe(there.length);
    }
    for (const node of cluster.nodes) expect(await node.client.dbsize()).toBe(0);
  });

  it('shows the crawls that are led, whichever node their leaders listen to', async () => {
    const listeners = await Promise.all(Array.from({ length: 6 }, connect));
    const ids = await Promise.all(
      listeners.map(async ({ client }, index) => {
        const keys = keySpace(crawlId(`led-by-number-${index}`));
        await announce(client, keys);
        return keys.crawl;
      }),
    );
    expect((await announcedCrawls(cluster.client)).toSorted()).toEqual(ids.toSorted());
    for (const listener of listeners) await listener[Symbol.asyncDispose]();
  });
});

describe('a crawl', () => {
  it('goes on where its slot has moved to another node, and fails aloud while a part of its keys has', async () => {
    const [from, to] = cluster.nodes;
    if (from === undefined || to === undefined) throw new Error('no nodes');
    const keys = await keysOn(from);
    const frontier = await openFrontier({ client: cluster.client, keys, state: 'new' });
    await begin(keys, frontier);
    await moveSlot(metaOf(keys), from, to, async (move) => {
      await move([keys.key('f', 'state')]);
      await expect(leaseOne(frontier, 2000)).rejects.toThrow(/non local key/);
    });
    expect(await finish(frontier, async () => {})).toBe(10);
    expect(await frontier.audit()).toBe(TOTAL_CREDIT);
    expect(await cluster.masterOf(metaOf(keys))).toBe(to);
    expect((await frontier.journal(100)).entries).toHaveLength(11);
    await forgetKeys(cluster.client, keys.prefix);
  });

  it('goes on while a replica takes over by order, and one that waits for news is not broken', async () => {
    const [, node] = cluster.nodes;
    const replica = cluster.nodes[4];
    if (node === undefined || replica === undefined) throw new Error('no nodes');
    const keys = await keysOn(node);
    const frontier = await openFrontier({ client: cluster.client, keys, state: 'new' });
    await begin(keys, frontier);
    await using waiting = await connect();
    const epoch = await takeEpoch({ client: cluster.client, keys, clock: systemClock, owner: 'one' }, null, never);
    const [heard, news] = [new NewsList(waiting.client, keys), new NewsList(cluster.client, keys)];
    const listening = heard.next();
    await replica.client.call('CLUSTER', 'FAILOVER');
    expect(await finish(frontier, async () => {})).toBe(10);
    await until(async () => (await cluster.masterOf(metaOf(keys))) === replica, 'the replica to take over');
    expect(await listening).toEqual([]);
    await news.tell({ finished: 7 });
    let items: unknown = [];
    await until(async () => ((items = await heard.next()), Array.isArray(items) && items.length > 0), 'news');
    expect(items).toEqual([{ finished: 7 }]);
    expect(await epoch.beat()).toBe(true);
    expect(await frontier.audit()).toBe(TOTAL_CREDIT);
    await forgetKeys(cluster.client, keys.prefix);
  });

  it('goes on when its node is killed and its replica has taken over: calls wait, and nothing is lost or doubled', async () => {
    const [node] = cluster.nodes;
    if (node === undefined) throw new Error('no nodes');
    const keys = await keysOn(node);
    const frontier = await openFrontier({ client: cluster.client, keys, state: 'new' });
    await begin(keys, frontier);
    const made = await finish(frontier, async (_visit, index) => {
      if (index === 3) await node.kill();
    });
    expect(made).toBe(10);
    expect(await frontier.audit()).toBe(TOTAL_CREDIT);
    expect(await frontier.totals()).toMatchObject({ visited: 11, queued: 0, leased: 0 });
    const { entries } = await frontier.journal(100);
    expect(new Set(entries.map(({ page }) => page?.url)).size).toBe(11);
    expect(entries).toHaveLength(11);
  });
});

/** Moves a slot with its keys, as `redis-cli --cluster reshard` does. `meanwhile` runs while the slot is in migration. */
async function moveSlot(
  key: string,
  from: ClusterNode,
  to: ClusterNode,
  meanwhile: (move: (names: readonly string[]) => Promise<unknown>) => Promise<void>,
): Promise<void> {
  const move = (names: readonly string[]): Promise<unknown> =>
    from.client.call('MIGRATE', '127.0.0.1', String(to.port), '', '0', '5000', 'KEYS', ...names);
  const slot = String(await from.client.call('CLUSTER', 'KEYSLOT', key));
  await to.client.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', from.id);
  await from.client.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', to.id);
  await meanwhile(move);
  const moved = await from.client.call('CLUSTER', 'GETKEYSINSLOT', slot, '10000');
  await move(Array.isArray(moved) ? moved.map(String) : []);
  for (const node of [to, from]) await node.client.call('CLUSTER', 'SETSLOT', slot, 'NODE', to.id);
}
