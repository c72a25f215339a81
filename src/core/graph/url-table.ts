/**
 * Numbers URLs in the order in which they come, and sorts them by their bytes. Flat: the bytes lie in large
 * pieces, the table of places is one array, so that ten million URLs take ten million times their length and 16 bytes.
 */
import { FNV_BASIS, FNV_PRIME } from '../../base/hash.ts';

const PIECE = 1 << 20;
const PLACE_MASK = PIECE - 1;
const LENGTH_BYTES = 2;
/** Longer ones are cut: canonical URLs have 2,048 characters at most. */
const MOST_BYTES = 65_535;
const FIRST_SLOTS = 1 << 12;
const EMPTY = 0xffff_ffff;

export class UrlTable {
  readonly #pieces: Uint8Array[] = [];
  /** Piece and place in it of each URL's length, as one number. */
  #places: Float64Array = new Float64Array(FIRST_SLOTS / 2);
  #hashes: Uint32Array = new Uint32Array(FIRST_SLOTS / 2);
  #slots: Uint32Array = new Uint32Array(FIRST_SLOTS).fill(EMPTY);
  #end = 0;
  #count = 0;
  readonly #encoder = new TextEncoder();
  readonly #draft = new Uint8Array(MOST_BYTES);

  get size(): number {
    return this.#count;
  }

  /** The number of a URL; a new one gets the next. */
  add(url: string): number {
    const { slot, hash, length } = this.#slotOf(url);
    const known = this.#slots[slot] ?? EMPTY;
    if (known !== EMPTY) return known;
    this.#slots[slot] = this.#count;
    return this.#append(hash, length);
  }

  /** The number of a URL; null where it has none. */
  find(url: string): number | null {
    const known = this.#slots[this.#slotOf(url).slot] ?? EMPTY;
    return known === EMPTY ? null : known;
  }

  /** The bytes of a URL, in UTF-8. */
  bytesOf(index: number): Uint8Array {
    const place = this.#places[index] ?? 0;
    const piece = this.#pieceOf(place);
    const start = (place & PLACE_MASK) + LENGTH_BYTES;
    return piece.subarray(start, start + lengthAt(piece, place & PLACE_MASK));
  }

  /** The numbers in the order of the bytes of their URLs. */
  sorted(): Uint32Array {
    const order = new Uint32Array(this.#count);
    for (let index = 0; index < order.length; index += 1) order[index] = index;
    sortByBytes(order, (index, depth) => this.#byteAt(index, depth));
    return order;
  }

  /** The slot of a URL, or the empty one that it would get; leaves its bytes in the draft. */
  #slotOf(url: string): { readonly slot: number; readonly hash: number; readonly length: number } {
    const { written: length } = this.#encoder.encodeInto(url, this.#draft);
    const hash = hashOf(this.#draft, length);
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const known = this.#slots[slot] ?? EMPTY;
      if (known === EMPTY || (this.#hashes[known] === hash && this.#holds(known, length)))
        return { slot, hash, length };
    }
  }

  #append(hash: number, length: number): number {
    if ((this.#end & PLACE_MASK) + LENGTH_BYTES + length > PIECE) this.#end = this.#pieces.length * PIECE;
    const place = this.#end;
    const piece = this.#pieces[Math.floor(place / PIECE)] ?? this.#newPiece();
    const start = place & PLACE_MASK;
    piece[start] = length & 255;
    piece[start + 1] = length >>> 8;
    piece.set(this.#draft.subarray(0, length), start + LENGTH_BYTES);
    this.#end += LENGTH_BYTES + length;
    const index = this.#count;
    if (index === this.#places.length) this.#grow();
    this.#places[index] = place;
    this.#hashes[index] = hash;
    this.#count += 1;
    if (this.#count * 2 > this.#slots.length) this.#spread();
    return index;
  }

  #newPiece(): Uint8Array {
    const piece = new Uint8Array(PIECE);
    this.#pieces.push(piece);
    return piece;
  }

  #grow(): void {
    const places = new Float64Array(this.#places.length * 2);
    places.set(this.#places);
    this.#places = places;
    const hashes = new Uint32Array(this.#hashes.length * 2);
    hashes.set(this.#hashes);
    this.#hashes = hashes;
  }

  /** Doubles the slots. */
  #spread(): void {
    const slots = new Uint32Array(this.#slots.length * 2).fill(EMPTY);
    const mask = slots.length - 1;
    for (let index = 0; index < this.#count; index += 1) {
      let slot = (this.#hashes[index] ?? 0) & mask;
      while (slots[slot] !== EMPTY) slot = (slot + 1) & mask;
      slots[slot] = index;
    }
    this.#slots = slots;
  }

  #pieceOf(place: number): Uint8Array {
    const piece = this.#pieces[Math.floor(place / PIECE)];
    if (piece === undefined) throw new RangeError('no such URL');
    return piece;
  }

  /** Is the URL the one in the draft? */
  #holds(index: number, length: number): boolean {
    const place = this.#places[index] ?? 0;
    const piece = this.#pieceOf(place);
    const start = (place & PLACE_MASK) + LENGTH_BYTES;
    if (lengthAt(piece, place & PLACE_MASK) !== length) return false;
    for (let offset = 0; offset < length; offset += 1) if (piece[start + offset] !== this.#draft[offset]) return false;
    return true;
  }

  /** -1 behind the end. */
  #byteAt(index: number, depth: number): number {
    const place = this.#places[index] ?? 0;
    const piece = this.#pieces[Math.floor(place / PIECE)];
    const start = place & PLACE_MASK;
    if (piece === undefined || depth >= lengthAt(piece, start)) return -1;
    return piece[start + LENGTH_BYTES + depth] ?? -1;
  }
}

function lengthAt(piece: Uint8Array, start: number): number {
  return (piece[start] ?? 0) | ((piece[start + 1] ?? 0) << 8);
}

/** FNV-1a, its bits mixed once more: the low ones alone choose the slot. */
function hashOf(bytes: Uint8Array, length: number): number {
  let hash = FNV_BASIS;
  for (let index = 0; index < length; index += 1) hash = Math.imul(hash ^ (bytes[index] ?? 0), FNV_PRIME);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b_3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** Stretches up to this length are sorted by insertion. */
const SMALL = 12;

/**
 * Multikey quicksort (Bentley & Sedgewick, SODA 1997): URLs have long common prefixes, and it looks at each byte of
 * these once for a whole group, not once for each comparison.
 */
function sortByBytes(order: Uint32Array, byteAt: (index: number, depth: number) => number): void {
  const pending: [from: number, to: number, depth: number][] = [[0, order.length, 0]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [from, to, depth] = next;
    if (to - from <= SMALL) {
      sortFew(order, next, byteAt);
      continue;
    }
    const pivot = byteAt(order[(from + to) >>> 1] ?? 0, depth);
    let [low, high] = [from, to - 1];
    for (let at = from; at <= high;) {
      const byte = byteAt(order[at] ?? 0, depth);
      if (byte < pivot) swap(order, at++, low++);
      else if (byte > pivot) swap(order, at, high--);
      else at += 1;
    }
    pending.push([from, low, depth], [high + 1, to, depth]);
    if (pivot !== -1) pending.push([low, high + 1, depth + 1]);
  }
}

function sortFew(
  order: Uint32Array,
  [from, to, depth]: readonly [number, number, number],
  byteAt: (index: number, depth: number) => number,
): void {
  for (let at = from + 1; at < to; at += 1) {
    for (
      let place = at;
      place > from && isBefore(order[place] ?? 0, order[place - 1] ?? 0, depth, byteAt);
      place -= 1
    ) {
      swap(order, place, place - 1);
    }
  }
}

function isBefore(one: number, other: number, from: number, byteAt: (index: number, depth: number) => number): boolean {
  for (let depth = from; ; depth += 1) {
    const byte = byteAt(one, depth);
    const difference = byte - byteAt(other, depth);
    if (difference !== 0) return difference < 0;
    if (byte === -1) return false;
  }
}

function swap(order: Uint32Array, one: number, other: number): void {
  const kept = order[one] ?? 0;
  order[one] = order[other] ?? 0;
  order[other] = kept;
}
