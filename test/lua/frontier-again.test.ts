/** Second visits: of pages that were only read, and whose cluster turned out to need a browser. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { milliseconds, seconds, TOTAL_CREDIT } from '../../src/base/units.ts';
import type { Frontier } from '../../src/frontier/frontier.ts';
import { openFrontier } from '../../src/frontier/open-frontier.ts';
import type { Disposition, VisitCommit } from '../../src/model/visit-commit.ts';
import type { Visit } from '../../src/model/visit.ts';
import type { KeySpace } from '../../src/redis/key-space.ts';
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
import { startTestRedis, type TestRedis } from '../support/redis.ts';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startTestRedis();
});
afterAll(() => redis[Symbol.asyncDispose]());

interface Opening {
  readonly keys?: KeySpace;
  readonly state?: 'new' | 'existing';
  readonly hostLimit?: number;
  readonly parts?: number;
}

const open = ({ keys = redis.keys(), state = 'new', ...given }: Opening = {}): Promise<Frontier> =>
  openFrontier({ client: redis.client, keys, state, ...given });

const HOME = 'https://a.example/';
const pages = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `${HOME}p/${index}`);

/** Visits everything that is queued. @returns the visits made */
async function visitAll(
  frontier: Frontier,
  time = 0,
  commitOf = (visit: Visit): VisitCommit => visited(visit),
): Promise<readonly Visit[]> {
  const visits: Visit[] = [];
  for (;;) {
    const reply = await frontier.lease(request(time));
    const visit = reply.kind === 'leased' ? reply.visits[0] : undefined;
    if (visit === undefined) return visits;
    visits.push(visit);
    await frontier.commit(visit, commitOf(visit), at(time));
    await expectBalance(frontier);
  }
}

/** A start page that linked to these pages, with all of them visited. @returns their visits */
async function begun(frontier: Frontier, count: number): Promise<readonly Visit[]> {
  await frontier.admit([seed(HOME)], [], at(0));
  const home = await leaseOne(frontier, 0);
  await frontier.commit(
    home,
    visited(
      home,
      pages(count).map((url) => link(home, url, { hops: 2 })),
    ),
    at(0),
  );
  return visitAll(frontier);
}

async function expectBalance(frontier: Frontier): Promise<void> {
  const { discovered, visited: ended, failed, skipped, queued, leased } = await frontier.totals();
  expect(ended + failed + skipped + queued + leased).toBe(discovered);
  expect(await frontier.audit()).toBe(TOTAL_CREDIT);
}

async function linesOf(frontier: Frontier): Promise<readonly string[]> {
  const { entries } = await frontier.journal(1000);
  return entries.flatMap(({ page, skipped }) => [
    ...(page === null ? [] : [page.url]),
    ...skipped.map(({ url }) => url),
  ]);
}

test('a page that was visited comes back with its way, and stays counted as visited', async () => {
  const frontier = await open();
  const [first, second] = await begun(frontier, 3);
  if (first === undefined || second === undefined) throw new Error('no visits');
  const recorded = [0, 4_294_967_295, 77];
  expect(
    await frontier.visitAgain(
      [first, second].map((page) => ({ ...page, recorded })),
      at(1),
    ),
  ).toBe(2);
  expect(await frontier.totals()).toMatchObject({
    discovered: 4,
    visited: 4,
    queued: 0,
    queuedAgain: 2,
    leasedAgain: 0,
  });
  const visit = await leaseOne(frontier, 1);
  const { depth, hops, kind, confidence, referrer, attempt } = first;
  expect(visit).toMatchObject({ depth, hops, kind, confidence, referrer, attempt, again: true, recorded });
  expect(await frontier.totals()).toMatchObject({ visited: 4, queued: 0, leased: 0, queuedAgain: 1, leasedAgain: 1 });
  await expectBalance(frontier);
  await frontier.commit(visit, visited(visit, [link(visit, `${HOME}late`)]), at(2));
  expect(await frontier.totals()).toMatchObject({
    discovered: 5,
    visited: 4,
    queued: 1,
    queuedAgain: 1,
    leasedAgain: 0,
  });
  expect((await visitAll(frontier, 3)).map(({ url, again }) => [url, again]).toSorted()).toEqual(
    [
      [`${HOME}late`, undefined],
      [visit.url === first.url ? second.url : first.url, true],
    ].toSorted(),
  );
  expect(await frontier.totals()).toMatchObject({ discovered: 5, visited: 5, queuedAgain: 0 });
});

test('twice changes nothing, and what has not been visited stays as it is', async () => {
  const frontier = await open();
  const [page] = await begun(frontier, 2);
  if (page === undefined) throw new Error('no visit');
  await frontier.admit([candidate(`${HOME}waits`)], [skip(`${HOME}deep`, 'depth')], at(1));
  const others = [candidate(`${HOME}waits`), candidate(`${HOME}deep`), candidate(`${HOME}unknown`)];
  const before = await frontier.totals();
  expect(await frontier.visitAgain(others, at(1))).toBe(0);
  expect(await frontier.totals()).toEqual(before);
  expect(await frontier.visitAgain([page, page], at(1))).toBe(1);
  expect(await frontier.visitAgain([page], at(1))).toBe(0);
  const again = (await frontier.lease(request(1, { count: 5 }))) as { readonly visits: readonly Visit[] };
  expect(await frontier.visitAgain([page], at(1))).toBe(0);
  await frontier.release(again.visits[0]?.token ?? 0, at(1));
  expect((await visitAll(frontier, 2)).filter((visit) => visit.again === true)).toHaveLength(1);
  await expectBalance(frontier);
});

test('a speculative link that was right is visited again as what it was', async () => {
  const frontier = await open();
  await frontier.admit([candidate(`${HOME}guess`, { confidence: 'low' })], [], at(0));
  const [page] = await visitAll(frontier);
  if (page === undefined) throw new Error('no visit');
  expect(await frontier.visitAgain([page], at(1))).toBe(1);
  await expectBalance(frontier);
  const visit = await leaseOne(frontier, 1);
  expect(visit).toMatchObject({ confidence: 'low', kind: 'anchor', again: true });
  expect(visit.recorded).toBeUndefined();
});

test('only a second visit that ended as visited writes a line', async () => {
  const frontier = await open();
  const visits = await begun(frontier, 4);
  const before = await linesOf(frontier);
  await frontier.visitAgain(visits, at(1));
  const endings: readonly ((visit: Visit) => Disposition)[] = [
    ({ url }) => ({ kind: 'failed', record: { ...pageRecord(url), outcome: 'http-error' } }),
    ({ url }) => ({ kind: 'skipped', record: skip(url, 'disallowed-by-robots') }),
    () => ({ kind: 'retry', due: at(2) }),
    ({ url }) => ({ kind: 'visited', record: pageRecord(url) }),
  ];
  let index = 0;
  const made = await visitAll(frontier, 3, (visit) => {
    const ending = endings[index++]?.(visit) ?? ({ kind: 'visited', record: pageRecord(visit.url) } as const);
    return commit(ending, ending.kind === 'failed' ? [link(visit, `${HOME}notice`)] : []);
  });
  // five visits: one page was tried twice
  expect(made).toHaveLength(5);
  expect(made.every((visit) => visit.again === true)).toBe(true);
  expect(await linesOf(frontier)).toHaveLength(before.length + 2);
  expect(await frontier.totals()).toMatchObject({ discovered: 5, visited: 5, failed: 0, skipped: 0, queuedAgain: 0 });
});

test('a process that knew the page in another place, or as ended, commits links to it as before', async () => {
  const keys = redis.keys();
  const frontier = await open({ keys });
  const other = await open({ keys, state: 'existing' });
  await frontier.admit([seed(HOME), seed('https://b.example/')], [], at(0));
  const [home, elsewhere] = [await leaseOne(frontier, 0), await leaseOne(frontier, 0)];
  // more pages than fit in the common queue
  const urls = pages(30);
  const linksOf = (from: Visit) => urls.map((url) => link(from, url));
  await other.commit(elsewhere, visited(elsewhere, linksOf(elsewhere)), at(0));
  await frontier.commit(home, visited(home, linksOf(home)), at(0));
  const visits = await visitAll(frontier);
  expect(await frontier.visitAgain(visits, at(1))).toBe(30);
  for (const [index, each] of [frontier, other].entries()) {
    await each.admit([candidate(`https://c${index}.example/`)], [], at(2));
    const reply = await each.lease(request(2, { count: 40 }));
    const late = (reply.kind === 'leased' ? reply.visits : []).find(({ host }) => host.includes('//c'));
    if (late === undefined) throw new Error('no lease');
    expect(await each.commit(late, visited(late, linksOf(late)), at(2))).toEqual({ kind: 'committed', newLinks: 0 });
    await frontier.reclaim('ended', at(3), at(3));
    await expectBalance(frontier);
    expect(await frontier.totals()).toMatchObject({ queued: 0, queuedAgain: 30 });
  }
});

test('a second visit keeps the delay of its host, and its place', async () => {
  const frontier = await open();
  const visits = await begun(frontier, 2);
  await frontier.visitAgain(visits, at(1));
  const first = await leaseOne(frontier, 1);
  expect((await frontier.lease(request(1))).kind).toBe('nothing-queued');
  await frontier.commit(first, visited(first, [], { hostDelay: seconds(10) }), at(2));
  expect(await frontier.lease(request(3))).toEqual({ kind: 'nothing-due', nextDue: at(10_002) });
  expect(await leaseOne(frontier, 10_002)).toMatchObject({ again: true });
});

test('it stays a second visit when its lease runs out, is taken back, or its process was killed', async () => {
  const keys = redis.keys();
  const frontier = await open({ keys });
  const visits = await begun(frontier, 1);
  await frontier.visitAgain(visits, at(1));
  await frontier.lease(request(1, { leaseFor: milliseconds(10) }));
  expect(await frontier.reap(at(20), at(20))).toBe(1);
  await expectBalance(frontier);
  const lost = await leaseOne(frontier, 21);
  expect(lost.again).toBe(true);
  await frontier.begin(lost.token, at(60_000));
  const resumed = await open({ keys, state: 'existing' });
  expect(await resumed.reclaim('died', at(22), at(22))).toEqual({ taken: 1, suspects: [lost.url] });
  expect(await resumed.totals()).toMatchObject({ visited: 2, queued: 0, queuedAgain: 1, leasedAgain: 0 });
  await expectBalance(resumed);
  expect(await leaseOne(resumed, 23)).toMatchObject({ url: lost.url, again: true, deaths: 1 });
  expect(await resumed.commit(lost, visited(lost), at(24))).toEqual({ kind: 'fenced' });
});

test('counts for no limit, and where a host has used its limit up the first visit stands', async () => {
  const frontier = await open({ hostLimit: 4 });
  const visits = await begun(frontier, 6);
  expect(visits).toHaveLength(3);
  expect(await frontier.totals()).toMatchObject({ visited: 4, queued: 3, withheld: 3 });
  expect(await frontier.visitAgain(visits, at(1))).toBe(3);
  expect(await frontier.totals()).toMatchObject({ visited: 4, queued: 3, withheld: 3, queuedAgain: 0 });
  expect(await frontier.lease(request(1))).toEqual({ kind: 'nothing-queued' });
  const held: string[] = [];
  for await (const { records } of frontier.heldBack()) held.push(...records.map(({ url }) => url));
  expect(held).toHaveLength(3);
  await frontier.flushDeferred(at(2));
  expect(await frontier.totals()).toMatchObject({ discovered: 7, visited: 4, skipped: 3, queued: 0, queuedAgain: 0 });
  expect(new Set(await linesOf(frontier)).size).toBe(7);
  await expectBalance(frontier);

  const below = await open({ hostLimit: 4 });
  const some = await begun(below, 2);
  await below.visitAgain(some, at(1));
  expect(await visitAll(below, 2)).toHaveLength(2);
  expect(await below.countedPages()).toBe(3);
  await below.admit([candidate(`${HOME}more`), candidate(`${HOME}too-many`)], [], at(3));
  expect(await visitAll(below, 4)).toHaveLength(1);
});

test('each of many comes back once, in several calls, and by its own part of a crawl', async () => {
  const frontier = await open({ parts: 3 });
  const homes = ['a', 'b', 'c', 'd', 'e'].map((name) => `https://${name}.example/`);
  await frontier.admit(
    homes.flatMap((home) => Array.from({ length: 250 }, (_, index) => candidate(`${home}${index}`))),
    [],
    at(0),
  );
  const visits = await visitMany(frontier, 0);
  expect(await frontier.visitAgain(visits, at(1))).toBe(1250);
  expect(await frontier.totals()).toMatchObject({ visited: 1250, queued: 0, queuedAgain: 1250 });
  const again = await visitMany(frontier, 2);
  expect(new Set(again.map(({ url }) => url)).size).toBe(1250);
  expect(again.every((visit) => visit.again === true)).toBe(true);
  await expectBalance(frontier);
}, 60_000);

async function visitMany(frontier: Frontier, time: number): Promise<readonly Visit[]> {
  const visits: Visit[] = [];
  for (;;) {
    const reply = await frontier.lease(request(time, { count: 20 }));
    if (reply.kind !== 'leased') return visits;
    visits.push(...reply.visits);
    for (const visit of reply.visits) await frontier.commit(visit, visited(visit, [], { hostSlots: 20 }), at(time));
  }
}
