/** A connection to Redis whose process may die at any call, and whose calls may come twice, as where an answer was lost and the call was made again. */
import type { Random } from '../../src/base/random.ts';
import type { RedisClient } from '../../src/redis/client.ts';

export class Died extends Error {}

export interface FaultyClient {
  readonly client: RedisClient;
  /** From now on so many calls of scripts are made, and the next one is the last: it is made or not, and nobody hears the answer. */
  dieAfter(calls: number): void;
  /** A process that lives. */
  revive(): void;
  /** From now on nothing goes wrong. */
  heal(): void;
}

/** @param twice how likely a call comes twice, 0 to 1 */
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
