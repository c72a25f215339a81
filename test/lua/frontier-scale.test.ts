import { afterAll, beforeAll, expect, test } from 'vitest';
import { seededRandom } from '../../src/base/random.ts';
import { epochMs, milliseconds, TOTAL_CREDIT } from '../../src/base/units.ts';
import type { Frontier } from '../../src/frontier/frontier.ts';
import { openFrontier } from '../../src/frontier/open-frontier.ts';
import type { Visit } from '../../src/model/visit.ts';
import type { KeySpace } from '../../src/redis/key-space.ts';
import { candidate, link, seed, skip, url, visited } from '../support/frontier-nouns.ts';
import { startTestRedis, type TestRedis } from '../support/redis.ts';

const NOW = epochMs(1_000_000);
const URLS = 20_000;

let redis: TestRedis;
let keys: KeySpace;
let frontier: Frontier;
beforeAll(async () => {
  redis = await startTestRedis();
  keys = redis.keys();
  frontier = await openFrontier({ client: redis.client, keys, state: 'new' });
});
afterAll(() => redis[Symbol.asyncDispose]());

const page = (index: number): string => `https://big.example/articles/${index}-a-title-of-the-usual-length`;

async function lease(count: number): Promise<readonly Visit[]> {
  const reply = await frontier.lease({
    now: NOW,
    count,
    leaseFor: milliseconds(60_000),
    newHostDelay: milliseconds(0),
  });
  return reply.kind === 'leased' ? reply.visits : [];
}

async function encodings(pattern: string): Promise<readonly string[]> {
  const names = await redis.client.keys(keys.key('f', pattern).replaceAll(/[[\]]/g, '?'));
  const found = await Promise.all(names.map((name) => redis.client.object('ENCODING', name)));
  return found.map(String);
}

test('20,000 URLs of one host are kept in packed form', async () => {
  await frontier.admit([seed('https://big.example/')], [], NOW);
  const urls = Array.from({ length: URLS }, (_, index) => candidate(page(index)));
  expect(await frontier.admit(urls, [], NOW)).toBe(URLS);
  expect(await frontier.admit(urls, [], NOW)).toBe(0);
  const queues = await encodings('queue:*');
  expect(queues.length).toBeGreaterThan(100);
  expect(new Set([...queues, ...(await encodings('sources:*'))])).toEqual(new Set(['listpack']));
  expect(await frontier.totals()).toMatchObject({ discovered: URLS + 1, queued: URLS + 1, hosts: 1 });
});

test('a host of many shards gives its URLs of the highest priority first', async () => {
  const random = seededRandom(7);
  const [home] = await lease(1);
  expect(home?.url).toBe('https://big.example/');
  if (home === undefined) return;
  const some = (from: Visit, count: number) =>
    Array.from({ length: count }, () => link(from, page(Math.floor(random() * URLS))));
  await frontier.commit(home, visited(home, some(home, 400), { hostSlots: 1000 }), NOW);
  for (const [index, visit] of (await lease(40)).entries()) {
    await frontier.commit(visit, visited(visit, some(visit, 30 + index), { hostSlots: 1000 }), NOW);
  }
  const credits: number[] = [];
  for (const visit of await lease(300)) {
    const state = await frontier.stateOf(visit.url);
    if (state.kind === 'leased') credits.push(state.credit);
  }
  expect(credits).toHaveLength(300);
  expect(new Set(credits).size).toBeGreaterThan(20);
  expect(credits).toEqual(credits.toSorted((a, b) => b - a));
  expect(await frontier.audit()).toBe(TOTAL_CREDIT);
});

test('a queue that was emptied and filled again starts small', async () => {
  const own = await openFrontier({ client: redis.client, keys: redis.keys(), state: 'new' });
  const request = { now: NOW, leaseFor: milliseconds(9), newHostDelay: milliseconds(0) };
  for (let round = 0; round < 2; round += 1) {
    const urls = Array.from({ length: 500 }, (_, index) => candidate(`https://a.example/${round}/${index}`));
    expect(await own.admit(urls, [], NOW)).toBe(500);
    for (let left = 500; left > 0;) {
      const reply = await own.lease({ ...request, count: 100 });
      if (reply.kind !== 'leased') throw new Error(reply.kind);
      left -= reply.visits.length;
      for (const visit of reply.visits) await own.commit(visit, visited(visit, [], { hostSlots: 100 }), NOW);
    }
    expect(await own.totals()).toMatchObject({ queued: 0, leased: 0, hosts: 0, visited: 500 * (round + 1) });
  }
  expect(await own.audit()).toBe(TOTAL_CREDIT);
});

test('a page with 10,000 links is committed in one step', async () => {
  const own = await openFrontier({ client: redis.client, keys: redis.keys(), state: 'new' });
  await own.admit([seed('https://hub.example/')], [], NOW);
  const reply = await own.lease({ now: NOW, count: 1, leaseFor: milliseconds(9), newHostDelay: milliseconds(0) });
  const visit = reply.kind === 'leased' ? reply.visits[0] : undefined;
  if (visit === undefined) throw new Error('nothing leased');
  const links = Array.from({ length: 10_000 }, (_, index) => link(visit, `https://hub.example/${index}`));
  expect(await own.commit(visit, visited(visit, links), NOW)).toEqual({ kind: 'committed', newLinks: 10_000 });
  expect(await own.audit()).toBe(TOTAL_CREDIT);
  expect((await own.journal(1)).entries[0]?.links).toHaveLength(10_000);
});

test('20,000 URLs that have ended are kept as whole numbers in packed arrays', async () => {
  const own = redis.keys();
  const ended = await openFrontier({ client: redis.client, keys: own, state: 'new' });
  const skipped = Array.from({ length: URLS }, (_, index) => skip(`https://gone.example/${index}`));
  expect(await ended.admit([], skipped, NOW)).toBe(URLS);
  const buckets = await redis.client.keys(own.key('f', 'seen:*').replaceAll(/[[\]]/g, '?'));
  expect(buckets.length).toBeGreaterThan(500);
  const found = await Promise.all(buckets.map((name) => redis.client.object('ENCODING', name)));
  expect(new Set(found)).toEqual(new Set(['intset']));
});

test('whatever a path is made of, it comes out of a queue of its pattern as it went in', async () => {
  const own = await openFrontier({ client: redis.client, keys: redis.keys(), state: 'new' });
  const paths = Array.from({ length: 100 }, (_, index) => [
    `/?b=${index}&a=1`,
    `/list?z=${index}&a=1&m=2&b=3`,
    `/@user/posts/${index}`,
    `/*/${index}.html`,
    `/a/b/c/d/e/${index}/`,
    `/2024/05/${index}-title`,
    `/%E2%82%AC/x${index}`,
    `/${'long-directory-names/'.repeat(3)}${'x'.repeat(30)}/${index}.pdf`,
    `/app#/route/${index}`,
    `/${index}`,
  ]).flat();
  const urls = paths.map((path) => `https://paths.example${path}`);
  expect(
    await own.admit(
      urls.map((text) => candidate(text)),
      [],
      NOW,
    ),
  ).toBe(urls.length);
  expect((await own.stateOf(url(urls.at(-10) ?? ''))).kind).toBe('queued');
  expect(
    await own.admit(
      urls.map((text) => candidate(text)),
      [],
      NOW,
    ),
  ).toBe(0);
  const leased: string[] = [];
  while (leased.length < urls.length) {
    const reply = await own.lease({ now: NOW, count: 100, leaseFor: milliseconds(9), newHostDelay: milliseconds(0) });
    if (reply.kind !== 'leased') throw new Error(reply.kind);
    for (const visit of reply.visits) {
      leased.push(visit.url);
      await own.commit(visit, visited(visit, [], { hostSlots: 100 }), NOW);
    }
  }
  expect(leased.toSorted()).toEqual(urls.toSorted());
  expect(await own.audit()).toBe(TOTAL_CREDIT);
});
