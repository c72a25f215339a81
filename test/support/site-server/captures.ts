/**
 * Endless sites, to test how a crawl stays out of them: a route captures parts of the URL by name
 * (`/calendar/{month}`), and its answer uses them in further links (`{month+1m}`).
 */
import { fnv1a } from '../../../src/base/hash.ts';
import { seededRandom } from '../../../src/base/random.ts';

/** A part of a path or the value of a parameter, in a route: `{name}`; `{name:month}` and `{name:date}` may contain slashes. */
const CAPTURE = /\{([a-z][a-z0-9]*)(?::(month|date|rest))?\}/g;
/** `{name}`, `{name+7}`, `{name*3+1}`, `{name-1m}`, `{prose:name}`. */
const USE = /\{(prose:)?([a-z][a-z0-9]*)(?:\*(\d{1,6}))?(?:([+-]\d{1,6})([dmy])?)?\}/g;
const ONE_USE = new RegExp(`^${USE.source}$`);
const VALUES = {
  month: String.raw`\d{4}[/-]\d{2}`,
  date: String.raw`\d{4}[/-]\d{2}[/-]\d{2}`,
  rest: '.+',
  segment: '[^/]+',
} as const;
const DATE_PARTS = /^(\d{4})([/-])(\d{2})(?:[/-](\d{2}))?$/;

/** Values by name, as they are in the URL. */
export type Captures = ReadonlyMap<string, string>;

/**
 * The pattern of a path with captures; null if it has none.
 * @param prefix longer paths that begin with it match as well
 */
export function pathPattern(path: string, prefix: boolean): RegExp | null {
  if (path.search(CAPTURE) === -1) return null;
  let source = '';
  let end = 0;
  for (const match of path.matchAll(CAPTURE)) {
    const [whole, name = '', kind] = match;
    const value = kind === 'month' || kind === 'date' || kind === 'rest' ? VALUES[kind] : VALUES.segment;
    source += `${literally(path.slice(end, match.index))}(?<${name}>${value})`;
    end = match.index + whole.length;
  }
  return new RegExp(`^${source}${literally(path.slice(end))}${prefix ? '' : '$'}`, 's');
}

/** The number of literal characters in a route's path. */
export function literalLength(path: string): number {
  return path.replaceAll(CAPTURE, '').length;
}

/** The name that captures the value of a parameter; null if the value is literal. */
export function captureName(value: string): string | null {
  return /^\{([a-z][a-z0-9]*)\}$/.exec(value)?.[1] ?? null;
}

/** Replaces uses of captured names; other names stay as written. Values are escaped for HTML. */
export function fillCaptures(text: string, captures: Captures): string {
  if (captures.size === 0) return text;
  return text.replaceAll(USE, (whole) => valueOf(whole, captures) ?? whole);
}

/** The value for a use of a name; null if nothing was captured under it. */
function valueOf(use: string, captures: Captures): string | null {
  const [, prose, name = '', factor = '1', step = '0', unit] = ONE_USE.exec(use) ?? [];
  const value = captures.get(name);
  if (value === undefined) return null;
  if (prose !== undefined) return proseOf(value);
  const reached =
    unit === undefined ? reckoned(value, Number(factor), Number(step)) : dateAfter(value, Number(step), unit);
  return escapeHtml(reached);
}

/** The last number in a value, times a factor, plus a step and never below 0: `page7` + 1 is `page8`. */
function reckoned(value: string, factor: number, step: number): string {
  if (factor === 1 && step === 0) return value;
  return value.replace(/\d{1,12}(?=\D*$)/, (digits) => String(Math.max(0, Number(digits) * factor + step)));
}

/** The date that many days, months or years later, in the format of the value; a value that is no date stays. */
function dateAfter(value: string, step: number, unit: string): string {
  const [, year, mark, month, day] = DATE_PARTS.exec(value) ?? [];
  if (year === undefined || mark === undefined) return value;
  const [days, months, years] = [unit === 'd' ? step : 0, unit === 'm' ? step : 0, unit === 'y' ? step : 0];
  const date = new Date(Date.UTC(Number(year) + years, Number(month) - 1 + months, Number(day ?? 1) + days));
  const [text = ''] = date.toISOString().split('T');
  const parts = text.replace(/^[+-]0*/, '').split('-');
  return parts.slice(0, day === undefined ? 2 : 3).join(mark);
}

/** Enough words that two pages differ, and the same words for the same value. */
const PROSE_WORDS = 80;
const WORDS =
  'amber anchor apple arrow basket beacon birch bottle bridge candle canvas carbon cedar circle clover copper cotton crystal dawn delta ember engine fabric feather field flint forest garden glass grain granite harbor hazel hollow island ivory jacket juniper kettle ladder lantern leather lemon linen maple marble meadow mirror needle oak olive orchard paper pebble pepper pillow planet quarry quiet ribbon river saddle shadow silver spruce stone table thunder timber valley velvet violet walnut water willow window winter wool yellow zephyr'.split(
    ' ',
  );

function proseOf(value: string): string {
  const random = seededRandom(fnv1a(value) >>> 0);
  return Array.from({ length: PROSE_WORDS }, () => WORDS[Math.floor(random() * WORDS.length)] ?? '').join(' ');
}

function literally(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
