/** The opened index of a link graph: answers questions from the blocks that they need, and yields all nodes in their order. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { isErrorWithCode } from '../../base/process/process-identity.ts';
import { parsedJson } from '../../base/safe-json.ts';
import { readAdjacency } from '../../core/graph/adjacency.ts';
import { ByteReader } from '../../core/graph/bytes.ts';
import { LruMap } from '../../base/lru-map.ts';
import { readLabel, type EdgeLabel } from '../../core/graph/edge-label.ts';
import { compareBytes, readFrontCoded } from '../../core/graph/front-coding.ts';
import { BlockReader } from './block-reader.ts';
import {
  DATA_FILE,
  GRAPH_VERSION,
  GraphDamaged,
  HEADER_FILE,
  headerSchema,
  NODES_A_BLOCK,
  URLS_A_BLOCK,
  type GraphHeader,
} from './graph-layout.ts';
import { readNode, type NodeEntry } from './node-entry.ts';

/** Edges of one node. */
interface Edges {
  /** Numbers of URLs, rising. */
  readonly neighbours: Uint32Array;
  /** The label of each edge. */
  readonly labels: Uint32Array;
}

type Direction = 'out' | 'in';

/** Blocks of URLs that are kept readable. */
const KEPT_BLOCKS = 64;
/** Bytes at the beginning of a block of URLs: the length of its first URL. */
const LENGTH_BYTES = 3;
/** Most bytes of a URL and of the fields before it. */
const MOST_BYTES_A_URL = 66_000;

export class LinkGraph implements AsyncDisposable {
  readonly header: GraphHeader;
  readonly #blocks: BlockReader;
  readonly #labels: readonly EdgeLabel[];
  readonly #urls = new LruMap<number, readonly string[]>(KEPT_BLOCKS);

  private constructor(header: GraphHeader, blocks: BlockReader, labels: readonly EdgeLabel[]) {
    this.header = header;
    this.#blocks = blocks;
    this.#labels = labels;
  }

  /**
   * @returns null where there is none
   * @throws {GraphDamaged} where it is of another version, or is not whole
   */
  static async open(folder: string): Promise<LinkGraph | null> {
    const header = await readHeader(folder);
    if (header === null) return null;
    const labels = header.labels.map(readLabel);
    if (labels.includes(null)) throw new GraphDamaged('the link graph has labels that are not known');
    try {
      const blocks = await BlockReader.open(join(folder, DATA_FILE), header);
      return new LinkGraph(header, blocks, labels.map(Number));
    } catch (error) {
      if (isErrorWithCode(error, 'ENOENT')) return null;
      throw error;
    }
  }

  get size(): number {
    return this.header.urls;
  }

  /** Bytes of the index that were read so far. */
  get bytesRead(): number {
    return this.#blocks.bytesRead;
  }

  /** The number of a URL; null where no line names it. @throws {GraphDamaged} */
  async numberOf(url: string): Promise<number | null> {
    const wanted = new TextEncoder().encode(url);
    let low = 0;
    let high = this.header.sections.urls.blocks - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      const first = await this.#firstUrl(middle, wanted.length);
      if (compareBytes(first, wanted) <= 0) low = middle;
      else high = middle - 1;
    }
    if (high < 0) return null;
    const place = (await this.#urlBlock(low)).indexOf(url);
    return place === -1 ? null : low * URLS_A_BLOCK + place;
  }

  /** @throws {GraphDamaged} also where there is no such number */
  async urlOf(number: number): Promise<string> {
    const block = await this.#urlBlock(Math.floor(number / URLS_A_BLOCK));
    const url = block[number % URLS_A_BLOCK];
    if (url === undefined) throw new GraphDamaged(`the link graph has no URL ${number}`);
    return url;
  }

  async node(number: number): Promise<NodeEntry> {
    const reader = new ByteReader(await this.#blockOf('nodes', number));
    for (let left = number % NODES_A_BLOCK; left > 0; left -= 1) readNode(reader);
    return readNode(reader);
  }

  async edges(number: number, direction: Direction): Promise<Edges> {
    const bytes = await this.#blockOf(direction, number);
    const first = number - (number % NODES_A_BLOCK);
    const { lengths, reader } = this.#listHead(bytes, first);
    for (const length of lengths.slice(0, number - first)) reader.position += length;
    return this.#readEdges(reader, number, lengths[number - first] ?? 0);
  }

  /** All nodes in the order of their numbers. */
  async *allNodes(): AsyncGenerator<NodeEntry> {
    for (let first = 0; first < this.size; first += NODES_A_BLOCK) {
      const reader = new ByteReader(await this.#blockOf('nodes', first));
      for (let left = Math.min(NODES_A_BLOCK, this.size - first); left > 0; left -= 1) yield readNode(reader);
    }
  }

  /** The edges of all nodes in the order of their numbers. */
  async *allEdges(direction: Direction): AsyncGenerator<Edges> {
    for (let first = 0; first < this.size; first += NODES_A_BLOCK) {
      const { lengths, reader } = this.#listHead(await this.#blockOf(direction, first), first);
      for (const [place, length] of lengths.entries()) yield this.#readEdges(reader, first + place, length);
    }
  }

  /** All URLs in the order of their numbers. */
  async *allUrls(): AsyncGenerator<string> {
    for (let block = 0; block < this.header.sections.urls.blocks; block += 1) yield* await this.#urlBlock(block);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#blocks[Symbol.asyncDispose]();
  }

  async #blockOf(section: Direction | 'nodes', number: number): Promise<Buffer> {
    return this.#blocks.block(this.header.sections[section], Math.floor(number / NODES_A_BLOCK));
  }

  #listHead(bytes: Buffer, first: number): { readonly lengths: readonly number[]; readonly reader: ByteReader } {
    const reader = new ByteReader(bytes);
    const count = Math.min(NODES_A_BLOCK, this.size - first);
    return { lengths: Array.from({ length: count }, () => reader.varint()), reader };
  }

  #readEdges(reader: ByteReader, node: number, length: number): Edges {
    const { neighbours, labels } = readAdjacency(reader, node, length);
    return { neighbours, labels: labels.map((label) => this.#labels[label] ?? 0) };
  }

  /** The first URL of a block, as far as a comparison needs it. */
  async #firstUrl(block: number, wanted: number): Promise<Uint8Array> {
    const start = await this.#blocks.blockStart(this.header.sections.urls, block, LENGTH_BYTES + wanted + 1);
    const reader = new ByteReader(start);
    const length = reader.varint();
    return reader.take(Math.min(length, wanted + 1));
  }

  async #urlBlock(block: number): Promise<readonly string[]> {
    const kept = this.#urls.get(block);
    if (kept !== undefined) return kept;
    const urls = readUrls(await this.#blocks.block(this.header.sections.urls, block));
    this.#urls.set(block, urls);
    return urls;
  }
}

function readUrls(bytes: Buffer): readonly string[] {
  const reader = new ByteReader(bytes);
  const first = reader.take(reader.varint());
  const rest = inflated(bytes.subarray(reader.position));
  return readFrontCoded(rest, first).map((url) => Buffer.from(url.buffer, url.byteOffset, url.length).toString());
}

function inflated(bytes: Uint8Array): Uint8Array {
  try {
    return inflateRawSync(bytes, { maxOutputLength: URLS_A_BLOCK * MOST_BYTES_A_URL });
  } catch (error) {
    throw new GraphDamaged('a block of URLs of the link graph cannot be inflated', error);
  }
}

async function readHeader(folder: string): Promise<GraphHeader | null> {
  const path = join(folder, HEADER_FILE);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (isErrorWithCode(error, 'ENOENT')) return null;
    throw error;
  });
  if (text === null) return null;
  const header = headerSchema.safeParse(parsedJson(text));
  if (!header.success) throw new GraphDamaged(`${path} cannot be read`, header.error);
  if (header.data.version !== GRAPH_VERSION) {
    throw new GraphDamaged(`the link graph is of version ${header.data.version}, and this is ${GRAPH_VERSION}`);
  }
  return header.data;
}
