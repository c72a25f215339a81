/**
 * The time at which frames are drawn. CSS animations, transitions and the argument of `requestAnimationFrame` go by it alone: frames
 * whose times lie apart end an animation of seconds in milliseconds. The browser ignores a frame that is older than one before it, so all
 * frames of a page take their time from here.
 */
import type { Clock } from '../../base/clock.ts';
import type { Milliseconds } from '../../base/units.ts';

export interface FrameClock {
  /** Takes the start of the page's virtual clock. @param ticks of the browser at that start, as it reports them now or a little earlier */
  synchronize(ticks: number): void;
  /** Called when the page's virtual clock has run through a grant. */
  passed(budget: Milliseconds): void;
  /** The parameter of the next frame, one step later than the last; empty where the browser is to take its own time. */
  next(step: Milliseconds): { readonly frameTimeTicks?: number };
}

/** Frame times that follow the real clock. */
export class RealFrameClock implements FrameClock {
  readonly #clock: Clock;
  /** The browser's own monotonic clock less ours; null until it was reported. */
  #ahead: number | null = null;
  #last = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Sets the difference once. */
  synchronize(ticks: number): void {
    if (Number.isFinite(ticks)) this.#ahead ??= ticks - this.#clock.monotonic();
  }

  passed(): void {}

  next(step: Milliseconds): { readonly frameTimeTicks?: number } {
    if (this.#ahead === null) return {};
    this.#last = Math.max(this.#last, this.#clock.monotonic() + this.#ahead) + Math.max(1, step);
    return { frameTimeTicks: this.#last };
  }
}

/** Frame times that follow the page's virtual clock alone, so that frames come at the same times in each load of it. */
export class VirtualFrameClock implements FrameClock {
  #base: number | null = null;
  #granted = 0;
  /** Time of the last frame after the start of the clock. */
  #last = 0;

  synchronize(ticks: number): void {
    if (Number.isFinite(ticks)) this.#base ??= ticks;
  }

  passed(budget: Milliseconds): void {
    this.#granted += budget;
  }

  next(step: Milliseconds): { readonly frameTimeTicks?: number } {
    if (this.#base === null) return {};
    this.#last = Math.max(this.#last, this.#granted) + Math.max(1, step);
    return { frameTimeTicks: this.#base + this.#last };
  }
}
