/**
 * Carries the frontier's journal to the crawl folder, in order, and emits its entries. An entry leaves the frontier only after
 * its lines are on the disk, so a crash at any moment loses none and doubles none (crawl-folder/journal-files.ts).
 */
import { CrawlError } from '../base/errors.ts';
import { milliseconds, type Milliseconds } from '../base/units.ts';
import { createWake } from '../base/wake.ts';
import type { JournalFiles } from '../crawl-folder/journal-files.ts';
import type { Frontier } from '../frontier/frontier.ts';
import type { JournalEntry } from '../model/journal-entry.ts';

/** Entries carried at a time: one write and one sync for all of them. */
const STRETCH = 100;
/**
 * The pause between two stretches. Entries committed meanwhile are safe in the journal, and go to the disk together: reading, syncing and
 * forgetting page by page costs more than all other work for a page without a browser.
 */
export const JOURNAL_PAUSE: Milliseconds = milliseconds(150);

export interface JournalPump {
  /** Runs until the signal; @throws {CrawlError} DISK_FULL, OUTPUT_UNUSABLE, STATE_LOST where Redis went back in time, and what the frontier throws */
  run(signal: AbortSignal): Promise<void>;
  /** Call it after a commit. */
  notify(): void;
  /** Carries all entries that are left; for the end, when `run` has ended. */
  drain(): Promise<void>;
}

/** @param pause between two stretches; resolves at once when the signal aborts */
export function createJournalPump(
  frontier: Frontier,
  files: JournalFiles,
  onEntry: (entry: JournalEntry) => Promise<void>,
  pause: (signal: AbortSignal) => Promise<void>,
): JournalPump {
  const wake = createWake();
  /** The position in the journal after the last stretch. */
  let written: number | null = null;

  /** @returns whether there were entries */
  async function carry(): Promise<boolean> {
    const { entries, upTo } = await frontier.journal(STRETCH);
    const from = upTo - entries.length;
    if (written !== null && from !== written) throw lostWrites();
    written = upTo;
    if (entries.length === 0) return false;
    const lengths = await files.append(entries);
    await frontier.journalWritten({ upTo, lengths }).catch((error: unknown) => {
      throw error instanceof RangeError ? lostWrites() : error; // the journal has gone back meanwhile
    });
    for (const entry of entries) await onEntry(entry);
    return true;
  }

  async function drain(): Promise<void> {
    while (await carry());
  }

  return {
    notify: () => wake.notify(),
    drain,
    run: async (signal) => {
      while (!signal.aborted) {
        await ((await carry()) ? pause(signal) : wake.wait(signal));
      }
    },
  };
}

/** A replica that takes over may lack the latest writes. The files have them, and would get them twice: a resume cuts them to what Redis knows. */
function lostWrites(): CrawlError {
  return new CrawlError(
    'STATE_LOST',
    'Redis has lost the last that it was told: a replica took over, or it was restored from a copy.\nResume the crawl: what was lost is visited again.',
  );
}
