/** Noise: places that change by themselves. Two crawls of the same state show them; later they count as no difference. */
import type { FacetName, NoisePlace } from '../../model/page-version.ts';
import type { TextHunk } from './text.ts';

/** Most places that are kept; a site that changes in more has no state to compare. */
const MOST_PLACES = 5000;
const PASSAGE = 500;

/** Collects the differences of two crawls of the same state. */
export class NoiseBook {
  readonly #places = new Map<string, NoisePlace>();
  #dropped = 0;

  /** A passage of several pages counts for all pages. */
  add(facet: FacetName, address: string, passage: string | null): void {
    const place = { facet, address, passage: passage?.slice(0, PASSAGE) ?? null };
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
  const [old, now] = [before.split(' '), after.split(' ')];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const words = [...old.slice(0, start), '*', ...(end === 0 ? [] : old.slice(-end))].join(' ').trim();
  return /\p{L}{2}/u.test(words) ? words : [beside[0], '*', beside[1]].join(LINE_END);
}

/** One pattern for each reference that came or went; where one replaced one in a folder, the pattern covers all of that folder. */
export function referencePatterns(gone: readonly string[], come: readonly string[]): readonly string[] {
  const [lost, found] = [perFolder(gone), perFolder(come)];
  const patterns = [...gone, ...come].map((address) => {
    const folder = folderOf(address);
    // a whole site or a whole host is too wide for a place
    const isPlace = folder.length > 1 && !folder.endsWith('//');
    return isPlace && lost.get(folder) === 1 && found.get(folder) === 1 ? `${folder}*` : address;
  });
  return [...new Set(patterns)];
}

function perFolder(addresses: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const folder of addresses.map(folderOf)) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  return counts;
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
