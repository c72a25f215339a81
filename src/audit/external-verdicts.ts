/** Verdicts on links to other sites: from external.jsonl, and from a caller with a network. The audit itself sends no request. */
import { join } from 'node:path';
import { storedExternals } from '../crawl-folder/stored-lines.ts';
import { writeWholeFile } from '../crawl-folder/whole-file.ts';
import type { ExternalFacts } from '../model/audit-facts.ts';
import type { ExternalRecord } from '../model/external-record.ts';
import type { UnreadLines } from '../inspect/unread-lines.ts';
import type { LinkBook } from './link-book.ts';

export interface ExternalQuestion {
  /** http and https, each once. */
  readonly urls: readonly string[];
  /** Results of earlier audits of this crawl. */
  readonly known: ReadonlyMap<string, ExternalRecord>;
  /** The User-Agent of the crawl; null where it is not known. */
  readonly userAgent: string | null;
  /** The crawl went through a proxy of the user. */
  readonly throughProxy: boolean;
  /** The crawl was to be made without a browser. */
  readonly withoutBrowser: boolean;
}

export interface ExternalAnswer {
  /** A record for each URL, also where an earlier one still holds. */
  readonly records: readonly ExternalRecord[];
  readonly notes: readonly string[];
}

/** Asks other sites. Rejects with the signal's reason only. */
export type ExternalCheck = (question: ExternalQuestion, signal: AbortSignal) => Promise<ExternalAnswer>;

/** `stored`: uses the results of an earlier audit. */
export type ExternalWay = 'none' | 'stored' | ExternalCheck;

interface ExternalNeeds extends Pick<ExternalQuestion, 'userAgent' | 'throughProxy' | 'withoutBrowser'> {
  readonly folder: string;
  readonly way: ExternalWay;
  /** May the results be written into the folder? */
  readonly keeps: boolean;
  readonly links: LinkBook;
  readonly unread: UnreadLines;
}

interface ExternalFound {
  /** Null where nothing was asked, now or before. */
  readonly facts: readonly ExternalFacts[] | null;
  readonly notes: readonly string[];
}

/** Stores all results, in the order of the links. @throws {CrawlError} OUTPUT_UNUSABLE, DISK_FULL; the signal's reason */
export async function externalVerdicts(
  { folder, way, keeps, links, unread, ...asker }: ExternalNeeds,
  signal: AbortSignal,
): Promise<ExternalFound> {
  if (way === 'none') return { facts: null, notes: [] };
  const known = new Map<string, ExternalRecord>();
  for await (const record of storedExternals(folder, unread)) known.set(record.url, record);
  const urls = links.externalUrls();
  if (way === 'stored' && known.size === 0) return { facts: null, notes: [] };
  const stored = urls.flatMap((url) => known.get(url) ?? []);
  const { records, notes } =
    way === 'stored' ? { records: stored, notes: [] } : await way({ urls, known, ...asker }, signal);
  if (keeps && way !== 'stored') {
    await writeWholeFile(join(folder, 'external.jsonl'), records.map((each) => `${JSON.stringify(each)}\n`).join(''));
  }
  return {
    facts: records.map((record) => ({ ...record, sources: links.externalSources(record.url) })),
    notes: [...links.externalNotes(), ...notes],
  };
}
