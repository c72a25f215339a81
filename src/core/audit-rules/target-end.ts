/** The last target of a link after its redirects, with its outcome. */
import type { SiteFacts, TargetFacts } from '../../model/audit-facts.ts';

interface LinkEnd {
  /** Null where it was not visited: nothing is known of it. */
  readonly end: TargetFacts | null;
  /** All addresses on the way, the first and the last included. */
  readonly chain: readonly string[];
  /** The chain returns to one of its addresses. */
  readonly loops: boolean;
}

/** Redirects that are followed; more of them than any browser follows. */
const MOST_HOPS = 25;

export function endOf(site: Pick<SiteFacts, 'target'>, address: string): LinkEnd {
  const chain = [address];
  let end = site.target(address);
  while (end?.redirect != null && chain.length <= MOST_HOPS) {
    const next = end.redirect;
    if (chain.includes(next)) return { end, chain: [...chain, next], loops: true };
    chain.push(next);
    end = site.target(next);
  }
  return { end, chain, loops: false };
}

/** Error texts of the crawl (egress/gate/system-resolver.ts), of Node and of Chromium. */
const NO_NAME = /\bname \S+ does not exist\b|\bENOTFOUND\b|\bERR_NAME_NOT_RESOLVED\b/;
const REFUSED = /\bECONNREFUSED\b|\bERR_CONNECTION_REFUSED\b/;

/** The page does not exist, and a retry does not help. A host that answered for other pages and then refused was down for a moment. */
export function isGone({ url, outcome, status, detail }: TargetFacts, site: Pick<SiteFacts, 'isOwn'>): boolean {
  if (outcome === 'http-error') return status === 404 || status === 410;
  if (outcome !== 'unreachable') return false;
  return NO_NAME.test(detail ?? '') || (REFUSED.test(detail ?? '') && !site.isOwn(url));
}

/** It failed, but may work for others or at another time. */
export function isUnsure({ outcome }: TargetFacts): boolean {
  return outcome === 'http-error' || outcome === 'unreachable' || outcome === 'timed-out';
}

/** How a link fails: `answers with status 404`, `redirects to https://example.org/new, which answers with status 404`. */
export function failureWords(end: TargetFacts, chain: readonly string[]): string {
  return `${chain.length > 1 ? `redirects to ${end.url}, which ` : ''}${lastWords(end)}`;
}

function lastWords({ outcome, status, detail }: TargetFacts): string {
  if (outcome === 'http-error' && status !== null) return `answers with status ${status}`;
  if (outcome === 'timed-out') return 'does not answer in time';
  return `cannot be reached${detail === null ? '' : `: ${detail}`}`;
}
