/** When the browser last said anything of a page's requests. */
import type { Clock } from '../../base/clock.ts';
import { milliseconds, type Milliseconds } from '../../base/units.ts';

export class RequestNews {
  readonly #clock: Pick<Clock, 'monotonic'>;
  #newsAt: Milliseconds;
  #reportAt: Milliseconds;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
    this.#newsAt = clock.monotonic();
    this.#reportAt = this.#newsAt;
  }

  /** Notes that a request began, was answered or ended that the page may be waiting for. */
  tell(): void {
    this.report();
    this.#newsAt = this.#reportAt;
  }

  /** Notes that the browser said anything of any request. */
  report(): void {
    this.#reportAt = this.#clock.monotonic();
  }

  /** Time since a request last began, was answered or ended that the page may be waiting for. */
  silence(): Milliseconds {
    return this.#since(this.#newsAt);
  }

  /** Time since the browser last said anything of a request, polls and those of a flood included. */
  sinceReport(): Milliseconds {
    return this.#since(this.#reportAt);
  }

  #since(moment: Milliseconds): Milliseconds {
    return milliseconds(Math.max(0, this.#clock.monotonic() - moment));
  }
}
