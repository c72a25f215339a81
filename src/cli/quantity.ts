/** Durations and sizes as people write them; inside the program they are milliseconds and bytes. */
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

/** How a duration is written, for messages. */
export const DURATION_GRAMMAR = '500ms, 30s, 5m, 2h or 1d; a bare number is seconds';
/** How a size is written, for messages. */
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

/** A duration to read at a glance: `350 ms`, `4.2 s`, `1 min 5 s`, `2 h 3 min`. @param duration milliseconds, 0 or more */
export function durationWords(duration: number): string {
  if (duration < 1000) return `${Math.round(duration)} ms`;
  const total = Math.round(duration / 1000);
  if (duration < 10_000) return `${Math.round(duration / 100) / 10} s`;
  if (total < 60) return `${total} s`;
  const [whole, rest, units] = total < 3600 ? split(total, 'min', 's') : split(Math.round(total / 60), 'h', 'min');
  return rest === 0 ? `${whole} ${units[0]}` : `${whole} ${units[0]} ${rest} ${units[1]}`;
}

/** A size to read at a glance, in units of 1024: `350 bytes`, `4.2 kB`, `1.3 GB`. @param size bytes, 0 or more */
export function sizeWords(size: number): string {
  const units = ['kB', 'MB', 'GB', 'TB'];
  if (size < 1024) return `${Math.round(size)} bytes`;
  const power = Math.min(units.length, Math.floor(Math.log2(size) / 10));
  const value = size / 1024 ** power;
  return `${value < 10 ? Math.round(value * 10) / 10 : Math.round(value)} ${units[power - 1] ?? ''}`;
}

/** A duration as flags take it: `500ms`, `30s`, `5m`, `2h`. @param duration milliseconds, whole */
export function durationText(duration: number): string {
  if (duration === 0) return '0';
  const units = [...DURATION_UNITS].toReversed();
  const [name, make] = units.find(([, each]) => duration % each(1) === 0) ?? ['ms', milliseconds];
  return `${duration / make(1)}${name}`;
}

/** Stopwatch form for progress lines: `0:07`, `12:30`, `1:02:03`. @param duration milliseconds */
export function stopwatch(duration: number): string {
  const total = Math.floor(duration / 1000);
  const [hour, minute, second] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60];
  const tail = `${String(minute).padStart(hour > 0 ? 2 : 1, '0')}:${String(second).padStart(2, '0')}`;
  return hour > 0 ? `${hour}:${tail}` : tail;
}

function split(total: number, large: string, small: string): readonly [number, number, readonly [string, string]] {
  return [Math.floor(total / 60), total % 60, [large, small]];
}
