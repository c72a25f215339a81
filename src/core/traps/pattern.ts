/**
 * The pattern of a URL: what it has in common with others that one program of the site makes, as a rule in one directory.
 * `/2024/05/some-title.html?page=3&sort=up` and thousands like it are `/#/#/*.html?page&sort`. Traps are endless in their
 * parts, not in their patterns; so within a site credit is paid to patterns, and each has a budget.
 */
import type { CanonicalUrl } from '../../model/url/canonical-url.ts';
import { pathOf } from '../../model/url/host-key.ts';

/** Directories that count; what lies deeper is one, or every level of an endless path would be a pattern of its own. */
const DIRECTORIES = 3;
/** Names of a query that count: every choice among many filters would be a pattern of its own. */
const NAMES = 3;
/** Longer words are names of things, not of directories. */
const WORD_LENGTH = 24;
const HYPHENS = 3;
/** Of a whole pattern. */
const LENGTH = 100;

const EXTENSION = /\.[A-Za-z][A-Za-z0-9]{0,4}$/;
const HEX = /[0-9a-f]{8}(?:-?[0-9a-f]{4,}|[0-9a-f])*/gi;

/** Of one host, which is not part of it. */
export function urlPattern(url: CanonicalUrl): string {
  const [, path = '', query = '', route = ''] = /^([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/.exec(pathOf(url)) ?? [];
  const whole = patternOfPath(path) + patternOfQuery(query) + (route === '' ? '' : `#${patternOfPath(route)}`);
  return whole.slice(0, LENGTH);
}

function patternOfPath(path: string): string {
  const isDirectory = path.endsWith('/');
  const segments = path.slice(1, isDirectory ? -1 : undefined).split('/');
  const last = segments.pop() ?? '';
  const folders = segments.slice(0, DIRECTORIES).map(folded);
  if (segments.length > DIRECTORIES) folders.push('**');
  const end = isDirectory ? (last === '' ? '' : '*/') : `*${EXTENSION.exec(last)?.[0].toLowerCase() ?? ''}`;
  return `/${folders.map((folder) => `${folder}/`).join('')}${end}`;
}

function patternOfQuery(query: string): string {
  if (query === '') return '';
  const names = new Set(query.split('&').map((part) => folded(part.split('=', 1)[0] ?? '')));
  const sorted = [...names].toSorted();
  return `?${sorted.slice(0, NAMES).join('&')}${sorted.length > NAMES ? '&**' : ''}`;
}

/** Numbers to `#`, hexadecimal names to `@`, names of things to `*`. */
function folded(segment: string): string {
  if (segment.length > WORD_LENGTH && !/^[0-9a-f-]+$/i.test(segment)) return '*';
  if (segment.split('-').length > HYPHENS + 1 && !/^[0-9a-f-]+$/i.test(segment)) return '*';
  // words such as `decade` are made of the same letters: a name in hexadecimal has a figure
  const named = segment.replace(HEX, (hex) => (/\d/.test(hex) && /[a-f]/i.test(hex) ? '@' : hex));
  return named.replace(/\d+/g, '#');
}

/** The first folder of a pattern, `/` where it has none. */
export function folderOf(pattern: string): string {
  return /^\/(?:[^/?]*\/)?/.exec(pattern)?.[0] ?? '/';
}

/** Filters that are combined have this many names in a query. */
const CHOICES = 3;

/** Whether a URL is a choice among several filters, of which there are more than anybody could look at. */
export function isChoice(url: CanonicalUrl): boolean {
  const query = /\?([^#]*)/.exec(pathOf(url))?.[1] ?? '';
  return new Set(query.split('&').map((part) => part.split('=', 1)[0])).size >= CHOICES;
}
