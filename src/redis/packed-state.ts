/**
 * The state of an ended private Redis as one packed file: kept where a crawl may go on, but smaller than a running server's files.
 *
 * `packed.gz` in the state folder is a gzip stream: a line of JSON that lists files with their lengths, then the files one after the
 * other. It gets its name only once it is complete and on disk; then the files are removed. It is removed once the files are restored. So
 * one of the two is always complete, whatever is killed, and where both exist they are equal, because no server runs in between.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { z } from 'zod';
import { CrawlError } from '../base/errors.ts';
import { parsedJson } from '../base/safe-json.ts';
import { bytes, kibibytes, mebibytes } from '../base/units.ts';
import type { RedisClient } from './client.ts';

const PACKED_STATE = 'packed.gz';
const PACKING = `${PACKED_STATE}.tmp`;
/** Folder of Redis' append-only files, below its own. */
const FILES = 'appendonlydir';
const UNPACKING = `${FILES}.new`;
/** Names of these files. */
const NAME = /^appendonly\.aof\.(?:manifest|[1-9]\d{0,9}\.(?:base\.(?:rdb|aof)|incr\.aof))$/;

const LINE_FEED = 0x0a;
/** Largest size of the line that lists the files; there are few. */
const HEADER_LIMIT = kibibytes(64);
/** A folder may be foreign: as with bodies (design/reliability, "Answers of servers"), more than 100 : 1 is an attack. */
const RATIO = 100;
const RATIO_FROM = mebibytes(1);

const headerSchema = z.strictObject({
  files: z.array(z.strictObject({ name: z.string().regex(NAME), size: z.int().min(0) })).max(16),
});
type Header = z.infer<typeof headerSchema>;

/** Packs the files of an ended server, and removes all else from its folder. @throws errors of the disk; nothing is lost then */
export async function packState(stateFolder: string): Promise<void> {
  const from = join(stateFolder, FILES);
  const files: Header['files'] = [];
  for (const name of (await readdir(from)).filter((each) => NAME.test(each)).toSorted())
    files.push({ name, size: (await stat(join(from, name))).size });
  const path = join(stateFolder, PACKING);
  await pipeline(contentOf(from, { files }), createGzip(), createWriteStream(path, { mode: 0o600 }));
  await toDisk(path);
  await rename(path, join(stateFolder, PACKED_STATE));
  await toDisk(stateFolder);
  for (const name of await readdir(stateFolder))
    if (name !== PACKED_STATE) await rm(join(stateFolder, name), { recursive: true, force: true });
}

async function* contentOf(from: string, header: Header): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${JSON.stringify(header)}\n`);
  for (const { name, size } of header.files) {
    let left = size;
    for await (const chunk of createReadStream(join(from, name))) {
      const piece: Buffer = chunk;
      left -= piece.length;
      yield piece;
    }
    if (left !== 0) throw new Error(`${name} has changed while it was packed`);
  }
}

/**
 * Restores the files if the folder holds a packed state; else changes nothing.
 * @throws {CrawlError} STATE_LOST where it cannot be read; errors of the disk, and nothing is lost then
 */
export async function unpackState(stateFolder: string): Promise<void> {
  const path = join(stateFolder, PACKED_STATE);
  const found = await stat(path).catch(() => null);
  if (found === null) return;
  const folder = join(stateFolder, UNPACKING);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  await unpackInto(folder, path, Math.max(RATIO_FROM, found.size * RATIO));
  await toDisk(folder);
  const files = join(stateFolder, FILES);
  await rm(files, { recursive: true, force: true });
  await rename(folder, files);
  await toDisk(stateFolder);
  await rm(path);
  await toDisk(stateFolder);
}

async function unpackInto(folder: string, path: string, most: number): Promise<void> {
  const source = createReadStream(path).pipe(createGunzip());
  const reader = new Reader(source, path);
  try {
    const { files } = await reader.header();
    if (files.reduce((sum, { size }) => sum + size, 0) > most) throw broken(path, 'it unpacks to too much');
    for (const { name, size } of files) {
      await pipeline(reader.content(bytes(size)), createWriteStream(join(folder, name), { flags: 'wx', mode: 0o600 }));
      await toDisk(join(folder, name));
    }
    await reader.end();
  } finally {
    source.destroy();
  }
}

/** Reads the stream once, from start to end. */
class Reader {
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #path: string;
  /** Bytes read but not yet returned. */
  #rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>, path: string) {
    this.#chunks = source[Symbol.asyncIterator]();
    this.#path = path;
  }

  async header(): Promise<Header> {
    let line = this.#rest;
    while (!line.includes(LINE_FEED)) {
      const more = await this.#next();
      if (more === null || line.length > HEADER_LIMIT)
        throw broken(this.#path, 'it does not begin with a list of files');
      line = Buffer.concat([line, more]);
    }
    const end = line.indexOf(LINE_FEED);
    this.#rest = line.subarray(end + 1);
    const read = headerSchema.safeParse(parsedJson(line.subarray(0, end).toString()));
    if (!read.success) throw broken(this.#path, 'its list of files is not one of ours');
    return read.data;
  }

  async *content(size: number): AsyncGenerator<Buffer> {
    for (let left = size; left > 0;) {
      const piece = this.#rest.length > 0 ? this.#rest : await this.#next();
      if (piece === null) throw broken(this.#path, 'it ends too early');
      this.#rest = piece.subarray(left);
      const taken = piece.subarray(0, left);
      left -= taken.length;
      yield taken;
    }
  }

  /** Checks that nothing follows; reading to the end also checks the stream's checksum. */
  async end(): Promise<void> {
    if (this.#rest.length > 0 || (await this.#next()) !== null) throw broken(this.#path, 'something follows its files');
  }

  async #next(): Promise<Buffer | null> {
    try {
      const { done, value } = await this.#chunks.next();
      return done === true ? null : value;
    } catch (error) {
      throw broken(this.#path, error instanceof Error ? error.message : String(error));
    }
  }
}

function broken(path: string, why: string): CrawlError {
  return new CrawlError(
    'STATE_LOST',
    `The state of the crawl cannot be read, ${path} is broken: ${why}.\nCrawl again with --overwrite.`,
    { data: { file: path } },
  );
}

async function toDisk(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Asks the server to rewrite its files in their shortest form, and waits for that. A crawl's history is many times its state. */
export async function compactLog(client: RedisClient, signal: AbortSignal): Promise<void> {
  await client.bgrewriteaof();
  for (;;) {
    const info = await client.info('persistence');
    if (!/^aof_rewrite_(?:in_progress|scheduled):1/m.test(info)) return;
    await wait(REWRITE_POLL, undefined, { signal });
  }
}

/** Poll interval in milliseconds (arbitrary). */
const REWRITE_POLL = 10;
