/**
 * The index of a crawl's link graph on disk, in the folder `graph` of the crawl folder.
 *
 * - `links.bin`: a mark of 16 bytes, the id of this build (16 bytes), then four sections. A section is blocks of bytes, one
 *   behind the other, and behind them a table with 10 bytes a block: its beginning in the section (6 bytes), and its
 *   CRC-32 (4); one more entry holds the end of the last one. All numbers are little-endian.
 *   - `urls`: 128 URLs a block, sorted by their bytes: the length of the first and the first as they are; the others
 *     front-coded (core/graph/front-coding.ts) and deflated. The place of a URL in that order is its number.
 *   - `nodes`: 32 a block: the outcome of the URL, and the places of its lines in links.jsonl (node-entry.ts).
 *   - `out`, `in`: 32 nodes a block: the lengths of their 32 lists, then the lists (core/graph/adjacency.ts).
 * - `graph.json`: the content of `links.bin`, and its sources. It is written last; without it, or where its id is not
 *   that of `links.bin`, there is no index.
 *
 * All of it can be made again from pages.jsonl and links.jsonl.
 */
import { z } from 'zod';
import { RECORD_OUTCOMES } from '../../model/record.ts';

export const GRAPH_FOLDER = 'graph';
export const HEADER_FILE = 'graph.json';
export const DATA_FILE = 'links.bin';
/** Names the process that writes the index. */
export const LOCK_FILE = '.lock';

/** Rises with every change in the meaning of the bytes. */
export const GRAPH_VERSION = 2;
export const DATA_MARK = 'orbweaver graph\n';
export const ID_BYTES = 16;
/** Offset of the first section. */
export const DATA_START: number = DATA_MARK.length + ID_BYTES;

export const URLS_A_BLOCK = 128;
export const NODES_A_BLOCK = 32;
export const TABLE_ENTRY = 10;

const SECTIONS = ['urls', 'nodes', 'out', 'in'] as const;
export type SectionName = (typeof SECTIONS)[number];

/** The place of a section in `links.bin`. */
export interface SectionPlace {
  readonly start: number;
  readonly blocks: number;
  /** Offset of its table. */
  readonly table: number;
}

/** The state of a source file when the index was made: its length, and the CRC-32 of its end. */
interface SourceState {
  readonly bytes: number;
  readonly end: number;
}

export interface GraphSources {
  readonly pages: SourceState;
  readonly links: SourceState;
}

export interface GraphHeader {
  readonly version: number;
  readonly id: string;
  readonly bytes: number;
  readonly urls: number;
  /** Edges, parallel ones merged. */
  readonly edges: number;
  /** Lines of links.jsonl that are in these edges. */
  readonly lines: number;
  /** Damaged lines of links.jsonl and pages.jsonl; a torn last line does not count. */
  readonly unread: number;
  readonly sources: GraphSources;
  /** The names of outcomes, by their numbers. */
  readonly outcomes: readonly string[];
  /** The labels of edges, by their number. */
  readonly labels: readonly { readonly kinds: readonly string[]; readonly classes: readonly string[] }[];
  readonly sections: Readonly<Record<SectionName, SectionPlace>>;
}

const count = z.int().min(0);
const place: z.ZodType<SectionPlace> = z.object({ start: count, blocks: count, table: count });
const state: z.ZodType<SourceState> = z.object({ bytes: count, end: count });

/** Do the sizes in a header fit into the file? The folder may come from anybody. */
function isPlausible({ bytes, urls, sections }: GraphHeader): boolean {
  const fits = SECTIONS.every((name) => sections[name].table + (sections[name].blocks + 1) * TABLE_ENTRY <= bytes);
  return fits && urls <= sections.urls.blocks * URLS_A_BLOCK && urls <= sections.nodes.blocks * NODES_A_BLOCK;
}

const header: z.ZodType<GraphHeader> = z.looseObject({
  version: count,
  id: z.string().regex(/^[0-9a-f]{32}$/),
  bytes: count,
  urls: count,
  edges: count,
  lines: count,
  unread: count,
  sources: z.object({ pages: state, links: state }),
  outcomes: z.array(z.string()).refine((names) => names.join() === RECORD_OUTCOMES.join()),
  labels: z.array(z.object({ kinds: z.array(z.string()), classes: z.array(z.string()) })),
  sections: z.object({ urls: place, nodes: place, out: place, in: place }),
});

export const headerSchema: z.ZodType<GraphHeader> = header.refine(isPlausible);

/** The index cannot be used as it is; it is made anew. */
export class GraphDamaged extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.name = 'GraphDamaged';
  }
}
