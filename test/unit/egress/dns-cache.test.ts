import { describe, expect, test } from 'vitest';
import type { Clock } from '../../../src/base/clock.ts';
import { minutes, milliseconds, seconds, epochMs, type Milliseconds } from '../../../src/base/units.ts';
import { DnsCache, type NameAnswer, type NameResolver } from '../../../src/egress/gate/dns-cache.ts';
import { parseHosts, systemResolver } from '../../../src/egress/gate/system-resolver.ts';

const signal = new AbortController().signal;

/** A clock that stands still until it is turned. */
function handClock(): Clock & { turn(by: Milliseconds): void } {
  let time = 0;
  const sleepers = new Set<{ readonly at: number; readonly wake: () => void }>();
  return {
    now: () => epochMs(time),
    monotonic: () => milliseconds(time),
    sleep: async (duration, until) =>
      await new Promise((resolve, reject) => {
        const sleeper = { at: time + duration, wake: () => resolve() };
        sleepers.add(sleeper);
        until.addEventListener('abort', () => {
          sleepers.delete(sleeper);
          reject(new Error('woken'));
        });
      }),
    turn: (by) => {
      time += by;
      for (const sleeper of sleepers) if (sleeper.at <= time) sleeper.wake();
    },
  };
}

/** A distant network whose answers the test gives, one by one. */
function farNames(): NameResolver & {
  readonly asked: string[];
  answer(name: string, addresses: readonly string[]): void;
  fail(name: string, why: string): void;
} {
  const asked: string[] = [];
  const open = new Map<string, { resolve(answer: NameAnswer): void; reject(error: Error): void }>();
  return {
    asked,
    resolve: async (name) => {
      asked.push(name);
      return await new Promise((resolve, reject) => open.set(name, { resolve, reject }));
    },
    answer: (name, addresses) => open.get(name)?.resolve({ kind: 'addresses', addresses, ttl: null }),
    fail: (name, why) => open.get(name)?.reject(new Error(why)),
  };
}

function fixed(
  addresses: readonly string[],
  ttl: Milliseconds | null = null,
): NameResolver & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    resolve: async (name) => {
      asked.push(name);
      return await Promise.resolve({ kind: 'addresses', addresses, ttl });
    },
  };
}

describe('a name', () => {
  test('is asked for once by many who ask at the same time', async () => {
    const far = farNames();
    const cache = new DnsCache(far, handClock(), seconds(5));
    const answers = Promise.all([cache.resolve('a.example', signal), cache.resolve('A.EXAMPLE.', signal)]);
    far.answer('a.example', ['1.1.1.1', '1.1.1.1', '2606::1']);
    expect(await answers).toEqual([
      { kind: 'resolved', addresses: ['1.1.1.1', '2606::1'] },
      { kind: 'resolved', addresses: ['1.1.1.1', '2606::1'] },
    ]);
    expect(far.asked).toEqual(['a.example']);
  });

  test.each([
    ['five minutes where its DNS names no time', null, minutes(5)],
    ['as long as its DNS says', minutes(20), minutes(20)],
    ['a minute where its DNS says less', seconds(0), minutes(1)],
    ['an hour where its DNS says more', minutes(60 * 24), minutes(60)],
  ])('is known for %s', async (_how, ttl, kept) => {
    const clock = handClock();
    const far = fixed(['1.1.1.1'], ttl);
    const cache = new DnsCache(far, clock, seconds(5));
    await cache.resolve('a.example', signal);
    clock.turn(milliseconds(kept - 1));
    await cache.resolve('a.example', signal);
    expect(far.asked).toHaveLength(1);
    clock.turn(milliseconds(1));
    await cache.resolve('a.example', signal);
    expect(far.asked).toHaveLength(2);
  });

  test('that could not be found out is asked for anew by who has waited, one that was found is not', async () => {
    const far = farNames();
    const cache = new DnsCache(far, handClock(), seconds(5));
    const first = cache.resolve('a.example', signal);
    far.fail('a.example', 'SERVFAIL');
    await first;
    const anew = [cache.resolveAnew('a.example', signal), cache.resolveAnew('a.example', signal)];
    far.answer('a.example', ['1.1.1.1']);
    expect((await Promise.all(anew)).map(({ kind }) => kind)).toEqual(['resolved', 'resolved']);
    await cache.resolveAnew('a.example', signal);
    expect(far.asked).toEqual(['a.example', 'a.example']);
  });

  test('that does not exist is known as such for one minute', async () => {
    const clock = handClock();
    const far = fixed([]);
    const cache = new DnsCache(far, clock, seconds(5));
    expect(await cache.resolve('none.example', signal)).toEqual({
      kind: 'unresolvable',
      detail: 'the name has no address',
      known: true,
    });
    clock.turn(milliseconds(minutes(1) - 1));
    await cache.resolve('none.example', signal);
    expect(far.asked).toHaveLength(1);
    clock.turn(milliseconds(1));
    await cache.resolve('none.example', signal);
    expect(far.asked).toHaveLength(2);
  });

  test('whose look-up fails is unresolvable, with the reason', async () => {
    const far = farNames();
    const cache = new DnsCache(far, handClock(), seconds(5));
    const answer = cache.resolve('a.example', signal);
    far.fail('a.example', 'queryA ENOTFOUND a.example');
    expect(await answer).toEqual({ kind: 'unresolvable', detail: 'queryA ENOTFOUND a.example', known: false });
  });

  test('that does not exist is not asked for anew', async () => {
    const far = fixed([]);
    const cache = new DnsCache(far, handClock(), seconds(5));
    await cache.resolve('none.example', signal);
    expect(await cache.resolveAnew('none.example', signal)).toMatchObject({ kind: 'unresolvable', known: true });
    expect(await cache.resolveAnew('no.such.invalid', signal)).toMatchObject({ kind: 'unresolvable', known: true });
    expect(far.asked).toEqual(['none.example']);
  });

  test('is not waited for beyond the bound, and a late answer is kept all the same', async () => {
    const clock = handClock();
    const far = farNames();
    const cache = new DnsCache(far, clock, seconds(5));
    const answer = cache.resolve('slow.example', signal);
    clock.turn(seconds(5));
    const detail = 'no answer of the DNS within 5000 ms';
    expect(await answer).toEqual({ kind: 'unresolvable', detail, known: false });
    far.answer('slow.example', ['1.1.1.1']);
    await expect.poll(async () => (await cache.resolve('slow.example', signal)).kind).toBe('resolved');
    expect(far.asked).toHaveLength(1);
  });

  test('is not waited for by who has given up, and others still get it', async () => {
    const far = farNames();
    const cache = new DnsCache(far, handClock(), seconds(5));
    const stop = new AbortController();
    const given = cache.resolve('a.example', stop.signal);
    const kept = cache.resolve('a.example', signal);
    stop.abort(new Error('no longer wanted'));
    await expect(given).rejects.toThrow('no longer wanted');
    far.answer('a.example', ['1.1.1.1']);
    expect((await kept).kind).toBe('resolved');
  });

  test.each(['localhost', 'LOCALHOST.', 'site.localhost', 'a.b.localhost'])(
    '%s is loopback and nobody is asked',
    async (name) => {
      const far = fixed(['8.8.8.8']);
      const cache = new DnsCache(far, handClock(), seconds(5));
      expect(await cache.resolve(name, signal)).toEqual({ kind: 'resolved', addresses: ['127.0.0.1', '::1'] });
      expect(far.asked).toEqual([]);
    },
  );

  test('under .invalid does not exist, and nobody is asked', async () => {
    const far = fixed(['8.8.8.8']);
    const cache = new DnsCache(far, handClock(), seconds(5));
    expect(await cache.resolve('no.such.invalid', signal)).toMatchObject({ kind: 'unresolvable', known: true });
    expect(far.asked).toEqual([]);
  });

  test.each([
    ['10.1.2.3', '10.1.2.3'],
    ['[::1]', '::1'],
    ['::1', '::1'],
  ])('%s stands for itself', async (name, address) => {
    const cache = new DnsCache(fixed([]), handClock(), seconds(5));
    expect(await cache.resolve(name, signal)).toEqual({ kind: 'resolved', addresses: [address] });
  });
});

test('no more than ten thousand names are kept, the oldest go first', async () => {
  const far = fixed(['1.1.1.1']);
  const cache = new DnsCache(far, handClock(), seconds(5));
  for (let index = 0; index <= 10_000; index += 1) await cache.resolve(`n${index}.example`, signal);
  far.asked.length = 0;
  await cache.resolve('n1.example', signal);
  await cache.resolve('n0.example', signal);
  expect(far.asked).toEqual(['n0.example']);
});

describe("the system's names", () => {
  test('are read from a hosts file with comments, several names and several lines for a name', () => {
    const hosts = parseHosts('# own\n10.0.0.1 db Db.Internal # two\r\n::1  db\n\nnonsense here\n10.0.0.2\tweb\n');
    expect(Object.fromEntries(hosts)).toEqual({
      db: ['10.0.0.1', '::1'],
      'db.internal': ['10.0.0.1'],
      web: ['10.0.0.2'],
    });
  });

  test('of the hosts file are not asked for elsewhere', async () => {
    const { mkdtemp, rm, writeFile } = await import('node:fs/promises');
    const { tmpdir } = await import('node:os');
    const folder = await mkdtemp(`${tmpdir()}/hosts-`);
    try {
      await writeFile(`${folder}/hosts`, '10.9.8.7 app.internal\n');
      const resolver = systemResolver({ hostsFile: `${folder}/hosts`, servers: ['127.0.0.1:9'], now: () => 0 });
      expect(await resolver.resolve('app.internal')).toEqual({ kind: 'addresses', addresses: ['10.9.8.7'], ttl: null });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
