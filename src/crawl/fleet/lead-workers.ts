/** Leads the workers of a crawl: passes their results on to the callers that wait for them. */
import type { NameLookups } from '../../dispatch/name-lookups.ts';
import type { VisitLoop } from '../../dispatch/visit-loop.ts';
import type { CrawlContext } from '../crawl-context.ts';
import type { CrawlEnding } from '../crawl-ending.ts';
import type { JournalPump } from '../journal-pump.ts';
import type { VisitCommits } from '../visit-commits.ts';
import type { CrawlFleet } from './crawl-fleet.ts';

interface Led {
  /** Null where the crawl can have no workers. */
  readonly fleet: CrawlFleet | null;
  readonly loop: VisitLoop;
  readonly pump: Pick<JournalPump, 'notify'>;
  readonly lookups: Pick<NameLookups, 'notify'>;
  readonly ending: Pick<CrawlEnding, 'breakOff'>;
}

/** Runs until the signal. Never rejects: an error breaks the crawl off. @param feed queues what may be needed now: called each second */
export async function leadWorkers(
  { fleet, loop, pump, lookups, ending }: Led,
  feed: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const breakOff = (error: unknown): void => ending.breakOff(error);
  const onLook = (): void => {
    // messages of workers about their visits may be lost: so all is looked at each second
    pump.notify();
    loop.notify();
    feed().catch(breakOff);
  };
  const onFinished = async (tokens: readonly number[]): Promise<void> => {
    pump.notify();
    lookups.notify();
    await loop.finished(tokens);
  };
  await fleet?.run({ onFinished, onLook, onLost: breakOff }, signal).catch(breakOff);
}

/** Has each process of a crawl heard what visits have shown, and queued pages for it? Always true without workers. */
export async function allHaveHeard(
  { fleet, knowledge }: Pick<CrawlContext, 'fleet' | 'knowledge'>,
  commits: Pick<VisitCommits, 'look'>,
): Promise<boolean> {
  if (fleet === null) return true;
  await commits.look();
  return fleet.haveHeard(await knowledge.published());
}
