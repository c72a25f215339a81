/** Writes a file of blocks, section by section, with the table of each section behind it (graph-layout.ts). */
import { open, type FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { ByteWriter } from '../../core/graph/bytes.ts';
import { TABLE_ENTRY, type SectionPlace } from './graph-layout.ts';

/** Bytes that are written at a time. */
const PIECE = 2 ** 20;
/** The low part of the 6 bytes of a place in the table. */
const LOW = 2 ** 32;

export class BlockWriter implements AsyncDisposable {
  readonly #file: FileHandle;
  readonly #pending = new ByteWriter();
  #written = 0;
  #start = 0;
  #blocks = 0;
  #table = new ByteWriter();

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** @param path of a file that does not exist yet @param head its first bytes */
  static async open(path: string, head: Uint8Array): Promise<BlockWriter> {
    const writer = new BlockWriter(await open(path, 'wx', 0o600));
    writer.#pending.append(head);
    writer.#start = head.length;
    return writer;
  }

  /** Length of the file with all bytes written so far. */
  get length(): number {
    return this.#written + this.#pending.length;
  }

  /** Writes a block of the current section. */
  async block(bytes: Uint8Array): Promise<void> {
    this.#entry(crc32(bytes));
    this.#blocks += 1;
    this.#pending.append(bytes);
    if (this.#pending.length >= PIECE) await this.#flush();
  }

  /** Ends the section; the next one begins behind it. */
  async endSection(): Promise<SectionPlace> {
    this.#entry(0);
    const place = { start: this.#start, blocks: this.#blocks, table: this.length };
    this.#pending.append(this.#table.bytes);
    await this.#flush();
    this.#table = new ByteWriter();
    this.#blocks = 0;
    this.#start = this.length;
    return place;
  }

  /** Waits until all is on the disk. */
  async sync(): Promise<void> {
    await this.#flush();
    await this.#file.datasync();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close();
  }

  #entry(sum: number): void {
    const entry = new DataView(new ArrayBuffer(TABLE_ENTRY));
    const place = this.length - this.#start;
    entry.setUint32(0, place % LOW, true);
    entry.setUint16(4, Math.floor(place / LOW), true);
    entry.setUint32(6, sum, true);
    this.#table.append(new Uint8Array(entry.buffer));
  }

  async #flush(): Promise<void> {
    const { bytes } = this.#pending;
    for (let done = 0; done < bytes.length;) {
      const { bytesWritten } = await this.#file.write(bytes, done, bytes.length - done, this.#written + done);
      done += bytesWritten;
    }
    this.#written += bytes.length;
    this.#pending.clear();
  }
}
