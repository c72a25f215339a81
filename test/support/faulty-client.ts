/** A connection to Redis whose process may die at any call, and whose calls may run twice, as a retry after a lost answer does. */
import type { Random } from '../../src/base/random.ts';
import type { RedisClient } from '../../src/redis/client.ts';

export class Died extends Error {}

export interface FaultyClient {
  readonly client: RedisClient;
  /** Lets this many more script calls through; the next one is the last: it may or may not run, and its answer is lost. */
  dieAfter(calls: number): void;
  /** Acts as a living process again. */
  revive(): void;
  /** From now on no call fails. */
  heal(): void;
}

/** @param twice probability that a call runs twice, 0 to 1 */
export function faultyClient(client: RedisClient, twice: number, random: Random): FaultyClient {
  let left = Infinity;
  let likely = twice;
  const call = async (make: () => Promise<unknown>): Promise<unknown> => {
    if (left < 0) throw new Died('dead');
    left -= 1;
    if (left < 0) {
      if (random() < 0.5) await make();
      throw new Died('died');
    }
    if (random() < likely) await make();
    return make();
  };
  const proxy = new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      const own = value.bind(target) as (...values: readonly unknown[]) => Promise<unknown>;
      return name === 'fcall' ? (...values: readonly unknown[]) => call(() => own(...values)) : own;
    },
  });
  return {
    client: proxy,
    dieAfter: (calls) => (left = calls),
    revive: () => (left = Infinity),
    heal: () => {
      left = Infinity;
      likely = 0;
    },
  };
}
