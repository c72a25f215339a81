/** The answer to a visit's navigation, and what becomes of it. */
import type { Milliseconds } from '../../base/units.ts';
import type { AnswerHead, Verdict } from '../../core/answers/judge-answer.ts';
import type { FileBody } from '../../model/visit-outcome.ts';

export interface JudgedAnswer {
  readonly head: AnswerHead;
  readonly verdict: Verdict;
  /** On the monotonic clock. */
  readonly at: Milliseconds;
  /** Body of an answer that is no page and may hold links. */
  readonly body?: FileBody;
}
