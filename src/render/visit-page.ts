/** One visit in one page: navigates, then ends the visit by its answer or renders the document. */
import { assertNever } from '../base/assert-never.ts';
import { DeadlineExceeded } from '../base/deadline.ts';
import { milliseconds, type EpochMs } from '../base/units.ts';
import { answerOutcome, timingOf } from '../core/answers/answer-outcome.ts';
import { parseRetryAfter } from '../core/politeness/retry-after.ts';
import { endpointOf } from '../model/url/host-key.ts';
import type { VisitOutcome } from '../model/visit-outcome.ts';
import type { Visit } from '../model/visit.ts';
import { VisitHooks } from './hooks/visit-hooks.ts';
import { isVirtual } from './idle/idle-wait.ts';
import { LEAST_IDLE_TIME, READING_TIME, REQUEST_LIMIT } from './page-limits.ts';
import { failureOfErrorText } from './page/browser-failure.ts';
import { NO_COOKIES } from '../core/cookies/host-cookies.ts';
import { partToRead } from '../core/links/catalogue.ts';
import { bringCookies, withCookies } from './page/page-cookies.ts';
import { blameCookies } from './page/cookie-load.ts';
import { comeToRest, navigate, type Arrival } from './page/navigate.ts';
import type { WarmPage } from './page/warm-page.ts';
import { RenderedVisit } from './rendered-visit.ts';
import { clockOf, type PageVisit, type VisitContext, type VisitEnd } from './visit-context.ts';

/** @throws {DeadlineExceeded | PageEnded | ScriptFailed} where the page gives no answer any more */
export async function visitPage(
  page: WarmPage,
  visit: PageVisit,
  context: VisitContext,
  signal: AbortSignal,
): Promise<VisitEnd> {
  const hooks = VisitHooks.of(page, visit.visit, context);
  const end = await (hooks === null
    ? visited(page, visit, context, signal)
    : hooked(page, visit, { ...context, hooks }, signal));
  page.interceptor.close();
  // a look takes 0.2 ms: a captured page gets it only where a request of it has failed
  if (end.outcome.kind !== 'captured' || page.watch.problems.failedRequests > 0) await page.browser.requireNetwork();
  // a page whose clock stands still does nothing until its next visit, which ends its streams (the pool does, where none comes);
  // a page that goes on would ask the server for more, and six streams open to a host leave the browser no connection
  const goesOn = !isVirtual(clockOf(context)) || page.watch.workers > 0 || page.watch.crowds;
  if (!end.sound || !(goesOn || end.outcome.kind === 'unreachable')) return end;
  try {
    await comeToRest(page, signal);
    // a busy browser may report a worker's flood late, and its pending requests go out in the next visit, with a ration of their own
    return { ...end, sound: page.watch.begun() <= REQUEST_LIMIT };
  } catch {
    return { ...end, sound: false };
  }
}

/** The visit of a page that has hooks; the time of the hooks before the navigation is part of the visit. */
async function hooked(
  page: WarmPage,
  visit: PageVisit,
  context: VisitContext & { readonly hooks: VisitHooks },
  signal: AbortSignal,
): Promise<VisitEnd> {
  const { hooks, clock, options } = context;
  const latest = clock.monotonic() + options.pageTimeout;
  try {
    await hooks.before(milliseconds(latest - READING_TIME - LEAST_IDLE_TIME), signal);
    const pageTimeout = milliseconds(Math.max(1, Math.ceil(latest - clock.monotonic())));
    const end = await visited(page, visit, { ...context, options: { ...options, pageTimeout } }, signal);
    await hooks.letGo();
    return { ...end, sound: end.sound && hooks.sound };
  } finally {
    await hooks.letGo();
  }
}

async function visited(
  page: WarmPage,
  { visit, document }: PageVisit,
  context: VisitContext,
  signal: AbortSignal,
): Promise<VisitEnd> {
  const { options, clock } = context;
  page.selectLinks = options.selectLinks;
  page.interceptor.partToRead = (contentType, url) =>
    partToRead({ contentType, url, isSitemap: visit.isSitemap }, options.wantsFile);
  page.interceptor.wholeBodies = options.wholeBodies ?? null;
  const startedAt = document?.startedAt ?? clock.now();
  const holdClock = isVirtual(clockOf(context));
  page.heldClock ||= holdClock;
  let arrival: Arrival;
  try {
    const { staysOpen, sentBefore } = context;
    await bringCookies(page, visit.url, options.cookies?.of(visit.url) ?? NO_COOKIES, signal);
    const way = { clock, limit: options.pageTimeout, holdClock, document, staysOpen, sentBefore };
    arrival = await navigate(page, visit.url, way, signal);
  } catch (error) {
    if (!(error instanceof DeadlineExceeded)) throw error;
    return { outcome: { kind: 'timed-out', detail: error.message }, sound: false };
  }
  switch (arrival.kind) {
    case 'failed':
      return endedBy(page, visit, failedOutcome(visit, arrival.errorText, context), signal);
    case 'stopped':
      return endedBy(page, visit, stoppedOutcome(visit, arrival, startedAt, context), signal);
    case 'rendering':
      return new RenderedVisit(page, visit, arrival, {
        ...context,
        startedAt,
        truncated: document?.truncated ?? null,
        isFetched: document !== null,
      }).finish(signal);
    default:
      return assertNever(arrival);
  }
}

/** Ends a visit by its answer, or without one: the page stays as it is, unless its cookies have caused that end. */
async function endedBy(page: WarmPage, { url }: Visit, given: VisitOutcome, signal: AbortSignal): Promise<VisitEnd> {
  const outcome = await blameCookies(page, { url, outcome: given }, signal);
  return { outcome: await withCookies(page, { url, outcome }, signal), sound: outcome === given };
}

function failedOutcome(visit: Visit, errorText: string, { egress }: VisitContext): VisitOutcome {
  const { hostName, port } = endpointOf(visit.url);
  const failure = failureOfErrorText(errorText);
  // the browser says no more than that a tunnel was refused
  const known = failure === 'proxy' ? egress?.lastFailure(hostName, port) : null;
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
