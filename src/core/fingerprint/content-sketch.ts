/**
 * The content sketch of a page: its text without figures, dates, and the words of its own address. The days of a calendar, the choices
 * among filters, and the pages of a site that repeats every address in its text differ in nothing else. Only the trap
 * ladder uses it: two articles may well have one sketch, and the whole text decides on duplicates (verdict.ts).
 *
 * It keeps the pairs of neighbouring words of a line, so that the lines of a list may come in any order, and
 * the pictures that are shown: a gallery has no other words.
 */
import { FNV_BASIS, FNV_PRIME, fnv1a, mixed } from '../../base/hash.ts';
import { calendarWords } from './calendar-words.ts';
import { APART, classOfUnit, HALF, KNOWN_CLASSES, MARK, PIECE, WHOLE } from './token.ts';

export interface ContentSketch {
  /** 32-bit numbers, each for a pair of words; of many, those with enough leading zero bits. */
  readonly words: readonly number[];
  /** Likewise, each for a picture. */
  readonly pictures: readonly number[];
  /** Fingerprint of the words: equal for equal ones. */
  readonly fingerprint: number;
}

/** Pairs of words that are kept of a page. */
export const MOST_WORDS = 128;
export const MOST_PICTURES = 32;
/** A longer text is cut. */
export const SKETCH_TEXT_LIMIT = 20_000;
/** Two pages say the same if they share this part of all their pairs of words; */
const ALIKE = 0.7;
/** or this part of the smaller one's pairs, if it has at least SOMETHING: the rest are names that differ by themselves. */
const CONTAINED = 0.6;
const SOMETHING = 6;
/** From this length on, a word with a figure in it is the name of something that a program numbered. */
const NUMBERED_LENGTH = 8;

const LINE_END = 0;
/** Placeholder for all words that are left out. */
const FOLDED = 1;
const ROLL = 0x9e3779b1;
const LINE_FEED = 0x0a;
const FIGURE = 0x23;

const NOTHING: ReadonlySet<number> = new Set();
let calendar: ReadonlySet<number> | null = null;

/**
 * @param lines of the page that are its own, see boilerplate.ts
 * @param pictures their URLs
 */
export function contentSketch(lines: readonly string[], url: string, pictures: readonly string[]): ContentSketch {
  const folded = foldedBy(url);
  const pairs = new Sample(MOST_WORDS);
  let before = LINE_END;
  for (const token of tokensOf(lines.join('\n').slice(0, SKETCH_TEXT_LIMIT).toLowerCase(), folded)) {
    if (token !== LINE_END) pairs.add(mixed((Math.imul(before, ROLL) + token) | 0));
    before = token;
  }
  const words = pairs.chosen();
  let fingerprint = words.length;
  for (const word of words) fingerprint = (fingerprint + mixed(word ^ 0x51ed270b)) >>> 0;
  const shown = new Sample(MOST_PICTURES);
  for (const picture of pictures) shown.add(pictureHash(picture));
  return { words, fingerprint, pictures: shown.chosen() };
}

/** Do two pages of a host say the same? Pages without a text of their own do. */
export function saysTheSame(one: Pick<ContentSketch, 'words'>, other: Pick<ContentSketch, 'words'>): boolean {
  const words = new Set(one.words);
  const shared = other.words.filter((word) => words.has(word)).length;
  const all = words.size + other.words.length - shared;
  const less = Math.min(words.size, other.words.length);
  return all === 0 || shared / all >= ALIKE || (less >= SOMETHING && shared / less >= CONTAINED);
}

/** A sample of many numbers, which chooses the same ones in every set. As signed numbers, V8 keeps them off its heap. */
class Sample {
  readonly #most: number;
  #zeros = 0;
  #numbers = new Set<number>();

  constructor(most: number) {
    this.#most = most;
  }

  add(hash: number): void {
    if (Math.clz32(hash) < this.#zeros) return;
    this.#numbers.add(hash | 0);
    while (this.#numbers.size > this.#most) {
      this.#zeros += 1;
      this.#numbers = new Set([...this.#numbers].filter((number) => Math.clz32(number) >= this.#zeros));
    }
  }

  chosen(): readonly number[] {
    return [...this.#numbers].map((number) => number >>> 0);
  }
}

interface Folded {
  has(token: number): boolean;
}

function foldedBy(url: string): Folded {
  const names = (calendar ??= new Set([...calendarWords()].flatMap((word) => tokensOf(word, NOTHING))));
  const address = new Set(tokensOf(decoded(url.replace(/^[a-z]+:\/\/[^/]*/, '')).toLowerCase(), NOTHING));
  return { has: (token) => address.has(token) || names.has(token) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A number for each word, LINE_END where a line ends; equal ones in a row become one. */
function tokensOf(text: string, folded: Folded): readonly number[] {
  const tokens: number[] = [];
  let last = LINE_END;
  for (let index = 0; index < text.length;) {
    const found = classAt(text, index);
    const end = found === PIECE ? endOfWord(text, index) : index + 1;
    let token = LINE_END;
    if (found === PIECE || found === WHOLE) {
      token = tokenOf(text, index, end);
      if (folded.has(token)) token = FOLDED;
    }
    const counts = found === APART || found === MARK ? text.charCodeAt(index) === LINE_FEED : true;
    if (counts && token !== last) tokens.push(token);
    if (counts) last = token;
    index = end;
  }
  return tokens;
}

/** Surrogates (halves of characters beyond the first plane) count as letters here. */
function classAt(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  const known = KNOWN_CLASSES[unit] ?? APART;
  const found = known > HALF ? classOfUnit(unit) : known;
  return found === HALF ? PIECE : found;
}

function endOfWord(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length) {
    const found = classAt(text, end);
    if (found !== PIECE && found !== MARK) break;
    end += 1;
  }
  return end;
}

/** Token of a word. A number in it counts as one figure, however long it is. */
function tokenOf(text: string, start: number, end: number): number {
  let [hash, figures] = [FNV_BASIS, 0];
  let wasFigure = false;
  for (let index = start; index < end; index += 1) {
    const unit = text.charCodeAt(index);
    const isFigure = unit >= 0x30 && unit <= 0x39;
    if (isFigure) figures += 1;
    if (!isFigure || !wasFigure) hash = Math.imul(hash ^ (isFigure ? FIGURE : unit), FNV_PRIME);
    wasFigure = isFigure;
  }
  if (figures === end - start || (figures > 0 && end - start >= NUMBERED_LENGTH)) return FOLDED;
  return mixed(hash) | 2; // never LINE_END or FOLDED
}

/** Numbers in a query that only avoid a cache do not count. */
function pictureHash(url: string): number {
  const [path = '', query = ''] = url.split('?', 2);
  return mixed(fnv1a(`${path}?${query.replaceAll(/\d{8,}|[0-9a-f]{16,}/g, '')}`));
}
