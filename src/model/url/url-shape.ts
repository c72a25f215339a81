/**
 * The shape of a URL: the form that it shares with others made in the same way. `/news/2024/05/some-title.html?page=3` and thousands like it
 * are `/news/{n}/{n}/{slug}.html?page`. What a crawl learns of one page it may expect of others of its shape; how much others may differ is
 * the granularity.
 */
import { parsedUrl } from '../../base/parsed-url.ts';
import type { CanonicalUrl } from './canonical-url.ts';
import { pathOf } from './host-key.ts';

/**
 * From the coarsest to the finest:
 * - `program`: what one program of a site makes, as a rule in one directory: `/2024/05/title.html?page=3` is `/#/#/*.html?page`. Infinite
 *   spaces are endless in their parts, not in these; so a host's budgets go by them. Bounded in all that an endless path or filter could add.
 *   Stored in Redis: another value for a URL needs another schema version.
 * - `place`: the last part of the path folded whatever it is: `/docs/intro.html` and `/docs/usage.html` are one.
 * - `page`: words kept where they stand.
 * - `route`: pages that behave alike, of one host: two words with a hyphen are a page's name, and so is each route of an application.
 *
 * All but `route` are shapes within a host, which is not part of them.
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

/** A word of more characters is no word of a site's plan but the name of one thing. */
const WORD_LENGTH = 24;
/** So is one with as many hyphens. */
const NAME_HYPHENS = 3;

const EXTENSION = /\.[A-Za-z][A-Za-z0-9]{0,4}$/;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const DATE = /^\d{4}[-_.]\d{1,2}(?:[-_.]\d{1,2})?$/;
const NUMBER = /^\d+(?:[.,:]\d+)*$/;
/** Eight and more hexadecimal digits with a figure among them: `decade` and `facade` are words. */
const HEX = /^(?=[a-f]*\d)[0-9a-f]{8,}$/i;
const NUMBERED = /^([A-Za-z]{1,24})[-_]?\d+$/;

/** `name`: of one thing, by its length; `words`: several that make one; `numbered`: a word and its number. */
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

/** Letters and figures in turn, as makers of identifiers write them: a figure, a letter behind it, a figure behind that. */
function isMixed(segment: string): boolean {
  if (!/^\w{6,}$/.test(segment)) return false;
  const figure = segment.search(/\d/);
  const letter = figure === -1 ? -1 : segment.slice(figure).search(/[A-Za-z]/);
  return letter !== -1 && /\d/.test(segment.slice(figure + letter));
}

/** Parts of a path that count; what lies deeper is one. */
const PAGE_SEGMENTS = 8;
/** Names of a query that count. */
const PAGE_NAMES = 8;

function pageShape({ pathname, searchParams, hash }: URL, granularity: 'place' | 'page'): string {
  const segments = pathname.slice(1).split('/');
  const last = segments.length > PAGE_SEGMENTS ? '{rest}' : (segments[segments.length - 1] ?? '');
  const folder = segments
    .slice(0, Math.min(segments.length, PAGE_SEGMENTS) - 1)
    .map((segment) => `${foldedByClass(segment)}/`)
    .join('');
  const names = [...new Set(searchParams.keys())].toSorted().slice(0, PAGE_NAMES);
  const query = names.length === 0 ? '' : `?${names.map((name) => name.slice(0, WORD_LENGTH)).join('&')}`;
  const extension = last.length === 0 ? '' : (EXTENSION.exec(last.slice(1))?.[0] ?? '');
  const stem = last.slice(0, last.length - extension.length);
  const page = granularity === 'page' ? foldedByClass(stem) : stem === '' ? '' : '{name}';
  return `/${folder}${page}${extension.toLowerCase()}${query}${hash === '' ? '' : '#{route}'}`;
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
/** Characters from which on a segment with a figure or a capital is an id, though its letters and figures do not take turns. */
const ID_LENGTH = 16;

function routeShape(url: URL | null): string {
  if (url === null) return '';
  const { protocol, host, pathname, searchParams, hash } = url;
  const names = [...new Set(searchParams.keys())].sort().slice(0, ROUTE_SEGMENTS).map(foldedRoutePart);
  const query = names.length === 0 ? '' : `?${names.join('&')}`;
  // a fragment with a slash is the route of an application
  const route = hash.includes('/') ? foldedRoute(hash.split('?', 1)[0] ?? '') : '';
  return `${protocol}//${host}${foldedRoute(pathname)}${query}${route}`;
}

function foldedRoute(path: string): string {
  return path.split('/').slice(0, ROUTE_SEGMENTS).map(foldedRoutePart).join('/');
}

/** Numbers to `0`, ids and names of things to `*`. */
function foldedRoutePart(segment: string): string {
  const segmentClass = classOfSegment(segment);
  const isLongId = segment.length >= ID_LENGTH && /[\dA-Z]/.test(segment);
  return segmentClass === 'id' || segmentClass === 'name' || isLongId ? '*' : segment.replace(/\d+/g, '0');
}

/** Directories that count; what lies deeper is one, or every level of an endless path would be a program of its own. */
const PROGRAM_DIRECTORIES = 3;
/** Names of a query that count: every choice among many filters would be a program of its own. */
const PROGRAM_NAMES = 3;
/** Directories are named at more length than pages are routed: a name of a thing has one hyphen more. */
const DIRECTORY_HYPHENS = NAME_HYPHENS + 1;
/** No pattern of a path holds it: numbers that follow each other are one mark. */
export const ROUTE_MARK = '##';
/** Of a whole shape. */
export const PROGRAM_LENGTH = 100;
/** Within a name, too: an id of 8 digits and more, or several with hyphens. */
const HEX_PART = /[0-9a-f]{8}(?:-?[0-9a-f]{4,}|[0-9a-f])*/gi;

/** By text alone, not by a parsed URL: every link of a page is asked. */
function programShape(url: CanonicalUrl): string {
  const [, path = '', query = '', route = ''] = /^([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/.exec(pathOf(url)) ?? [];
  const whole =
    route === ''
      ? programPath(path) + programQuery(query)
      : applicationPath(path) + programQuery(query) + ROUTE_MARK + programPath(route.replace(/^!?\/?/, '/'));
  return whole.slice(0, PROGRAM_LENGTH);
}

function programPath(path: string): string {
  const isDirectory = path.endsWith('/');
  const segments = path.slice(1, isDirectory ? -1 : undefined).split('/');
  const last = segments.pop() ?? '';
  const end = isDirectory ? (last === '' ? '' : '*/') : `*${EXTENSION.exec(last)?.[0].toLowerCase() ?? ''}`;
  return programFolder(segments) + end;
}

/** Where an application keeps its routes behind `#`, its own folder distinguishes it from others of its host. */
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
 * A word and its number name one of some applications (`/app12/`), versions or parts of a site, each a program of its own. There
 * are no more than a hundred of a word, so that names without end come to an end.
 */
function isApplication(segment: string): boolean {
  return segment.length <= WORD_LENGTH && /^[A-Za-z][A-Za-z_-]*\d{1,2}$/.test(segment);
}

function programQuery(query: string): string {
  if (query === '') return '';
  const names = new Set(query.split('&').map((part) => foldedDirectory(part.split('=', 1)[0] ?? '')));
  const sorted = [...names].toSorted();
  return `?${sorted.slice(0, PROGRAM_NAMES).join('&')}${sorted.length > PROGRAM_NAMES ? '&**' : ''}`;
}

/** Numbers to `#`, hexadecimal names to `@`, names of things to `*`; in parts, not by its class: `2024-05` and `page2-of-9` keep their form. */
function foldedDirectory(segment: string): string {
  const isName = segment.length > WORD_LENGTH || segment.split('-').length > DIRECTORY_HYPHENS;
  if (isName && !/^[0-9a-f-]+$/i.test(segment)) return '*';
  const named = segment.replace(HEX_PART, (hex) => (/\d/.test(hex) && /[a-f]/i.test(hex) ? '@' : hex));
  return named.replace(/\d+/g, '#');
}
