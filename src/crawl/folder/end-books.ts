/**
 * Closes the books of a run. Where nothing is left to visit, URLs held back so far are skipped for good. Where the crawl may go on,
 * the frontier is left as it is and their lines are only shown: they stand in skipped.jsonl behind the length that the frontier knows, so a
 * resumed crawl cuts them off (crawl-folder/journal-files.ts) and finds their URLs as they were.
 */
import type { JournalFiles } from '../../crawl-folder/journal-files.ts';
import type { Clock } from '../../base/clock.ts';
import type { Frontier } from '../../frontier/frontier.ts';
import type { JournalEntry } from '../../model/journal-entry.ts';
import type { SitemapBook } from '../../pipeline/sitemap-book.ts';
import type { JournalPump } from '../journal-pump.ts';

interface Books {
  readonly frontier: Pick<Frontier, 'heldBack' | 'leasable' | 'flushDeferred'>;
  readonly journalFiles: JournalFiles;
  readonly sitemaps: Pick<SitemapBook, 'held'>;
  readonly clock: Clock;
  readonly pump: Pick<JournalPump, 'drain'>;
  /** Called with lines that the pump does not carry. */
  readonly onEntry: (entry: JournalEntry) => Promise<void>;
}

export interface EndedBooks {
  /** Something is left that a later run may visit: in the frontier, or in a sitemap that was not read for the limit. */
  readonly goesOn: boolean;
  /** Queued URLs that are shown as skipped. */
  readonly shownAsSkipped: number;
}

/** @param mayGoOn whether the state is kept where something is left */
export async function endBooks(books: Books, mayGoOn: boolean): Promise<EndedBooks> {
  const { frontier, sitemaps, clock, pump } = books;
  const goesOn = mayGoOn && ((await frontier.leasable()) > 0 || sitemaps.held > 0);
  if (goesOn) {
    await pump.drain();
    return { goesOn, shownAsSkipped: await showHeldBack(books) };
  }
  await frontier.flushDeferred(clock.now());
  await pump.drain();
  return { goesOn, shownAsSkipped: 0 };
}

/** Leaves each URL one line in the files, also where it was visited again. All entries of the journal must be in the files. */
export async function takeOutEarlier({
  frontier,
  journalFiles,
}: Pick<Books, 'journalFiles'> & {
  readonly frontier: Pick<Frontier, 'journalPosition' | 'journalWritten'>;
}): Promise<void> {
  const position = await frontier.journalPosition();
  if (position === null) return;
  const { upTo, lengths } = position;
  await journalFiles.takeOutEarlier(lengths, (others) => frontier.journalWritten({ upTo, lengths: others }));
}

/** @returns how many URLs that are held back the frontier has queued */
async function showHeldBack({ frontier, journalFiles, onEntry }: Books): Promise<number> {
  let queued = 0;
  for await (const { from, records } of frontier.heldBack()) {
    if (records.length === 0) continue;
    const entry = { page: null, links: [], skipped: records };
    await journalFiles.append([entry]);
    await onEntry(entry);
    if (from === 'queued') queued += records.length;
  }
  return queued;
}
