/** The log event of a failed try: no other file has one, and `explain` reads it from the log. */
import type { LogFields } from '../base/log.ts';
import { between, type EpochMs } from '../base/units.ts';
import { askedWait } from '../core/politeness/retry-after.ts';
import type { VisitCommit } from '../model/visit-commit.ts';
import type { VisitOutcome } from '../model/visit-outcome.ts';
import type { Visit } from '../model/visit.ts';

export const RETRY_EVENT = 'tried in vain';

/** The event's fields; null where the visit is not tried again. */
export function retryFields(
  { visit, outcome }: { readonly visit: Visit; readonly outcome: VisitOutcome },
  { disposition: disposition }: VisitCommit,
  now: EpochMs,
): LogFields | null {
  if (disposition.kind !== 'retry') return null;
  const { url, attempt } = visit;
  return { url, attempt, outcome: outcome.kind, ...reasonOf(outcome), wait: between(now, disposition.due) };
}

function reasonOf(outcome: VisitOutcome): LogFields {
  if (outcome.kind === 'captured') return { truncated: outcome.page.truncated };
  if (outcome.kind === 'not-html') return { truncated: outcome.body?.truncated ?? null };
  const asked = askedWait(outcome);
  const retryAfter = asked === null ? {} : { retryAfter: `${asked.asked / 1000} s` };
  if ('answer' in outcome) return { status: outcome.answer.status, ...retryAfter };
  if ('detail' in outcome) return { detail: outcome.detail, ...retryAfter };
  return {};
}
