/**
 * Bodies between the network and the archive. Small ones are held in memory, larger ones in a file of the crawl folder; when all
 * together would need too much memory, new ones go to files at once. Writing to a file is synchronous: bytes arrive by calls that cannot
 * wait, so unwritten bytes would have to be held.
 */
import { closeSync, mkdirSync, openSync, rmSync, unlink, writeSync } from 'node:fs';
import { join } from 'node:path';
import { mebibytes, type Bytes } from '../base/units.ts';

export interface BodyLimits {
  /** Most bytes of one body in memory. */
  readonly each: Bytes;
  /** Most bytes of all bodies in memory. */
  readonly all: Bytes;
  /** Most bytes of a body; the rest is not kept. */
  readonly longest: Bytes;
}

/** Arbitrary: most bodies on the web are far below the first limit, and the bodies of four browsers below the second. */
export const BODY_LIMITS: BodyLimits = { each: mebibytes(2), all: mebibytes(64), longest: mebibytes(256) };

/** A whole body: in pieces, or in a file. */
export interface HeldBody extends Disposable {
  readonly length: number;
  readonly pieces: readonly Uint8Array[];
  readonly file: string | null;
}

export class BodyStore implements Disposable {
  readonly #folder: string;
  readonly #limits: BodyLimits;
  #held = 0;
  #files = 0;

  /** @param folder created when needed; contents found in it are left from a killed crawl, and removed */
  constructor(folder: string, limits: BodyLimits) {
    this.#folder = folder;
    this.#limits = limits;
    rmSync(folder, { recursive: true, force: true });
  }

  get limits(): BodyLimits {
    return this.#limits;
  }

  /** Bytes in memory. */
  get held(): number {
    return this.#held;
  }

  open(): GrowingBody {
    return new GrowingBody(this);
  }

  /** Reserves memory for bytes. @returns false where there is no room */
  take(size: number): boolean {
    if (this.#held + size > this.#limits.all) return false;
    this.#held += size;
    return true;
  }

  giveBack(size: number): void {
    this.#held -= size;
  }

  /** Path of a new file for a body. */
  newFile(): string {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    this.#files += 1;
    return join(this.#folder, `body-${this.#files}`);
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

export class GrowingBody {
  readonly #store: BodyStore;
  #pieces: Uint8Array[] = [];
  #length = 0;
  #file: { readonly path: string; readonly handle: number } | null = null;
  #isCut = false;

  constructor(store: BodyStore) {
    this.#store = store;
  }

  get length(): number {
    return this.#length;
  }

  /** Pieces of a body in memory. The list is replaced when the body goes to a file, so that a list given out before does not change. */
  get pieces(): readonly Uint8Array[] {
    return this.#pieces;
  }

  get isInFile(): boolean {
    return this.#file !== null;
  }

  /** Was the body longer than the part that is kept? */
  get isCut(): boolean {
    return this.#isCut;
  }

  /**
   * Copies the part of a chunk that still fits.
   * @returns that part
   * @throws the error of a full or failing disk
   */
  add(chunk: Uint8Array): Uint8Array {
    const room = this.#store.limits.longest - this.#length;
    if (chunk.length > room) this.#isCut = true;
    const taken = chunk.length > room ? chunk.subarray(0, room) : chunk;
    if (taken.length === 0) return taken;
    if (this.#file === null && this.#fits(taken.length)) this.#pieces.push(Buffer.from(taken));
    else writeAll(this.#spill(), taken);
    this.#length += taken.length;
    return taken;
  }

  /** Ends the body; the caller disposes of it. */
  end(): HeldBody {
    const [store, file, pieces, length] = [this.#store, this.#file, this.#pieces, this.#length];
    if (file !== null) closeSync(file.handle);
    return {
      length,
      pieces,
      file: file?.path ?? null,
      [Symbol.dispose]: () => {
        if (file === null) store.giveBack(length);
        else unlink(file.path, () => {}); // the folder is removed with the crawl
      },
    };
  }

  #fits(size: number): boolean {
    return this.#length + size <= this.#store.limits.each && this.#store.take(size);
  }

  #spill(): number {
    if (this.#file !== null) return this.#file.handle;
    const path = this.#store.newFile();
    const handle = openSync(path, 'wx', 0o600);
    this.#file = { path, handle };
    const [pieces, length] = [this.#pieces, this.#length];
    this.#pieces = [];
    this.#store.giveBack(length);
    for (const piece of pieces) writeAll(handle, piece);
    return handle;
  }
}

function writeAll(handle: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(handle, bytes, at);
}
