/** Folded URLs: skipped for now, without a visit and a pause, and back in the frontier if the fold proves wrong. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seconds, TOTAL_CREDIT } from '../../src/base/units.ts';
import type { Frontier } from '../../src/frontier/frontier.ts';
import { openFrontier } from '../../src/frontier/open-frontier.ts';
import type { SkippedRecord } from '../../src/model/record.ts';
import type { CommittedLink } from '../../src/model/visit-commit.ts';
import type { Visit } from '../../src/model/visit.ts';
import type { KeySpace } from '../../src/redis/key-space.ts';
import { at, candidate, leaseOne, link, request, seed, visited } from '../support/frontier-nouns.ts';
import { startTestRedis, type TestRedis } from '../support/redis.ts';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startTestRedis();
});
afterAll(() => redis[Symbol.asyncDispose]());

const open = (keys: KeySpace = redis.keys(), state: 'new' | 'existing' | 'shared' = 'new'): Promise<Frontier> =>
  openFrontier({ client: redis.client, keys, state });

const HOME = 'https://a.example/';
const FOLD = 'x-1';
const record = (url: string): SkippedRecord => ({ url, reason: 'duplicate-query', rule: 'r', referrer: HOME });

function folded(from: Visit, url: string, fold = FOLD): CommittedLink {
  const { record: line, target } = link(from, url, { hops: 2 });
  if (target.kind !== 'candidate') throw new Error('no candidate');
  const { candidate: way } = target;
  return { record: line, target: { kind: 'skipped', record: record(way.url), fold: { id: fold, candidate: way } } };
}

/** A start page with these links, visited. */
async function begun(frontier: Frontier, linksOf: (home: Visit) => readonly CommittedLink[]): Promise<void> {
  await frontier.admit([seed(HOME)], [], at(0));
  const home = await leaseOne(frontier, 0);
  await frontier.commit(home, visited(home, linksOf(home)), at(0));
}

async function leaseAll(frontier: Frontier, time: number): Promise<readonly Visit[]> {
  const visits: Visit[] = [];
  for (;;) {
    const reply = await frontier.lease(request(time));
    const visit = reply.kind === 'leased' ? reply.visits[0] : undefined;
    if (visit === undefined) return visits;
    visits.push(visit);
    await frontier.commit(visit, visited(visit), at(time));
  }
}

test('a folded link is skipped so far, and its line is written in the end', async () => {
  const frontier = await open();
  await begun(frontier, (home) => [folded(home, `${HOME}b?r=1`)]);
  expect(await frontier.totals()).toMatchObject({ discovered: 2, visited: 1, skipped: 1, queued: 0 });
  expect(await frontier.lease(request(0))).toEqual({ kind: 'nothing-queued' });
  expect(await frontier.flushDeferred(at(1))).toBe(1);
  const lines = (await frontier.journal(100)).entries.flatMap(({ skipped }) => skipped);
  expect(lines).toEqual([record(`${HOME}b?r=1`)]);
  expect(await frontier.audit()).toBe(TOTAL_CREDIT);
});

test('what was folded comes back with its way, and once only', async () => {
  const frontier = await open();
  await begun(frontier, (home) => [
    folded(home, `${HOME}b?r=1`),
    folded(home, `${HOME}b?r=2`),
    folded(home, `${HOME}c?r=1`, 'other-1'),
  ]);
  expect(await frontier.unfold(FOLD, at(1))).toBe(2);
  expect(await frontier.unfold(FOLD, at(1))).toBe(0);
  expect(await frontier.totals()).toMatchObject({ discovered: 4, skipped: 1, queued: 2 });
  const visits = await leaseAll(frontier, 2);
  expect(
    visits.map(({ url, depth, hops, kind, confidence, referrer }) => [url, depth, hops, kind, confidence, referrer]),
  ).toEqual(
    expect.arrayContaining([
      [`${HOME}b?r=1`, 1, 2, 'anchor', 'high', HOME],
      [`${HOME}b?r=2`, 1, 2, 'anchor', 'high', HOME],
    ]),
  );
  expect(await frontier.audit()).toBe(TOTAL_CREDIT);
});

test('many come back in several calls', async () => {
  const frontier = await open();
  await begun(frontier, (home) => Array.from({ length: 1200 }, (_, index) => folded(home, `${HOME}b?r=${index}`)));
  expect(await frontier.unfold(FOLD, at(1))).toBe(1200);
  expect(await frontier.totals()).toMatchObject({ discovered: 1201, skipped: 0, queued: 1200 });
  expect(await frontier.audit()).toBe(TOTAL_CREDIT);
});

test('nothing is folded any more under a fold that proved wrong: whoever has not heard of it queues the URL', async () => {
  const frontier = await open();
  await frontier.unfold(FOLD, at(0));
  await begun(frontier, (home) => [folded(home, `${HOME}b?r=1`)]);
  const late = await leaseOne(frontier, 1);
  expect(late.url).toBe(`${HOME}b?r=1`);
  expect(await frontier.fold(late, record(late.url), FOLD, at(1))).toBe(false);
  expect(await frontier.commit(late, visited(late), at(1))).toMatchObject({ kind: 'committed' });
  expect(await frontier.audit()).toBe(TOTAL_CREDIT);
});

test('a lease is folded without a pause of its host, and comes back like a link', async () => {
  const frontier = await open();
  await frontier.admit([seed(HOME)], [], at(0));
  const home = await leaseOne(frontier, 0);
  const links = [link(home, `${HOME}b?r=1`), link(home, `${HOME}b?r=2`)];
  await frontier.commit(home, visited(home, links, { hostDelay: seconds(10) }), at(0));
  const first = await leaseOne(frontier, 10_000);
  expect(await frontier.fold(first, record(first.url), FOLD, at(10_000))).toBe(true);
  expect(await frontier.totals()).toMatchObject({ discovered: 3, visited: 1, skipped: 1, queued: 1, leased: 0 });
  const second = await leaseOne(frontier, 10_000);
  expect(await frontier.fold(second, record(second.url), FOLD, at(10_000))).toBe(true);
  expect(await frontier.fold(second, record(second.url), FOLD, at(10_000))).toBe(false);
  expect(await frontier.audit()).toBe(TOTAL_CREDIT);
  expect(await frontier.unfold(FOLD, at(10_000))).toBe(2);
  expect(await leaseOne(frontier, 10_000)).toMatchObject({ depth: 1, kind: 'anchor', referrer: HOME, attempt: 1 });
});

test('the address of a lease that was folded is free for the next one as well', async () => {
  const frontier = await openFrontier({ client: redis.client, keys: redis.keys(), state: 'new', addresses: 'awaited' });
  await frontier.admit([seed(HOME), seed(`${HOME}b`), seed(`${HOME}c`)], [], at(0));
  const [host] = await frontier.awaitingDns(at(0), 1);
  if (host === undefined) throw new Error('no host');
  await frontier.resolved(host, { kind: 'address', address: '192.0.2.1' }, at(0));
  const first = await leaseOne(frontier, 1);
  await frontier.fold(first, record(first.url), FOLD, at(1));
  const second = await leaseOne(frontier, 1);
  await frontier.release(second.token, at(1));
  expect((await frontier.lease(request(2))).kind).toBe('nothing-due');
});

test('a link that may not be folded brings a folded URL back by itself', async () => {
  const frontier = await open();
  await begun(frontier, (home) => [folded(home, `${HOME}b?r=1`)]);
  await frontier.admit([candidate(`${HOME}b?r=1`, { kind: 'redirect' })], [], at(1));
  expect(await leaseAll(frontier, 2)).toHaveLength(1);
  expect(await frontier.unfold(FOLD, at(3))).toBe(0);
  expect(await frontier.totals()).toMatchObject({ discovered: 2, visited: 2, skipped: 0, queued: 0 });
});

test('what was folded is known to a crawl that is resumed', async () => {
  const keys = redis.keys();
  await begun(await open(keys), (home) => [folded(home, `${HOME}b?r=1`)]);
  const after = await open(keys, 'existing');
  expect(await after.unfold(FOLD, at(1))).toBe(1);
  expect(await leaseOne(after, 2)).toMatchObject({ url: `${HOME}b?r=1` });
});

test('a link to a page that another process has folded since brings it back, and pays it', async () => {
  const keys = redis.keys();
  const [frontier, other] = [await open(keys), await open(keys, 'shared')];
  await begun(frontier, (home) => [link(home, `${HOME}a`), link(home, `${HOME}b`)]);
  const variant = await leaseOne(frontier, 1);
  expect(await other.fold(variant, record(variant.url), FOLD, at(1))).toBe(true);
  const page = await leaseOne(frontier, 1);
  await frontier.commit(page, visited(page, [link(page, variant.url)]), at(1));
  const again = await frontier.stateOf(variant.url);
  expect(again).toMatchObject({ kind: 'queued' });
  expect(again.kind === 'queued' && again.credit).toBeGreaterThan(0);
  expect(await frontier.audit()).toBe(TOTAL_CREDIT);
});
