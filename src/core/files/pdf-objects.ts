/**
 * The objects of a PDF, found by a scan from its start to its end: reference tables are ignored, so a damaged or cut file
 * gives the objects that are left. The later of two objects with the same number counts (incremental updates).
 */
import { integerOf, nameOf, referenceOf, type PdfObject } from './pdf-values.ts';

/** Unpacks a Flate stream; input and output have a character for each byte. Null where it is no Flate stream, or too large. */
export type Inflate = (octets: string) => string | null;

export interface PdfFile {
  readonly objects: ReadonlyMap<number, PdfObject>;
  /** Dictionaries that say where the rest begins: trailers, and the heads of cross-reference streams; the last one first. */
  readonly trailers: readonly PdfObject[];
}

const OBJECT_LIMIT = 200_000;
/** Characters of one dictionary; longer ones are tables of glyphs and the like. */
const DICTIONARY_LIMIT = 65_536;
const TRAILER_LIMIT = 20;
/** Object streams that are unpacked, each up to the limit of {@link Inflate}. */
const PACKED_LIMIT = 2000;

/** @param octets a character for each byte */
export function pdfFile(octets: string, inflate: Inflate): PdfFile {
  const reader = new Reader(octets, inflate);
  reader.read();
  return { objects: reader.objects, trailers: reader.trailers.toReversed() };
}

class Reader {
  readonly objects = new Map<number, PdfObject>();
  readonly trailers: PdfObject[] = [];
  readonly #octets: string;
  readonly #inflate: Inflate;
  readonly #nextStream: (from: number) => number;
  readonly #nextEnd: (from: number) => number;
  #packed = 0;

  constructor(octets: string, inflate: Inflate) {
    this.#octets = octets;
    this.#inflate = inflate;
    this.#nextStream = finder(octets, 'stream');
    this.#nextEnd = finder(octets, 'endobj');
  }

  read(): void {
    const begins = /(?:(\d{1,10})\s{1,8}\d{1,5}\s{1,8}obj|\btrailer)(?![A-Za-z0-9])/g;
    for (let match = begins.exec(this.#octets); match !== null; match = begins.exec(this.#octets)) {
      const from = match.index + match[0].length;
      if (match[1] === undefined) this.#trailer(this.#octets.slice(from, from + DICTIONARY_LIMIT));
      else begins.lastIndex = this.#object(Number(match[1]), from);
      if (this.objects.size >= OBJECT_LIMIT) return;
    }
  }

  /** @returns where to go on */
  #object(number: number, from: number): number {
    const end = this.#nextEnd(from);
    const stream = this.#nextStream(from);
    if (stream >= end) {
      this.#keep(number, this.#octets.slice(from, Math.min(end, from + DICTIONARY_LIMIT)));
      return Math.min(end, this.#octets.length);
    }
    const head = this.#octets.slice(from, Math.min(stream, from + DICTIONARY_LIMIT));
    const data = stream + (this.#octets.startsWith('\r\n', stream + 6) ? 8 : 7);
    const dataEnd = this.#dataEnd(head, data);
    const type = nameOf(head, 'Type');
    if (type === 'XRef') this.#trailer(head);
    else if (type === 'ObjStm') this.#unpack(head, data, dataEnd);
    else this.#keep(number, head);
    return Math.min(dataEnd, this.#octets.length);
  }

  #keep(number: number, object: PdfObject): void {
    this.objects.delete(number); // so that the order is that of the file
    this.objects.set(number, object);
  }

  #trailer(head: PdfObject): void {
    if (this.trailers.length === TRAILER_LIMIT) this.trailers.pop();
    this.trailers.push(head);
  }

  /** End of a stream: by its stated length, if it ends there; else at `endstream`. */
  #dataEnd(head: PdfObject, data: number): number {
    const said = integerOf(head, 'Length');
    const end = said === null ? -1 : data + said;
    if (end >= 0 && /^\s{0,4}endstream/.test(this.#octets.slice(end, end + 16))) return end;
    const found = this.#octets.indexOf('endstream', data);
    return found < 0 ? this.#octets.length : found;
  }

  /** Section 7.5.7: numbers and places of objects, then the objects. */
  #unpack(head: PdfObject, data: number, end: number): void {
    const [count, first] = [integerOf(head, 'N'), integerOf(head, 'First')];
    if (count === null || first === null || this.#packed++ >= PACKED_LIMIT) return;
    const raw = this.#octets.slice(data, end);
    const filtered = /\/Filter(?![A-Za-z])/.test(head);
    const flate =
      /\/Filter\s*\[?\s*\/(?:FlateDecode|Fl)\s*[\]/>]/.test(head) && referenceOf(head, 'DecodeParms') === null;
    const objects = filtered ? (flate ? this.#inflate(raw) : null) : raw;
    if (objects === null) return;
    const places = (objects.slice(0, first).match(/\d{1,10}/g) ?? []).slice(0, 2 * count).map(Number);
    let read = first;
    for (let at = 0; at + 1 < places.length && this.objects.size < OBJECT_LIMIT; at += 2) {
      const from = first + (places[at + 1] ?? 0);
      const to = Math.min(first + (places[at + 3] ?? objects.length), objects.length);
      // objects have to stand in order: overlapping ones would be read again and again
      if (from < read || to <= from) continue;
      this.#keep(places[at] ?? 0, objects.slice(from, Math.min(to, from + DICTIONARY_LIMIT)));
      read = to;
    }
  }
}

/** Finds the next place of a word, and remembers it for later calls; the length of the text where there is none. */
function finder(text: string, word: string): (from: number) => number {
  let known = -1;
  return (from) => {
    if (known < from) {
      const found = text.indexOf(word, from);
      known = found < 0 ? text.length : found;
    }
    return known;
  };
}
