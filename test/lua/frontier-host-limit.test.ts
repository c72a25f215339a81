import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TOTAL_CREDIT } from '../../src/base/units.ts';
import type { Frontier } from '../../src/frontier/frontier.ts';
import { openFrontier } from '../../src/frontier/open-frontier.ts';
import type { Visit } from '../../src/model/visit.ts';
import {
  at,
  candidate,
  commit,
  leaseOne,
  link,
  pageRecord,
  request,
  seed,
  skip,
  visited,
} from '../support/frontier-nouns.ts';
import { RandomCrawl, steps } from '../support/random-crawl.ts';
import { startTestRedis, type TestRedis } from '../support/redis.ts';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startTestRedis();
});
afterAll(() => redis[Symbol.asyncDispose]());

const open = (hostLimit: number | null, keys = redis.keys()): Promise<Frontier> =>
  openFrontier({ client: redis.client, keys, state: 'new', hostLimit });

const page = (host: string, index: number): string => `https://${host}.example/${index}`;

async function expectWhole(frontier: Frontier): Promise<void> {
  const { discovered, visited: good, failed, skipped, queued, leased } = await frontier.totals();
  expect(good + failed + skipped + queued + leased).toBe(discovered);
  expect(await frontier.audit()).toBe(TOTAL_CREDIT);
}

/** Visits until nothing may be leased. @returns the number of visited pages of each host */
async function visitAll(
  frontier: Frontier,
  finish = (visit: Visit) => visited(visit),
): Promise<Record<string, number>> {
  const hosts: Record<string, number> = {};
  for (;;) {
    const reply = await frontier.lease(request(0, { count: 3 }));
    if (reply.kind !== 'leased') {
      expect(reply.kind).toBe('nothing-queued');
      await expectWhole(frontier);
      return hosts;
    }
    for (const visit of reply.visits) {
      const name = new URL(visit.url).hostname.replace('.example', '');
      hosts[name] = (hosts[name] ?? 0) + 1;
      await frontier.commit(visit, finish(visit), at(0));
    }
  }
}

async function skipped(frontier: Frontier): Promise<readonly (readonly [string, string, string])[]> {
  await frontier.flushDeferred(at(0));
  const { entries } = await frontier.journal(10_000);
  return entries
    .flatMap((entry) => entry.skipped)
    .map(({ url, reason, rule }) => [url, reason, rule] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
}

describe('the limit of pages of a host', () => {
  test('holds for each host by itself, and what is beyond it is skipped at the end', async () => {
    const frontier = await open(3);
    const urls = ['a', 'b', 'c'].flatMap((host) => Array.from({ length: 40 }, (_, index) => page(host, index)));
    await frontier.admit([seed(page('a', 0))], [], at(0));
    await frontier.admit([...urls.map((each) => candidate(each)), candidate(page('d', 0))], [], at(0));
    expect(await visitAll(frontier)).toEqual({ a: 3, b: 3, c: 3, d: 1 });
    expect(await frontier.totals()).toMatchObject({ visited: 10, skipped: 0, queued: 111 });
    const records = await skipped(frontier);
    expect(records).toHaveLength(111);
    for (const [, reason, rule] of records)
      expect([reason, rule]).toEqual(['host-limit', 'host limit: 3 pages of the host had been visited']);
    expect(await frontier.totals()).toMatchObject({ visited: 10, skipped: 111, queued: 0 });
    await expectWhole(frontier);
    expect(await redis.client.keys('*:f:queue:*')).toEqual([]);
  });

  test('holds for seeds, too', async () => {
    const frontier = await open(2);
    await frontier.admit(
      [1, 2, 3].map((index) => seed(page('a', index))),
      [],
      at(0),
    );
    expect(await visitAll(frontier)).toEqual({ a: 2 });
    expect(await skipped(frontier)).toHaveLength(1);
  });

  test('is never passed by visits at a time', async () => {
    const frontier = await open(3);
    await frontier.admit(
      Array.from({ length: 9 }, (_, index) => seed(page('a', index))),
      [],
      at(0),
    );
    const first = await leaseOne(frontier, 0);
    await frontier.commit(first, visited(first, [], { hostSlots: 8 }), at(0));
    const reply = await frontier.lease(request(0, { count: 8, newHostDelay: request(0).leaseFor }));
    const visits = reply.kind === 'leased' ? [...reply.visits] : [];
    while (visits.length < 2) visits.push(await leaseOne(frontier, 0));
    expect(visits).toHaveLength(2);
    expect(await frontier.lease(request(0))).toEqual({ kind: 'nothing-queued' });
    const [one, other] = visits;
    if (one === undefined || other === undefined) throw new Error('two visits were leased');
    expect(await frontier.release(one.token, at(0))).toBe(true);
    await leaseOne(frontier, 0); // takes the place that was given back
    await expectWhole(frontier);
  });

  test('counts a page that fails once, however often it was tried', async () => {
    const frontier = await open(2);
    await frontier.admit([seed(page('a', 1)), seed(page('a', 2)), seed(page('a', 3))], [], at(0));
    const tries = new Map<string, number>();
    await visitAll(frontier, (visit) => {
      tries.set(visit.url, (tries.get(visit.url) ?? 0) + 1);
      if (visit.attempt < 3) return commit({ kind: 'retry', due: at(0) });
      return commit({ kind: 'failed', record: { ...pageRecord(visit.url), outcome: 'unreachable' } });
    });
    expect([...tries.values()]).toEqual([3, 3]);
    expect(await frontier.totals()).toMatchObject({ failed: 2, queued: 1 });
  });

  test('keeps the place of a page that waits for another try', async () => {
    const frontier = await open(1);
    await frontier.admit([seed(page('a', 1)), seed(page('a', 2))], [], at(0));
    const first = await leaseOne(frontier, 0);
    await frontier.commit(first, commit({ kind: 'retry', due: at(5000) }), at(0));
    expect(await frontier.lease(request(0))).toEqual({ kind: 'nothing-due', nextDue: at(5000) });
    const second = await leaseOne(frontier, 5000);
    await frontier.commit(second, visited(second), at(5000));
    expect(await frontier.lease(request(9000))).toEqual({ kind: 'nothing-queued' });
  });

  test('does not count redirects, nor what must not be visited', async () => {
    const frontier = await open(2);
    const urls = Array.from({ length: 6 }, (_, index) => page('a', index));
    await frontier.admit(urls.map(seed), [], at(0));
    let visits = 0;
    await visitAll(frontier, (visit) => {
      visits += 1;
      if (visits === 1) {
        const record = { ...pageRecord(visit.url), outcome: 'redirected' as const };
        return commit({ kind: 'visited', record }, [link(visit, page('b', 0))]);
      }
      if (visits === 2) return commit({ kind: 'skipped', record: skip(visit.url, 'disallowed-by-robots') });
      return visited(visit);
    });
    const records = await skipped(frontier);
    expect(records.filter(([, reason]) => reason === 'host-limit')).toHaveLength(2);
    expect(await frontier.totals()).toMatchObject({ visited: 4, skipped: 3 });
  });

  test('holds for links that come when the host had its pages', async () => {
    const frontier = await open(1);
    await frontier.admit([seed(page('a', 0)), seed(page('b', 0))], [], at(0));
    const found = new Set<string>();
    await visitAll(frontier, (visit) => {
      found.add(visit.url);
      return visited(visit, [link(visit, page('a', found.size)), link(visit, page('b', found.size))]);
    });
    expect(found).toEqual(new Set([page('a', 0), page('b', 0)]));
    expect(await skipped(frontier)).toHaveLength(4);
    await expectWhole(frontier);
  });

  test('is no end for hosts that were given up', async () => {
    const frontier = await open(1);
    await frontier.admit([seed(page('a', 0)), seed(page('a', 1))], [], at(0));
    const visit = await leaseOne(frontier, 0);
    const record = { ...pageRecord(visit.url), outcome: 'unreachable' as const };
    await frontier.commit(visit, commit({ kind: 'failed', record }), at(0));
    expect(await frontier.lease(request(0))).toEqual({ kind: 'nothing-queued' });
  });

  test('is shown as no work: a host that has used it up is not among the most loaded', async () => {
    const frontier = await open(1);
    const urls = Array.from({ length: 100 }, (_, index) => page('a', index));
    await frontier.admit(urls.map(seed), [], at(0));
    await visitAll(frontier);
    expect(await frontier.slowestHosts(3)).toEqual([]);
  });

  test('is said in the totals: what it withholds is queued, and is not to be visited', async () => {
    const frontier = await open(2);
    const urls = Array.from({ length: 10 }, (_, index) => page('a', index));
    await frontier.admit([...urls.map(seed), seed(page('b', 0))], [], at(0));
    expect(await frontier.totals()).toMatchObject({ queued: 11, withheld: 0 });
    await visitAll(frontier);
    expect(await frontier.totals()).toMatchObject({ queued: 8, withheld: 8 });
    await frontier.flushDeferred(at(0));
    expect(await frontier.totals()).toMatchObject({ queued: 0, withheld: 0 });
  });
});

describe('another limit, when the crawl is resumed', () => {
  async function begun(hosts: readonly string[]) {
    const keys = redis.keys();
    const frontier = await open(2, keys);
    const urls = hosts.flatMap((host) => Array.from({ length: 30 }, (_, index) => page(host, index)));
    await frontier.admit([seed(page('a', 0))], [], at(0));
    await frontier.admit(
      urls.map((each) => candidate(each)),
      [],
      at(0),
    );
    await visitAll(frontier);
    const again = (hostLimit: number | null): Promise<Frontier> =>
      openFrontier({ client: redis.client, keys, state: 'existing', hostLimit });
    return { again };
  }

  test('goes on where it ended when it is higher', async () => {
    const { again } = await begun(['a', 'b']);
    const higher = await again(5);
    expect((await higher.totals()).withheld).toBe(0);
    await expectWhole(higher);
    expect(await visitAll(higher)).toEqual({ a: 3, b: 3 });
    const none = await again(null);
    expect(await visitAll(none)).toEqual({ a: 25, b: 25 });
    expect(await skipped(none)).toEqual([]);
  });

  test('goes on for a thousand hosts', async () => {
    const { again } = await begun(Array.from({ length: 1000 }, (_, index) => `h${index}`));
    const higher = await again(3);
    expect(Object.values(await visitAll(higher)).filter((count) => count !== 1)).toEqual([]);
  }, 120_000);

  test('ends what is under way when it is lower', async () => {
    const { again } = await begun(['a']);
    const higher = await again(20);
    for (let count = 0; count < 3; count += 1) {
      const visit = await leaseOne(higher, 0);
      await higher.commit(visit, visited(visit), at(0));
    }
    const lower = await again(4);
    expect(await visitAll(lower)).toEqual({});
    await expectWhole(lower);
    expect(await skipped(lower)).toHaveLength(25);
    const highest = await again(6);
    await highest.admit([candidate(page('a', 100)), candidate(page('a', 101))], [], at(0));
    expect(await visitAll(highest)).toEqual({ a: 1 });
  });
});

/** Starts a random crawl on an empty database, so that scans do not see the keys of other tests. */
async function randomCrawl(limitOf: () => number | null): Promise<RandomCrawl> {
  await redis.client.flushdb();
  const keys = redis.keys();
  const reopen = (): Promise<Frontier> => open(limitOf(), keys);
  return new RandomCrawl(await reopen(), reopen);
}

test('credit is kept and no page is lost, whatever the limit of each run is', async () => {
  await fc.assert(
    fc.asyncProperty(steps({ most: 60 }), fc.infiniteStream(fc.nat(4)), async (given, limits) => {
      let isLast = false;
      const crawl = await randomCrawl(() => (isLast ? null : limits.next().value || null));
      for (const step of given) {
        await crawl.take(step);
        await expectWhole(crawl.frontier);
      }
      isLast = true;
      await crawl.finish(); // completes only if nothing is left
      await expectWhole(crawl.frontier);
    }),
    { numRuns: 120, seed: 11, endOnFailure: true },
  );
}, 120_000);

test('a host that had its pages has nothing left after the end', async () => {
  await fc.assert(
    fc.asyncProperty(steps({ most: 60 }), fc.integer({ min: 1, max: 3 }), async (given, limit) => {
      const crawl = await randomCrawl(() => limit);
      for (const step of given) await crawl.take(step);
      await crawl.frontier.flushDeferred(crawl.now);
      await expectWhole(crawl.frontier);
      expect(await redis.client.keys('*:f:used-up')).toEqual([]);
    }),
    { numRuns: 30, seed: 8, endOnFailure: true },
  );
}, 120_000);
