import type { EpochMs, Milliseconds } from '../../base/units.ts';
import type { AnswerHead } from './judge-answer.ts';

/** The document of a visit, fetched and judged fit to be rendered: the browser is given it instead of asking again. */
export interface FetchedDocument {
  readonly head: AnswerHead;
  /** Decoded from its content encoding, not from its character set. */
  readonly body: Uint8Array;
  /** Did the server end it? If not, the browser is to take it for whole all the same. */
  readonly whole: boolean;
  readonly startedAt: EpochMs;
  /** When it was asked for, and when its head was there; on the monotonic clock. */
  readonly started: Milliseconds;
  readonly answered: Milliseconds;
}
