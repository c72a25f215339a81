/** Starts the visit's navigation and waits for its answer, which is judged before any of its body is rendered. */
import type { Clock } from '../../base/clock.ts';
import { withDeadline } from '../../base/deadline.ts';
import { milliseconds, type Milliseconds } from '../../base/units.ts';
import type { FetchedDocument } from '../../core/answers/fetched-document.ts';
import type { CanonicalUrl } from '../../model/url/canonical-url.ts';
import { orNothing } from '../extract/collect.ts';
import { HISTORY_LIMIT, REST_LIMIT } from '../limits/browser-limits.ts';
import { CLOCK_START } from './deterministic-page.ts';
import type { JudgedAnswer } from './judged-answer.ts';
import { HistoryReset } from './history-reset.ts';
import type { WarmPage } from './warm-page.ts';

export type Arrival =
  /** The document is being rendered; its clock stands still where the page has a virtual one. */
  | { readonly kind: 'rendering'; readonly answer: JudgedAnswer; readonly started: Milliseconds }
  /** Judged and stopped, or the browser would not show it (a download): the page shows what it showed before. */
  | { readonly kind: 'stopped'; readonly answer: JudgedAnswer; readonly started: Milliseconds }
  | { readonly kind: 'failed'; readonly errorText: string };

interface NavigateOptions {
  readonly clock: Clock;
  /** Real time until the document has arrived. */
  readonly limit: Milliseconds;
  /** Hold the page's clock until it is granted time. */
  readonly holdClock: boolean;
  /** The answer that the server has given already; null where the browser is to ask it. */
  readonly document: FetchedDocument | null;
  /** May no script close the page? One may while its document is the only one in its history. Left out: a script may. */
  readonly staysOpen?: boolean;
  /** Requests that earlier tries of the visit have sent. */
  readonly sentBefore?: number;
}

/** @throws {DeadlineExceeded} where the answer does not come in time */
export async function navigate(
  page: WarmPage,
  url: CanonicalUrl,
  { clock, limit, holdClock, document, staysOpen = false, sentBefore = 0 }: NavigateOptions,
  signal: AbortSignal,
): Promise<Arrival> {
  const { session, interceptor } = page;
  const address = url.split('#', 1)[0] ?? '';
  // to another fragment of the same address the browser would only scroll
  if (staysOpen || (address !== url && address === page.shows)) await leave(page, signal);
  page.latest = milliseconds(Number.POSITIVE_INFINITY);
  page.watch.clear(sentBefore);
  page.bodies.clear();
  page.behaviour?.clear();
  page.order?.clear();
  if (holdClock) {
    // before the navigation, but not waited for: the browser keeps the order
    const start = page.deterministic ? { initialVirtualTime: CLOCK_START / 1000 } : {};
    const paused = session.send('Emulation.setVirtualTimePolicy', { policy: 'pause', ...start }).catch(() => {}); // the page is gone: it says so itself
    // else the navigation may begin some milliseconds before the page stops its clock, and they show
    if (page.deterministic) await withDeadline(paused, 'the page clock', limit, signal);
  }
  interceptor.expect(document);
  page.world = null;
  const started = document?.started ?? milliseconds(clock.monotonic());
  using reset = staysOpen ? null : new HistoryReset(page);
  const navigated = withDeadline(session.send('Page.navigate', { url }), 'the server', limit, signal);
  // a file stalls: the next navigation ends this one
  const givenUp = interceptor.givenUp.then(() => ({ errorText: 'net::ERR_ABORTED' }));
  const { errorText } = await Promise.race([navigated, givenUp]);
  navigated.catch(() => {}); // nobody waits for it any more
  const { answer } = interceptor;
  if (answer === null) return { kind: 'failed', errorText: errorText ?? 'net::ERR_FAILED' };
  if (answer.verdict.kind !== 'render') return { kind: 'stopped', answer, started };
  if (errorText === 'net::ERR_ABORTED') return { kind: 'stopped', answer, started };
  if (errorText !== undefined) return { kind: 'failed', errorText };
  page.shows = address;
  // before the page's clock runs; a page that hangs at once goes back no more
  if (reset !== null) await orNothing(page.within(reset.done, 'its history', signal, HISTORY_LIMIT), page, signal);
  return { kind: 'rendering', answer, started };
}

/** Shows an empty document, so that nothing of the document before runs any more. */
export async function leave(page: WarmPage, signal: AbortSignal, limit?: Milliseconds): Promise<void> {
  page.interceptor.close();
  page.world = null;
  await page.within(page.session.send('Page.navigate', { url: 'about:blank' }), 'about:blank', signal, limit);
  page.shows = 'about:blank';
}

/** Virtual time for workers to end. Blink ends a worker that computes on 2 s after its document has gone, by a timer of the page. */
const WORKERS_END: Milliseconds = milliseconds(2500);

/**
 * Shows an empty document until the next visit, and lets the old document's computations end: the timer that ends its workers stands still
 * with the clock of the page, and a worker would keep a core busy until then.
 * @throws {DeadlineExceeded | PageEnded} where that takes long: the page has more to dispose of than a new one costs
 */
export async function comeToRest(page: WarmPage, signal: AbortSignal): Promise<void> {
  await leave(page, signal, REST_LIMIT);
  if (!page.heldClock) return;
  const { session } = page;
  let expired = (): void => {};
  const over = new Promise<void>((resolve) => (expired = resolve));
  session.once('Emulation.virtualTimeBudgetExpired', expired);
  try {
    const granted = session.send('Emulation.setVirtualTimePolicy', { policy: 'advance', budget: WORKERS_END });
    await page.within(
      granted.then(() => over),
      'the end of its workers',
      signal,
      REST_LIMIT,
    );
  } finally {
    session.off('Emulation.virtualTimeBudgetExpired', expired);
  }
}
