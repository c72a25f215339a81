/**
 * Waits until a page is done, and says why. Two ways with one contract: virtual time in every browser (fast); real time for pages that
 * hang where their clock stands still while they run, and where the load event alone is waited for.
 */
import type { Clock } from '../../base/clock.ts';
import type { Milliseconds } from '../../base/units.ts';
import type { IdleResult } from '../../model/page.ts';
import type { SettleMode } from '../../model/render-settings.ts';
import type { WarmPage } from '../page/warm-page.ts';
import type { IdleDeadline } from './idle-deadline.ts';
import type { PatternWaits } from './learned-waits.ts';
import type { PageSlot } from './page-slot.ts';
import { RealIdleWait } from './real-idle-wait.ts';
import { VirtualIdleWait } from './virtual-idle-wait.ts';

export interface IdleOptions {
  /** URL of the page. */
  readonly url: string;
  /** Slot of the pool; given away while the page only waits. */
  readonly slot: PageSlot;
  readonly mode: SettleMode;
  readonly deadline: IdleDeadline;
  readonly clock: Clock;
  readonly learnedWaits: PatternWaits;
}

export interface IdleWait {
  /** Lets the page run until it is done, or the time is over. Called once, after the navigation has been answered. */
  waitForIdle(signal: AbortSignal): Promise<IdleResult>;
  /** Draws frames for work that waits for them: animation frames, intersections, idle callbacks. */
  draw(signal: AbortSignal): Promise<void>;
  /** Draws so many frames and more, far apart in time, so that work driven by frames ends soon. */
  animate(frames: number, signal: AbortSignal): Promise<void>;
  /** Lets the page run on for a little, and its requests come in; after a scroll, for instance. */
  more(duration: Milliseconds, signal: AbortSignal): Promise<void>;
  /** Lets both clocks of the page, its own and the real one, run on by so much: sockets and workers go by the real one. */
  pass(duration: Milliseconds, signal: AbortSignal): Promise<void>;
  /** Draws a frame that is shown, and rests: only after such a frame does a page do its idle work (seen in Chromium 156). */
  show(duration: Milliseconds, signal: AbortSignal): Promise<void>;
  /** Stops the page's clock where it has one of its own, and scripts that run without end. */
  halt(signal: AbortSignal): Promise<void>;
  /** Has the page had all its time? Then it is taken as it is, and nothing more is done to it. */
  readonly over: boolean;
  /** Has the page asked for something since its clock stood still, and not as a poll does? Then it is not done after all. */
  readonly asks: boolean;
  /** Real time that went by while the page did nothing but wait for answers. */
  readonly waited: Milliseconds;
  /** Is the page's clock in a state in which no further visit should find it? */
  readonly spoiled: boolean;
  /** Did a script of the page keep it from answering, as one does that waits for the clock in a loop? */
  readonly hung: boolean;
}

export interface ClockChoice {
  readonly mode: SettleMode;
  /** Is the page known to hang in virtual time? */
  readonly realClock: boolean;
}

/** Waiting for the load event alone is done in real time: a grant cannot be taken back half used. */
export function isVirtual({ mode, realClock }: ClockChoice): boolean {
  return mode.kind !== 'load' && !realClock;
}

export function idleWaitOf(page: WarmPage, options: IdleOptions, virtual: boolean): IdleWait {
  return virtual ? new VirtualIdleWait(page, options) : new RealIdleWait(page, options);
}
