import type { Clock } from '../../base/clock.ts';
import { milliseconds, type Milliseconds } from '../../base/units.ts';
import { AFTER_ANSWERS, AFTER_HELD_BACK, RESERVED_SHARE } from '../limits/idle-limits.ts';

interface IdleDeadlineOptions {
  /** How long a page may take after its load, and after whatever is done to it: the settle timeout. */
  readonly time: Milliseconds;
  /** On the monotonic clock: when the visit must go on to its end. */
  readonly latest: Milliseconds;
  /** Do requests of the page wait in our proxy now, because their host gets no more of them? */
  readonly heldBack: () => boolean;
  readonly clock: Clock;
}

/**
 * When a page has had its time: the settle timeout for its load, and the same again for each thing that is done to it, up to the end of the
 * visit. What our own proxy keeps waiting does not count.
 */
export class IdleDeadline {
  readonly #options: IdleDeadlineOptions;
  /** What is kept of the time of the visit for the page to go on without its answers. */
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

  /** Something is done to the page: it gets its time again. */
  restart(): void {
    this.#from = this.#options.clock.monotonic();
    this.#goesOn = false;
  }

  /** Answers are not waited for any longer; what the page does without them takes a moment more. */
  goOn(): void {
    this.#goesOn = true;
  }

  /** Do requests of the page wait in our proxy now? Then it is not done, however silent it is. */
  get heldBack(): boolean {
    const held = this.#options.heldBack();
    if (held) this.#heldUntil = this.#options.clock.monotonic() + AFTER_HELD_BACK;
    return held;
  }

  /** Is the time over for which answers are waited? */
  get answersOver(): boolean {
    return this.#answersEnd() <= this.#options.clock.monotonic();
  }

  /** How much time it has yet; 0 where none. */
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
