/** The visit of a document that is being rendered, as a straight line: wait for idle, read, scroll, read again, picture, interact. */
import { milliseconds, type EpochMs, type Milliseconds } from '../base/units.ts';
import { timingOf } from '../core/answers/answer-outcome.ts';
import type { IdleResult } from '../model/page.ts';
import type { PagePicture } from '../model/page-pictures.ts';
import type { TruncationCause } from '../model/truncation.ts';
import { endpointOf } from '../model/url/host-key.ts';
import type { Answer } from '../model/visit-outcome.ts';
import type { Visit } from '../model/visit.ts';
import { checkPage } from './axe/check-page.ts';
import { observedOf } from './details/read-behaviour.ts';
import { dealWithConsent } from './consent/consent-visit.ts';
import { breakOf, capturedPage, isHtml, joined } from './extract/capture.ts';
import { collect, type Collected } from './extract/collect.ts';
import { HangGuard } from './extract/hang-guard.ts';
import { takePictures } from './extract/page-pictures.ts';
import { awaitSelector } from './idle/await-selector.ts';
import { waitLonger, type ExtendedWait } from './idle/extended-wait.ts';
import { IdleDeadline } from './idle/idle-deadline.ts';
import { pendingNames } from './idle/pending-names.ts';
import { isVirtual, idleWaitOf, type IdleWait } from './idle/idle-wait.ts';
import { interact, NOT_USED, type Interacted } from './interact/interact.ts';
import { scrollThrough } from './interact/scroll-page.ts';
import {
  LEAST_IDLE_TIME,
  LEAST_RETRY_TIME,
  NAVIGATION_FLOOD,
  PICTURE_TIME,
  READING_TIME,
  VIRTUAL_BUDGET,
} from './page-limits.ts';
import { storesTooMuch } from './page/cookie-load.ts';
import type { JudgedAnswer } from './page/judged-answer.ts';
import type { Arrival } from './page/navigate.ts';
import { cookiesOfReloading } from './page/page-cookies.ts';
import { showsMark } from './page/signed-in.ts';
import type { WarmPage } from './page/warm-page.ts';
import { onlyScrolls } from './renderer.ts';
import { clockOf, type VisitContext, type VisitEnd } from './visit-context.ts';

const HANGS = 'the page hangs in virtual time';
interface RenderedContext extends VisitContext {
  readonly startedAt: EpochMs;
  /** The document's truncation, where it was fetched before. */
  readonly truncated: TruncationCause | null;
  readonly isFetched: boolean;
}

/** The visit of a document that is being rendered. */
export class RenderedVisit {
  readonly #page: WarmPage;
  readonly #visit: Visit;
  readonly #answer: JudgedAnswer;
  /** When this try asked for the document, on the monotonic clock. */
  readonly #started: Milliseconds;
  readonly #context: RenderedContext;
  /** When the page must be read, on the monotonic clock. */
  readonly #until: Milliseconds;
  readonly #idleWait: IdleWait;
  /** When the document began to arrive, on the monotonic clock. */
  readonly #arrived: Milliseconds;
  #idleAt: Milliseconds | null = null;
  /** Did the page run out of time before it was idle? */
  #timedOut = false;
  readonly #hangs: HangGuard;

  constructor(
    page: WarmPage,
    visit: Visit,
    { answer, started }: Arrival & { kind: 'rendering' },
    context: RenderedContext,
  ) {
    const { options, clock } = context;
    this.#page = page;
    this.#hangs = new HangGuard(page);
    this.#visit = visit;
    this.#answer = answer;
    this.#started = started;
    this.#context = context;
    this.#arrived = clock.monotonic();
    const least = this.#arrived + LEAST_IDLE_TIME;
    this.#until = milliseconds(Math.max(least, started + options.pageTimeout - READING_TIME));
    page.latest = this.#until;
    this.#idleWait = this.#idleWaitUntil(this.#until);
  }

  async finish(signal: AbortSignal): Promise<VisitEnd> {
    const { clock, startedAt, hooks, options } = this.#context;
    const settled = await this.#settle(signal);
    if (this.#mayTryAgain())
      return { outcome: { kind: 'timed-out', detail: HANGS }, sound: false, needsRealClock: true };
    const { url } = this.#visit;
    const facing = { idleWait: this.#idleWait, clock, virtual: this.#virtual, until: this.#until, url };
    const consented = await dealWithConsent(this.#page, options.consent ?? null, facing, signal);
    const idle = consented.settle ?? settled;
    await hooks?.onIdle(this.#idleWait, this.#until, signal);
    const { settle, collected: later } = await this.#read(idle, signal);
    const collected = consented.before === null ? later : joined(consented.before, later);
    const read = hooks?.withLinks(collected) ?? collected;
    const truncated = breakOf(this.#page.watch, idle, read) ?? this.#context.truncated;
    // the answer for the document that is shown: a consent dialog may have reloaded it
    const { head } = this.#page.interceptor.answer ?? this.#answer;
    const [{ leasedAt }, { at: answered }, { loadAt: loaded }] = [this.#visit, this.#answer, this.#page.watch];
    const moments = { leasedAt, startedAt, started: this.#started, answered, loaded, settled: this.#idleAt };
    if (!isHtml(read.main.facts.contentType)) {
      const { status, headers } = head;
      const timing = timingOf({ ...moments, ended: clock.monotonic() });
      const answer: Answer = { status, headers, contentType: read.main.facts.contentType, timing };
      return { outcome: { kind: 'not-html', answer }, sound: !this.#spoiled };
    }
    const problems = this.#page.watch.problems;
    const asking = { url: read.main.facts.url, visited: url, spoiled: this.#spoiled };
    const observed = await observedOf(this.#page, asking, this.#context, signal);
    const signedIn = await showsMark(this.#page, options.signedIn ?? null, read.main.facts.url, signal);
    const { pictures, spoiled } = await this.#pictures(signal);
    const left = this.#spoiled || spoiled ? 0 : this.#started + options.pageTimeout - READING_TIME - clock.monotonic();
    const checked = await checkPage(
      this.#page,
      options.axe ?? null,
      { url, left: milliseconds(Math.max(0, left)) },
      signal,
    );
    const used = checked.sound ? await this.#use(read, signal) : { ...NOT_USED, sound: false };
    const { foundLinks, unusedControls } = used;
    const all = joined(read, { main: read.main, foundLinks, total: read.total + foundLinks.length });
    const timing = timingOf({ ...moments, ended: clock.monotonic() });
    const { unread, jsonAnswers } = this.#page.bodies;
    const ended = { consent: consented.state, signedIn, settle, truncated, pictures, problems, observed };
    const answers = { unreadAnswers: [...unread], jsonAnswers: this.#context.isFetched ? [...jsonAnswers] : [] };
    const shown = { axe: checked.check, head, startedAt, timing, collected: all, unusedControls };
    const page = capturedPage({ visit: this.#visit, ...shown, ...answers, ...ended });
    // the browser drops navigations beyond 200 in 10 s: the next document of this page would miss its own
    const flooded = all.main.navigations.total >= NAVIGATION_FLOOD;
    const worn = flooded || this.#page.watch.outlivesRation || storesTooMuch(head, all.main.facts);
    const reusable = used.sound && !worn && !this.#spoiled && !spoiled;
    const tests = await cookiesOfReloading(this.#page, { url, main: read.main }, signal);
    return { outcome: { kind: 'captured', page, ...tests }, sound: reusable };
  }

  /** Interacts with the page, where that is asked for; after the picture, as interaction changes the page. */
  async #use(read: Collected, signal: AbortSignal): Promise<Interacted> {
    const { options, clock, log, memory } = this.#context;
    if (onlyScrolls(options) || this.#idleWait.over || this.#spoiled) return NOT_USED;
    return await interact(
      this.#page,
      read,
      {
        ...{ options, clock, log, memory },
        url: this.#visit.url,
        until: milliseconds(this.#started + options.pageTimeout - READING_TIME),
        virtual: this.#virtual,
        idleWaitUntil: (latest) => this.#idleWaitUntil(latest),
      },
      signal,
    );
  }

  async #settle(signal: AbortSignal): Promise<IdleResult> {
    const { options, clock } = this.#context;
    const settle = await this.#idleWait.waitForIdle(signal);
    if (options.waitFor !== null && !this.#idleWait.over) {
      const until = milliseconds(Math.min(this.#until, this.#arrived + options.settleTimeout));
      const wait = { selector: options.waitFor, idleWait: this.#idleWait, until, clock };
      if (!(await awaitSelector(this.#page, wait, signal)))
        return { reason: 'timeout', pending: [`selector ${options.waitFor}`] };
    }
    return settle;
  }

  #idleWaitUntil(latest: Milliseconds): IdleWait {
    const { options, clock, learnedWaits, slot, egress } = this.#context;
    const { hostName, port } = endpointOf(this.#visit.url);
    const heldBack = (): boolean => egress?.holdsBack(hostName, port) ?? false;
    const deadline = new IdleDeadline({ time: options.settleTimeout, latest, heldBack, clock });
    const settle = { url: this.#visit.url, mode: options.settle, deadline, clock, learnedWaits, slot };
    return idleWaitOf(this.#page, settle, this.#virtual);
  }

  /** Did the page hang in virtual time, as a script does that loops until the clock has moved, and might it work in real time? */
  #mayTryAgain(): boolean {
    const { learnedWaits, realClock, options, clock } = this.#context;
    const { hung } = this.#idleWait;
    if (realClock) learnedWaits.triedRealClock(hung);
    const left = this.#started + options.pageTimeout - clock.monotonic();
    return hung && !realClock && learnedWaits.mayTryRealClock && left > LEAST_RETRY_TIME && this.#page.watch.canSend;
  }

  /** Reads the page; where it runs scripts, after frames and scrolling too. */
  async #read(settle: IdleResult, signal: AbortSignal): Promise<{ settle: IdleResult; collected: Collected }> {
    const page = this.#page;
    const idleWait = this.#idleWait;
    const { clock } = this.#context;
    this.#idleAt = clock.monotonic();
    if (idleWait.over) {
      this.#timedOut = true;
      await idleWait.halt(signal);
      const collected = await collect(page, 'load', signal);
      // a busy browser reports a flood of requests late
      const pending = pendingNames(settle.pending, page.watch.pending());
      return { settle: { ...settle, pending }, collected };
    }
    return this.#readOn(settle, signal);
  }

  async #readOn(settle: IdleResult, signal: AbortSignal): Promise<{ settle: IdleResult; collected: Collected }> {
    const page = this.#page;
    const idleWait = this.#idleWait;
    const { clock, learnedWaits } = this.#context;
    // only reading the page shows whether it runs scripts of its own; reading it twice costs more than drawing in vain
    const drawn = page.watch.loadsScripts || learnedWaits.scripted;
    if (drawn) await idleWait.draw(signal);
    if (idleWait.spoiled) await idleWait.halt(signal);
    let first = await this.#hangs.collect(signal);
    if (settle.reason === 'timer-drained') {
      const short = this.#budget() - first.main.facts.pageClock;
      if (short > this.#budget() / 10) {
        // the expiry belonged to an earlier grant: the rest of this one is given now (design/rendering, "Grants")
        await idleWait.more(milliseconds(short), signal);
        first = await this.#hangs.collect(signal);
      }
    }
    const scripted = page.watch.loadsScripts || first.main.facts.scripted;
    learnedWaits.scripted = scripted;
    if (!drawn && scripted) await idleWait.draw(signal);
    if (!scripted || this.#spoiled) return { settle, collected: first };
    const waited = await this.#hangs.orStop({ collected: first, longer: false }, signal, () =>
      this.#extendedWait(first, drawn, signal),
    );
    if (waited.longer) this.#idleAt = clock.monotonic();
    const { collected } = waited;
    return {
      settle: waited.longer && settle.reason !== 'timeout' ? { ...settle, reason: 'quiet' } : settle,
      collected: this.#spoiled
        ? collected
        : await this.#hangs.orStop(collected, signal, () => this.#scroll(collected, drawn, signal)),
    };
  }

  get #virtual(): boolean {
    return isVirtual(clockOf(this.#context));
  }

  get #spoiled(): boolean {
    return this.#hangs.stopped || this.#idleWait.spoiled;
  }

  /** Gives a page time beyond its budget where it needs it; only with `--settle auto`. */
  async #extendedWait(first: Collected, drawn: boolean, signal: AbortSignal): Promise<ExtendedWait> {
    const { options, clock, learnedWaits } = this.#context;
    if (options.settle.kind !== 'auto') return { collected: first, longer: false };
    const until = milliseconds(Math.min(this.#until, this.#arrived + this.#idleWait.waited + options.settleTimeout));
    return waitLonger(this.#page, first, { idleWait: this.#idleWait, clock, until, learnedWaits, drawn }, signal);
  }

  /** @param drawn was the page drawn before it was read? */
  async #scroll(first: Collected, drawn: boolean, signal: AbortSignal): Promise<Collected> {
    const { options, clock, learnedWaits } = this.#context;
    const isUsed = !onlyScrolls(options) || !this.#virtual;
    const backToStart = options.screenshot !== 'none';
    const scrolls = first.main.scrolls || !drawn; // frames may have changed that
    const busyUntil = milliseconds(clock.monotonic() - this.#idleWait.waited + options.settleTimeout);
    const limits = { until: this.#until, busyUntil };
    const scroll = { idleWait: this.#idleWait, learnedWaits, clock, ...limits, scrolls, backToStart, isUsed };
    const scrolled = options.explore === 'none' ? null : await scrollThrough(this.#page, scroll, signal);
    const grown = scrolled?.grown ?? false;
    if (!grown && drawn) return first; // it was read after its frames
    const read = joined(first, await collect(this.#page, grown ? 'scroll' : 'load', signal));
    const passed = scrolled?.passed ?? [];
    return passed.length === 0 ? read : joined(read, { ...read, foundLinks: passed });
  }

  #budget(): number {
    const { settle } = this.#context.options;
    return settle.kind === 'after' ? settle.duration : VIRTUAL_BUDGET;
  }

  async #pictures(signal: AbortSignal): Promise<{ pictures: readonly PagePicture[]; spoiled: boolean }> {
    // a page that hung while it was drawn will not be drawn now
    if (this.#spoiled && !this.#timedOut) return { pictures: [], spoiled: true };
    const { options, clock } = this.#context;
    // a page that ran out of time is drawn as it is
    const idleWait = this.#timedOut ? null : this.#idleWait;
    const until = milliseconds(Math.min(this.#until, clock.monotonic() + options.settleTimeout) - PICTURE_TIME);
    try {
      const { screenshot, viewport, viewports = [] } = options;
      const shot = { screenshot, viewport, viewports, clock, idleWait, until };
      return await takePictures(this.#page, shot, signal);
    } catch {
      // a page without a picture is worth more than no page
      if (!this.#page.gone.aborted) signal.throwIfAborted();
      return { pictures: [], spoiled: true };
    }
  }
}
