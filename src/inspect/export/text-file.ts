/** A text file that is written piece by piece, so that it may be larger than memory. */
import { open, type FileHandle } from 'node:fs/promises';
import { targetError } from './target-error.ts';
import { FILE_MODE } from './target.ts';

/** Fewer, larger writes: a line is some hundred bytes. */
const PIECE = 256 * 1024;

export interface TextFile extends AsyncDisposable {
  /** Bytes so far. */
  readonly size: number;
  /** @throws {CrawlError} DISK_FULL, OUTPUT_UNUSABLE */
  write(text: string): Promise<void>;
  /** Syncs the file to the disk, and closes it. @throws {CrawlError} DISK_FULL, OUTPUT_UNUSABLE */
  finish(): Promise<void>;
}

/**
 * Creates a file, which must not exist yet; disposing closes it.
 * @throws {CrawlError} DISK_FULL, OUTPUT_UNUSABLE
 */
export async function createTextFile(path: string): Promise<TextFile> {
  return new OpenTextFile(path, await open(path, 'wx', FILE_MODE).catch((error: unknown) => fail(error, path)));
}

class OpenTextFile implements TextFile {
  readonly #path: string;
  #file: FileHandle | null;
  #pieces: string[] = [];
  #waiting = 0;
  #size = 0;

  constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
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
    await this.#file?.writeFile(bytes).catch((error: unknown) => fail(error, this.#path)); // all of it, from where it stands
  }
}

function fail(error: unknown, path: string): never {
  throw targetError(error, path);
}
