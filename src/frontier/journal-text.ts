/**
 * The journal as stored in Redis. TypeScript writes and reads the payloads; Lua only joins them and adds the facts that only it
 * knows: which links were new, and the credit. An entry is a line of JSON, then the packed lines for links.jsonl (packed-lines.ts),
 * then the line for details.jsonl, behind a mark. These lines are made once and are not parsed on their way to the files.
 */
import { TOTAL_CREDIT } from '../base/units.ts';
import type { JournalEntry } from '../model/journal-entry.ts';
import type { PageRecord, SkippedRecord } from '../model/record.ts';
import { NEW, NOT_NEW, unpackedLines } from './packed-lines.ts';

interface StoredEntry {
  readonly page: PageRecord | null;
  /** One digit per link, for the first links: 1 where it was new; the lines of the other links say it themselves. */
  readonly new: string;
  readonly skipped: readonly SkippedRecord[];
  /** Credit that the page paid out at its end (`paid`), and that all pages have paid so far (`history`). */
  readonly paid: number;
  readonly history: number;
}

/** Mark of a details line; no line of a link begins with it. */
const DETAILS = '#';

/**
 * Marks the lines of what robots.txt names. They count for no page: they come with the visit that read the file, which may be tried again.
 * Within a text of the line its quotes would be escaped.
 */
const OF_ROBOTS = '"kind":"robots"';

/** The line for details.jsonl, which follows those of the links. */
export function detailsText(details: string | undefined): string {
  return details === undefined ? '' : `\n${DETAILS}${details}`;
}

/**
 * @param elsewhere credit paid so far by pages of other parts of the crawl
 * @throws {TypeError} where the text is not an entry.
 */
export function readJournalText(text: string, elsewhere = 0): JournalEntry {
  const [head = '', ...lines] = text.split('\n');
  const stored: unknown = JSON.parse(head);
  const details = lines.at(-1)?.startsWith(DETAILS) === true ? lines.pop()?.slice(DETAILS.length) : undefined;
  const links = unpackedLines(lines);
  if (!isStoredEntry(stored) || stored.new.length > links.length) {
    throw new TypeError(`not a journal entry: ${text.slice(0, 256)}`);
  }
  const { page, paid, history } = stored;
  for (let index = stored.new.indexOf('1'); index !== -1; index = stored.new.indexOf('1', index + 1))
    links[index] = `${links[index]?.slice(0, -NOT_NEW.length)}${NEW}`;
  const known = links.filter((line) => line.endsWith(NEW) && !line.includes(OF_ROBOTS)).length;
  return {
    page: page && {
      ...page,
      // X = (H + C) / (G + total) (design/scheduling, "Credit"); this commit paid out all that the page had, so its C is 0
      credit: { cash: paid, history: paid, importance: paid / (history + elsewhere + TOTAL_CREDIT) },
      links: { ...page.links, new: known },
    },
    links,
    ...(details === undefined ? {} : { details }),
    skipped: stored.skipped,
  };
}

/** Checks only the frame: the payloads were typed when they were written. */
function isStoredEntry(value: unknown): value is StoredEntry {
  return (
    typeof value === 'object' &&
    value !== null &&
    'page' in value &&
    'new' in value &&
    typeof value.new === 'string' &&
    'skipped' in value &&
    Array.isArray(value.skipped) &&
    'paid' in value &&
    typeof value.paid === 'number' &&
    'history' in value &&
    typeof value.history === 'number'
  );
}
