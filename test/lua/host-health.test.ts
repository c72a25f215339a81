/** The figures of frontier/lua/includes/health.lua: delays that adapt to a server, pauses after failures, circuits. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hours, minutes, seconds } from '../../src/base/units.ts';
import { probeLua } from '../support/lua-probe.ts';
import { startTestRedis, type TestRedis } from '../support/redis.ts';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startTestRedis();
});
afterAll(() => redis[Symbol.asyncDispose]());

/** `before` is set on the host; Lua does not know `null`. */
interface Step {
  readonly before?: Readonly<Record<string, number>>;
  readonly learn?: { readonly hostDelay: number; readonly serverTime: number | '' };
  readonly fail?: { readonly wait: number; readonly most: number | '' };
  readonly refuse?: { readonly leasedAgo: number };
}

/** Runs a host through the steps: learning, failing, refusing and, if a step names none, succeeding. */
async function hostAfter(steps: readonly Step[]): Promise<readonly Readonly<Record<string, number>>[]> {
  const source = `
    local host, rows = hosts.of('https://a.example', 'a.example'), {}
    for index, step in ipairs(given) do
      crawl.state.clock = crawl.state.clock + 1
      for field, value in pairs(step.before or {}) do
        host[field] = value
      end
      local result
      if step.learn then
        result = health.learn_delay(host, step.learn.hostDelay, step.learn.serverTime)
      elseif step.fail then
        result = health.fail(host, crawl.state.clock, step.fail.wait, step.fail.most)
      elseif step.refuse then
        result = health.slow_down(host, crawl.state.clock - step.refuse.leasedAgo)
      else
        result = health.recover(host)
      end
      rows[index] = { result = result, failures = host.failures, pause = host.pause, mean = host.server_time,
        learned = host.learned_delay, circuits = crawl.state.open_circuits }
    end
    return rows`;
  return JSON.parse(JSON.stringify(await probeLua(redis, source, steps)));
}

const valuesOf = async (steps: readonly Step[], field: string): Promise<readonly unknown[]> =>
  (await hostAfter(steps)).map((row) => row[field]);
const times = <T>(count: number, value: T): readonly T[] => Array.from({ length: count }, () => value);
const UNKNOWN = -1;
const grows: Step = { fail: { wait: seconds(30), most: hours(1) } };
const asks = (wait: number): Step => ({ fail: { wait, most: '' } });

describe('the pause between two visits', () => {
  it.each([
    ['quick', 20, 1000],
    ['slow', 800, 4000],
    ['very slow', 30_000, seconds(60)],
  ])('of a host whose server is %s (%d ms) is %d ms where a second is the least', async (_how, serverTime, delay) => {
    expect(await valuesOf([{ learn: { hostDelay: 1000, serverTime } }], 'result')).toEqual([delay]);
  });

  it('is never shorter than what was asked for, though that be more than the most of ours', async () => {
    expect(await valuesOf([{ learn: { hostDelay: 90_000, serverTime: 60_000 } }], 'result')).toEqual([90_000]);
  });

  it('is none where none is wanted, and what is wanted where nothing is known', async () => {
    expect(await valuesOf([{ learn: { hostDelay: 0, serverTime: 5000 } }], 'result')).toEqual([0]);
    expect(await valuesOf([{ learn: { hostDelay: 700, serverTime: '' } }], 'result')).toEqual([700]);
  });
});

describe('the mean time of a server', () => {
  it('is the first one, moves by three tenths, and stays where a visit says nothing', async () => {
    const samples = ['', 100, 200, ''] as const;
    const steps = samples.map((serverTime) => ({ learn: { hostDelay: 0, serverTime } }));
    expect(await valuesOf(steps, 'mean')).toEqual([UNKNOWN, 100, 130, 130]);
  });

  it('comes to what the server takes, whatever it was before', async () => {
    const steps = [60_000, ...times(40, 50)].map((serverTime) => ({ learn: { hostDelay: 0, serverTime } }));
    expect((await valuesOf(steps, 'mean')).at(-1)).toBeCloseTo(50, 0);
  });
});

describe('a host that fails', () => {
  it('is left alone twice as long with each failure in a row', async () => {
    expect(await valuesOf(times(4, grows), 'result')).toEqual([seconds(30), minutes(1), minutes(2), minutes(4)]);
  });

  it('is left alone for six hours after five in a row, and again after each further one', async () => {
    const steps = times(6, grows);
    expect(await valuesOf(steps, 'circuits')).toEqual([0, 0, 0, 0, 1, 1]);
    expect((await valuesOf(steps, 'result')).slice(4)).toEqual([hours(6), hours(6)]);
  });

  it('gets the time that it asks for, no doubling, and more than six hours where it wants more', async () => {
    expect(await valuesOf(times(5, asks(hours(24))), 'result')).toEqual(times(5, hours(24)));
    expect(await valuesOf(times(2, asks(1000)), 'result')).toEqual([1000, 1000]);
  });

  it('is not left alone for longer than the most, however many failures there were', async () => {
    const before = { failures: 3, pause: minutes(40) };
    expect(await valuesOf([{ before, fail: { wait: minutes(10), most: hours(1) } }], 'result')).toEqual([hours(1)]);
  });
});

describe('a success', () => {
  it('halves the pause and ends the row', async () => {
    const [, , strained, after] = await hostAfter([...times(3, grows), {}]);
    expect(strained).toMatchObject({ failures: 3, pause: minutes(2) });
    expect(after).toMatchObject({ failures: 0, pause: minutes(1) });
  });

  it('takes away what is shorter than a second', async () => {
    expect(await hostAfter([{ before: { failures: 1, pause: 1999 } }])).toMatchObject([{ failures: 0, pause: 0 }]);
  });

  it('keeps nothing of what the host itself asked for', async () => {
    expect((await hostAfter([asks(hours(24)), {}])).at(-1)).toMatchObject({ failures: 0, pause: 0 });
  });

  it('follows often enough, and every host is well again', async () => {
    const steps = [{ before: { failures: 9, pause: hours(6) } }, ...times(24, {})];
    expect((await hostAfter(steps)).at(-1)).toMatchObject({ failures: 0, pause: 0 });
  });
});

describe('the delay that a host teaches by refusing', () => {
  const refuses: Step = { refuse: { leasedAgo: 0 } };
  const refusesAt = (delay: number, before: Step['before'] = {}): Step => ({
    ...refuses,
    before: { delay, ...before },
  });

  it.each([
    ['none', 0, 250],
    ['a short one', 100, 250],
    ['a longer one', 400, 800],
    ['the usual one', 1000, 2000],
    ['one of minutes', 90_000, 2000],
    ['one not known yet', UNKNOWN, 250],
  ])('where there was %s is twice that, between a quarter of a second and two', async (_what, delay, learned) => {
    expect(await valuesOf([refusesAt(delay)], 'learned')).toEqual([learned]);
  });

  it('does not change where the refusal says nothing about it', async () => {
    const known = { learned_delay: 300 };
    const steps = [{ failures: 1 }, { pause: 4000 }].map((state) => refusesAt(300, { ...known, ...state }));
    expect(await valuesOf(steps, 'learned')).toEqual([300, 300]);
    // the visit began before the last failure was counted, so it was too early for what that one taught
    const early: Step = { refuse: { leasedAgo: 5 }, before: { delay: 300, failures: 0, pause: 0, ...known } };
    expect(await valuesOf([grows, early], 'learned')).toEqual([0, 300]);
  });

  it('is forgotten slowly, by successes at full speed only', async () => {
    const at250 = { learned_delay: 250, failures: 0 };
    expect(await valuesOf([{ before: { ...at250, pause: 4000 } }], 'learned')).toEqual([250]);
    const learned = await valuesOf([{ before: { ...at250, pause: 0 } }, ...times(199, {})], 'learned');
    expect(learned.slice(0, 2)).toEqual([248, 246]);
    expect(learned[19]).toBeGreaterThan(200);
    expect(learned.at(-1)).toBe(0);
  });

  it('is none in a record of a version that did not know it, with parts for egress addresses and without', async () => {
    const source = `
      local host = hosts.of('https://a.example', 'a.example')
      host.address, host.learned_delay = '192.0.2.1', 300
      local fields = { cmsgpack.unpack(hosts.pack(host)) }
      table.remove(fields)
      local old, rows = cmsgpack.pack(unpack(fields)), {}
      local pace = egresses.pack_pace({ egress = 1, due = 7, floor = 7, leased = 0, status = hosts.AVAILABLE })
      for apart, packed in pairs({ [0] = old, [1] = old .. cmsgpack.pack({ pace }) }) do
        crawl.state.apart = apart
        local read = hosts.add('https://a.example', packed)
        rows[apart + 1] = { read.learned_delay, read.address, read.paces and read.paces[1].due or 0 }
      end
      return rows`;
    expect(await probeLua(redis, source, [])).toEqual([
      [0, '192.0.2.1', 0],
      [0, '192.0.2.1', 7],
    ]);
  });
});
