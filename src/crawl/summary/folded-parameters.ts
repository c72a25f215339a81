/** Parameters that change nothing: the URLs that a crawl folded for them, and how those come back. */
import type { FoldedParameters } from '../../model/record.ts';
import { takeBack } from '../../pipeline/folding.ts';
import type { CrawlContext } from '../crawl-context.ts';
import type { HeldCounts } from './suspected-traps.ts';

/** Queues the URLs that were folded under an id: a page has shown that its parameter matters. */
export async function unfold(
  { frontier, clock, log }: Pick<CrawlContext, 'frontier' | 'clock' | 'log'>,
  id: string,
): Promise<void> {
  const queued = await frontier.unfold(id, clock.now());
  log.info('a parameter matters after all', { fold: id, queued });
}

/** Takes back the folds that an earlier run has found wrong and not taken back. */
export function takeBackOfRunBefore(
  context: Pick<CrawlContext, 'frontier' | 'clock' | 'log' | 'parameterMemory'>,
): Promise<void> {
  return takeBack({ parameterMemory: context.parameterMemory, unfold: (id) => unfold(context, id) });
}

/** Call it when all folds have gone to the journal. Families without a folded URL are left out. */
export async function foldedParameters(
  { parameterMemory }: Pick<CrawlContext, 'parameterMemory'>,
  held: HeldCounts,
): Promise<readonly FoldedParameters[]> {
  const families = await parameterMemory.foldedFamilies();
  return families
    .map(({ ruleEnd, ...family }) => ({ ...family, held: held.countOfEnd(ruleEnd) }))
    .filter((family) => family.held > 0);
}
