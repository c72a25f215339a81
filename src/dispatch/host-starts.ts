/**
 * The starts of visits in this process, by host. The frontier spaces visits by the times at which it is asked for them. A visit starts later where
 * Redis, the queue or the process stood still in between, and without a check the next visit of its host would start at the same moment.
 */
import type { Clock } from '../base/clock.ts';
import { LruMap } from '../base/lru-map.ts';
import { milliseconds, type Milliseconds } from '../base/units.ts';
import type { HostKey } from '../model/url/host-key.ts';

/** Hosts that are known: more are not visited within a usual delay (arbitrary). */
const MOST_HOSTS = 10_000;
/** A rest of the delay that a visit waits for in its slot: a turn of the main loop makes it so late now and then (arbitrary). */
const SHORT: Milliseconds = milliseconds(20);

export class HostStarts {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #last = new LruMap<HostKey, number>(MOST_HOSTS);

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Counts a request of another kind, that for robots.txt, as a start. */
  count(host: HostKey): void {
    this.#last.set(host, this.#clock.monotonic());
  }

  /**
   * @param delay least time from one start to the next
   * @returns the rest of it; where the turn has come, the visit counts as started after that
   */
  next(host: HostKey, delay: Milliseconds): { readonly isItsTurn: boolean; readonly wait: Milliseconds } {
    if (delay === 0) return { isItsTurn: true, wait: milliseconds(0) };
    const now = this.#clock.monotonic();
    const wait = milliseconds(Math.max(0, (this.#last.get(host) ?? -Infinity) + delay - now));
    const isItsTurn = wait <= SHORT;
    if (isItsTurn) this.#last.set(host, now + wait);
    return { isItsTurn, wait };
  }
}
