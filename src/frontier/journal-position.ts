/** The position up to which the journal was written, as stored in Redis. */
import type { RedisClient } from '../redis/client.ts';
import type { KeySpace } from '../redis/key-space.ts';
import type { JournalPosition } from './frontier.ts';
import { FRONTIER_NAMESPACE } from './keys.ts';

/** @throws where the text is not a stored position */
export function readPosition(text: string): JournalPosition {
  const stored: unknown = JSON.parse(text);
  if (!isPosition(stored)) throw new TypeError(`not a journal position: ${text.slice(0, 256)}`);
  return stored;
}

/** Has anything of a frontier been written to a crawl folder? */
export async function hasJournal(client: RedisClient, keys: KeySpace): Promise<boolean> {
  return (await client.hexists(keys.key(FRONTIER_NAMESPACE, 'meta'), 'position')) === 1;
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
