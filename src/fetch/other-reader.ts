import type { Egress } from '../egress/egress.ts';
import type { VisitOutcome } from '../model/visit-outcome.ts';
import { UNASKED_ZSTD } from './document.ts';

interface Asked {
  readonly url: string;
  readonly egress: Partial<Pick<Egress, 'authority'>>;
}

/**
 * The outcome of a fetched document; that of a browser where plain HTTP cannot read the answer: two lengths, a header without a colon, a
 * coding that was not asked for. Browsers read many of these, if the answer comes to them as it was sent: by https through a closed tunnel.
 * Bodies in zstd come to them so in any case.
 */
export async function orByBrowser(
  fetched: VisitOutcome,
  { url, egress: { authority = null } }: Asked,
  render: () => Promise<VisitOutcome>,
): Promise<VisitOutcome> {
  if (fetched.kind !== 'unreachable' || fetched.failure !== 'bad-response') return fetched;
  const comesAsSent = (authority === null && url.startsWith('https:')) || fetched.detail === UNASKED_ZSTD;
  if (!comesAsSent) return fetched;
  const rendered = await render();
  // our own parser says more of the fault
  return rendered.kind === 'unreachable' ? fetched : rendered;
}
