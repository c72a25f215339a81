import { afterAll, beforeAll, expect, test } from 'vitest';
import { milliseconds, TOTAL_CREDIT } from '../../src/base/units.ts';
import type { Frontier } from '../../src/frontier/frontier.ts';
import { openFrontier } from '../../src/frontier/open-frontier.ts';
import type { Visit } from '../../src/model/visit.ts';
import { at, candidate, leaseOne, link, request, seed, visited } from '../support/frontier-nouns.ts';
import { startTestRedis, type TestRedis } from '../support/redis.ts';

const CAP = 10_000;
const AT_ONCE = 500;

let redis: TestRedis;
beforeAll(async () => {
  redis = await startTestRedis();
});
afterAll(() => redis[Symbol.asyncDispose]());

const given = { hostSlots: AT_ONCE };

/** Visits so many pages of the only host, named by the first. */
async function fetchPages(frontier: Frontier, count: number): Promise<void> {
  for (let done = 0; done < count;) {
    const reply = await frontier.lease(
      request(1, { count: Math.min(AT_ONCE, count - done), newHostDelay: milliseconds(0) }),
    );
    if (reply.kind !== 'leased') throw new Error(reply.kind);
    await Promise.all(reply.visits.map((visit) => frontier.commit(visit, visited(visit, [], given), at(1))));
    done += reply.visits.length;
  }
}

test('a domain that has had ten thousand pages comes after all others, new hosts of it too, and loses nothing', async () => {
  const frontier = await openFrontier({ client: redis.client, keys: redis.keys(), state: 'new' });
  await frontier.admit([seed('https://big.farm.example/')], [], at(0));
  const home = await leaseOne(frontier, 0);
  await frontier.commit(home, visited(home, [], given), at(0));
  const pages = Array.from({ length: CAP + 20 }, (_, index) => candidate(`https://big.farm.example/p/${index}`));
  await frontier.admit(pages, [], at(0));
  await fetchPages(frontier, CAP - 1);

  // one of its pages has the highest credit, and so has one of an unknown host of the domain
  const rich = await leaseOne(frontier, 1);
  const links = [link(rich, 'https://big.farm.example/rich'), link(rich, 'https://new.farm.example/')];
  await frontier.commit(rich, visited(rich, links, given), at(1));
  await frontier.admit([candidate('https://poor.example/1'), candidate('https://poor.example/2')], [], at(1));
  const first: Visit[] = [];
  for (let turn = 0; turn < 2; turn += 1) {
    const visit = await leaseOne(frontier, 2 + turn);
    first.push(visit);
    await frontier.commit(visit, visited(visit, [], given), at(2 + turn));
  }
  expect(first.map(({ url }) => url).toSorted()).toEqual(['https://poor.example/1', 'https://poor.example/2']);

  // when no other host is left, it is its turn again
  const left = await frontier.totals();
  expect(left).toMatchObject({ leased: 0, skipped: 0, failed: 0, visited: CAP + 3 });
  await fetchPages(frontier, left.queued);
  expect(await frontier.totals()).toMatchObject({ queued: 0, visited: CAP + 25, discovered: CAP + 25 });
  expect(await frontier.audit()).toBe(TOTAL_CREDIT);
}, 120_000);
