import type { SkipReason } from '../../model/record.ts';
import type { CanonicalUrl } from '../../model/url/canonical-url.ts';
import type { SharedSet } from './shared-set.ts';

/** A URL that may become a visit: all facts that the scope's rules look at. */
export interface ScopeCandidate {
  readonly url: CanonicalUrl;
  /** Links from a seed; 0 for a seed. */
  readonly depth: number;
  /** Redirects in a row that led here; 0 for all but the target of a redirect. */
  readonly redirects: number;
  /** Links in a row, this one included, since the last page that was in scope; 1 where it links from such a page. */
  readonly hops?: number;
  /** It is to be read for its entries, not for itself: a sitemap that robots.txt or another sitemap names. */
  readonly isSitemap?: boolean;
}

/** Facts that the rules use besides the candidate. */
export interface ScopeContext {
  /** Seeds, and the targets of their redirects. */
  readonly seeds: SharedSet;
  /** The part that the seeds share with the URLs in scope: their prefixes, host names or domains. */
  readonly scopeRoot: SharedSet;
  /** Hosts of the seeds, with port. */
  readonly hosts: SharedSet;
}

type RuleVerdict =
  | { readonly kind: 'accept' }
  | { readonly kind: 'reject'; readonly reason: SkipReason; readonly words: string }
  /** The next rule decides. */
  | { readonly kind: 'pass' };

/** One sentence of the scope (Heritrix' DecideRule). Rules stand in a list, and the first that does not pass decides. */
export type Rule = (candidate: ScopeCandidate, context: ScopeContext) => RuleVerdict;

export const ACCEPT: RuleVerdict = { kind: 'accept' };
export const PASS: RuleVerdict = { kind: 'pass' };

export function reject(reason: SkipReason, words: string): RuleVerdict {
  return { kind: 'reject', reason, words };
}
