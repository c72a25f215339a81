/** One visit in one page, as a straight line: navigate, judge, settle, read, scroll, read again, picture. */
import type { Clock } from '../base/clock.ts';
import { DeadlineExceeded } from '../base/deadline.ts';
import { milliseconds, type EpochMs, type Milliseconds } from '../base/units.ts';
import { answerOutcome, timingOf } from '../core/answers/answer-outcome.ts';
import type { FetchedDocument } from '../core/answers/fetched-document.ts';
import { parseRetryAfter } from '../core/politeness/retry-after.ts';
import type { Egress } from '../egress/egress.ts';
import type { Settle } from '../model/page.ts';
import type { Visit } from '../model/visit.ts';
import type { Answer, VisitOutcome } from '../model/visit-outcome.ts';
import { assertNever } from '../base/assert-never.ts';
import { capturedPage, joined } from './capture.ts';
import { collect, type Collected } from './collect.ts';
import type { JudgedAnswer } from './document-gate.ts';
import { scrollThrough } from './explore.ts';
import { awaitSelector } from './await-selector.ts';
import { leave, navigate, type Arrival } from './navigate.ts';
import { failureOfErrorText } from './network-failure.ts';
import { VIRTUAL_BUDGET } from './page-limits.ts';
import type { RenderOptions } from './renderer.ts';
import { takeScreenshot } from './screenshot.ts';
import { isVirtual, settlingOf, type Settling } from './settle.ts';
import type { WarmPage } from './warm-page.ts';

export interface VisitContext {
  readonly options: RenderOptions;
  readonly clock: Clock;
  /** Knows why a connection could not be made; null where the browser has no gate before it (tests). */
  readonly egress: Pick<Egress, 'lastFailure'> | null;
}

/** A visit, and its document where that was fetched already. */
export interface PageVisit {
  readonly visit: Visit;
  readonly document: FetchedDocument | null;
}

export interface VisitEnd {
  readonly outcome: VisitOutcome;
  /** May the page serve again? */
  readonly sound: boolean;
}

/** Kept back of the page timeout for reading the page after it has used up its time. */
const READING_TIME = 3000;
const LEAST_SETTLE_TIME = 500;

/** @throws {DeadlineExceeded | PageEnded | ScriptFailed} where the page gives no answer any more */
export async function visitPage(
  page: WarmPage,
  visit: PageVisit,
  context: VisitContext,
  signal: AbortSignal,
): Promise<VisitEnd> {
  const end = await visited(page, visit, context, signal);
  page.gate.close();
  // a page whose clock stands still does nothing until its next visit; one that goes on would ask the server for more,
  // and with six streams open to a host the browser has no connection left for the next visit (it opens six)
  const goesOn = !isVirtual(page, context.options.settle) || page.watch.workers > 0 || page.watch.holdsConnections;
  if (!end.sound || !(goesOn || end.outcome.kind === 'unreachable')) return end;
  try {
    await leave(page, signal);
    return end;
  } catch {
    return { ...end, sound: false };
  }
}

async function visited(
  page: WarmPage,
  { visit, document }: PageVisit,
  context: VisitContext,
  signal: AbortSignal,
): Promise<VisitEnd> {
  const { options, clock } = context;
  const startedAt = document?.startedAt ?? clock.now();
  const holdClock = isVirtual(page, options.settle);
  let arrival: Arrival;
  try {
    arrival = await navigate(page, visit.url, { clock, limit: options.pageTimeout, holdClock, document }, signal);
  } catch (error) {
    if (!(error instanceof DeadlineExceeded)) throw error;
    return { outcome: { kind: 'timed-out', detail: error.message }, sound: false };
  }
  switch (arrival.kind) {
    case 'failed':
      return { outcome: failedOutcome(visit, arrival.errorText, context), sound: true };
    case 'stopped':
      return { outcome: stoppedOutcome(visit, arrival, startedAt, context), sound: true };
    case 'rendering':
      return new RenderedVisit(page, visit, arrival, { ...context, startedAt }).finish(signal);
    default:
      return assertNever(arrival);
  }
}

function failedOutcome(visit: Visit, errorText: string, { egress }: VisitContext): VisitOutcome {
  const { hostname, port, protocol } = new URL(visit.url);
  const failure = failureOfErrorText(errorText);
  // of a tunnel that was refused the browser says no more than that
  const known =
    failure === 'proxy' ? egress?.lastFailure(hostname, Number(port) || (protocol === 'https:' ? 443 : 80)) : null;
  if (known?.kind === 'blocked') return { kind: 'blocked-address', detail: known.detail };
  return { kind: 'unreachable', failure: known?.failure ?? failure, detail: known?.detail ?? errorText };
}

function stoppedOutcome(
  visit: Visit,
  { answer: { head, verdict, at, body }, started }: Arrival & { kind: 'stopped' },
  startedAt: EpochMs,
  { clock }: VisitContext,
): VisitOutcome {
  const ended = clock.monotonic();
  const timing = timingOf({
    leasedAt: visit.leasedAt,
    startedAt,
    started,
    answered: at,
    loaded: at,
    settled: at,
    ended,
  });
  return answerOutcome(verdict, { visit, head, startedAt, timing, body }, (wait) => parseRetryAfter(wait, clock.now()));
}

/** A visit whose document is being rendered. */
class RenderedVisit {
  readonly #page: WarmPage;
  readonly #visit: Visit;
  readonly #answer: JudgedAnswer;
  readonly #started: Milliseconds;
  readonly #context: VisitContext & { readonly startedAt: EpochMs };
  readonly #until: Milliseconds;
  readonly #settling: Settling;

  constructor(
    page: WarmPage,
    visit: Visit,
    { answer, started }: Arrival & { kind: 'rendering' },
    context: VisitContext & { readonly startedAt: EpochMs },
  ) {
    const { options, clock } = context;
    this.#page = page;
    this.#visit = visit;
    this.#answer = answer;
    this.#started = started;
    this.#context = context;
    const now = clock.monotonic();
    const left = Math.max(LEAST_SETTLE_TIME, started + options.pageTimeout - READING_TIME - now);
    this.#until = milliseconds(now + Math.min(options.settleTimeout, left));
    this.#settling = settlingOf(page, { mode: options.settle, until: this.#until, clock });
  }

  async finish(signal: AbortSignal): Promise<VisitEnd> {
    const { clock, startedAt } = this.#context;
    const settle = await this.#settle(signal);
    const settled = clock.monotonic();
    const collected = await this.#read(settle, signal);
    const head = this.#answer.head;
    const answered = this.#answer.at;
    const loaded = this.#page.watch.loadAt;
    const moments = { leasedAt: this.#visit.leasedAt, startedAt, started: this.#started, answered, loaded, settled };
    if (!isHtml(collected.main.facts.contentType)) {
      const { status, headers } = head;
      const timing = timingOf({ ...moments, ended: clock.monotonic() });
      const answer: Answer = { status, headers, contentType: collected.main.facts.contentType, timing };
      return { outcome: { kind: 'not-html', answer }, sound: !this.#settling.spoiled };
    }
    const problems = this.#page.watch.problems;
    const { screenshot, spoiled } = await this.#picture(settle, signal);
    const timing = timingOf({ ...moments, ended: clock.monotonic() });
    const page = capturedPage({ visit: this.#visit, head, startedAt, timing, settle, collected, screenshot, problems });
    return { outcome: { kind: 'captured', page }, sound: !this.#settling.spoiled && !spoiled };
  }

  async #settle(signal: AbortSignal): Promise<Settle> {
    const { options, clock } = this.#context;
    const settle = await this.#settling.settle(signal);
    if (settle.reason !== 'timeout' && options.waitFor !== null) {
      const wait = { selector: options.waitFor, settling: this.#settling, until: this.#until, clock };
      if (!(await awaitSelector(this.#page, wait, signal)))
        return { reason: 'timeout', pending: [`selector ${options.waitFor}`] };
    }
    return settle;
  }

  /** Reads the page; where it runs scripts, after frames and scrolling too. */
  async #read(settle: Settle, signal: AbortSignal): Promise<Collected> {
    const page = this.#page;
    const settling = this.#settling;
    if (settle.reason === 'timeout') {
      await settling.halt(signal);
      return collect(page, 'load', signal);
    }
    let drawn = page.watch.loadsScripts;
    if (drawn) await settling.draw(signal);
    if (settling.spoiled) await settling.halt(signal);
    let first = await collect(page, 'load', signal);
    if (settle.reason === 'timer-drained') {
      const short = this.#budget() - first.main.facts.pageClock;
      if (short > this.#budget() / 10) {
        // the expiry was that of a grant before: the rest of this one is given now (render-recipe, pitfall 2)
        await settling.more(milliseconds(short), signal);
        first = await collect(page, 'load', signal);
      }
    }
    if (!drawn && first.main.facts.scripted) {
      await settling.draw(signal);
      drawn = true;
    }
    if (!drawn || settling.spoiled) return first;
    return this.#explore(first, signal);
  }

  async #explore(first: Collected, signal: AbortSignal): Promise<Collected> {
    const { options, clock } = this.#context;
    const backToStart = options.screenshot !== 'none';
    const explore = { settling: this.#settling, clock, until: this.#until, backToStart };
    const scrolled = options.explore === 'scroll' && (await scrollThrough(this.#page, explore, signal));
    if (!scrolled && this.#page.watch.loadsScripts) return first; // read after its frames already
    return joined(first, await collect(this.#page, scrolled ? 'scroll' : 'load', signal));
  }

  #budget(): number {
    const { settle } = this.#context.options;
    return settle.kind === 'after' ? settle.duration : VIRTUAL_BUDGET;
  }

  async #picture(settle: Settle, signal: AbortSignal): Promise<{ screenshot: Uint8Array | null; spoiled: boolean }> {
    // one that hung while it was drawn will not be drawn now
    if (this.#settling.spoiled && settle.reason !== 'timeout') return { screenshot: null, spoiled: true };
    try {
      return { screenshot: await takeScreenshot(this.#page, this.#context.options, signal), spoiled: false };
    } catch {
      // a page without a picture is worth more than no page
      if (!this.#page.gone.aborted) signal.throwIfAborted();
      return { screenshot: null, spoiled: true };
    }
  }
}

function isHtml(contentType: string): boolean {
  return contentType === 'text/html' || contentType === 'application/xhtml+xml';
}
