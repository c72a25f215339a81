/**
 * Cause of an incomplete body. `length` and `ratio`: a limit of ours; `time`: it did not end in time; `disconnect`: the connection
 * ended first; `encoding`: it could not be decoded completely. (WARC 1.1, section 5.13, has the first, third and fourth word.)
 */
export type Truncation = 'length' | 'ratio' | 'time' | 'disconnect' | 'encoding';

/** Causes on the side of the server or the network: `truncated` of pages.jsonl. */
export type TruncationCause = Exclude<Truncation, 'length' | 'ratio'>;
export const TRUNCATION_CAUSES: readonly TruncationCause[] = ['disconnect', 'time', 'encoding'];

/** The cause if the server's body broke off; null where it is whole, or was cut by a limit of ours. */
export function truncationCause(truncation: Truncation | null): TruncationCause | null {
  return TRUNCATION_CAUSES.find((cause) => cause === truncation) ?? null;
}
