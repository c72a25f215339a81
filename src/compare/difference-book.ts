/** Collects differences: known noise is left out and named, or everything is learnt as noise. */
import { NoiseMask, passagePattern, passageSpellings, referencePatterns, type NoiseBook } from '../core/diff/noise.ts';
import type { DifferenceRule } from '../core/diff/facet.ts';
import { PictureBook } from '../core/diff/picture-book.ts';
import { SCREENSHOT_RULE, selectorSpellings } from '../core/diff/screenshot.ts';
import {
  FILES_RULE,
  LINKS_RULE,
  ReferenceBook,
  type ReferenceChanges,
  type ReferenceUrls,
} from '../core/diff/references.ts';
import { TextBook, TEXT_RULE, type TextHunk } from '../core/diff/text.ts';
import { FindingBook } from '../core/findings/finding-book.ts';
import { matchesWildcard } from '../core/gates/wildcard.ts';
import type { Observation } from '../model/audit-rule.ts';
import type { FacetName } from '../model/page-version.ts';
import type { Finding } from '../model/finding.ts';
import type { PictureChange } from '../model/picture-change.ts';
import type { ComparedSite } from './compared-site.ts';

/** The page on which a difference was seen. */
interface Seen {
  readonly url: string;
  readonly address: string;
}

export class DifferenceBook {
  readonly #book: FindingBook;
  readonly #mask: NoiseMask;
  readonly #learning: NoiseBook | null;
  readonly #old: ComparedSite;
  readonly #now: ComparedSite;
  readonly #texts = new TextBook();
  readonly #pictures = new PictureBook();
  readonly #links = new ReferenceBook('link');
  readonly #files = new ReferenceBook('file');
  /** Addresses with a difference of any facet. */
  readonly #changed = new Set<string>();

  /** @param learning takes all differences as noise; null to report them */
  constructor(old: ComparedSite, now: ComparedSite, learning: NoiseBook | null) {
    this.#book = new FindingBook(now.addresses);
    this.#mask = new NoiseMask(learning === null ? [...old.noise, ...now.noise] : [], matchesWildcard);
    this.#learning = learning;
    this.#old = old;
    this.#now = now;
  }

  get changed(): ReadonlySet<string> {
    return this.#changed;
  }

  /** @param passage the part of the facet concerned, as noise names it; null for all of it */
  add(facet: FacetName, rule: DifferenceRule, observation: Observation & Seen & { readonly passage?: string }): void {
    const { passage = null, address, ...seen } = observation;
    this.#learning?.add(facet, address, passage);
    if (this.#mask.hides(facet, address, [[passage ?? '']])) return;
    this.#changed.add(address);
    this.#book.add(rule, seen);
  }

  text({ url, address }: Seen, similarity: number | null, hunks: readonly TextHunk[]): void {
    for (const hunk of hunks) this.#learning?.add('text', address, passagePattern(hunk));
    const open = hunks.filter((hunk) => !this.#mask.hides('text', address, passageSpellings(hunk)));
    if (open.length > 0) this.#changed.add(address);
    this.#texts.add({ url, address, similarity, hunks: open });
  }

  /** The places of a picture that are no known noise: elements, and its size. */
  openPlaces<Place extends { readonly selector: string | null }>(
    address: string,
    places: readonly Place[],
  ): readonly Place[] {
    for (const { selector } of places) this.#learning?.add('screenshot', address, selector);
    return places.filter(({ selector }) => !this.#mask.hides('screenshot', address, [selectorSpellings(selector)]));
  }

  /** A page that looks different in places that are no known noise. @param changes one for each window in which it does */
  screenshot({ url, address }: Seen, changes: readonly PictureChange[]): void {
    this.#changed.add(address);
    this.#pictures.add(url, changes);
  }

  references(facet: 'links' | 'files', { url, address }: Seen, { gone, come, isReplaced }: ReferenceChanges): void {
    for (const passage of referencePatterns(gone, come)) this.#learning?.add(facet, address, passage);
    const [lost, found] = [gone, come].map((all) => all.filter((each) => !this.#mask.hides(facet, address, [[each]])));
    if (lost === undefined || found === undefined || lost.length + found.length === 0) return;
    this.#changed.add(address);
    (facet === 'links' ? this.#links : this.#files).add(url, { gone: lost, come: found, isReplaced });
  }

  /** All collected differences, sorted. */
  findings(): readonly Finding[] {
    const urls: ReferenceUrls = {
      // the site itself has moved with the crawl; other hosts have not
      gone: (address) => (address.startsWith('//') ? this.#old : this.#now).urlOf(address),
      come: (address) => this.#now.urlOf(address),
    };
    for (const observation of this.#texts.observations()) this.#book.add(TEXT_RULE, observation);
    for (const observation of this.#pictures.observations()) this.#book.add(SCREENSHOT_RULE, observation);
    for (const observation of this.#links.observations(urls)) this.#book.add(LINKS_RULE, observation);
    for (const observation of this.#files.observations(urls)) this.#book.add(FILES_RULE, observation);
    return this.#book.findings();
  }

  notes(): readonly string[] {
    return [...this.#book.notes(), ...this.#links.notes(), ...this.#files.notes(), ...this.#mask.notes()];
  }
}
