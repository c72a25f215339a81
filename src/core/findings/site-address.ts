/**
 * Addresses that do not depend on the place of a site: a folder that is served on another port, a preview host and the site itself give
 * the same addresses, and so the same findings.
 */
import { parsedUrl } from '../../base/parsed-url.ts';
import { storedCanonicalUrl } from '../../model/url/canonical-url.ts';
import { urlShape } from '../../model/url/url-shape.ts';

/** One origin that stands for another: `{ from: 'https://preview.example.org', to: 'https://example.org' }`. */
export interface OriginMapping {
  readonly from: string;
  readonly to: string;
}

/** Where a site is published, and where the crawl found it: `https://example.org/guide` and `http://127.0.0.1:8080`. Neither ends with a slash. */
export interface PublishedPlace {
  readonly there: string;
  readonly here: string;
}

/** Addresses in a text. */
const URLS = /https?:\/\/[^\s"'<>]+/g;

export class SiteAddresses {
  readonly #own: ReadonlySet<string>;
  readonly #mapped: ReadonlyMap<string, string>;
  readonly #place: PublishedPlace | null;

  /**
   * @param own origins of the site itself: of its first seed, and where that redirects to
   * @param place a folder of another origin that is the site itself, too
   */
  constructor(own: Iterable<string>, mappings: readonly OriginMapping[] = [], place: PublishedPlace | null = null) {
    this.#own = new Set(own);
    this.#mapped = new Map(mappings.map(({ from, to }) => [from, to]));
    this.#place = place;
  }

  /** The URL where the crawl found it: one below the place where the site is published leads into the crawl. */
  found(url: string): string {
    if (this.#place === null || !url.startsWith(this.#place.there)) return url;
    const rest = url.slice(this.#place.there.length);
    return /^(?![^/?#])/.test(rest) ? this.#place.here + rest : url;
  }

  /** Does the URL belong to the site itself, under any of its origins? */
  isOwn(url: string): boolean {
    const origin = originOf(this.found(url));
    return origin !== null && this.#isOwnOrigin(origin);
  }

  /** The URL under the origin that its own is mapped to. */
  mapped(url: string): string {
    const origin = originOf(url);
    const to = origin === null ? undefined : this.#mapped.get(origin);
    return origin === null || to === undefined ? url : to + url.slice(origin.length);
  }

  /** Path and query of a URL of the site; host, path and query of others. */
  relative(url: string): string {
    const found = this.found(url);
    const origin = originOf(found);
    if (origin === null) return url;
    if (this.#isOwnOrigin(origin)) return found.slice(origin.length) || '/';
    return this.mapped(url).replace(/^https?:\/\//, '//');
  }

  /** A text in which URLs of the site are made relative, and other ones mapped. */
  relativeText(text: string): string {
    if (!text.includes('://')) return text;
    return text.replaceAll(URLS, (url) => (this.isOwn(url) ? this.relative(url) : this.mapped(url)));
  }

  /** The same for a message. Addresses that would look the same stay whole: a redirect to https, or away from www, would seem to lead nowhere. */
  relativeMessage(text: string): string {
    const urls = new Set((text.match(URLS) ?? []).map((url) => url.replace(/[,;:.)]+$/, '')));
    const shown = new Set([...urls].map((url) => this.relativeText(url)));
    return shown.size === urls.size ? this.relativeText(text) : text.replaceAll(URLS, (url) => this.mapped(url));
  }

  /** Pattern that an address shares with others of its folder: `/blog/*`; with its host where it is of another site. */
  template(published: string): string {
    const url = this.found(published);
    const origin = originOf(url);
    if (origin === null) return url;
    const host = this.#isOwnOrigin(origin) ? '' : this.mapped(origin).replace(/^https?:/, '');
    return host + urlShape(storedCanonicalUrl(url), 'place').replaceAll(/\{[^}]*\}/g, '*');
  }

  #isOwnOrigin(origin: string): boolean {
    return this.#own.has(origin) || this.#own.has(this.#mapped.get(origin) ?? '');
  }
}

/** The origin as written; null where the text is no http(s) URL. */
export function originOf(url: string): string | null {
  return /^https?:\/\/[^/?#]+/.exec(url)?.[0] ?? null;
}

/** The origin that a user typed, with or without a slash at its end; null for any other text. */
export function typedOrigin(text: string): string | null {
  const url = parsedUrl(text.trim());
  if (url === null || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search + url.hash !== '')
    return null;
  return url.origin;
}
