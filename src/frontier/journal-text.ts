/**
 * The journal as it lies in Redis. TypeScript writes and reads the payloads, Lua only puts them together and adds what it
 * alone knows: which links were new, and the credit. An entry is a line of JSON, and behind it the lines that links.jsonl gets, packed (packed-lines.ts),
 * and the one of details.jsonl, with a mark before it: they are made once, and parsed by nobody on their way to the files.
 */
import { TOTAL_CREDIT } from '../base/units.ts';
import type { JournalEntry } from '../model/journal-entry.ts';
import type { PageRecord, SkippedRecord } from '../model/record.ts';
import { NEW, NOT_NEW, unpackedLines } from './packed-lines.ts';

interface StoredEntry {
  readonly page: PageRecord | null;
  /** One digit for each of the first links, 1 where it was new; the lines of the others say it themselves. */
  readonly new: string;
  readonly skipped: readonly SkippedRecord[];
  /** Credit that the page paid out when it ended, and that all pages have paid so far. */
  readonly paid: number;
  readonly history: number;
}

/** No line of a link begins with it. */
const DETAILS = '#';

/** The line of details.jsonl, behind those of the links. */
export function detailsText(details: string | undefined): string {
  return details === undefined ? '' : `\n${DETAILS}${details}`;
}

/**
 * @param elsewhere credit that pages of other parts of the crawl have paid so far
 * @throws {TypeError} where the text is no entry.
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
  const known = links.filter((line) => line.endsWith(NEW)).length;
  return {
    page: page && {
      ...page,
      // X = (H + C) / (G + total) (design/scheduling, "Credit"); what the page had was paid out at this commit, so its C is 0
      credit: { cash: paid, history: paid, importance: paid / (history + elsewhere + TOTAL_CREDIT) },
      links: { ...page.links, new: known },
    },
    links,
    ...(details === undefined ? {} : { details }),
    skipped: stored.skipped,
  };
}

/** Only the frame is checked: the payloads were typed when they went in. */
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
