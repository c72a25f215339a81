/** How the processes of one crawl find each other: epochs, register, posting, changes. On a real Redis, with a clock whose sleeps leap forward. */
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Clock } from '../../src/base/clock.ts';
import { createDisposal, type Disposal } from '../../src/base/disposal.ts';
import { silentLog } from '../../src/base/log.ts';
import { epochMs, milliseconds } from '../../src/base/units.ts';
import { openFleet, type CrawlFleet } from '../../src/crawl/fleet/crawl-fleet.ts';
import { createNotes } from '../../src/crawl/summary/notes.ts';
import { openChangeLog } from '../../src/fleet/change-log.ts';
import { claimCore, CoreClaim } from '../../src/fleet/core-claim.ts';
import { awaitSilence, readController, takeEpoch, type Epoch } from '../../src/fleet/epoch.ts';
import { NewsList } from '../../src/fleet/news.ts';
import { announce, readPosting } from '../../src/fleet/posting.ts';
import { WorkerRegistry } from '../../src/fleet/registry.ts';
import type { KeySpace } from '../../src/redis/key-space.ts';
import { startTestRedis, type TestRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';

const never = new AbortController().signal;
let redis: TestRedis;
beforeAll(async () => {
  redis = await startTestRedis();
});
afterAll(() => redis[Symbol.asyncDispose]());

interface LeapingClock extends Clock {
  time: number;
}

/** @param onSleep called with the clock's time after each sleep */
function leapingClock(onSleep: (time: number) => Promise<unknown> = async () => {}): LeapingClock {
  const clock: LeapingClock = {
    time: 0,
    now: () => epochMs(clock.time),
    monotonic: () => milliseconds(clock.time),
    sleep: async (duration) => {
      clock.time += duration;
      await onSleep(clock.time);
    },
  };
  return clock;
}

/** A clock that stands, whose sleeps last until their signal. */
function sleepingClock(): Clock {
  return {
    now: () => epochMs(0),
    monotonic: () => milliseconds(0),
    sleep: (_duration, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve(), { once: true });
      }),
  };
}

const take = (keys: KeySpace, owner: string, clock: Clock = leapingClock()): Promise<Epoch> =>
  takeEpoch({ client: redis.client, keys, clock, owner }, null, never);

describe('the epoch of a crawl', () => {
  it('is taken where nobody leads, and at once where the last one has left', async () => {
    const keys = redis.keys();
    const clock = leapingClock();
    const first = await take(keys, 'one', clock);
    expect(await first.beat()).toBe(true);
    expect(await first.leave()).toBe(true);
    await take(keys, 'two', clock);
    expect(clock.time).toBe(0);
    expect(await first.beat()).toBe(false);
    expect(await readController({ client: redis.client, keys }, leapingClock())).toMatchObject({
      epoch: 2,
      state: 'running',
    });
  });

  it('is refused to a second process while the first one beats', async () => {
    const keys = redis.keys();
    const first = await take(keys, 'process 1 on here');
    const clock = leapingClock(() => first.beat());
    await expect(take(keys, 'two', clock)).rejects.toMatchObject({
      code: 'CRAWL_LED',
      message: expect.stringContaining('process 1 on here'),
    });
    expect(clock.time).toBeLessThan(1000);
    expect(await first.beat()).toBe(true);
  });

  it('is taken over four seconds after the last heartbeat, and the one that was silent leads no more', async () => {
    const keys = redis.keys();
    const first = await take(keys, 'one');
    const clock = leapingClock();
    await take(keys, 'two', clock);
    expect([clock.time >= 4000, clock.time < 5000]).toEqual([true, true]);
    expect(await first.beat()).toBe(false);
    expect(await first.leave()).toBe(false);
    expect(await readController({ client: redis.client, keys }, leapingClock())).toMatchObject({
      epoch: 2,
      state: 'running',
    });
  });

  it('goes to one of many that stand by, at once when the silence is long enough', async () => {
    const keys = redis.keys();
    await take(keys, 'one');
    const clocks = Array.from({ length: 5 }, () => leapingClock());
    const standing = clocks.map((clock, index) => ({ client: redis.client, keys, clock, owner: `stand-by ${index}` }));
    // All have noticed the silence before the first takes over: a later one would find the new owner, and wait for that one.
    const silent = await Promise.all(standing.map((parts) => awaitSilence(parts, never)));
    expect(silent.map((epoch) => epoch?.owner)).toEqual(Array(5).fill('one'));
    const waited = clocks.map((clock) => clock.time);
    for (const time of waited) expect([time >= 4000, time < 5000]).toEqual([true, true]);
    const ends = await Promise.allSettled(
      standing.map(async (parts, index) => {
        await takeEpoch(parts, silent[index] ?? null, never);
        return parts.clock.time - (waited[index] ?? 0);
      }),
    );
    expect(ends.filter(({ status }) => status === 'fulfilled').map((end) => 'value' in end && end.value)).toEqual([0]);
    for (const end of ends) if (end.status === 'rejected') expect(end.reason).toMatchObject({ code: 'CRAWL_LED' });
  });

  it('is not taken for silent while Redis answers nobody', async () => {
    const keys = redis.keys();
    const first = await take(keys, 'one');
    let sleeps = 0;
    const clock = leapingClock(async () => {
      sleeps += 1;
      // the third question was answered late; the owner beats again, and leaves in the end
      if (sleeps > 3) await (sleeps > 30 ? first.leave() : first.beat());
    });
    const client = new Proxy(redis.client, {
      get: (real, name) => {
        if (name === 'hmget' && sleeps === 2) clock.time += 10_000;
        return Reflect.get(real, name);
      },
    });
    expect(await awaitSilence({ client, keys, clock }, never)).toBeNull();
  });

  it('is not waited for where its owner has left, or the crawl is gone', async () => {
    const keys = redis.keys();
    const parts = { client: redis.client, keys, clock: leapingClock() };
    expect(await awaitSilence(parts, never)).toBeNull();
    await (await take(keys, 'one')).leave();
    expect(await awaitSilence(parts, never)).toBeNull();
  });

  it('tells workers the time of its owner, whatever that is', async () => {
    const keys = redis.keys();
    const clock = leapingClock();
    clock.time = 1_000_000;
    const epoch = await take(keys, 'one', clock);
    await epoch.beat();
    // the reader's monotonic clock stands at 0
    const offset = (await readController({ client: redis.client, keys }, leapingClock()))?.time.offset ?? 0;
    expect(Math.abs(offset - 1_000_000)).toBeLessThan(2000);
  });
});

async function controllerOf(keys: KeySpace, clock: Clock, disposal: Disposal): Promise<CrawlFleet> {
  const needs = {
    client: redis.client,
    target: { kind: 'socket', path: redis.socketPath },
    keys,
    clock,
    disposal,
    log: silentLog,
    notes: createNotes(),
    share: { parts: 1 },
    makesVisits: true,
    egress: null,
    rendersOn: null,
    leader: null,
  } as const;
  return openFleet(needs, never);
}

describe('claims on cores', () => {
  const clock = {
    sleep: (_duration: unknown, signal: AbortSignal) =>
      new Promise<void>((done) => signal.addEventListener('abort', () => done())),
  };
  const claim = (keys: KeySpace, holder: string, cores: number | null, processors = 'p'): Promise<CoreClaim | null> =>
    claimCore({ client: redis.client, keys, clock, processors, holder }, cores);

  it('are as many as the processors have cores; one that is given back goes to another process', async () => {
    const keys = redis.keys();
    await take(keys, 'one');
    const first = await claim(keys, 'a', 2);
    await using second = await claim(keys, 'b', 2);
    await using elsewhere = await claim(keys, 'c', 1, 'p2');
    expect([first, second, elsewhere]).toEqual(Array(3).fill(expect.any(CoreClaim)));
    expect(await claim(keys, 'd', 2)).toBeNull();
    await first?.[Symbol.asyncDispose]();
    await using third = await claim(keys, 'd', 2);
    expect(third).not.toBeNull();
  });

  it('count where they are made in any case', async () => {
    const keys = redis.keys();
    await take(keys, 'one');
    await using first = await claim(keys, 'a', 1);
    await using told = await claim(keys, 'b', null);
    expect([first, told]).not.toContain(null);
    await first?.[Symbol.asyncDispose]();
    expect(await claim(keys, 'c', 1)).toBeNull();
  });

  it('run out where they are not renewed', async () => {
    const keys = redis.keys();
    await take(keys, 'one');
    await using _dead = await claim(keys, 'a', 1);
    const end = await redis.client.zscore(keys.key('w', 'claims'), 'p a');
    const [time = 0] = await redis.client.time();
    expect(Number(end) - Number(time) * 1000).toBeGreaterThan(4000);
    await redis.client.zadd(keys.key('w', 'claims'), 1, 'p a');
    await using next = await claim(keys, 'b', 1);
    expect(next).not.toBeNull();
  });

  it('are renewed each second', async () => {
    const keys = redis.keys();
    await take(keys, 'one');
    const leaping = leapingClock();
    await using _claim = await claimCore(
      { client: redis.client, keys, clock: leaping, processors: 'p', holder: 'a' },
      1,
    );
    await redis.client.zadd(keys.key('w', 'claims'), 1, 'p a');
    await until(async () => Number(await redis.client.zscore(keys.key('w', 'claims'), 'p a')) > 1, 'a renewal');
  });

  it('are of a crawl that somebody leads', async () => {
    const keys = redis.keys();
    expect(await claim(keys, 'a', 1)).toBeNull();
    await (await take(keys, 'one')).leave();
    expect(await claim(keys, 'a', 1)).toBeNull();
    expect(await redis.client.exists(keys.key('w', 'claims'))).toBe(0);
  });
});

describe('a controller', () => {
  it('beats while its crawl is opened and while it is brought to its end, and leaves after that', async () => {
    const keys = redis.keys();
    const [client, clock] = [redis.client, leapingClock()];
    await using disposal = createDisposal();
    const fleet = await controllerOf(keys, clock, disposal);
    const beat = async (): Promise<number> => Number(await client.hget(keys.key('w', 'controller'), 'beat'));
    await until(async () => (await beat()) > 5, 'heartbeats of a crawl that visits nothing yet');
    const visiting = new AbortController();
    await fleet.run({ onFinished: async () => {}, onLook: () => visiting.abort(), onLost: () => {} }, visiting.signal);
    const last = await beat();
    await until(async () => (await beat()) > last + 5, 'heartbeats of a crawl that visits nothing any more');
    expect(fleet.leads).toBe(true);
    await fleet[Symbol.asyncDispose]();
    expect(await readController({ client, keys }, clock)).toMatchObject({ epoch: 1, state: 'left' });
  });

  it('whose heartbeats do not arrive leases nothing, and counts as replaced only when another one leads', async () => {
    const [keys, { client }] = [redis.keys(), redis];
    let time = 0;
    let wake = (): void => {};
    const clock: Clock = {
      now: () => epochMs(time),
      monotonic: () => milliseconds(time),
      sleep: (_duration, signal) =>
        new Promise((resolve) => {
          wake = resolve;
          signal.addEventListener('abort', () => resolve(), { once: true });
        }),
    };
    await using disposal = createDisposal();
    await using fleet = await controllerOf(keys, clock, disposal);
    await until(async () => (await client.hget(keys.key('w', 'controller'), 'beat')) === '1', 'the first heartbeat');
    await until(() => fleet.leads, 'its answer');
    time = 5000;
    expect([fleet.leads, fleet.isReplaced]).toEqual([false, false]);
    const seen = { epoch: 1, beat: 1, owner: 'the first', since: milliseconds(0) };
    await takeEpoch({ client, keys, clock, owner: 'another' }, seen, never);
    wake();
    await until(() => fleet.isReplaced, 'the next heartbeat');
    expect(fleet.leads).toBe(false);
  });

  it('hands visits to a worker as soon as it says that it has joined', async () => {
    const keys = redis.keys();
    const clock = sleepingClock();
    await using disposal = createDisposal();
    const fleet = await controllerOf(keys, clock, disposal);
    const visiting = new AbortController();
    let looks = 0;
    const running = fleet.run(
      { onFinished: async () => {}, onLook: () => (looks += 1), onLost: () => {} },
      visiting.signal,
    );
    await until(() => looks === 1, 'the first look');
    const registry = new WorkerRegistry(redis.client, keys);
    await registry.enter({ id: 'w-1', name: '', slots: 2, beat: 1, since: 0, version: '', egress: '', heard: 0 });
    await new NewsList(redis.client, keys).tell({ joined: true });
    await until(() => looks === 2, 'the look for the worker');
    expect(fleet.slots()).toEqual(new Map([['w-1', 2]]));
    await registry.leave('w-1');
    visiting.abort();
    await running;
    await fleet[Symbol.asyncDispose]();
  });

  it('of which Redis has lost the crawl says that, and not that another one leads', async () => {
    const [keys, { client }] = [redis.keys(), redis];
    const clock = leapingClock();
    await using disposal = createDisposal();
    await using fleet = await controllerOf(keys, clock, disposal);
    await client.del(keys.key('w', 'controller'));
    const lost: unknown[] = [];
    const onLost = (error: unknown): void => void lost.push(error);
    const running = fleet.run({ onFinished: async () => {}, onLook: () => {}, onLost }, never);
    await expect(running).rejects.toMatchObject({ code: 'STATE_LOST', message: expect.stringContaining(keys.crawl) });
    expect([fleet.isReplaced, lost]).toEqual([false, []]);
  });
});

describe('workers', () => {
  it('are listed as they entered themselves, until they leave', async () => {
    const keys = redis.keys();
    await take(keys, 'one');
    const registry = new WorkerRegistry(redis.client, keys);
    const worker = {
      id: 'w-1',
      name: 'there:1',
      slots: 2,
      beat: 1,
      since: 5,
      version: '0.1.0',
      egress: '192.0.2.1',
      heard: 3,
    };
    expect(await registry.enter(worker)).toBe(true);
    await registry.enter({ ...worker, beat: 2 });
    await redis.client.hset(keys.key('w', 'workers'), 'w-2', 'no JSON');
    expect(await registry.list()).toEqual([{ ...worker, beat: 2 }]);
    await registry.leave('w-1');
    expect(await registry.list()).toEqual([]);
  });

  it('write nothing behind the end of a crawl', async () => {
    const keys = redis.keys();
    const registry = new WorkerRegistry(redis.client, keys);
    expect(
      await registry.enter({ id: 'w-1', name: '', slots: 1, beat: 1, since: 0, version: '', egress: '', heard: 0 }),
    ).toBe(false);
    await new NewsList(redis.client, keys).tell({ finished: 3 });
    expect(await redis.client.keys(`${keys.prefix}*`)).toEqual([]);
  });

  it('tell the controller that they have joined and what they have finished, in order', async () => {
    const keys = redis.keys();
    await take(keys, 'one');
    const news = new NewsList(redis.client, keys);
    await news.tell({ finished: 3 });
    await redis.client.rpush(keys.key('w', 'news'), '{"finished":-1}');
    await news.tell({ joined: true });
    await news.tell({ note: 'n', worker: 'w' });
    expect(await news.next()).toEqual([{ finished: 3 }, { joined: true }, { note: 'n', worker: 'w' }]);
    expect(await redis.client.exists(keys.key('w', 'news'))).toBe(0);
  });

  it('that look for a crawl in another database of its server are told so, and not to mean the same crawl', async () => {
    const keys = redis.keys();
    await using disposal = createDisposal();
    const listener = new Redis({ path: redis.socketPath });
    const elsewhere = new Redis({ path: redis.socketPath, db: 3 });
    disposal.defer(() => {
      listener.disconnect();
      elsewhere.disconnect();
    });
    await announce(listener, keys);
    const error: unknown = await readPosting(elsewhere, keys.crawl, '1.0.0').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'CRAWL_UNKNOWN', message: expect.stringContaining('database 3') });
    expect(String(error)).not.toContain('Did you mean');
  });

  it('of another version are refused before anything of the posting is read', async () => {
    const keys = redis.keys();
    await redis.client.set(keys.key('w', 'posting'), '{"version":"2.0.0","options":7}');
    await expect(readPosting(redis.client, keys.crawl, '1.0.0')).rejects.toMatchObject({
      code: 'WORKER_REFUSED',
      message: expect.stringMatching(/version 2\.0\.0 .* version 1\.0\.0/),
    });
  });
});

describe('changes', () => {
  it('reach every other process once and in order, and who comes later gets all of them', async () => {
    const keys = redis.keys();
    const [one, two] = [openChangeLog(redis.client, keys), openChangeLog(redis.client, keys)];
    const heard: unknown[] = [];
    await one.append([{ n: 1 }, { n: 2 }]);
    await two.append([{ n: 3 }]);
    await Promise.all([two.look((change) => heard.push(change)), two.look((change) => heard.push(change))]);
    await one.append([{ n: 4 }]);
    await two.look((change) => heard.push(change));
    expect(heard).toEqual([{ n: 1 }, { n: 2 }, { n: 4 }]);
    const late: unknown[] = [];
    await openChangeLog(redis.client, keys).look((change) => late.push(change));
    expect(late).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }]);
  });
});
