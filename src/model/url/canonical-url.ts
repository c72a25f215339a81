/**
 * The canonical form of a URL, the key of a page: WHATWG parse, then the normal form of
 * RFC 3986 section 6.2. Only this file creates a CanonicalUrl.
 */
import { parsedUrl } from '../../base/parsed-url.ts';
import { normalEscapes } from './normal-escapes.ts';
import { queryParts, withParts } from './query-parts.ts';
import { isCleaned, parameterRules, type CleanParam, type ParameterRules } from './url-parameters.ts';

declare const canonical: unique symbol;
export type CanonicalUrl = string & { readonly [canonical]: true };

/** Reason why a string is not a URL that can be crawled. */
type UrlRefusal = 'malformed' | 'unsupported-scheme' | 'too-long';

/** Longer URLs are refused (design/duplicates-and-traps, "Traps in a URL"). */
export const URL_LENGTH_LIMIT = 2048;

export type CanonicalisedUrl =
  | { readonly kind: 'canonical'; readonly url: CanonicalUrl }
  | { readonly kind: 'refused'; readonly reason: UrlRefusal };

/** Settings of a crawl. Page identity depends on them, so they are fixed when a crawl starts. */
export interface UrlPolicy {
  /** Keeps the fragment where it is a route of a hash-routed application (`#/`, `#!/`, `#!name`, `#?name=value`). */
  readonly keepHashRoutes: boolean;
  /** For one URL known to be an application's route: keeps its fragment, whatever it looks like. */
  readonly keepFragment?: boolean;
  /** Parameters to drop from the query, from path segments and from routes. */
  readonly parameters: ParameterRules;
  /**
   * Parameters that a host's robots.txt declares meaningless, as far as it has been read; not called for a URL without
   * a query. @param host its HostKey
   */
  readonly cleanParams?: (host: string) => readonly CleanParam[];
}

export const DEFAULT_URL_POLICY: UrlPolicy = {
  keepHashRoutes: true,
  parameters: parameterRules({ remove: [], keep: [] }),
};

/** Rules that keep every parameter. */
const ALL_PARAMETERS: ParameterRules = parameterRules({ remove: [], keep: [] }, []);

/** The same policy with all parameters kept. */
export function withAllParameters({ keepHashRoutes }: UrlPolicy): UrlPolicy {
  return { keepHashRoutes, parameters: ALL_PARAMETERS };
}

/** A limit before parsing: an escaped character takes up to 12 octets, and white space is dropped. */
const INPUT_LENGTH_LIMIT = URL_LENGTH_LIMIT * 4;

/**
 * Converts a URL to its canonical form, or says why it has none. A canonical URL is its own canonical form.
 * @param input a URL as found, absolute or relative to the base
 */
export function canonicalise(input: string, base?: string, policy: UrlPolicy = DEFAULT_URL_POLICY): CanonicalisedUrl {
  if (input.length > INPUT_LENGTH_LIMIT) return refusalOfLong(input);
  const url = parsedUrl(input, base);
  if (url === null) return { kind: 'refused', reason: 'malformed' };
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return { kind: 'refused', reason: 'unsupported-scheme' };
  const host = normalHost(url);
  if (host === null) return { kind: 'refused', reason: 'malformed' };
  const place = `${url.protocol}//${host}`;
  const drops = droppingAt(url.hostname, policy);
  const path = normalPath(url.pathname, drops);
  const search = drops !== null && isListingOrder(url, policy) ? '' : url.search;
  const query = normalQuery(search, drops, search.length < 2 ? [] : (policy.cleanParams?.(place) ?? []), path);
  const text = place + path + query + normalFragment(url.hash, policy, drops);
  if (text.length > URL_LENGTH_LIMIT) return { kind: 'refused', reason: 'too-long' };
  return { kind: 'canonical', url: text as CanonicalUrl };
}

/** The canonical form, or null where it is refused. */
export function canonicalUrl(input: string, base?: string): CanonicalUrl | null {
  const result = canonicalise(input, base);
  return result.kind === 'canonical' ? result.url : null;
}

/** Reads a stored canonical URL (Redis, a crawl folder). @throws {TypeError} where the text is not one. */
export function storedCanonicalUrl(text: string): CanonicalUrl {
  if (!/^https?:\/\/[^/]/.test(text)) throw new TypeError(`not a stored canonical URL: ${text.slice(0, 256)}`);
  return text as CanonicalUrl;
}

/** Refusal of an overlong input by its scheme alone, without parsing: a data: URL of a megabyte is `unsupported-scheme`, not `too-long`. */
function refusalOfLong(input: string): CanonicalisedUrl {
  const scheme = /^[\0- ]*([A-Za-z][A-Za-z0-9+.-]*):/.exec(input.slice(0, 64))?.[1]?.toLowerCase();
  const foreign = scheme !== undefined && scheme !== 'http' && scheme !== 'https';
  return { kind: 'refused', reason: foreign ? 'unsupported-scheme' : 'too-long' };
}

/** Host name without trailing dots, and its port if not the scheme's default. null where no name is left. */
function normalHost(url: URL): string | null {
  let end = url.hostname.length;
  while (end > 0 && url.hostname[end - 1] === '.') end -= 1;
  const name = url.hostname.slice(0, end);
  if (name === '' || name.includes('..')) return null;
  // `1.2.3.4.` and `0x7f.1.` are addresses, but the parser reads them as such only without the dot: so the name is parsed again.
  const reread = end === url.hostname.length ? name : hostNameOf(`${url.protocol}//${name}/`);
  if (reread === null) return null;
  return url.port === '' ? reread : `${reread}:${url.port}`;
}

function hostNameOf(address: string): string | null {
  return parsedUrl(address)?.hostname ?? null;
}

/** Decides by a parameter's name, as written, whether it is dropped. */
type Dropping = (name: string) => boolean;

/** null where the host drops no parameter. */
function droppingAt(hostname: string, { parameters }: UrlPolicy): Dropping | null {
  const host = withoutDots(hostname);
  return parameters.keepsAll(host) ? null : (name) => parameters.drops(name.toLowerCase(), host);
}

function withoutDots(hostname: string): string {
  return hostname.endsWith('.') ? hostname.replace(/\.+$/, '') : hostname;
}

/** The heads of the columns of a folder's listing (Apache's mod_autoindex, fancyindex of nginx): the same files by name, moment, size, description. */
const LISTING_ORDER = /^\?C=[NMSD][&;]O=[AD]$/;

/** Is it a listing of files in another order? Each folder has eight, and each shows all of the folder. */
function isListingOrder({ hostname, pathname, search }: URL, { parameters }: UrlPolicy): boolean {
  if (!pathname.endsWith('/') || !LISTING_ORDER.test(search)) return false;
  const host = withoutDots(hostname);
  return !parameters.keeps('c', host) && !parameters.keeps('o', host);
}

/** `/shop;jsessionid=12ab/item`: the place of a Java server's session when cookies are off. */
const PATH_PARAMETER = /;([^=;/]+)=[^;/]*/g;
/** `/(S(lit3py55t21z5v55vlm25s55))/item`: the place of an ASP.NET session. */
const ASP_SESSION = /\/\((?:[A-Z]\([A-Za-z0-9_-]{8,}\))+\)(?=\/|$)/g;

function normalPath(path: string, drops: Dropping | null): string {
  const normal = normalEscapes(path);
  if (drops === null) return normal;
  let without = normal;
  if (normal.includes(';')) without = withoutPathParameters(normal, drops);
  if (without.includes('/(') && drops('aspsessionid')) without = without.replaceAll(ASP_SESSION, '');
  if (without === normal) return normal;
  // Normalise again: `/a/..;jsessionid=1/b` has become a dot segment.
  return normalPath(new URL(`http://host${without.startsWith('/') ? without : `/${without}`}`).pathname, drops);
}

function withoutPathParameters(path: string, drops: Dropping): string {
  return path.replaceAll(PATH_PARAMETER, (found, name: string) => (drops(name) ? '' : found));
}

/** @param path the path before the query, for Clean-param */
function normalQuery(search: string, drops: Dropping | null, clean: readonly CleanParam[], path: string): string {
  if (search.length < 2) return '';
  const normal = normalEscapes(search.slice(1));
  const cleaned = new Map<string, boolean>(); // a query may repeat one name hundreds of times
  const isDropped = (name: string): boolean => {
    const known = cleaned.get(name) ?? (drops?.(name) === true || isCleaned(name, path, clean));
    cleaned.set(name, known);
    return known;
  };
  const kept = drops === null && clean.length === 0 ? normal : keptPairs(normal, isDropped);
  return kept === '' ? '' : `?${kept}`;
}

/** The query without dropped pairs; empty where only signs between them are left. */
function keptPairs(query: string, isDropped: Dropping): string {
  const kept = withParts(query, (pair) => (isDropped(pair.split('=', 1)[0] ?? '') ? null : pair));
  return kept.length < query.length && queryParts(kept).every((pair) => pair === '') ? '' : kept;
}

/**
 * Does a fragment look like a route? `#/inbox`, `#!/inbox`, and `#!inbox`, as application authors wrote it for search
 * engines (Google's scheme for making AJAX applications crawlable, 2009). So does a query: `#?testId=1` is one result in the
 * reports of Playwright, and no place in a page is called so.
 * @param fragment with its `#`
 */
export function isHashRoute(fragment: string): boolean {
  return /^#(?:!?\/|![\p{L}\d%]|\?[\p{L}\d%_.~-])/u.test(fragment);
}

/** The name of a place at the end of a route. */
const PLACE_NAME = /^[\p{L}\d_.:%~-]+$/u;

/**
 * A route without the place within its page: `!/about#team` is `!/about`, as routers read it (AngularJS, Angular, Vue, React, Backbone). In
 * `/room/#lobby:example.org`, a name of Matrix, the sign begins a name of the route.
 */
function withoutPlace(route: string): string {
  const sign = route.indexOf('#');
  if (sign < 2 || !/^!?\//.test(route) || route[sign - 1] === '/') return route;
  return PLACE_NAME.test(route.slice(sign + 1)) ? route.slice(0, sign) : route;
}

/** The fragment if it is a route of a hash-routed application, which is part of the page's identity; any other is only a place in the page. */
function normalFragment(hash: string, policy: UrlPolicy, drops: Dropping | null): string {
  if (!policy.keepHashRoutes || hash.length < 2 || !(policy.keepFragment === true || isHashRoute(hash))) return '';
  const normal = withoutPlace(normalEscapes(hash.slice(1)));
  if (drops === null) return `#${normal}`;
  const question = normal.indexOf('?');
  const route = question === -1 ? normal : normal.slice(0, question);
  const kept = question === -1 ? '' : keptPairs(normal.slice(question + 1), drops);
  const query = question === -1 || (kept === '' && question !== normal.length - 1) ? '' : `?${kept}`;
  const whole = `#${withoutPathParameters(route, drops)}${query}`;
  // normalise again: `/a?b#c&sid=1` has come to end with a place
  if (whole !== `#${normal}`) return normalFragment(whole, policy, drops);
  // a route that was nothing but dropped parameters is none
  return policy.keepFragment === true || isHashRoute(whole) ? whole : '';
}
