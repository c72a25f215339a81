/**
 * The time at which frames are drawn. CSS animations, transitions and the argument of `requestAnimationFrame` go by it alone: frames
 * whose times lie apart end an animation of seconds in milliseconds. The browser ignores a frame that is older than one before it, so all
 * frames of a page take their time from here.
 */
import type { Clock } from '../../base/clock.ts';
import type { Milliseconds } from '../../base/units.ts';

export class FrameClock {
  readonly #clock: Clock;
  /** The browser's own monotonic clock less ours; null until it was reported. */
  #ahead: number | null = null;
  #last = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Sets the difference once. @param ticks of the browser, as it reports them now or a little earlier */
  synchronize(ticks: number): void {
    if (Number.isFinite(ticks)) this.#ahead ??= ticks - this.#clock.monotonic();
  }

  /** The parameter of the next frame, so much later than the last; empty where the browser is to take its own time. */
  next(step: Milliseconds): { readonly frameTimeTicks?: number } {
    if (this.#ahead === null) return {};
    this.#last = Math.max(this.#last, this.#clock.monotonic() + this.#ahead) + Math.max(1, step);
    return { frameTimeTicks: this.#last };
  }
}
