/**
 * Token buckets, one for each host: a request takes a token, a bucket refills at a rate per second, and a request that finds it empty
 * waits its turn. Bounded: a bucket that is full is forgotten, and a request that was aborted does not hold up the queue.
 */
import type { Clock } from '../../base/clock.ts';
import { milliseconds, seconds } from '../../base/units.ts';

/** The rate of requests that a host gets. */
export interface RequestRate {
  /** Number of requests that may come at once. */
  readonly burst: number;
  readonly perSecond: number;
}

interface Bucket {
  readonly rate: RequestRate;
  tokens: number;
  /** Time of this count of tokens, on the monotonic clock. */
  at: number;
  readonly queue: Set<() => void>;
  pouring: boolean;
}

export class TokenBuckets {
  readonly #clock: Clock;
  readonly #buckets = new Map<string, Bucket>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Hosts whose buckets are not full. */
  get size(): number {
    return this.#buckets.size;
  }

  /** Requests that wait for a token of this host. */
  waiting(host: string): number {
    return this.#buckets.get(host)?.queue.size ?? 0;
  }

  /**
   * Takes a token, in the order of the calls; the first rate that is given for a host holds until its bucket is full again.
   * @returns null where a token is there at once, which costs no promise; else a promise that resolves when it is this call's turn
   * @throws the signal's reason (as a rejection): the token goes to the next call then
   */
  take(host: string, rate: RequestRate, signal: AbortSignal): Promise<void> | null {
    const bucket = this.#bucketOf(host, rate);
    this.#fill(bucket);
    if (bucket.queue.size === 0 && bucket.tokens >= 1) {
      bucket.tokens -= 1;
      return null;
    }
    return this.#queue(bucket, signal);
  }

  async #queue(bucket: Bucket, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const turn = (): void => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = (): void => {
        bucket.queue.delete(turn);
        reject(signal.reason);
      };
      signal.addEventListener('abort', giveUp, { once: true });
      bucket.queue.add(turn);
      if (!bucket.pouring) void this.#pour(bucket); // never rejects
    });
  }

  /** Hands out tokens as they come, as long as requests wait. */
  async #pour(bucket: Bucket): Promise<void> {
    bucket.pouring = true;
    while (bucket.queue.size > 0) {
      const missing = Math.max(0, 1 - bucket.tokens);
      await this.#clock.sleep(milliseconds(Math.ceil((missing * 1000) / bucket.rate.perSecond)), NEVER);
      this.#fill(bucket);
      for (const turn of bucket.queue) {
        if (bucket.tokens < 1) break;
        bucket.tokens -= 1;
        bucket.queue.delete(turn);
        turn();
      }
    }
    bucket.pouring = false;
  }

  #bucketOf(host: string, rate: RequestRate): Bucket {
    const known = this.#buckets.get(host);
    if (known !== undefined) return known;
    if (this.#buckets.size >= SWEEP_FROM) this.#sweep();
    const bucket: Bucket = { rate, tokens: rate.burst, at: this.#clock.monotonic(), queue: new Set(), pouring: false };
    this.#buckets.set(host, bucket);
    return bucket;
  }

  #fill(bucket: Bucket): void {
    const now = this.#clock.monotonic();
    const { burst, perSecond } = bucket.rate;
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) * perSecond) / seconds(1));
    bucket.at = now;
  }

  /** Forgets full buckets: a full one is as good as none. */
  #sweep(): void {
    for (const [host, bucket] of this.#buckets) {
      this.#fill(bucket);
      if (bucket.tokens >= bucket.rate.burst && bucket.queue.size === 0) this.#buckets.delete(host);
    }
  }
}

/** Number of buckets from which full ones are looked for; all of a thousand hosts fill within seconds. */
const SWEEP_FROM = 1000;
const NEVER = new AbortController().signal;
