/** The findings of a crawl that it did not visit, for its report and crawl.json. */
import type { CrawlContext } from '../crawl-context.ts';
import type { CrawlReport } from '../crawl.ts';
import { foldedParameters } from './folded-parameters.ts';
import { suspectedTraps, type HeldCounts } from './suspected-traps.ts';

export type LeftOut = Pick<CrawlReport, 'suspectedTraps' | 'hostsGivenUp' | 'foldedParameters'>;

export const NOTHING_LEFT_OUT: LeftOut = { suspectedTraps: [], hostsGivenUp: [], foldedParameters: [] };
/** @param held counts of URLs that were held back in this run */
export async function leftOut(context: CrawlContext, held: HeldCounts): Promise<LeftOut> {
  return {
    suspectedTraps: await suspectedTraps(context, held),
    hostsGivenUp: await context.frontier.openCircuits(),
    foldedParameters: await foldedParameters(context, held),
  };
}
