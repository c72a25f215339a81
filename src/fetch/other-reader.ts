import type { VisitOutcome } from '../model/visit-outcome.ts';

/**
 * The outcome of a fetched document; that of a browser where plain HTTP cannot read the answer: two lengths, a header without a colon, a
 * coding that was not asked for. Browsers read many of these, and https comes to them as it was sent.
 */
export async function orByBrowser(fetched: VisitOutcome, render: () => Promise<VisitOutcome>): Promise<VisitOutcome> {
  if (fetched.kind !== 'unreachable' || fetched.failure !== 'bad-response') return fetched;
  const rendered = await render();
  // our own parser says more of the fault
  return rendered.kind === 'unreachable' ? fetched : rendered;
}
