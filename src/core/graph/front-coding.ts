/** Sorted texts as bytes: for each the length of the prefix shared with the one before, and the rest (front coding). */
import { ByteReader, type ByteWriter } from './bytes.ts';

/** Writes the texts after the first one of a block, which is stored elsewhere in full. @param texts sorted by their bytes */
export function writeFrontCoded(writer: ByteWriter, first: Uint8Array, texts: readonly Uint8Array[]): void {
  let previous = first;
  for (const text of texts) {
    const common = commonLength(previous, text);
    writer.varint(common);
    writer.varint(text.length - common);
    writer.append(text.subarray(common));
    previous = text;
  }
}

/** All texts of a block, the first one included. */
export function readFrontCoded(bytes: Uint8Array, first: Uint8Array): readonly Uint8Array[] {
  const texts = [first];
  const reader = new ByteReader(bytes);
  let previous = first;
  while (!reader.atEnd) {
    const common = Math.min(reader.varint(), previous.length);
    const rest = reader.take(reader.varint());
    const text = new Uint8Array(common + rest.length);
    text.set(previous.subarray(0, common));
    text.set(rest, common);
    texts.push(text);
    previous = text;
  }
  return texts;
}

/** Negative where the first comes before the second by the order of their bytes. */
export function compareBytes(one: Uint8Array, other: Uint8Array): number {
  const common = commonLength(one, other);
  if (common === one.length || common === other.length) return one.length - other.length;
  return (one[common] ?? 0) - (other[common] ?? 0);
}

function commonLength(one: Uint8Array, other: Uint8Array): number {
  const end = Math.min(one.length, other.length);
  let length = 0;
  while (length < end && one[length] === other[length]) length += 1;
  return length;
}
