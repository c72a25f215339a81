/**
 * The sheets and scripts that a crawl knows. The pages of a site load the same ones: a sheet is read once, by its URL, and its links hold
 * for every page that names it, rendered or not; of a script only the fact that its texts were read is kept, whatever its URL. A page
 * that names an unknown one is rendered, so that it is read; after {@link TRIES} such pages that did not load it, it counts as empty.
 */
import { fnv1a, mixed } from '../../base/hash.ts';
import { LruMap } from '../../base/lru-map.ts';
import { parsedUrl } from '../../base/parsed-url.ts';
import type { FoundLink } from '../../model/link.ts';
import { KnownParts } from './known-parts.ts';
import { isMentionedBy } from './name-mention.ts';

/** Files that a document names, and that a browser loads to show it: absolute http(s) URLs without fragment. */
export interface LoadedSubresources {
  readonly sheets: readonly string[];
  readonly scripts: readonly string[];
}

/** Pages that were rendered for a part and did not load it. */
export const TRIES = 3;
/** Parts of each sort that are kept; the longest unused makes room, and is learnt again. */
const SUBRESOURCES_LIMIT = 5000;
/** References kept of all sheets together. */
const REFERENCES_LIMIT = 200_000;
/** Names kept that all scripts together mention; the longest unmentioned make room. */
const NAME_LIMIT = 100_000;
/** Most sheets of a page, imported ones included. */
const CLOSURE_LIMIT = 100;
const NOTHING: readonly FoundLink[] = [];

export class KnownSubresources {
  readonly #sheets = new LruMap<string, readonly FoundLink[]>(SUBRESOURCES_LIMIT, {
    of: ({ length }) => length,
    most: REFERENCES_LIMIT,
  });
  readonly #scripts = new LruMap<string, true>(SUBRESOURCES_LIMIT);
  readonly #scriptTexts = new LruMap<string, true>(SUBRESOURCES_LIMIT);
  readonly #names = new LruMap<string, true>(NAME_LIMIT);
  /** The parts that routes of the scripts load. */
  readonly routeParts: KnownParts = new KnownParts();
  /** Called for each sheet that is read for the first time. */
  onSheet: (url: string, links: readonly FoundLink[]) => void = () => {};
  readonly #tries = new LruMap<string, number>(SUBRESOURCES_LIMIT);

  /** The links of a sheet; null where it was not read yet. */
  sheet(url: string): readonly FoundLink[] | null {
    return this.#sheets.get(url) ?? null;
  }

  /** @param links of the sheet, relative to it */
  learnSheet(url: string, links: readonly FoundLink[]): void {
    if (!this.#sheets.has(url)) this.onSheet(url, links);
    this.#sheets.set(url, links);
  }

  /** Notes a sheet that others have read. */
  noteSheet(url: string, links: readonly FoundLink[]): void {
    if (!this.#sheets.has(url)) this.#sheets.set(url, links);
  }

  /** Notes that a script's texts are read. @returns whether they were not read before */
  learnScript(url: string): boolean {
    const fresh = !this.#scripts.has(url);
    this.#scripts.set(url, true);
    return fresh;
  }

  /**
   * Notes that this text of a script is read. One script has many URLs where pages add a number to it, or where a server answers any
   * path: its addresses would be resolved against each page anew. @returns whether it was not read before
   */
  learnScriptText(text: string): boolean {
    const key = `${text.length} ${mixed(fnv1a(text))}`;
    const fresh = !this.#scriptTexts.has(key);
    this.#scriptTexts.set(key, true);
    return fresh;
  }

  /** @param names that a script mentions (mentioned-names.ts) */
  learnMentionedNames(names: readonly string[]): void {
    for (const name of names) this.#names.set(name, true);
  }

  /** Does a script mention this name of a page (core/html/traits.ts)? */
  isMentioned(name: string): boolean {
    return isMentionedBy(this.#names, name);
  }

  /** Is the script at this URL known? */
  hasScript(url: string): boolean {
    return this.#scripts.has(url);
  }

  /** The unknown files among them, and unknown sheets that a known one imports. */
  unknownOf({ sheets, scripts }: LoadedSubresources): LoadedSubresources {
    const isLookedFor = (url: string): boolean => (this.#tries.peek(url) ?? 0) < TRIES;
    return {
      sheets: this.#closure(sheets).filter((url) => !this.#sheets.has(url) && isLookedFor(url)),
      scripts: scripts.filter((url) => this.#scripts.get(url) === undefined && isLookedFor(url)),
    };
  }

  /** Counts a page that names these and was rendered to its end. Files that it did not bring are looked for a few times only. */
  lookedFor({ sheets, scripts }: LoadedSubresources): void {
    for (const url of [...sheets, ...scripts]) this.#tries.set(url, (this.#tries.peek(url) ?? 0) + 1);
  }

  /** The links of these sheets and of those that they import. */
  foundLinksOf(sheets: readonly string[]): readonly FoundLink[] {
    return sheets.length === 0 ? NOTHING : this.#closure(sheets).flatMap((url) => this.sheet(url) ?? NOTHING);
  }

  /** The sheets and those that they import, as far as they are known, each once. */
  #closure(sheets: readonly string[]): readonly string[] {
    const found = new Set(sheets);
    for (const url of found) {
      if (found.size >= CLOSURE_LIMIT) break;
      for (const link of this.#sheets.peek(url) ?? NOTHING) {
        const imported = link.context.endsWith('@import') ? subresourceUrl(link.href, link.base) : null;
        if (imported !== null) found.add(imported);
      }
    }
    return [...found];
  }
}

/** URL of a referenced part, without its fragment; null where it is not requested from a server. */
export function subresourceUrl(href: string, base: string): string | null {
  const url = parsedUrl(href, base);
  if (url === null) return null;
  url.hash = '';
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : null;
}
