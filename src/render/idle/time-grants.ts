/**
 * Grants a page's clock budgets of virtual time (design/rendering, "Virtual time"). States of the clock: `holding` (requests stop it) and
 * `advancing` (a stream or a request without an answer would stop it for ever, so that requests do not count any more).
 *
 * Invariants: never two grants with a budget at once (the expiry of the first would cut the next visit short); a clock
 * whose expiry is still to come spoils the page.
 */
import type { Clock } from '../../base/clock.ts';
import { withDeadline } from '../../base/deadline.ts';
import { linkedAbort } from '../../base/linked-abort.ts';
import { milliseconds, type Milliseconds } from '../../base/units.ts';
import {
  ADVANCE_LIMIT,
  ADVANCE_SHARE,
  GIVE_WAY_AFTER,
  IDLE_TICK,
  SPIN_LOOK,
  STARVATION,
  VIRTUAL_TICK,
} from '../limits/idle-limits.ts';
import { SPIN_LIMIT, STALL_LIMIT, STREAM_QUIET } from '../page-limits.ts';
import type { WarmPage } from '../page/warm-page.ts';
import { requestName } from '../page/watched-request.ts';
import type { IdleOptions } from './idle-wait.ts';
import type { IdleDeadline } from './idle-deadline.ts';
import type { PageSlot } from './page-slot.ts';
import type { PendingRequests } from './pending-requests.ts';

/** `spun`: a script keeps the page from answering, for instance in a loop until the clock has moved. */
export type GrantEnd = 'used' | 'late' | 'lost' | 'spun';

export class TimeGrants {
  readonly #page: WarmPage;
  readonly #pendingRequests: PendingRequests;
  readonly #deadline: IdleDeadline;
  readonly #clock: Clock;
  readonly #slot: PageSlot;
  #state: 'holding' | 'advancing' = 'holding';
  #unanswered: readonly string[] = [];
  #waited = 0;
  /** When the page last answered; on the monotonic clock. */
  #answeredAt = milliseconds(0);
  #spoiled = false;
  #hung = false;

  constructor(
    page: WarmPage,
    pendingRequests: PendingRequests,
    { deadline, clock, slot }: Pick<IdleOptions, 'deadline' | 'clock' | 'slot'>,
  ) {
    this.#page = page;
    this.#pendingRequests = pendingRequests;
    this.#deadline = deadline;
    this.#clock = clock;
    this.#slot = slot;
  }

  /** Does the clock run whatever is under way? */
  get advancing(): boolean {
    return this.#state === 'advancing';
  }

  /** Requests without an answer when the time for answers was over, as the record names them. */
  get unanswered(): readonly string[] {
    return this.#unanswered;
  }

  /** Real time that went by while the page did nothing but wait for answers. */
  get waited(): Milliseconds {
    return milliseconds(this.#waited);
  }

  /** Is the page of no use for another visit? Nothing is granted any more. */
  get spoiled(): boolean {
    return this.#spoiled;
  }

  /** Did a script keep the page from answering? */
  get hung(): boolean {
    return this.#hung;
  }

  spoil(): void {
    this.#spoiled = true;
  }

  /** Grants a budget and waits until it is used up. The page may be hung: no reply is waited for. */
  async grant(budget: Milliseconds, signal: AbortSignal): Promise<GrantEnd> {
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
        await this.pause(VIRTUAL_TICK, signal, expiry); // a sleep that loses the race is over in a moment
        if (used) return this.#usedUp(budget);
        if (this.#page.watch.floods) return this.#lose('lost');
        if (this.#late() && !this.#mayGoOn(advanced !== null)) return this.#lose('late');
        if ((await this.#spins(grantedAt, signal)) && !used) return this.#lose('spun');
        if (used) return this.#usedUp(budget);
        if (advanced === null && (await this.#isStalled(grantedAt, signal))) {
          if (!used && !(await this.#stop(signal)) && !used) return this.#lose('late');
          if (used) return this.#usedUp(budget);
          // it may have begun something meanwhile that is waited for
          if (!this.#pendingRequests.holdsClock()) {
            this.#state = 'advancing';
            advanced = given.stopwatch();
          }
          this.#policy(null);
        } else if (advanced !== null && advanced.passed(advanceLimit(budget))) {
          if (await this.#answers(SPIN_LIMIT, signal)) return this.#lose('lost');
        }
      }
    } finally {
      advanced?.[Symbol.dispose]();
      session.off('Emulation.virtualTimeBudgetExpired', expired);
      await this.#slot.takeBack(signal);
    }
  }

  #usedUp(budget: Milliseconds): GrantEnd {
    this.#page.frames.passed(budget);
    return 'used';
  }

  /** Is the page late because of answers alone? Then it goes on without them. */
  #mayGoOn(advances: boolean): boolean {
    if (advances || this.#page.watch.documentPending()) return false;
    if (this.#pendingRequests.unanswered().length === 0) return false;
    this.abandon();
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

  /** A policy without a budget lets the outstanding grant expire once; a second budget would leave an expiry behind. */
  #policy(budget: Milliseconds | null): void {
    const policy = this.#state === 'advancing' ? 'advance' : 'pauseIfNetworkFetchesPending';
    const grant = budget === null ? {} : { budget };
    const { session, frames } = this.#page;
    session
      .send('Emulation.setVirtualTimePolicy', { policy, ...grant, maxVirtualTimeTaskStarvationCount: STARVATION })
      // only the first reply counts, as that one is not late
      .then(({ virtualTimeTicksBase }) => frames.synchronize(virtualTimeTicksBase))
      .catch(() => {}); // the page is gone: waiting calls are rejected by its signal
  }

  /**
   * Stops the clock before it is let go. A grant may expire while the page is told to go on without one: nothing would stop it any more, and
   * timers of minutes would fire.
   * @returns false where the page has not answered in its time; an expiry that came before is known by then
   */
  async #stop(signal: AbortSignal): Promise<boolean> {
    const stopped = this.#page.session.send('Emulation.setVirtualTimePolicy', { policy: 'pause' });
    try {
      await this.#page.within(stopped, 'the page clock', signal, this.#deadline.left);
      return true;
    } catch {
      signal.throwIfAborted();
      return false;
    }
  }

  /** Do only streams, polls or requests without an answer hold the clock, and nothing that the page is waited for? */
  async #isStalled(grantedAt: Milliseconds, signal: AbortSignal): Promise<boolean> {
    const { watch } = this.#page;
    if (watch.documentPending() || (this.#deadline.heldBack && !this.#pendingRequests.over)) return false;
    if (!this.#isQuiet(grantedAt)) return false;
    // a busy page may have asked for something before it answered, and this program may learn only now of what has ended
    return (await this.#answers(SPIN_LIMIT, signal)) && this.#isQuiet(grantedAt);
  }

  /** Has nothing happened for a while, and is nothing waited for? A silence before the grant says nothing: the page's clock stood still. */
  #isQuiet(grantedAt: Milliseconds): boolean {
    const { watch } = this.#page;
    const silence = Math.min(watch.news.silence(), this.#clock.monotonic() - grantedAt);
    // where nothing is under way that could hold the clock, the page computes: an answer between two of its tasks does not show that it is idle
    const quiet = watch.holdsConnections ? STREAM_QUIET : STALL_LIMIT;
    return silence > quiet && !this.#pendingRequests.holdsClock();
  }

  /** Does a script block both the page's clock and our calls? Such a loop ends in real time only. */
  async #spins(grantedAt: Milliseconds, signal: AbortSignal): Promise<boolean> {
    const now = this.#clock.monotonic();
    const answeredAt = Math.max(grantedAt, this.#answeredAt, now - this.#page.watch.news.silence());
    if (now - answeredAt < SPIN_LOOK || (await this.#answers(SPIN_LIMIT, signal))) return false;
    return !this.#late();
  }

  /** Is the page's main thread free? A page that computes is not stalled. */
  async #answers(limit: Milliseconds, signal: AbortSignal): Promise<boolean> {
    const deadline = this.#deadline;
    // asked again when it seems to be over: a timer fires up to a millisecond early, and a page that is late does not spin
    const end = { limit: deadline.left, left: () => deadline.left, end: () => {} };
    const asked = this.#page.session.send('Runtime.getHeapUsage');
    try {
      await withDeadline(this.#page.within(asked, 'a busy page', signal, limit), 'a busy page', end, signal);
      this.#answeredAt = this.#clock.monotonic();
      return true;
    } catch {
      signal.throwIfAborted();
      return false;
    }
  }

  /** Sleeps between two looks; longer while the page only waits, when its slot is for others. */
  async pause(tick: Milliseconds, signal: AbortSignal, expiry?: Promise<void>): Promise<void> {
    const idles = this.#page.watch.news.silence() > GIVE_WAY_AFTER && this.#pendingRequests.unanswered().length > 0;
    if (idles) this.#slot.giveWay();
    const from = this.#clock.monotonic();
    using enough = linkedAbort(signal);
    const slept = this.#clock.sleep(idles ? IDLE_TICK : tick, enough.signal);
    await (expiry === undefined ? slept : Promise.race([expiry, slept]));
    slept.catch(() => {}); // nobody waits for it any more
    enough.abort(null);
    if (idles) this.#waited += this.#clock.monotonic() - from;
  }

  /** Ends the time for answers: the page goes on without them. */
  abandon(): void {
    this.#unanswered = this.#pendingRequests.unanswered().map(requestName);
    this.#pendingRequests.abandon();
    this.#deadline.goOn();
  }
}

/** Time for an advancing clock to use up its budget. A page that computes gets at least as much as in real time. */
function advanceLimit(budget: Milliseconds): Milliseconds {
  return milliseconds(Math.max(ADVANCE_LIMIT, budget * ADVANCE_SHARE));
}
