/**
 * The edges of one node as bytes: their number, then the gaps between the sorted numbers of the neighbours, the first one
 * against the node itself (links stay near), then the labels in runs. URLs are numbered in their order, so that pages of
 * a folder are neighbours and most gaps take one byte.
 */
import type { ByteReader, ByteWriter } from './bytes.ts';

/** Neighbours in rising order, without repetition, and the number of each edge's label. */
interface Adjacency {
  readonly neighbours: Uint32Array;
  readonly labels: Uint32Array;
}

export function writeAdjacency(writer: ByteWriter, node: number, { neighbours, labels }: Adjacency): void {
  const count = neighbours.length;
  if (count === 0) return;
  writer.varint(count);
  let previous = neighbours[0] ?? 0;
  writer.signed(previous - node);
  for (let index = 1; index < count; index += 1) {
    const neighbour = neighbours[index] ?? 0;
    writer.varint(neighbour - previous - 1);
    previous = neighbour;
  }
  for (let start = 0; start < count;) {
    const label = labels[start] ?? 0;
    let end = start + 1;
    while (end < count && labels[end] === label) end += 1;
    // the last run reaches to the end, so its length is not written
    writer.varint(label * 2 + (end === count ? 1 : 0));
    if (end < count) writer.varint(end - start - 1);
    start = end;
  }
}

/** Reads what {@link writeAdjacency} wrote. @param length of the bytes that the list takes; without any it has no edges */
export function readAdjacency(reader: ByteReader, node: number, length: number): Adjacency {
  if (length === 0) return { neighbours: new Uint32Array(0), labels: new Uint32Array(0) };
  const count = Math.min(reader.varint(), length); // an edge takes a byte at least
  const neighbours = new Uint32Array(count);
  let previous = node + reader.signed();
  neighbours[0] = previous;
  for (let index = 1; index < count; index += 1) {
    previous += reader.varint() + 1;
    neighbours[index] = previous;
  }
  return { neighbours, labels: readRuns(reader, count) };
}

function readRuns(reader: ByteReader, count: number): Uint32Array {
  const labels = new Uint32Array(count);
  for (let start = 0; start < count;) {
    const head = reader.varint();
    const end = head % 2 === 1 ? count : Math.min(count, start + reader.varint() + 1);
    labels.fill(Math.floor(head / 2), start, end);
    start = end;
  }
  return labels;
}
