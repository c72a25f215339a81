import type { Clock } from '../../base/clock.ts';
import { milliseconds, type Milliseconds } from '../../base/units.ts';
import { AFTER_ANSWERS, AFTER_HELD_BACK, RESERVED_SHARE } from '../limits/idle-limits.ts';

interface IdleDeadlineOptions {
  /** Time that a page may take after its load, and after each action on it: the settle timeout. */
  readonly time: Milliseconds;
  /** Time on the monotonic clock at which the visit must go on to its end. */
  readonly latest: Milliseconds;
  /** Do requests of the page wait in our proxy now, because their host gets no more of them? */
  readonly heldBack: () => boolean;
  readonly clock: Clock;
}

/**
 * The end of a page's time: the settle timeout for its load, and the same again for each action on it, up to the end of the
 * visit. Time in which our own proxy holds requests back does not count.
 */
export class IdleDeadline {
  readonly #options: IdleDeadlineOptions;
  /** Time of the visit that is reserved for the page to go on without its answers. */
  readonly #reserve: number;
  #from: Milliseconds;
  #heldUntil = 0;
  /** Were its answers given up, so that it gets a moment to go on without them? */
  #goesOn = false;

  constructor(options: IdleDeadlineOptions) {
    this.#options = options;
    this.#from = options.clock.monotonic();
    this.#reserve = Math.min(AFTER_ANSWERS, (options.latest - this.#from) * RESERVED_SHARE);
  }

  /** Gives the page its time again, as something is done to it. */
  restart(): void {
    this.#from = this.#options.clock.monotonic();
    this.#goesOn = false;
  }

  /** Ends the wait for answers; the page gets a moment more to go on without them. */
  goOn(): void {
    this.#goesOn = true;
  }

  /** Do requests of the page wait in our proxy now? Then the page is not done, however silent it is. */
  get heldBack(): boolean {
    const held = this.#options.heldBack();
    if (held) this.#heldUntil = this.#options.clock.monotonic() + AFTER_HELD_BACK;
    return held;
  }

  /** Is the time for answers over? */
  get answersOver(): boolean {
    return this.#answersEnd() <= this.#options.clock.monotonic();
  }

  /** Time that the page has left; 0 for none. */
  get left(): Milliseconds {
    const { latest, clock } = this.#options;
    const end = this.#goesOn ? Math.min(latest, this.#answersEnd() + this.#reserve) : this.#answersEnd();
    return milliseconds(Math.max(0, end - clock.monotonic()));
  }

  get passed(): boolean {
    return this.left === 0;
  }

  #answersEnd(): number {
    const { time, latest } = this.#options;
    const last = latest - this.#reserve;
    return this.heldBack ? last : Math.min(last, Math.max(this.#from + time, this.#heldUntil));
  }
}
