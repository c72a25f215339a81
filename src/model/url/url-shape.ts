/**
 * The shape of a URL: the form that it shares with similar URLs. `/news/2024/05/some-title.html?page=3` and thousands like it
 * have the shape `/news/{n}/{n}/{slug}.html?page`. The crawler expects pages of one shape to behave alike. The granularity sets how much URLs
 * of one shape may differ.
 */
import { parsedUrl } from '../../base/parsed-url.ts';
import type { CanonicalUrl } from './canonical-url.ts';
import { pathOf } from './host-key.ts';
import { decodedParts, queryParts, semicolonsPart } from './query-parts.ts';

/**
 * Granularities, from the coarsest to the finest:
 * - `program`: output of one program of a site, typically one directory: `/2024/05/title.html?page=3` is `/#/#/*.html?page`. The
 *   parts of an infinite space are endless, its programs are not; so host budgets are kept per program. Endless paths and filters add only so
 *   many shapes. Letters of other scripts are not escaped in it. Stored in Redis: another value for a URL needs another schema version.
 * - `place`: the last path part is always folded: `/docs/intro.html` and `/docs/usage.html` are one.
 * - `page`: words are kept.
 * - `route`: pages of one host that behave alike: two words with a hyphen count as a page's name, and so does each route of an application.
 *
 * All but `route` are shapes within a host: they do not contain the host.
 */
type UrlGranularity = 'program' | 'place' | 'page' | 'route';

/** @returns for `route` an empty string where the address is no URL */
export function urlShape(url: CanonicalUrl, granularity: UrlGranularity): string;
export function urlShape(address: string, granularity: 'route'): string;
export function urlShape(address: string, granularity: UrlGranularity): string {
  switch (granularity) {
    case 'program':
      return programShape(address as CanonicalUrl);
    case 'place':
    case 'page':
      return pageShape(new URL(address), granularity);
    case 'route':
      return routeShape(parsedUrl(address));
  }
}

/** Longest word of a site's structure, in characters; a longer one is the name of one thing. */
const WORD_LENGTH = 24;
/** A text with this many hyphens, or more, is the name of one thing, too. */
const NAME_HYPHENS = 3;

const EXTENSION = /\.[A-Za-z][A-Za-z0-9]{0,4}$/;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const DATE = /^\d{4}[-_.]\d{1,2}(?:[-_.]\d{1,2})?$/;
const NUMBER = /^\d+(?:[.,:]\d+)*$/;
/** Eight or more hexadecimal digits, among them a decimal one: `decade` and `facade` are words. */
const HEX = /^(?=[a-f]*\d)[0-9a-f]{8,}$/i;
const NUMBERED = /^([A-Za-z]{1,24})[-_]?\d+$/;

/** `name`: name of one thing, by its length; `words`: several words joined; `numbered`: a word and its number. */
type SegmentClass = 'number' | 'date' | 'id' | 'numbered' | 'name' | 'words' | 'word';

function classOfSegment(segment: string): SegmentClass {
  if (NUMBER.test(segment)) return 'number';
  if (DATE.test(segment)) return 'date';
  if (UUID.test(segment) || HEX.test(segment)) return 'id';
  if (NUMBERED.test(segment)) return 'numbered';
  if (isMixed(segment)) return 'id';
  if (segment.length > WORD_LENGTH || segment.split('-', NAME_HYPHENS + 1).length > NAME_HYPHENS) return 'name';
  return /[-_+ ]|%[0-9A-F]{2}/.test(segment) ? 'words' : 'word';
}

/** Letters and digits in alternation, as generated identifiers have them: a digit, then a letter, then a digit. */
function isMixed(segment: string): boolean {
  if (!/^\w{6,}$/.test(segment)) return false;
  const figure = segment.search(/\d/);
  const letter = figure === -1 ? -1 : segment.slice(figure).search(/[A-Za-z]/);
  return letter !== -1 && /\d/.test(segment.slice(figure + letter));
}

/** Most path parts that count; deeper ones are folded into one. */
const PAGE_SEGMENTS = 8;
/** Most query names that count. */
const PAGE_NAMES = 8;

function pageShape({ pathname, search, hash }: URL, granularity: 'place' | 'page'): string {
  const segments = pathname.slice(1).split('/');
  const last = segments.length > PAGE_SEGMENTS ? '{rest}' : (segments[segments.length - 1] ?? '');
  const folder = segments
    .slice(0, Math.min(segments.length, PAGE_SEGMENTS) - 1)
    .map((segment) => `${foldedByClass(segment)}/`)
    .join('');
  const names = namesIn(search).slice(0, PAGE_NAMES);
  const query = names.length === 0 ? '' : `?${names.map((name) => name.slice(0, WORD_LENGTH)).join('&')}`;
  const extension = last.length === 0 ? '' : (EXTENSION.exec(last.slice(1))?.[0] ?? '');
  const stem = last.slice(0, last.length - extension.length);
  const page = granularity === 'page' ? foldedByClass(stem) : stem === '' ? '' : '{name}';
  return `/${folder}${page}${extension.toLowerCase()}${query}${hash === '' ? '' : '#{route}'}`;
}

/** Names of a query, each once, sorted. */
function namesIn(search: string): readonly string[] {
  return [...new Set(decodedParts(search).keys())].toSorted();
}

function foldedByClass(segment: string): string {
  switch (classOfSegment(segment)) {
    case 'number':
      return '{n}';
    case 'date':
      return '{date}';
    case 'id':
      return '{id}';
    case 'numbered':
      return `${NUMBERED.exec(segment)?.[1] ?? ''}{n}`;
    case 'name':
    case 'words':
      return '{slug}';
    case 'word':
      return segment;
  }
}

const ROUTE_SEGMENTS = 20;
/** Shortest id without alternation: a segment of this many characters is an id if it has a digit or a capital. */
const ID_LENGTH = 16;

function routeShape(url: URL | null): string {
  if (url === null) return '';
  const { protocol, host, pathname, search, hash } = url;
  const names = namesIn(search).slice(0, ROUTE_SEGMENTS).map(foldedRoutePart);
  const query = names.length === 0 ? '' : `?${names.join('&')}`;
  // a fragment with a slash is an application's route
  const route = hash.includes('/') ? foldedRoute(hash.split('?', 1)[0] ?? '') : '';
  return `${protocol}//${host}${foldedRoute(pathname)}${query}${route}`;
}

function foldedRoute(path: string): string {
  return path.split('/').slice(0, ROUTE_SEGMENTS).map(foldedRoutePart).join('/');
}

/** Folds numbers to `0`, ids and names of things to `*`. */
function foldedRoutePart(segment: string): string {
  const segmentClass = classOfSegment(segment);
  const isLongId = segment.length >= ID_LENGTH && /[\dA-Z]/.test(segment);
  return segmentClass === 'id' || segmentClass === 'name' || isLongId ? '*' : segment.replace(/\d+/g, '0');
}

/** Most directories that count; deeper ones are folded into one, else every level of an endless path would be a program of its own. */
const PROGRAM_DIRECTORIES = 3;
/** Most query names that count: else every combination of many filters would be a program of its own. */
const PROGRAM_NAMES = 3;
/** Directory names may be longer than route parts: the name of a thing has one hyphen more. */
const DIRECTORY_HYPHENS = NAME_HYPHENS + 1;
/** Mark that no path pattern contains: consecutive numbers fold to a single mark. */
export const ROUTE_MARK = '##';
/** Most characters of a whole shape. */
export const PROGRAM_LENGTH = 100;
/** Matches within a name, too: an id of 8 or more hexadecimal digits, or several joined with hyphens. */
const HEX_PART = /[0-9a-f]{8}(?:-?[0-9a-f]{4,}|[0-9a-f])*/gi;

/** Shape by text alone, without parsing: it is computed for every link of a page. */
function programShape(url: CanonicalUrl): string {
  const [, path = '', query = '', route = ''] = /^([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/.exec(pathOf(url)) ?? [];
  const whole =
    route === ''
      ? programPath(path) + programQuery(query)
      : applicationPath(path) + programQuery(query) + ROUTE_MARK + programPath(route.replace(/^!?\/?/, '/'));
  return whole.length <= PROGRAM_LENGTH ? whole : whole.slice(0, PROGRAM_LENGTH).replace(/[\uD800-\uDBFF]$/, '');
}

function programPath(path: string): string {
  const isDirectory = path.endsWith('/');
  const segments = path.slice(1, isDirectory ? -1 : undefined).split('/');
  const last = segments.pop() ?? '';
  const end = isDirectory ? (last === '' ? '' : '*/') : `*${EXTENSION.exec(last)?.[0].toLowerCase() ?? ''}`;
  return programFolder(segments) + end;
}

/** Path of an application with routes behind `#`: its own folder distinguishes it from others of its host. */
function applicationPath(path: string): string {
  if (!path.endsWith('/')) return programPath(path);
  return path === '/' ? path : programFolder(path.slice(1, -1).split('/'));
}

function programFolder(segments: readonly string[]): string {
  const folders = segments
    .slice(0, PROGRAM_DIRECTORIES)
    .map((segment, depth) => (depth === 0 && isApplication(segment) ? segment : foldedDirectory(segment)));
  if (segments.length > PROGRAM_DIRECTORIES) folders.push('**');
  return `/${folders.map((folder) => `${folder}/`).join('')}`;
}

/**
 * A word with a number names one of several applications (`/app12/`), versions or parts of a site, each a program of its own. Each
 * word has at most about a hundred of them, so endless names cannot make endless programs.
 */
function isApplication(segment: string): boolean {
  return segment.length <= WORD_LENGTH && /^[A-Za-z][A-Za-z_-]*\d{1,2}$/.test(segment);
}

function programQuery(query: string): string {
  if (query === '') return '';
  const names = new Set(queryParts(query).map((part) => foldedDirectory(part.split('=', 1)[0] ?? '')));
  const sorted = [...names].toSorted();
  const sign = semicolonsPart(query) ? ';' : '&';
  return `?${[...sorted.slice(0, PROGRAM_NAMES), ...(sorted.length > PROGRAM_NAMES ? ['**'] : [])].join(sign)}`;
}

/** Folds numbers to `#`, hexadecimal names to `@`, names of things to `*`; part by part, not by class: `2024-05` and `page2-of-9` keep their form. */
function foldedDirectory(written: string): string {
  const segment = written.includes('%') ? withLetters(written) : written;
  const isName = segment.length > WORD_LENGTH || segment.split('-').length > DIRECTORY_HYPHENS;
  if (isName && !/^[0-9a-f-]+$/i.test(segment)) return '*';
  const named = segment.replace(HEX_PART, (hex) => (/\d/.test(hex) && /[a-f]/i.test(hex) ? '@' : hex));
  return named.replace(/\d+/g, '#');
}

/** Escaped octets beyond ASCII. */
const ESCAPED = /(?:%[89A-F][0-9A-F])+/g;

/** The text with the letters of other scripts as they are: escaped, a word of five letters is as long as the name of a thing. */
function withLetters(text: string): string {
  return text.replaceAll(ESCAPED, (octets) => {
    try {
      return decodeURIComponent(octets).replaceAll(/[^\p{L}\p{M}]/gu, (other) => encodeURIComponent(other));
    } catch {
      return octets; // not in UTF-8
    }
  });
}
