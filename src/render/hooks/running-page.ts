/**
 * Keeps a page running while somebody else uses it. A page with frame control draws nothing by itself, and one with a virtual
 * clock stands still: Playwright would wait for both without end.
 */
import type { Clock } from '../../base/clock.ts';
import { untilAborted } from '../../base/until-aborted.ts';
import { FRAME_INTERVAL, STARVATION } from '../limits/idle-limits.ts';
import { HOOK_STALL } from '../limits/hook-limits.ts';
import { FRAME_TIME_LIMIT } from '../page-limits.ts';
import type { WarmPage } from '../page/warm-page.ts';

type Policy = 'advance' | 'pauseIfNetworkFetchesPending';

export class RunningPage implements AsyncDisposable {
  readonly #page: WarmPage;
  readonly #clock: Clock;
  readonly #over = new AbortController();
  readonly #running: Promise<void>;
  /** Resolves when a frame was shown: a page drops keys and clicks that come before its first one (Chromium 156). Never rejects. */
  readonly shown: Promise<void>;
  #onShown: () => void = () => {};
  #policy: Policy | null = null;

  /** Begins at once. @param signal the visit's */
  constructor(page: WarmPage, clock: Clock, signal: AbortSignal) {
    this.#page = page;
    this.#clock = clock;
    this.shown = new Promise((resolve) => (this.#onShown = resolve));
    const either = AbortSignal.any([signal, this.#over.signal]);
    const idle = !page.frameControl && !page.heldClock;
    // only its signal ends it
    this.#running = idle ? Promise.resolve() : this.#run(either).catch(() => {});
    void this.#running.then(() => this.#onShown());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over.abort();
    await this.#running;
    // not waited for: the browser keeps the order
    if (this.#policy !== null)
      this.#page.session.send('Emulation.setVirtualTimePolicy', { policy: 'pause' }).catch(() => {}); // the page is gone
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { browser, session, frames, frameControl, heldClock } = this.#page;
    while (!signal.aborted) {
      if (heldClock) this.#turn();
      // a page that does not answer would not draw either, and would hold up the frames of all others
      await untilAborted(session.send('Runtime.getHeapUsage'), signal);
      const ask = (): Promise<unknown> =>
        session.send('HeadlessExperimental.beginFrame', { noDisplayUpdates: false, ...frames.next(FRAME_INTERVAL) });
      if (frameControl && (await browser.draw(ask, FRAME_TIME_LIMIT, signal)) === null) return;
      this.#onShown();
      await this.#clock.sleep(FRAME_INTERVAL, signal);
    }
  }

  /** Sets the clock's policy: requests stop it, as their time limits would pass in no time, unless nothing comes of them. */
  #turn(): void {
    const { watch, session } = this.#page;
    const stalls = watch.pending().length > 0 && watch.silence() > HOOK_STALL;
    const policy = stalls ? 'advance' : 'pauseIfNetworkFetchesPending';
    if (policy === this.#policy) return;
    this.#policy = policy;
    session
      .send('Emulation.setVirtualTimePolicy', { policy, maxVirtualTimeTaskStarvationCount: STARVATION })
      .catch(() => {}); // the page is gone: its signal says so
  }
}
