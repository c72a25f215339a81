/** Evidence from a visit that the crawl is still signed in, or is not. Pure. */
import { parsedUrl } from '../../base/parsed-url.ts';
import { registrableDomainOf, storedHostKey } from '../../model/url/host-key.ts';
import { urlShape } from '../../model/url/url-shape.ts';
import type { VisitOutcome } from '../../model/visit-outcome.ts';
import { canonicalUrl } from '../../model/url/canonical-url.ts';

/** `in`: it is. `doubt`: perhaps not; a page that was signed in before can tell. `nothing`: the visit says nothing of it. */
export type SessionEvidence = 'in' | 'doubt' | 'nothing';

interface EvidenceTerms {
  /** Does an address have the mark? Null where the mark is not one of addresses. */
  readonly isMarked: ((url: string) => boolean) | null;
  /** Has a redirect to such a target been made while the crawl was signed in? */
  readonly isKnownTarget: (url: string) => boolean;
}

/** Answers to a client that is not signed in, or not allowed. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403]);

/** @param outcome for a captured page with the mark that it shows, where the mark is not one of addresses */
export function sessionEvidence(
  url: string,
  outcome: VisitOutcome,
  { isMarked, isKnownTarget }: EvidenceTerms,
): SessionEvidence {
  if (outcome.kind === 'captured') {
    const shown = isMarked === null ? outcome.page.signedIn : isMarked(outcome.page.finalUrl);
    return shown === true ? 'in' : 'doubt';
  }
  if (outcome.kind === 'redirected') {
    const target = parsedUrl(outcome.location, url)?.href ?? '';
    if (isMarked === null) return isLogInAddress(target) || !isKnownTarget(target) ? 'doubt' : 'nothing';
    // a mark such as "not /login" says nothing of an identity provider
    const isElsewhere = siteOf(target) !== siteOf(url);
    return isMarked(target) && !(isElsewhere && isLogInAddress(target)) ? 'nothing' : 'doubt';
  }
  return outcome.kind === 'http-error' && REFUSALS.has(outcome.answer.status) ? 'doubt' : 'nothing';
}

const LOG_IN =
  /(?:^|[^a-z])(?:log-?_?in|sign-?_?in|log-?_?on|sign-?_?on|auth|authenticate|authorize|authorise|oauth2?|oidc|saml2?|sso|cas|session\/new|sessions\/new|anmelden|einloggen|connexion|iniciar-?sesion|accedi|inloggen|zaloguj|wp-login)(?=$|[^a-z])/i;
/** What SAML and WS-Federation ask an identity provider. */
const ASKS = /[?&](?:SAMLRequest=|wa=wsignin)/;
/** Characters of an address that are read. */
const LENGTH = 500;

/** Does an address read like that of a page to sign in on? */
function isLogInAddress(target: string): boolean {
  const url = parsedUrl(target);
  if (url === null) return false;
  return LOG_IN.test(`${url.hostname}${url.pathname}`.slice(0, LENGTH)) || ASKS.test(url.search.slice(0, LENGTH));
}

/** The key that redirects to similar targets have in common. */
export function targetShape(location: string, from: string): string {
  const url = canonicalUrl(parsedUrl(location, from)?.href ?? '');
  return url === null ? location.slice(0, LENGTH) : urlShape(url, 'place');
}

/** The registrable domain of a URL; null where it is no http(s) one. */
export function siteOf(text: string): string | null {
  const url = parsedUrl(text);
  return url === null || !/^https?:$/.test(url.protocol) ? null : registrableDomainOf(storedHostKey(url.origin));
}
