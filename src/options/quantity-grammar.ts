/** The text form of durations and sizes in settings; inside the program they are milliseconds and bytes. */
import {
  type Bytes,
  bytes,
  hours,
  kibibytes,
  mebibytes,
  milliseconds,
  type Milliseconds,
  minutes,
  seconds,
} from '../base/units.ts';

const DURATION_UNITS: ReadonlyMap<string, (value: number) => Milliseconds> = new Map([
  ['ms', milliseconds],
  ['s', seconds],
  ['m', minutes],
  ['h', hours],
  ['d', (days: number) => hours(days * 24)],
]);

const SIZE_UNITS: ReadonlyMap<string, (value: number) => Bytes> = new Map([
  ['b', bytes],
  ['kb', kibibytes],
  ['mb', mebibytes],
  ['gb', (value: number) => mebibytes(value * 1024)],
]);

const QUANTITY = /^(\d{1,12}(?:\.\d{1,6})?)([a-z]*)$/i;

/** The grammar of a duration, for messages. */
export const DURATION_GRAMMAR = '500ms, 30s, 5m, 2h or 1d; a bare number is seconds';
/** The grammar of a size, for messages. */
export const SIZE_GRAMMAR = '500kb, 20mb or 1gb (of 1024); a bare number is bytes';

/** Reads `500ms`, `30s`, `1.5m`, `2h`, `1d`, or seconds without a unit; null for anything else. Rounded to milliseconds. */
export function parseDuration(text: string): Milliseconds | null {
  const { value, unit } = parts(text);
  if (value === null) return null;
  const make = DURATION_UNITS.get(unit === '' ? 's' : unit);
  return make === undefined ? null : milliseconds(Math.round(make(value)));
}

/** Reads `500kb`, `20mb`, `1gb` (powers of 1024), or bytes without a unit; null where it is no whole number of bytes. */
export function parseSize(text: string): Bytes | null {
  const { value, unit } = parts(text);
  const make = value === null ? undefined : SIZE_UNITS.get(unit === '' ? 'b' : unit);
  if (value === null || make === undefined || !Number.isSafeInteger(value * Number(make(1)))) return null;
  return make(value);
}

function parts(text: string): { readonly value: number | null; readonly unit: string } {
  const match = QUANTITY.exec(text.trim());
  return { value: match === null ? null : Number(match[1]), unit: (match?.[2] ?? '').toLowerCase() };
}

/** A size as flags take it: `20mb`, `1gb`, `100` (bytes). @param size bytes, whole */
export function sizeText(size: number): string {
  const [name, make] = [...SIZE_UNITS].findLast(([, each]) => size % each(1) === 0 && size > 0) ?? ['b', bytes];
  return `${size / make(1)}${name === 'b' ? '' : name}`;
}

/** A duration as flags take it: `500ms`, `30s`, `5m`, `2h`. @param duration milliseconds, whole */
export function durationText(duration: number): string {
  if (duration === 0) return '0';
  const units = [...DURATION_UNITS].toReversed();
  const [name, make] = units.find(([, each]) => duration % each(1) === 0) ?? ['ms', milliseconds];
  return `${duration / make(1)}${name}`;
}
