/** Loads a page only to see whether the crawl is signed in. It is no visit: nothing of it is kept. */
import type { Clock } from '../../base/clock.ts';
import { epochMs, milliseconds, type Milliseconds } from '../../base/units.ts';
import { canonicalUrl, type CanonicalUrl } from '../../model/url/canonical-url.ts';
import { hostKeyOf } from '../../model/url/host-key.ts';
import type { VisitOutcome } from '../../model/visit-outcome.ts';
import type { Visit } from '../../model/visit.ts';

interface CheckTerms {
  /** Loads a page; a captured one says whether it is signed in. */
  readonly load: (visit: Visit) => Promise<VisitOutcome>;
  /** May a redirect be followed to this page? */
  readonly mayFollow: (url: CanonicalUrl) => boolean;
  readonly clock: Clock;
}

/** Tries of a page of a site that has trouble, and the wait before the second. */
const TRIES = 3;
const TRY_AGAIN: Milliseconds = milliseconds(1000);
const REDIRECTS = 3;

/** @returns false where the page does not show it, or does not come @throws the signal's reason */
export async function showsSignedIn(
  url: CanonicalUrl,
  { load, mayFollow, clock }: CheckTerms,
  signal: AbortSignal,
): Promise<boolean> {
  let at = url;
  let redirects = 0;
  for (let tries = 1; ;) {
    const outcome = await load(checkOf(at));
    if (outcome.kind === 'captured') return outcome.page.signedIn === true;
    if (outcome.kind === 'http-error' && outcome.answer.status < 500) return false;
    if (outcome.kind === 'redirected') {
      const next = canonicalUrl(outcome.location, at);
      redirects += 1;
      if (next === null || redirects > REDIRECTS || !mayFollow(next)) return false;
      at = next;
      continue;
    }
    if (tries === TRIES) return false;
    await clock.sleep(milliseconds(TRY_AGAIN * tries), signal);
    tries += 1;
  }
}

const NEVER = epochMs(0);
const CHECK = {
  depth: 0,
  redirects: 0,
  hops: 0,
  referrer: null,
  kind: 'seed',
  confidence: 'high',
  attempt: 1,
  firstOfHost: false,
  deaths: 0,
  token: -1,
  leasedAt: NEVER,
  leasedUntil: NEVER,
} as const;

/** A visit without a lease: its number is not one of the frontier's. */
function checkOf(url: CanonicalUrl): Visit {
  return { ...CHECK, url, host: hostKeyOf(url) };
}
