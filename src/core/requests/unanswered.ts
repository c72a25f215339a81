import type { IdleResult } from '../../model/page.ts';

/** Classes of requests that bring content, as `settle.pending` names them. */
const CONTENT = /^(?:document|script|stylesheet|fetch|xhr) (.*)$/s;

/**
 * URLs whose answers a page was still waiting for when the settle timeout ended it; empty for a page that ended by itself. A request given up
 * on evidence (a long poll that other pages know) is not among them.
 */
export function unansweredOf({
  reason,
  pending,
}: { readonly reason: string } & Pick<IdleResult, 'pending'>): readonly string[] {
  if (reason !== 'timeout') return [];
  return pending.flatMap((name) => CONTENT.exec(name)?.[1] ?? []);
}
