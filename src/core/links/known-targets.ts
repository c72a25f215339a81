/**
 * Remembers the targets of references of earlier pages. The pages of a site share a navigation, whose references would be parsed again for
 * each of them. Only references with a fixed target are remembered: none with a query, whose parameters a robots.txt may later declare to
 * be meaningless, and none with a fragment.
 */
import type { FoundLink } from '../../model/link.ts';
import type { CanonicalUrl, UrlPolicy } from '../../model/url/canonical-url.ts';

/** Most references remembered: enough for a dozen folders whose pages have a navigation of thousands; some 10 MB (arbitrary). */
const REFERENCES = 60_000;
/** Longer references, and those of longer bases, are resolved each time. */
const REFERENCE_LENGTH = 200;
/** A path from the root of the host: the same on all its pages. */
const ROOTED = /^\/(?![/\\])/;

type Targets = Map<string, CanonicalUrl>;

export class KnownTargets {
  readonly #policy: UrlPolicy;
  /** By origin for paths of a host, else by folder. */
  readonly #places = new Map<string, Targets>();
  #size = 0;
  #base: string | null = null;
  #ofHost: Targets = new Map();
  #ofFolder: Targets = new Map();

  /** @param policy whose canonical form is remembered */
  constructor(policy: UrlPolicy) {
    this.#policy = policy;
  }

  /** The target of a link; undefined where it is not known. */
  get(foundLink: FoundLink, policy: UrlPolicy): CanonicalUrl | undefined {
    return this.#holds(foundLink, policy) ? this.#of(foundLink).get(foundLink.href) : undefined;
  }

  /** Remembers the target of a link. */
  keep(foundLink: FoundLink, to: CanonicalUrl, policy: UrlPolicy): void {
    if (!this.#holds(foundLink, policy)) return;
    if (this.#size >= REFERENCES) this.#forget();
    this.#of(foundLink).set(foundLink.href, to);
    this.#size += 1;
  }

  /** Can it be remembered? A script's link may lead to the page itself, whichever that is; one that the document resolved has its own encoding. */
  #holds({ href, base, kind, resolved, isRoute }: FoundLink, policy: UrlPolicy): boolean {
    if (policy !== this.#policy || resolved !== null || isRoute === true) return false;
    if (kind === 'history' || kind === 'navigation') return false;
    if (href.length > REFERENCE_LENGTH || base.length > REFERENCE_LENGTH) return false;
    return href !== '' && !href.includes('?') && !href.includes('#');
  }

  #of({ href, base }: FoundLink): Targets {
    if (base !== this.#base) {
      if (this.#size >= REFERENCES) this.#forget();
      const folder = folderOf(base);
      this.#base = base;
      this.#ofFolder = this.#placed(folder);
      this.#ofHost = this.#placed(/^https?:\/\/[^/]+\//i.exec(folder)?.[0] ?? folder);
    }
    return ROOTED.test(href) ? this.#ofHost : this.#ofFolder;
  }

  #placed(place: string): Targets {
    const known = this.#places.get(place);
    if (known !== undefined) return known;
    const made: Targets = new Map();
    this.#places.set(place, made);
    this.#size += 1;
    return made;
  }

  /** Forgets all at once: references in use come back with the next page. */
  #forget(): void {
    this.#places.clear();
    this.#size = 0;
    this.#base = null;
  }
}

/** Bases whose text up to the last slash is not their folder. */
const UNUSUAL = /[\\\s]|\/(?:\.|%2e){1,2}(?:[?#]|$)/i;

/** The part of a base that decides the target of a reference that is more than a query or a fragment. */
function folderOf(base: string): string {
  const place = UNUSUAL.test(base) ? null : (base.split(/[?#]/, 1)[0] ?? '');
  if (place === null || !/^https?:\/\/[^/]+\//i.test(place)) return base;
  return place.slice(0, place.lastIndexOf('/') + 1);
}
