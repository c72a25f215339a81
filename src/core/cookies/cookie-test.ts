/**
 * Servers that test for cookies: they set one with a redirect, and let a visitor in who brings it back. The redirect leads to the same
 * address, to that address with a parameter more, or to another one that names it and leads back.
 */
import { parsedUrl } from '../../base/parsed-url.ts';
import type { Headers } from '../../model/page.ts';
import { canonicalUrl, type CanonicalUrl } from '../../model/url/canonical-url.ts';

/** Cookies that are kept of one answer, and characters of each (RFC 6265, section 6.1: 50 of 4096 bytes at least). */
const MOST_COOKIES = 50;
const LONGEST_COOKIE = 4096;

/** Values by name; null for a cookie that is deleted. */
export type SetCookies = ReadonlyMap<string, string | null>;

/** The cookies that an answer sets (RFC 6265, section 5.2), without their attributes. */
export function cookiesSetBy(headers: Headers): SetCookies {
  const cookies = new Map<string, string | null>();
  for (const [header, lines] of headers) {
    if (header.toLowerCase() !== 'set-cookie') continue;
    for (const line of lines.split('\n')) {
      if (!line.includes('=')) continue;
      const [pair = '', ...attributes] = line.slice(0, 2 * LONGEST_COOKIE).split(';');
      const equals = pair.indexOf('=');
      const [name, value] = [pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()];
      const fits = equals > 0 && name !== '' && pair.length <= LONGEST_COOKIE && isSendable(name + value);
      if (fits && cookies.size < MOST_COOKIES) cookies.set(name, attributes.some(isDeletion) ? null : value);
    }
  }
  return cookies;
}

/** Names of cookies that only try whether a browser keeps any: `wordpress_test_cookie`, `cookieCheck`. */
const TRIAL = /(?:^|[_-])test[_-]?cookies?$|(?:^|[_-])cookies?[_-]?(?:test|check|enabled|support(?:ed)?)$/i;

/** Does an answer store what its server may know the visitor by? Neither a trial nor the end of a cookie is that. */
export function recognisesVisitors(headers: Headers): boolean {
  if (!headers.some(([name]) => name.toLowerCase() === 'set-cookie')) return false;
  const cookies = [...cookiesSetBy(headers)];
  // what cannot be read may be anything
  return cookies.length === 0 || cookies.some(([name, value]) => value !== null && !TRIAL.test(name));
}

/** Printable ASCII without what ends a cookie: all else could not be sent as a header. */
function isSendable(text: string): boolean {
  return /^[\x21-\x3a\x3c-\x7e ]*$/.test(text);
}

function isDeletion(attribute: string): boolean {
  return /^\s*max-age\s*=\s*(?:0|-\d+)\s*$/i.test(attribute) || /^\s*expires\s*=.*\b19[67]\d\b/i.test(attribute);
}

/** How the target of a redirect could be part of a test for cookies. */
export type TestTarget =
  /** The address that was asked for. */
  | 'same'
  /** The same with parameters more. */
  | 'extended'
  /** Another one on the same host, with a parameter whose value is that address. */
  | 'naming';

/** Null where the target is no part of a test. @param location as an answer has it @param from the address that gave this answer */
export function testTargetOf(
  url: CanonicalUrl,
  location: string,
  from: CanonicalUrl = url,
): { readonly kind: TestTarget; readonly url: CanonicalUrl } | null {
  const [asked, target] = [parsedUrl(url), parsedUrl(location, from)];
  const address = target === null ? null : canonicalUrl(target.href);
  if (asked === null || target === null || address === null || target.host !== asked.host) return null;
  if (address === url) return { kind: 'same', url: address };
  const given = [...target.searchParams];
  if (target.pathname === asked.pathname && target.protocol === asked.protocol && given.length > 0) {
    const pairs = new Set(given.map((pair) => pair.join('=')));
    const isExtended = [...asked.searchParams].every((pair) => pairs.has(pair.join('=')));
    return isExtended ? { kind: 'extended', url: address } : null;
  }
  const names = given.some(([, value]) => /^(?:\/|https?:)/.test(value) && canonicalUrl(value, url) === url);
  return names ? { kind: 'naming', url: address } : null;
}
