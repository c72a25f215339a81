import { afterAll, beforeAll, expect, test } from 'vitest';
import { epochMs, milliseconds, TOTAL_CREDIT } from '../../src/base/units.ts';
import type { Frontier } from '../../src/frontier/frontier.ts';
import { openFrontier } from '../../src/frontier/open-frontier.ts';
import type { Visit } from '../../src/model/visit.ts';
import { link, pageRecord, seed, commit, visited } from '../support/frontier-nouns.ts';
import { startTestRedis, type TestRedis } from '../support/redis.ts';

const CONNECTIONS = 8;
const HOSTS = 20;
const at = (time: number) => epochMs(1_000_000 + time);

let redis: TestRedis;
beforeAll(async () => {
  redis = await startTestRedis();
});
afterAll(() => redis[Symbol.asyncDispose]());

/** The same crawl over several connections. */
async function openMany(): Promise<readonly Frontier[]> {
  const keys = redis.keys();
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => redis.connect()));
  return Promise.all(connections.map(({ client }) => openFrontier({ client, keys, state: 'new' })));
}

function leaseAtOnce(frontiers: readonly Frontier[], calls: number, time: number): Promise<readonly Visit[]> {
  const replies = Array.from({ length: calls }, async (_, index) => {
    const request = { now: at(time), count: 2, leaseFor: milliseconds(60_000), newHostDelay: milliseconds(1000) };
    const reply = await frontiers[index % frontiers.length]?.lease(request);
    return reply?.kind === 'leased' ? reply.visits : [];
  });
  return Promise.all(replies).then((visits) => visits.flat());
}

test('of 100 leases at once no host is served twice within its delay, and no URL twice', async () => {
  const frontiers = await openMany();
  const [frontier] = frontiers;
  const hosts = Array.from({ length: HOSTS }, (_, index) => `https://h${index}.example`);
  await frontier?.admit(
    hosts.flatMap((host) => [1, 2, 3, 4].map((path) => seed(`${host}/${path}`))),
    [],
    at(0),
  );
  const served = new Map<string, number[]>();
  const urls = new Set<string>();
  const tokens: number[] = [];
  for (let time = 0; time < 5000; time += 250) {
    const visits = await leaseAtOnce(frontiers, 100, time);
    for (const visit of visits) {
      expect(urls.has(visit.url), visit.url).toBe(false);
      urls.add(visit.url);
      tokens.push(visit.token);
      served.set(visit.host, [...(served.get(visit.host) ?? []), visit.leasedAt]);
    }
    const given = { hostDelay: milliseconds(700), hostSlots: 2 };
    await Promise.all(
      visits.map((visit, index) => frontiers[index % CONNECTIONS]?.commit(visit, visited(visit, [], given), at(time))),
    );
  }
  expect(urls.size).toBe(HOSTS * 4);
  expect(new Set(tokens).size).toBe(tokens.length);
  for (const times of served.values()) {
    for (const [index, time] of times.entries())
      if (index > 0) expect(time - (times[index - 1] ?? 0)).toBeGreaterThanOrEqual(700);
  }
  expect(await frontier?.audit()).toBe(TOTAL_CREDIT);
});

test('of many commits of one visit at once exactly one counts', async () => {
  const frontiers = await openMany();
  await frontiers[0]?.admit([seed('https://a.example/')], [], at(0));
  const [visit] = await leaseAtOnce(frontiers, 1, 0);
  if (visit === undefined) throw new Error('nothing leased');
  const commit = visited(visit, [link(visit, 'https://a.example/1')]);
  const replies = await Promise.all(
    Array.from({ length: 40 }, (_, index) => frontiers[index % CONNECTIONS]?.commit(visit, commit, at(1))),
  );
  expect(replies.filter((reply) => reply?.kind === 'committed')).toEqual([{ kind: 'committed', newLinks: 1 }]);
  expect(await frontiers[0]?.totals()).toMatchObject({ discovered: 2, visited: 1, queued: 1, leased: 0 });
  expect((await frontiers[0]?.journal(100))?.entries).toHaveLength(1);
});

test('reaping, committing and releasing the same leases at once leaves the counters right', async () => {
  const frontiers = await openMany();
  const hosts = Array.from({ length: HOSTS }, (_, index) => seed(`https://h${index}.example/`));
  await frontiers[0]?.admit(hosts, [], at(0));
  const visits = await leaseAtOnce(frontiers, 10, 0);
  expect(visits).toHaveLength(HOSTS);
  await Promise.all(
    visits.flatMap((visit, index) => {
      const frontier = frontiers[index % CONNECTIONS];
      return [
        frontier?.commit(visit, visited(visit), at(60_000)),
        frontiers[0]?.reap(at(60_000), at(61_000)),
        frontier?.release(visit.token, at(60_000)),
      ];
    }),
  );
  const totals = await frontiers[0]?.totals();
  expect((totals?.visited ?? 0) + (totals?.queued ?? 0)).toBe(HOSTS);
  expect(totals?.leased).toBe(0);
  expect(await frontiers[0]?.audit()).toBe(TOTAL_CREDIT);
});

test('speculative links that are settled at once over many connections stay within the budget of their host', async () => {
  const frontiers = await openMany();
  await frontiers[0]?.admit([seed('https://a.example/')], [], at(0));
  const [home] = await leaseAtOnce(frontiers, 1, 0);
  if (home === undefined) throw new Error('nothing leased');
  const speculativeLinks = Array.from({ length: 300 }, (_, index) =>
    link(home, `https://a.example/${index}`, { confidence: 'low' }),
  );
  const given = { hostSlots: 100 };
  await frontiers[0]?.commit(home, visited(home, speculativeLinks, given), at(0));
  let [right, wrong] = [0, 0];
  for (let time = 1; time < 100; time += 1) {
    const visits = await leaseAtOnce(frontiers, 40, time);
    if (visits.length === 0) break;
    expect(visits.length + wrong).toBeLessThanOrEqual(8 + right);
    await Promise.all(
      visits.map((visit, index) => {
        const isRight = (right + wrong) % 3 === 2;
        if (isRight) right += 1;
        else wrong += 1;
        const ending = { kind: isRight ? 'visited' : 'failed', record: pageRecord(visit.url) } as const;
        return frontiers[index % CONNECTIONS]?.commit(visit, commit(ending, [], given), at(time));
      }),
    );
  }
  expect(wrong).toBe(8 + right);
  const totals = await frontiers[0]?.totals();
  expect(totals).toMatchObject({
    queued: 0,
    leased: 0,
    visited: 1 + right,
    failed: wrong,
    skipped: 300 - right - wrong,
  });
  expect(await frontiers[0]?.audit()).toBe(TOTAL_CREDIT);
});
