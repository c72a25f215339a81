/**
 * Request headers that a user supplies: log-ins, keys. Each value counts as a secret. It is sent only to the origins that the user
 * means, whatever page, redirect or script makes the request.
 */
import { parsedUrl } from '../base/parsed-url.ts';

export interface BoundHeaders {
  /** Values by name; never shown. */
  readonly headers: Readonly<Record<string, string>>;
  /** In the form of {@link webOrigin}. */
  readonly origins: ReadonlySet<string>;
  /** Do they give way to headers of these names that a page's script sets itself? Left out: no. */
  readonly yields?: boolean;
}

/** Each entry is for its own origins. If an origin gets one name several times, the last value counts. */
export type UserHeaders = readonly BoundHeaders[];

export const NO_USER_HEADERS: UserHeaders = [];

/** `Name: value`: a name as RFC 9110 section 5.6.2 has it, and printable ASCII. */
export const HEADER_LINE: RegExp = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+:[ \t]*[\x20-\x7e]*$/;

/** Headers of the connection or of message framing: a user's value would break the message, or smuggle in a second one. */
const OF_THE_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'via',
]);
/** Forbidden to pages (Fetch Standard, "forbidden request-header"), because the browser sets their true values. */
const OF_THE_BROWSER: ReadonlySet<string> = new Set([
  'accept-charset',
  'accept-encoding',
  'date',
  'origin',
  'range',
  'user-agent',
]);

/** Name and value of a header line. */
export function splitHeaderLine(line: string): readonly [name: string, value: string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon), line.slice(colon + 1).trim()];
}

/**
 * Reason why a header is rejected, with its name but never its value; null where it is accepted.
 * @param line as the user wrote it
 */
export function headerFault(line: string): string | null {
  if (!HEADER_LINE.test(line)) return 'a header must be written `Name: value`, in printable ASCII';
  const [name, value] = splitHeaderLine(line);
  const lower = name.toLowerCase();
  if (value === '') return `the header ${name} has no value`;
  if (lower === 'user-agent') return 'the header User-Agent is what userAgent sets';
  if (OF_THE_CONNECTION.has(lower) || /^proxy-/.test(lower))
    return `the header ${name} belongs to the connection and cannot be given`;
  if (OF_THE_BROWSER.has(lower) || /^sec-/.test(lower))
    return `the header ${name} is the browser's own and cannot be given`;
  return null;
}

/** Scheme, host and port of an http(s) URL, as the URL Standard writes them; null for any other text. */
export function webOrigin(text: string): string | null {
  const url = parsedUrl(text);
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.origin : null;
}

/**
 * The entries that are meant for the origin of a URL. Of a page's URL: those that its requests may carry at all, so that no other site can
 * act in the user's name; each request then gets those that are also meant for its own URL.
 */
export function meantFor(url: string, all: UserHeaders): UserHeaders {
  const origin = all.length === 0 ? null : webOrigin(url);
  return all.filter(({ origins }) => origin !== null && origins.has(origin));
}

/** The user's headers for one request; empty where they are not meant for its origin. */
export function headersFor(url: string, all: UserHeaders): Readonly<Record<string, string>> {
  const byName = new Map<string, readonly [name: string, value: string]>();
  for (const [name, value] of meantFor(url, all).flatMap(({ headers }) => Object.entries(headers)))
    byName.set(name.toLowerCase(), [name, value]);
  return Object.fromEntries(byName.values());
}

/** Binds header lines to origins. @param places http(s) URLs that give the origins; other texts are ignored */
export function userHeaders(lines: readonly string[], places: readonly string[]): UserHeaders {
  if (lines.length === 0) return NO_USER_HEADERS;
  const origins = places.flatMap((place) => webOrigin(place) ?? []);
  return [{ headers: Object.fromEntries(lines.map(splitHeaderLine)), origins: new Set(origins) }];
}
