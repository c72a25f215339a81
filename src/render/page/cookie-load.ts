/**
 * Detects cookies that make requests too large: a site, or a script of it, stores so many that its own server, or our proxy, refuses every
 * request with them. The page that keeps them is replaced, and the next try has none.
 */
import type { AnswerHead } from '../../core/answers/judge-answer.ts';
import type { DocumentFacts } from '../../model/page-facts.ts';
import type { CanonicalUrl } from '../../model/url/canonical-url.ts';
import type { VisitOutcome } from '../../model/visit-outcome.ts';
import { COOKIE_LIMIT, STORED_LIMIT } from '../limits/browser-limits.ts';
import type { WarmPage } from './warm-page.ts';

/** Statuses by which servers refuse too many headers; 494 is nginx' own, and clients see it as 400. */
const REFUSALS: ReadonlySet<number> = new Set([400, 413, 431, 494]);

/**
 * Does a page store so much that its next request may be refused? Cookies that scripts cannot see count where the document
 * itself has set them; those that its parts have set are found by the refusal.
 */
export function storesTooMuch(
  { headers }: Pick<AnswerHead, 'headers'>,
  { cookies }: Pick<DocumentFacts, 'cookies'>,
): boolean {
  const set = headers.filter(([name]) => name === 'set-cookie').reduce((sum, [, value]) => sum + value.length, 0);
  return Math.max(cookies, set) > STORED_LIMIT;
}

/**
 * Turns an outcome that the page's cookies have caused into one that says so; any other comes back as it is.
 * Asks the browser for its cookies only where they may be the cause.
 */
export async function blameCookies(
  page: WarmPage,
  { url, outcome }: { readonly url: CanonicalUrl; readonly outcome: VisitOutcome },
  signal: AbortSignal,
): Promise<VisitOutcome> {
  if (!mayBeRefused(outcome)) return outcome;
  const size = await cookieSize(page, url, signal).catch(() => 0); // the page is gone: the outcome stands
  if (size < COOKIE_LIMIT) return outcome;
  const answer = outcome.kind === 'http-error' ? `status ${outcome.answer.status}` : 'no answer';
  const detail = `the site has stored ${Math.round(size / 1024)} KiB of cookies, and a request with them got ${answer}`;
  return { kind: 'unreachable', failure: 'request-too-large', detail };
}

function mayBeRefused(outcome: VisitOutcome): boolean {
  if (outcome.kind === 'http-error') return REFUSALS.has(outcome.answer.status);
  if (outcome.kind !== 'unreachable') return false;
  return outcome.failure === 'request-too-large' || outcome.failure === 'reset' || outcome.failure === 'bad-response';
}

/** Characters of the cookies that a request for the URL carries, names included. */
async function cookieSize(page: WarmPage, url: CanonicalUrl, signal: AbortSignal): Promise<number> {
  const { cookies } = await page.within(
    page.session.send('Network.getCookies', { urls: [url] }),
    'its cookies',
    signal,
  );
  return cookies.reduce((sum, { name, value }) => sum + name.length + value.length + 3, 0);
}
