/**
 * Builds the index of a link graph (graph-layout.ts). URLs are held in memory, edges are not: they are sorted in stretches on the
 * disk (edge-store.ts).
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { writeAdjacency } from '../../core/graph/adjacency.ts';
import { ByteWriter } from '../../core/graph/bytes.ts';
import { spellLabel, type EdgeLabel } from '../../core/graph/edge-label.ts';
import { writeFrontCoded } from '../../core/graph/front-coding.ts';
import { UrlTable } from '../../core/graph/url-table.ts';
import { RECORD_OUTCOMES, type RecordOutcome } from '../../model/record.ts';
import { BlockWriter } from './block-writer.ts';
import { EdgeStore, MOST_NODES, type SortedEdges } from './edge-store.ts';
import {
  DATA_FILE,
  DATA_MARK,
  GRAPH_VERSION,
  HEADER_FILE,
  ID_BYTES,
  NODES_A_BLOCK,
  URLS_A_BLOCK,
  type GraphHeader,
  type GraphSources,
  type SectionName,
  type SectionPlace,
} from './graph-layout.ts';
import { writeNode } from './node-entry.ts';
import { NodeTable } from './node-table.ts';

/** A line of pages.jsonl, as far as the graph needs it. */
export interface PageRow {
  readonly url: string;
  readonly outcome: RecordOutcome;
  /** The URL that it redirects to; null where it does not. */
  readonly redirect: string | null;
  /** Does it ask that its links are not followed? */
  readonly isNofollow: boolean;
}

/** A line of links.jsonl. */
export interface LinkRow {
  readonly from: string;
  readonly to: string;
  readonly label: EdgeLabel;
  /** Offset of the line in the file. */
  readonly offset: number;
  /** Length with the line feed. */
  readonly length: number;
}

/** The rows that a graph is made of. The later line about a page counts. */
export interface GraphRows {
  readonly seeds: readonly string[];
  readonly pages: AsyncIterable<readonly PageRow[]>;
  readonly links: AsyncIterable<readonly LinkRow[]>;
  /** Asked when all rows have been read. */
  readonly unread: () => number;
  readonly sources: GraphSources;
}

interface BuildOptions {
  /** Edges that are sorted in memory at a time. */
  readonly stretch?: number;
}

/**
 * Builds the index; an earlier one in the folder is replaced when the new one is whole.
 * @param folder created where it is missing; no other process builds in it meanwhile
 * @throws the system's errors, and the signal's reason
 */
export async function buildGraph(
  folder: string,
  rows: GraphRows,
  { stretch }: BuildOptions,
  signal: AbortSignal,
): Promise<GraphHeader> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeDrafts(folder);
  const draft = join(folder, `${DATA_FILE}.${randomUUID()}.tmp`);
  try {
    using edges = new EdgeStore(`${draft}.edges`, stretch);
    const collected = await collect(rows, edges, signal);
    const header = await writeData(
      draft,
      { ...collected, edges, sources: rows.sources, unread: rows.unread() },
      signal,
    );
    await rename(draft, join(folder, DATA_FILE));
    await writeHeader(folder, header);
    return header;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Removes the files of a build that was killed. */
async function removeDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (/\.tmp(?:\.|$)/.test(name)) await rm(join(folder, name), { force: true });
}

/** Replaces the header; the data stay. */
export async function writeHeader(folder: string, header: GraphHeader): Promise<void> {
  const path = join(folder, HEADER_FILE);
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(draft, `${JSON.stringify(header, undefined, 1)}\n`, { flag: 'wx', mode: 0o600 });
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}

interface Collected {
  readonly urls: UrlTable;
  readonly nodes: NodeTable;
}

async function collect(rows: GraphRows, edges: EdgeStore, signal: AbortSignal): Promise<Collected> {
  const urls = new UrlTable();
  const nodes = new NodeTable();
  for (const seed of rows.seeds) nodes.seed(urls.add(seed));
  for await (const pages of rows.pages) {
    signal.throwIfAborted();
    for (const { url, redirect, ...page } of pages) {
      nodes.page(urls.add(url), { ...page, redirect: redirect === null ? null : urls.add(redirect) });
    }
  }
  let source = { url: '', node: -1 };
  for await (const links of rows.links) {
    signal.throwIfAborted();
    for (const { from, to, label, offset, length } of links) {
      if (from !== source.url) source = { url: from, node: urls.add(from) }; // the lines of a page stand together
      edges.add(source.node, urls.add(to), label);
      nodes.line(source.node, offset, length);
    }
  }
  if (urls.size > MOST_NODES) throw new RangeError(`links.jsonl names more than ${MOST_NODES} URLs`);
  return { urls, nodes };
}

interface DataParts extends Collected {
  readonly edges: EdgeStore;
  readonly sources: GraphSources;
  readonly unread: number;
}

async function writeData(path: string, parts: DataParts, signal: AbortSignal): Promise<GraphHeader> {
  const { urls, edges, sources, unread } = parts;
  const id = randomBytes(ID_BYTES);
  await using writer = await BlockWriter.open(path, Buffer.concat([Buffer.from(DATA_MARK), id]));
  const order = urls.sorted();
  const rankOf = new Uint32Array(order.length);
  for (const [rank, index] of order.entries()) rankOf[index] = rank;
  const labels = new LabelNumbers();
  const lists = { rankOf, edges, labels, nodes: order.length };
  const sections: Record<SectionName, SectionPlace> = {
    urls: await writeUrls(writer, urls, order),
    nodes: await writeNodes(writer, parts.nodes, { order, rankOf }),
    out: (await writeLists(writer, { ...lists, by: 'out' }, signal)).place,
    in: NO_PLACE,
  };
  const { place, count } = await writeLists(writer, { ...lists, by: 'in' }, signal);
  sections.in = place;
  await writer.sync();
  return {
    version: GRAPH_VERSION,
    id: id.toString('hex'),
    bytes: writer.length,
    urls: order.length,
    edges: count,
    lines: edges.size,
    unread,
    sources,
    outcomes: RECORD_OUTCOMES,
    labels: labels.all.map(spellLabel),
    sections,
  };
}

const NO_PLACE: SectionPlace = { start: 0, blocks: 0, table: 0 };

async function writeUrls(writer: BlockWriter, urls: UrlTable, order: Uint32Array): Promise<SectionPlace> {
  const block = new ByteWriter();
  const rest = new ByteWriter();
  for (let start = 0; start < order.length; start += URLS_A_BLOCK) {
    const [first = new Uint8Array(0), ...others] = Array.from(order.subarray(start, start + URLS_A_BLOCK), (index) =>
      urls.bytesOf(index),
    );
    rest.clear();
    writeFrontCoded(rest, first, others);
    block.clear();
    block.varint(first.length);
    block.append(first);
    block.append(deflateRawSync(rest.bytes, { level: 9 }));
    await writer.block(block.bytes);
  }
  return writer.endSection();
}

async function writeNodes(
  writer: BlockWriter,
  nodes: NodeTable,
  { order, rankOf }: { readonly order: Uint32Array; readonly rankOf: Uint32Array },
): Promise<SectionPlace> {
  const block = new ByteWriter();
  for (let start = 0; start < order.length; start += NODES_A_BLOCK) {
    block.clear();
    for (const index of order.subarray(start, start + NODES_A_BLOCK)) writeNode(block, nodes.entry(index, rankOf));
    await writer.block(block.bytes);
  }
  return writer.endSection();
}

interface Lists {
  readonly rankOf: Uint32Array;
  readonly edges: EdgeStore;
  readonly labels: LabelNumbers;
  readonly nodes: number;
  readonly by: 'out' | 'in';
}

/** @returns the place of the lists, and the number of edges */
async function writeLists(
  writer: BlockWriter,
  { rankOf, edges, labels, nodes, by }: Lists,
  signal: AbortSignal,
): Promise<{ readonly place: SectionPlace; readonly count: number }> {
  const sorted = edges.sorted(rankOf, by);
  const block = new ListBlock();
  let count = 0;
  let next: SortedEdges | undefined = sorted.next().value;
  for (let start = 0; start < nodes; start += NODES_A_BLOCK) {
    signal.throwIfAborted();
    const end = Math.min(nodes, start + NODES_A_BLOCK);
    for (let node = start; node < end; node += 1) {
      if (next?.node !== node) {
        block.none();
        continue;
      }
      count += next.neighbours.length;
      block.add(node, next.neighbours, labels.numbersOf(next.labels));
      next = sorted.next().value;
    }
    await writer.block(block.take());
  }
  sorted.return(undefined);
  return { place: await writer.endSection(), count };
}

/** The lists of some nodes: their lengths, then themselves. */
class ListBlock {
  readonly #lengths = new ByteWriter();
  readonly #lists = new ByteWriter();
  readonly #whole = new ByteWriter();

  none(): void {
    this.#lengths.varint(0);
  }

  add(node: number, neighbours: Uint32Array, labels: Uint32Array): void {
    const before = this.#lists.length;
    writeAdjacency(this.#lists, node, { neighbours, labels });
    this.#lengths.varint(this.#lists.length - before);
  }

  /** The bytes, valid until the next block is taken. */
  take(): Uint8Array {
    this.#whole.clear();
    this.#whole.append(this.#lengths.bytes);
    this.#whole.append(this.#lists.bytes);
    this.#lengths.clear();
    this.#lists.clear();
    return this.#whole.bytes;
  }
}

/** Numbers labels in the order in which they come: of some millions of possible ones there are some dozens. */
class LabelNumbers {
  readonly #numbers = new Map<EdgeLabel, number>();
  readonly all: EdgeLabel[] = [];

  /** Replaces labels by their numbers, in place. */
  numbersOf(labels: Uint32Array): Uint32Array {
    for (let index = 0; index < labels.length; index += 1) labels[index] = this.#numberOf(labels[index] ?? 0);
    return labels;
  }

  #numberOf(label: EdgeLabel): number {
    const known = this.#numbers.get(label);
    if (known !== undefined) return known;
    this.#numbers.set(label, this.all.length);
    this.all.push(label);
    return this.all.length - 1;
  }
}
