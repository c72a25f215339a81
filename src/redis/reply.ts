/** Guards for replies of scripts. A reply of another shape is a bug in the script, so they throw. */

/** @throws {TypeError} where the value is not text. */
export function replyText(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError(`expected text from Redis, got ${typeof value}`);
  return value;
}

/** Reads an integer, given as Redis integer or as text. @throws {TypeError} where it is not one. */
export function wholeOf(value: unknown): number {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isSafeInteger(number)) {
    throw new TypeError(`expected a whole number from Redis, got ${String(value).slice(0, 64)}`);
  }
  return number;
}

/** @throws {TypeError} where the value is not an array. */
export function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new TypeError(`expected a list from Redis, got ${typeof value}`);
  return value;
}

/** Reads a script's yes or no: 1 or 0. @throws {TypeError} where the value is neither. */
export function yesOrNo(value: unknown): boolean {
  if (value !== 0 && value !== 1) throw new TypeError(`expected 0 or 1 from Redis, got ${String(value).slice(0, 64)}`);
  return value === 1;
}
