/** What a setting accepts: one value of this file for each way a flag's text is read. */
import { durationText, DURATION_GRAMMAR, parseDuration, parseSize, SIZE_GRAMMAR } from './quantity.ts';

export type Reading<Value> =
  | { readonly kind: 'read'; readonly value: Value }
  /** `text` is the one that is not accepted; `why` adds to what the kind accepts. */
  | { readonly kind: 'refused'; readonly text: string; readonly why?: string };

/** How a value stands in a config file. */
export type Written = 'true or false' | 'a number' | 'a number or a text' | 'a text' | 'a list of texts';

export interface Kind<Value> {
  /** A switch takes no value on the command line. */
  readonly isSwitch: boolean;
  /** Several are collected; otherwise the last one counts. */
  readonly repeats: boolean;
  /** What would be accepted, in words that follow "accepted:". */
  readonly accepts: string;
  readonly written: Written;
  /** Whether its value may hold a password, so that no message repeats it. */
  readonly secret: boolean;
  /** @param texts one, or where it repeats one or more */
  read(texts: readonly string[]): Reading<Value>;
}

/** Least and greatest value, both accepted. */
export interface Range {
  readonly min: number;
  readonly max?: number;
}

/** Set by its presence. @param meaning what the setting becomes: false for flags like `--no-robots` */
export function switchTo(meaning: boolean): Kind<boolean> {
  return single(
    'true or false',
    'true or false',
    (text) => {
      if (text !== 'true' && text !== 'false') return null;
      return (text === 'true') === meaning;
    },
    { isSwitch: true },
  );
}

export function whole(range: Range): Kind<number> {
  return single(`a whole number ${rangeWords(range, String)}`, 'a number', (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return isWithin(value, range) ? value : null;
  });
}

/** @param range of which `min` itself is not accepted: rates are above 0 */
export function rate(range: Range): Kind<number> {
  return single(
    `a number above ${range.min}${range.max === undefined ? '' : ` up to ${range.max}`}`,
    'a number',
    (text) => {
      const value = /^\d{0,9}(\.\d{1,9})?$/.test(text) && text !== '' ? Number(text) : Number.NaN;
      return isWithin(value, range) && value > range.min ? value : null;
    },
  );
}

/** A number with decimal places; both ends of the range are accepted. */
export function decimal(range: Range): Kind<number> {
  return single(`a number ${rangeWords(range, String)}`, 'a number', (text) => {
    const value = /^\d{0,9}(\.\d{1,9})?$/.test(text) && text !== '' ? Number(text) : Number.NaN;
    return isWithin(value, range) ? value : null;
  });
}

/** @param range in milliseconds */
export function duration(range: Range): Kind<number> {
  return single(`a duration ${rangeWords(range, durationText)} (${DURATION_GRAMMAR})`, 'a number or a text', (text) => {
    const value = parseDuration(text);
    return value !== null && isWithin(value, range) ? value : null;
  });
}

/** @param range in bytes */
export function size(range: Range): Kind<number> {
  return single(
    `a size ${rangeWords(range, (value) => `${value} bytes`)} (${SIZE_GRAMMAR})`,
    'a number or a text',
    (text) => {
      const value = parseSize(text);
      return value !== null && isWithin(value, range) ? value : null;
    },
  );
}

export function choice<const Name extends string>(names: readonly Name[]): Kind<Name> {
  return single(`one of ${names.join(', ')}`, 'a text', (text) => names.find((name) => name === text) ?? null);
}

/** @param accepts in words; @param pattern that the whole text must match */
export function text(accepts: string, pattern: RegExp, secret = false): Kind<string> {
  return single(accepts, 'a text', (value) => (pattern.test(value) ? value : null), { secret });
}

/** A path or the like: never what looks like the next flag, nor the `-` that means standard input elsewhere. */
export function path(accepts: string): Kind<string> {
  return single(accepts, 'a text', (value) => (value === '' || /^--?$|^--[a-z]/.test(value) ? null : value));
}

/** Like {@link path}, and `-` for standard input. */
export function pathOrStandardInput(accepts: string): Kind<string> {
  return single(accepts, 'a text', (value) => (value === '' || /^--$|^--[a-z]/.test(value) ? null : value));
}

/** Given once for each text. */
export function texts(accepts: string, pattern: RegExp, secret = false): Kind<readonly string[]> {
  return several(accepts, (value) => (pattern.test(value) ? { kind: 'read', value: [value] } : refused(value)), secret);
}

export function regularExpressions(): Kind<readonly string[]> {
  return several('a regular expression of JavaScript, that is searched for in the whole URL', (value) => {
    const why = regularExpressionFault(value);
    return why === null ? { kind: 'read', value: [value] } : { ...refused(value), why };
  });
}

/** Names between commas; may also be given several times. @param pattern that each must match */
export function names(accepts: string, pattern: RegExp = /./): Kind<readonly string[]> {
  return several(accepts, (value) => {
    const items = value.split(',').map((item) => item.trim());
    return items.every((item) => pattern.test(item)) ? { kind: 'read', value: items } : refused(value);
  });
}

/** Given once for each text, or without one, which stands for `usual`. */
export function places(accepts: string, pattern: RegExp, usual: string): Kind<readonly string[]> {
  return several(accepts, (value) => {
    const place = value.trim() === '' ? usual : value.trim();
    return pattern.test(place) ? { kind: 'read', value: [place] } : refused(value);
  });
}

/** Some of the names between commas, or `none`. */
export function choices<const Name extends string>(of: readonly Name[]): Kind<readonly Name[]> {
  return several(`${of.join(', ')} with commas between them, or none`, (value) => {
    if (value.trim() === 'none') return { kind: 'read', value: [] };
    const items = value.split(',').map((item) => item.trim());
    const known = of.filter((name) => items.includes(name));
    const unknown = items.find((item) => !of.some((name) => name === item));
    return unknown === undefined ? { kind: 'read', value: known } : refused(value);
  });
}

export interface SingleTraits {
  readonly isSwitch?: boolean;
  readonly secret?: boolean;
}

/** A kind of which the last text counts. @param readOne null where the text is not accepted */
export function single<Value>(
  accepts: string,
  written: Written,
  readOne: (text: string) => Value | null,
  { isSwitch = false, secret = false }: SingleTraits = {},
): Kind<Value> {
  return {
    isSwitch,
    repeats: false,
    accepts,
    written,
    secret,
    read: (all) => {
      const last = all.at(-1) ?? '';
      const value = readOne(last.trim());
      return value === null ? refused(last) : { kind: 'read', value };
    },
  };
}

function several<Item>(
  accepts: string,
  readOne: (text: string) => Reading<readonly Item[]>,
  secret = false,
): Kind<readonly Item[]> {
  return {
    isSwitch: false,
    repeats: true,
    accepts,
    written: 'a list of texts',
    secret,
    read: (all) => {
      const items: Item[] = [];
      for (const each of all) {
        const reading = readOne(each);
        if (reading.kind === 'refused') return reading;
        items.push(...reading.value.filter((item) => !items.includes(item)));
      }
      return { kind: 'read', value: items };
    },
  };
}

function refused(value: string): { readonly kind: 'refused'; readonly text: string } {
  return { kind: 'refused', text: value };
}

function isWithin(value: number, { min, max }: Range): boolean {
  return value >= min && value <= (max ?? Number.MAX_SAFE_INTEGER);
}

function rangeWords({ min, max }: Range, words: (value: number) => string): string {
  return max === undefined ? `of at least ${words(min)}` : `from ${words(min)} to ${words(max)}`;
}

function regularExpressionFault(source: string): string | null {
  if (source === '') return 'it is empty';
  try {
    return new RegExp(source).source === '' ? 'it is empty' : null;
  } catch (error) {
    return error instanceof Error ? error.message : 'it cannot be compiled';
  }
}
