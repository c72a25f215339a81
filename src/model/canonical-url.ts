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
  /** Names of query parameters to drop, lower case; `utm_*` stands for all that begin so. */
  readonly removeParameters: readonly string[];
}

/**
 * Parameters that say who came from where, or carry a session, and never which page is meant (algorithms A6). Names that
 * some sites use for pages as well (`sid`, `session`, `ref`) are not among them.
 */
export const SESSION_AND_TRACKING_PARAMETERS: readonly string[] = [
  'jsessionid',
  'phpsessid',
  'aspsessionid*',
  'cfid',
  'cftoken',
  'oscsid',
  'zenid',
  'utm_*',
  'gclid',
  'gbraid',
  'wbraid',
  'fbclid',
  'msclkid',
  'yclid',
  'dclid',
  'mc_cid',
  'mc_eid',
  '_ga',
  '_gl',
  'igshid',
  'vero_id',
  'mkt_tok',
  'hsa_*',
  '_hsenc',
  '_hsmi',
];

export const DEFAULT_URL_POLICY: UrlPolicy = {
  keepHashRoutes: true,
  removeParameters: SESSION_AND_TRACKING_PARAMETERS,
};

/** What the URL parser may make longer: a character takes up to 12 octets in escaped form, and white space is dropped. */
const INPUT_LENGTH_LIMIT = URL_LENGTH_LIMIT * 4;

/**
 * Brings a URL to its canonical form, or says why it has none. Canonical URLs are their own canonical form.
 * @param input a URL as found, absolute or relative to the base
 */
export function canonicalise(input: string, base?: string, policy: UrlPolicy = DEFAULT_URL_POLICY): CanonicalisedUrl {
  if (input.length > INPUT_LENGTH_LIMIT) return refusalOfLong(input);
  if (!URL.canParse(input, base)) return { kind: 'refused', reason: 'malformed' };
  const url = new URL(input, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return { kind: 'refused', reason: 'unsupported-scheme' };
  const host = normalHost(url);
  if (host === null) return { kind: 'refused', reason: 'malformed' };
  const text = `${url.protocol}//${host}${normalPath(url.pathname, policy)}${normalQuery(url.search, policy)}${normalFragment(url.hash, policy)}`;
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

/** A data: URL of a megabyte is no page that is too long, but none at all. Nothing is parsed. */
function refusalOfLong(input: string): CanonicalisedUrl {
  const scheme = /^[\0- ]*([A-Za-z][A-Za-z0-9+.-]*):/.exec(input.slice(0, 64))?.[1]?.toLowerCase();
  const foreign = scheme !== undefined && scheme !== 'http' && scheme !== 'https';
  return { kind: 'refused', reason: foreign ? 'unsupported-scheme' : 'too-long' };
}

/** A name without the dots of the root, and the port where it is not the scheme's own. null where nothing is left. */
function normalHost(url: URL): string | null {
  let end = url.hostname.length;
  while (end > 0 && url.hostname[end - 1] === '.') end -= 1;
  const name = url.hostname.slice(0, end);
  if (name === '' || name.includes('..')) return null;
  // `1.2.3.4.` is an address, `0x7f.1.` too: without the dot the parser reads it as one, so it is parsed again.
  const reread = end === url.hostname.length ? name : hostNameOf(`${url.protocol}//${name}/`);
  if (reread === null) return null;
  return url.port === '' ? reread : `${reread}:${url.port}`;
}

function hostNameOf(address: string): string | null {
  return URL.canParse(address) ? new URL(address).hostname : null;
}

/** `/shop;jsessionid=12ab/item`: where Java servers put a session when cookies are off. */
const PATH_SESSION = /;jsessionid=[^/;]*/gi;

function normalPath(path: string, { removeParameters }: UrlPolicy): string {
  const normal = normalEscapes(path);
  if (!removeParameters.includes('jsessionid')) return normal;
  const without = normal.replaceAll(PATH_SESSION, '');
  // Read again, for `/a/..;jsessionid=1/b` has become a dot segment.
  return without === normal ? normal : new URL(`http://host${without}`).pathname;
}

function normalQuery(search: string, { removeParameters }: UrlPolicy): string {
  if (search.length < 2) return '';
  const normal = normalEscapes(search.slice(1));
  if (removeParameters.length === 0) return `?${normal}`;
  const pairs = normal.split('&');
  const kept = pairs.filter((pair) => !isRemoved((pair.split('=', 1)[0] ?? '').toLowerCase(), removeParameters));
  if (kept.length === pairs.length) return `?${normal}`;
  return kept.every((pair) => pair === '') ? '' : `?${kept.join('&')}`;
}

function isRemoved(name: string, removed: readonly string[]): boolean {
  return removed.some((each) => (each.endsWith('*') ? name.startsWith(each.slice(0, -1)) : name === each));
}

/** A route of a hash-routed application belongs to the page's identity; any other fragment is a place in the page. */
function normalFragment(hash: string, { keepHashRoutes }: UrlPolicy): string {
  return keepHashRoutes && /^#!?\//.test(hash) ? `#${normalEscapes(hash.slice(1))}` : '';
}

const UNRESERVED = /^[A-Za-z0-9\-._~]$/;

/**
 * RFC 3986 section 6.2.2: unreserved characters decoded, hexadecimal digits in upper case. What the RFC does not let stand
 * raw and the URL standard does is escaped; above all a lone `%`, else `%%34%31` would be `%41` at first and `A` next time.
 */
function normalEscapes(text: string): string {
  return text.replaceAll(/%[0-9A-Fa-f]{2}|[%"<>[\\\]^`{|}]/g, (found) => {
    if (found.length === 1) return `%${found.charCodeAt(0).toString(16).toUpperCase()}`;
    const character = String.fromCharCode(Number.parseInt(found.slice(1), 16));
    return UNRESERVED.test(character) ? character : found.toUpperCase();
  });
}
