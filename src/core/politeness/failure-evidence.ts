/** What a failed visit says of its host, and what of its URL alone (design/scheduling, "Host health"). */
import type { VisitCommit } from '../../model/visit-commit.ts';
import type { VisitOutcome } from '../../model/visit-outcome.ts';

/** @param attempt the visit's, 1 for the first: a URL that is refused again, after its wait, is more likely at fault itself */
export function failureEvidence(
  outcome: VisitOutcome,
  attempt: number,
): Pick<VisitCommit, 'hostThrottled' | 'failsAgain'> {
  if (attempt > 1) return mayBeOwn(outcome) ? { failsAgain: true } : {};
  return outcome.kind === 'throttled' ? { hostThrottled: true } : {};
}

/** May the failure, though it blames the host, be one of the URL alone? 429 is about the rate of requests, whatever was asked for. */
function mayBeOwn(outcome: VisitOutcome): boolean {
  if (outcome.kind === 'throttled') return outcome.answer.status !== 429;
  return outcome.kind === 'unreachable' && outcome.failure === 'timeout' && outcome.ofRobots !== true;
}
