import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Frontier } from '../../src/frontier/frontier.ts';
import { openFrontier } from '../../src/frontier/open-frontier.ts';
import { hostKeyOf } from '../../src/model/url/host-key.ts';
import { at, leaseOne, request, seed, url } from '../support/frontier-nouns.ts';
import { startTestRedis, type TestRedis } from '../support/redis.ts';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startTestRedis();
});
afterAll(() => redis[Symbol.asyncDispose]());

const open = (addresses: 'awaited' | 'unused' = 'awaited'): Promise<Frontier> =>
  openFrontier({ client: redis.client, keys: redis.keys(), state: 'new', addresses });
const host = (name: string) => hostKeyOf(url(`https://${name}.example/`));
const seeds = (...names: readonly string[]) => names.map((name) => seed(`https://${name}.example/`));

test('a new host waits until its address is told, and may be visited at once then', async () => {
  const frontier = await open();
  await frontier.admit(seeds('a', 'b'), [], at(0));
  expect((await frontier.lease(request(5))).kind).toBe('nothing-due');
  expect(await frontier.awaitingDns(at(5), 10)).toEqual([host('a'), host('b')]);
  await frontier.resolved(host('a'), { kind: 'address', address: '192.0.2.1' }, at(6));
  expect(await leaseOne(frontier, 6)).toMatchObject({ host: host('a') });
  expect((await frontier.lease(request(7))).kind).toBe('nothing-due');
  await frontier.resolved(host('b'), { kind: 'no-address' }, at(8));
  expect(await leaseOne(frontier, 8)).toMatchObject({ host: host('b') });
  expect(await frontier.lease(request(9))).toEqual({ kind: 'nothing-queued' });
});

test('a host is offered for one look-up at a time, and again where no answer comes', async () => {
  const frontier = await open();
  await frontier.admit(seeds('a', 'b', 'c'), [], at(0));
  expect(await frontier.awaitingDns(at(1), 2)).toHaveLength(2);
  expect(await frontier.awaitingDns(at(2), 2)).toHaveLength(1);
  expect(await frontier.awaitingDns(at(3), 9)).toEqual([]);
  expect(await frontier.awaitingDns(at(30_001), 9)).toHaveLength(2);
});

test('a look-up that failed is due again when it says, and the last one lets the host through', async () => {
  const frontier = await open();
  await frontier.admit(seeds('a'), [], at(0));
  await frontier.awaitingDns(at(0), 1);
  await frontier.resolved(host('a'), { kind: 'failed', nextTry: at(900) }, at(10));
  expect(await frontier.awaitingDns(at(899), 1)).toEqual([]);
  expect(await frontier.awaitingDns(at(900), 1)).toEqual([host('a')]);
  await frontier.resolved(host('a'), { kind: 'failed', nextTry: null }, at(910));
  expect(await leaseOne(frontier, 910)).toMatchObject({ host: host('a') });
});

test('an answer that nobody waits for changes nothing', async () => {
  const frontier = await open();
  await frontier.resolved(host('a'), { kind: 'no-address' }, at(0));
  expect(await frontier.lease(request(0))).toEqual({ kind: 'nothing-queued' });
  expect(await frontier.awaitingDns(at(0), 5)).toEqual([]);
});

test('where nobody looks names up no host waits', async () => {
  const frontier = await open('unused');
  await frontier.admit(seeds('a'), [], at(0));
  expect(await frontier.awaitingDns(at(0), 5)).toEqual([]);
  expect(await leaseOne(frontier, 0)).toMatchObject({ host: host('a') });
});
