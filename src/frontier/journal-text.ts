/**
 * The journal as it lies in Redis. TypeScript writes and reads the payloads, Lua only puts them together and adds what it
 * alone knows: which links were new, and the credit.
 */
import { TOTAL_CREDIT } from '../base/units.ts';
import type { JournalEntry } from '../model/journal-entry.ts';
import type { LinkRecord, PageRecord, SkippedRecord } from '../model/record.ts';

interface StoredEntry {
  readonly page: PageRecord | null;
  readonly links: readonly Omit<LinkRecord, 'new'>[];
  /** One digit a link that leads to a page, 1 where it was new; those that name parts come after them and have none. */
  readonly new: string;
  readonly skipped: readonly SkippedRecord[];
  /** Credit at the lease, and what the page gave when it ended. */
  readonly cash: number;
  readonly history: number;
}

/** @throws {TypeError} where the text is no entry. */
export function readJournalText(text: string): JournalEntry {
  const stored: unknown = JSON.parse(text);
  if (!isStoredEntry(stored)) throw new TypeError(`not a journal entry: ${text.slice(0, 256)}`);
  const { page, cash, history } = stored;
  const links = stored.links.map((link, index) => ({ ...link, new: stored.new[index] === '1' }));
  return {
    page: page && {
      ...page,
      // X = (H + C) / total (algorithms A1.1); what the page had was paid out at this commit, so its C is 0
      credit: { cash, history, importance: history / TOTAL_CREDIT },
      links: { ...page.links, new: links.filter((link) => link.new).length },
    },
    links,
    skipped: stored.skipped,
  };
}

/** Only the frame is checked: the payloads were typed when they went in. */
function isStoredEntry(value: unknown): value is StoredEntry {
  return (
    typeof value === 'object' &&
    value !== null &&
    'page' in value &&
    'links' in value &&
    Array.isArray(value.links) &&
    'new' in value &&
    typeof value.new === 'string' &&
    value.new.length <= value.links.length &&
    'skipped' in value &&
    Array.isArray(value.skipped) &&
    'cash' in value &&
    typeof value.cash === 'number' &&
    'history' in value &&
    typeof value.history === 'number'
  );
}
