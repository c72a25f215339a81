import { describe, expect, it } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { type EpochMs, minutes, seconds } from '../../../src/base/units.ts';
import { AT_A_TIME, createNameLookups, type NameLookups } from '../../../src/dispatch/name-lookups.ts';
import type { NameLookup } from '../../../src/egress/egress.ts';
import type { AddressAnswer } from '../../../src/frontier/frontier.ts';
import { storedHostKey, type HostKey } from '../../../src/model/url/host-key.ts';
import { handClock, type HandClock } from '../../support/hand-clock.ts';

const MANY = AT_A_TIME + 68;
const FOUND: NameLookup = { kind: 'address', address: '192.0.2.1' };
const UNTOLD: NameLookup = { kind: 'failed', detail: 'SERVFAIL', known: false };
const NONE: NameLookup = { kind: 'failed', detail: 'NXDOMAIN', known: true };

interface Bench {
  readonly lookups: NameLookups;
  readonly clock: HandClock;
  /** Waiting hosts, and the time until which each waits. */
  readonly waiting: Map<HostKey, EpochMs>;
  readonly asked: { readonly name: string; readonly at: number }[];
  readonly told: { readonly host: HostKey; readonly answer: AddressAnswer }[];
  rung: number;
  admit(...names: readonly string[]): void;
  /** Answers the running look-ups of a name. */
  answer(name: string, found: NameLookup): void;
}

/** The frontier's two methods over a map, and a network whose answers the test gives. */
function open(answerAtOnce: ((name: string) => NameLookup) | null, retried = true): Bench {
  const clock = handClock();
  const waiting = new Map<HostKey, EpochMs>();
  const open = new Map<string, (found: NameLookup) => void>();
  const bench: Bench = {
    clock,
    waiting,
    asked: [],
    told: [],
    rung: 0,
    admit: (...names) => {
      for (const name of names) waiting.set(storedHostKey(`http://${name}`), clock.now());
    },
    answer: (name, found) => open.get(name)?.(found),
    lookups: createNameLookups({
      frontier: {
        awaitingDns: (now, count) => {
          const due = [...waiting].filter(([, at]) => at <= now).slice(0, count);
          for (const [host] of due) waiting.delete(host);
          return Promise.resolve(due.map(([host]) => host));
        },
        resolved: (host, answer) => {
          bench.told.push({ host, answer });
          if (answer.kind === 'failed' && answer.nextTry !== null) waiting.set(host, answer.nextTry);
          return Promise.resolve();
        },
      },
      egress: {
        lookUp: async (name) => {
          bench.asked.push({ name, at: clock.now() });
          return answerAtOnce?.(name) ?? (await new Promise((resolve) => open.set(name, resolve)));
        },
      },
      clock,
      log: silentLog,
      retried,
      onAddressed: () => {
        bench.rung += 1;
      },
    }),
  };
  return bench;
}

async function whileRunning(bench: Bench, what: () => Promise<void>): Promise<void> {
  const stop = new AbortController();
  const running = bench.lookups.run(stop.signal);
  try {
    await bench.clock.settled();
    await what();
  } finally {
    stop.abort(new Error('enough'));
    await running;
  }
}

describe('the names of new hosts', () => {
  it('are looked up once, their addresses told, and the dispatcher is rung', async () => {
    const bench = open(() => FOUND);
    bench.admit('a.example', 'b.example:8080', '[2001:db8::1]');
    await whileRunning(bench, async () => {
      expect(bench.asked.map(({ name }) => name)).toEqual(['a.example', 'b.example', '[2001:db8::1]']);
      expect(bench.told.map(({ answer }) => answer)).toEqual([FOUND, FOUND, FOUND]);
      expect(bench.rung).toBe(3);
      await bench.clock.run(minutes(5));
      expect(bench.asked).toHaveLength(3);
    });
  });

  it('are looked up at once when it is rung, and within a second when it is not', async () => {
    const bench = open(() => FOUND);
    await whileRunning(bench, async () => {
      bench.admit('rung.example');
      bench.lookups.notify();
      await bench.clock.settled();
      expect(bench.asked).toEqual([{ name: 'rung.example', at: 0 }]);
      bench.admit('quiet.example');
      await bench.clock.run(seconds(1));
      expect(bench.asked.at(-1)).toEqual({ name: 'quiet.example', at: 1000 });
    });
  });

  it('are a bounded number under way, and the next one begins when one has ended', async () => {
    const bench = open(null);
    bench.admit(...Array.from({ length: MANY }, (_, index) => `n${index}.example`));
    await whileRunning(bench, async () => {
      expect(bench.asked).toHaveLength(AT_A_TIME);
      await bench.clock.run(seconds(10));
      expect(bench.asked).toHaveLength(AT_A_TIME);
      bench.answer('n7.example', FOUND);
      await bench.clock.settled();
      expect(bench.asked).toHaveLength(AT_A_TIME + 1);
      for (let index = 0; index < MANY; index += 1) {
        bench.answer(`n${index}.example`, FOUND);
        await bench.clock.settled();
      }
      expect(bench.told).toHaveLength(MANY);
    });
  });

  it('that nobody can tell are tried five times, with waits from 1 s to 90 s, and then let through', async () => {
    const bench = open((name) => (name === 'light.example' ? FOUND : UNTOLD));
    bench.admit('light.example', 'dark.example');
    await whileRunning(bench, async () => {
      await bench.clock.run(minutes(5));
      const asked = bench.asked.filter(({ name }) => name === 'dark.example');
      const gaps = asked.slice(1).map(({ at }, index) => at - (asked[index]?.at ?? 0));
      expect(gaps).toHaveLength(4);
      for (const [index, wait] of [1000, 4500, 20_000, 90_000].entries()) {
        expect(gaps[index]).toBeGreaterThanOrEqual(wait);
        expect(gaps[index]).toBeLessThanOrEqual(wait + 1000);
      }
      expect(bench.told.at(-1)?.answer).toEqual({ kind: 'failed', nextTry: null });
      expect(bench.rung).toBe(2);
    });
  });

  it('are let through within seconds where no name was ever told: there is no DNS', async () => {
    const bench = open(() => UNTOLD);
    bench.admit('dark.example');
    await whileRunning(bench, async () => {
      await bench.clock.run(seconds(8));
      expect(bench.asked).toHaveLength(3);
      expect(bench.told.at(-1)?.answer).toEqual({ kind: 'failed', nextTry: null });
    });
  });

  it('that are tried again hold up no other', async () => {
    const bench = open((name) => (name.startsWith('dark') ? UNTOLD : FOUND));
    bench.admit(...Array.from({ length: 100 }, (_, index) => `dark${index}.example`), 'light.example');
    await whileRunning(bench, async () => {
      expect(bench.told.find(({ host }) => host.includes('light'))?.answer).toEqual(FOUND);
      expect(bench.clock.now()).toBe(0);
    });
  });

  it('that turn out to have an address begin anew when they are asked for again', async () => {
    let dark = true;
    const bench = open(() => (dark ? UNTOLD : FOUND));
    bench.admit('a.example');
    await whileRunning(bench, async () => {
      await bench.clock.run(seconds(3));
      dark = false;
      await bench.clock.run(seconds(5));
      expect(bench.told.map(({ answer }) => answer.kind)).toEqual(['failed', 'failed', 'address']);
    });
  });

  it.each([
    ['the DNS knows not to exist', NONE, true],
    ['nobody can tell, where nothing is tried twice', UNTOLD, false],
  ])('that %s are let through at once', async (_what, found, retried) => {
    const bench = open(() => found, retried);
    bench.admit('gone.example');
    await whileRunning(bench, async () => {
      expect(bench.told.map(({ answer }) => answer)).toEqual([{ kind: 'failed', nextTry: null }]);
      expect(bench.rung).toBe(1);
    });
  });
});

it('a frontier that fails ends the look-ups with its error', async () => {
  const clock = handClock();
  const lookups = createNameLookups({
    frontier: { awaitingDns: () => Promise.reject(new Error('Redis is gone')), resolved: () => Promise.resolve() },
    egress: { lookUp: () => Promise.resolve(FOUND) },
    clock,
    log: silentLog,
    retried: true,
    onAddressed: () => {},
  });
  await expect(lookups.run(new AbortController().signal)).rejects.toThrow('Redis is gone');
});
