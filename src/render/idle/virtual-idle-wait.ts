/**
 * Waits in virtual time (design/rendering, "Virtual time"). The page's clock is granted a budget and runs through it as fast
 * as its tasks allow, standing still while requests are under way. States of the clock: `holding` (requests stop it) and
 * `advancing` (a stream or a request without an answer would stop it for ever, so that requests do not count any more).
 *
 * Invariants: never two grants with a budget at once (the expiry of the first would cut the next visit short); a clock
 * whose expiry is still to come spoils the page.
 */
import type { Clock } from '../../base/clock.ts';
import { withDeadline } from '../../base/deadline.ts';
import { milliseconds, type Milliseconds } from '../../base/units.ts';
import type { ActivitySample } from '../../model/page-facts.ts';
import type { IdleResult } from '../../model/page.ts';
import type { SettleMode } from '../../model/render-settings.ts';
import { orNothing } from '../extract/collect.ts';
import {
  ADVANCE_LIMIT,
  AFTERMATH,
  ANIMATED_STEP,
  ANIMATED_TIME,
  DRAWN_STEP,
  GIVE_WAY_AFTER,
  IDLE_TICK,
  LATE_AFTERMATH,
  LATE_ROUNDS,
  LATE_TICK,
  LOAD_STEP,
  MORE_STEP,
  POLL_ROUNDS,
  SPIN_LOOK,
  STARVATION,
  VIRTUAL_TICK,
} from '../limits/idle-limits.ts';
import { FRAME_TIME_LIMIT, SPIN_LIMIT, STREAM_QUIET, VIRTUAL_BUDGET } from '../page-limits.ts';
import { stopScripts } from '../page/stop-scripts.ts';
import type { WarmPage } from '../page/warm-page.ts';
import { requestName } from '../page/watched-request.ts';
import type { IdleDeadline } from './idle-deadline.ts';
import type { IdleOptions, IdleWait } from './idle-wait.ts';
import type { PatternWaits } from './learned-waits.ts';
import { pendingNames } from './pending-names.ts';
import { PendingRequests } from './pending-requests.ts';
import { activitySample } from './real-time-wait.ts';
import type { PageSlot } from './page-slot.ts';

/** `spun`: a script keeps the page from answering, for instance in a loop until the clock has moved. */
type GrantEnd = 'used' | 'late' | 'lost' | 'spun';

export class VirtualIdleWait implements IdleWait {
  readonly #page: WarmPage;
  readonly #mode: SettleMode;
  readonly #deadline: IdleDeadline;
  readonly #clock: Clock;
  readonly #slot: PageSlot;
  #state: 'holding' | 'advancing' = 'holding';
  readonly #pendingRequests: PendingRequests;
  readonly #learnedWaits: PatternWaits;
  /** What was not answered when the time for answers was over, as the record names it. */
  #unanswered: readonly string[] = [];
  /** Real time that went by while the page did nothing but wait for answers. */
  #waited = 0;
  /** Is it known whether further answers to polls brought anything here? */
  #hasPolled = false;
  /** When the page last answered; on the monotonic clock. */
  #answeredAt = milliseconds(0);
  #spoiled = false;
  #hung = false;

  constructor(page: WarmPage, options: IdleOptions) {
    const { mode, deadline, clock, learnedWaits, slot } = options;
    this.#page = page;
    this.#slot = slot;
    this.#pendingRequests = new PendingRequests(page.watch, options);
    this.#learnedWaits = learnedWaits;
    this.#mode = mode;
    this.#deadline = deadline;
    this.#clock = clock;
  }

  get spoiled(): boolean {
    return this.#spoiled;
  }

  get hung(): boolean {
    return this.#hung;
  }

  get over(): boolean {
    return this.#spoiled;
  }

  get waited(): Milliseconds {
    return milliseconds(this.#waited);
  }

  async waitForIdle(signal: AbortSignal): Promise<IdleResult> {
    this.#deadline.restart();
    this.#pendingRequests.onLoad();
    let end: GrantEnd = this.#mode.kind === 'after' ? await this.#load(signal) : 'used';
    const budget = this.#mode.kind === 'after' ? milliseconds(Math.max(1, this.#mode.duration)) : VIRTUAL_BUDGET;
    if (end === 'used') end = await this.#grant(budget, signal);
    const pending = this.#page.watch.pending();
    if (end === 'used' && this.#mayBeLate()) end = await this.#awaitLate(signal);
    this.#pendingRequests.learn();
    if (end !== 'used') return { reason: 'timeout', pending: this.#page.watch.pending() };
    if (this.#unanswered.length > 0) return { reason: 'timeout', pending: pendingNames(this.#unanswered, pending) };
    return this.#state === 'advancing' ? { reason: 'quiet', pending } : { reason: 'timer-drained', pending: [] };
  }

  /** Lets the page load, for a time that begins with its load event. */
  async #load(signal: AbortSignal): Promise<GrantEnd> {
    let end: GrantEnd = 'used';
    for (
      let passed = 0;
      end === 'used' && passed < VIRTUAL_BUDGET && this.#page.watch.loadAt === null;
      passed += LOAD_STEP
    )
      end = await this.#grant(LOAD_STEP, signal);
    return end;
  }

  async draw(signal: AbortSignal): Promise<void> {
    this.#onActivity();
    for (let frame = 0; frame < 2; frame++) await this.#frame(DRAWN_STEP, signal);
    await this.#run(milliseconds(100), signal);
    await this.#frame(DRAWN_STEP, signal); // the result is seen before anything moves again
  }

  async animate(frames: number, signal: AbortSignal): Promise<void> {
    for (let frame = 0; frame < frames && !this.#late(); frame++) await this.#frame(ANIMATED_STEP, signal);
    await this.#run(ANIMATED_TIME, signal);
  }

  async more(duration: Milliseconds, signal: AbortSignal): Promise<void> {
    this.#onActivity();
    await this.#frame(MORE_STEP, signal);
    await this.#run(duration, signal);
    await this.#frame(MORE_STEP, signal);
  }

  async pass(duration: Milliseconds, signal: AbortSignal): Promise<void> {
    await this.#clock.sleep(duration, signal);
    await this.#grant(duration, signal);
    await this.#frame(duration, signal);
  }

  async show(duration: Milliseconds, signal: AbortSignal): Promise<void> {
    await this.#frame(DRAWN_STEP, signal, { noDisplayUpdates: false });
    await this.#clock.sleep(duration, signal);
    await this.#grant(duration, signal);
  }

  #onActivity(): void {
    this.#deadline.restart();
    this.#page.watch.onActivity();
    this.#pendingRequests.onActivity();
  }

  async halt(signal: AbortSignal): Promise<void> {
    const { session } = this.#page;
    if (this.#spoiled) await stopScripts(this.#page, signal);
    const paused = session.send('Emulation.setVirtualTimePolicy', { policy: 'pause' });
    await this.#page.within(paused, 'the page clock', signal).catch(() => {
      this.#spoiled = true;
    });
  }

  /** Grants a budget, and waits for the answers to late requests. */
  async #run(budget: Milliseconds, signal: AbortSignal): Promise<GrantEnd> {
    const end = await this.#grant(budget, signal);
    return end === 'used' && this.#mayBeLate() ? this.#awaitLate(signal) : end;
  }

  /** May answers come that did not hold the clock? */
  #mayBeLate(): boolean {
    return this.#state === 'advancing' || this.#pendingRequests.opensSocket();
  }

  /** Requests begun while the clock advanced: their answers are waited for in real time, then worked off. */
  async #awaitLate(signal: AbortSignal): Promise<GrantEnd> {
    let end: GrantEnd = 'used';
    let polled = 0;
    for (let round = 0; round < LATE_ROUNDS && polled < POLL_ROUNDS && end === 'used'; round++) {
      const late = this.#pendingRequests.late();
      if (late.length === 0) return end;
      const repeats = this.#pendingRequests.repeats();
      const before = repeats.length > 0 ? await this.#activitySample(signal) : null;
      if (repeats.length === late.length) polled += 1;
      const answered = await this.#awaitAnswers(signal);
      if (answered !== 'used') return answered;
      if (this.#deadline.answersOver) return 'used';
      end = await this.#grant(repeats.length > 0 ? AFTERMATH : LATE_AFTERMATH, signal);
      if (before !== null && end === 'used' && this.#learnOfPolls(before, await this.#activitySample(signal)))
        polled = 0;
    }
    return end;
  }

  #activitySample(signal: AbortSignal): Promise<ActivitySample | null> {
    return orNothing(activitySample(this.#page, signal), this.#page, signal);
  }

  /** @returns `used` where all have come, or none will come any more */
  async #awaitAnswers(signal: AbortSignal): Promise<GrantEnd> {
    try {
      while (this.#pendingRequests.late().length > 0) {
        if (this.#deadline.answersOver) {
          this.#abandon();
          return 'used';
        }
        const opens = this.#pendingRequests.opensSocket();
        await this.#pause(opens ? VIRTUAL_TICK : LATE_TICK, signal);
        // the handshake of a socket reaches the page only while its clock runs
        const end = opens ? await this.#grant(VIRTUAL_TICK, signal) : 'used';
        if (end !== 'used') return end;
      }
      return 'used';
    } finally {
      await this.#slot.takeBack(signal);
    }
  }

  /** The time for answers is over: the page goes on without them. */
  #abandon(): void {
    this.#unanswered = this.#pendingRequests.unanswered().map(requestName);
    this.#pendingRequests.abandon();
    this.#deadline.goOn();
  }

  /** Sleeps between two looks, longer ones while the page only waits; its slot is for others then. */
  async #pause(tick: Milliseconds, signal: AbortSignal, expiry?: Promise<void>): Promise<void> {
    const idles = this.#page.watch.silence() > GIVE_WAY_AFTER && this.#pendingRequests.unanswered().length > 0;
    if (idles) this.#slot.giveWay();
    const from = this.#clock.monotonic();
    const slept = this.#clock.sleep(idles ? IDLE_TICK : tick, signal);
    await (expiry === undefined ? slept : Promise.race([expiry, slept]));
    if (idles) this.#waited += this.#clock.monotonic() - from;
  }

  /** Once for a page, unless a later answer proves it wrong. @returns whether the answers brought anything */
  #learnOfPolls(before: ActivitySample, now: ActivitySample | null): boolean {
    if (now === null) return false;
    const gained = before.links !== now.links || before.letters !== now.letters;
    if (gained || !this.#hasPolled) this.#learnedWaits.learn('polls', gained);
    this.#hasPolled = true;
    return gained;
  }

  /** Grants a budget and waits until it is used up. The page may be hung: no reply is waited for. */
  async #grant(budget: Milliseconds, signal: AbortSignal): Promise<GrantEnd> {
    if (this.#spoiled) return 'lost';
    const { session } = this.#page;
    let used = false;
    let wake: () => void = () => {};
    const expiry = new Promise<void>((resolve) => (wake = resolve));
    const expired = (): void => {
      used = true;
      wake();
    };
    session.once('Emulation.virtualTimeBudgetExpired', expired);
    this.#policy(budget);
    const grantedAt = this.#clock.monotonic();
    const { given } = this.#page.browser;
    let advanced = this.#state === 'advancing' ? given.stopwatch() : null;
    try {
      for (;;) {
        await this.#pause(VIRTUAL_TICK, signal, expiry); // the sleep that loses is over in a moment
        if (used) return 'used';
        if (this.#late() && !this.#mayGoOn(advanced !== null)) return this.#lose('late');
        if ((await this.#spins(grantedAt, signal)) && !used) return this.#lose('spun');
        if (used) return 'used';
        if (advanced === null && (await this.#isStalled(grantedAt, signal))) {
          this.#state = 'advancing';
          advanced = given.stopwatch();
          if (!used) this.#policy(null);
        } else if (advanced !== null && advanced.passed(ADVANCE_LIMIT)) {
          if (await this.#answers(SPIN_LIMIT, signal)) return this.#lose('lost');
        }
      }
    } finally {
      advanced?.[Symbol.dispose]();
      session.off('Emulation.virtualTimeBudgetExpired', expired);
      await this.#slot.takeBack(signal);
    }
  }

  /** Is the page late because of answers alone? Then it goes on without them. */
  #mayGoOn(advances: boolean): boolean {
    if (advances || this.#page.watch.documentPending()) return false;
    if (this.#pendingRequests.unanswered().length === 0) return false;
    this.#abandon();
    return !this.#late();
  }

  #lose(end: GrantEnd): GrantEnd {
    this.#spoiled = true;
    this.#hung ||= end === 'spun';
    return end;
  }

  #late(): boolean {
    return this.#deadline.passed;
  }

  /** Advancing without a budget lets the outstanding grant expire once; a second budget would leave an expiry behind. */
  #policy(budget: Milliseconds | null): void {
    const policy = this.#state === 'advancing' ? 'advance' : 'pauseIfNetworkFetchesPending';
    const grant = budget === null ? {} : { budget };
    const { session, frames } = this.#page;
    session
      .send('Emulation.setVirtualTimePolicy', { policy, ...grant, maxVirtualTimeTaskStarvationCount: STARVATION })
      // of its first reply only, for that one is not late
      .then(({ virtualTimeTicksBase }) => frames.synchronize(virtualTimeTicksBase))
      .catch(() => {}); // the page is gone: waiting calls are rejected by its signal
  }

  /** Does a stream, a poll or a request without an answer hold the clock, and nothing that the page is waited for? */
  async #isStalled(grantedAt: Milliseconds, signal: AbortSignal): Promise<boolean> {
    const { watch } = this.#page;
    if (watch.documentPending() || (this.#deadline.heldBack && !this.#pendingRequests.over)) return false;
    // a silence before the grant says nothing: the page's clock stood still
    const silence = Math.min(watch.silence(), this.#clock.monotonic() - grantedAt);
    if (silence <= STREAM_QUIET || this.#pendingRequests.holdsClock()) return false;
    // a busy page may have asked for something before it answered
    return (await this.#answers(SPIN_LIMIT, signal)) && !this.#pendingRequests.holdsClock();
  }

  /** Does a script block both the page's clock and our calls? Such a loop ends in real time only. */
  async #spins(grantedAt: Milliseconds, signal: AbortSignal): Promise<boolean> {
    const now = this.#clock.monotonic();
    const answeredAt = Math.max(grantedAt, this.#answeredAt, now - this.#page.watch.silence());
    if (now - answeredAt < SPIN_LOOK || (await this.#answers(SPIN_LIMIT, signal))) return false;
    return !this.#late();
  }

  /** Is the page's main thread free? A page that computes is not stalled. */
  async #answers(limit: Milliseconds, signal: AbortSignal): Promise<boolean> {
    const left = milliseconds(Math.max(1, this.#deadline.left));
    const asked = this.#page.session.send('Runtime.getHeapUsage');
    try {
      await withDeadline(this.#page.within(asked, 'a busy page', signal, limit), 'a busy page', left, signal);
      this.#answeredAt = this.#clock.monotonic();
      return true;
    } catch {
      signal.throwIfAborted();
      return false;
    }
  }

  async #frame(step: Milliseconds, signal: AbortSignal, display = { noDisplayUpdates: true }): Promise<void> {
    if (this.#spoiled) return;
    const { browser, session, frames } = this.#page;
    const ask = (): Promise<unknown> =>
      session.send('HeadlessExperimental.beginFrame', { ...display, ...frames.next(step) });
    const frame = await browser.draw(ask, FRAME_TIME_LIMIT, signal);
    if (frame === null) this.#spoiled = true;
  }
}
