/** Politeness to an address whose hosts belong to several parts of a crawl. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seededRandom } from '../../src/base/random.ts';
import { milliseconds } from '../../src/base/units.ts';
import type { Frontier } from '../../src/frontier/frontier.ts';
import { openFrontier } from '../../src/frontier/open-frontier.ts';
import { hostKeyOf, type HostKey } from '../../src/model/url/host-key.ts';
import type { RedisClient } from '../../src/redis/client.ts';
import type { KeySpace } from '../../src/redis/key-space.ts';
import { faultyClient } from '../support/faulty-client.ts';
import { at, candidate, request, url, visited } from '../support/frontier-nouns.ts';
import { domainsIn, PARTS, partOf } from '../support/parted-domains.ts';
import { startTestRedis, type TestRedis } from '../support/redis.ts';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startTestRedis();
});
afterAll(() => redis[Symbol.asyncDispose]());

const open = (keys: KeySpace, client: RedisClient = redis.client): Promise<Frontier> =>
  openFrontier({ client, keys, state: 'new', parts: PARTS, addresses: 'awaited' });

describe('an address with hosts in several parts', () => {
  const ADDRESS = { kind: 'address', address: '192.0.2.7' } as const;
  const names = [0, 1, 2].flatMap((part) => domainsIn(part, 2));
  const hosts: readonly HostKey[] = names.map((name) => hostKeyOf(url(`${name}/`)));

  test('has one visit a second, over kills and resumes', async () => {
    const keys = redis.keys();
    let frontier = await open(keys);
    await frontier.admit(
      names.flatMap((name) => [1, 2, 3, 4].map((path) => candidate(`${name}/${path}`))),
      [],
      at(0),
    );
    const [early, late] = [hosts.slice(0, 3), hosts.slice(3)];
    for (const host of early) await frontier.resolved(host, ADDRESS, at(0));
    const begun: number[] = [];
    const parts = new Set<number>();
    for (let time = 0; begun.length < 24; time += 130) {
      if (time > 2000) for (const host of late.splice(0)) await frontier.resolved(host, ADDRESS, at(time));
      const reply = await frontier.lease(request(time, { count: 4 }));
      for (const visit of reply.kind === 'leased' ? reply.visits : []) {
        begun.push(time);
        parts.add(partOf(visit.url));
        await frontier.commit(visit, visited(visit, [], { hostDelay: milliseconds(1000) }), at(time + 1));
      }
      // a new process knows only what Redis knows
      if (begun.length % 5 === 4) frontier = await open(keys);
      expect(time).toBeLessThan(200_000);
    }
    expect(parts.size).toBe(PARTS);
    const gaps = begun.slice(1).map((time, index) => time - (begun[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1000);
  });

  test('is told to the others before a lease is handed out: a process that dies before has begun no visit', async () => {
    for (let calls = 0; calls < 14; calls += 1) {
      const keys = redis.keys();
      const frontier = await open(keys);
      await frontier.admit(
        names.map((name) => candidate(`${name}/`)),
        [],
        at(0),
      );
      for (const host of hosts) await frontier.resolved(host, ADDRESS, at(0));
      const faulty = faultyClient(redis.client, 0, seededRandom(calls));
      const dying = await open(keys, faulty.client);
      faulty.dieAfter(calls);
      const reply = await dying.lease(request(10)).catch(() => null);
      const begun = reply?.kind === 'leased' ? reply.visits.length : 0;
      await frontier.reclaim('died', at(20), at(20));
      const next = await frontier.lease(request(500, { count: 6 }));
      const visits = next.kind === 'leased' ? next.visits.length : 0;
      expect(begun + visits).toBeLessThanOrEqual(1);
    }
  });
});
