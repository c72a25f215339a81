import type { EpochMs, Milliseconds } from '../../base/units.ts';
import type { TruncationCause } from '../../model/truncation.ts';
import type { AnswerHead } from './judge-answer.ts';

/** The document of a visit, fetched and judged fit to be rendered: the browser gets it instead of requesting it again. */
export interface FetchedDocument {
  readonly head: AnswerHead;
  /** Decoded from its content encoding, not from its character set. */
  readonly body: Uint8Array;
  /** The reason why the server did not end it; null where it did. A browser takes it for whole all the same. */
  readonly truncated: TruncationCause | null;
  readonly startedAt: EpochMs;
  /** Times of the request and of the arrival of its head, on the monotonic clock. */
  readonly started: Milliseconds;
  readonly answered: Milliseconds;
}
