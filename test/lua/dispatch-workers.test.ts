/** The dispatcher with workers played by the test: which visits each worker gets, and what happens when a worker falls silent. */
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
import { commit, pageRecord, seed } from '../support/frontier-nouns.ts';
import { startTestRedis, type TestRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startTestRedis();
});
afterAll(() => redis[Symbol.asyncDispose]());

/** Workers with their slots; `make` is called for each visit that a worker gets. */
class Workers implements RemoteWorkers {
  readonly alive = new Map<string, number>();
  readonly left = new Set<string>();
  readonly got: { readonly worker: string; readonly visit: Visit }[] = [];
  /** The egress address of each worker; a worker without entry reports none. */
  readonly addresses = new Map<string, string>();
  recounted = 0;
  make: (visit: Visit, worker: string) => Promise<void> = async () => {};

  constructor(...alive: readonly (readonly [string, number])[]) {
    for (const [name, slots] of alive) this.alive.set(name, slots);
  }

  slots = (): ReadonlyMap<string, number> => this.alive;
  egressOf = (worker: string): string => this.addresses.get(worker) ?? '';
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

const finish = ({ frontier }: DispatchBench, visit: Visit, hostSlots = 64): Promise<unknown> =>
  frontier.commit(
    visit,
    commit({ kind: 'visited', record: pageRecord(visit.url) }, [], { hostSlots }),
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

describe('where politeness counts for each egress address', () => {
  it('a visit goes to a worker of its address, and a host has one place for all workers of one', async () => {
    const workers = new Workers(['w-1', 2], ['w-2', 2], ['w-3', 2]);
    workers.addresses.set('w-1', '192.0.2.1').set('w-2', '192.0.2.2').set('w-3', '192.0.2.2');
    await using bench = await open(workers, { egressAddress: '' });
    const pages = Array.from({ length: 30 }, (_, index) => seed(`https://a.example/${index}`));
    await bench.frontier.admit(pages, [], systemClock.now());
    const underWay: string[] = [];
    let bothAtWork = (): void => {};
    const both = new Promise<void>((resolve) => (bothAtWork = resolve));
    workers.make = async (visit, worker) => {
      expect(visit.egress).toBe(workers.addresses.get(worker));
      expect(underWay).not.toContain(visit.egress);
      underWay.push(visit.egress ?? '');
      if (underWay.length === 2) bothAtWork();
      await both;
      underWay.splice(underWay.indexOf(visit.egress ?? ''), 1);
      await finish(bench, visit, 1);
      await bench.loop.finished([visit.token]);
    };
    expect(await bench.loop.run()).toBe('nothing-left');
    expect((await bench.frontier.totals()).visited).toBe(30);
    expect(workers.of('w-1').length).toBeGreaterThan(0);
    expect(workers.of('w-2').length + workers.of('w-3').length).toBeGreaterThan(0);
  });

  it('what a worker leaves behind is made by another, of whatever address', async () => {
    const workers = new Workers(['dead', 1]);
    workers.addresses.set('dead', '192.0.2.1').set('w-2', '192.0.2.2');
    await using bench = await open(workers, { egressAddress: '', leaseFor: 400 });
    await bench.frontier.admit([seed('https://a.example/1'), seed('https://a.example/2')], [], systemClock.now());
    const running = bench.loop.run();
    await until(() => workers.of('dead').length === 1, 'a visit');
    workers.alive.delete('dead');
    workers.alive.set('w-2', 1);
    workers.make = async (visit) => {
      await finish(bench, visit, 1);
      await bench.loop.finished([visit.token]);
    };
    bench.loop.notify();
    expect(await running).toBe('nothing-left');
    expect(
      workers
        .of('w-2')
        .map(({ url, egress }) => [url, egress])
        .toSorted(),
    ).toEqual([
      ['https://a.example/1', '192.0.2.2'],
      ['https://a.example/2', '192.0.2.2'],
    ]);
  });

  it('a worker that leaves while a visit is leased for its address breaks nothing off', async () => {
    const workers = new Workers(['leaves', 1]);
    workers.addresses.set('leaves', '192.0.2.1').set('w-2', '192.0.2.2');
    const leaveOut = async (): Promise<boolean> => {
      if (workers.left.has('leaves')) return false;
      // the fleet knows no more of a worker that has left, its address neither
      workers.left.add('leaves');
      workers.addresses.delete('leaves');
      workers.alive.delete('leaves');
      workers.alive.set('w-2', 1);
      return false;
    };
    await using bench = await open(workers, { egressAddress: '', leaveOut });
    workers.make = async (visit, worker) => {
      if (worker === 'leaves') return;
      await finish(bench, visit, 1);
      await bench.loop.finished([visit.token]);
    };
    await bench.frontier.admit([seed('https://a.example/1')], [], systemClock.now());
    expect(await bench.loop.run()).toBe('nothing-left');
    expect(workers.got.map(({ worker, visit }) => [worker, visit.egress])).toEqual([
      ['leaves', '192.0.2.1'],
      ['w-2', '192.0.2.2'],
    ]);
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
