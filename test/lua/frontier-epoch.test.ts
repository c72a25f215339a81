/** A former leader of a crawl, which was silent and has been replaced: the frontier refuses it all actions of a leader. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { milliseconds, TOTAL_CREDIT } from '../../src/base/units.ts';
import type { Frontier } from '../../src/frontier/frontier.ts';
import { openFrontier } from '../../src/frontier/open-frontier.ts';
import type { KeySpace } from '../../src/redis/key-space.ts';
import { at, leaseOne, link, seed, visited } from '../support/frontier-nouns.ts';
import { startTestRedis, type TestRedis } from '../support/redis.ts';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startTestRedis();
});
afterAll(() => redis[Symbol.asyncDispose]());

const open = (keys: KeySpace, epoch: number | null): Promise<Frontier> =>
  openFrontier({ client: redis.client, keys, state: 'new', epoch });

const REFUSED = {
  code: 'CRAWL_LED',
  message:
    'Another process leads the crawl now, under epoch 2; this one had epoch 1, and has stopped.\nThe crawl goes on there.',
};

/** Actions of the leader alone. */
const DEEDS: readonly (readonly [string, (frontier: Frontier) => Promise<unknown>])[] = [
  [
    'leases a visit',
    (frontier) =>
      frontier.lease({ now: at(9000), count: 1, leaseFor: milliseconds(1000), newHostDelay: milliseconds(0) }),
  ],
  ['queues a page', (frontier) => frontier.admit([seed('https://new.example/')], [], at(9000))],
  ['takes back leases that ran out', (frontier) => frontier.reap(at(9_000_000), at(9_000_000))],
  ['takes back all leases', (frontier) => frontier.reclaim('died', at(9000), at(9000))],
  ['puts a fold back', (frontier) => frontier.unfold('f', at(9000))],
  ['stops the crawl', (frontier) => frontier.stopping()],
  ['asks which names it has to look up', (frontier) => frontier.awaitingDns(at(9000), 10)],
  ['writes what stays skipped', (frontier) => frontier.flushDeferred(at(9000))],
  ['reads the journal', (frontier) => frontier.journal(10)],
  ['forgets the journal', (frontier) => frontier.journalWritten({ upTo: 1, lengths: {} as never })],
];

async function dump(keys: KeySpace): Promise<readonly string[]> {
  const names = (await redis.client.keys(`${keys.prefix}*`)).toSorted();
  return Promise.all(names.map(async (name) => `${name} ${(await redis.client.dumpBuffer(name)).toString('hex')}`));
}

describe('a process whose epoch is over', () => {
  it('is refused by name whatever only the leader does, and nothing changes', async () => {
    const keys = redis.keys();
    const before = await open(keys, 1);
    await before.admit([seed('https://a.example/'), seed('https://b.example/')], [], at(0));
    const visit = await leaseOne(before, 0);
    const now = await open(keys, 2);
    await now.commit(visit, visited(visit, [link(visit, 'https://c.example/')]), at(1));
    const state = await dump(keys);
    for (const [deed, act] of DEEDS) await expect(act(before), deed).rejects.toMatchObject(REFUSED);
    expect(await dump(keys)).toEqual(state);
    await expect(open(keys, 1)).rejects.toMatchObject(REFUSED);
    for (const [deed, act] of DEEDS) await expect(act(now), deed).resolves.not.toThrow();
    expect(await now.audit()).toBe(TOTAL_CREDIT);
  });

  it('says that Redis has forgotten the crawl whatever it does as its leader, and makes no new one', async () => {
    const keys = redis.keys();
    const leader = await open(keys, 1);
    await leader.admit([seed('https://a.example/')], [], at(0));
    await redis.client.del(...(await redis.client.keys(`${keys.prefix}*`)));
    const lost = { code: 'STATE_LOST', message: expect.stringContaining(keys.crawl) as string };
    for (const [deed, act] of DEEDS) await expect(act(leader), deed).rejects.toMatchObject(lost);
    await expect(leader.totals()).rejects.toMatchObject(lost);
    expect(await dump(keys)).toEqual([]);
  });

  it('loses no visit: what it had leased is committed by who makes it, as long as the lease is out', async () => {
    const keys = redis.keys();
    const before = await open(keys, 1);
    await before.admit([seed('https://a.example/')], [], at(0));
    const visit = await leaseOne(before, 0);
    await open(keys, 2);
    const worker = await openFrontier({ client: redis.client, keys, state: 'shared' });
    expect(await worker.begin(visit.token, at(60_000))).toBe(true);
    expect(await worker.admitLinks([link(visit, 'https://b.example/')], at(1))).toHaveProperty('size', 1);
    expect(await worker.commit(visit, visited(visit, []), at(2))).toMatchObject({ kind: 'committed' });
  });
});
