/** A text file that is written piece by piece, so that it may be larger than memory. */
import { once } from 'node:events';
import { open, type FileHandle } from 'node:fs/promises';
import { createGzip, type Gzip } from 'node:zlib';
import { targetError } from './target-error.ts';
import { FILE_MODE } from './target.ts';

/** Fewer, larger writes: a line is some hundred bytes. */
const PIECE = 256 * 1024;

export interface TextFile extends AsyncDisposable {
  /** Bytes so far, as they were before they were packed. */
  readonly size: number;
  /** @throws {CrawlError} DISK_FULL, OUTPUT_UNUSABLE */
  write(text: string): Promise<void>;
  /** Syncs the file to the disk, and closes it. @throws {CrawlError} DISK_FULL, OUTPUT_UNUSABLE */
  finish(): Promise<void>;
}

/**
 * Creates a file, which must not exist yet; disposing closes it.
 * @param packed by gzip
 * @throws {CrawlError} DISK_FULL, OUTPUT_UNUSABLE
 */
export async function createTextFile(path: string, packed = false): Promise<TextFile> {
  const file = await open(path, 'wx', FILE_MODE).catch((error: unknown) => fail(error, path));
  return new OpenTextFile(path, file, packed ? new Packer() : null);
}

/** One member of gzip, packed piece by piece. */
class Packer {
  readonly #gzip: Gzip = createGzip();
  #packed: Buffer[] = [];

  constructor() {
    this.#gzip.on('data', (piece: Buffer) => this.#packed.push(piece));
  }

  /** What is packed so far, for the file. */
  async pack(bytes: Buffer): Promise<Buffer> {
    await new Promise<void>((resolve, reject) => {
      this.#gzip.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
    return this.#taken();
  }

  async end(): Promise<Buffer> {
    const ended = once(this.#gzip, 'end');
    this.#gzip.end();
    await ended;
    return this.#taken();
  }

  #taken(): Buffer {
    const packed = Buffer.concat(this.#packed);
    this.#packed = [];
    return packed;
  }
}

class OpenTextFile implements TextFile {
  readonly #path: string;
  readonly #packer: Packer | null;
  #file: FileHandle | null;
  #pieces: string[] = [];
  #waiting = 0;
  #size = 0;

  constructor(path: string, file: FileHandle, packer: Packer | null) {
    this.#path = path;
    this.#file = file;
    this.#packer = packer;
  }

  get size(): number {
    return this.#size;
  }

  async write(text: string): Promise<void> {
    const length = Buffer.byteLength(text);
    this.#pieces.push(text);
    this.#waiting += length;
    this.#size += length;
    if (this.#waiting >= PIECE) await this.#flush();
  }

  async finish(): Promise<void> {
    await this.#flush();
    if (this.#packer !== null) await this.#store(await this.#packer.end());
    await this.#file?.sync().catch((error: unknown) => fail(error, this.#path));
    await this[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const file = this.#file;
    this.#file = null;
    await file?.close();
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.from(this.#pieces.join(''));
    this.#pieces = [];
    this.#waiting = 0;
    await this.#store(this.#packer === null ? bytes : await this.#packer.pack(bytes));
  }

  async #store(bytes: Buffer): Promise<void> {
    await this.#file?.writeFile(bytes).catch((error: unknown) => fail(error, this.#path)); // all of it, from where it stands
  }
}

function fail(error: unknown, path: string): never {
  throw targetError(error, path);
}
