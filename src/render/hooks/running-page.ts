/**
 * Keeps a page running while somebody else uses it. A page with frame control draws nothing by itself, and one with a virtual
 * clock stands still: Playwright would wait for both without end. Its clock is granted the time that has passed, and no more: without a
 * bound it would run through timers of hours at once, a poll would flood its server, and a page would sign out a user who seems to be away.
 */
import type { Clock } from '../../base/clock.ts';
import { untilAborted } from '../../base/until-aborted.ts';
import { milliseconds, type Milliseconds } from '../../base/units.ts';
import { FRAME_INTERVAL, STARVATION } from '../limits/idle-limits.ts';
import { HOOK_STALL, HOOK_STEP } from '../limits/hook-limits.ts';
import { FRAME_TIME_LIMIT } from '../page-limits.ts';
import type { WarmPage } from '../page/warm-page.ts';

type Policy = 'advance' | 'pauseIfNetworkFetchesPending';

export class RunningPage implements AsyncDisposable {
  readonly #page: WarmPage;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #over = new AbortController();
  readonly #running: Promise<void>;
  /** Resolves when a frame was shown: a page drops keys and clicks that come before its first one (Chromium 156). Never rejects. */
  readonly shown: Promise<void>;
  #onShown: () => void = () => {};
  #policy: Policy | null = null;
  /** Is a grant under way? With a second one beside it, the end of the first would cut the later one short. */
  #isGranted = false;
  /** On the monotonic clock. */
  #grantedAt: Milliseconds;
  #onUsed: () => void = () => {};
  readonly #used = (): void => {
    this.#isGranted = false;
    this.#onUsed();
  };

  /** Begins at once. @param signal the visit's */
  constructor(page: WarmPage, clock: Clock, signal: AbortSignal) {
    this.#page = page;
    this.#clock = clock;
    this.#signal = signal;
    this.#grantedAt = clock.monotonic();
    this.shown = new Promise((resolve) => (this.#onShown = resolve));
    if (page.heldClock) page.session.on('Emulation.virtualTimeBudgetExpired', this.#used);
    const either = AbortSignal.any([signal, this.#over.signal]);
    const idle = !page.frameControl && !page.heldClock;
    // only its signal ends it
    this.#running = idle ? Promise.resolve() : this.#run(either).catch(() => {});
    void this.#running.then(() => this.#onShown());
  }

  /** Is the page's clock as it should be? To be asked after the end. */
  get sound(): boolean {
    return !this.#isGranted;
  }

  /** Never rejects. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#over.abort();
    await this.#running;
    const { session } = this.#page;
    if (this.#isGranted) await this.#useUp().catch(() => {}); // `sound` says so
    session.off('Emulation.virtualTimeBudgetExpired', this.#used);
    // not waited for: the browser keeps the order
    if (this.#policy !== null) session.send('Emulation.setVirtualTimePolicy', { policy: 'pause' }).catch(() => {}); // the page is gone
  }

  /** Lets the clock use up its grant whatever is under way. It is stopped before: a grant may end meanwhile (time-grants.ts). */
  async #useUp(): Promise<void> {
    const used = new Promise<void>((resolve) => (this.#onUsed = resolve));
    const within = (call: Promise<unknown>): Promise<unknown> =>
      this.#page.within(call, 'the page clock', this.#signal, HOOK_STALL);
    await within(this.#page.session.send('Emulation.setVirtualTimePolicy', { policy: 'pause' }));
    if (!this.#isGranted) return;
    this.#set('advance', {});
    await within(used);
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

  /** Grants the time that has passed. Requests stop the clock, as their time limits would pass in no time, unless nothing comes of them. */
  #turn(): void {
    const { watch } = this.#page;
    const stalls = watch.pending().length > 0 && watch.news.silence() > HOOK_STALL;
    const policy = stalls ? 'advance' : 'pauseIfNetworkFetchesPending';
    if (this.#isGranted && policy === this.#policy) return;
    this.#policy = policy;
    // without a budget the grant that is under way goes on; if it has just ended, the next turn bounds the clock again
    if (this.#isGranted) return this.#set(policy, {});
    const now = this.#clock.monotonic();
    const budget = milliseconds(Math.min(HOOK_STEP, Math.max(FRAME_INTERVAL, Math.ceil(now - this.#grantedAt))));
    this.#isGranted = true;
    this.#grantedAt = now;
    this.#set(policy, { budget });
  }

  #set(policy: Policy, grant: { readonly budget?: Milliseconds }): void {
    this.#page.session
      .send('Emulation.setVirtualTimePolicy', { policy, ...grant, maxVirtualTimeTaskStarvationCount: STARVATION })
      .catch(() => {}); // the page is gone: its signal says so
  }
}
