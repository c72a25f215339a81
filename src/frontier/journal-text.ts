/**
 * The journal as it lies in Redis. TypeScript writes and reads the payloads, Lua only puts them together and adds what it
 * alone knows: which links were new, and the credit. An entry is a line of JSON, and behind it the lines that links.jsonl gets, and the one of
 * details.jsonl, with a mark before it: they are made once, and parsed by nobody on their way to the files.
 */
import { TOTAL_CREDIT } from '../base/units.ts';
import type { JournalEntry } from '../model/journal-entry.ts';
import type { PageRecord, SkippedRecord } from '../model/record.ts';
import type { CommittedLink } from '../model/visit-commit.ts';

interface StoredEntry {
  readonly page: PageRecord | null;
  /** One digit for each of the first links, 1 where it was new; the lines of the others say it themselves. */
  readonly new: string;
  readonly skipped: readonly SkippedRecord[];
  /** Credit that the page paid out when it ended, and that all pages have paid so far. */
  readonly paid: number;
  readonly history: number;
}

/** The end of the line of a link that made nothing known; it is turned into a yes where it stands. */
const NOT_NEW = 'false}';
const NEW = 'true}';
const LAST_FIELD = ',"new":';

/** A line for each link, behind the first line of an entry. */
export function journalLines(links: readonly Pick<CommittedLink, 'record' | 'isNew'>[]): string {
  let text = '';
  for (const { record, isNew } of links) {
    // a copy of each record with one more field takes twice as long as all the rest
    text += `\n${JSON.stringify(record).slice(0, -1)}${LAST_FIELD}${isNew === true ? NEW : NOT_NEW}`;
  }
  return text;
}

/** No line of JSON begins with it. */
const DETAILS = '#';

/** The line of details.jsonl, behind those of the links. */
export function detailsText(details: string | undefined): string {
  return details === undefined ? '' : `\n${DETAILS}${details}`;
}

/** @throws {TypeError} where the text is no entry. */
export function readJournalText(text: string): JournalEntry {
  const [head = '', ...links] = text.split('\n');
  const stored: unknown = JSON.parse(head);
  if (!isStoredEntry(stored) || stored.new.length > links.length) {
    throw new TypeError(`not a journal entry: ${text.slice(0, 256)}`);
  }
  const { page, paid, history } = stored;
  const details = links.at(-1)?.startsWith(DETAILS) === true ? links.pop()?.slice(DETAILS.length) : undefined;
  for (let index = stored.new.indexOf('1'); index !== -1; index = stored.new.indexOf('1', index + 1))
    links[index] = `${links[index]?.slice(0, -NOT_NEW.length)}${NEW}`;
  const known = links.filter((line) => line.endsWith(NEW)).length;
  return {
    page: page && {
      ...page,
      // X = (H + C) / (G + total) (design/scheduling, "Credit"); what the page had was paid out at this commit, so its C is 0
      credit: { cash: paid, history: paid, importance: paid / (history + TOTAL_CREDIT) },
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
