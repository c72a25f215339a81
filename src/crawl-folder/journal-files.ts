/**
 * The growing files of a crawl folder: pages.jsonl, links.jsonl, skipped.jsonl, and details.jsonl where something is to go in. They are a
 * projection of the frontier's journal. The frontier knows how long each file is when all entries up to a number are in it; whatever a
 * crash left behind that length is cut off when the crawl goes on, and written again from the journal.
 */
import { access, open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { JournalEntry } from '../model/journal-entry.ts';
import { diskError } from './disk-error.ts';

const JOURNAL_FILES = ['pages.jsonl', 'links.jsonl', 'skipped.jsonl', 'details.jsonl'] as const;
/** There from the beginning. */
const ALWAYS: readonly string[] = ['pages.jsonl', 'links.jsonl', 'skipped.jsonl'];
type JournalFile = (typeof JOURNAL_FILES)[number];
type JournalLengths = Readonly<Record<JournalFile, number>>;

export interface JournalFiles extends AsyncDisposable {
  /** Appends the entries and waits until they are on the disk. @throws {CrawlError} DISK_FULL, OUTPUT_UNUSABLE */
  append(entries: readonly JournalEntry[]): Promise<JournalLengths>;
}

/**
 * Opens the files and cuts each to the length that is known to be whole.
 * @param known lengths from the frontier by file name; empty where nothing was written yet
 * @returns the files, and the names of those that were shorter than they should be (lines were lost outside of our hands)
 */
export async function openJournalFiles(
  folder: string,
  known: Readonly<Record<string, number>>,
): Promise<{ readonly files: JournalFiles; readonly shortened: readonly JournalFile[] }> {
  const handles = new Map<JournalFile, FileHandle>();
  const lengths = new Map<JournalFile, number>();
  const shortened: JournalFile[] = [];
  for (const name of JOURNAL_FILES) {
    const whole = known[name] ?? 0;
    // a file of no line may be left by a crash that came before its length was known
    if (ALWAYS.includes(name) || whole > 0 || (await isThere(join(folder, name)))) await openFile(name, whole);
  }

  async function openFile(name: JournalFile, whole: number): Promise<FileHandle> {
    const path = join(folder, name);
    try {
      const handle = await open(path, 'a', 0o600);
      handles.set(name, handle);
      const { size } = await handle.stat();
      if (size < whole) shortened.push(name);
      if (size > whole) await handle.truncate(whole);
      lengths.set(name, Math.min(size, whole));
      return handle;
    } catch (error) {
      throw diskError(error, path);
    }
  }

  async function appendTo(name: JournalFile, lines: readonly string[]): Promise<void> {
    if (lines.length === 0) return;
    const handle = handles.get(name) ?? (await openFile(name, 0));
    const text = Buffer.from(`${lines.join('\n')}\n`);
    try {
      await handle.appendFile(text);
      await handle.datasync();
    } catch (error) {
      throw diskError(error, join(folder, name));
    }
    lengths.set(name, (lengths.get(name) ?? 0) + text.length);
  }

  const files: JournalFiles = {
    append: async (entries) => {
      await appendTo(
        'pages.jsonl',
        entries.flatMap((entry) => (entry.page === null ? [] : [JSON.stringify(entry.page)])),
      );
      await appendTo(
        'links.jsonl',
        entries.flatMap((entry) => entry.links),
      );
      await appendTo(
        'skipped.jsonl',
        entries.flatMap((entry) => entry.skipped.map((record) => JSON.stringify(record))),
      );
      await appendTo(
        'details.jsonl',
        entries.flatMap(({ details }) => (details === undefined ? [] : [details])),
      );
      return {
        'pages.jsonl': lengths.get('pages.jsonl') ?? 0,
        'links.jsonl': lengths.get('links.jsonl') ?? 0,
        'skipped.jsonl': lengths.get('skipped.jsonl') ?? 0,
        'details.jsonl': lengths.get('details.jsonl') ?? 0,
      };
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...handles.values()].map((handle) => handle.close()));
    },
  };
  return { files, shortened };
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
