import { afterAll, beforeAll, expect, test } from 'vitest';
import { LINKS_AT_A_TIME, commitInPieces } from '../../src/crawl/large-commit.ts';
import { openFrontier } from '../../src/frontier/redis-frontier.ts';
import { at, leaseOne, link, seed, skippedLink, visited } from '../support/frontier-nouns.ts';
import { startTestRedis, type TestRedis } from '../support/redis.ts';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startTestRedis();
});
afterAll(() => redis[Symbol.asyncDispose]());

test('a sitemap of any size is committed, every page of it once, and every entry is an edge', async () => {
  const count = 2 * LINKS_AT_A_TIME + 500;
  const frontier = await openFrontier({ client: redis.client, keys: redis.keys(), state: 'new' });
  await frontier.admit([seed('https://a.example/s.xml')], [], at(0));
  const visit = await leaseOne(frontier, 0);
  const links = [
    ...Array.from({ length: count }, (_, number) => link(visit, `https://a.example/page-${number}`)),
    link(visit, 'https://a.example/page-0'),
    skippedLink(visit, 'https://b.example/', 'out-of-scope'),
  ];
  expect(await commitInPieces(frontier, visit, visited(visit, links), at(1))).toMatchObject({ kind: 'committed' });
  expect(await frontier.totals()).toMatchObject({
    discovered: count + 2,
    visited: 1,
    skipped: 1,
    queued: count,
    leased: 0,
  });
  const { entries } = await frontier.journal(100);
  expect(entries.flatMap((entry) => entry.links)).toHaveLength(links.length);
  expect(entries.flatMap((entry) => entry.skipped)).toMatchObject([{ url: 'https://b.example/' }]);
});
