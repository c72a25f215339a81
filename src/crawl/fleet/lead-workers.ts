/** Leads the workers of a crawl: passes on what they have done to whoever waits for it. */
import type { NameLookups } from '../../dispatch/name-lookups.ts';
import type { VisitLoop } from '../../dispatch/visit-loop.ts';
import type { CrawlEnding } from '../crawl-ending.ts';
import type { JournalPump } from '../journal-pump.ts';
import type { CrawlFleet } from './crawl-fleet.ts';

interface Led {
  /** Null where the crawl can have no workers. */
  readonly fleet: CrawlFleet | null;
  readonly loop: VisitLoop;
  readonly pump: Pick<JournalPump, 'notify'>;
  readonly lookups: Pick<NameLookups, 'notify'>;
  readonly ending: Pick<CrawlEnding, 'breakOff'>;
}

/** Runs until the signal. Never rejects: what goes wrong breaks the crawl off. @param feed queues sitemaps that may be needed now */
export async function leadWorkers(
  { fleet, loop, pump, lookups, ending }: Led,
  feed: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const breakOff = (error: unknown): void => ending.breakOff(error);
  const onLook = (): void => {
    // what workers say of their visits may be lost: so all is looked at each second
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
