/**
 * What a crawl knows of the sheets and scripts that pages load. The pages of a site load the same ones: what a sheet names is
 * read once, by its URL, and holds for every page that names the sheet, rendered or not; of a script it is known only that its
 * texts were read. A page that names a part which nobody has seen is rendered, so that it is seen; after {@link TRIES} such
 * pages that did not bring it (it is not there, or not loaded), it counts as one that names nothing.
 */
import { LruMap } from '../../base/lru-map.ts';
import { parsedUrl } from '../../base/parsed-url.ts';
import type { FoundLink } from '../../model/link.ts';

/** What a document names, and a browser that shows it loads: absolute http(s) URLs without fragment. */
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
/** Sheets that a page comes to by those that import each other. */
const CLOSURE_LIMIT = 100;
const NOTHING: readonly FoundLink[] = [];

export class KnownSubresources {
  readonly #sheets = new LruMap<string, readonly FoundLink[]>(SUBRESOURCES_LIMIT, {
    of: ({ length }) => length,
    most: REFERENCES_LIMIT,
  });
  readonly #scripts = new LruMap<string, true>(SUBRESOURCES_LIMIT);
  readonly #tries = new LruMap<string, number>(SUBRESOURCES_LIMIT);

  /** What a sheet names; null where it was not read yet. */
  sheet(url: string): readonly FoundLink[] | null {
    return this.#sheets.get(url) ?? null;
  }

  /** @param links what the sheet names, relative to it */
  learnSheet(url: string, links: readonly FoundLink[]): void {
    this.#sheets.set(url, links);
  }

  /** Notes that a script's texts are read. @returns whether they were not before */
  learnScript(url: string): boolean {
    const fresh = !this.#scripts.has(url);
    this.#scripts.set(url, true);
    return fresh;
  }

  /** Those that nobody has seen, and those that a known one imports. */
  unknownOf({ sheets, scripts }: LoadedSubresources): readonly string[] {
    const unread = this.#closure(sheets).filter((url) => !this.#sheets.has(url));
    const unseen = scripts.filter((url) => this.#scripts.get(url) === undefined);
    return [...unread, ...unseen].filter((url) => (this.#tries.peek(url) ?? 0) < TRIES);
  }

  /** A page that names these was rendered to its end. Those that it did not bring are looked for a few times only. */
  lookedFor(urls: readonly string[]): void {
    for (const url of urls) this.#tries.set(url, (this.#tries.peek(url) ?? 0) + 1);
  }

  /** What these sheets and those that they import name. */
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

/** Where a reference to a part leads, without its fragment; null where that is nothing that is asked of a server. */
export function subresourceUrl(href: string, base: string): string | null {
  const url = parsedUrl(href, base);
  if (url === null) return null;
  url.hash = '';
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : null;
}
