import { afterAll, beforeAll, expect, test } from 'vitest';
import { LINKS_AT_A_TIME, commitInPieces } from '../../src/crawl/large-commit.ts';
import type { LinkRecord } from '../../src/model/record.ts';
import { openFrontier } from '../../src/frontier/open-frontier.ts';
import { at, leaseOne, link, seed, skippedLink, visited } from '../support/frontier-nouns.ts';
import { startTestRedis, type TestRedis } from '../support/redis.ts';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startTestRedis();
});
afterAll(() => redis[Symbol.asyncDispose]());

test('a sitemap of any size is committed, every page of it once, and every entry is an edge that says whether it was new', async () => {
  const count = 2 * LINKS_AT_A_TIME + 500;
  const frontier = await openFrontier({ client: redis.client, keys: redis.keys(), state: 'new' });
  await frontier.admit([seed('https://a.example/s.xml')], [], at(0));
  const visit = await leaseOne(frontier, 0);
  const links = [
    ...Array.from({ length: count }, (_, number) => link(visit, `https://a.example/page-${number}`)),
    link(visit, 'https://a.example/page-0'),
    skippedLink(visit, 'https://b.example/', 'out-of-scope'),
  ];
  const reply = await commitInPieces(frontier, visit, visited(visit, links), at(1));
  expect(reply).toEqual({ kind: 'committed', newLinks: count + 1 });
  expect(await frontier.totals()).toMatchObject({
    discovered: count + 2,
    visited: 1,
    skipped: 1,
    queued: count,
    leased: 0,
  });
  const { entries } = await frontier.journal(100);
  const lines = entries.flatMap((entry) => entry.links).map((line): LinkRecord => JSON.parse(line));
  expect(lines).toHaveLength(links.length);
  expect(lines.filter((line) => line.new)).toHaveLength(count + 1);
  expect(lines.filter((line) => line.to === 'https://a.example/page-0').map((line) => line.new)).toEqual([true, false]);
  expect(entries.map(({ page }) => page?.links.new)).toContain(count + 1);
  expect(entries.flatMap((entry) => entry.skipped)).toMatchObject([{ url: 'https://b.example/' }]);
});

test('the first edge to a page that became known is the new one, though it is committed after the others', async () => {
  const frontier = await openFrontier({ client: redis.client, keys: redis.keys(), state: 'new' });
  await frontier.admit([seed('https://a.example/'), seed('https://a.example/known')], [], at(0));
  const visit = await leaseOne(frontier, 0);
  const many = Array.from({ length: LINKS_AT_A_TIME }, (_, number) => link(visit, `https://a.example/page-${number}`));
  const late = ['page-7', 'late', 'known', 'late', 'page-7'].map((name) => link(visit, `https://a.example/${name}`));
  await commitInPieces(frontier, visit, visited(visit, [...many, ...late]), at(1));
  const { entries } = await frontier.journal(100);
  const lines = entries.flatMap((entry) => entry.links).map((line): LinkRecord => JSON.parse(line));
  const newTo = (name: string) =>
    lines.filter((line) => line.to === `https://a.example/${name}`).map((line) => line.new);
  expect(newTo('page-7')).toEqual([true, false, false]);
  expect(newTo('late')).toEqual([true, false]);
  expect(newTo('known')).toEqual([false]);
  expect(lines.filter((line) => line.new)).toHaveLength(LINKS_AT_A_TIME + 1);
});

test('a page that was deferred before and is queued after all is not new', async () => {
  const frontier = await openFrontier({ client: redis.client, keys: redis.keys(), state: 'new' });
  const deep = {
    url: 'https://a.example/deep',
    reason: 'depth',
    rule: 'depth 3 is more than 2',
    referrer: null,
  } as const;
  await frontier.admit([seed('https://a.example/')], [deep], at(0));
  const visit = await leaseOne(frontier, 0);
  const many = Array.from({ length: LINKS_AT_A_TIME }, (_, number) => link(visit, `https://a.example/page-${number}`));
  await commitInPieces(frontier, visit, visited(visit, [...many, link(visit, deep.url)]), at(1));
  const { entries } = await frontier.journal(100);
  const lines = entries.flatMap((entry) => entry.links).map((line): LinkRecord => JSON.parse(line));
  expect(lines.filter((line) => line.to === deep.url).map((line) => line.new)).toEqual([false]);
  expect(await frontier.totals()).toMatchObject({ queued: LINKS_AT_A_TIME + 1, skipped: 0 });
});
