/**
 * Learns the addresses at which the pages of a cluster query an API, and which parts of them come from the page's own address. A part
 * that two readings explain differently is not guessed: such a page has no addresses here.
 */
import { parsedUrl } from '../../base/parsed-url.ts';

/** A way to make a part: a piece of the page's address between constant texts; without a source it is always the same. */
interface Reading {
  readonly source: string | null;
  readonly before: string;
  readonly after: string;
}

interface Request {
  /** Origin, number of segments and names of the query: they do not change from page to page. */
  readonly shape: string;
  readonly origin: string;
  readonly names: readonly string[];
  /** Readings of each segment, then of each value of the query. */
  readonly parts: readonly (readonly Reading[])[];
}

/** The knowledge, in the form in which others get it. */
export interface LearntAddresses {
  readonly requests: readonly Request[];
  /** The first pages that it was learnt from. */
  readonly pages: readonly string[];
}

/** Most addresses that a page requests; with more of them it is left to a browser (arbitrary). */
export const MOST_REQUESTS = 6;
/** Pages that have to agree. */
const LEAST_PAGES = 2;
export const MOST_PARTS = 20;
export const MOST_READINGS = 40;
const MOST_SOURCES = 40;
/** Characters of an address. */
const LONGEST = 2000;

export class AnswerAddresses {
  #requests: readonly Request[] | null = null;
  /** Addresses of pages that it was learnt from, as long as they are few. */
  readonly #pages = new Set<string>();

  get learnt(): LearntAddresses {
    return { requests: this.#requests ?? [], pages: [...this.#pages] };
  }

  /** Adopts the knowledge of others, where that is enough and its own is not. @returns whether it did */
  adopt({ requests, pages }: LearntAddresses): boolean {
    if (this.#pages.size >= LEAST_PAGES || pages.length < LEAST_PAGES) return false;
    this.#requests = requests;
    for (const page of pages) this.#pages.add(page);
    return true;
  }

  /**
   * Learns from the addresses that a page has requested.
   * @param requests absolute, each once @returns false where they do not fit those of earlier pages
   */
  learn(page: string, requests: readonly string[]): boolean {
    const given = requests.length > MOST_REQUESTS ? null : requestsOf(page, requests);
    if (given === null || given.length === 0) return false;
    if (this.#pages.size < LEAST_PAGES) this.#pages.add(page);
    if (this.#requests === null) {
      this.#requests = given;
      return true;
    }
    const narrowed = narrowedBy(this.#requests, given, page);
    if (narrowed === null) return false;
    this.#requests = narrowed;
    return true;
  }

  /** The addresses of a page, in the order in which they were learnt; null where they are not known for certain. */
  of(page: string): readonly string[] | null {
    if (this.#requests === null || this.#pages.size < LEAST_PAGES) return null;
    const sources = sourcesOf(page);
    if (sources === null) return null;
    const made = this.#requests.map((request) => addressOf(request, sources));
    return made.every((address) => address !== null) ? made : null;
  }

  /** The addresses that a page has requested, in the order of {@link of}. @returns null where they are others */
  inOrder(requests: readonly string[]): readonly string[] | null {
    const left = requests.map((url) => ({ url, shape: shapeOf(url)?.shape }));
    const ordered: string[] = [];
    for (const { shape } of this.#requests ?? []) {
      const at = left.findIndex((each) => each.shape === shape);
      if (at === -1) return null;
      ordered.push(...left.splice(at, 1).map(({ url }) => url));
    }
    return left.length === 0 ? ordered : null;
  }
}

interface Shape {
  readonly shape: string;
  readonly origin: string;
  readonly names: readonly string[];
  readonly values: readonly string[];
}

function shapeOf(url: string): Shape | null {
  const parsed = url.length > LONGEST ? null : parsedUrl(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return null;
  const segments = parsed.pathname.slice(1).split('/');
  const query = parsed.search === '' ? [] : parsed.search.slice(1).split('&');
  const entries = query.map((entry) => {
    const at = entry.indexOf('=');
    return at === -1 ? ([entry, ''] as const) : ([entry.slice(0, at + 1), entry.slice(at + 1)] as const);
  });
  const names = entries.map(([name]) => name);
  const { origin } = parsed;
  return {
    shape: `${origin} ${segments.length} ${names.join('&')}`,
    origin,
    names,
    values: [...segments, ...entries.map(([, value]) => value)],
  };
}

function requestsOf(page: string, urls: readonly string[]): readonly Request[] | null {
  const sources = sourcesOf(page);
  if (sources === null) return null;
  const requests: Request[] = [];
  for (const url of urls) {
    const shape = shapeOf(url);
    if (shape === null || shape.values.length > MOST_PARTS) return null;
    const { values, ...rest } = shape;
    requests.push({ ...rest, parts: values.map((value) => readingsOf(value, sources)) });
  }
  return requests;
}

function readingsOf(value: string, sources: ReadonlyMap<string, string>): readonly Reading[] {
  const readings: Reading[] = [{ source: null, before: value, after: '' }];
  for (const [source, piece] of sources) {
    if (readings.length >= MOST_READINGS) break;
    const at = value.indexOf(piece);
    if (at !== -1) readings.push({ source, before: value.slice(0, at), after: value.slice(at + piece.length) });
  }
  return readings;
}

/** The requests without readings that do not hold for the page; null where a part has none left. */
function narrowedBy(known: readonly Request[], given: readonly Request[], page: string): readonly Request[] | null {
  const sources = sourcesOf(page);
  if (sources === null || known.length !== given.length) return null;
  const left = [...given];
  const narrowed: Request[] = [];
  for (const request of known) {
    const at = left.findIndex(({ shape }) => shape === request.shape);
    const [like] = at === -1 ? [] : left.splice(at, 1);
    if (like === undefined) return null;
    const parts = request.parts.map((readings, index) => {
      const value = like.parts[index]?.[0]?.before; // the reading without a source is the first
      return readings.filter((reading) => valueOf(reading, sources) === value);
    });
    if (parts.some((readings) => readings.length === 0)) return null;
    narrowed.push({ ...request, parts });
  }
  return narrowed;
}

function valueOf({ source, before, after }: Reading, sources: ReadonlyMap<string, string>): string | null {
  if (source === null) return before;
  const piece = sources.get(source);
  return piece === undefined ? null : before + piece + after;
}

function addressOf({ origin, names, parts }: Request, sources: ReadonlyMap<string, string>): string | null {
  const values = parts.map((readings) => {
    const made = new Set(readings.map((reading) => valueOf(reading, sources)));
    const [only = null] = made;
    return made.size === 1 ? only : null;
  });
  if (values.includes(null)) return null;
  const segments = values.slice(0, values.length - names.length);
  const query = names.map((name, index) => `${name}${values[segments.length + index] ?? ''}`).join('&');
  return `${origin}/${segments.join('/')}${query === '' ? '' : `?${query}`}`;
}

/** Pieces of a page's address, by their place in it. */
function sourcesOf(page: string): ReadonlyMap<string, string> | null {
  const shape = shapeOf(page);
  if (shape === null) return null;
  const sources = new Map<string, string>();
  const add = (name: string, piece: string | undefined): void => {
    if (piece !== undefined && piece !== '' && sources.size < MOST_SOURCES) sources.set(name, piece);
  };
  const segments = shape.values.length - shape.names.length;
  for (const [index, value] of shape.values.slice(0, MOST_SOURCES).entries()) {
    const name = index < segments ? `segment ${index}` : `query ${shape.names[index - segments]}`;
    add(name, value);
    const stem = value.replace(/\.[a-z]{1,5}$/i, '');
    if (stem !== value) add(`stem of ${name}`, stem);
    if (!/[-_]/.test(stem)) continue;
    const words = stem.split(/[-_]/);
    add(`begin of ${name}`, words[0]);
    add(`end of ${name}`, words.at(-1));
  }
  return sources;
}
