import type { EpochMs, Milliseconds } from '../../base/units.ts';
import type { TruncationCause } from '../../model/truncation.ts';
import type { AnswerHead } from './judge-answer.ts';

/** The document of a visit, fetched and judged fit to be rendered: the browser is given it instead of asking again. */
export interface FetchedDocument {
  readonly head: AnswerHead;
  /** Decoded from its content encoding, not from its character set. */
  readonly body: Uint8Array;
  /** Why the server did not end it; null where it did. A browser takes it for whole all the same. */
  readonly truncated: TruncationCause | null;
  readonly startedAt: EpochMs;
  /** When it was asked for, and when its head was there; on the monotonic clock. */
  readonly started: Milliseconds;
  readonly answered: Milliseconds;
}
