import type { Clock } from '../../base/clock.ts';
import { milliseconds, type Milliseconds } from '../../base/units.ts';
import { AFTER_HELD_BACK } from '../limits/idle-limits.ts';

interface IdleDeadlineOptions {
  /** On the monotonic clock: when the page is taken as it is. */
  readonly until: Milliseconds;
  /** The same where we ourselves keep the page waiting. */
  readonly latest: Milliseconds;
  /** Do requests of the page wait in our proxy now, because their host gets no more of them? */
  readonly heldBack: () => boolean;
  readonly clock: Clock;
}

/** When a page has had its time. What our own proxy keeps waiting does not count against it, up to a bound. */
export class IdleDeadline {
  readonly #options: IdleDeadlineOptions;
  #heldUntil = 0;

  constructor(options: IdleDeadlineOptions) {
    this.#options = options;
  }

  /** Do requests of the page wait in our proxy now? Then it is not done, however silent it is. */
  get heldBack(): boolean {
    const held = this.#options.heldBack();
    if (held) this.#heldUntil = this.#options.clock.monotonic() + AFTER_HELD_BACK;
    return held;
  }

  /** How much time it has yet; 0 where none. */
  get left(): Milliseconds {
    const { until, latest, clock } = this.#options;
    const end = this.heldBack ? latest : Math.max(until, Math.min(latest, this.#heldUntil));
    return milliseconds(Math.max(0, end - clock.monotonic()));
  }

  get passed(): boolean {
    return this.left === 0;
  }
}
