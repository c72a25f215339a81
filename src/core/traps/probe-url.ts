/**
 * A soft-404 probe: a URL like one of the site's that is named nowhere, and is in no finite list. If a site answers it like the
 * others, those are endless (Bar-Yossef, Broder, Kumar & Tomkins, WWW 2004: a page that does not exist is requested).
 */
import { fnv1a } from '../../base/hash.ts';
import type { CanonicalUrl } from '../../model/url/canonical-url.ts';
import { hostKeyOf, pathOf } from '../../model/url/host-key.ts';
import { queryParts, withParts } from '../../model/url/query-parts.ts';

/** A year with a month behind it. */
const YEAR = /(?<!\d)(?:19|20)\d\d(?=[-/_.]?(?:0?[1-9]|1[0-2])(?!\d))/;
const EXTENSION = /\.[a-z][a-z0-9]{0,4}$/i;
const LETTERS = 'bcdfghjklmnpqrstvwxz';
const NAME_LENGTH = 20;

/** Equal for the same URL; null where no part of it could be changed. */
export function probeUrl(url: CanonicalUrl): string | null {
  const [path = '', query] = pathOf(url).split('#', 1)[0]?.split('?', 2) ?? [];
  const number = fnv1a(url) >>> 0;
  const host = hostKeyOf(url);
  if (query !== undefined) return `${host}${path}?${inQuery(query, number)}`;
  const other = inPath(path, number);
  return other === null ? null : host + other;
}

function inQuery(query: string, number: number): string {
  const dated = withYear(query, farYear(number));
  if (dated !== null) return dated;
  const pairs = queryParts(query);
  const at = pairs.findLastIndex((pair) => pair.includes('=') && /\d/.test(unescaped(pair.slice(pair.indexOf('=')))));
  const changed = at === -1 ? pairs.length - 1 : at;
  return withParts(query, (pair, index) => (index === changed ? otherPair(pair, number) : pair));
}

function otherPair(pair: string, number: number): string {
  const [name = '', value = ''] = pair.split('=', 2);
  return `${name}=${withLastNumber(value, farNumber(number)) ?? nameOf(number)}`;
}

function inPath(path: string, number: number): string | null {
  const dated = withYear(path, farYear(number));
  if (dated !== null) return dated;
  const [extension = ''] = EXTENSION.exec(path) ?? [];
  const stem = path.slice(0, path.length - extension.length);
  const counted = withLastNumber(stem, farNumber(number));
  if (counted !== null) return counted + extension;
  const end = stem.endsWith('/') ? stem.length - 1 : stem.length;
  const begin = stem.lastIndexOf('/', end - 1) + 1;
  if (end <= begin) return null;
  return stem.slice(0, begin) + nameOf(number) + stem.slice(end) + extension;
}

/** The text with another year in place of its first one; null where it has none. */
function withYear(text: string, year: string): string | null {
  const found = YEAR.exec(unescaped(text));
  return found === null ? null : text.slice(0, found.index) + year + text.slice(found.index + found[0].length);
}

/** The text with another number in place of its last one; null where it has none. */
function withLastNumber(text: string, number: string): string | null {
  const plain = unescaped(text);
  let end = plain.length;
  while (end > 0 && !isFigure(plain, end - 1)) end -= 1;
  let begin = end;
  while (begin > 0 && isFigure(plain, begin - 1)) begin -= 1;
  return end === 0 ? null : text.slice(0, begin) + number + text.slice(end);
}

/** The text, as long as before, without the figures of its escapes: `%C3%B6` is a letter, and broken by another number. */
function unescaped(text: string): string {
  return text.replace(/%[\da-f]{2}/gi, '%xx');
}

function isFigure(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
}

/** A URL that does not exist: in the first folder of a URL, or in its host. */
export function probeUrlBeside(url: CanonicalUrl, of: 'folder' | 'host'): string {
  const [folder = '/'] = of === 'host' ? [] : (/^\/(?:[^/?#]*\/)?/.exec(pathOf(url)) ?? []);
  return `${hostKeyOf(url)}${folder}${nameOf(fnv1a(url) >>> 0)}`;
}

/** A year so far off that a calendar that ends with this century's plans has ended. */
function farYear(number: number): string {
  return String(2060 + (number % 40));
}

/** Nine figures: a valid number also for programs that count with 32 bits. */
function farNumber(number: number): string {
  return String(100_000_000 + (number % 900_000_000));
}

function nameOf(number: number): string {
  let [text, left] = ['', number];
  while (text.length < NAME_LENGTH) {
    text += LETTERS.charAt(left % LETTERS.length);
    left = (Math.imul(left, 0x9e3779b1) + 0x7f4a7c15) >>> 0;
  }
  return text;
}
