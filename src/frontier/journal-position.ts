/** The position up to which the journal was written, as stored in Redis. */
import type { JournalPosition } from './frontier.ts';

/** @throws where the text is not a stored position */
export function readPosition(text: string): JournalPosition {
  const stored: unknown = JSON.parse(text);
  if (!isPosition(stored)) throw new TypeError(`not a journal position: ${text.slice(0, 256)}`);
  return stored;
}

function isPosition(value: unknown): value is JournalPosition {
  return (
    typeof value === 'object' &&
    value !== null &&
    'upTo' in value &&
    typeof value.upTo === 'number' &&
    'lengths' in value &&
    typeof value.lengths === 'object' &&
    value.lengths !== null &&
    Object.values(value.lengths).every((length) => typeof length === 'number')
  );
}
