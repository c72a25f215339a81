/**
 * When is a page done, and why. Two ways with one contract: virtual time where frames are drawn on demand (fast), real
 * time everywhere else (other browsers, remote ones).
 */
import type { Clock } from '../base/clock.ts';
import type { Milliseconds } from '../base/units.ts';
import type { Settle } from '../model/page.ts';
import type { SettleMode } from './renderer.ts';
import { RealSettling } from './settle-real.ts';
import { VirtualSettling } from './settle-virtual.ts';
import type { WarmPage } from './warm-page.ts';

export interface SettleOptions {
  readonly mode: SettleMode;
  /** On the monotonic clock: when the page is taken as it is. */
  readonly until: Milliseconds;
  readonly clock: Clock;
}

export interface Settling {
  /** Lets the page run until it is done, or the time is over. Called once, after the navigation has been answered. */
  settle(signal: AbortSignal): Promise<Settle>;
  /** Lets happen what waits for frames: animation frames, intersections, idle callbacks. */
  draw(signal: AbortSignal): Promise<void>;
  /** Lets the page run on for a little, and its requests come in; after a scroll, for instance. */
  more(duration: Milliseconds, signal: AbortSignal): Promise<void>;
  /** Stops the page's clock where it has one of its own, and scripts that run without end. */
  halt(signal: AbortSignal): Promise<void>;
  /** Is the page's clock in a state in which no further visit should find it? */
  readonly spoiled: boolean;
}

/** Waiting for the load event alone is done in real time: a grant cannot be taken back half used. */
export function isVirtual(page: WarmPage, mode: SettleMode): boolean {
  return page.frameControl && mode.kind !== 'load';
}

export function settlingOf(page: WarmPage, options: SettleOptions): Settling {
  return isVirtual(page, options.mode) ? new VirtualSettling(page, options) : new RealSettling(page, options);
}
