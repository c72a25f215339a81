/**
 * The files of an archive: one grows at a time, under its name with `.open` added, until it is full; then it is synced and renamed. Beside it
 * grows the journal of the index. All writes go through one queue, in order: ready entries are written at once, and one
 * sync serves all callers that wait for it.
 *
 * Invariant: for a file with its final name, the journal on disk is complete; for the open one, the journal never names bytes that are not
 * written yet.
 */
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { diskError } from '../crawl-folder/disk-error.ts';
import { syncFolder } from '../crawl-folder/sync-folder.ts';
import { OPEN_SUFFIX } from './archive-names.ts';
import { journalLine, type IndexedRecord } from './cdxj-line.ts';
import {
  closeHandle,
  copyFile,
  dataSync,
  openToWrite,
  truncateHandle,
  writePieces,
  writeWhole,
} from './file-handle.ts';
import type { WarcMember } from './warc-member.ts';

/** One packed record, with its index line if it has one. */
export interface FiledRecord {
  readonly member: WarcMember;
  readonly index: IndexedRecord | null;
}

/** The place of a record, with the final name of the file, without folder. */
export interface FiledPlace {
  readonly filename: string;
  readonly offset: number;
  readonly length: number;
}

interface WarcFilesOptions {
  /** Path of the archive's folder, which must exist. */
  readonly folder: string;
  /** Name of the journal of the index. */
  readonly journal: string;
  /** Names of the files, by number. */
  readonly nameOf: (number: number) => string;
  readonly firstNumber: number;
  /** Size limit of a file that is not empty. */
  readonly fileLimit: number;
  /** Builds the first record of a file. */
  readonly parts: (filename: string) => WarcMember | Promise<WarcMember>;
}

interface Growing {
  readonly filename: string;
  readonly path: string;
  readonly handle: number;
  /** Bytes of the file's whole records. */
  size: number;
}

/** Packed records, or a promise of them. */
type Prepared = readonly FiledRecord[] | Promise<readonly FiledRecord[]>;

type Entry =
  | {
      readonly kind: 'records';
      readonly ready: () => readonly FiledRecord[] | null;
      readonly prepared: Prepared;
      readonly done: (places: readonly FiledPlace[]) => void;
      readonly failed: (error: Error) => void;
    }
  | { readonly kind: 'sync'; readonly done: () => void; readonly failed: (error: Error) => void };

type RecordsEntry = Extract<Entry, { kind: 'records' }>;

/** Opens the first file. @throws {CrawlError} DISK_FULL, OUTPUT_UNUSABLE */
export async function openWarcFiles(options: WarcFilesOptions): Promise<WarcFiles> {
  const path = join(options.folder, options.journal);
  const journal = await openToWrite(path, 'a');
  const files = new WarcFiles(options, { path, handle: journal });
  await files.begin();
  return files;
}

export class WarcFiles {
  readonly #options: WarcFilesOptions;
  readonly #journal: { readonly path: string; readonly handle: number };
  readonly #queue: Entry[] = [];
  #number: number;
  #growing: Growing | null = null;
  #running: Promise<void> | null = null;
  #broken: Error | null = null;

  constructor(options: WarcFilesOptions, journal: { readonly path: string; readonly handle: number }) {
    this.#options = options;
    this.#journal = journal;
    this.#number = options.firstNumber;
  }

  /** The error that stopped all writing; null while there is none. */
  get broken(): Error | null {
    return this.#broken;
  }

  /**
   * Appends records, adjacent to each other.
   * @param prepared may still be pending: later entries wait for it
   * @throws {CrawlError} DISK_FULL, OUTPUT_UNUSABLE
   */
  append(prepared: Prepared): Promise<readonly FiledPlace[]> {
    return new Promise((resolve, reject) => {
      let ready = prepared instanceof Promise ? null : prepared;
      this.#enter({ kind: 'records', ready: () => ready, prepared, done: resolve, failed: reject });
      if (!(prepared instanceof Promise)) return;
      prepared.then(
        (records) => (ready = records),
        () => {}, // `#step` awaits it too, and sees the error
      );
    });
  }

  /** Resolves when all records appended so far are on disk. @throws as `append` */
  sync(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#enter({ kind: 'sync', done: resolve, failed: reject });
    });
  }

  async begin(): Promise<void> {
    const filename = this.#options.nameOf(this.#number);
    this.#number += 1;
    const path = join(this.#options.folder, filename);
    const handle = await openToWrite(`${path}${OPEN_SUFFIX}`, 'wx');
    this.#growing = { filename, path, handle, size: 0 };
    const parts = await this.#options.parts(filename);
    await this.#write(this.#growing, [parts]);
  }

  /** Closes the file and gives it its name. After a failed write its whole records stay, and a resumed crawl repairs it. */
  async close(): Promise<void> {
    while (this.#running !== null) await this.#running;
    const growing = this.#growing;
    this.#growing = null;
    try {
      if (growing !== null && this.#broken === null) await this.#finish(growing);
      else if (growing !== null) {
        await truncateHandle(growing.handle, growing.size).catch(() => {}); // otherwise the resumed crawl cuts it
        await closeHandle(growing.handle);
      }
    } finally {
      await closeHandle(this.#journal.handle);
    }
  }

  #enter(entry: Entry): void {
    if (this.#broken !== null) return entry.failed(this.#broken);
    this.#queue.push(entry);
    this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    await Promise.resolve(); // entries of the same turn are written together
    while (this.#queue.length > 0) {
      try {
        await this.#step();
      } catch (error) {
        this.#fail(error);
      }
    }
    this.#running = null; // in the same turn that empties the queue, so that the next entry starts a new run
  }

  #fail(error: unknown): void {
    const broken = diskError(error, this.#growing?.path ?? this.#options.folder);
    this.#broken ??= broken;
    for (const entry of this.#queue.splice(0)) {
      if (entry.kind === 'records' && entry.prepared instanceof Promise) entry.prepared.catch(() => {}); // no other code awaits it
      entry.failed(this.#broken);
    }
  }

  /** Waits for the first entry of the queue, and writes it with all ready entries behind it. */
  async #step(): Promise<void> {
    const [first] = this.#queue;
    if (first?.kind === 'records') await first.prepared;
    const open = this.#queue.findIndex((entry) => entry.kind === 'records' && entry.ready() === null);
    const batch = this.#queue.slice(0, open === -1 ? this.#queue.length : Math.max(open, 1));
    const written: (() => void)[] = [];
    let group: RecordsEntry[] = [];
    let room = this.#roomLeft();
    for (const entry of batch) {
      if (entry.kind === 'sync') continue;
      const size = lengthOf(await entry.prepared);
      if (size > room && (group.length > 0 || this.#hasRecords())) {
        written.push(...(await this.#writeGroup(group)));
        group = [];
        await this.#roll();
        room = this.#roomLeft();
      }
      group.push(entry);
      room -= size;
    }
    written.push(...(await this.#writeGroup(group)));
    if (batch.some(({ kind }) => kind === 'sync') && this.#growing !== null) await dataSync(this.#growing.handle);
    this.#queue.splice(0, batch.length);
    for (const notify of written) notify();
    for (const entry of batch) if (entry.kind === 'sync') entry.done();
  }

  #roomLeft(): number {
    return this.#options.fileLimit - (this.#growing?.size ?? 0);
  }

  /** Does the file contain more than its first record? */
  #hasRecords(): boolean {
    return this.#recordsInFile > 0;
  }

  #recordsInFile = 0;

  async #writeGroup(group: readonly RecordsEntry[]): Promise<readonly (() => void)[]> {
    const growing = this.#growing;
    if (growing === null || group.length === 0) return [];
    const lines: string[] = [];
    const members: WarcMember[] = [];
    const written: (() => void)[] = [];
    let offset = growing.size;
    for (const entry of group) {
      const places: FiledPlace[] = [];
      for (const { member, index } of await entry.prepared) {
        const place = { filename: growing.filename, offset, length: member.length };
        if (index !== null) lines.push(`${journalLine(index, place)}\n`);
        members.push(member);
        places.push(place);
        offset += member.length;
      }
      written.push(() => entry.done(places));
    }
    await this.#write(growing, members);
    this.#recordsInFile += members.length;
    if (lines.length > 0) await writeWhole(this.#journal.handle, Buffer.from(lines.join(''), 'latin1'));
    return written;
  }

  /** Writes members; adjacent ones in memory in one call. */
  async #write(growing: Growing, members: readonly WarcMember[]): Promise<void> {
    let pieces: Uint8Array[] = [];
    for (const member of members) {
      if (member.kind === 'bytes') {
        pieces.push(member.bytes);
        continue;
      }
      await writePieces(growing.handle, pieces);
      pieces = [];
      await copyFile(member.path, growing.handle);
    }
    await writePieces(growing.handle, pieces);
    growing.size += members.reduce((sum, { length }) => sum + length, 0);
  }

  async #roll(): Promise<void> {
    const growing = this.#growing;
    if (growing !== null) await this.#finish(growing);
    this.#recordsInFile = 0;
    await this.begin();
  }

  /** Syncs the journal first: it must be complete before the file gets its name. */
  async #finish({ path, handle }: Growing): Promise<void> {
    await dataSync(this.#journal.handle);
    await dataSync(handle);
    this.#growing = null; // the number of a closed handle is soon that of another file, which `close` must not cut
    await closeHandle(handle);
    try {
      await rename(`${path}${OPEN_SUFFIX}`, path);
      await syncFolder(this.#options.folder);
    } catch (error) {
      throw diskError(error, path); // the folder may have been removed
    }
  }
}

function lengthOf(records: readonly FiledRecord[]): number {
  return records.reduce((sum, { member }) => sum + member.length, 0);
}
