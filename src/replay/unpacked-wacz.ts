/**
 * A WACZ file as the folder of an archive: its WARC files and their index in a temporary folder, removed when disposed. The file may be foreign: no
 * other part of it is written, and never more than its declared size.
 */
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Transform } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { z } from 'zod';
import { CrawlError } from '../base/errors.ts';
import { parsedJson } from '../base/safe-json.ts';
import { diskError } from '../crawl-folder/disk-error.ts';
import { ARCHIVE_FOLDER, INDEX_FILE } from '../warc/archive-names.ts';

interface UnpackedWacz extends AsyncDisposable {
  /** Folder that contains `archive`, like that of a crawl. */
  readonly folder: string;
  /** Its main page, or its first pages. */
  readonly seeds: readonly string[];
}

/** Path of a WARC file, in one folder only: `archive/data.warc.gz`. */
const RECORDS = /^archive\/([^/\\\0]+\.warc\.gz)$/;
const INDEX = `indexes/${INDEX_FILE}`;
const ABOUT = 'datapackage.json';
const PAGES = 'pages/pages.jsonl';
/** Most bytes of a text or a line held in memory, and of a compressed index (arbitrary). */
const TEXT_LIMIT = 64 * 1_048_576;
/** A WARC file must be stored uncompressed, and an index longer than a text, too: a compressed one could grow without end. */
const STORED = 0;
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

/** @throws {CrawlError} NOT_STORED where it is no WACZ file, or has no readable index; OUTPUT_UNUSABLE, DISK_FULL */
export async function unpackWacz(path: string): Promise<UnpackedWacz> {
  const folder = await mkdtemp(join(tmpdir(), 'orbweaver-wacz-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 5 });
  try {
    return { folder, seeds: await unpackInto(folder, path), [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function unpackInto(folder: string, path: string): Promise<readonly string[]> {
  const zip = await openPromise(path, { autoClose: false }).catch((cause: unknown) => {
    throw refused(path, `is no WACZ file: ${messageOf(cause)}`, cause);
  });
  const archive = join(folder, ARCHIVE_FOLDER);
  await mkdir(archive);
  const texts = new Map<string, string>();
  let hasIndex = false;
  try {
    for await (const entry of zip.eachEntry()) {
      const records = RECORDS.exec(entry.fileName)?.[1];
      if (records !== undefined && entry.compressionMethod === STORED) await write(zip, entry, join(archive, records));
      else if (entry.fileName === INDEX) {
        if (entry.compressionMethod !== STORED && !isShort(entry)) throw refused(path, longIndex(entry));
        await write(zip, entry, join(archive, INDEX_FILE), linesThatFit());
        hasIndex = true;
      } else if ((entry.fileName === ABOUT || entry.fileName === PAGES) && isShort(entry))
        texts.set(entry.fileName, await text(await zip.openReadStreamPromise(entry)));
    }
  } catch (cause) {
    if (cause instanceof CrawlError) throw cause;
    throw refused(path, `cannot be read: ${messageOf(cause)}`, cause);
  } finally {
    zip.close();
  }
  if (!hasIndex) throw refused(path, `has no ${INDEX}`);
  return seedsOf(texts);
}

function isShort({ uncompressedSize }: Entry): boolean {
  return uncompressedSize <= TEXT_LIMIT;
}

function longIndex({ uncompressedSize }: Entry): string {
  return `has a compressed ${INDEX} of ${uncompressedSize} bytes, and one of more than ${TEXT_LIMIT} must be uncompressed`;
}

/** Fails at a line that a reader could not hold in memory. */
function linesThatFit(): Transform {
  let length = 0;
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      const end = piece.indexOf(LINE_FEED);
      if (length + (end === -1 ? piece.length : end) > TEXT_LIMIT) {
        done(new RangeError(`${INDEX} has a line of more than ${TEXT_LIMIT} bytes`));
        return;
      }
      length = end === -1 ? length + piece.length : piece.length - piece.lastIndexOf(LINE_FEED) - 1;
      done(null, piece);
    },
  });
}

async function write(zip: ZipFile, entry: Entry, to: string, through: Transform = new PassThrough()): Promise<void> {
  const target = createWriteStream(to, { flags: 'wx', mode: 0o600 });
  target.on('error', () => {}); // pipeline rejects with the error
  await pipeline(await zip.openReadStreamPromise(entry), through, target).catch((error: unknown) => {
    throw error instanceof Error && 'code' in error ? diskError(error, to) : error;
  });
}

const about = z.object({ mainPageUrl: z.string() });
const page = z.object({ url: z.string() });
/** Pages taken as seeds from a file without a main page. */
const FIRST = 20;

function seedsOf(texts: ReadonlyMap<string, string>): readonly string[] {
  const main = about.safeParse(parsedJson(texts.get(ABOUT) ?? ''));
  if (main.success) return [main.data.mainPageUrl];
  const lines = (texts.get(PAGES) ?? '').split('\n', FIRST + 1);
  return lines.flatMap((line) => page.safeParse(parsedJson(line)).data?.url ?? []);
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

function refused(path: string, why: string, cause?: unknown): CrawlError {
  const cure = 'Give a WACZ file with its records as they are and an index.cdxj, as orbweaver export --wacz writes it.';
  return new CrawlError('NOT_STORED', `${path} ${why}\n${cure}`, { cause, data: { path } });
}
