/** Counts of what is in the crawl folder, for the summary and the page limit. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import type { JournalEntry } from '../model/journal-entry.ts';
import { LINK_CONFIDENCES } from '../model/link.ts';
import {
  countsForLimit,
  isFailure,
  RECORD_OUTCOMES,
  SKIP_REASONS,
  type PageRecord,
  type RecordOutcome,
  type SkipReason,
} from '../model/record.ts';
import { TRUNCATION_CAUSES, type TruncationCause } from '../model/truncation.ts';

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

/** What the counts take from a line of pages.jsonl. */
export type CountedPage = Pick<
  PageRecord,
  'url' | 'outcome' | 'status' | 'truncated' | 'detail' | 'referrer' | 'confidence'
> & {
  readonly links: Pick<PageRecord['links'], 'found'>;
};

export interface Tally {
  readonly outcomes: ReadonlyMap<RecordOutcome, number>;
  readonly skipped: ReadonlyMap<SkipReason, number>;
  /** Links to pages, subresources of pages not counted. */
  readonly linksFound: number;
  readonly failures: readonly Failure[];
  /** Pages and files whose body broke off. */
  readonly truncated: TruncatedPages;
  addPage(page: CountedPage): void;
  addSkipped(reason: SkipReason): void;
}

export function pagesForLimit({ outcomes }: Pick<Tally, 'outcomes'>): number {
  return [...outcomes].reduce((sum, [outcome, count]) => (countsForLimit(outcome) ? sum + count : sum), 0);
}

export function createTally(): Tally {
  const outcomes = new Map<RecordOutcome, number>();
  const skipped = new Map<SkipReason, number>();
  const failures: Failure[] = [];
  const broken: { readonly url: string; readonly cause: TruncationCause }[] = [];
  let brokenCount = 0;
  let linksFound = 0;
  return {
    outcomes,
    skipped,
    failures,
    get truncated() {
      return { count: brokenCount, first: broken };
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
      // that nothing is at a speculative address is no failure of the site
      if (page.confidence === 'low' || !isFailure(page.outcome)) return;
      if (failures.length < KEPT_FAILURES) failures.push(failureOf(page));
    },
    addSkipped: (reason) => {
      skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
    },
  };
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
  truncated: z.enum(TRUNCATION_CAUSES).nullable().default(null), // earlier versions did not tell
  detail: z.string().nullable(),
  referrer: z.string().nullable(),
  confidence: z.enum(LINK_CONFIDENCES),
  links: z.looseObject({ found: z.number() }),
});
const skippedLine = z.looseObject({ reason: z.enum(SKIP_REASONS) });

/** Counts what one commit added. */
export function countEntry(entry: JournalEntry, tally: Tally): void {
  if (entry.page !== null) tally.addPage(entry.page);
  for (const { reason } of entry.skipped) tally.addSkipped(reason);
}

/** Counts what an earlier run of the same crawl wrote. */
export async function countFolder(folder: string, tally: Tally): Promise<void> {
  for await (const line of linesOf(join(folder, 'pages.jsonl'))) {
    tally.addPage(pageLine.parse(JSON.parse(line)));
  }
  for await (const line of linesOf(join(folder, 'skipped.jsonl')))
    tally.addSkipped(skippedLine.parse(JSON.parse(line)).reason);
}

async function* linesOf(path: string): AsyncGenerator<string> {
  if ((await stat(path).catch(() => null)) === null) return;
  yield* createInterface({ input: createReadStream(path), crlfDelay: Infinity });
}
