import { afterAll, beforeAll, expect, test } from 'vitest';
import { milliseconds, TOTAL_CREDIT } from '../../src/base/units.ts';
import type { Frontier } from '../../src/frontier/frontier.ts';
import { openFrontier } from '../../src/frontier/open-frontier.ts';
import type { Visit } from '../../src/model/visit.ts';
import { shareOf } from '../support/credit-probe.ts';
import {
  at,
  candidate,
  leaseOne,
  link,
  request,
  seed,
  commit,
  skip,
  skippedLink,
  url,
  visited,
} from '../support/frontier-nouns.ts';
import { startTestRedis, type TestRedis } from '../support/redis.ts';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startTestRedis();
});
afterAll(() => redis[Symbol.asyncDispose]());

const open = (): Promise<Frontier> => openFrontier({ client: redis.client, keys: redis.keys(), state: 'new' });
async function booksBalance(frontier: Frontier): Promise<void> {
  const totals = await frontier.totals();
  expect(totals.visited + totals.failed + totals.skipped + totals.queued + totals.leased).toBe(totals.discovered);
  expect(await frontier.audit()).toBe(TOTAL_CREDIT);
}

test('an admitted seed is leased as it was admitted', async () => {
  const frontier = await open();
  expect(await frontier.admit([seed('https://a.example/')], [], at(0))).toBe(1);
  expect(await frontier.lease(request(5))).toEqual({
    kind: 'leased',
    visits: [
      {
        ...seed('https://a.example/'),
        host: 'https://a.example',
        attempt: 1,
        deaths: 0,
        firstOfHost: true,
        token: 1,
        leasedAt: at(5),
        leasedUntil: at(60_005),
      },
    ],
  });
  await booksBalance(frontier);
});

test('a URL is new once, whichever way it is offered', async () => {
  const frontier = await open();
  expect(await frontier.admit([seed('https://a.example/'), seed('https://a.example/')], [], at(0))).toBe(1);
  expect(await frontier.admit([candidate('https://a.example/')], [skip('https://a.example/')], at(0))).toBe(0);
  expect(await frontier.totals()).toMatchObject({ discovered: 1, queued: 1, skipped: 0, hosts: 1 });
});

test('an empty frontier has nothing queued', async () => {
  const frontier = await open();
  expect(await frontier.lease(request(0))).toEqual({ kind: 'nothing-queued' });
  expect(await frontier.journal(10)).toEqual({ entries: [], upTo: 0 });
  expect(await frontier.journalPosition()).toBeNull();
});

test('seeds share half of all credit at their admission', async () => {
  const frontier = await open();
  await frontier.admit([seed('https://a.example/'), seed('https://b.example/')], [], at(0));
  expect(await frontier.stateOf(url('https://a.example/'))).toMatchObject({ credit: TOTAL_CREDIT / 4 });
  expect(await frontier.stateOf(url('https://b.example/'))).toMatchObject({ credit: TOTAL_CREDIT / 4 });
  await booksBalance(frontier);
});

test('a host is leased only once it is due, whether the visit was settled or not', async () => {
  const frontier = await open();
  await frontier.admit(
    [seed('https://a.example/1'), seed('https://a.example/2'), seed('https://a.example/3')],
    [],
    at(0),
  );
  const first = await leaseOne(frontier, 0);
  expect(await frontier.lease(request(999))).toEqual({ kind: 'nothing-queued' });
  await frontier.commit(first, visited(first, [], { hostDelay: milliseconds(500) }), at(1000));
  expect(await frontier.lease(request(1499))).toEqual({ kind: 'nothing-due', nextDue: at(1500) });
  await leaseOne(frontier, 1500);
});

test('a host has as many leases out as its last commit allows', async () => {
  const frontier = await open();
  const paths = [1, 2, 3, 4, 5].map((number) => seed(`https://a.example/${number}`));
  await frontier.admit(paths, [], at(0));
  const first = await leaseOne(frontier, 0);
  await frontier.commit(first, visited(first, [], { hostSlots: 3 }), at(1));
  const reply = await frontier.lease(request(1, { count: 10 }));
  expect(reply).toMatchObject({ kind: 'leased', visits: [{ token: 2 }, { token: 3 }, { token: 4 }] });
  expect(await frontier.lease(request(1))).toEqual({ kind: 'nothing-queued' });
  await booksBalance(frontier);
});

test('leases of one host with several slots stay its delay apart', async () => {
  const frontier = await open();
  await frontier.admit(
    [1, 2, 3].map((number) => seed(`https://a.example/${number}`)),
    [],
    at(0),
  );
  const first = await leaseOne(frontier, 0);
  await frontier.commit(first, visited(first, [], { hostSlots: 2, hostDelay: milliseconds(100) }), at(0));
  await leaseOne(frontier, 100);
  expect(await frontier.lease(request(199))).toEqual({ kind: 'nothing-due', nextDue: at(200) });
  await leaseOne(frontier, 200);
});

test('of the hosts that are due the one of the highest priority is leased first, whenever it became due', async () => {
  const frontier = await open();
  await frontier.admit([candidate('https://poor.example/')], [], at(0));
  await frontier.admit([seed('https://rich.example/')], [], at(200));
  expect(await leaseOne(frontier, 300)).toMatchObject({ host: 'https://rich.example' });
  expect(await leaseOne(frontier, 300)).toMatchObject({ host: 'https://poor.example' });
});

test('every sixteenth lease is of the host that has been due longest, however poor it is', async () => {
  const frontier = await open();
  await frontier.admit([candidate('https://poor.example/')], [], at(0));
  const rich = Array.from({ length: 40 }, (_, index) => seed(`https://rich-${index}.example/`));
  await frontier.admit(rich, [], at(1));
  const reply = await frontier.lease(request(1, { count: 41 }));
  if (reply.kind !== 'leased') throw new Error(reply.kind);
  expect(reply.visits.findIndex(({ host }) => host === 'https://poor.example')).toBe(15);
});

test.each([
  [40_000, 1],
  [70_000, 2],
])('a list of %d seeds is admitted, each with the same credit, in %d parts', async (count, parts) => {
  const frontier = await openFrontier({ client: redis.client, keys: redis.keys(), state: 'new', parts });
  const places = Array.from({ length: count }, (_, index) => url(`https://a.example/${index}`));
  expect(
    await frontier.admit(
      places.map((place) => seed(place)),
      [],
      at(0),
    ),
  ).toBe(count);
  expect(await frontier.audit()).toBe(TOTAL_CREDIT);
  const share = Math.floor(TOTAL_CREDIT / parts / 2 / count);
  for (const place of [places[0], places[12_345], places.at(-1)].filter((each) => each !== undefined)) {
    const state = await frontier.stateOf(place);
    expect(Math.abs((state.kind === 'queued' ? state.credit : 0) - share)).toBeLessThanOrEqual(1);
  }
  expect((await frontier.seeds()).toSorted()).toEqual(places.toSorted());
  expect(await frontier.admit([seed('https://a.example/7')], [], at(0))).toBe(0);
});

test('the URL with the most credit of a host is leased first, and equal ones in the order of their paths', async () => {
  const frontier = await open();
  await frontier.admit([candidate('https://a.example/b'), candidate('https://a.example/a')], [], at(0));
  await frontier.admit([seed('https://a.example/z')], [], at(0));
  const urls: string[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    const visit = await leaseOne(frontier, turn);
    urls.push(visit.url);
    await frontier.commit(visit, visited(visit), at(turn));
  }
  expect(urls).toEqual(['https://a.example/z', 'https://a.example/a', 'https://a.example/b']);
});

test('a visited page gives nine tenths to its links in equal shares, to itself a sixteenth of one, and the rest to lambda', async () => {
  const frontier = await open();
  await frontier.admit([seed('https://a.example/')], [], at(0));
  const visit = await leaseOne(frontier, 0);
  const links = [
    link(visit, 'https://a.example/1'),
    link(visit, 'https://a.example/2'),
    link(visit, 'https://a.example/2'),
    link(visit, 'https://a.example/'),
    skippedLink(visit, 'https://b.example/'),
  ];
  expect(await frontier.commit(visit, visited(visit, links), at(1))).toEqual({ kind: 'committed', newLinks: 3 });
  const share = shareOf(TOTAL_CREDIT / 2, 2, 1);
  expect(await frontier.stateOf(url('https://a.example/1'))).toMatchObject({ credit: share });
  expect(await frontier.stateOf(url('https://a.example/2'))).toMatchObject({ credit: share });
  await booksBalance(frontier);
});

test('a leased, a waiting and a queued target are credited, one that has ended counts for a sixteenth of them, which is for lambda', async () => {
  const frontier = await open();
  const names = ['from', 'ended', 'leased', 'waiting', 'queued'];
  await frontier.admit(
    names.map((name) => seed(`https://${name}.example/`)),
    [],
    at(0),
  );
  const reply = await frontier.lease(request(0, { count: 5 }));
  if (reply.kind !== 'leased') throw new Error('nothing leased');
  const of = (name: string): Visit => {
    const visit = reply.visits.find(({ host }) => host === `https://${name}.example`);
    if (visit === undefined) throw new Error(name);
    return visit;
  };
  await frontier.commit(of('ended'), visited(of('ended')), at(1));
  await frontier.commit(of('waiting'), commit({ kind: 'retry', due: at(9000) }), at(1));
  await frontier.release(of('queued').token, at(1));
  const links = names.slice(1).map((name) => link(of('from'), `https://${name}.example/`));
  await frontier.commit(of('from'), visited(of('from'), links), at(2));
  const before = Math.floor(TOTAL_CREDIT / 2 / 5);
  const credit = before + shareOf(before, 3, 1);
  expect(await frontier.stateOf(url('https://leased.example/'))).toEqual({ kind: 'leased', credit, attempt: 1 });
  expect(await frontier.stateOf(url('https://waiting.example/'))).toEqual({
    kind: 'queued',
    credit,
    attempt: 1,
    due: at(9000),
  });
  expect(await frontier.stateOf(url('https://queued.example/'))).toEqual({
    kind: 'queued',
    credit,
    attempt: 0,
    due: null,
  });
  expect(await frontier.stateOf(url('https://ended.example/'))).toEqual({ kind: 'ended' });
  expect(await frontier.stateOf(url('https://other.example/'))).toEqual({ kind: 'unknown' });
  await booksBalance(frontier);
});

test('a commit given twice, or under a token that is not out, changes nothing', async () => {
  const frontier = await open();
  await frontier.admit([seed('https://a.example/')], [], at(0));
  const visit = await leaseOne(frontier, 0);
  const given = visited(visit, [link(visit, 'https://a.example/1')]);
  await frontier.commit(visit, given, at(1));
  const totals = await frontier.totals();
  expect(await frontier.commit(visit, given, at(2))).toEqual({ kind: 'fenced' });
  expect(await frontier.commit({ ...visit, token: 99 }, given, at(2))).toEqual({ kind: 'fenced' });
  expect(await frontier.renew(visit.token, at(9))).toBe(false);
  expect(await frontier.release(visit.token, at(9))).toBe(false);
  expect(await frontier.totals()).toEqual(totals);
  expect((await frontier.journal(10)).entries).toHaveLength(1);
});

test('a retry waits until it is due and costs an attempt', async () => {
  const frontier = await open();
  await frontier.admit([seed('https://a.example/')], [], at(0));
  const visit = await leaseOne(frontier, 0);
  await frontier.commit(visit, commit({ kind: 'retry', due: at(5000) }), at(10));
  expect(await frontier.lease(request(4999))).toEqual({ kind: 'nothing-due', nextDue: at(5000) });
  expect(await frontier.totals()).toMatchObject({ queued: 1, leased: 0, hosts: 1 });
  expect(await leaseOne(frontier, 5000)).toMatchObject({ url: visit.url, attempt: 2, token: 2 });
  await booksBalance(frontier);
});

test('a released lease costs no attempt and no time', async () => {
  const frontier = await open();
  await frontier.admit([seed('https://a.example/')], [], at(0));
  const visit = await leaseOne(frontier, 0);
  expect(await frontier.release(visit.token, at(1))).toBe(true);
  expect(await leaseOne(frontier, 1)).toMatchObject({ url: visit.url, attempt: 1, token: 2 });
});

test('a lease that ran out is taken back, and no attempt is counted; a renewed one stays', async () => {
  const frontier = await open();
  await frontier.admit([seed('https://a.example/'), seed('https://b.example/')], [], at(0));
  const [first, second] = [await leaseOne(frontier, 0), await leaseOne(frontier, 0)];
  expect(await frontier.renew(second.token, at(90_000))).toBe(true);
  expect(await frontier.reap(at(60_000), at(61_000))).toBe(1);
  expect(await frontier.commit(first, visited(first), at(60_001))).toEqual({ kind: 'fenced' });
  expect(await frontier.lease(request(60_999))).toEqual({ kind: 'nothing-due', nextDue: at(61_000) });
  expect(await leaseOne(frontier, 61_000)).toMatchObject({ url: first.url, attempt: 1, deaths: 0 });
  expect(await frontier.stateOf(second.url)).toMatchObject({ kind: 'leased' });
  await booksBalance(frontier);
});

test('reclaim takes every lease back, and no attempt is counted', async () => {
  const frontier = await open();
  await frontier.admit([seed('https://a.example/'), seed('https://b.example/')], [], at(0));
  await frontier.lease(request(0, { count: 2 }));
  expect(await frontier.reclaim('ended', at(1), at(500))).toEqual({ taken: 2, suspects: [] });
  expect(await frontier.lease(request(499))).toEqual({ kind: 'nothing-due', nextDue: at(500) });
  expect(await leaseOne(frontier, 500)).toMatchObject({ attempt: 1 });
});

test.each([
  ['its lease has run out', (frontier: Frontier) => frontier.reap(at(70_000), at(70_000))],
  ['the program was killed', (frontier: Frontier) => frontier.reclaim('died', at(70_000), at(71_000))],
  ['it was given up', (frontier: Frontier, token: number) => frontier.release(token, at(70_000), at(71_000))],
])('a host keeps its own delay after a visit that was not committed because %s', async (_why, takeBack) => {
  const frontier = await open();
  await frontier.admit([seed('https://slow.example/'), seed('https://slow.example/next')], [], at(0));
  const first = await leaseOne(frontier, 0);
  await frontier.commit(first, visited(first, [], { hostDelay: milliseconds(30_000) }), at(1));
  const second = await leaseOne(frontier, 30_001);
  await frontier.begin(second.token, at(65_000));
  await takeBack(frontier, second.token);
  expect(await frontier.lease(request(99_999))).toEqual({ kind: 'nothing-due', nextDue: at(100_000) });
  expect(await leaseOne(frontier, 100_000)).toMatchObject({ url: second.url, attempt: 1 });
  await booksBalance(frontier);
});

test('visits of a host that fail at the same time are one failure of it', async () => {
  const frontier = await open();
  await frontier.admit(
    [1, 2, 3, 4].map((number) => seed(`https://a.example/${number}`)),
    [],
    at(0),
  );
  const first = await leaseOne(frontier, 0);
  await frontier.commit(first, visited(first, [], { hostSlots: 2 }), at(0));
  const [left, right] = [await leaseOne(frontier, 1), await leaseOne(frontier, 1)];
  const failing = { hostBackoff: milliseconds(8000), hostSlots: 2 };
  await frontier.commit(left, commit({ kind: 'retry', due: at(9000) }, [], failing), at(100));
  await frontier.commit(right, commit({ kind: 'retry', due: at(9000) }, [], failing), at(101));
  expect(await frontier.slowestHosts(5)).toEqual([
    { host: 'https://a.example', due: at(8101), queued: 3, leased: 0, failures: 1 },
  ]);
  expect(await frontier.lease(request(8100))).toEqual({ kind: 'nothing-due', nextDue: at(8101) });
  const next = await leaseOne(frontier, 8101);
  await frontier.commit(next, visited(next), at(8102));
  expect(await frontier.slowestHosts(1)).toMatchObject([{ failures: 0 }]);
});

test('of the hosts that are not done the most loaded is told first, and all are counted', async () => {
  const frontier = await open();
  const pages = (host: string, count: number) =>
    Array.from({ length: count }, (_, index) => candidate(`https://${host}.example/${index}`));
  await frontier.admit([...pages('few', 3), ...pages('many', 90), ...pages('some', 40)], [], at(0));
  expect(await frontier.slowestHosts(2)).toMatchObject([{ queued: 90 }, { queued: 40 }]);
  expect(await frontier.slowestHosts(9)).toMatchObject([{ queued: 90 }, { queued: 40 }, { queued: 3 }]);
  expect(await frontier.totals()).toMatchObject({ queued: 133, hosts: 3 });
});

test('a page comes back with the depth at which it was found, however deep', async () => {
  const frontier = await open();
  const depths = [0, 1, 255, 256, 4000, 65_535];
  const deep = depths.map((depth) => candidate(`https://deep.example/at-${depth}`, { depth }));
  await frontier.admit(deep, [], at(0));
  await frontier.admit([candidate('https://deep.example/at-4000', { depth: 300 })], [], at(1));
  const found = new Map<string, number>();
  for (let turn = 0; turn < depths.length; turn += 1) {
    const visit = await leaseOne(frontier, 10_000 * (turn + 1));
    found.set(visit.url, visit.depth);
    await frontier.commit(visit, visited(visit), at(10_000 * (turn + 1) + 1));
  }
  const nearest = depths.map((depth) => [`https://deep.example/at-${depth}`, depth === 4000 ? 300 : depth] as const);
  expect(found).toEqual(new Map(nearest));
});

test('a host of few pages is told while one of them is visited', async () => {
  const frontier = await open();
  await frontier.admit([candidate('https://few.example/a'), candidate('https://few.example/b')], [], at(0));
  const visit = await leaseOne(frontier, 0);
  expect(await frontier.slowestHosts(1)).toMatchObject([{ host: 'https://few.example', queued: 1, leased: 1 }]);
  await frontier.commit(visit, visited(visit), at(1));
  await frontier.commit(await leaseOne(frontier, 5000), visited(visit), at(5001));
  expect(await frontier.slowestHosts(1)).toEqual([]);
  expect(await frontier.totals()).toMatchObject({ hosts: 0, visited: 2 });
});

test('a clock that is set back stands still', async () => {
  const frontier = await open();
  await frontier.admit([seed('https://a.example/'), seed('https://b.example/')], [], at(5000));
  expect(await leaseOne(frontier, 100)).toMatchObject({ leasedAt: at(5000), leasedUntil: at(65_000) });
  expect(await frontier.latest()).toBe(at(5000));
});

test('a URL skipped for its depth is queued when a shorter way is found, and is no line of the journal', async () => {
  const frontier = await open();
  await frontier.admit([seed('https://a.example/')], [skip('https://a.example/deep', 'depth')], at(0));
  expect(await frontier.totals()).toMatchObject({ discovered: 2, skipped: 1, queued: 1 });
  const visit = await leaseOne(frontier, 0);
  const settled = await frontier.commit(visit, visited(visit, [link(visit, 'https://a.example/deep')]), at(1));
  expect(settled).toEqual({ kind: 'committed', newLinks: 0 });
  expect(await frontier.totals()).toMatchObject({ discovered: 2, skipped: 0, queued: 1, visited: 1 });
  expect(await frontier.flushDeferred(at(2))).toBe(0);
  expect((await frontier.journal(10)).entries.flatMap((entry) => entry.skipped)).toEqual([]);
  await booksBalance(frontier);
});

test.each(['nofollow', 'duplicate'] as const)(
  'a URL skipped as %s is queued when another page links to it otherwise',
  async (reason) => {
    const frontier = await open();
    await frontier.admit([seed('https://a.example/')], [skip('https://a.example/both-ways', reason)], at(0));
    const visit = await leaseOne(frontier, 0);
    await frontier.commit(visit, visited(visit, [link(visit, 'https://a.example/both-ways')]), at(1));
    expect(await frontier.totals()).toMatchObject({ discovered: 2, skipped: 0, queued: 1, visited: 1 });
    await booksBalance(frontier);
  },
);

test('the fewer hops beyond the scope win while a URL is queued', async () => {
  const frontier = await open();
  await frontier.admit([candidate('https://a.example/', { depth: 2, hops: 3 })], [], at(0));
  await frontier.admit([candidate('https://a.example/', { depth: 5, hops: 1 })], [], at(0));
  expect(await leaseOne(frontier, 0)).toMatchObject({ depth: 2, hops: 1 });
});

test('a URL skipped for another reason stays skipped', async () => {
  const frontier = await open();
  await frontier.admit([], [skip('https://a.example/x')], at(0));
  expect(await frontier.admit([candidate('https://a.example/x')], [], at(1))).toBe(0);
  expect(await frontier.totals()).toMatchObject({ discovered: 1, skipped: 1, queued: 0 });
  expect(await frontier.stateOf(url('https://a.example/x'))).toEqual({ kind: 'ended' });
});

test('the smaller depth wins while a URL is queued, with the page that it came from', async () => {
  const frontier = await open();
  const from = url('https://b.example/near');
  await frontier.admit(
    [candidate('https://a.example/', { depth: 5, referrer: url('https://a.example/far') })],
    [],
    at(0),
  );
  await frontier.admit([candidate('https://a.example/', { depth: 2, referrer: from, kind: 'frame' })], [], at(0));
  await frontier.admit([candidate('https://a.example/', { depth: 4 })], [], at(0));
  expect(await leaseOne(frontier, 0)).toMatchObject({ depth: 2, referrer: from, kind: 'frame' });
});

test('a referrer of the same host comes back whole', async () => {
  const frontier = await open();
  const referrer = url('https://a.example/from?x=1');
  await frontier.admit([candidate('https://a.example/', { referrer })], [], at(0));
  expect(await leaseOne(frontier, 0)).toMatchObject({ referrer });
});

test('state that is expected and missing is an error, never an empty crawl', async () => {
  const keys = redis.keys();
  await expect(openFrontier({ client: redis.client, keys, state: 'existing' })).rejects.toMatchObject({
    code: 'STATE_LOST',
  });
  await openFrontier({ client: redis.client, keys, state: 'new' });
  await expect(openFrontier({ client: redis.client, keys, state: 'existing' })).resolves.toBeDefined();
});
