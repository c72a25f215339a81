/**
 * Units that a plain number could be confused with. Inside the program time is milliseconds; seconds exist only at
 * borders (robots.txt, Retry-After, flags) and are converted here, in the only place that multiplies by 1000.
 */
declare const unit: unique symbol;
type Branded<Value, Name extends string> = Value & { readonly [unit]: Name };

/** A duration in milliseconds, 0 or more. */
export type Milliseconds = Branded<number, 'Milliseconds'>;
/** A point in time: milliseconds since 1970-01-01T00:00:00Z. */
export type EpochMs = Branded<number, 'EpochMs'>;
/** A number of bytes, 0 or more, whole. */
export type Bytes = Branded<number, 'Bytes'>;

/** All AOPIC credit of a crawl, 2^52 whole units: exact as a double, so that conservation is an equality (design/scheduling, "Whole numbers"). */
export const TOTAL_CREDIT: number = 2 ** 52;

/** @throws {RangeError} where the value is negative or not a number. */
export function milliseconds(value: number): Milliseconds {
  if (!(value >= 0)) throw new RangeError(`a duration cannot be ${value} ms`);
  return value as Milliseconds;
}

export function seconds(value: number): Milliseconds {
  return milliseconds(value * 1000);
}

export function minutes(value: number): Milliseconds {
  return seconds(value * 60);
}

export function hours(value: number): Milliseconds {
  return minutes(value * 60);
}

/** @throws {RangeError} where the value is not finite. */
export function epochMs(value: number): EpochMs {
  if (!Number.isFinite(value)) throw new RangeError(`a point in time cannot be ${value}`);
  return value as EpochMs;
}

/** The point in time that lies a duration after another. */
export function after(start: EpochMs, duration: Milliseconds): EpochMs {
  return epochMs(start + duration);
}

/** The duration from one point in time to a later one; 0 where the clock went back. */
export function between(start: EpochMs, end: EpochMs): Milliseconds {
  return milliseconds(Math.max(0, end - start));
}

/** @throws {RangeError} where the value is negative or not whole. */
export function bytes(value: number): Bytes {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`a size cannot be ${value} bytes`);
  return value as Bytes;
}

export function kibibytes(value: number): Bytes {
  return bytes(value * 1024);
}

export function mebibytes(value: number): Bytes {
  return kibibytes(value * 1024);
}
