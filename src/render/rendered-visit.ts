/** A visit whose document is being rendered, as a straight line: wait for idle, read, scroll, read again, picture, interact. */
import { DeadlineExceeded } from '../base/deadline.ts';
import { milliseconds, type EpochMs, type Milliseconds } from '../base/units.ts';
import { timingOf } from '../core/answers/answer-outcome.ts';
import type { IdleResult } from '../model/page.ts';
import type { TruncationCause } from '../model/truncation.ts';
import { endpointOf } from '../model/url/host-key.ts';
import type { Answer } from '../model/visit-outcome.ts';
import type { Visit } from '../model/visit.ts';
import { capturedPage, joined } from './extract/capture.ts';
import { collect, type Collected } from './extract/collect.ts';
import { takeScreenshot } from './extract/screenshot.ts';
import { awaitSelector } from './idle/await-selector.ts';
import { waitLonger, type ExtendedWait } from './idle/extended-wait.ts';
import { IdleDeadline } from './idle/idle-deadline.ts';
import { isVirtual, idleWaitOf, type IdleWait } from './idle/idle-wait.ts';
import { interact } from './interact/interact.ts';
import { scrollThrough } from './interact/scroll-page.ts';
import {
  LEAST_IDLE_TIME,
  LEAST_RETRY_TIME,
  NAVIGATION_FLOOD,
  PICTURE_TIME,
  READING_TIME,
  VIRTUAL_BUDGET,
  PENDING_LIMIT,
} from './page-limits.ts';
import { storesTooMuch } from './page/cookie-load.ts';
import type { JudgedAnswer } from './page/document-gate.ts';
import type { Arrival } from './page/navigate.ts';
import type { WarmPage } from './page/warm-page.ts';
import { stopScripts } from './page/stop-scripts.ts';
import type { RenderOptions } from './renderer.ts';
import { clockOf, type VisitContext, type VisitEnd } from './visit-context.ts';

const HANGS = 'the page hangs in virtual time';

interface RenderedContext extends VisitContext {
  readonly startedAt: EpochMs;
  /** Of the document, where it was fetched before. */
  readonly truncated: TruncationCause | null;
}

/** A visit whose document is being rendered. */
export class RenderedVisit {
  readonly #page: WarmPage;
  readonly #visit: Visit;
  readonly #answer: JudgedAnswer;
  readonly #started: Milliseconds;
  readonly #context: RenderedContext;
  readonly #until: Milliseconds;
  readonly #idleWait: IdleWait;
  #idleAt: Milliseconds | null = null;
  /** Did a script have to be ended for the page to be read? */
  #stopped = false;

  constructor(
    page: WarmPage,
    visit: Visit,
    { answer, started }: Arrival & { kind: 'rendering' },
    context: RenderedContext,
  ) {
    const { options, clock } = context;
    this.#page = page;
    this.#visit = visit;
    this.#answer = answer;
    this.#started = context.began ?? started;
    this.#context = context;
    const now = clock.monotonic();
    const left = Math.max(LEAST_IDLE_TIME, started + options.pageTimeout - READING_TIME - now);
    this.#until = milliseconds(now + Math.min(options.settleTimeout, left));
    this.#idleWait = this.#idleWaitUntil(this.#until);
  }

  async finish(signal: AbortSignal): Promise<VisitEnd> {
    const { clock, startedAt } = this.#context;
    const settled = await this.#settle(signal);
    if (this.#mayTryAgain())
      return { outcome: { kind: 'timed-out', detail: HANGS }, sound: false, needsRealClock: true };
    const { settle, collected: read } = await this.#read(settled, signal);
    const truncated = this.#truncation(settled, read);
    const head = this.#answer.head;
    const answered = this.#answer.at;
    const loaded = this.#page.watch.loadAt;
    const leasedAt = this.#visit.leasedAt;
    const moments = { leasedAt, startedAt, started: this.#started, answered, loaded, settled: this.#idleAt };
    if (!isHtml(read.main.facts.contentType)) {
      const { status, headers } = head;
      const timing = timingOf({ ...moments, ended: clock.monotonic() });
      const answer: Answer = { status, headers, contentType: read.main.facts.contentType, timing };
      return { outcome: { kind: 'not-html', answer }, sound: !this.#spoiled };
    }
    const problems = this.#page.watch.problems;
    const { screenshot, spoiled } = await this.#picture(settle, signal);
    const { collected, sound } = await this.#use(read, settle, signal);
    const timing = timingOf({ ...moments, ended: clock.monotonic() });
    const { unread } = this.#page.bodies;
    const shown = { head, startedAt, timing, settle, truncated, collected, screenshot, problems, unread: [...unread] };
    const page = capturedPage({ visit: this.#visit, ...shown });
    // the browser drops navigations beyond 200 in 10 s: the next document of this page would miss its own
    const flooded = collected.main.navigations.total >= NAVIGATION_FLOOD;
    const worn = flooded || storesTooMuch(head, collected.main.facts);
    const reusable = sound && !worn && !this.#spoiled && !spoiled;
    return { outcome: { kind: 'captured', page }, sound: reusable };
  }

  /** Why the document broke off; null where it came to its end. */
  #truncation({ reason }: IdleResult, { main }: Collected): TruncationCause | null {
    const { watch } = this.#page;
    if (watch.documentFailed) return 'disconnect';
    // a busy browser tells late of a document's end, its parser does not
    const isBroken = reason === 'timeout' && watch.documentPending() && main.facts.parsing;
    return isBroken ? 'time' : this.#context.truncated;
  }

  /** Uses the page as a person would, where that is asked for: after the picture, for the page is not the same afterwards. */
  async #use(
    read: Collected,
    { reason }: IdleResult,
    signal: AbortSignal,
  ): Promise<{ readonly collected: Collected; readonly sound: boolean }> {
    const { options, clock, log, memory } = this.#context;
    if (isIdle(options) || reason === 'timeout' || this.#spoiled) return { collected: read, sound: true };
    const { foundLinks, sound } = await interact(
      this.#page,
      read,
      {
        url: this.#visit.url,
        options,
        clock,
        log,
        memory,
        until: milliseconds(this.#started + options.pageTimeout - READING_TIME),
        virtual: isVirtual(this.#page, clockOf(this.#context)),
        idleWaitUntil: (until) => this.#idleWaitUntil(until),
      },
      signal,
    );
    const total = read.total + foundLinks.length;
    return { collected: joined(read, { main: read.main, foundLinks, total }), sound };
  }

  async #settle(signal: AbortSignal): Promise<IdleResult> {
    const { options, clock } = this.#context;
    const settle = await this.#idleWait.waitForIdle(signal);
    if (settle.reason !== 'timeout' && options.waitFor !== null) {
      const wait = { selector: options.waitFor, idleWait: this.#idleWait, until: this.#until, clock };
      if (!(await awaitSelector(this.#page, wait, signal)))
        return { reason: 'timeout', pending: [`selector ${options.waitFor}`] };
    }
    return settle;
  }

  #idleWaitUntil(until: Milliseconds): IdleWait {
    const { options, clock, learnedWaits, egress } = this.#context;
    const { hostName, port } = endpointOf(this.#visit.url);
    const heldBack = (): boolean => egress?.holdsBack(hostName, port) ?? false;
    const latest = milliseconds(Math.max(until, this.#started + options.pageTimeout - READING_TIME));
    const deadline = new IdleDeadline({ until, latest, heldBack, clock });
    const settle = { mode: options.settle, deadline, clock, learnedWaits };
    return idleWaitOf(this.#page, settle, isVirtual(this.#page, clockOf(this.#context)));
  }

  /** Did it hang in virtual time, as one does that waits for the clock in a loop, and might not in real time? */
  #mayTryAgain(): boolean {
    const { learnedWaits, realClock, options, clock } = this.#context;
    const { hung } = this.#idleWait;
    if (realClock) learnedWaits.triedRealClock(hung);
    const left = this.#started + options.pageTimeout - clock.monotonic();
    return hung && !realClock && learnedWaits.mayTryRealClock && left > LEAST_RETRY_TIME;
  }

  /** Reads the page; where it runs scripts, after frames and scrolling too. */
  async #read(settle: IdleResult, signal: AbortSignal): Promise<{ settle: IdleResult; collected: Collected }> {
    const page = this.#page;
    const idleWait = this.#idleWait;
    const { clock } = this.#context;
    this.#idleAt = clock.monotonic();
    if (settle.reason === 'timeout') {
      await idleWait.halt(signal);
      const collected = await collect(page, 'load', signal);
      // of a flood of requests a busy browser tells late
      const late = page.watch.pending().filter((name) => !settle.pending.includes(name));
      const pending = [...settle.pending, ...late].slice(0, PENDING_LIMIT);
      return { settle: { ...settle, pending }, collected };
    }
    return this.#readOn(settle, signal);
  }

  async #readOn(settle: IdleResult, signal: AbortSignal): Promise<{ settle: IdleResult; collected: Collected }> {
    const page = this.#page;
    const idleWait = this.#idleWait;
    const { clock, learnedWaits } = this.#context;
    // only reading it tells whether it runs scripts of its own; to read it twice costs more than to draw in vain
    const drawn = page.watch.loadsScripts || learnedWaits.scripted;
    if (drawn) await idleWait.draw(signal);
    if (idleWait.spoiled) await idleWait.halt(signal);
    let first = await this.#collect(signal);
    if (settle.reason === 'timer-drained') {
      const short = this.#budget() - first.main.facts.pageClock;
      if (short > this.#budget() / 10) {
        // the expiry was that of a grant before: the rest of this one is given now (design/rendering, "Grants")
        await idleWait.more(milliseconds(short), signal);
        first = await this.#collect(signal);
      }
    }
    const scripted = page.watch.loadsScripts || first.main.facts.scripted;
    learnedWaits.scripted = scripted;
    if (!drawn && scripted) await idleWait.draw(signal);
    if (!scripted || this.#spoiled) return { settle, collected: first };
    const waited = await this.#orStop({ collected: first, longer: false }, signal, () =>
      this.#extendedWait(first, drawn, signal),
    );
    if (waited.longer) this.#idleAt = clock.monotonic();
    const { collected } = waited;
    return {
      settle: waited.longer ? { ...settle, reason: 'quiet' } : settle,
      collected: this.#spoiled
        ? collected
        : await this.#orStop(collected, signal, () => this.#scroll(collected, drawn, signal)),
    };
  }

  /** Reads a page that may begin to hang at any moment: then once more, with its scripts ended. */
  async #collect(signal: AbortSignal): Promise<Collected> {
    const read = (): Promise<Collected> => collect(this.#page, 'load', signal);
    return (await this.#orStop(null, signal, read)) ?? read();
  }

  /** What was read before, of a page that hangs by now; its scripts are ended. */
  async #orStop<Result>(before: Result, signal: AbortSignal, read: () => Promise<Result>): Promise<Result> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof DeadlineExceeded) || this.#stopped) throw error;
      this.#stopped = true;
      await stopScripts(this.#page, signal);
      return before;
    }
  }

  get #spoiled(): boolean {
    return this.#stopped || this.#idleWait.spoiled;
  }

  /** Gives a page the time that it needs beyond its budget. Who asks for a certain time gets that and no more. */
  async #extendedWait(first: Collected, drawn: boolean, signal: AbortSignal): Promise<ExtendedWait> {
    const { options, clock, learnedWaits } = this.#context;
    if (options.settle.kind !== 'auto') return { collected: first, longer: false };
    return waitLonger(
      this.#page,
      first,
      { idleWait: this.#idleWait, clock, until: this.#until, learnedWaits, drawn },
      signal,
    );
  }

  /** @param drawn was the page drawn before it was read? */
  async #scroll(first: Collected, drawn: boolean, signal: AbortSignal): Promise<Collected> {
    const { options, clock } = this.#context;
    const isUsed = !isIdle(options) || !isVirtual(this.#page, clockOf(this.#context));
    const backToStart = options.screenshot !== 'none';
    const scrolls = first.main.scrolls || !drawn; // frames may have changed that
    const scroll = { idleWait: this.#idleWait, clock, until: this.#until, scrolls, backToStart, isUsed };
    const scrolled = options.explore === 'none' ? null : await scrollThrough(this.#page, scroll, signal);
    const grown = scrolled?.grown ?? false;
    if (!grown && drawn) return first; // read after its frames already
    const read = joined(first, await collect(this.#page, grown ? 'scroll' : 'load', signal));
    const passed = scrolled?.passed ?? [];
    return passed.length === 0 ? read : joined(read, { ...read, foundLinks: passed });
  }

  #budget(): number {
    const { settle } = this.#context.options;
    return settle.kind === 'after' ? settle.duration : VIRTUAL_BUDGET;
  }

  async #picture(
    settle: IdleResult,
    signal: AbortSignal,
  ): Promise<{ screenshot: Uint8Array | null; spoiled: boolean }> {
    // one that hung while it was drawn will not be drawn now
    if (this.#spoiled && settle.reason !== 'timeout') return { screenshot: null, spoiled: true };
    const { options, clock } = this.#context;
    // what ran out of time stands still, and is drawn as it is
    const idleWait = settle.reason === 'timeout' ? null : this.#idleWait;
    const until = milliseconds(this.#until - PICTURE_TIME);
    try {
      const shot = { screenshot: options.screenshot, viewport: options.viewport, clock, idleWait, until };
      const screenshot = await takeScreenshot(this.#page, shot, signal);
      return { screenshot, spoiled: this.#spoiled };
    } catch {
      // a page without a picture is worth more than no page
      if (!this.#page.gone.aborted) signal.throwIfAborted();
      return { screenshot: null, spoiled: true };
    }
  }
}

/** Is nothing done to the page but to scroll it? */
function isIdle({ explore }: RenderOptions): boolean {
  return explore === 'none' || explore === 'scroll';
}

function isHtml(contentType: string): boolean {
  return contentType === 'text/html' || contentType === 'application/xhtml+xml';
}
