/**
 * A WACZ file as the folder of an archive: its WARC files and their index in a temporary folder, removed when disposed. An index that it lacks, or
 * that is wrong, is made of its records. The file may be foreign: no other part of it is written, and never more than its declared size.
 */
import { createWriteStream } from 'node:fs';
import { appendFile, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { z } from 'zod';
import { makeTemporaryFolder } from '../base/process/temporary-folder.ts';
import { CrawlError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { parsedJson } from '../base/safe-json.ts';
import { diskError } from '../crawl-folder/disk-error.ts';
import { ARCHIVE_FOLDER, INDEX_FILE } from '../warc/archive-names.ts';
import type { DamagedFile } from './damaged-files.ts';
import { leadsToRecords } from './index-check.ts';
import { indexWarcs, warcsIn, type IndexedWarcs } from './indexed-warcs.ts';

interface UnpackedWacz extends AsyncDisposable {
  /** Folder that contains `archive`, like that of a crawl. */
  readonly folder: string;
  /** Its main page, or its first pages. */
  readonly seeds: readonly string[];
  /** Its WARC files of which not all could be read, if they had to be read for want of an index. */
  readonly damaged: readonly DamagedFile[];
}

/** Path of a WARC file, in one folder only: `archive/data.warc.gz`. */
const RECORDS = /^archive\/([^/\\\0]+\.warc(?:\.gz)?)$/;
/** Path of an index. Other tools write `index.cdx`, or `index.cdx.gz` with an `index.idx` for look-ups, which is not needed here. */
const INDEX = /^indexes\/[^/\\\0]+\.cdxj?(\.gz)?$/;
const ABOUT = 'datapackage.json';
const PAGES = 'pages/pages.jsonl';
/** Most bytes of a text or a line held in memory, and of a compressed index (arbitrary). */
const TEXT_LIMIT = 64 * 1_048_576;
/** Most bytes that all packed indexes of a file are unpacked to (arbitrary): a million lines. */
const INDEX_LIMIT = 512 * 1_048_576;
/** An index longer than a text must be stored uncompressed: a compressed one could grow without end. */
const STORED = 0;
/** Most bytes of a compressed WARC file for each byte that it takes in the zip: text shrinks to a tenth at best (arbitrary). */
const RECORDS_RATIO = 20;
const LINE_FEED = 0x0a;

/** The path of a WACZ file: the given one, or the only one in a folder. Null where there is none. */
export async function waczIn(path: string): Promise<string | null> {
  const found = await stat(path).catch(() => null);
  if (found === null) return null;
  if (found.isFile()) return path.toLowerCase().endsWith('.wacz') ? path : null;
  const names = (await readdir(path).catch(() => [])).filter((name) => name.toLowerCase().endsWith('.wacz'));
  const [name] = names;
  return names.length === 1 && name !== undefined ? join(path, name) : null;
}

/**
 * @param log is told of each place where a file without an index is damaged
 * @param limit bytes that its packed indexes may unpack to
 * @throws {CrawlError} NOT_STORED where it is no WACZ file, has an index that cannot be read, or neither index nor records; OUTPUT_UNUSABLE, DISK_FULL
 */
export async function unpackWacz(path: string, log: Log, limit: number = INDEX_LIMIT): Promise<UnpackedWacz> {
  const folder = await makeTemporaryFolder('orbweaver-wacz-');
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 5 });
  try {
    const { seeds, hasIndex } = await unpackInto(folder, path, new Room(limit));
    const indexed = hasIndex ? await betterIndexOf(folder, path, log) : await indexOf(folder, path, log);
    if (indexed === null) return { folder, seeds, damaged: [], [Symbol.asyncDispose]: remove };
    const removeBoth = async (): Promise<void> => {
      await indexed[Symbol.asyncDispose]();
      await remove();
    };
    return { folder: indexed.folder, seeds, damaged: indexed.damaged, [Symbol.asyncDispose]: removeBoth };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** The unpacked WARC files with another index, if theirs is wrong; null where it is right, or none can be made. */
async function betterIndexOf(folder: string, path: string, log: Log): Promise<IndexedWarcs | null> {
  if (await leadsToRecords(folder)) return null;
  const indexed = await indexOf(folder, path, log).catch((error: unknown) => {
    if (error instanceof CrawlError && error.code === 'NOT_STORED') return null;
    throw error;
  });
  if (indexed !== null) log.warn('index is wrong, records were read instead', { file: path });
  return indexed;
}

/** The unpacked WARC files with an index: some tools only put files together. */
async function indexOf(folder: string, path: string, log: Log): Promise<IndexedWarcs> {
  const warcs = await warcsIn(join(folder, ARCHIVE_FOLDER));
  return await indexWarcs(warcs, log).catch((cause: unknown) => {
    if (!(cause instanceof CrawlError) || cause.code !== 'NOT_STORED') throw cause;
    throw refused(path, 'has no index, and no records in archive/ that could be read', cause);
  });
}

interface Unpacked {
  readonly seeds: readonly string[];
  readonly hasIndex: boolean;
}

async function unpackInto(folder: string, path: string, room: Room): Promise<Unpacked> {
  const zip = await openPromise(path, { autoClose: false }).catch((cause: unknown) => {
    throw refused(path, `is no WACZ file: ${messageOf(cause)}`, cause);
  });
  const archive = join(folder, ARCHIVE_FOLDER);
  await mkdir(archive);
  const texts = new Map<string, string>();
  let hasIndex = false;
  let taken = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      taken += entry.compressedSize;
      if (taken > zip.fileSize) throw refused(path, 'has entries that overlap, as those of a zip bomb do');
      const records = RECORDS.exec(entry.fileName)?.[1];
      const index = INDEX.exec(entry.fileName);
      if (records !== undefined) {
        if (isSuspect(entry)) throw refused(path, tooPacked(entry));
        await write(zip, entry, { to: join(archive, records), flags: 'wx', through: [] });
      } else if (index !== null) {
        if (entry.compressionMethod !== STORED) {
          if (!isShort(entry)) throw refused(path, longIndex(entry));
          room.take(entry.uncompressedSize);
        }
        const unpack = index[1] === undefined ? [] : [createGunzip(), taking(room)];
        const through = [...unpack, linesThatFit(entry.fileName)];
        if (hasIndex) await appendFile(join(archive, INDEX_FILE), '\n'); // the one before may end within a line
        await write(zip, entry, { to: join(archive, INDEX_FILE), flags: 'a', through });
        hasIndex = true;
      } else if (texts.has(entry.fileName)) continue;
      else if (entry.fileName === ABOUT && isShort(entry))
        texts.set(ABOUT, await text(await zip.openReadStreamPromise(entry)));
      else if (entry.fileName === PAGES) texts.set(PAGES, await firstLines(await zip.openReadStreamPromise(entry)));
    }
  } catch (cause) {
    if (cause instanceof CrawlError) throw cause;
    if (cause instanceof RoomTaken) throw refused(path, cause.message, cause);
    throw refused(path, `cannot be read: ${messageOf(cause)}`, cause);
  } finally {
    zip.close();
  }
  return { seeds: seedsOf(texts), hasIndex };
}

function isShort({ uncompressedSize }: Entry): boolean {
  return uncompressedSize <= TEXT_LIMIT;
}

function longIndex({ fileName, uncompressedSize }: Entry): string {
  return `has a compressed ${fileName} of ${uncompressedSize} bytes, and one of more than ${TEXT_LIMIT} must be uncompressed`;
}

/** Would it take far more of the disk than the WACZ file does? yauzl ends an entry that is longer than it says. */
function isSuspect({ compressionMethod, compressedSize, uncompressedSize }: Entry): boolean {
  return compressionMethod !== STORED && uncompressedSize > compressedSize * RECORDS_RATIO;
}

function tooPacked({ fileName, compressedSize, uncompressedSize }: Entry): string {
  return `has ${uncompressedSize} bytes of ${fileName} packed into ${compressedSize}, which no records are`;
}

/** Fails at a line that a reader could not hold in memory. */
function linesThatFit(name: string): Transform {
  let length = 0;
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      const end = piece.indexOf(LINE_FEED);
      if (length + (end === -1 ? piece.length : end) > TEXT_LIMIT) {
        done(new RangeError(`${name} has a line of more than ${TEXT_LIMIT} bytes`));
        return;
      }
      length = end === -1 ? length + piece.length : piece.length - piece.lastIndexOf(LINE_FEED) - 1;
      done(null, piece);
    },
  });
}

class RoomTaken extends Error {}

/** The bytes that packed indexes may unpack to: all together, as a file may hold any number of them. */
class Room {
  readonly #limit: number;
  #taken = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** @throws {RoomTaken} where there are not so many bytes left */
  take(bytes: number): void {
    this.#taken += bytes;
    if (this.#taken > this.#limit) throw new RoomTaken(`has indexes that unpack to more than ${this.#limit} bytes`);
  }
}

function taking(room: Room): Transform {
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      try {
        room.take(piece.length);
        done(null, piece);
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    },
  });
}

interface Written {
  readonly to: string;
  readonly flags: 'wx' | 'a';
  readonly through: readonly Transform[];
}

async function write(zip: ZipFile, entry: Entry, { to, flags, through }: Written): Promise<void> {
  const target = createWriteStream(to, { flags, mode: 0o600 });
  target.on('error', () => {}); // pipeline rejects with the error
  await pipeline([await zip.openReadStreamPromise(entry), ...through, target]).catch((error: unknown) => {
    throw error instanceof Error && 'syscall' in error ? diskError(error, to) : error;
  });
}

/** py-wacz writes the second name. */
const about = z.union([
  z.object({ mainPageUrl: z.string() }),
  z.object({ mainPageURL: z.string() }).transform(({ mainPageURL }) => ({ mainPageUrl: mainPageURL })),
]);
const page = z.object({ url: z.string() });
/** Pages taken as seeds from a file without a main page. */
const FIRST = 20;

function seedsOf(texts: ReadonlyMap<string, string>): readonly string[] {
  const main = about.safeParse(parsedJson(texts.get(ABOUT) ?? ''));
  if (main.success) return [main.data.mainPageUrl];
  const lines = (texts.get(PAGES) ?? '').split('\n', FIRST + 1);
  return lines.flatMap((line) => page.safeParse(parsedJson(line)).data?.url ?? []);
}

/** The lines that {@link seedsOf} reads: a list of pages with their texts may be longer than memory. */
async function firstLines(source: Readable): Promise<string> {
  const pieces: Buffer[] = [];
  let [lines, size] = [0, 0];
  for await (const each of source) {
    const piece = Buffer.from(each);
    pieces.push(piece);
    size += piece.length;
    lines += piece.toString('latin1').split('\n').length - 1;
    if (lines > FIRST || size > TEXT_LIMIT) break;
  }
  return Buffer.concat(pieces).toString();
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

function refused(path: string, why: string, cause?: unknown): CrawlError {
  const cure =
    'Give a WACZ file with WARC files in archive/, and best a CDXJ index in indexes/, as orbweaver export --wacz writes it.';
  return new CrawlError('NOT_STORED', `${path} ${why}\n${cure}`, { cause, data: { path } });
}
