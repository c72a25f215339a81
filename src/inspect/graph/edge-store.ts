/**
 * Edges on their way into the index: collected as they come, given back sorted, once by their sources and once by
 * their targets. An edge is 8 bytes; edges beyond a stretch lie on the disk, each stretch sorted by itself and all
 * of them merged, so that memory does not grow with the number of edges. Reading and writing is synchronous: it happens once in
 * two million edges.
 */
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { LITTLE_ENDIAN } from './endianness.ts';

/** Edges of a stretch: 16 MiB. */
const STRETCH = 2 ** 21;
/** Edges that there is room for at first; the room doubles. A whole stretch for each small crawl kept the garbage collector busy. */
const FIRST_EDGES = 1024;
/** Bytes that are read of each sorted stretch at a time. */
const PIECE = 2 ** 18;
const BYTES = 8;
/** A node has 28 bits, a label 8. */
export const MOST_NODES: number = 2 ** 28;
const MOST_LABELS = 256;
const LOW = LITTLE_ENDIAN ? 0 : 1;
const HIGH = 1 - LOW;

/** The edges of one node; the arrays are overwritten by the next one. */
export interface SortedEdges {
  readonly node: number;
  /** Sorted, without repetition. */
  readonly neighbours: Uint32Array;
  /** The label of each, those of parallel edges merged. */
  readonly labels: Uint32Array;
}

export class EdgeStore implements Disposable {
  readonly #file: number;
  readonly #path: string;
  readonly #stretch: number;
  #pairs: Uint32Array;
  #filled = 0;
  /** Stretches on the disk. */
  #stored = 0;
  /** The number of each label, in the order in which they came. */
  readonly #numbers = new Map<number, number>();
  readonly #labels: number[] = [];

  /** @param path of a file that does not exist yet; it is removed when the store is disposed @param stretch edges in memory */
  constructor(path: string, stretch: number = STRETCH) {
    this.#path = path;
    this.#file = openSync(path, 'wx+', 0o600);
    this.#stretch = stretch;
    this.#pairs = new Uint32Array(Math.min(stretch, FIRST_EDGES) * 2);
  }

  /** Edges so far, parallel ones each. */
  get size(): number {
    return this.#stored * this.#stretch + this.#filled;
  }

  /** @param label as bits */
  add(from: number, to: number, label: number): void {
    if (this.#filled === this.#stretch) this.#store();
    if (this.#filled * 2 === this.#pairs.length) this.#pairs = doubled(this.#pairs, this.#stretch * 2);
    const number = this.#numbers.get(label) ?? this.#newNumber(label);
    pack(this.#pairs, this.#filled, { from, to, number });
    this.#filled += 1;
  }

  /**
   * The edges by the final numbers of nodes, nodes in rising order; nodes without edges are left out.
   * @param rankOf the final number of each node @param by `out`: the nodes that edges come from, `in`: the nodes that they lead to
   */
  *sorted(rankOf: Uint32Array, by: 'out' | 'in'): Generator<SortedEdges> {
    using runs = this.#sortStretches(rankOf, by);
    yield* grouped(runs.cursors, this.#labels);
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
    unlinkSync(this.#path);
  }

  #newNumber(label: number): number {
    const number = this.#labels.length;
    if (number === MOST_LABELS) throw new RangeError('lines of links.jsonl have more than 256 labels');
    this.#numbers.set(label, number);
    this.#labels.push(label);
    return number;
  }

  #store(): void {
    writeFully(this.#file, this.#pairs, this.#stored * this.#stretch * BYTES);
    this.#stored += 1;
    this.#filled = 0;
  }

  #sortStretches(rankOf: Uint32Array, by: 'out' | 'in'): Disposable & { readonly cursors: readonly Cursor[] } {
    if (this.#stored === 0) {
      const pairs = sortedPairs(this.#pairs.slice(0, this.#filled * 2), rankOf, by);
      return { cursors: [new Cursor(pairs, null)], [Symbol.dispose]: () => {} };
    }
    const path = `${this.#path}.${by}`;
    const file = openSync(path, 'wx+', 0o600);
    const cursors: Cursor[] = [];
    const pairs = new Uint32Array(this.#stretch * 2);
    for (let stretch = 0; stretch <= this.#stored; stretch += 1) {
      const place = stretch * this.#stretch * BYTES;
      const edges = stretch === this.#stored ? this.#filled : this.#stretch;
      const own = pairs.subarray(0, edges * 2);
      if (stretch === this.#stored) own.set(this.#pairs.subarray(0, edges * 2));
      else readFully(this.#file, own, place);
      writeFully(file, sortedPairs(own, rankOf, by), place);
      cursors.push(new Cursor(new Uint32Array(0), { file, place, end: place + edges * BYTES }));
    }
    return {
      cursors,
      [Symbol.dispose]: () => {
        closeSync(file);
        unlinkSync(path);
      },
    };
  }
}

/** Packs two nodes and a label into 64 bits, so that the order of the numbers is theirs. */
function pack(
  pairs: Uint32Array,
  index: number,
  { from, to, number }: { from: number; to: number; number: number },
): void {
  pairs[index * 2 + HIGH] = (from << 4) | (to >>> 24);
  pairs[index * 2 + LOW] = (to << 8) | number;
}

function sortedPairs(pairs: Uint32Array, rankOf: Uint32Array, by: 'out' | 'in'): Uint32Array {
  for (let index = 0; index < pairs.length / 2; index += 1) {
    const high = pairs[index * 2 + HIGH] ?? 0;
    const low = pairs[index * 2 + LOW] ?? 0;
    const from = rankOf[high >>> 4] ?? 0;
    const to = rankOf[((high & 15) << 24) | (low >>> 8)] ?? 0;
    const number = low & 255;
    pack(pairs, index, by === 'out' ? { from, to, number } : { from: to, to: from, number });
  }
  new BigUint64Array(pairs.buffer, pairs.byteOffset, pairs.length / 2).sort();
  return pairs;
}

interface Region {
  readonly file: number;
  readonly place: number;
  readonly end: number;
}

/** Reads a sorted stretch from its beginning. */
class Cursor {
  #pairs: Uint32Array;
  #at = 0;
  readonly #file: number | null;
  #place: number;
  readonly #end: number;
  high = 0;
  low = 0;

  constructor(pairs: Uint32Array, region: Region | null) {
    this.#pairs = pairs;
    this.#file = region?.file ?? null;
    this.#place = region?.place ?? 0;
    this.#end = region?.end ?? 0;
  }

  /** Goes to the next edge; false where there is none. */
  next(): boolean {
    if (this.#at === this.#pairs.length && !this.#refill()) return false;
    this.high = this.#pairs[this.#at + HIGH] ?? 0;
    this.low = this.#pairs[this.#at + LOW] ?? 0;
    this.#at += 2;
    return true;
  }

  #refill(): boolean {
    const bytes = Math.min(PIECE, this.#end - this.#place);
    if (this.#file === null || bytes === 0) return false;
    this.#pairs = new Uint32Array(bytes / 4);
    readFully(this.#file, this.#pairs, this.#place);
    this.#place += bytes;
    this.#at = 0;
    return true;
  }
}

function* grouped(cursors: readonly Cursor[], bitsOf: readonly number[]): Generator<SortedEdges> {
  let live = cursors.filter((cursor) => cursor.next());
  let neighbours = new Uint32Array(1024);
  let labels = new Uint32Array(1024);
  let count = 0;
  let node = -1;
  while (live.length > 0) {
    const first = firstOf(live);
    const from = first.high >>> 4;
    const to = ((first.high & 15) << 24) | (first.low >>> 8);
    const label = bitsOf[first.low & 255] ?? 0;
    if (from !== node) {
      if (count > 0) yield { node, neighbours: neighbours.subarray(0, count), labels: labels.subarray(0, count) };
      node = from;
      count = 0;
    }
    if (count > 0 && neighbours[count - 1] === to) {
      labels[count - 1] = (labels[count - 1] ?? 0) | label;
    } else {
      if (count === neighbours.length) [neighbours, labels] = [doubled(neighbours), doubled(labels)];
      neighbours[count] = to;
      labels[count] = label;
      count += 1;
    }
    if (!first.next()) live = live.filter((cursor) => cursor !== first);
  }
  if (count > 0) yield { node, neighbours: neighbours.subarray(0, count), labels: labels.subarray(0, count) };
}

/** The cursor at the first edge of all. There are only a few cursors, so all are looked at. */
function firstOf(cursors: readonly Cursor[]): Cursor {
  let [first] = cursors;
  if (first === undefined) throw new RangeError('no cursor');
  for (const cursor of cursors) {
    if (cursor.high < first.high || (cursor.high === first.high && cursor.low < first.low)) first = cursor;
  }
  return first;
}

function doubled(values: Uint32Array, most = Infinity): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.min(values.length * 2, most));
  larger.set(values);
  return larger;
}

function writeFully(file: number, values: Uint32Array, place: number): void {
  for (let done = 0; done < values.byteLength;) {
    const bytes = new Uint8Array(values.buffer, values.byteOffset + done, values.byteLength - done);
    done += writeSync(file, bytes, 0, bytes.length, place + done);
  }
}

function readFully(file: number, values: Uint32Array, place: number): void {
  for (let done = 0; done < values.byteLength;) {
    const bytes = new Uint8Array(values.buffer, values.byteOffset + done, values.byteLength - done);
    const read = readSync(file, bytes, 0, bytes.length, place + done);
    if (read === 0) throw new Error('the edges that were put aside are gone');
    done += read;
  }
}
