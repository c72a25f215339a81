/**
 * Parts a URL into its page and its parameters. A family is all pages of a URL pattern, whatever parameters they have;
 * knowledge of a parameter holds for its family (design/duplicates-and-traps, "Parameters that change nothing").
 */
import { storedCanonicalUrl, type CanonicalUrl } from '../../model/url/canonical-url.ts';
import { hostKeyOf, pathOf, type HostKey } from '../../model/url/host-key.ts';
import { queryParts } from '../../model/url/query-parts.ts';
import { urlShape } from '../../model/url/url-shape.ts';

export interface Parameter {
  /** As written; with `#` before it for a route's parameter. {@link SUFFIX} for the text after a second `#`. */
  readonly name: string;
  readonly value: string;
}

export interface Address {
  readonly host: HostKey;
  /** The URL pattern of the page without its parameters. */
  readonly family: string;
  /** Path and route, without parameters. */
  readonly path: string;
  /** In the order of the URL. */
  readonly parameters: readonly Parameter[];
}

/** The name of the text after a route: `install` in `#/guide#install`. */
export const SUFFIX = '##';

/** Is the parameter one of a route? */
export function isOfRoute({ name }: Parameter): boolean {
  return name.startsWith('#');
}

/** Does the URL have parameters? Only then is {@link addressOf} worth its time. */
export function hasParameters(url: string): boolean {
  const hash = url.indexOf('#');
  return url.includes('?') || (hash !== -1 && url.includes('#', hash + 1));
}

export function addressOf(url: CanonicalUrl): Address {
  const host = hostKeyOf(url);
  const [, path = '', query, fragment] = /^([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/.exec(pathOf(url)) ?? [];
  const [, route = '', routeQuery, suffix] = /^([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/.exec(fragment ?? '') ?? [];
  const place = fragment === undefined ? path : `${path}#${route}`;
  return {
    host,
    family: urlShape(storedCanonicalUrl(host + place), 'program'),
    path: place,
    parameters: [
      ...parametersOf(query, ''),
      ...parametersOf(routeQuery, '#'),
      ...(suffix === undefined || suffix === '' ? [] : [{ name: SUFFIX, value: suffix }]),
    ],
  };
}

function parametersOf(query: string | undefined, before: string): readonly Parameter[] {
  if (query === undefined || query === '') return [];
  return queryParts(query)
    .filter((part) => part !== '')
    .map((part) => {
      const equals = part.indexOf('=');
      const [name, value] = equals === -1 ? [part, ''] : [part.slice(0, equals), part.slice(equals + 1)];
      return { name: before + name, value };
    });
}

/** Eight figures that are a date. */
const DAY = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/;
const FIGURES = /^\d+$/;
const HEX = /^[0-9a-f-]+$/i;
const WORD = /^[\w.~-]+$/;
/** Least length of a token: a time in seconds, another generated number, or digits of a hash. */
const LEAST_FIGURES = 8;
/** Least length of a token of letters and figures together, and the least number of each. */
const LEAST_MIXED = 16;
const SOME = 2;

/** Is the value generated anew each time: a session, a time, a random number? No two pages share it on purpose. */
export function isToken(value: string): boolean {
  if (value.length < LEAST_FIGURES || !WORD.test(value)) return false;
  if (FIGURES.test(value)) return !DAY.test(value);
  const figures = value.replaceAll(/\D+/g, '').length;
  const letters = value.replaceAll(/[^A-Za-z]+/g, '').length;
  if (HEX.test(value)) return figures > 0 && letters > 0;
  return value.length >= LEAST_MIXED && figures >= SOME && letters >= SOME;
}

/**
 * Names that select content by custom: they are never folded, whatever pages seem to say. A name counts without `id`, `no`,
 * `nr`, `num` or `number` at its end, and each of these alone counts, too; but `sid` is a session.
 */
const CONTENT_NAMES: ReadonlySet<string> = new Set(
  `page pages paged pg p offset start begin skip limit cursor after before since until q qs query search s keyword keywords term terms
  cat category categories tag tags topic thread forum board post article story news item product sku goods group entry node object
  content doc document file path url uri slug name title user author member account event date day month year week time lang
  language locale hl region country city action do op cmd act module controller section chapter part lesson filter type view tab`.split(
    /\s+/,
  ),
);

/** @param name without the `#` of a route's parameter */
export function namesContent(name: string): boolean {
  const [plain = ''] = decoded(name).toLowerCase().split('[', 1); // `filter[colour]`
  if (CONTENT_NAMES.has(plain)) return true;
  const stem = plain.replace(/[-_]?(?:ids?|no|nr|num|number)$/, '');
  return stem !== plain && (stem === '' || (stem.length > 1 && CONTENT_NAMES.has(stem)));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The fragment that a value names, decoded, as HTML compares it. */
export function placeName(value: string): string {
  return decoded(value);
}
