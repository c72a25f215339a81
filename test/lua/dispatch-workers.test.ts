/** The dispatcher and workers that the test plays: what it hands to whom, and what it makes of their silence. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { seededRandom } from '../../src/base/random.ts';
import { milliseconds } from '../../src/base/units.ts';
import type { RemoteWorkers } from '../../src/dispatch/visit-loop.ts';
import type { Visit } from '../../src/model/visit.ts';
import {
  admitHosts,
  never,
  openDispatchBench,
  type DispatchBench,
  type DispatchOptions,
} from '../support/dispatch-bench.ts';
import { commit, pageRecord } from '../support/frontier-nouns.ts';
import { startTestRedis, type TestRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startTestRedis();
});
afterAll(() => redis[Symbol.asyncDispose]());

/** Workers with their slots; `make` is called with each visit that one of them gets. */
class Workers implements RemoteWorkers {
  readonly alive = new Map<string, number>();
  readonly left = new Set<string>();
  readonly got: { readonly worker: string; readonly visit: Visit }[] = [];
  recounted = 0;
  make: (visit: Visit, worker: string) => Promise<void> = async () => {};

  constructor(...alive: readonly (readonly [string, number])[]) {
    for (const [name, slots] of alive) this.alive.set(name, slots);
  }

  slots = (): ReadonlyMap<string, number> => this.alive;
  hasLeft = (worker: string): boolean => this.left.has(worker);
  beforeFinished = async (): Promise<void> => {
    this.recounted += 1;
  };
  send = async (worker: string, visits: readonly Visit[]): Promise<void> => {
    for (const visit of visits) {
      this.got.push({ worker, visit });
      void this.make(visit, worker);
    }
  };

  of(worker: string): readonly Visit[] {
    return this.got.filter((each) => each.worker === worker).map(({ visit }) => visit);
  }
}

const open = (workers: Workers, options: DispatchOptions = {}): Promise<DispatchBench> =>
  openDispatchBench(redis, { slots: 0, workers, ...options });

const finish = ({ frontier }: DispatchBench, visit: Visit): Promise<unknown> =>
  frontier.commit(
    visit,
    commit({ kind: 'visited', record: pageRecord(visit.url) }, [], { hostSlots: 64 }),
    systemClock.now(),
  );

describe('the dispatcher', () => {
  it('hands each worker as many visits as it has slots, and more as they are finished', async () => {
    const workers = new Workers(['w-1', 2], ['w-2', 3]);
    await using bench = await open(workers);
    let most = 0;
    const underWay = new Map<string, number>();
    workers.make = async (visit, worker) => {
      const now = (underWay.get(worker) ?? 0) + 1;
      underWay.set(worker, now);
      most = Math.max(most, now - (workers.alive.get(worker) ?? 0));
      await finish(bench, visit);
      underWay.set(worker, (underWay.get(worker) ?? 0) - 1);
      await bench.loop.finished([visit.token]);
    };
    await admitHosts(bench.frontier, 40);
    expect(await bench.loop.run()).toBe('nothing-left');
    expect(most).toBe(0);
    expect((await bench.frontier.totals()).visited).toBe(40);
    expect([workers.of('w-1').length > 0, workers.of('w-2').length > 0]).toEqual([true, true]);
    expect(workers.recounted).toBeGreaterThan(0);
  });

  it('finds out by the leases what was finished without a word', async () => {
    const workers = new Workers(['w-1', 4]);
    await using bench = await open(workers);
    workers.make = async (visit) => void (await finish(bench, visit));
    await admitHosts(bench.frontier, 6);
    expect(await bench.loop.run()).toBe('nothing-left');
    expect((await bench.frontier.totals()).visited).toBe(6);
  });

  it('waits for workers where there are none, and ends without them where nothing is left', async () => {
    const workers = new Workers();
    await using bench = await open(workers);
    await admitHosts(bench.frontier, 1);
    const running = bench.loop.run();
    let ended = false;
    void running.then(() => (ended = true));
    workers.make = async (visit) => {
      await finish(bench, visit);
      workers.alive.clear();
      await bench.loop.finished([visit.token]);
    };
    await until(
      async () => bench.leases.length === 0 && (await bench.frontier.totals()).queued === 1,
      'a page that waits',
    );
    expect(ended).toBe(false);
    workers.alive.set('w-1', 1);
    bench.loop.notify();
    expect(await running).toBe('nothing-left');
  });
});

describe('the visits of a worker', () => {
  it('that is silent take no slot of others, and are made again when their leases have run out', async () => {
    const workers = new Workers(['dead', 3]);
    await using bench = await open(workers, { leaseFor: 400 });
    await admitHosts(bench.frontier, 5);
    const running = bench.loop.run();
    await until(() => workers.of('dead').length === 3, 'three visits');
    workers.alive.delete('dead');
    workers.alive.set('w-2', 2);
    workers.make = async (visit) => {
      await finish(bench, visit);
      await bench.loop.finished([visit.token]);
    };
    bench.loop.notify();
    expect(await running).toBe('nothing-left');
    const again = workers.of('w-2');
    expect([again.length, new Set(again.map(({ url }) => url)).size]).toEqual([5, 5]);
    expect(again.map(({ attempt }) => attempt)).toEqual([1, 1, 1, 1, 1]);
    expect(await bench.frontier.totals()).toMatchObject({ visited: 5, queued: 0, leased: 0 });
  });

  it('that has left are taken back at once', async () => {
    const workers = new Workers(['w-1', 2]);
    await using bench = await open(workers);
    await admitHosts(bench.frontier, 2);
    const running = bench.loop.run();
    await until(() => workers.of('w-1').length === 2, 'two visits');
    workers.alive.clear();
    workers.left.add('w-1');
    await until(async () => (await bench.frontier.totals()).leased === 0, 'the leases to be back');
    bench.loop.drain();
    expect(await running).toBe('drained');
    expect(await bench.frontier.totals()).toMatchObject({ visited: 0, queued: 2 });
  });

  it.each([1, 2, 3])('never exceed the budget, whatever is lost of what they say (seed %i)', async (number) => {
    const random = seededRandom(number);
    const limit = 9;
    let counted = 0;
    const workers = new Workers(['w-1', 3], ['w-2', 2]);
    await using bench = await open(workers, { budget: () => limit - counted });
    workers.beforeFinished = async () => {
      counted = await bench.frontier.countedPages();
    };
    workers.make = async (visit) => {
      await systemClock.sleep(milliseconds(Math.floor(random() * 20)), never);
      await finish(bench, visit);
      if (random() < 0.6) await bench.loop.finished([visit.token]);
    };
    await admitHosts(bench.frontier, 30);
    expect(await bench.loop.run()).toBe('budget-spent');
    expect((await bench.frontier.totals()).visited).toBe(limit);
  });
});
