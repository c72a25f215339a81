/** Dispatcher, BullMQ and worker together, on a real Redis: from a lease to its commit. */
import { NO_NAMES } from '../../src/model/robots-names.ts';
import { Queue, Worker } from 'bullmq';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import { seededRandom } from '../../src/base/random.ts';
import { milliseconds } from '../../src/base/units.ts';
import { createNameLookups } from '../../src/dispatch/name-lookups.ts';
import { allowAllUrls, type RobotsChecker } from '../../src/dispatch/robots-checker.ts';
import { openWorkQueue } from '../../src/dispatch/work-queue.ts';
import type { AddressVerdict } from '../../src/egress/egress.ts';
import type { VisitOutcome } from '../../src/model/visit-outcome.ts';
import { nullRenderer } from '../../src/render/null-renderer.ts';
import {
  admitHosts,
  captured,
  egressThat,
  heldRenderer,
  leaseNow,
  never,
  openDispatchBench,
  type DispatchBench,
  type DispatchOptions,
} from '../support/dispatch-bench.ts';
import { candidate, pageRecord, seed, commit } from '../support/frontier-nouns.ts';
import { visitOf } from '../support/page.ts';
import { startTestRedis, type TestRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startTestRedis();
});
afterAll(() => redis[Symbol.asyncDispose]());

const openBench = (options: DispatchOptions): Promise<DispatchBench> => openDispatchBench(redis, options);

describe('the dispatcher', () => {
  it('never has more visits under way, or jobs waiting, than there are free slots', async () => {
    const slots = 3;
    const random = seededRandom(3);
    const samples: { waiting: number; running: number; active: number }[] = [];
    let running = 0;
    const renderer = nullRenderer(async (visit) => {
      running += 1;
      // sampled on the dispatcher's own connection: commands added before this moment are counted, later ones are not
      for (let look = Math.floor(random() * 5); look >= 0; look -= 1) samples.push(await sample());
      running -= 1;
      return captured(visit);
    });
    await using bench = await openBench({ slots, renderer });
    async function sample(): Promise<(typeof samples)[number]> {
      const now = running;
      const [waiting, active] = await Promise.all([
        bench.client.llen(`${bench.prefix}:visits:wait`),
        bench.client.llen(`${bench.prefix}:visits:active`),
      ]);
      return { waiting, running: now, active };
    }
    await admitHosts(bench.frontier, 120);
    expect(await bench.loop.run()).toBe('nothing-left');
    expect(bench.finished).toHaveLength(120);
    expect(samples.length).toBeGreaterThan(120);
    expect(Math.max(...samples.map((each) => each.running))).toBe(slots);
    expect(samples.filter((each) => each.active === 0)).toEqual([]);
    expect(samples.filter((each) => each.waiting + each.running > slots)).toEqual([]);
    expect(Math.max(...bench.leases.map(({ count }) => count))).toBeLessThanOrEqual(slots);
  });

  it('dispatches no lease that needs no visit, and goes on at once', async () => {
    const left: string[] = [];
    const frontier = (): DispatchBench['frontier'] => bench.frontier;
    await using bench = await openBench({
      slots: 2,
      leaveOut: (visit) => {
        if (visit.token % 3 !== 0) return Promise.resolve(false);
        left.push(visit.url);
        const record = { url: visit.url, reason: 'duplicate-query', rule: 'r', referrer: null } as const;
        return frontier().fold(visit, record, 'f-1', systemClock.now());
      },
    });
    await admitHosts(bench.frontier, 30);
    expect(await bench.loop.run()).toBe('nothing-left');
    const visited = bench.finished.map(({ visit }) => visit.url);
    expect([visited.length, left.length]).toEqual([20, 10]);
    expect(visited.filter((url) => left.includes(url))).toEqual([]);
  });

  it('does not end before all have heard what visits have shown, and visits what one of them queues for it', async () => {
    let asked = 0;
    const frontier = (): DispatchBench['frontier'] => bench.frontier;
    await using bench = await openBench({
      slots: 2,
      isNothingToCome: async () => {
        asked += 1;
        if (asked === 2) await admitHosts(frontier(), 12);
        return asked > 2;
      },
    });
    await admitHosts(bench.frontier, 10);
    expect(await bench.loop.run()).toBe('nothing-left');
    expect(bench.finished).toHaveLength(12);
    expect(asked).toBeGreaterThan(3);
  });

  it('fills all slots and asks for nothing more while they are taken', async () => {
    const renderer = heldRenderer();
    await using bench = await openBench({ slots: 3, renderer });
    await admitHosts(bench.frontier, 10);
    const running = bench.loop.run();
    await until(() => renderer.held.length === 3, 'three pages');
    expect(await redis.client.llen(`${bench.prefix}:visits:wait`)).toBe(0);
    expect(bench.leases.reduce((sum, { count }) => sum + count, 0)).toBe(3);
    expect([bench.loop.visiting, bench.loop.visitingHosts().length]).toEqual([3, 3]);
    renderer.release();
    expect(await running).toBe('nothing-left');
    expect(bench.finished).toHaveLength(10);
  });

  it.each([1, 2, 3, 4, 5])('never exceeds its budget, however outcomes arrive (seed %i)', async (number) => {
    const random = seededRandom(number);
    const limit = 9;
    let ended = 0;
    const most: number[] = [];
    const renderer = nullRenderer(async (visit) => {
      await systemClock.sleep(milliseconds(Math.floor(random() * 8)), never);
      return captured(visit);
    });
    await using bench = await openBench({
      slots: 4,
      renderer,
      budget: () => limit - ended,
      settle: (done) => {
        const dice = random();
        const record = pageRecord(done.visit.url);
        if (dice < 0.2) return commit({ kind: 'retry', due: systemClock.now() });
        if (dice < 0.4)
          return commit({
            kind: 'skipped',
            record: { url: done.visit.url, reason: 'disallowed-by-robots', rule: 'a rule', referrer: null },
          });
        if (dice < 0.6) return commit({ kind: 'visited', record: { ...record, outcome: 'redirected' } });
        counted.add(done.visit.token);
        return commit({ kind: dice < 0.8 ? 'visited' : 'failed', record });
      },
      onSettled: ({ visit }) => {
        if (counted.has(visit.token)) ended += 1;
        most.push(ended);
      },
    });
    const counted = new Set<number>();
    await admitHosts(bench.frontier, 60);
    expect(await bench.loop.run()).toBe('budget-spent');
    expect(Math.max(...most)).toBe(limit);
    expect(ended).toBe(limit);
    expect((await bench.frontier.totals()).leased).toBe(0);
  });

  it('finishes what is under way when it is drained, and leases nothing more', async () => {
    const renderer = heldRenderer();
    await using bench = await openBench({ slots: 2, renderer });
    await admitHosts(bench.frontier, 10);
    const running = bench.loop.run();
    await until(() => renderer.held.length === 2, 'two pages');
    bench.loop.drain();
    renderer.release();
    expect(await running).toBe('drained');
    expect(bench.finished).toHaveLength(2);
    expect(await bench.frontier.totals()).toMatchObject({ visited: 2, queued: 8, leased: 0 });
  });

  it('ends at once when it is drained while it waits for a host that is not due', async () => {
    await using bench = await openBench({
      settle: ({ visit }) =>
        commit({ kind: 'visited', record: pageRecord(visit.url) }, [], { hostDelay: milliseconds(600_000) }),
      onSettled: () => settledOne.abort(),
    });
    const settledOne = new AbortController();
    await bench.frontier.admit(
      [seed('http://one.example/'), candidate('http://one.example/two')],
      [],
      systemClock.now(),
    );
    const running = bench.loop.run();
    await until(() => settledOne.signal.aborted, 'the first page');
    bench.loop.drain();
    expect(await running).toBe('drained');
    expect(await bench.frontier.totals()).toMatchObject({ visited: 1, queued: 1, leased: 0 });
  });

  it('gives back a visit that waits between robots.txt and its page when it is drained', async () => {
    const drained = new AbortController();
    const asked = new AbortController();
    const robots: RobotsChecker = {
      ...allowAllUrls,
      verdict: () => {
        asked.abort();
        return Promise.resolve({ kind: 'allowed', rule: null, crawlDelay: null, fetched: true, names: NO_NAMES });
      },
    };
    await using bench = await openBench({ robots, delay: 3_600_000, draining: drained.signal });
    await admitHosts(bench.frontier, 1);
    const running = bench.loop.run();
    await until(() => asked.signal.aborted, 'the question for robots.txt');
    bench.loop.drain();
    drained.abort();
    expect(await running).toBe('drained');
    expect(bench.finished).toEqual([]);
    expect(await bench.frontier.totals()).toMatchObject({ visited: 0, queued: 1, leased: 0 });
  });

  it('does not wait in a slot for the pause between robots.txt and the first page', async () => {
    const asked = new Set<string>();
    const robots: RobotsChecker = {
      ...allowAllUrls,
      verdict: (url) => {
        const fetched = !asked.has(url);
        asked.add(url);
        const names = { ...NO_NAMES, sitemaps: [`${url}sitemap.xml`] };
        return Promise.resolve({ kind: 'allowed', rule: null, crawlDelay: null, fetched, names });
      },
    };
    const visited: { asked: number; at: number; sitemaps: readonly string[] }[] = [];
    const delay = 400;
    await using bench = await openBench({
      robots,
      delay,
      slots: 1,
      onSettled: ({ names = NO_NAMES }) =>
        visited.push({ asked: asked.size, at: systemClock.now(), sitemaps: names.sitemaps }),
    });
    await admitHosts(bench.frontier, 6);
    const started = systemClock.now();
    expect(await bench.loop.run()).toBe('nothing-left');
    expect(visited.map((visit) => visit.asked)).toEqual([6, 6, 6, 6, 6, 6]);
    expect(Math.min(...visited.map(({ at }) => at - started))).toBeGreaterThanOrEqual(delay);
    // each host's robots.txt names the sitemaps with the visit that is made, though it was fetched for a visit that was given back
    expect(visited.map(({ sitemaps }) => sitemaps.length)).toEqual([1, 1, 1, 1, 1, 1]);
    expect(bench.finished.map(({ visit }) => visit.attempt)).toEqual([1, 1, 1, 1, 1, 1]);
  });

  it('keeps its leases apart by the rate limit, over all hosts', async () => {
    await using bench = await openBench({ slots: 4, leaseSpacing: 40 });
    await admitHosts(bench.frontier, 8);
    expect(await bench.loop.run()).toBe('nothing-left');
    expect(bench.leases.map(({ count }) => count)).toEqual(Array.from({ length: 8 }, () => 1));
    const gaps = bench.leases.slice(1).map(({ now }, index) => now - (bench.leases[index]?.now ?? Number.NaN));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(40);
  });

  it('takes back a lease whose job was lost, and visits the URL after all', async () => {
    await using bench = await openBench({ slots: 1, leaseFor: 200 });
    await admitHosts(bench.frontier, 1);
    await leaseNow(bench.frontier, 200); // leased without a job: the process died between the two
    expect(await bench.loop.run()).toBe('nothing-left');
    expect(bench.finished.map(({ visit }) => [visit.attempt, visit.deaths])).toEqual([[1, 0]]);
  });

  it('rejects with the reason when it is aborted, and leaves its leases to be taken back', async () => {
    const renderer = heldRenderer();
    const stop = new AbortController();
    await using bench = await openBench({ slots: 2, renderer, atOnce: stop.signal });
    await admitHosts(bench.frontier, 3);
    const running = bench.loop.run();
    await until(() => renderer.held.length === 2, 'two pages');
    stop.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
    renderer.release();
  });
});

describe('a visit', () => {
  it('runs once when it is delivered twice, and both deliveries end with it', async () => {
    const renderer = heldRenderer();
    await using bench = await openBench({ renderer });
    await admitHosts(bench.frontier, 1);
    const visit = await leaseNow(bench.frontier);
    let ends = 0;
    const deliveries = [1, 2].map(() => bench.loop.visit(visit).then(() => (ends += 1)));
    await until(() => renderer.held.length > 0, 'the page');
    await bench.frontier.totals(); // a round trip: the second delivery has done its work by then
    expect([renderer.held.length, ends]).toEqual([1, 0]); // a slot given back early would be filled twice
    renderer.release();
    await Promise.all(deliveries);
    expect([renderer.held.length, bench.finished.length]).toEqual([1, 1]);
  });

  it('is dropped without a render when its token is not out', async () => {
    const renderer = heldRenderer();
    renderer.release();
    await using bench = await openBench({ renderer });
    await admitHosts(bench.frontier, 1);
    const visit = await leaseNow(bench.frontier);
    await bench.frontier.release(visit.token, systemClock.now());
    await bench.loop.visit(visit);
    await bench.loop.visit(visitOf('http://never.example/', { token: 999 }));
    expect([renderer.held.length, bench.finished.length]).toEqual([0, 0]);
    expect(await bench.frontier.totals()).toMatchObject({ queued: 1, leased: 0 });
  });

  it('is aborted when its lease is taken back, and settles nothing', async () => {
    const renderer = heldRenderer();
    await using bench = await openBench({ renderer, leaseFor: 90 });
    await admitHosts(bench.frontier, 1);
    const visit = await leaseNow(bench.frontier, 60_000);
    const processing = bench.loop.visit(visit);
    await until(() => renderer.held.length > 0, 'the page');
    await bench.frontier.release(visit.token, systemClock.now());
    await processing;
    expect([renderer.aborted.length, bench.finished.length]).toEqual([1, 0]);
    expect(await bench.frontier.totals()).toMatchObject({ queued: 1, leased: 0 });
  });

  it('is given back uncounted when the crawl stops at once', async () => {
    const renderer = heldRenderer();
    const stop = new AbortController();
    await using bench = await openBench({ renderer, atOnce: stop.signal });
    await admitHosts(bench.frontier, 1);
    const processing = bench.loop.visit(await leaseNow(bench.frontier));
    await until(() => renderer.held.length > 0, 'the page');
    stop.abort(new Error('stop'));
    await processing;
    expect(await bench.frontier.totals()).toMatchObject({ queued: 1, leased: 0 });
    expect((await leaseNow(bench.frontier)).attempt).toBe(1);
  });

  it('that is given back when its page was asked for leaves its host alone for the delay', async () => {
    const renderer = heldRenderer();
    const stop = new AbortController();
    const delay = 60_000;
    await using bench = await openBench({ renderer, delay, atOnce: stop.signal });
    await admitHosts(bench.frontier, 1);
    const processing = bench.loop.visit(await leaseNow(bench.frontier));
    await until(() => renderer.held.length > 0, 'the page');
    const before = systemClock.now();
    stop.abort(new Error('stop'));
    await processing;
    const [host] = await bench.frontier.slowestHosts(1);
    expect(host).toMatchObject({ queued: 1, leased: 0 });
    expect(host?.due).toBeGreaterThanOrEqual(before + delay);
  });

  it('keeps its lease as long as it lasts', async () => {
    const renderer = heldRenderer();
    await using bench = await openBench({ renderer, leaseFor: 150 });
    await admitHosts(bench.frontier, 1);
    const visit = await leaseNow(bench.frontier, 150);
    const processing = bench.loop.visit(visit);
    await until(() => systemClock.now() > visit.leasedUntil + 150, 'twice the time of a lease');
    expect(await bench.frontier.reap(systemClock.now(), systemClock.now())).toBe(0);
    renderer.release();
    await processing;
    expect(bench.finished).toHaveLength(1);
  });

  it('that the program did not survive three times ends as crashed for good, without a render', async () => {
    const renderer = heldRenderer();
    await using bench = await openBench({ renderer });
    await admitHosts(bench.frontier, 1);
    for (let death = 0; death < 3; death += 1) {
      const visit = await leaseNow(bench.frontier);
      await bench.frontier.begin(visit.token, visit.leasedUntil);
      await bench.frontier.reclaim('died', systemClock.now(), systemClock.now());
    }
    expect(await bench.loop.run()).toBe('nothing-left');
    expect(renderer.held).toEqual([]);
    expect(bench.finished.map(({ visit, outcome }) => ({ attempt: visit.attempt, outcome }))).toEqual([
      {
        attempt: 1,
        outcome: {
          kind: 'crashed',
          detail: 'the program ended three times while this page was visited',
          final: true,
        },
      },
    ]);
  });

  it('is told to the frontier as begun before anything is asked for it, and not any more once the crawl is drained', async () => {
    const renderer = heldRenderer();
    const draining = new AbortController();
    await using bench = await openBench({ renderer, draining: draining.signal });
    await admitHosts(bench.frontier, 3);
    const [begun, late, handed] = [
      await leaseNow(bench.frontier),
      await leaseNow(bench.frontier),
      await leaseNow(bench.frontier),
    ];
    const running = bench.loop.visit(begun);
    await until(() => renderer.held.length === 1, 'the first page');
    draining.abort();
    const second = bench.loop.visit(late);
    await until(() => renderer.held.length === 2, 'the second page');
    const now = systemClock.now();
    expect(await bench.frontier.reclaim('died', now, now)).toEqual({ taken: 3, suspects: [begun.url] });
    renderer.release();
    await Promise.all([running, second]);
    expect(await bench.frontier.renew(handed.token, now)).toBe(false);
  });

  it.each<[AddressVerdict, VisitOutcome['kind']]>([
    [{ kind: 'blocked', address: '10.0.0.1', range: 'private 10.0.0.0/8' }, 'blocked-address'],
    [{ kind: 'unresolvable', detail: 'NXDOMAIN' }, 'unreachable'],
  ])('asks neither robots.txt nor the renderer where the address is %j', async (verdict, kind) => {
    const renderer = heldRenderer();
    const asked: string[] = [];
    const robots: RobotsChecker = {
      ...allowAllUrls,
      verdict: (url, signal) => {
        asked.push(url);
        return allowAllUrls.verdict(url, signal);
      },
    };
    await using bench = await openBench({ renderer, robots, egress: egressThat(verdict) });
    await admitHosts(bench.frontier, 1);
    await bench.loop.run();
    expect(bench.finished.map(({ outcome }) => outcome.kind)).toEqual([kind]);
    expect([renderer.held, asked]).toEqual([[], []]);
  });
});

describe('hosts whose names are looked up', () => {
  it('are visited as soon as their address is told, while others are still in the dark', async () => {
    await using bench = await openBench({ slots: 4, addresses: 'awaited', onSettled: ({ visit }) => ended(visit.url) });
    const told = new AbortController();
    const lookups = createNameLookups({
      frontier: bench.frontier,
      egress: {
        lookUp: async (name, signal) => {
          if (name !== 'host-0.example') return { kind: 'address', address: `192.0.2.${name.length}` };
          await systemClock.sleep(milliseconds(60_000), AbortSignal.any([signal, told.signal])).catch(() => {});
          return { kind: 'failed', detail: 'told at last', known: true };
        },
      },
      clock: systemClock,
      log: silentLog,
      retried: true,
      onAddressed: () => bench.loop.notify(),
    });
    const urls: string[] = [];
    function ended(url: string): void {
      urls.push(url);
      if (urls.length === 39) told.abort(new Error('now'));
    }
    await admitHosts(bench.frontier, 40);
    const stop = new AbortController();
    const looking = lookups.run(stop.signal);
    expect(await bench.loop.run()).toBe('nothing-left');
    stop.abort(new Error('enough'));
    await looking;
    expect(urls).toHaveLength(40);
    expect(urls.at(-1)).toBe('http://host-0.example/');
  });
});

describe('the work queue', () => {
  it('drops the jobs of an earlier run, those under way included', async () => {
    const { client } = await redis.connect();
    const prefix = redis.keys().key('q', 'bull');
    const earlier = new Queue('visits', { connection: client, prefix });
    const taken: string[] = [];
    const killed = new Worker('visits', (job) => new Promise(() => taken.push(job.id ?? '')), {
      connection: client,
      prefix,
    });
    await earlier.addBulk(
      [1, 2, 3].map((token) => ({
        name: 'visit',
        data: visitOf(`http://old.example/${token}`, { token }),
        opts: { jobId: `v${token}` },
      })),
    );
    await until(() => taken.length === 1, 'a job under way');
    await killed.close(true);
    const seen: number[] = [];
    await using queue = await openWorkQueue({
      client,
      prefix,
      slots: 1,
      log: silentLog,
      process: (visit) => Promise.resolve(void seen.push(visit.token)),
    });
    expect(await earlier.getJobCounts('wait', 'active')).toEqual({ wait: 0, active: 0 });
    await queue.add([visitOf('http://new.example/', { token: 4 })]);
    await until(() => seen.length > 0, 'the new job');
    expect(seen).toEqual([4]);
    await earlier.close();
  });

  it('carries visits that were leased together as one job, each of which ends by itself', async () => {
    const { client } = await redis.connect();
    const prefix = redis.keys().key('q', 'bull');
    const ends = new Map<number, () => void>();
    const ended: number[] = [];
    await using queue = await openWorkQueue({
      client,
      prefix,
      slots: 3,
      log: silentLog,
      process: async ({ token }) => {
        await new Promise<void>((resolve) => ends.set(token, resolve));
        ended.push(token);
      },
    });
    const other = new Queue('visits', { connection: client, prefix });
    await queue.add([6, 7].map((token) => visitOf(`http://new.example/${token}`, { token })));
    await until(() => ends.size === 2, 'both visits');
    expect(await other.getJobCounts('wait', 'active')).toEqual({ wait: 0, active: 1 });
    ends.get(7)?.();
    await until(() => ended.length === 1, 'the end of one');
    expect(ended).toEqual([7]);
    ends.get(6)?.();
    await until(async () => (await other.getJobCounts('active'))['active'] === 0, 'the end of the job');
    await other.close();
  });

  it('closes while its connection is made anew, and does not wait for it', async () => {
    const { client } = await redis.connect();
    const prefix = redis.keys().key('q', 'bull');
    const queue = await openWorkQueue({ client, prefix, slots: 1, log: silentLog, process: () => Promise.resolve() });
    const waiting = /^id=(\d+) .* cmd=bzpopmin /m;
    const clients = async (): Promise<string> => String(await client.call('CLIENT', 'LIST'));
    await until(async () => waiting.test(await clients()), 'a wait for jobs');
    const id = waiting.exec(await clients())?.[1] ?? '';
    await client.call('CLIENT', 'KILL', 'ID', id);
    await until(async () => !(await clients()).includes(`id=${id} `), 'its end');
    await queue[Symbol.asyncDispose]();
    expect(await client.ping()).toBe('PONG');
  });

  it("of a worker leaves nothing in Redis when it is closed after the crawl's end", async () => {
    const { client } = await redis.connect();
    const prefix = redis.keys().key('q', 'bull');
    const left = async (): Promise<readonly string[]> => client.keys(`${prefix}:*`);
    const process = (): Promise<void> => Promise.resolve();
    const queue = await openWorkQueue({ client, prefix, worker: 'w-0', slots: 1, log: silentLog, process });
    await until(async () => (await left()).length > 0, 'what BullMQ notes of a queue');
    await queue[Symbol.asyncDispose]();
    expect(await left()).toEqual([]);
  });

  it('turns away what is no visit, and says so', async () => {
    const { client } = await redis.connect();
    const prefix = redis.keys().key('q', 'bull');
    const said: string[] = [];
    const seen: number[] = [];
    await using queue = await openWorkQueue({
      client,
      prefix,
      slots: 1,
      log: { ...silentLog, error: (event) => void said.push(event) },
      process: (visit) => Promise.resolve(void seen.push(visit.token)),
    });
    const other = new Queue('visits', { connection: client, prefix });
    await other.add('visit', { url: 'javascript:alert(1)', token: 'x' });
    await queue.add([visitOf('http://new.example/', { token: 5 })]);
    await until(() => seen.length > 0, 'the visit');
    expect([seen, said]).toEqual([[5], ['job is no visit']]);
    await other.close();
  });

  it('leaves no job behind that has ended', async () => {
    await using bench = await openBench({ slots: 2 });
    await admitHosts(bench.frontier, 6);
    await bench.loop.run();
    await bench.loop[Symbol.asyncDispose]();
    const jobs = await redis.client.keys(`${bench.prefix}:visits:v*`);
    expect([bench.finished.length, jobs]).toEqual([6, []]);
  });
});
