import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { epochMs, milliseconds } from '../../src/base/units.ts';
import type { RobotsEntry } from '../../src/fetch/robots-entry.ts';
import { memoryRobotsStore, redisRobotsStore, type RobotsStore } from '../../src/fetch/robots-store.ts';
import { storedHostKey } from '../../src/model/url/host-key.ts';
import { startTestRedis, type TestRedis } from '../support/redis.ts';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startTestRedis();
});
afterAll(async () => {
  await redis[Symbol.asyncDispose]();
});

const host = storedHostKey('http://[::1]:8080');
const other = storedHostKey('https://example.org');

const ENTRIES: readonly RobotsEntry[] = [
  { rules: null, trouble: { what: { kind: 'forbid-all', why: 'status 503' }, at: epochMs(5), times: 3 } },
  {
    rules: null,
    trouble: {
      what: { kind: 'forbid-all', why: 'status 503', retryAfter: milliseconds(7000) },
      at: epochMs(5),
      times: 1,
    },
  },
  {
    rules: {
      kind: 'body',
      body: Uint8Array.from([0, 255, 13, 10, 0xef, 0xbb, 0xbf]),
      status: 200,
      fetchedAt: epochMs(1),
    },
    trouble: { what: { kind: 'unreachable', failure: 'reset', detail: 'read ECONNRESET' }, at: epochMs(2), times: 1 },
  },
  { rules: { kind: 'body', body: new Uint8Array(), status: 204, fetchedAt: epochMs(1) }, trouble: null },
  { rules: { kind: 'allow-all', why: 'status 404', fetchedAt: epochMs(1) }, trouble: null },
];

describe.each<[string, () => RobotsStore]>([
  ['in memory', () => memoryRobotsStore()],
  ['in Redis', () => redisRobotsStore(redis.client, redis.keys().key('r', ''))],
])('a store of robots.txt %s', (_title, open) => {
  test('knows nothing at first', async () => {
    expect(await open().get(host)).toBeNull();
  });

  test.each(ENTRIES)('gives back what was put, byte for byte (%#)', async (entry) => {
    const store = open();
    await store.put(host, entry);
    expect(await store.get(host)).toEqual(entry);
    expect(await store.get(other)).toBeNull();
  });

  test('replaces an entry whole', async () => {
    const store = open();
    for (const entry of ENTRIES) await store.put(host, entry);
    expect(await store.get(host)).toEqual(ENTRIES.at(-1));
  });
});

test('what another version has written to Redis is as good as nothing', async () => {
  const prefix = redis.keys().key('r', '');
  const store = redisRobotsStore(redis.client, prefix);
  for (const about of ['{', '{}', '{"rules":{"kind":"body","status":"x"},"trouble":null}']) {
    await redis.client.hset(prefix + host, 'about', about);
    expect(await store.get(host)).toBeNull();
  }
});
