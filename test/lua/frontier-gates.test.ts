import { afterAll, beforeAll, expect, test } from 'vitest';
import { milliseconds, TOTAL_CREDIT } from '../../src/base/units.ts';
import type { Frontier } from '../../src/frontier/frontier.ts';
import { openFrontier } from '../../src/frontier/open-frontier.ts';
import { hostKeyOf } from '../../src/model/url/host-key.ts';
import type { Visit } from '../../src/model/visit.ts';
import type { VisitCommit } from '../../src/model/visit-commit.ts';
import {
  at,
  candidate,
  commit,
  leaseOne,
  pageRecord,
  request,
  seed,
  skip,
  url,
  visited,
} from '../support/frontier-nouns.ts';
import { startTestRedis, type TestRedis } from '../support/redis.ts';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startTestRedis();
});
afterAll(() => redis[Symbol.asyncDispose]());

const open = (addresses: 'awaited' | 'unused' = 'unused'): Promise<Frontier> =>
  openFrontier({ client: redis.client, keys: redis.keys(), state: 'new', addresses });

test('visits on one address begin a second apart, however many hosts share it', async () => {
  const frontier = await open('awaited');
  const names = Array.from({ length: 30 }, (_, index) => `https://shared-${index}.example/`);
  await frontier.admit([...names, 'https://alone.example/'].map(seed), [], at(0));
  for (const host of await frontier.awaitingDns(at(0), 100)) {
    const address = host === 'https://alone.example' ? '192.0.2.9' : '192.0.2.1';
    await frontier.resolved(host, { kind: 'address', address }, at(0));
  }
  const begun: number[] = [];
  let alone: number | null = null;
  for (let time = 0; begun.length < 30 && time < 60_000; time += 100) {
    const reply = await frontier.lease(request(time, { count: 5 }));
    if (reply.kind !== 'leased') continue;
    for (const visit of reply.visits) {
      if (visit.host === 'https://alone.example') alone = time;
      else begun.push(time);
    }
  }
  expect(begun).toHaveLength(30);
  expect(alone).toBe(0);
  for (const [index, time] of begun.entries())
    if (index > 0) expect(time - (begun[index - 1] ?? 0)).toBeGreaterThanOrEqual(1000);
  expect(begun.at(-1)).toBeLessThanOrEqual(32_000);
});

const forbidden = (visit: Visit, given: Partial<VisitCommit> = {}): VisitCommit =>
  commit({ kind: 'skipped', record: skip(visit.url, 'disallowed-by-robots') }, [], {
    hostDelay: milliseconds(1000),
    ...given,
  });

test('a visit that asked nothing of its host costs it no time, and the next one keeps the delay of the last that did', async () => {
  const frontier = await open('awaited');
  await frontier.admit(
    [1, 2, 3, 4, 5].map((path) => seed(`https://a.example/${path}`)),
    [],
    at(0),
  );
  await frontier.awaitingDns(at(0), 1);
  await frontier.resolved(hostKeyOf(url('https://a.example/')), { kind: 'address', address: '192.0.2.1' }, at(0));
  const real = await leaseOne(frontier, 0);
  await frontier.commit(real, visited(real, [], { hostDelay: milliseconds(1000) }), at(100));
  expect(await frontier.lease(request(1099))).toEqual({ kind: 'nothing-due', nextDue: at(1100) });
  for (const time of [1100, 1101]) {
    const visit = await leaseOne(frontier, time);
    await frontier.commit(visit, forbidden(visit, { unasked: true }), at(time + 1));
  }
  // robots.txt itself was fetched in this one
  const asking = await leaseOne(frontier, 1102);
  await frontier.commit(asking, forbidden(asking), at(1103));
  expect(await frontier.lease(request(2102))).toEqual({ kind: 'nothing-due', nextDue: at(2103) });
  await leaseOne(frontier, 2103);
});

test('a visit that asked nothing of its host shortens no pause, and neither ends nor makes a row of failures', async () => {
  const frontier = await open();
  const pages = Array.from({ length: 7 }, (_, index) => candidate(`https://a.example/${index}`));
  await frontier.admit(pages, [], at(0));
  const failing = { hostBackoff: milliseconds(1000), hostBackoffMost: milliseconds(600_000) };
  let time = 0;
  for (let failure = 1; failure <= 3; failure += 1) {
    const silent = await leaseOne(frontier, time);
    await frontier.commit(silent, forbidden(silent, { unasked: true }), at(time));
    const visit = await leaseOne(frontier, time);
    await frontier.commit(visit, commit({ kind: 'failed', record: pageRecord(visit.url) }, [], failing), at(time));
    // the pause doubles with each failure
    time += 1000 * 2 ** (failure - 1);
    expect((await frontier.lease(request(time - 1))).kind).toBe('nothing-due');
  }
  const other = await leaseOne(frontier, time);
  await frontier.commit(other, forbidden(other, { unasked: true }), at(time));
  expect(await frontier.openCircuits()).toEqual([]);
});

test('visits of other hosts keep their distance to the last real one on an address', async () => {
  const frontier = await open('awaited');
  await frontier.admit(
    ['https://quick.example/1', 'https://quick.example/2', 'https://quick.example/3'].map(seed),
    [],
    at(0),
  );
  const toOneAddress = async (time: number): Promise<void> => {
    for (const host of await frontier.awaitingDns(at(time), 9))
      await frontier.resolved(host, { kind: 'address', address: '192.0.2.1' }, at(time));
  };
  await toOneAddress(0);
  const quick = { hostDelay: milliseconds(300) };
  const leased = async (time: number): Promise<Visit> => {
    const reply = await frontier.lease(request(time, { newHostDelay: milliseconds(300) }));
    if (reply.kind !== 'leased' || reply.visits[0] === undefined) throw new Error(reply.kind);
    return reply.visits[0];
  };
  const first = await leased(0);
  await frontier.commit(first, visited(first, [], quick), at(0));
  const real = await leased(300);
  await frontier.commit(real, visited(real, [], quick), at(300));
  const silent = await leased(600);
  await frontier.commit(silent, forbidden(silent, { ...quick, unasked: true }), at(600));
  await frontier.admit([seed('https://slow.example/')], [], at(600));
  await toOneAddress(600);
  // the last real visit began at 300, and this host wants a second
  expect((await frontier.lease(request(1200))).kind).toBe('nothing-due');
  expect(await leaseOne(frontier, 1300)).toMatchObject({ host: 'https://slow.example' });
});

test('hosts that are not waited for are not spaced by their address', async () => {
  const frontier = await open('awaited');
  await frontier.admit([seed('https://a.example/'), seed('https://b.example/')], [], at(0));
  for (const host of await frontier.awaitingDns(at(0), 100))
    await frontier.resolved(host, { kind: 'address', address: '127.0.0.1' }, at(0));
  const reply = await frontier.lease(request(0, { count: 5, newHostDelay: milliseconds(0) }));
  expect(reply).toMatchObject({ kind: 'leased', visits: [{}, {}] });
});

test('of one registrable domain two are visited at a time, and one that ends makes place for the next', async () => {
  const frontier = await open();
  const names = Array.from({ length: 6 }, (_, index) => seed(`https://w${index}.farm.example/`));
  await frontier.admit([...names, seed('https://other.example/')], [], at(0));
  const reply = await frontier.lease(request(0, { count: 10 }));
  if (reply.kind !== 'leased') throw new Error(reply.kind);
  const farm = reply.visits.filter(({ host }) => host.endsWith('farm.example'));
  expect([farm.length, reply.visits.length]).toEqual([2, 3]);
  expect((await frontier.lease(request(1))).kind).not.toBe('leased');
  const [first, second] = farm;
  if (first === undefined || second === undefined) throw new Error('two');
  await frontier.commit(first, visited(first), at(2));
  await frontier.release(second.token, at(2));
  const next = await frontier.lease(request(2, { count: 10 }));
  expect(next).toMatchObject({ kind: 'leased', visits: [{}, {}] });
  expect(await frontier.audit()).toBe(TOTAL_CREDIT);
});

test('a host is visited the more slowly the longer its server takes, from the end of the visit', async () => {
  const frontier = await open();
  await frontier.admit(
    [1, 2, 3].map((path) => seed(`https://a.example/${path}`)),
    [],
    at(0),
  );
  const first = await leaseOne(frontier, 0);
  const slow = { hostDelay: milliseconds(1000), serverTime: milliseconds(800) };
  await frontier.commit(first, visited(first, [], slow), at(10_000));
  expect(await frontier.lease(request(13_999))).toEqual({ kind: 'nothing-due', nextDue: at(14_000) });
  const second = await leaseOne(frontier, 14_000);
  // 0.7 · 800 + 0.3 · 100 = 590; the delay is five times that
  await frontier.commit(second, visited(second, [], { ...slow, serverTime: milliseconds(100) }), at(15_000));
  expect(await frontier.lease(request(15_001))).toEqual({ kind: 'nothing-due', nextDue: at(17_950) });
});

test('five failures in a row give a host up, its URLs stay, and a crawl of other hosts goes on', async () => {
  const frontier = await open();
  await frontier.admit([seed('https://down.example/'), candidate('https://down.example/2')], [], at(0));
  let time = 0;
  for (let failure = 1; failure <= 5; failure += 1) {
    const visit = await leaseOne(frontier, time);
    const given = { hostBackoff: milliseconds(1000), hostBackoffMost: milliseconds(600_000) };
    await frontier.commit(visit, commit({ kind: 'retry', due: at(time + 1) }, [], given), at(time));
    if (failure < 5) expect(await frontier.openCircuits()).toEqual([]);
    // the pause doubles with each failure
    time += 1000 * 2 ** (failure - 1);
  }
  expect(await frontier.openCircuits()).toMatchObject([{ host: 'https://down.example', failures: 5, queued: 2 }]);
  expect(await frontier.lease(request(time + 60_000))).toEqual({ kind: 'circuits-open' });
  await frontier.admit([seed('https://up.example/')], [], at(time));
  expect(await leaseOne(frontier, time + 60_000)).toMatchObject({ host: hostKeyOf(url('https://up.example/')) });
  const hours = 6 * 3_600_000;
  expect(await leaseOne(frontier, time + hours)).toMatchObject({ host: hostKeyOf(url('https://down.example/')) });
  expect(await frontier.openCircuits()).toEqual([]);
  expect(await frontier.audit()).toBe(TOTAL_CREDIT);
});

test('a host that is given up while it waits for a place of its domain rests all the same', async () => {
  const frontier = await open();
  const pages = Array.from({ length: 9 }, (_, index) => candidate(`https://a.farm.example/${index}`));
  await frontier.admit(pages, [], at(0));
  const failing = {
    hostSlots: 2,
    hostDelay: milliseconds(100),
    hostBackoff: milliseconds(1000),
    hostBackoffMost: milliseconds(1000),
  };
  const fail = async (visit: Visit, time: number): Promise<unknown> =>
    frontier.commit(visit, commit({ kind: 'failed', record: pageRecord(visit.url) }, [], failing), at(time));
  for (let time = 0; time < 4000; time += 1000) await fail(await leaseOne(frontier, time), time);
  const last = await leaseOne(frontier, 4000);
  await frontier.admit([seed('https://c.farm.example/')], [], at(4000));
  const other = await leaseOne(frontier, 4000);
  // the domain has its two visits: the host of higher priority is throttled first, then the failing one
  await frontier.admit([seed('https://b.farm.example/')], [], at(4100));
  expect((await frontier.lease(request(4100))).kind).not.toBe('leased');
  await fail(last, 4200);
  expect(await frontier.openCircuits()).toMatchObject([{ host: 'https://a.farm.example', failures: 5 }]);
  expect(await leaseOne(frontier, 4200)).toMatchObject({ host: 'https://b.farm.example' });
  await frontier.commit(other, visited(other), at(4300));
  expect((await frontier.lease(request(9000))).kind).not.toBe('leased');
  expect(await frontier.openCircuits()).toMatchObject([{ host: 'https://a.farm.example', failures: 5 }]);
});

/** Crawls 200 pages of a server that lets 5 requests a second pass, 5 of them at once, and refuses others (nginx' limit_req). */
async function throughLimit(frontier: Frontier): Promise<{ readonly refused: number; readonly took: number }> {
  const pages = Array.from({ length: 200 }, (_, index) => candidate(`https://limited.example/${index}`));
  await frontier.admit(pages, [], at(0));
  let [time, filled, excess, refused, left] = [0, 0, 0, 0, pages.length];
  while (left > 0) {
    const reply = await frontier.lease(request(time));
    if (reply.kind === 'nothing-due') time = reply.nextDue - at(0);
    if (reply.kind !== 'leased') continue;
    const visit = reply.visits[0];
    if (visit === undefined) break;
    [excess, filled] = [Math.max(0, excess - (time - filled) / 200), time];
    const passes = excess < 5;
    time += 20;
    const throttled = {
      hostBackoff: milliseconds(22_500),
      hostBackoffMost: milliseconds(3_600_000),
      hostThrottled: true,
    } as const;
    const retry = commit({ kind: 'retry', due: at(time + 22_500) }, [], throttled);
    await frontier.commit(visit, passes ? visited(visit) : retry, at(time));
    if (passes) [excess, left] = [excess + 1, left - 1];
    else refused += 1;
  }
  return { refused, took: time };
}

test('a host that refuses fast visits is not visited as fast again at once', async () => {
  const { refused, took } = await throughLimit(await open());
  expect(refused).toBeLessThanOrEqual(3);
  expect(took).toBeLessThan(200_000);
});

/** Crawls 30 pages of a server of which some always answer 503. @returns the virtual time that it took (ms) */
async function pastDeadPages(frontier: Frontier, dead: number): Promise<number> {
  const pages = Array.from({ length: 30 }, (_, index) => candidate(`https://partly.example/${index}`));
  await frontier.admit(pages, [], at(0));
  const tries = new Map<string, number>();
  let [time, left] = [0, pages.length];
  while (left > 0) {
    const reply = await frontier.lease(request(time));
    if (reply.kind === 'nothing-due') time = reply.nextDue - at(0);
    if (reply.kind === 'circuits-open') throw new Error('the host was given up');
    if (reply.kind !== 'leased') continue;
    const visit = reply.visits[0];
    if (visit === undefined) break;
    time += 20;
    const number = Number(/\d+$/.exec(visit.url)?.[0]);
    const made = (tries.get(visit.url) ?? 0) + 1;
    tries.set(visit.url, made);
    const blames = {
      hostBackoff: milliseconds(22_500),
      hostBackoffMost: milliseconds(3_600_000),
      ...(made === 1 ? { hostThrottled: true as const } : { failsAgain: true as const }),
    };
    const again = { kind: 'retry', due: at(time + 22_500 * 2 ** (made - 1)) } as const;
    if (number >= dead) await frontier.commit(visit, visited(visit), at(time));
    else
      await frontier.commit(visit, made < 3 ? commit(again, [], blames) : { ...visited(visit), ...blames }, at(time));
    if (number >= dead || made === 3) left -= 1;
  }
  expect([...tries.values()].filter((made) => made === 3)).toHaveLength(dead);
  return time;
}

test.each([
  [1, 90_000],
  [3, 300_000],
])('%d pages that always answer 503 do not hold up their host for long, if others answer', async (dead, most) => {
  expect(await pastDeadPages(await open(), dead)).toBeLessThan(most);
});
