/**
 * Room on the disk for the last crawl.json: a file that is as long and more lies beside it while a crawl runs. A full disk takes no new file, but what
 * lies there already can be written over, and nobody else can take its place meanwhile, as of a file that is removed to make room.
 * File systems that never write over what they have (btrfs, ZFS) may refuse it all the same.
 */
import { randomUUID } from 'node:crypto';
import { open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { diskError } from './disk-error.ts';
import { syncFolder } from './sync-folder.ts';

/** By how much the last content may be longer than the first: notes, suspected traps, given-up hosts. Arbitrary. */
const GROWTH = 64 * 1024;

export class KeptRoom {
  readonly #path: string;
  readonly #file: string;
  readonly #size: number;

  private constructor(path: string, file: string, size: number) {
    this.#path = path;
    this.#file = file;
    this.#size = size;
  }

  /** Keeps room for a file. The name is one that a resumed crawl removes, if the program is killed. @returns null where the disk has none */
  static async keepFor(path: string, content: string): Promise<KeptRoom | null> {
    const file = `${path}.${randomUUID()}.tmp`;
    const size = Buffer.byteLength(content) + GROWTH;
    try {
      await writeFile(file, Buffer.alloc(size, ' '), { flag: 'wx', mode: 0o600 });
      return new KeptRoom(path, file, size);
    } catch {
      await rm(file, { force: true }).catch(() => {});
      return null;
    }
  }

  /** Puts the content in the place of the file, whole or not at all. @throws {CrawlError} DISK_FULL, OUTPUT_UNUSABLE */
  async fill(content: string): Promise<void> {
    const bytes = Buffer.from(content);
    try {
      if (bytes.length > this.#size) throw Object.assign(new Error('the kept room is too small'), { code: 'ENOSPC' });
      const handle = await open(this.#file, 'r+');
      try {
        await handle.write(bytes, 0, bytes.length, 0);
        await handle.truncate(bytes.length);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(this.#file, this.#path);
    } catch (error) {
      throw diskError(error, this.#path);
    }
    await syncFolder(dirname(this.#path));
  }

  /** What cannot be removed now, a resumed crawl removes. */
  async giveBack(): Promise<void> {
    await rm(this.#file, { force: true }).catch(() => {});
  }
}
