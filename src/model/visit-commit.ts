import type { EpochMs, Milliseconds } from '../base/units.ts';
import type { Candidate } from './candidate.ts';
import { countsForLimit, type LinkRecord, type PageRecord, type SkippedRecord } from './record.ts';
import type { CanonicalUrl } from './url/canonical-url.ts';

/** How a URL leaves its lease. */
export type Disposition =
  /** It was visited, whatever the outcome: one line in pages.jsonl. */
  | { readonly kind: 'visited'; readonly record: PageRecord }
  /** It failed for good: one line in pages.jsonl, counted as failed. */
  | { readonly kind: 'failed'; readonly record: PageRecord }
  /** It must not be visited (robots.txt, address): one line in skipped.jsonl, none in pages.jsonl. */
  | { readonly kind: 'skipped'; readonly record: SkippedRecord }
  /** It gets another try, not before `due`; costs one attempt. */
  | { readonly kind: 'retry'; readonly due: EpochMs };

/** Does the visit count for page limits? A visit that will be tried again does not. */
export function isCountedPage(disposition: Disposition): boolean {
  const isPage = disposition.kind === 'visited' || disposition.kind === 'failed';
  return isPage && countsForLimit(disposition.record.outcome);
}

/** A URL that is skipped for now, and its candidate for a later visit. */
export interface FoldedUrl {
  /** All URLs of one id are revived together (traps/parameter-memory.ts). */
  readonly id: string;
  readonly candidate: Candidate;
}

/** A link of the page that goes into links.jsonl. */
export interface CommittedLink {
  readonly record: Omit<LinkRecord, 'new'>;
  readonly target:
    /** The scope accepts it. */
    | { readonly kind: 'candidate'; readonly candidate: Candidate }
    | {
        readonly kind: 'skipped';
        readonly record: SkippedRecord;
        /** Skipped for this page only: another page's link to it is followed, if the scope accepts it then. */
        readonly soFar?: true;
        /** It differs from a visited page only in parameters that change nothing; if that proves wrong, it is visited after all. */
        readonly fold?: FoldedUrl;
      }
    /** The page embeds it or requested it from the network: an edge of the graph that is neither visited nor skipped. */
    | { readonly kind: 'subresource' };
  /** Its target was made known for this commit, just before it. */
  readonly isNew?: true;
}

/**
 * Novelty of a page's content: `known` where a similar page was seen before, null where the page cannot tell
 * (a failure, a redirect, a file, a page without text).
 */
export type Novelty = 'new' | 'known' | null;

/** All changes of one finished visit. The frontier commits them in one step, or not at all. */
export interface VisitCommit {
  readonly disposition: Disposition;
  readonly links: readonly CommittedLink[];
  /** Line of details.jsonl, JSON; left out where nothing is recorded. */
  readonly details?: string;
  /** Pause between two visits of the host, from now on: its next visit is not before the commit's `now` + this. */
  readonly hostDelay: Milliseconds;
  /** Concurrent visits that the host may have from now on; 1 or more. A host without commits has 1. */
  readonly hostSlots: number;
  /** Time from the request to the first byte of the answer, spent by the host's server on this visit; null where no answer came. */
  readonly serverTime: Milliseconds | null;
  readonly novelty: Novelty;
  /**
   * Pause of the host because it failed or asked for it; null where all is well. If the host did not ask, the pause
   * doubles with every further failure in a row (frontier/lua/includes/health.lua).
   */
  readonly hostBackoff: Milliseconds | null;
  /** Upper limit of the doubled pause; null where the host named the time itself: then the pause is not doubled. */
  readonly hostBackoffMost: Milliseconds | null;
  /** The host refused the visit for too many requests, as far as one can tell: it is not visited as often again soon. */
  readonly hostThrottled?: true;
  /** The URL has failed before, and may be alone in that: if the host has answered since, it is not left alone because of this visit. */
  readonly failsAgain?: true;
  /** The visit requested nothing from the host, not even robots.txt: the host is due as if it had not been leased. */
  readonly unasked?: true;
  /** Redirect targets of seeds: they widen the scope as seeds do. */
  readonly newSeeds: readonly CanonicalUrl[];
}
