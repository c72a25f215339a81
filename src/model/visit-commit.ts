import type { EpochMs, Milliseconds } from '../base/units.ts';
import type { Candidate } from './candidate.ts';
import { countsForLimit, type LinkRecord, type PageRecord, type SkippedRecord } from './record.ts';
import type { CanonicalUrl } from './url/canonical-url.ts';

/** How a URL leaves its lease. */
export type Disposition =
  /** It was visited, whatever came of it: one line in pages.jsonl. */
  | { readonly kind: 'visited'; readonly record: PageRecord }
  /** It came to nothing for good: one line in pages.jsonl, counted as failed. */
  | { readonly kind: 'failed'; readonly record: PageRecord }
  /** It turned out that it must not be visited (robots.txt, address): one line in skipped.jsonl, none in pages.jsonl. */
  | { readonly kind: 'skipped'; readonly record: SkippedRecord }
  /** Another try, not before `due`. Costs one attempt. */
  | { readonly kind: 'retry'; readonly due: EpochMs };

/** Whether a visit that ended so is one of the pages that limits allow. Another try of the same page is not. */
export function isCountedPage(disposition: Disposition): boolean {
  const isPage = disposition.kind === 'visited' || disposition.kind === 'failed';
  return isPage && countsForLimit(disposition.record.outcome);
}

/** A URL that is skipped so far, and how it would be visited. */
export interface FoldedUrl {
  /** All URLs of one id come back together (traps/parameter-memory.ts). */
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
        /** As far as this page goes: another page's link to it is followed. */
        readonly soFar?: true;
        /** It differs from a page that was visited in parameters that change nothing; if that proves wrong it is visited after all. */
        readonly fold?: FoldedUrl;
      }
    /** The page embeds it, or asked the network for it: an edge of the graph that is neither visited nor skipped. */
    | { readonly kind: 'subresource' };
  /** Its target was made known for this very commit, before it. */
  readonly isNew?: true;
}

/**
 * Whether a page brought something that the crawl had not: `known` where a page like it was there before, null where that says
 * nothing (a failure, a redirect, a file, a page without text).
 */
export type Novelty = 'new' | 'known' | null;

/** All that one finished visit changes. The frontier commits it in one step, or not at all. */
export interface VisitCommit {
  readonly disposition: Disposition;
  readonly links: readonly CommittedLink[];
  /** Line of details.jsonl, JSON; left out where nothing is recorded. */
  readonly details?: string;
  /** Pause of the host between two visits, from now on: its next visit is not before the commit's `now` + this. */
  readonly hostDelay: Milliseconds;
  /** Visits that the host may have at a time from now on; 1 or more. A host that nothing was committed of has 1. */
  readonly hostSlots: number;
  /** From the request to the first byte of the answer, what the host's server took for this visit; null where none came. */
  readonly serverTime: Milliseconds | null;
  readonly novelty: Novelty;
  /**
   * The host is left alone for this long because it failed or asked for it; null where all is well. Of a host that did not ask
   * for it the pause doubles with every further failure in a row (frontier/lua/includes/health.lua).
   */
  readonly hostBackoff: Milliseconds | null;
  /** The most that the pause may double to; null where the host named the time itself, which then stands as it is. */
  readonly hostBackoffMost: Milliseconds | null;
  /** Targets of a seed's redirect: they widen the scope as seeds do. */
  readonly newSeeds: readonly CanonicalUrl[];
}
