/** The findings of a crawl, in an order that does not depend on which process made which visit. */
import type { LinkRecord, PageRecord, SkippedRecord } from '../../src/model/record.ts';
import { linesOf } from './crawl-run.ts';
import { expectWhole } from './whole-crawl.ts';

export interface Found {
  readonly pages: readonly string[];
  readonly links: readonly string[];
  readonly skipped: readonly string[];
}

/** Reads the findings, and expects the folder to be whole, except for snapshots that workers may have. */
export async function foundIn(folder: string): Promise<Found> {
  await expectWhole(folder, { areGathered: false });
  const pages = await linesOf<PageRecord>(folder, 'pages.jsonl');
  const links = await linesOf<LinkRecord>(folder, 'links.jsonl');
  const skipped = await linesOf<SkippedRecord>(folder, 'skipped.jsonl');
  return {
    pages: pages.map(({ url, outcome, status }) => `${outcome} ${status} ${url}`).toSorted(),
    links: links.map(({ from, to, kind }) => `${kind} ${from} ${to}`).toSorted(),
    skipped: skipped.map(({ url, reason, rule }) => `${reason} ${rule} ${url}`).toSorted(),
  };
}
