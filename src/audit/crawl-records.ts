/** The crawl's facts about each URL: the lines of pages.jsonl, as far as an audit needs them. */
import { storedPages, type StoredPage, type Unread } from '../crawl-folder/stored-lines.ts';
import type { TargetFacts } from '../model/audit-facts.ts';

/** A line of pages.jsonl with the fields that an audit needs: there may be hundreds of thousands of lines. */
export interface AuditRecord extends TargetFacts {
  readonly confidence: StoredPage['confidence'];
  readonly rendered: boolean;
  /** It is read by the rules of XML. */
  readonly isXml: boolean;
  readonly bytes: number | null;
  readonly isCut: boolean;
  readonly timedOut: boolean;
  /** Requests under way when it was read. */
  readonly pending: readonly string[];
  readonly ttfb: number | null;
  readonly isEmpty: boolean;
  readonly signedIn: boolean | null;
  readonly title: string | null;
  /** As written. */
  readonly canonical: string | null;
  readonly robots: readonly string[];
  readonly words: number | null;
  /** The address that its scripts wrote in place of its own, without a fragment; null where there is none. */
  readonly written: string | null;
  readonly duplicateOf: string | null;
  readonly similarity: number | null;
  readonly snapshot: StoredPage['snapshot'];
}

/** Records by URL; of a URL that was visited several times, the last one. */
export async function readRecords(folder: string, unread: Unread): Promise<ReadonlyMap<string, AuditRecord>> {
  const records = new Map<string, AuditRecord>();
  for await (const page of storedPages(folder, '', unread)) records.set(page.url, recordOf(page));
  return records;
}

function recordOf(page: StoredPage): AuditRecord {
  const { url, outcome, status, detail, depth, confidence, rendered, bytes, title, canonical, robots, words } = page;
  const {
    duplicateOf,
    similarity,
    snapshot,
    finalUrl,
    truncated,
    settle,
    empty,
    timing,
    contentType,
    signedIn = null,
  } = page;
  return {
    url,
    outcome,
    status,
    detail,
    depth,
    confidence,
    rendered,
    isXml: contentType === 'application/xhtml+xml',
    bytes,
    title,
    canonical,
    robots,
    words,
    duplicateOf,
    similarity,
    snapshot,
    redirect: outcome === 'redirected' ? finalUrl : null,
    written: outcome === 'captured' ? otherAddress(url, finalUrl) : null,
    isCut: truncated !== null || detail?.includes('not read to its end') === true,
    pending: settle.pending.slice(0, 3),
    ttfb: timing?.ttfb ?? null,
    timedOut: settle.reason === 'timeout',
    isEmpty: empty,
    signedIn,
  };
}

function otherAddress(url: string, finalUrl: string): string | null {
  const [own, written = null] = [url, finalUrl].map((address) => address.split('#', 1)[0]);
  return written === own ? null : written;
}

/** Does it show the same text as another page? Under an address that nobody names this is no fault, and nothing new. */
export function isCopy({ duplicateOf, similarity }: AuditRecord): boolean {
  return duplicateOf !== null && similarity === 1;
}

/** The order in which findings name pages: by depth, then by address. */
export function inPageOrder(
  one: Pick<AuditRecord, 'depth' | 'url'>,
  other: Pick<AuditRecord, 'depth' | 'url'>,
): number {
  if (one.depth !== other.depth) return one.depth - other.depth;
  if (one.url === other.url) return 0;
  return one.url < other.url ? -1 : 1;
}
