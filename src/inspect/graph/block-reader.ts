/** Reads single blocks of a file that block-writer.ts has written. A block that does not match its checksum is refused. */
import { open, type FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { LruMap } from '../../base/lru-map.ts';
import { DATA_MARK, DATA_START, GraphDamaged, TABLE_ENTRY, type SectionPlace } from './graph-layout.ts';

/** The file is read in pages of this size, and the last ones read are kept. */
const PAGE = 2 ** 14;
const KEPT_PAGES = 256;
const LOW = 2 ** 32;

export class BlockReader implements AsyncDisposable {
  readonly #file: FileHandle;
  readonly #length: number;
  readonly #pages = new LruMap<number, Buffer>(KEPT_PAGES);
  #bytesRead = 0;

  private constructor(file: FileHandle, length: number) {
    this.#file = file;
    this.#length = length;
  }

  /** @param expected its id and its length @throws {GraphDamaged} where the file is another one */
  static async open(
    path: string,
    { id, bytes }: { readonly id: string; readonly bytes: number },
  ): Promise<BlockReader> {
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat();
      const reader = new BlockReader(file, size);
      const head = await reader.#read(0, Math.min(size, DATA_START));
      const expected = Buffer.concat([Buffer.from(DATA_MARK), Buffer.from(id, 'hex')]);
      if (size !== bytes || !head.equals(expected)) throw new GraphDamaged(`${path} is not the file that it should be`);
      return reader;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Bytes that were read from the disk. */
  get bytesRead(): number {
    return this.#bytesRead;
  }

  /** @throws {GraphDamaged} */
  async block(section: SectionPlace, index: number): Promise<Buffer> {
    const { start, end, sum } = await this.#entry(section, index);
    const bytes = await this.#read(start, end - start);
    if (crc32(bytes) !== sum) throw new GraphDamaged(`block ${index} at ${start} of the link graph is damaged`);
    return bytes;
  }

  /** The first bytes of a block, at most so many; they are not checked against its sum. */
  async blockStart(section: SectionPlace, index: number, most: number): Promise<Buffer> {
    const { start, end } = await this.#entry(section, index);
    return this.#read(start, Math.min(most, end - start));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close();
  }

  async #entry(section: SectionPlace, index: number): Promise<{ start: number; end: number; sum: number }> {
    const table = await this.#read(section.table + index * TABLE_ENTRY, 2 * TABLE_ENTRY);
    const start = section.start + placeIn(table, 0);
    const end = section.start + placeIn(table, TABLE_ENTRY);
    if (index < 0 || index >= section.blocks || end < start || end > section.table) {
      throw new GraphDamaged('a table of the link graph is damaged');
    }
    return { start, end, sum: table.readUInt32LE(6) };
  }

  async #read(offset: number, length: number): Promise<Buffer> {
    if (offset + length > this.#length) throw new GraphDamaged('the link graph ends too soon');
    const first = Math.floor(offset / PAGE);
    const last = Math.floor((offset + length - 1) / PAGE);
    if (last - first > 1) return this.#readDirectly(offset, length); // the list of a hub, or many lists: they are not asked for again
    const page = await this.#page(first);
    const start = offset - first * PAGE;
    if (last <= first) return page.subarray(start, start + length);
    return Buffer.concat([page.subarray(start), await this.#page(last)]).subarray(0, length);
  }

  async #page(number: number): Promise<Buffer> {
    const kept = this.#pages.get(number);
    if (kept !== undefined) return kept;
    const page = await this.#readDirectly(number * PAGE, Math.min(PAGE, this.#length - number * PAGE));
    this.#pages.set(number, page);
    return page;
  }

  async #readDirectly(offset: number, length: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafeSlow(length);
    for (let done = 0; done < length;) {
      const { bytesRead } = await this.#file.read(bytes, done, length - done, offset + done);
      if (bytesRead === 0) throw new GraphDamaged('the link graph ends too soon');
      done += bytesRead;
    }
    this.#bytesRead += length;
    return bytes;
  }
}

function placeIn(table: Buffer, at: number): number {
  return table.readUInt32LE(at) + table.readUInt16LE(at + 4) * LOW;
}
