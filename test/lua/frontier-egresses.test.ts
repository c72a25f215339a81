/** Politeness for each egress address of a crawl's processes, and the rules that count for a host over all addresses. */
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { milliseconds, TOTAL_CREDIT } from '../../src/base/units.ts';
import type { EgressPlaces, Frontier } from '../../src/frontier/frontier.ts';
import { openFrontier } from '../../src/frontier/open-frontier.ts';
import type { KeySpace } from '../../src/redis/key-space.ts';
import type { Visit } from '../../src/model/visit.ts';
import type { VisitCommit } from '../../src/model/visit-commit.ts';
import { at, candidate, commit, link, request, seed, skip, visited } from '../support/frontier-nouns.ts';
import { startTestRedis, type TestRedis } from '../support/redis.ts';

const DELAY = 1000;
const A = '192.0.2.1';
const B = '192.0.2.2';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startTestRedis();
});
afterAll(() => redis[Symbol.asyncDispose]());

interface Opened {
  readonly frontier: Frontier;
  readonly keys: KeySpace;
}

async function open(
  pages: readonly string[],
  given: Partial<Parameters<typeof openFrontier>[0]> = {},
): Promise<Opened> {
  const keys = redis.keys();
  const frontier = await openFrontier({ client: redis.client, keys, state: 'new', egresses: 'apart', ...given });
  await frontier.admit(
    pages.map((page) => candidate(page)),
    [],
    at(0),
  );
  return { frontier, keys };
}

const pagesOf = (host: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `https://${host}/${index}`);

/** Addresses, with a free place for each mention. */
const from = (...addresses: readonly string[]): readonly EgressPlaces[] =>
  [...new Set(addresses)].map((address) => ({ address, count: addresses.filter((each) => each === address).length }));

async function lease(frontier: Frontier, time: number, egresses: readonly EgressPlaces[]): Promise<readonly Visit[]> {
  const count = egresses.reduce((sum, each) => sum + each.count, 0);
  const reply = await frontier.lease(request(time, { count, egresses }));
  return reply.kind === 'leased' ? reply.visits : [];
}

const addressesOf = (visits: readonly Visit[]): readonly string[] =>
  visits.map(({ egress = 'none' }) => egress).toSorted();

const polite: Partial<VisitCommit> = { hostDelay: milliseconds(DELAY) };

async function end(frontier: Frontier, visits: readonly Visit[], time: number, given = polite): Promise<void> {
  for (const visit of visits) await frontier.commit(visit, visited(visit, [], given), at(time));
}

test('a host is visited once per delay from each address, and the addresses do not wait for each other', async () => {
  const { frontier } = await open(pagesOf('a.example', 6));
  const both = await lease(frontier, 0, from(A, B, A, B));
  expect(addressesOf(both)).toEqual([A, B]);
  const [first, second] = both;
  if (first === undefined || second === undefined) throw new Error('two');
  await end(frontier, [first], 100);
  await end(frontier, [second], 600);
  expect(await lease(frontier, 1099, from(A, B))).toEqual([]);
  expect(addressesOf(await lease(frontier, 1100, from(A, B)))).toEqual([first.egress]);
  expect(await lease(frontier, 1599, from(A, B))).toEqual([]);
  expect(addressesOf(await lease(frontier, 1600, from(A, B)))).toEqual([second.egress]);
  expect(await frontier.audit()).toBe(TOTAL_CREDIT);
});

test('processes of one address share one place and one delay, those that do not say theirs as well', async () => {
  for (const address of [A, '']) {
    const { frontier } = await open(pagesOf('a.example', 3));
    const [visit, ...more] = await lease(frontier, 0, from(address, address));
    expect([visit?.egress, more]).toEqual([address, []]);
    if (visit !== undefined) await end(frontier, [visit], 10);
    expect(await lease(frontier, DELAY, from(address, address))).toEqual([]);
    expect(await lease(frontier, DELAY + 10, from(address, address))).toHaveLength(1);
  }
});

test('what is next due is what is due for an address that has a place free', async () => {
  const { frontier } = await open(pagesOf('a.example', 4));
  await end(frontier, await lease(frontier, 0, from(A)), 100);
  await end(frontier, await lease(frontier, 500, from(B)), 700);
  const asked = async (egresses: readonly EgressPlaces[]): Promise<unknown> =>
    frontier.lease(request(800, { count: 1, egresses }));
  expect(await asked([...from(B), { address: A, count: 0 }])).toEqual({ kind: 'nothing-due', nextDue: at(1700) });
  expect(await asked(from(A, B))).toEqual({ kind: 'nothing-due', nextDue: at(1100) });
});

test('a page that waits for another try is due for every address', async () => {
  const { frontier } = await open(['https://a.example/']);
  const [visit] = await lease(frontier, 0, from(A));
  if (visit === undefined) throw new Error('a visit');
  await frontier.commit(visit, commit({ kind: 'retry', due: at(5000) }, [], polite), at(10));
  expect(await frontier.lease(request(2000, { egresses: from(B) }))).toEqual({
    kind: 'nothing-due',
    nextDue: at(5000),
  });
  expect(await lease(frontier, 5000, from(B))).toMatchObject([{ url: visit.url, attempt: 2, egress: B }]);
});

test('one visit at a time goes to the addresses in turn', async () => {
  const { frontier } = await open(Array.from({ length: 20 }, (_, index) => `https://h${index}.example/`));
  const egresses: string[] = [];
  for (let time = 0; time < 10; time += 1) {
    const reply = await frontier.lease(request(time, { count: 1, egresses: from(A, B) }));
    if (reply.kind === 'leased') egresses.push(...reply.visits.map(({ egress = '' }) => egress));
  }
  expect(egresses.filter((egress) => egress === A)).toHaveLength(5);
});

describe('a host that failed rests for all addresses', () => {
  const asked = { ...polite, hostBackoff: milliseconds(30_000), hostBackoffMost: null };

  it('when it asks to wait', async () => {
    const { frontier } = await open(pagesOf('a.example', 4));
    const [visit] = await lease(frontier, 0, from(A));
    if (visit === undefined) throw new Error('a visit');
    await frontier.commit(visit, commit({ kind: 'retry', due: at(30_100) }, [], asked), at(100));
    for (const address of [A, B, '192.0.2.3']) {
      expect(await frontier.lease(request(30_099, { egresses: from(address) }))).toEqual({
        kind: 'nothing-due',
        nextDue: at(30_100),
      });
    }
    expect(addressesOf(await lease(frontier, 30_100, from(A, B)))).toEqual([A, B]);
  });

  it('with an open circuit', async () => {
    const { frontier } = await open(pagesOf('a.example', 9));
    for (let failure = 0; failure < 5; failure += 1) {
      const [visit] = await lease(frontier, failure * 60_000, from(failure % 2 === 0 ? A : B));
      if (visit === undefined) throw new Error('a visit');
      await frontier.commit(visit, commit({ kind: 'retry', due: at(0) }, [], asked), at(failure * 60_000 + 1));
    }
    expect(await frontier.lease(request(300_000, { count: 2, egresses: from(A, B) }))).toEqual({
      kind: 'circuits-open',
    });
    expect(await lease(frontier, 8 * 3_600_000, from(A, B))).toHaveLength(2);
  });
});

test('visits of a host at a time count for each address, and the host limit for all together', async () => {
  const { frontier } = await open(pagesOf('a.example', 12), { hostLimit: 7 });
  const free: Partial<VisitCommit> = { hostDelay: milliseconds(0), hostSlots: 2 };
  for (const visit of await lease(frontier, 0, from(A))) await frontier.commit(visit, visited(visit, [], free), at(1));
  const none = milliseconds(0);
  const egresses = from(A, A, A, B, B, B);
  const first = await frontier.lease(request(2, { count: 6, egresses, newHostDelay: none }));
  if (first.kind !== 'leased') throw new Error(first.kind);
  expect(addressesOf(first.visits)).toEqual([A, A, B, B]);
  for (const visit of first.visits) await frontier.commit(visit, visited(visit, [], free), at(3));
  expect(await lease(frontier, 4, egresses)).toHaveLength(2); // seven in all
  expect(await frontier.audit()).toBe(TOTAL_CREDIT);
});

test('places of a registrable domain count for each address', async () => {
  const names = Array.from({ length: 8 }, (_, index) => `https://w${index}.farm.example/`);
  const { frontier } = await open(names);
  const visits = await lease(frontier, 0, from(A, A, A, B, B, B));
  expect(addressesOf(visits)).toEqual([A, A, B, B]);
  expect(await lease(frontier, 1, from(A, B))).toEqual([]);
  const [ended] = visits;
  if (ended === undefined) throw new Error('a visit');
  await frontier.release(ended.token, at(2));
  expect(addressesOf(await lease(frontier, 2, from(A, B)))).toEqual([ended.egress]);
  expect(await frontier.audit()).toBe(TOTAL_CREDIT);
});

test('visits on one address of a server begin a second apart from each address', async () => {
  const { frontier } = await open(
    Array.from({ length: 8 }, (_, index) => pagesOf(`shared-${index}.example`, 2)).flat(),
    { addresses: 'awaited' },
  );
  for (const host of await frontier.awaitingDns(at(0), 100))
    await frontier.resolved(host, { kind: 'address', address: '2001:db8::1' }, at(0));
  const begun = new Map<string, number[]>([
    [A, []],
    [B, []],
  ]);
  for (let time = 0; time < 5000; time += 100)
    for (const { egress = '' } of await lease(frontier, time, from(A, A, B))) begun.get(egress)?.push(time);
  for (const times of begun.values()) {
    expect(times).toHaveLength(5);
    for (const [index, time] of times.slice(1).entries())
      expect(time - (times[index] ?? 0)).toBeGreaterThanOrEqual(1000);
  }
});

test('a lease of a process that was killed holds its address back, and no other', async () => {
  const { frontier } = await open(pagesOf('a.example', 6));
  const [dead] = await lease(frontier, 0, from(A));
  if (dead === undefined) throw new Error('a visit');
  await end(frontier, await lease(frontier, 0, from(B)), 10);
  expect(addressesOf(await lease(frontier, 59_999, from(A, B)))).toEqual([B]);
  expect(await frontier.reap(at(60_000), at(61_000))).toBe(1);
  expect(await lease(frontier, 60_999, from(A))).toEqual([]);
  expect(await lease(frontier, 61_000, from(A))).toMatchObject([{ url: dead.url, attempt: 1, egress: A }]);
  expect(await frontier.commit(dead, visited(dead), at(61_001))).toEqual({ kind: 'fenced' });
  expect(await frontier.audit()).toBe(TOTAL_CREDIT);
});

test('a visit that is given back with a pause, as after robots.txt, lets another address go on', async () => {
  const { frontier } = await open(['https://a.example/']);
  const [visit] = await lease(frontier, 0, from(A));
  if (visit === undefined) throw new Error('a visit');
  expect(await frontier.release(visit.token, at(100), at(1100))).toBe(true);
  expect(await lease(frontier, 100, from(A))).toEqual([]);
  const [again] = await lease(frontier, 100, from(B));
  expect(again).toMatchObject({ url: visit.url, attempt: 1, egress: B });
});

test('after a restart every address has its pause again, whoever has it', async () => {
  const { frontier, keys } = await open(pagesOf('a.example', 6));
  const left = await lease(frontier, 0, from(A, B));
  expect(left).toHaveLength(2);
  const next = await openFrontier({ client: redis.client, keys, state: 'existing' });
  expect(await next.reclaim('ended', at(500), at(1500))).toMatchObject({ taken: 2 });
  expect(await lease(next, 1499, from(A, B))).toEqual([]);
  expect(await lease(next, 1500, from(A, B))).toHaveLength(2);
});

test('a page over which the program ended is visited alone, by whichever address is free', async () => {
  const { frontier } = await open(pagesOf('a.example', 2));
  const [visit] = await lease(frontier, 0, from(A));
  if (visit === undefined) throw new Error('a visit');
  await frontier.begin(visit.token, at(90_000));
  expect(await frontier.reclaim('died', at(1), at(1000))).toEqual({ taken: 1, suspects: [visit.url] });
  const [alone, ...others] = await lease(frontier, 2, from(B, B));
  expect([alone?.url, alone?.egress, others]).toEqual([visit.url, B, []]);
  expect(await lease(frontier, 1000, from(A, B))).toEqual([]);
  if (alone !== undefined) await end(frontier, [alone], 1001);
  expect(addressesOf(await lease(frontier, 1001, from(A, B)))).toEqual([A]);
});

test('an address that nobody has any more is forgotten once nothing hangs on it, and begins anew later', async () => {
  const { frontier, keys } = await open(
    ['a', 'b', 'c', 'd', 'e', 'f'].flatMap((name) => pagesOf(`${name}.example`, 5)),
  );
  const key = (name: string): string => keys.key('f', name);
  await end(frontier, await lease(frontier, 0, from(A, B, A, B)), 50_000);
  // a delay that outlasts the address is kept
  await end(frontier, await lease(frontier, 51_000, from(B)), 51_100, { hostDelay: milliseconds(600_000) });
  await lease(frontier, 52_000, from(A));
  await lease(frontier, 400_000, from(A));
  expect(await redis.client.exists(key('due:1'), key('due:2'))).toBe(2);
  await lease(frontier, 700_000, from(A));
  const left = await redis.client.keys(key('due:*'));
  expect(left).toHaveLength(1);
  expect((await lease(frontier, 700_001, from(B, B))).length).toBeGreaterThan(0);
  expect((await redis.client.keys(key('due:*'))).toSorted()).toEqual([...left, key('due:3')].toSorted());
  expect(await frontier.audit()).toBe(TOTAL_CREDIT);
});

test('where politeness counts for all together, a host has one place and nothing is kept of addresses', async () => {
  const { frontier, keys } = await open(pagesOf('a.example', 3), { egresses: 'together' });
  const apart = await open(pagesOf('a.example', 3));
  const visits = await lease(frontier, 0, from(A, B));
  expect(visits).toHaveLength(1);
  expect(visits[0]).not.toHaveProperty('egress');
  await lease(apart.frontier, 0, from(A, B));
  const names = await redis.client.keys(keys.key('f', '*'));
  expect(names.filter((name) => /:f:(?:egresses|due:|ready:)/.test(name))).toEqual([]);
  const bytesOf = async (space: KeySpace, name: string): Promise<number> => redis.client.strlen(space.key('f', name));
  const host = 'host:https://a.example';
  // an empty list of parts would take one byte; two paces take more
  expect(await bytesOf(keys, host)).toBeLessThan((await bytesOf(apart.keys, host)) - 20);
});

/** A random number in [0, 1) by a seed (mulberry32). */
function chance(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

test.each([1, 2, 3, 4])(
  'whatever is done, no host is visited sooner from an address than its delay allows (%i)',
  async (start) => {
    const random = chance(start);
    const pick = <Item>(items: readonly Item[]): Item => {
      const item = items[Math.floor(random() * items.length)];
      if (item === undefined) throw new Error('nothing to pick');
      return item;
    };
    const { frontier, keys } = await open([]);
    const roots = ['https://a.example', 'https://b.example', 'https://x.farm.example', 'https://y.farm.example'];
    const hosts = [...roots, 'https://z.farm.example'];
    await frontier.admit(
      hosts.map((host) => seed(`${host}/`)),
      [],
      at(0),
    );
    const out = new Map<number, Visit>();
    /** The time from which a host may be visited from an address; `*`: from any. */
    const due = new Map<string, number>();
    const ended = new Set<string>();
    let alive: readonly string[] = [A, B, ''];
    let made = 0;
    const postpone = (key: string, time: number): void => void due.set(key, Math.max(due.get(key) ?? 0, time));
    const settle = async (visit: Visit, time: number): Promise<void> => {
      const key = `${visit.host} ${visit.egress}`;
      out.delete(visit.token);
      const way = random();
      if (way < 0.1) {
        postpone(key, time + 500);
        await frontier.release(visit.token, at(time), at(time + 500));
      } else if (way < 0.2) {
        postpone(key, time + DELAY);
        postpone(`${visit.host} *`, time + 3000);
        const given = { ...polite, hostBackoff: milliseconds(3000), hostBackoffMost: null };
        await frontier.commit(visit, commit({ kind: 'retry', due: at(time + 4000) }, [], given), at(time));
        await frontier.commit(visit, commit({ kind: 'retry', due: at(time + 4000) }, [], given), at(time));
      } else if (way < 0.3) {
        // it asked nothing of its host: the host is due as before
        ended.add(visit.url);
        const record = skip(visit.url, 'disallowed-by-robots');
        const given = { ...polite, unasked: true } as const;
        await frontier.commit(visit, commit({ kind: 'skipped', record }, [], given), at(time));
      } else {
        postpone(key, time + DELAY);
        ended.add(visit.url);
        made += 1;
        const to = made > 120 ? [] : [link(visit, `${pick(hosts)}/${made}`), link(visit, `${visit.host}/${made}b`)];
        await frontier.commit(visit, visited(visit, to, polite), at(time));
      }
    };
    let time = 0;
    for (; time < 2_000_000; time += Math.floor(random() * 400)) {
      if (random() < 0.02) alive = [A, B, '', '192.0.2.3', '192.0.2.4'].filter(() => random() < 0.6);
      if (alive.length === 0) alive = [B];
      const egresses = alive.map((address) => ({ address, count: Math.floor(random() * 3) }));
      if (egresses.every(({ count }) => count === 0)) continue;
      for (const visit of await lease(frontier, time, egresses)) {
        const { host, egress = '' } = visit;
        expect(alive).toContain(egress);
        expect(time).toBeGreaterThanOrEqual(due.get(`${host} ${egress}`) ?? 0);
        expect(time).toBeGreaterThanOrEqual(due.get(`${host} *`) ?? 0);
        const beside = [...out.values()].filter((other) => other.egress === egress);
        expect(beside.filter((other) => other.host === host)).toEqual([]);
        const inFarm = ({ host: name }: Visit): boolean => name.endsWith('farm.example');
        if (inFarm(visit)) expect(beside.filter(inFarm).length).toBeLessThan(2);
        out.set(visit.token, visit);
      }
      if (random() < 0.01) {
        for (const visit of out.values()) postpone(`${visit.host} ${visit.egress}`, time + DELAY);
        out.clear();
        await frontier.reclaim('ended', at(time), at(time + DELAY));
      }
      for (const visit of [...out.values()]) if (random() < 0.4) await settle(visit, time);
      if (random() < 0.05) expect(await frontier.audit()).toBe(TOTAL_CREDIT);
      const { queued, leased } = await frontier.totals();
      if (queued === 0 && leased === 0) break;
    }
    const { visited: count, skipped, discovered, leased, queued } = await frontier.totals();
    expect([leased, queued]).toEqual([0, 0]);
    expect(count + skipped).toBe(discovered);
    expect(ended.size).toBe(discovered);
    expect(await frontier.audit()).toBe(TOTAL_CREDIT);
    // no lease and no place remains anywhere
    expect(await redis.client.zcard(keys.key('f', 'due'))).toBe(0);
  },
);
