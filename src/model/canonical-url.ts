/**
 * The canonical form of a URL, the key under which a page is known: WHATWG parse, then the normal form of
 * RFC 3986 section 6.2. This file is the only one that mints a CanonicalUrl.
 */
declare const canonical: unique symbol;
export type CanonicalUrl = string & { readonly [canonical]: true };

/** Why a string is no URL that can be crawled. */
export type UrlRefusal = 'malformed' | 'unsupported-scheme' | 'too-long';

/** Longer URLs are refused (Nutch, BUbiNG; algorithms A6). */
export const URL_LENGTH_LIMIT = 2048;

export type CanonicalisedUrl =
  | { readonly kind: 'canonical'; readonly url: CanonicalUrl }
  | { readonly kind: 'refused'; readonly reason: UrlRefusal };

/** What may differ from one crawl to the next; a page's identity depends on it, so it is fixed when a crawl starts. */
export interface UrlPolicy {
  /** Keep the fragment where it is a route of a hash-routed application (`#/`, `#!/`). */
  readonly keepHashRoutes: boolean;
  /** Names of query parameters to drop, lower case. */
  readonly removeParameters: readonly string[];
}

export const DEFAULT_URL_POLICY: UrlPolicy = { keepHashRoutes: true, removeParameters: [] };

const UNRESERVED = /^[A-Za-z0-9\-._~]$/;

/**
 * Brings a URL to its canonical form, or says why it has none.
 * @param input a URL as found, absolute or relative to the base
 */
export function canonicalise(input: string, base?: string, policy: UrlPolicy = DEFAULT_URL_POLICY): CanonicalisedUrl {
  if (input.length > URL_LENGTH_LIMIT * 4) return { kind: 'refused', reason: 'too-long' };
  if (!URL.canParse(input, base)) return { kind: 'refused', reason: 'malformed' };
  const url = new URL(input, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return { kind: 'refused', reason: 'unsupported-scheme' };
  url.username = '';
  url.password = '';
  url.hostname = url.hostname.replace(/\.+$/, '');
  if (url.hostname === '') return { kind: 'refused', reason: 'malformed' };
  url.pathname = normalEscapes(url.pathname);
  url.search = normalEscapes(withoutParameters(url.search, policy.removeParameters));
  url.hash = policy.keepHashRoutes && /^#!?\//.test(url.hash) ? normalEscapes(url.hash) : '';
  const text = url.href.replace(/\?(?=#|$)/, '');
  if (text.length > URL_LENGTH_LIMIT) return { kind: 'refused', reason: 'too-long' };
  return { kind: 'canonical', url: text as CanonicalUrl };
}

/** The canonical form, or null where it is refused. */
export function canonicalUrl(input: string, base?: string): CanonicalUrl | null {
  const result = canonicalise(input, base);
  return result.kind === 'canonical' ? result.url : null;
}

/** Takes back what was stored as a canonical URL (Redis, a crawl folder). @throws {TypeError} where it is none. */
export function storedCanonicalUrl(text: string): CanonicalUrl {
  if (!/^https?:\/\/[^/]/.test(text)) throw new TypeError(`not a stored canonical URL: ${text.slice(0, 256)}`);
  return text as CanonicalUrl;
}

/** RFC 3986 6.2.2: unreserved characters decoded, hexadecimal digits in upper case. */
function normalEscapes(text: string): string {
  return text.replace(/%[0-9A-Fa-f]{2}/g, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return UNRESERVED.test(character) ? character : escape.toUpperCase();
  });
}

function withoutParameters(search: string, names: readonly string[]): string {
  if (names.length === 0 || search.length < 2) return search;
  const kept = search
    .slice(1)
    .split('&')
    .filter((pair) => !names.includes((pair.split('=', 1)[0] ?? '').toLowerCase()));
  return kept.length === 0 ? '' : `?${kept.join('&')}`;
}
