/** Parameters that change nothing: what a crawl folded for them, and how that comes back. */
import type { FoldedParameters } from '../../model/record.ts';
import { takeBack } from '../../pipeline/folding.ts';
import type { CrawlContext } from '../crawl-context.ts';
import type { HeldCounts } from './suspected-traps.ts';

/** Queues what was folded under an id: a page has shown that its parameter matters. */
export async function unfold(
  { frontier, clock, log }: Pick<CrawlContext, 'frontier' | 'clock' | 'log'>,
  id: string,
): Promise<void> {
  const queued = await frontier.unfold(id, clock.now());
  log.info('a parameter matters after all', { fold: id, queued });
}

/** What a run before has found wrong and not taken back. */
export function takeBackOfRunBefore(
  context: Pick<CrawlContext, 'frontier' | 'clock' | 'log' | 'parameterMemory'>,
): Promise<void> {
  return takeBack({ parameterMemory: context.parameterMemory, unfold: (id) => unfold(context, id) });
}

/** To be asked when all that was folded has gone to the journal. What folded nothing is left out. */
export async function foldedParameters(
  { parameterMemory }: Pick<CrawlContext, 'parameterMemory'>,
  held: HeldCounts,
): Promise<readonly FoldedParameters[]> {
  const families = await parameterMemory.foldedFamilies();
  return families
    .map(({ ruleEnd, ...family }) => ({ ...family, held: held.countOfEnd(ruleEnd) }))
    .filter((family) => family.held > 0);
}
