import { afterAll, beforeAll, expect, test } from 'vitest';
import { milliseconds, TOTAL_CREDIT } from '../../src/base/units.ts';
import type { Frontier } from '../../src/frontier/frontier.ts';
import { openFrontier } from '../../src/frontier/open-frontier.ts';
import type { LinkConfidence } from '../../src/model/link.ts';
import type { CommittedLink } from '../../src/model/visit-commit.ts';
import type { Visit } from '../../src/model/visit.ts';
import type { KeySpace } from '../../src/redis/key-space.ts';
import {
  at,
  candidate,
  leaseOne,
  link,
  pageRecord,
  seed,
  commit,
  skip,
  url,
  visited,
} from '../support/frontier-nouns.ts';
import { startTestRedis, type TestRedis } from '../support/redis.ts';

const FIRST_TRUST = 8;
const MOST_TRUST = 64;
const HELD_LIMIT = 10_000;

let redis: TestRedis;
beforeAll(async () => {
  redis = await startTestRedis();
});
afterAll(() => redis[Symbol.asyncDispose]());

const open = (keys: KeySpace = redis.keys(), state: 'new' | 'existing' = 'new'): Promise<Frontier> =>
  openFrontier({ client: redis.client, keys, state });

const page = (index: number): string => `https://a.example/${String(index).padStart(5, '0')}`;
const low: { readonly confidence: LinkConfidence } = { confidence: 'low' };

function speculativeLinks(from: Visit, count: number, start = 0): readonly CommittedLink[] {
  return Array.from({ length: count }, (_, index) => link(from, page(start + index), { kind: 'text', ...low }));
}

/** A start page with that many speculative links, visited. */
async function guessed(frontier: Frontier, count: number): Promise<void> {
  await frontier.admit([seed('https://a.example/')], [], at(0));
  const home = await leaseOne(frontier, 0);
  await frontier.commit(home, visited(home, speculativeLinks(home, count)), at(0));
}

type Proof = 'right' | 'wrong' | 'same text' | 'to a known page' | 'to a new page' | 'forbidden';

async function settle(frontier: Frontier, visit: Visit, proof: Proof): Promise<void> {
  const record = { ...pageRecord(visit.url), digest: `sha256:${visit.token.toString().padStart(64, '0')}` };
  const redirected = { kind: 'visited', record: { ...record, outcome: 'redirected' } } as const;
  const target = proof === 'to a new page' ? `${visit.url}/` : 'https://a.example/';
  const settlements = {
    right: commit({ kind: 'visited', record }),
    wrong: commit({ kind: 'failed', record: { ...record, outcome: 'http-error', status: 404 } }),
    'same text': commit({ kind: 'visited', record: { ...record, digest: `sha256:${'0'.repeat(64)}` } }),
    'to a known page': commit(redirected, [link(visit, target, { kind: 'redirect', ...low })]),
    'to a new page': commit(redirected, [link(visit, target, { kind: 'redirect', ...low })]),
    forbidden: commit({ kind: 'skipped', record: skip(visit.url, 'disallowed-by-robots') }),
  };
  await frontier.commit(visit, settlements[proof], at(0));
}

/** Visits everything queued, however many speculative links there are; the function decides what each visit proves. */
async function visitAll(frontier: Frontier, proofOf: (visit: Visit) => Proof): Promise<readonly Visit[]> {
  const visits: Visit[] = [];
  for (;;) {
    const totals = await frontier.totals();
    expect(totals.visited + totals.failed + totals.skipped + totals.queued + totals.leased).toBe(totals.discovered);
    if (totals.queued === 0) return visits;
    const visit = await leaseOne(frontier, 0);
    visits.push(visit);
    await settle(frontier, visit, proofOf(visit));
  }
}

test('a speculative link is leased as a speculative link, after all that takes part in a page’s credit', async () => {
  const frontier = await open();
  await frontier.admit([seed('https://a.example/')], [], at(0));
  const home = await leaseOne(frontier, 0);
  const links = [...speculativeLinks(home, 2), link(home, 'https://a.example/z')];
  expect(await frontier.commit(home, visited(home, links), at(0))).toEqual({ kind: 'committed', newLinks: 3 });
  const cash = TOTAL_CREDIT / 2;
  expect(await frontier.stateOf(url('https://a.example/z'))).toMatchObject({ credit: cash - Math.floor(cash / 10) });
  const visits = await visitAll(frontier, () => 'right');
  expect(visits.map((visit) => [visit.url, visit.confidence, visit.kind])).toEqual([
    ['https://a.example/z', 'high', 'anchor'],
    [page(0), 'low', 'text'],
    [page(1), 'low', 'text'],
  ]);
  expect(await frontier.audit()).toBe(TOTAL_CREDIT);
});

test('of speculative links that are all wrong no more than the first trust are visited, and the others are skipped', async () => {
  const frontier = await open();
  await guessed(frontier, 200);
  expect(await frontier.totals()).toMatchObject({ discovered: 201, queued: FIRST_TRUST, skipped: 200 - FIRST_TRUST });
  expect(await visitAll(frontier, () => 'wrong')).toHaveLength(FIRST_TRUST);
  expect(await frontier.flushDeferred(at(1))).toBe(192);
  const lines = (await frontier.journal(1000)).entries.flatMap((entry) => entry.skipped);
  expect(lines).toHaveLength(192);
  expect(lines.find((line) => line.url === page(8))).toEqual({
    url: page(8),
    reason: 'low-confidence',
    rule: 'speculative: only links of low confidence name it, and the speculative budget of its host is used up',
    referrer: 'https://a.example/',
  });
});

test('of speculative links that are all right every one is visited, in the order in which they came', async () => {
  const frontier = await open();
  await guessed(frontier, 200);
  const visits = await visitAll(frontier, () => 'right');
  expect(new Set(visits.map((visit) => visit.url)).size).toBe(200);
  // links that are pending together are visited in any order
  for (const [index, visit] of visits.entries())
    expect(Number(visit.url.slice(-5)) - index).toBeLessThanOrEqual(MOST_TRUST);
  expect(await frontier.totals()).toMatchObject({ visited: 201, skipped: 0, queued: 0 });
});

test('what a host may have pending grows by one for each right speculative link, up to its most', async () => {
  const frontier = await open();
  await guessed(frontier, 300);
  const pending: number[] = [];
  for (let turn = 0; turn < 80; turn += 1) {
    await settle(frontier, await leaseOne(frontier, 0), 'right');
    pending.push((await frontier.totals()).queued);
  }
  expect(pending.slice(0, 3)).toEqual([FIRST_TRUST + 1, FIRST_TRUST + 2, FIRST_TRUST + 3]);
  expect(pending.slice(-20)).toEqual(Array.from({ length: 20 }, () => MOST_TRUST));
});

test.each([
  ['a redirect to a page that is known', 'to a known page', FIRST_TRUST],
  ['the text that another speculative link had', 'same text', FIRST_TRUST + 2],
] as const)('%s proves a speculative link wrong', async (_what, proof, visits) => {
  const frontier = await open();
  await guessed(frontier, 100);
  expect(await visitAll(frontier, () => proof)).toHaveLength(visits);
});

test('the target of a redirect is a speculative link in its place, and what it comes to is what counts', async () => {
  const frontier = await open();
  await guessed(frontier, 100);
  const visits = await visitAll(frontier, (visit) => (visit.kind === 'redirect' ? 'wrong' : 'to a new page'));
  expect(visits.filter((visit) => visit.kind === 'redirect')).toHaveLength(FIRST_TRUST);
  expect(visits.filter((visit) => visit.kind === 'redirect').map((visit) => visit.confidence)).not.toContain('high');
  expect(visits).toHaveLength(2 * FIRST_TRUST);
});

test('a visit that was forbidden proves nothing', async () => {
  const frontier = await open();
  await guessed(frontier, 100);
  expect(await visitAll(frontier, () => 'forbidden')).toHaveLength(100);
});

test('a real link lifts a speculative link that is held, and makes a place where one is queued', async () => {
  const frontier = await open();
  await guessed(frontier, 20);
  expect(await frontier.totals()).toMatchObject({ queued: FIRST_TRUST, skipped: 12 });
  await frontier.admit([candidate(page(15)), candidate(page(0))], [], at(1));
  // page 15 by its link, and page 8 in place of page 0
  expect(await frontier.totals()).toMatchObject({ queued: FIRST_TRUST + 2, skipped: 10 });
  expect(await frontier.stateOf(url(page(8)))).toMatchObject({ kind: 'queued' });
  const visits = await visitAll(frontier, (visit) => (visit.confidence === 'low' ? 'wrong' : 'right'));
  expect(visits.filter((visit) => visit.confidence === 'high').map((visit) => visit.url)).toEqual([page(0), page(15)]);
  expect(visits.filter((visit) => visit.confidence === 'low')).toHaveLength(FIRST_TRUST);
  expect(await frontier.flushDeferred(at(2))).toBe(20 - FIRST_TRUST - 2);
});

test('a speculative link changes nothing of what is known', async () => {
  const frontier = await open();
  await frontier.admit([candidate(page(1), { depth: 5 })], [skip(page(2), 'nofollow'), skip(page(3))], at(0));
  const again = [1, 2, 3].map((index) => candidate(page(index), { depth: 1, ...low }));
  expect(await frontier.admit(again, [], at(0))).toBe(0);
  expect(await frontier.totals()).toMatchObject({ discovered: 3, skipped: 2, queued: 1 });
  expect(await leaseOne(frontier, 0)).toMatchObject({ depth: 5, confidence: 'high' });
});

test('each host has a budget of its own', async () => {
  const frontier = await open();
  const urls = ['a', 'b', 'c'].flatMap((host) =>
    Array.from({ length: 30 }, (_, index) => candidate(`https://${host}.example/${index}`, low)),
  );
  expect(await frontier.admit(urls, [], at(0))).toBe(90);
  expect(await frontier.totals()).toMatchObject({ queued: 3 * FIRST_TRUST, hosts: 3 });
});

test('a host keeps ten thousand speculative links for later; what comes after is skipped for good, unless a link names it', async () => {
  const keys = redis.keys();
  const frontier = await open(keys);
  const count = FIRST_TRUST + HELD_LIMIT + 100;
  await frontier.admit(
    Array.from({ length: count }, (_, index) => candidate(page(index), low)),
    [],
    at(0),
  );
  expect(await redis.client.llen(keys.key('f', 'deferred-speculative:https://a.example'))).toBe(HELD_LIMIT);
  await frontier.admit([candidate(page(count - 1))], [], at(1));
  expect(await leaseOne(frontier, 1)).toMatchObject({ url: page(count - 1), confidence: 'high' });
  expect(await frontier.flushDeferred(at(2))).toBe(HELD_LIMIT + 100 - 1);
});

test('the budget is kept when the crawl is resumed', async () => {
  const keys = redis.keys();
  const before = await open(keys);
  await guessed(before, 100);
  for (let turn = 0; turn < 5; turn += 1) await settle(before, await leaseOne(before, 0), 'wrong');
  await before.lease({ now: at(0), count: 1, leaseFor: milliseconds(1), newHostDelay: milliseconds(0) });
  const after = await open(keys, 'existing');
  expect(await after.reclaim('died', at(0), at(0))).toEqual({ taken: 1, suspects: [] });
  expect(await visitAll(after, () => 'wrong')).toHaveLength(FIRST_TRUST - 5);
});

test('wrong speculative links are never more than the first trust and the right ones together, whatever comes first', async () => {
  for (let pattern = 0; pattern < 16; pattern += 1) {
    const frontier = await open();
    await guessed(frontier, 120);
    let [right, wrong] = [0, 0];
    await visitAll(frontier, () => {
      const isRight = ((pattern >> ((right + wrong) % 4)) & 1) === 1;
      if (isRight) right += 1;
      else wrong += 1;
      expect(wrong).toBeLessThanOrEqual(FIRST_TRUST + right);
      return isRight ? 'right' : 'wrong';
    });
    expect(await frontier.audit()).toBe(TOTAL_CREDIT);
  }
});
