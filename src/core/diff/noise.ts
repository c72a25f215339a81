/** Noise: places that change by themselves. Two crawls of the same state show them; later they count as no difference. */
import type { FacetName, NoisePlace } from '../../model/page-version.ts';
import { CUT, type TextHunk } from './text.ts';

/** Most places that are kept; a site that changes in more has no state to compare. */
const MOST_PLACES = 5000;
/** Characters of a pattern, and of the words on each side of its `*`. */
const PASSAGE = 500;
const SIDE = 240;
/** Of the words ahead of a change in a passage whose beginning is left out: those that are there wherever it was cut. */
const AHEAD = 100;

/** Collects the differences of two crawls of the same state. */
export class NoiseBook {
  readonly #places = new Map<string, NoisePlace>();
  #dropped = 0;

  /** A passage of several pages counts for all pages. */
  add(facet: FacetName, address: string, passage: string | null): void {
    const place = { facet, address, passage: passage === null ? null : withEnd(passage, PASSAGE) };
    const key = JSON.stringify([facet, passage === null ? address : '', place.passage]);
    const known = this.#places.get(key);
    if (known !== undefined) {
      if (known.address !== address) this.#places.set(key, { ...place, address: '*' });
    } else if (this.#places.size < MOST_PLACES) this.#places.set(key, place);
    else this.#dropped += 1;
  }

  /** Sorted. */
  places(): readonly NoisePlace[] {
    return [...this.#places.entries()].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, place]) => place);
  }

  notes(): readonly string[] {
    return this.#dropped === 0 ? [] : [`${this.#dropped} places beyond the first ${MOST_PLACES} are not kept as noise`];
  }
}

/** Separates a passage from the lines beside it. */
const LINE_END = ' ⏎ ';

/** The words that a passage keeps, with `*` for the others; if it keeps none, the lines beside it locate it. */
export function passagePattern({ before, after, beside }: Pick<TextHunk, 'before' | 'after' | 'beside'>): string {
  if (before === after) return withEnd(before, SIDE); // it only moved
  const [old, now] = [before.split(' '), after.split(' ')];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const [ahead, behind] = [old.slice(0, start).join(' '), end === 0 ? '' : old.slice(-end).join(' ')];
  const words = [withBeginning(ahead), '*', withEnd(behind, SIDE)].join(' ').trim();
  return /\p{L}{2}/u.test(words) ? words : [beside[0], '*', beside[1]].join(LINE_END);
}

function withBeginning(words: string): string {
  const most = words.startsWith(CUT) ? AHEAD : SIDE;
  return words.length <= most ? words : `*${words.slice(1 - most)}`;
}

function withEnd(words: string, most: number): string {
  return words.length <= most ? words : `${words.slice(0, most - 1)}*`;
}

/**
 * One pattern for each reference that came or went. Where one replaced one in a folder, the pattern covers all of that folder; where several
 * of one path were replaced by as many with other queries, all queries of that path.
 */
export function referencePatterns(gone: readonly string[], come: readonly string[]): readonly string[] {
  const [lost, found] = [countsOf(gone, folderOf), countsOf(come, folderOf)];
  const [lostQueries, foundQueries] = [countsOf(gone, pathOf), countsOf(come, pathOf)];
  const patterns = [...gone, ...come].map((address) => {
    const [folder, path] = [folderOf(address), pathOf(address)];
    // a whole site or a whole host is too wide for a place
    const isPlace = folder.length > 1 && !folder.endsWith('//');
    if (isPlace && lost.get(folder) === 1 && found.get(folder) === 1) return `${folder}*`;
    return path !== '' && lostQueries.get(path) === foundQueries.get(path) ? `${path}*` : address;
  });
  return [...new Set(patterns)];
}

function countsOf(addresses: readonly string[], partOf: (address: string) => string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const part of addresses.map(partOf)) counts.set(part, (counts.get(part) ?? 0) + 1);
  return counts;
}

/** Up to the query, with its question mark; empty where there is none. */
function pathOf(address: string): string {
  return address.slice(0, address.indexOf('?') + 1);
}

function folderOf(address: string): string {
  return address.slice(0, address.lastIndexOf('/') + 1);
}

/** Texts of a passage that a pattern may match: the old and the new one, each alone and with the lines beside it. */
export function passageSpellings({
  before,
  after,
  beside,
}: Pick<TextHunk, 'before' | 'after' | 'beside'>): readonly (readonly string[])[] {
  return [before, after].map((text) => [text, [beside[0], text, beside[1]].join(LINE_END)]);
}

/** Checks differences against known noise, and counts those that it masks. */
export class NoiseMask {
  readonly #places: readonly NoisePlace[];
  readonly #matches: (pattern: string, text: string) => boolean;
  readonly #masked = new Map<NoisePlace, number>();

  /** @param matches whether a text matches a pattern with `*` */
  constructor(places: readonly NoisePlace[], matches: (pattern: string, text: string) => boolean) {
    this.#places = places;
    this.#matches = matches;
  }

  /** @param passages of a difference, each with all its spellings; each must be known noise, or the whole facet */
  hides(facet: FacetName, address: string, passages: readonly (readonly string[])[]): boolean {
    if (this.#places.length === 0) return false;
    const places = this.#places.filter((place) => place.facet === facet && this.#matches(place.address, address));
    const found = passages.map((spellings) =>
      places.find(({ passage }) => passage === null || spellings.some((text) => this.#matches(passage, text))),
    );
    if (passages.length === 0 || found.includes(undefined)) return false;
    for (const place of new Set(found))
      if (place !== undefined) this.#masked.set(place, (this.#masked.get(place) ?? 0) + 1);
    return true;
  }

  /** Describes the masked differences, so that none is hidden silently. */
  notes(): readonly string[] {
    return [...this.#masked].map(([{ facet, address, passage }, count]) => {
      const where = address === '*' ? 'all pages' : address;
      const what = passage === null ? '' : ` “${passage}”`;
      return `noise: ${facet}${what} on ${where} changes by itself; ${count === 1 ? '1 difference' : `${count} differences`} masked`;
    });
  }
}
