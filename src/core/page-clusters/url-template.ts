/**
 * The shape that the URLs of like pages have in common: `/news/2024/05/some-title.html?page=3` and thousands like it are
 * `/news/{n}/{n}/{slug}.html?page`. What a site learns of one page of a template it may expect of the others.
 */
import type { CanonicalUrl } from '../../model/url/canonical-url.ts';

interface UrlTemplate {
  /** Words kept where they stand. */
  readonly specific: string;
  /** The last part of the path folded whatever it is: `/docs/intro.html` and `/docs/usage.html` are one. */
  readonly general: string;
}

/** Parts of a path that count; what lies deeper is one. */
const SEGMENTS = 8;
/** Names of a query that count. */
const NAMES = 8;
/** A word of more characters is no word of a site's plan but the name of one page. */
const WORD_LENGTH = 24;

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const DATE = /^\d{4}[-_.]\d{1,2}(?:[-_.]\d{1,2})?$/;
const NUMBER = /^\d+(?:[.,:]\d+)*$/;
/** Eight and more hexadecimal digits with a figure among them: `decade` and `facade` are words. */
const HEX = /^(?=[a-f]*\d)[0-9a-f]{8,}$/i;
const NUMBERED = /^([A-Za-z]+)[-_]?\d+$/;

export function urlTemplate(url: CanonicalUrl): UrlTemplate {
  const { pathname, searchParams, hash } = new URL(url);
  const segments = pathname.slice(1).split('/');
  const last = segments.length > SEGMENTS ? '{rest}' : (segments[segments.length - 1] ?? '');
  const folder = segments
    .slice(0, Math.min(segments.length, SEGMENTS) - 1)
    .map((segment) => `${folded(segment)}/`)
    .join('');
  const names = [...new Set(searchParams.keys())].toSorted().slice(0, NAMES);
  const query = names.length === 0 ? '' : `?${names.map((name) => name.slice(0, WORD_LENGTH)).join('&')}`;
  const route = hash === '' ? '' : '#{route}';
  const [stem, extension] = splitExtension(last);
  return {
    specific: `/${folder}${folded(stem)}${extension}${query}${route}`,
    general: `/${folder}${stem === '' ? '' : '{name}'}${extension}${query}${route}`,
  };
}

/** Letters and figures in turn, as makers of identifiers write them: a figure, a letter behind it, a figure behind that. */
function isMixed(segment: string): boolean {
  if (!/^\w{6,}$/.test(segment)) return false;
  const figure = segment.search(/\d/);
  const letter = figure === -1 ? -1 : segment.slice(figure).search(/[A-Za-z]/);
  return letter !== -1 && /\d/.test(segment.slice(figure + letter));
}

function splitExtension(segment: string): readonly [stem: string, extension: string] {
  const [, stem, extension] = /^(.+)(\.[A-Za-z][A-Za-z0-9]{0,4})$/.exec(segment) ?? [];
  return stem === undefined || extension === undefined ? [segment, ''] : [stem, extension.toLowerCase()];
}

function folded(segment: string): string {
  if (segment === '') return '';
  if (NUMBER.test(segment)) return '{n}';
  if (DATE.test(segment)) return '{date}';
  if (UUID.test(segment) || HEX.test(segment)) return '{id}';
  const numbered = NUMBERED.exec(segment)?.[1];
  if (numbered !== undefined && numbered.length <= WORD_LENGTH) return `${numbered}{n}`;
  if (isMixed(segment)) return '{id}';
  if (segment.length > WORD_LENGTH || /[-_+ ]|%[0-9A-F]{2}/.test(segment)) return '{slug}';
  return segment;
}
