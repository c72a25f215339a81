/**
 * The type of a setting: its schema, for programs, and the reading of its text, for flags, the environment and the config file. Ranges and
 * patterns stand here once for both.
 */
import { z } from 'zod';
import { milliseconds } from '../base/units.ts';
import type { ViewportSize } from '../model/page-pictures.ts';
import type { SettleMode } from '../model/render-settings.ts';
import { durationText, DURATION_GRAMMAR, parseDuration, parseSize, SIZE_GRAMMAR } from './quantity-grammar.ts';

export type Reading<Value> =
  | { readonly kind: 'read'; readonly value: Value }
  /** `text` is the refused one; `why` adds to what the type accepts. */
  | { readonly kind: 'refused'; readonly text: string; readonly why?: string };

/** The form of a value in a config file. */
export type Written = 'true or false' | 'a number' | 'a number or a text' | 'a text' | 'a list of texts';

export interface ValueType<Value> {
  readonly schema: z.ZodType<Value>;
  /** A switch takes no value on the command line. */
  readonly isSwitch: boolean;
  /** Several are collected; otherwise the last one counts. */
  readonly repeats: boolean;
  /** The accepted values, in words that follow "accepted:". */
  readonly accepts: string;
  readonly written: Written;
  /** May its value hold a password? Then no message repeats it. */
  readonly secret: boolean;
  /** Turns a text with a relative path into one whose path starts from a folder. Left out where texts hold no path to a program. */
  readonly rooted?: (text: string, folder: string) => string;
  /** @param texts one, or where it repeats one or more */
  read(texts: readonly string[]): Reading<Value>;
  /** A default as the help shows it; null where there is nothing to show. */
  show(value: Value): string | null;
}

/** Least and greatest value, both accepted. */
export interface Range {
  readonly min: number;
  readonly max?: number;
}

/** Set by its presence. @param meaning the value that the setting gets: false for flags like `--no-robots` */
export function switchTo(meaning: boolean): ValueType<boolean> {
  return {
    ...single(z.boolean(), 'true or false', 'true or false', (text) =>
      text === 'true' || text === 'false' ? (text === 'true') === meaning : null,
    ),
    isSwitch: true,
    show: () => null,
  };
}

export function whole(range: Range): ValueType<number> {
  return single(
    z
      .int()
      .min(range.min)
      .max(range.max ?? Number.MAX_SAFE_INTEGER),
    `a whole number ${rangeWords(range, String)}`,
    'a number',
    (text) => within(range, /^\d{1,15}$/.test(text) ? Number(text) : null),
  );
}

/** @param max the highest accepted rate; a rate is above 0 */
export function rate(max: number): ValueType<number> {
  return single(z.number().positive().max(max), `a number above 0 up to ${max}`, 'a number', (text) => {
    const value = within({ min: 0, max }, decimalOf(text));
    return value === 0 ? null : value;
  });
}

/** A number with decimal places; both ends of the range are accepted. */
export function decimal(range: Required<Range>): ValueType<number> {
  const schema = z.number().min(range.min).max(range.max);
  return single(schema, `a number ${rangeWords(range, String)}`, 'a number', (text) => within(range, decimalOf(text)));
}

/** Longest duration of any setting: 30 days. */
const LONGEST = 30 * 24 * 3_600_000;
const durationSchema = z.number().min(0).max(LONGEST);

/** @param min least milliseconds */
export function duration(min: number): ValueType<number> {
  const range = { min, max: LONGEST };
  return {
    ...single(
      durationSchema.min(min),
      `a duration ${rangeWords(range, durationText)} (${DURATION_GRAMMAR})`,
      'a number or a text',
      (text) => within(range, parseDuration(text)),
    ),
    show: durationText,
  };
}

/** @param min least bytes */
export function size(min: number): ValueType<number> {
  const range = { min };
  return single(
    z.int().min(min),
    `a size ${rangeWords(range, (value) => (value === 1 ? '1 byte' : `${value} bytes`))} (${SIZE_GRAMMAR})`,
    'a number or a text',
    (text) => within(range, parseSize(text)),
  );
}

export function choice<const Name extends string>(names: readonly Name[]): ValueType<Name> {
  return single(
    z.enum(names),
    `one of ${names.join(', ')}`,
    'a text',
    (text) => names.find((name) => name === text) ?? null,
  );
}

/** Like {@link choice}, with a name for a flag that is given without one. @param accepts in place of the names alone */
export function choiceOr<const Name extends string>(
  names: readonly Name[],
  usual: NoInfer<Name>,
  accepts: string,
): ValueType<Name> {
  return single(z.enum(names), accepts, 'a text', (text) =>
    text === '' ? usual : (names.find((name) => name === text) ?? null),
  );
}

/** Some of the names between commas, or `none`. */
export function choices<const Name extends string>(of: readonly Name[]): ValueType<readonly Name[]> {
  return several(z.array(z.enum(of)), `${of.join(', ')} with commas between them, or none`, (value) => {
    if (value.trim() === 'none') return { kind: 'read', value: [] };
    const items = value.split(',').map((item) => item.trim());
    const known = of.filter((name) => items.includes(name));
    const unknown = items.find((item) => !of.some((name) => name === item));
    return unknown === undefined ? { kind: 'read', value: known } : refused(value);
  });
}

/** When a page counts as done. */
export const settleMode: ValueType<SettleMode> = {
  ...single<SettleMode>(
    z.discriminatedUnion(
      'kind',
      [
        z.strictObject({ kind: z.literal('auto') }),
        z.strictObject({ kind: z.literal('load') }),
        z.strictObject({ kind: z.literal('after'), duration: durationSchema.transform(milliseconds) }),
      ],
      { error: "give { kind: 'auto' }, { kind: 'load' } or { kind: 'after', duration: 2000 }" },
    ),
    'auto, load, or a duration such as 2s that is waited after the load event',
    'a number or a text',
    (value) => {
      if (value === 'auto' || value === 'load') return { kind: value };
      const after = within({ min: 0, max: LONGEST }, parseDuration(value));
      return after === null ? null : { kind: 'after', duration: milliseconds(after) };
    },
  ),
  show: (mode) => (mode.kind === 'after' ? durationText(mode.duration) : mode.kind),
};

/** Pixels, of the browser window. */
export interface Viewport extends ViewportSize {
  /** Windows in which further pictures of each page are taken. */
  readonly further?: readonly ViewportSize[] | undefined;
}

const side = z.int().min(100).max(8192);

/** The most windows of a crawl; more are a mistake, as each page is drawn in all of them. */
const MOST_VIEWPORTS = 8;
const windowSize = z.strictObject({ width: side, height: side });

/** Size of the browser window, and of further ones in which pictures are taken. */
export const viewport: ValueType<Viewport> = {
  schema: z.strictObject(
    {
      width: side,
      height: side,
      further: z
        .array(windowSize)
        .max(MOST_VIEWPORTS - 1)
        .optional(),
    },
    { error: ({ code }) => (code === 'invalid_type' ? 'give { width: 1280, height: 800 }' : undefined) },
  ),
  isSwitch: false,
  repeats: true,
  accepts: 'width x height in pixels, each from 100 to 8192, as in 1280x800',
  written: 'a list of texts',
  secret: false,
  read: (texts) => {
    const sizes: ViewportSize[] = [];
    for (const text of texts) {
      const [width = 0, height = 0] = /^\d{3,4}x\d{3,4}$/i.test(text) ? text.split(/x/i).map(Number) : [];
      if (!side.safeParse(width).success || !side.safeParse(height).success) return refused(text);
      if (!sizes.some((known) => known.width === width && known.height === height)) sizes.push({ width, height });
      if (sizes.length > MOST_VIEWPORTS) return { ...refused(text), why: `at most ${MOST_VIEWPORTS} of them` };
    }
    const [first, ...further] = sizes;
    if (first === undefined) return refused('');
    return { kind: 'read', value: { ...first, ...(further.length === 0 ? {} : { further }) } };
  },
  show: ({ width, height }) => `${width}x${height} pixels`,
};

/** A type whose last text counts. @param readOne null where the text is not accepted */
export function single<Value>(
  schema: z.ZodType<Value>,
  accepts: string,
  written: Written,
  readOne: (text: string) => Value | null,
): ValueType<Value> {
  return {
    schema,
    isSwitch: false,
    repeats: false,
    accepts,
    written,
    secret: false,
    read: (all) => {
      const last = all.at(-1) ?? '';
      const value = readOne(last.trim());
      return value === null ? refused(last) : { kind: 'read', value };
    },
    show: String,
  };
}

/** A type whose texts all count, each item once. @param readOne the items of one text */
export function several<Item>(
  schema: z.ZodType<readonly Item[]>,
  accepts: string,
  readOne: (text: string) => Reading<readonly Item[]>,
): ValueType<readonly Item[]> {
  return {
    schema,
    isSwitch: false,
    repeats: true,
    accepts,
    written: 'a list of texts',
    secret: false,
    read: (all) => {
      const items: Item[] = [];
      for (const each of all) {
        const reading = readOne(each);
        if (reading.kind === 'refused') return reading;
        items.push(...reading.value.filter((item) => !items.includes(item)));
      }
      return { kind: 'read', value: items };
    },
    show: (items) => (items.length === 0 ? null : items.join(',')),
  };
}

/** The reading of a text that is not accepted. */
export function refused(value: string): { readonly kind: 'refused'; readonly text: string } {
  return { kind: 'refused', text: value };
}

function decimalOf(value: string): number | null {
  return value !== '' && /^\d{0,9}(\.\d{1,9})?$/.test(value) ? Number(value) : null;
}

function within({ min, max = Number.MAX_SAFE_INTEGER }: Range, value: number | null): number | null {
  return value !== null && value >= min && value <= max ? value : null;
}

function rangeWords({ min, max }: Range, words: (value: number) => string): string {
  return max === undefined ? `of at least ${words(min)}` : `from ${words(min)} to ${words(max)}`;
}
