/**
 * Waits in virtual time (design/rendering, "Virtual time"). The page's clock is granted a budget and runs through it as fast
 * as its tasks allow, standing still while requests are under way (time-grants.ts).
 */
import type { Clock } from '../../base/clock.ts';
import { milliseconds, type Milliseconds } from '../../base/units.ts';
import type { ActivitySample } from '../../model/page-facts.ts';
import type { IdleResult } from '../../model/page.ts';
import type { SettleMode } from '../../model/render-settings.ts';
import { orNothing } from '../extract/collect.ts';
import {
  AFTERMATH,
  ANIMATED_STEP,
  ANIMATED_TIME,
  DRAWN_ROUNDS,
  DRAWN_STEP,
  LATE_AFTERMATH,
  LATE_ROUNDS,
  LATE_TICK,
  LOAD_STEP,
  MORE_STEP,
  POLL_ROUNDS,
  VIRTUAL_TICK,
} from '../limits/idle-limits.ts';
import { VIRTUAL_BUDGET } from '../page-limits.ts';
import { stopScripts } from '../page/stop-scripts.ts';
import type { WarmPage } from '../page/warm-page.ts';
import { bringsContent } from '../page/watched-request.ts';
import type { IdleDeadline } from './idle-deadline.ts';
import type { IdleOptions, IdleWait } from './idle-wait.ts';
import type { PatternWaits } from './learned-waits.ts';
import { PageFrames } from './page-frames.ts';
import { pendingNames } from './pending-names.ts';
import { PendingRequests } from './pending-requests.ts';
import { activitySample } from './real-time-wait.ts';
import type { PageSlot } from './page-slot.ts';
import { RemoteClocks } from './remote-clocks.ts';
import { TimeGrants, type GrantEnd } from './time-grants.ts';

export class VirtualIdleWait implements IdleWait {
  readonly #page: WarmPage;
  readonly #mode: SettleMode;
  readonly #deadline: IdleDeadline;
  readonly #clock: Clock;
  readonly #slot: PageSlot;
  readonly #pendingRequests: PendingRequests;
  readonly #grants: TimeGrants;
  readonly #frames: PageFrames;
  readonly #remoteClocks: RemoteClocks;
  readonly #learnedWaits: PatternWaits;
  /** Is it known whether further answers to polls brought anything here? */
  #hasPolled = false;

  constructor(page: WarmPage, options: IdleOptions) {
    const { mode, deadline, clock, learnedWaits, slot } = options;
    this.#page = page;
    this.#slot = slot;
    this.#pendingRequests = new PendingRequests(page.watch, options);
    this.#grants = new TimeGrants(page, this.#pendingRequests, { deadline, clock, slot });
    this.#frames = new PageFrames(page, clock);
    this.#remoteClocks = new RemoteClocks(page, clock);
    this.#learnedWaits = learnedWaits;
    this.#mode = mode;
    this.#deadline = deadline;
    this.#clock = clock;
  }

  get spoiled(): boolean {
    return this.#grants.spoiled;
  }

  get hung(): boolean {
    return this.#grants.hung;
  }

  get over(): boolean {
    return this.#grants.spoiled;
  }

  get asks(): boolean {
    const repeats = this.#pendingRequests.repeats();
    return this.#pendingRequests.unanswered().some((request) => !repeats.includes(request));
  }

  get waited(): Milliseconds {
    return this.#grants.waited;
  }

  async waitForIdle(signal: AbortSignal): Promise<IdleResult> {
    this.#deadline.restart();
    this.#pendingRequests.onLoad();
    let end: GrantEnd = this.#mode.kind === 'after' ? await this.#load(signal) : 'used';
    const budget = this.#mode.kind === 'after' ? milliseconds(Math.max(1, this.#mode.duration)) : VIRTUAL_BUDGET;
    if (end === 'used') end = await this.#grants.grant(budget, signal);
    const pending = this.#page.watch.pending();
    if (end === 'used' && this.#mayBeLate()) end = await this.#awaitLate(signal);
    if (end === 'used') end = await this.#grantFrames(budget, signal);
    this.#pendingRequests.learn();
    if (end !== 'used') return { reason: 'timeout', pending: this.#page.watch.pending() };
    if (this.#grants.unanswered.length > 0)
      return { reason: 'timeout', pending: pendingNames(this.#grants.unanswered, pending) };
    return this.#grants.advancing ? { reason: 'quiet', pending } : { reason: 'timer-drained', pending: [] };
  }

  /** Lets the page load, before a time that begins with its load event. */
  async #load(signal: AbortSignal): Promise<GrantEnd> {
    let end: GrantEnd = 'used';
    for (
      let passed = 0;
      end === 'used' && passed < VIRTUAL_BUDGET && this.#page.watch.loadAt === null;
      passed += LOAD_STEP
    )
      end = await this.#grants.grant(LOAD_STEP, signal);
    return end;
  }

  async draw(signal: AbortSignal): Promise<void> {
    this.#onActivity();
    for (let round = 0; round < DRAWN_ROUNDS; round++) {
      const before = this.#page.watch.requests.length;
      await this.#frame(DRAWN_STEP, signal, { count: 2 });
      await this.#run(milliseconds(100), signal);
      if (!this.#page.watch.requests.slice(before).some(bringsContent)) break;
      // scripts and data that are loaded because something came into view go on by timers, and bring more into view
      await this.#run(LATE_AFTERMATH, signal);
      if (this.#grants.advancing || this.over || !this.#asksAnew(before)) break;
    }
    await this.#frame(DRAWN_STEP, signal); // the result is seen before anything moves again
  }

  async animate(frames: number, signal: AbortSignal): Promise<void> {
    if (!this.#deadline.passed) await this.#frame(ANIMATED_STEP, signal, { count: frames });
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
    await this.#grants.grant(duration, signal);
    await this.#frame(duration, signal);
  }

  async show(duration: Milliseconds, signal: AbortSignal): Promise<void> {
    await this.#frame(DRAWN_STEP, signal, { shown: true });
    await this.#clock.sleep(duration, signal);
    await this.#grants.grant(duration, signal);
  }

  /** Has it asked, from a request on, for something that it had not asked for before? A poll asks for the same. */
  #asksAnew(from: number): boolean {
    const { requests } = this.#page.watch;
    const known = new Set([null, ...requests.slice(0, from).map(({ again }) => again)]);
    return requests.slice(from).some((request) => bringsContent(request) && !known.has(request.again));
  }

  #onActivity(): void {
    this.#deadline.restart();
    this.#page.watch.onActivity();
    this.#pendingRequests.onActivity();
  }

  async halt(signal: AbortSignal): Promise<void> {
    const { session } = this.#page;
    if (this.#grants.spoiled) await stopScripts(this.#page, signal);
    const paused = session.send('Emulation.setVirtualTimePolicy', { policy: 'pause' });
    await this.#page.within(paused, 'the page clock', signal).catch(() => {
      this.#grants.spoil();
    });
  }

  /** Grants a budget, and waits for the answers to late requests. */
  async #run(budget: Milliseconds, signal: AbortSignal): Promise<GrantEnd> {
    const end = await this.#grants.grant(budget, signal);
    if (end !== 'used') return end;
    const late = this.#mayBeLate() ? await this.#awaitLate(signal) : end;
    return late === 'used' ? this.#grantFrames(budget, signal) : late;
  }

  /** Grants the same to frames of other processes, and then time to the page for their messages. */
  async #grantFrames(budget: Milliseconds, signal: AbortSignal): Promise<GrantEnd> {
    return (await this.#remoteClocks.grant(budget, signal)) ? this.#grants.grant(AFTERMATH, signal) : 'used';
  }

  /** May answers come that did not hold the clock? */
  #mayBeLate(): boolean {
    return this.#grants.advancing || this.#pendingRequests.opensSocket();
  }

  /** Waits in real time for answers to requests that were begun while the clock advanced; then grants time to work them off. */
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
      end = await this.#grants.grant(repeats.length > 0 ? AFTERMATH : LATE_AFTERMATH, signal);
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
          this.#grants.abandon();
          return 'used';
        }
        const opens = this.#pendingRequests.opensSocket();
        await this.#grants.pause(opens ? VIRTUAL_TICK : LATE_TICK, signal);
        // the handshake of a socket reaches the page only while its clock runs
        const end = opens ? await this.#grants.grant(VIRTUAL_TICK, signal) : 'used';
        if (end !== 'used') return end;
      }
      return 'used';
    } finally {
      await this.#slot.takeBack(signal);
    }
  }

  /** Learns once for a page, unless a later answer proves it wrong. @returns whether the answers brought anything */
  #learnOfPolls(before: ActivitySample, now: ActivitySample | null): boolean {
    if (now === null) return false;
    const gained = before.links !== now.links || before.letters !== now.letters;
    if (gained || !this.#hasPolled) this.#learnedWaits.learn('polls', gained);
    this.#hasPolled = true;
    return gained;
  }

  async #frame(step: Milliseconds, signal: AbortSignal, { count = 1, shown = false } = {}): Promise<void> {
    if (this.#grants.spoiled) return;
    if (!(await this.#frames.draw({ count, step, shown }, signal))) this.#grants.spoil();
  }
}
