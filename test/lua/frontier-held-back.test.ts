import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TOTAL_CREDIT } from '../../src/base/units.ts';
import { openFrontier } from '../../src/frontier/open-frontier.ts';
import type { Frontier, HeldBack } from '../../src/frontier/frontier.ts';
import { at, candidate, leaseOne, link, seed, skip, visited } from '../support/frontier-nouns.ts';
import { RandomCrawl, steps } from '../support/random-crawl.ts';
import { startTestRedis, type TestRedis } from '../support/redis.ts';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startTestRedis();
});
afterAll(() => redis[Symbol.asyncDispose]());

/** The lines, sorted by their URLs, and the number of them that the totals count as queued. */
async function heldBackBy(frontier: Frontier): Promise<{ readonly lines: readonly string[]; readonly queued: number }> {
  const all: HeldBack[] = [];
  for await (const some of frontier.heldBack()) all.push(some);
  const queued = all.filter(({ from }) => from === 'queued').flatMap(({ records }) => records).length;
  return { lines: all.flatMap(({ records }) => records.map((record) => JSON.stringify(record))).toSorted(), queued };
}

/** Every key of the server with its content. */
async function everything(): Promise<ReadonlyMap<string, string>> {
  const keys = (await redis.client.keys('*')).toSorted();
  const dumps = await Promise.all(keys.map((key) => redis.client.dumpBuffer(key)));
  return new Map(keys.map((key, index) => [key, dumps[index]?.toString('hex') ?? '']));
}

test('what is held back is what the end of the crawl would skip, and reading it changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(steps({ most: 60 }), fc.integer({ min: 0, max: 3 }), async (given, limit) => {
      await redis.client.flushdb();
      const keys = redis.keys();
      const reopen = (): Promise<Frontier> =>
        openFrontier({ client: redis.client, keys, state: 'new', hostLimit: limit || null });
      const crawl = new RandomCrawl(await reopen(), reopen);
      for (const step of given) await crawl.take(step);
      const { frontier } = crawl;
      const before = [await everything(), await frontier.totals()];
      const { lines, queued } = await heldBackBy(frontier);
      expect([await everything(), await frontier.totals()]).toEqual(before);
      const old = await frontier.journal(100_000);
      await frontier.flushDeferred(crawl.now);
      const { entries } = await frontier.journal(100_000);
      const flushed = entries
        .slice(old.entries.length)
        .flatMap(({ skipped }) => skipped.map((each) => JSON.stringify(each)));
      expect(lines).toEqual(flushed.toSorted());
      const [, totals] = before;
      expect(await frontier.totals()).toMatchObject({ queued: (totals as { queued: number }).queued - queued });
    }),
    { numRuns: 100, seed: 5, endOnFailure: true },
  );
}, 120_000);

test('of thousands of URLs each is held back once, with the rule that holds it', async () => {
  const frontier = await openFrontier({ client: redis.client, keys: redis.keys(), state: 'new', hostLimit: 1 });
  await frontier.admit([seed('https://a.example/')], [], at(0));
  const visit = await leaseOne(frontier, 0);
  await frontier.commit(visit, visited(visit), at(0));
  const numbers = Array.from({ length: 3000 }, (_, index) => index);
  await frontier.admit(
    numbers.map((index) => candidate(`https://a.example/${index % 7}/page/${index}`)),
    [],
    at(0),
  );
  await frontier.admit(
    [],
    numbers.map((index) => skip(`https://b.example/${index}`, 'depth')),
    at(0),
  );
  const { lines, queued } = await heldBackBy(frontier);
  expect([lines.length, new Set(lines).size, queued]).toEqual([6000, 6000, 3000]);
  const reasons = new Set(lines.map((line) => (JSON.parse(line) as { reason: string }).reason));
  expect(reasons).toEqual(new Set(['depth', 'host-limit']));
  expect(await frontier.leasable()).toBe(3000); // with a higher limit
});

test('a URL outside of the scope is queued when a redirect of a seed has brought it in', async () => {
  const frontier = await openFrontier({ client: redis.client, keys: redis.keys(), state: 'new' });
  const outside = { ...skip('https://www.a.example/', 'out-of-scope'), soFar: true } as const;
  await frontier.admit([seed('https://a.example/'), seed('https://b.example/')], [outside], at(0));
  const visit = await leaseOne(frontier, 0);
  await frontier.commit(visit, visited(visit, [link(visit, outside.url, { kind: 'redirect' })]), at(1));
  expect(await frontier.totals()).toMatchObject({ discovered: 3, skipped: 0, queued: 2, visited: 1 });
  expect(await frontier.flushDeferred(at(2))).toBe(0);
  expect(await frontier.audit()).toBe(TOTAL_CREDIT);
});

test('URLs outside of the scope are skipped for good where 100,000 URLs are skipped so far', async () => {
  const frontier = await openFrontier({ client: redis.client, keys: redis.keys(), state: 'new' });
  const outside = { ...skip('https://www.a.example/', 'out-of-scope'), soFar: true } as const;
  const deep = Array.from({ length: 100_000 }, (_, index) => skip(`https://a.example/${index}`, 'depth'));
  await frontier.admit([], deep, at(0));
  await frontier.admit([], [outside], at(1));
  expect(await frontier.admit([candidate(deep[0]?.url ?? ''), candidate(outside.url)], [], at(2))).toBe(0);
  expect(await frontier.totals()).toMatchObject({ skipped: 100_000, queued: 1 });
});
