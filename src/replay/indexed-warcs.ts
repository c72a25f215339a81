/**
 * WARC files without an index, as the folder of an archive: links to them in a temporary folder, and an index that is made of their records. The
 * folder is removed when disposed; the files stay as they are.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { appendFile, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { makeTemporaryFolder } from '../base/process/temporary-folder.ts';
import { CrawlError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { diskError } from '../crawl-folder/disk-error.ts';
import { linkToRead } from '../warc/archive-folder.ts';
import { ARCHIVE_FOLDER, INDEX_JOURNAL } from '../warc/archive-names.ts';
import { journalLine } from '../warc/cdxj-line.ts';
import { foreignRecords, PackedTogether } from '../warc/foreign-walk.ts';
import { uriOf } from '../warc/warc-parse.ts';
import { Damage, type DamagedFile } from './damaged-files.ts';
import { TARGET, walkedIndex } from '../warc/walked-index.ts';
import type { WalkedRecord } from '../warc/warc-walk.ts';

export interface IndexedWarcs extends AsyncDisposable {
  /** Folder that contains `archive`, like that of a crawl. */
  readonly folder: string;
  /** The files of which not all could be read. */
  readonly damaged: readonly DamagedFile[];
}

const WARC = /\.warc(?:\.gz)?$/i;
/** The format before WARC, which is not read. */
const ARC = /\.arc(?:\.gz)?$/i;
/** Packed by zstd, which Node.js 20 cannot undo, and often with a dictionary that lies apart. */
const ZSTD = /\.warc\.zst$/i;
/** Names that make a folder a site: WARC files in it are its downloads. */
const SITE = ['index.html', 'site.json', 'crawl.json'];
/** Lines written at once. */
const AT_ONCE = 1000;
/** Most bytes for each byte of a file whose records were compressed together (arbitrary): text shrinks to a tenth at best. */
const RATIO = 40;

/** Paths of WARC files, and of such that are not read: the given one, or all in a folder that is nothing else. Empty where there is none. */
export async function warcsIn(path: string): Promise<readonly string[]> {
  const found = await stat(path).catch(() => null);
  const isArchive = (name: string): boolean => [WARC, ARC, ZSTD].some((kind) => kind.test(name));
  if (found?.isFile() === true) return isArchive(path) ? [path] : [];
  const names = found === null ? [] : await readdir(path).catch(() => []);
  if (names.some((name) => SITE.includes(name))) return [];
  return names
    .filter(isArchive)
    .toSorted()
    .map((name) => join(path, name));
}

/**
 * Reads all records, once.
 * @param log is told of each place where a file is damaged, and of files that are not read beside others
 * @throws {CrawlError} NOT_STORED where no record can be read; OUTPUT_UNUSABLE, DISK_FULL
 */
export async function indexWarcs(all: readonly string[], log: Log): Promise<IndexedWarcs> {
  const paths = all.filter((path) => WARC.test(path));
  const others = all.filter((path) => !WARC.test(path));
  if (paths.length === 0 && others[0] !== undefined) throw notRead(others[0]);
  for (const file of others) log.warn(`${ARC.test(file) ? 'ARC' : 'zstd'} file is not read`, { file });
  const folder = await makeTemporaryFolder('orbweaver-warc-');
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 5 });
  try {
    const archive = join(folder, ARCHIVE_FOLDER);
    await mkdir(archive);
    let lines = 0;
    const damaged: DamagedFile[] = [];
    for (const path of paths) {
      const damage = new Damage(path, log);
      // oxlint-disable-next-line no-await-in-loop -- one file after the other, as their lines stand in the index
      lines += await indexFile(path, archive, damage);
      damaged.push(...damage.found);
    }
    if (lines === 0) throw unreadable(paths);
    return { folder, damaged, [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error instanceof CrawlError ? error : diskError(error, folder);
  }
}

/** @returns the number of its lines */
async function indexFile(path: string, archive: string, damage: Damage): Promise<number> {
  const filename = basename(path).replace(WARC, (ending) => ending.toLowerCase());
  try {
    await linkToRead(path, join(archive, filename));
    return await appendIndex(path, { archive, filename, damage });
  } catch (error) {
    if (!(error instanceof PackedTogether)) throw error;
    const plain = filename.replace(/\.gz$/, '');
    const unpacked = join(archive, plain);
    await unpack(path, unpacked);
    return appendIndex(unpacked, { archive, filename: plain, damage });
  }
}

async function appendIndex(
  path: string,
  { archive, filename, damage }: { readonly archive: string; readonly filename: string; readonly damage: Damage },
): Promise<number> {
  const index = join(archive, INDEX_JOURNAL);
  let lines: string[] = [];
  let count = 0;
  const write = async (): Promise<void> => {
    await appendFile(index, lines.join(''), { mode: 0o600 });
    count += lines.length;
    lines = [];
  };
  const add = (record: WalkedRecord, request: WalkedRecord | null): void => {
    const indexed = walkedIndex(record, request);
    if (indexed === null) return;
    lines.push(`${journalLine(indexed, { filename, offset: record.offset, length: record.length })}\n`);
  };
  const pairs = new Pairs(add);
  const { size } = await stat(path);
  for await (const record of foreignRecords(path, (from, to) => damage.add({ from, to, isEnd: to === size }))) {
    pairs.take(record);
    if (lines.length >= AT_ONCE) await write();
  }
  pairs.end();
  await write();
  return count;
}

/** Brings answers and their requests together: some tools write the request before its answer, some behind it. */
class Pairs {
  readonly #add: (record: WalkedRecord, request: WalkedRecord | null) => void;
  #answer: WalkedRecord | null = null;
  #request: WalkedRecord | null = null;

  constructor(add: (record: WalkedRecord, request: WalkedRecord | null) => void) {
    this.#add = add;
  }

  take(record: WalkedRecord): void {
    const uri = uriOf(record.record.head, TARGET);
    if (record.record.type !== 'request') {
      this.end();
      const request = this.#request !== null && uriOf(this.#request.record.head, TARGET) === uri ? this.#request : null;
      if (request === null) this.#answer = record;
      else this.#add(record, request);
      this.#request = null;
    } else if (this.#answer !== null && uriOf(this.#answer.record.head, TARGET) === uri) {
      this.#add(this.#answer, record);
      this.#answer = null;
    } else {
      this.end();
      this.#request = record;
    }
  }

  /** No request of the last answer comes. */
  end(): void {
    if (this.#answer !== null) this.#add(this.#answer, null);
    this.#answer = null;
  }
}

async function unpack(path: string, to: string): Promise<void> {
  const { size } = await stat(path);
  const most = size * RATIO;
  let written = 0;
  const limit = async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of source) {
      written += piece.length;
      if (written > most) throw refused(`${path} unpacks to more than ${most} bytes, which no records do`, path);
      yield piece;
    }
  };
  await pipeline(createReadStream(path), createGunzip(), limit, createWriteStream(to, { mode: 0o600 })).catch(
    (error: unknown) => {
      // a file that breaks off, or is damaged, is read as far as it goes
      const isFault = error instanceof Error && 'code' in error && /^Z_(?:BUF|DATA)_ERROR$/.test(String(error.code));
      if (error instanceof CrawlError || !isFault) throw error;
    },
  );
}

function notRead(path: string): CrawlError {
  const name = basename(path);
  const why = ARC.test(path)
    ? `is an ARC file, the format before WARC, which is not read\nConvert it: warcio recompress ${name} ${name.replace(ARC, '.warc.gz')} (warcio is a Python package).`
    : `is compressed by zstd, which is not read\nUnpack it: zstd -d ${name} (it becomes ${name.replace(/\.zst$/i, '')}).`;
  return new CrawlError('NOT_STORED', `${path} ${why}`, { data: { path } });
}

function unreadable(paths: readonly string[]): CrawlError {
  const [first = ''] = paths;
  return refused(`${first} holds no record that can be read`, first);
}

function refused(what: string, path: string): CrawlError {
  const cure =
    'Give WARC files (ISO 28500) whose names end with .warc or .warc.gz, a folder with such files, or a WACZ file.';
  return new CrawlError('NOT_STORED', `${what}\n${cure}`, { data: { path } });
}
