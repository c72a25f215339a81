/** Counts of the crawl folder's lines, for the summary and the page limit. */
import { join } from 'node:path';
import { z } from 'zod';
import { milliseconds, type Milliseconds } from '../../base/units.ts';
import { linesHolding } from '../../crawl-folder/crawl-lines.ts';
import { earlierTest } from '../../crawl-folder/earlier-lines.ts';
import { leadsToPage } from '../../core/links/page-link.ts';
import { unansweredOf } from '../../core/requests/unanswered.ts';
import type { JournalEntry } from '../../model/journal-entry.ts';
import { UNUSED_CONTROLS } from '../../model/page-actions.ts';
import { LINK_KINDS } from '../../model/link-kinds.ts';
import { LINK_CONFIDENCES } from '../../model/link.ts';
import {
  countsForLimit,
  isFailure,
  RECORD_OUTCOMES,
  SKIP_REASONS,
  type PageRecord,
  type RecordOutcome,
  type SkippedRecord,
  type SkipReason,
} from '../../model/record.ts';
import { NOFOLLOW_RULES } from '../../pipeline/outgoing-links.ts';
import { TRUNCATION_CAUSES, type TruncationCause } from '../../model/truncation.ts';

/** Failures, and broken bodies, that the summary can name. */
const KEPT_FAILURES = 20;

interface Failure {
  readonly url: string;
  readonly why: string;
  readonly referrer: string | null;
}

/** How many bodies broke off, and which were the first. */
export interface TruncatedPages {
  readonly count: number;
  readonly first: readonly { readonly url: string; readonly cause: TruncationCause }[];
}

/** Pages that ended while they waited for answers, and which of them waited longest. */
export interface UnansweredPages {
  readonly count: number;
  readonly longest: { readonly url: string; readonly request: string; readonly time: Milliseconds } | null;
}

/** Pages that had controls left when the limits of their use were reached (`--explore`), and the first of them. */
export interface PartlyUsedPages {
  readonly count: number;
  readonly first: string | null;
}

/** Pages that were rendered and showed nothing, and the first of them. */
export interface BlankPages {
  readonly count: number;
  readonly first: string | null;
}

/** The fields of a line of pages.jsonl that the counts use. */
export type CountedPage = Pick<
  PageRecord,
  'url' | 'outcome' | 'status' | 'truncated' | 'detail' | 'referrer' | 'confidence' | 'settle' | 'empty'
> & {
  readonly timing: { readonly total: number } | null;
  readonly links: Pick<PageRecord['links'], 'found'>;
};

export interface Tally {
  readonly outcomes: ReadonlyMap<RecordOutcome, number>;
  readonly skipped: ReadonlyMap<SkipReason, number>;
  /** Links to pages, subresources of pages not counted. */
  readonly linksFound: number;
  readonly failures: readonly Failure[];
  /** Failures at guessed addresses: speculative links that proved wrong. */
  readonly wrongGuesses: ReadonlyMap<RecordOutcome, number>;
  /** Pages and files whose body broke off. */
  readonly truncated: TruncatedPages;
  readonly unanswered: UnansweredPages;
  readonly partlyUsed: PartlyUsedPages;
  readonly blank: BlankPages;
  addPage(page: CountedPage): void;
  /** Links to pages that were found on a page which is counted already. */
  addLinks(count: number): void;
  /** URLs that only nofollow links lead to; those that a sitemap may not name are not in it. */
  readonly nofollow: number;
  addSkipped(record: Pick<SkippedRecord, 'reason' | 'rule'>): void;
}

export function pagesForLimit({ outcomes }: Pick<Tally, 'outcomes'>): number {
  return [...outcomes].reduce((sum, [outcome, count]) => (countsForLimit(outcome) ? sum + count : sum), 0);
}

export function createTally(): Tally {
  const outcomes = new Map<RecordOutcome, number>();
  const skipped = new Map<SkipReason, number>();
  const failures: Failure[] = [];
  const wrongGuesses = new Map<RecordOutcome, number>();
  const broken: { readonly url: string; readonly cause: TruncationCause }[] = [];
  let unanswered: UnansweredPages = { count: 0, longest: null };
  let partlyUsed: PartlyUsedPages = { count: 0, first: null };
  let blank: BlankPages = { count: 0, first: null };
  let brokenCount = 0;
  let linksFound = 0;
  let nofollow = 0;
  return {
    outcomes,
    skipped,
    failures,
    wrongGuesses,
    get truncated() {
      return { count: brokenCount, first: broken };
    },
    get unanswered() {
      return unanswered;
    },
    get partlyUsed() {
      return partlyUsed;
    },
    get blank() {
      return blank;
    },
    get nofollow() {
      return nofollow;
    },
    get linksFound() {
      return linksFound;
    },
    addPage: (page) => {
      outcomes.set(page.outcome, (outcomes.get(page.outcome) ?? 0) + 1);
      linksFound += page.links.found;
      if (page.truncated !== null) {
        brokenCount += 1;
        if (broken.length < KEPT_FAILURES) broken.push({ url: page.url, cause: page.truncated });
      }
      unanswered = withUnanswered(unanswered, page);
      if (page.outcome === 'captured' && page.detail?.includes(`${UNUSED_CONTROLS}: `) === true)
        partlyUsed = { count: partlyUsed.count + 1, first: partlyUsed.first ?? page.url };
      if (page.empty) blank = { count: blank.count + 1, first: blank.first ?? page.url };
      if (!isFailure(page.outcome)) return;
      // a speculative address where nothing is found is no failure of the site
      if (page.confidence === 'low') wrongGuesses.set(page.outcome, (wrongGuesses.get(page.outcome) ?? 0) + 1);
      else if (failures.length < KEPT_FAILURES) failures.push(failureOf(page));
    },
    addLinks: (count) => {
      linksFound += count;
    },
    addSkipped: ({ reason, rule }) => {
      skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
      if (reason === 'nofollow' && NOFOLLOW.has(rule)) nofollow += 1;
    },
  };
}

function withUnanswered(before: UnansweredPages, { url, settle, timing }: CountedPage): UnansweredPages {
  const [request] = unansweredOf(settle);
  if (request === undefined) return before;
  const time = milliseconds(timing === null ? 0 : timing.total);
  const isLonger = before.longest === null || time > before.longest.time;
  return { count: before.count + 1, longest: isLonger ? { url, request, time } : before.longest };
}

/** Why a page failed, in words. */
function failureOf(page: CountedPage): Failure {
  const why = page.detail ?? (page.status === null ? page.outcome : `status ${page.status}`);
  return { url: page.url, why, referrer: page.referrer };
}

const pageLine = z.looseObject({
  url: z.string(),
  outcome: z.enum(RECORD_OUTCOMES),
  status: z.number().nullable(),
  truncated: z.enum(TRUNCATION_CAUSES).nullable().default(null), // missing in lines of earlier versions
  detail: z.string().nullable(),
  referrer: z.string().nullable(),
  confidence: z.enum(LINK_CONFIDENCES),
  empty: z.boolean().default(false), // missing in lines of earlier versions
  links: z.looseObject({ found: z.number() }),
  settle: z.looseObject({ reason: z.string(), pending: z.array(z.string()) }),
  timing: z.looseObject({ total: z.number() }).nullable(),
  again: z.literal(true).optional(),
});
/** A line of links.jsonl. */
const linkLine = z.looseObject({ kind: z.enum(LINK_KINDS), rel: z.array(z.string()), context: z.string() });
const skippedLine = z.looseObject({ reason: z.enum(SKIP_REASONS), rule: z.string() });
const NOFOLLOW: ReadonlySet<string> = new Set(Object.values(NOFOLLOW_RULES));

/** Counts the entry of one commit. Of a page that was visited again, only the links that this visit has added count. */
export function countEntry(entry: JournalEntry, tally: Tally): void {
  if (entry.page?.again === true) tally.addLinks(entry.links.filter(isLinkToPage).length);
  else if (entry.page !== null) tally.addPage(entry.page);
  for (const record of entry.skipped) tally.addSkipped(record);
}

/** Counts the lines that an earlier run of the same crawl wrote. A text in a line may hold U+2028, at which `node:readline` would part it. */
export async function countFolder(folder: string, tally: Tally): Promise<void> {
  const pages = join(folder, 'pages.jsonl');
  const isEarlier = await earlierTest(pages);
  for await (const { text } of linesHolding(pages, '')) {
    const page = pageLine.parse(JSON.parse(text));
    if (!isEarlier(page)) tally.addPage(page);
  }
  for await (const { text } of linesHolding(join(folder, 'skipped.jsonl'), ''))
    tally.addSkipped(skippedLine.parse(JSON.parse(text)));
}

function isLinkToPage(line: string): boolean {
  return leadsToPage(linkLine.parse(JSON.parse(line)));
}
