/**
 * Waits in real time: for browsers whose clock we cannot control, and for pages that hang under a controlled clock. A page is quiet
 * when no request is waited for and no nodes are new. Where frames come on demand only, they are drawn here.
 */
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { milliseconds, type Milliseconds } from '../../base/units.ts';
import type { IdleResult } from '../../model/page.ts';
import type { SettleMode } from '../../model/render-settings.ts';
import { FRAMES_PER_TICK, FRAME_INTERVAL, GIVE_WAY_AFTER, REAL_QUIET, REAL_TICK } from '../limits/idle-limits.ts';
import { FRAME_TIME_LIMIT } from '../page-limits.ts';
import { runInWorld } from '../page/isolated-world.ts';
import { stopScripts } from '../page/stop-scripts.ts';
import type { WarmPage } from '../page/warm-page.ts';
import { requestName } from '../page/watched-request.ts';
import type { IdleDeadline } from './idle-deadline.ts';
import type { IdleOptions, IdleWait } from './idle-wait.ts';
import type { PageSlot } from './page-slot.ts';
import { pendingNames } from './pending-names.ts';
import { PendingRequests } from './pending-requests.ts';

const size = z.number().nonnegative();
const SIZE_SOURCE = "()=>document.readyState==='loading'?0:document.querySelectorAll('*').length";

export class RealIdleWait implements IdleWait {
  readonly #page: WarmPage;
  readonly #mode: SettleMode;
  readonly #deadline: IdleDeadline;
  readonly #clock: Clock;
  readonly #pendingRequests: PendingRequests;
  readonly #slot: PageSlot;
  #over = false;
  #waited = 0;
  #spoiled = false;
  #hung = false;

  constructor(page: WarmPage, options: IdleOptions) {
    const { mode, deadline, clock, slot } = options;
    this.#page = page;
    this.#slot = slot;
    this.#mode = mode;
    this.#deadline = deadline;
    this.#clock = clock;
    this.#pendingRequests = new PendingRequests(page.watch, options);
  }

  get spoiled(): boolean {
    return this.#spoiled;
  }

  get hung(): boolean {
    return this.#hung;
  }

  get over(): boolean {
    return this.#over || this.#spoiled;
  }

  /** Nothing is asked for while it is quiet. */
  get asks(): boolean {
    return false;
  }

  get waited(): Milliseconds {
    return milliseconds(this.#waited);
  }

  async waitForIdle(signal: AbortSignal): Promise<IdleResult> {
    const { watch } = this.#page;
    this.#deadline.restart();
    this.#pendingRequests.onLoad();
    if (this.#mode.kind === 'auto') {
      const settle = await this.#quiet(null, signal);
      this.#pendingRequests.learn();
      return settle;
    }
    while (watch.loadAt === null) {
      if (this.#late()) return this.#taken();
      await this.#clock.sleep(REAL_TICK, signal);
    }
    if (this.#mode.kind === 'after') await this.pass(this.#mode.duration, signal);
    return { reason: 'load', pending: watch.pending() };
  }

  async draw(signal: AbortSignal): Promise<void> {
    await this.#frames(FRAMES_PER_TICK, signal); // without frame control they come by themselves
  }

  async animate(frames: number, signal: AbortSignal): Promise<void> {
    if (this.#page.frameControl) await this.#frames(frames, signal);
    else await this.#clock.sleep(milliseconds(frames * FRAME_INTERVAL), signal);
  }

  async more(duration: Milliseconds, signal: AbortSignal): Promise<void> {
    this.#deadline.restart();
    this.#page.watch.onActivity();
    this.#pendingRequests.onActivity();
    await this.pass(duration, signal);
    await this.#quiet(milliseconds(this.#clock.monotonic() + REAL_QUIET * 4), signal);
  }

  async pass(duration: Milliseconds, signal: AbortSignal): Promise<void> {
    const end = this.#clock.monotonic() + Math.min(this.#deadline.left, duration);
    while (this.#clock.monotonic() < end) {
      await this.#clock.sleep(milliseconds(Math.max(1, Math.min(REAL_TICK, end - this.#clock.monotonic()))), signal);
      await this.#frames(FRAMES_PER_TICK, signal);
    }
  }

  async show(duration: Milliseconds, signal: AbortSignal): Promise<void> {
    await this.pass(duration, signal);
  }

  async halt(signal: AbortSignal): Promise<void> {
    if (!this.#late() && !this.#spoiled) return;
    this.#spoiled = true;
    await stopScripts(this.#page, signal);
  }

  #late(): boolean {
    return this.#deadline.passed;
  }

  /** @param until null where only the deadline ends it; answers are waited for beyond it */
  async #quiet(until: Milliseconds | null, signal: AbortSignal): Promise<IdleResult> {
    const { watch } = this.#page;
    let nodes = -1;
    let changedAt = this.#clock.monotonic();
    let awaited = false;
    let unanswered: readonly string[] = [];
    try {
      while (!this.#late() && (until === null || awaited || this.#clock.monotonic() < until)) {
        await this.#pause(awaited, signal);
        const seen = await this.#size(signal);
        this.#hung = seen < 0;
        // a page that does not answer would not draw either, and would hold up the frames of all others
        if (!this.#hung) await this.#frames(FRAMES_PER_TICK, signal);
        if (this.#deadline.answersOver && !watch.documentPending() && unanswered.length === 0)
          unanswered = this.#abandon();
        awaited = this.#deadline.heldBack || this.#pendingRequests.waitedFor().length > 0;
        if (seen !== nodes || seen <= 0 || awaited) changedAt = this.#clock.monotonic();
        nodes = seen;
        if (this.#clock.monotonic() - changedAt >= REAL_QUIET) return this.#quietened(unanswered);
      }
    } finally {
      await this.#slot.takeBack(signal);
    }
    return until === null ? this.#taken(unanswered) : this.#quietened(unanswered);
  }

  /** Sleeps between two looks; the slot is for others while the page only waits for answers. */
  async #pause(awaited: boolean, signal: AbortSignal): Promise<void> {
    const idles = awaited && !this.#hung && this.#page.watch.news.silence() > GIVE_WAY_AFTER;
    if (idles) this.#slot.giveWay();
    await this.#clock.sleep(REAL_TICK, signal);
    if (idles) this.#waited += REAL_TICK;
  }

  /** Ends the time for answers: the page goes on without them. @returns the names of the unanswered requests */
  #abandon(): readonly string[] {
    const unanswered = this.#pendingRequests.unanswered().map(requestName);
    if (unanswered.length === 0) return [];
    this.#pendingRequests.abandon();
    this.#deadline.goOn();
    return unanswered;
  }

  #quietened(unanswered: readonly string[]): IdleResult {
    const pending = this.#page.watch.pending();
    if (unanswered.length === 0) return { reason: 'quiet', pending };
    return { reason: 'timeout', pending: pendingNames(unanswered, pending) };
  }

  /** The page has had its time, and is taken as it is. */
  #taken(unanswered: readonly string[] = []): IdleResult {
    this.#over = true;
    return { reason: 'timeout', pending: pendingNames(unanswered, this.#page.watch.pending()) };
  }

  async #frames(count: number, signal: AbortSignal): Promise<void> {
    const { browser, session, frameControl, frames } = this.#page;
    for (let frame = 0; frameControl && frame < count && !this.#spoiled; frame++) {
      const ask = (): Promise<unknown> =>
        session.send('HeadlessExperimental.beginFrame', { noDisplayUpdates: true, ...frames.next(REAL_TICK) });
      const drawn = await browser.draw(ask, FRAME_TIME_LIMIT, signal);
      if (drawn === null) this.#spoiled = true;
    }
  }

  /** Number of elements in the document; -1 where it does not answer. */
  async #size(signal: AbortSignal): Promise<number> {
    const frame = { session: this.#page.session, frameId: this.#page.frameId, url: null };
    const run = { source: SIZE_SOURCE, input: null, parse: (answer: unknown) => size.safeParse(answer).data ?? null };
    return runInWorld(this.#page, frame, run, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      this.#page.gone.throwIfAborted();
      void error;
      return -1;
    });
  }
}
