/**
 * Settling in virtual time (design/rendering, "Virtual time"). The page's clock is granted a budget and runs through it as fast
 * as its tasks allow, standing still while requests are under way. States of the clock: `holding` (requests stop it) and
 * `advancing` (a stream or a dead request would stop it for ever, so that requests do not count any more).
 *
 * Invariants: never two grants with a budget at once (the expiry of the first would cut the next visit short); a clock
 * whose expiry is still to come spoils the page.
 */
import type { Clock } from '../../base/clock.ts';
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
  LATE_ROUNDS,
  LATE_TICK,
  MORE_STEP,
  SPIN_LOOK,
  STARVATION,
  VIRTUAL_TICK,
} from '../limits/idle-limits.ts';
import { FRAME_TIME_LIMIT, SPIN_LIMIT, STALL_LIMIT, STREAM_QUIET, VIRTUAL_BUDGET } from '../page-limits.ts';
import { stopScripts } from '../page/stop-scripts.ts';
import type { WarmPage } from '../page/warm-page.ts';
import type { IdleDeadline } from './idle-deadline.ts';
import type { IdleOptions, IdleWait } from './idle-wait.ts';
import type { PatternWaits } from './learned-waits.ts';
import { PendingRequestClassifier } from './pending-requests.ts';
import { activitySample } from './real-time-wait.ts';

/** `spun`: a script keeps the page from answering, as one does that loops until the clock has moved. */
type GrantEnd = 'used' | 'late' | 'lost' | 'spun';

export class VirtualIdleWait implements IdleWait {
  readonly #page: WarmPage;
  readonly #mode: SettleMode;
  readonly #deadline: IdleDeadline;
  readonly #clock: Clock;
  #state: 'holding' | 'advancing' = 'holding';
  readonly #pendingRequests: PendingRequestClassifier;
  readonly #learnedWaits: PatternWaits;
  /** Did the last wait for answers end without them? */
  #gaveUp = false;
  /** Is it known what further answers to polls brought here? */
  #hasPolled = false;
  /** When the page last answered; on the monotonic clock. */
  #heardAt = milliseconds(0);
  #spoiled = false;
  #hung = false;

  constructor(page: WarmPage, { mode, deadline, clock, learnedWaits }: IdleOptions) {
    this.#page = page;
    this.#pendingRequests = new PendingRequestClassifier(page.watch, learnedWaits, clock);
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

  async waitForIdle(signal: AbortSignal): Promise<IdleResult> {
    const budget = this.#mode.kind === 'after' ? milliseconds(Math.max(1, this.#mode.duration)) : VIRTUAL_BUDGET;
    let end = await this.#grant(budget, signal);
    const pending = this.#page.watch.pending();
    if (end === 'used' && this.#mayBeLate()) end = await this.#awaitLate(signal);
    this.#pendingRequests.learn();
    if (end !== 'used') return { reason: 'timeout', pending: this.#page.watch.pending() };
    return this.#state === 'advancing' ? { reason: 'quiet', pending } : { reason: 'timer-drained', pending: [] };
  }

  async draw(signal: AbortSignal): Promise<void> {
    this.#onActivity();
    for (let frame = 0; frame < 2; frame++) await this.#frame(DRAWN_STEP, signal);
    await this.#run(milliseconds(100), signal);
    await this.#frame(DRAWN_STEP, signal); // what came of it is seen before anything moves again
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

  /** A grant, and the answers to what it made the page ask for. */
  async #run(budget: Milliseconds, signal: AbortSignal): Promise<GrantEnd> {
    const end = await this.#grant(budget, signal);
    return end === 'used' && this.#mayBeLate() ? this.#awaitLate(signal) : end;
  }

  /** May something come that has not held the clock? */
  #mayBeLate(): boolean {
    return this.#state === 'advancing' || this.#pendingRequests.opensSocket();
  }

  /** Requests begun while the clock advanced: their answers are waited for in real time, then worked off. */
  async #awaitLate(signal: AbortSignal): Promise<GrantEnd> {
    let end: GrantEnd = 'used';
    for (let round = 0; round < LATE_ROUNDS && end === 'used' && this.#pendingRequests.late().length > 0; round++) {
      const polls = this.#pendingRequests.repeats().length > 0;
      const before = polls ? await this.#activitySample(signal) : null;
      const answered = await this.#awaitAnswers(signal);
      if (answered !== 'used') return answered;
      if (this.#gaveUp) return 'used';
      end = await this.#grant(AFTERMATH, signal);
      if (before !== null && end === 'used') this.#learnOfPolls(before, await this.#activitySample(signal));
    }
    return end;
  }

  #activitySample(signal: AbortSignal): Promise<ActivitySample | null> {
    return orNothing(activitySample(this.#page, signal), this.#page, signal);
  }

  /** @returns `used` where all have come, or will not come any more */
  async #awaitAnswers(signal: AbortSignal): Promise<GrantEnd> {
    while (this.#pendingRequests.late().length > 0) {
      if (this.#late()) return 'late';
      if (this.#page.watch.silence() > STALL_LIMIT && !this.#deadline.heldBack) {
        this.#pendingRequests.gaveUp('all'); // it will not be answered
        this.#gaveUp = true;
        return 'used';
      }
      const opens = this.#pendingRequests.opensSocket();
      await this.#clock.sleep(opens ? VIRTUAL_TICK : LATE_TICK, signal);
      // the handshake of a socket reaches the page only while its clock runs
      const end = opens ? await this.#grant(VIRTUAL_TICK, signal) : 'used';
      if (end !== 'used') return end;
    }
    this.#gaveUp = false;
    return 'used';
  }

  /** Once for a page, unless a later answer proves it wrong. */
  #learnOfPolls(before: ActivitySample, now: ActivitySample | null): void {
    if (now === null) return;
    const gained = before.links !== now.links || before.letters !== now.letters;
    if (gained || !this.#hasPolled) this.#learnedWaits.learn('polls', gained);
    this.#hasPolled = true;
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
    let advancedAt = this.#state === 'advancing' ? grantedAt : null;
    try {
      for (;;) {
        // the sleep that loses is over in a moment
        await Promise.race([expiry, this.#clock.sleep(VIRTUAL_TICK, signal)]);
        if (used) return 'used';
        if (this.#late()) return this.#lose('late');
        if ((await this.#spins(grantedAt, signal)) && !used) return this.#lose('spun');
        if (used) return 'used';
        if (advancedAt === null && (await this.#isStalled(grantedAt, signal))) {
          this.#state = 'advancing';
          this.#pendingRequests.gaveUp('clock');
          advancedAt = this.#clock.monotonic();
          if (!used) this.#policy(null);
        } else if (advancedAt !== null && this.#clock.monotonic() - advancedAt > ADVANCE_LIMIT) {
          if (await this.#answers(SPIN_LIMIT, signal)) return this.#lose('lost');
        }
      }
    } finally {
      session.off('Emulation.virtualTimeBudgetExpired', expired);
    }
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
      .then(({ virtualTimeTicksBase }) => frames.told(virtualTimeTicksBase))
      .catch(() => {}); // the page is gone: whoever waits hears of it
  }

  /** Does a stream, a poll or a dead request hold the clock, and nothing that the page waits for? */
  async #isStalled(grantedAt: Milliseconds, signal: AbortSignal): Promise<boolean> {
    const { watch } = this.#page;
    if (watch.documentPending() || this.#deadline.heldBack) return false;
    // a silence before the grant says nothing: the page's clock stood still
    const silence = Math.min(watch.silence(), this.#clock.monotonic() - grantedAt);
    if (silence <= STREAM_QUIET) return false;
    const waitedFor = this.#pendingRequests.holdsClock();
    if (silence <= (waitedFor ? STALL_LIMIT : STREAM_QUIET)) return false;
    if (waitedFor) return true;
    // a busy page may have asked for something before it answered
    return (await this.#answers(SPIN_LIMIT, signal)) && !this.#pendingRequests.holdsClock();
  }

  /** Does a script keep the page from its clock and from us? Such a loop ends in real time only. */
  async #spins(grantedAt: Milliseconds, signal: AbortSignal): Promise<boolean> {
    const now = this.#clock.monotonic();
    const heardAt = Math.max(grantedAt, this.#heardAt, now - this.#page.watch.silence());
    if (now - heardAt < SPIN_LOOK || (await this.#answers(SPIN_LIMIT, signal))) return false;
    return !this.#late();
  }

  /** Is the page's main thread free? A page that computes is not stalled. */
  async #answers(limit: Milliseconds, signal: AbortSignal): Promise<boolean> {
    const left = milliseconds(Math.max(1, this.#deadline.left));
    const asked = this.#page.session.send('Runtime.getHeapUsage');
    try {
      await this.#page.within(asked, 'a busy page', signal, milliseconds(Math.min(left, limit)));
      this.#heardAt = this.#clock.monotonic();
      return true;
    } catch {
      signal.throwIfAborted();
      return false;
    }
  }

  async #frame(step: Milliseconds, signal: AbortSignal, display = { noDisplayUpdates: true }): Promise<void> {
    if (this.#spoiled) return;
    const { browser, session, frames } = this.#page;
    const frame = await browser.draw(async () => {
      const drawn = session.send('HeadlessExperimental.beginFrame', { ...display, ...frames.next(step) });
      return this.#page.within(drawn, 'a frame', signal, FRAME_TIME_LIMIT);
    });
    signal.throwIfAborted();
    if (frame === null) this.#spoiled = true;
  }
}
