/**
 * The growing files of a crawl folder: pages.jsonl, links.jsonl, skipped.jsonl, and details.jsonl where something is to go in. They are a
 * projection of the frontier's journal. The frontier knows how long each file is when all entries up to a number are in it; whatever a
 * crash left behind that length is cut off when the crawl goes on, and written again from the journal.
 *
 * When a run ends, files whose earlier lines are taken out get shorter. The frontier is told both lengths before that, and the new ones after it, so a
 * file that is found with either of them is whole.
 */
import { access, open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { JournalEntry } from '../model/journal-entry.ts';
import { wholeLines } from './crawl-lines.ts';
import { diskError } from './disk-error.ts';
import { linesOfSecondVisits } from './earlier-lines.ts';
import { syncFolder } from './sync-folder.ts';
import { writeWhatStays, type Draft } from './take-out-earlier.ts';
import { removeUnfinished } from './whole-file.ts';

const JOURNAL_FILES = ['pages.jsonl', 'links.jsonl', 'skipped.jsonl', 'details.jsonl'] as const;
/** Files that exist from the beginning. */
const ALWAYS: readonly string[] = ['pages.jsonl', 'links.jsonl', 'skipped.jsonl'];
type JournalFile = (typeof JOURNAL_FILES)[number];
type JournalLengths = Readonly<Record<JournalFile, number>>;
/** Files with one line for each page in the end. */
const BY_PAGE = ['pages.jsonl', 'details.jsonl'] as const;
/** Suffix of a file's name among the lengths: the file's length without its earlier lines. */
const SHORTENED = ' shortened';

/** Lines of the entries for each file. */
const LINES: Readonly<Record<JournalFile, (entry: JournalEntry) => readonly string[]>> = {
  'pages.jsonl': ({ page }) => (page === null ? [] : [JSON.stringify(page)]),
  'links.jsonl': ({ links }) => links,
  'skipped.jsonl': ({ skipped }) => skipped.map((record) => JSON.stringify(record)),
  'details.jsonl': ({ details }) => (details === undefined ? [] : [details]),
};

/** Has the frontier keep other lengths of the files. */
type KeepLengths = (lengths: Readonly<Record<string, number>>) => Promise<void>;

export class JournalFiles implements AsyncDisposable {
  readonly #folder: string;
  readonly #handles = new Map<JournalFile, FileHandle>();
  readonly #lengths = new Map<JournalFile, number>();
  readonly #shortened: JournalFile[] = [];

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Opens the files and cuts each to the length that is known to be whole. Unfinished files of a killed program are removed.
   * @param known lengths from the frontier by file name; empty where nothing was written yet
   * @throws {CrawlError} DISK_FULL, OUTPUT_UNUSABLE
   */
  static async open(folder: string, known: Readonly<Record<string, number>>): Promise<JournalFiles> {
    const files = new JournalFiles(folder);
    await removeUnfinished(folder);
    for (const name of JOURNAL_FILES) {
      const path = join(folder, name);
      const whole = await wholeLength(path, known[name] ?? 0, known[name + SHORTENED]);
      // a crash may have left a file without a whole line, before its length was known
      if (ALWAYS.includes(name) || whole > 0 || (await isThere(path))) await files.#open(name, whole);
    }
    return files;
  }

  /** Files that were shorter than they should be when they were opened (lines were lost outside of this program): they end with their last whole line. */
  get shortened(): readonly JournalFile[] {
    return this.#shortened;
  }

  /** Appends the entries and waits until they are on the disk. @throws {CrawlError} DISK_FULL, OUTPUT_UNUSABLE */
  async append(entries: readonly JournalEntry[]): Promise<JournalLengths> {
    for (const name of JOURNAL_FILES) await this.#appendTo(name, entries.flatMap(LINES[name]));
    const length = (name: JournalFile): number => this.#lengths.get(name) ?? 0;
    return {
      'pages.jsonl': length('pages.jsonl'),
      'links.jsonl': length('links.jsonl'),
      'skipped.jsonl': length('skipped.jsonl'),
      'details.jsonl': length('details.jsonl'),
    };
  }

  /**
   * Takes out the lines of pages that have newer ones; all entries must be in the files.
   * @param known the lengths that the frontier has
   * @param keep called before files change, and after
   * @throws {CrawlError} DISK_FULL, OUTPUT_UNUSABLE, and what `keep` throws
   */
  async takeOutEarlier(known: Readonly<Record<string, number>>, keep: KeepLengths): Promise<void> {
    const drafts = new Map<JournalFile, Draft>();
    const lengthsAs = (suffix: string): Readonly<Record<string, number>> =>
      Object.fromEntries([...drafts].map(([name, { length }]) => [name + suffix, length]));
    try {
      await this.#draftAll(drafts);
      if (drafts.size === 0) return;
      await keep({ ...known, ...lengthsAs(SHORTENED) });
      for (const [name, draft] of drafts) await this.#replace(name, draft);
      await syncFolder(this.#folder);
      await keep({ ...known, ...lengthsAs('') });
    } finally {
      for (const { path } of drafts.values()) await rm(path, { force: true });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#handles.values()].map((handle) => handle.close()));
  }

  async #open(name: JournalFile, whole: number): Promise<FileHandle> {
    const path = join(this.#folder, name);
    try {
      const handle = await open(path, 'a', 0o600);
      this.#handles.set(name, handle);
      const { size } = await handle.stat();
      if (size < whole) this.#shortened.push(name);
      // the last line of a copy that was made while the file grew may be torn
      const length = size < whole ? await lengthOfWholeLines(path) : whole;
      if (size > length) await handle.truncate(length);
      this.#lengths.set(name, length);
      return handle;
    } catch (error) {
      throw diskError(error, path);
    }
  }

  async #appendTo(name: JournalFile, lines: readonly string[]): Promise<void> {
    if (lines.length === 0) return;
    const handle = this.#handles.get(name) ?? (await this.#open(name, 0));
    const text = Buffer.from(`${lines.join('\n')}\n`);
    const path = join(this.#folder, name);
    try {
      await handle.appendFile(text);
      await handle.datasync();
      await access(path); // a removed file can still be written to
    } catch (error) {
      throw diskError(error, path);
    }
    this.#lengths.set(name, (this.#lengths.get(name) ?? 0) + text.length);
  }

  async #draftAll(drafts: Map<JournalFile, Draft>): Promise<void> {
    try {
      const urls = await linesOfSecondVisits(join(this.#folder, 'pages.jsonl'));
      for (const name of urls.size === 0 ? [] : BY_PAGE) {
        const draft = await writeWhatStays(join(this.#folder, name), urls);
        if (draft !== null) drafts.set(name, draft);
      }
    } catch (error) {
      throw diskError(error, this.#folder);
    }
  }

  async #replace(name: JournalFile, { path, length }: Draft): Promise<void> {
    const whole = join(this.#folder, name);
    try {
      await rename(path, whole);
      await this.#handles.get(name)?.close();
    } catch (error) {
      throw diskError(error, whole);
    }
    await this.#open(name, length);
  }
}

/** The length to which a file is whole. @param shortened the length that it may have instead */
async function wholeLength(path: string, length: number, shortened: number | undefined): Promise<number> {
  if (shortened === undefined) return length;
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  return size === shortened ? shortened : length;
}

async function lengthOfWholeLines(path: string): Promise<number> {
  let length = 0;
  for await (const { lines, torn } of wholeLines(path)) if (!torn) length += lines.length;
  return length;
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
