/**
 * Measures the use of a page in time that its browser could compute (given-time.ts): on a busy machine an action takes several times
 * as long, and a budget of real time would end with a part of the links.
 */
import type { Clock } from '../../base/clock.ts';
import { milliseconds, type Milliseconds } from '../../base/units.ts';
import type { GivenTime } from '../given-time.ts';
import { USED_TIME_INTERVAL } from '../limits/interaction-limits.ts';

export class UsedTime implements Disposable {
  readonly #watch: ReturnType<GivenTime['stopwatch']>;
  readonly #clock: Pick<Clock, 'monotonic'>;
  #lookedAt: Milliseconds;
  #had = milliseconds(0);

  constructor(given: GivenTime, clock: Pick<Clock, 'monotonic'>) {
    this.#watch = given.stopwatch();
    this.#clock = clock;
    this.#lookedAt = clock.monotonic();
  }

  /**
   * The time that the page has had without the real time in which it only waited for answers. Of that a busy machine gives its browser little,
   * so that it may be more than all that the page has had.
   */
  beside(waited: Milliseconds): Milliseconds {
    return milliseconds(Math.max(0, this.#hadSoFar() - waited));
  }

  /** Between two looks real time counts. */
  #hadSoFar(): Milliseconds {
    const now = this.#clock.monotonic();
    const since = now - this.#lookedAt;
    if (since < USED_TIME_INTERVAL) return milliseconds(this.#had + since);
    this.#lookedAt = now;
    this.#had = this.#watch.had;
    return this.#had;
  }

  [Symbol.dispose](): void {
    this.#watch[Symbol.dispose]();
  }
}
