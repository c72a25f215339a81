/** Workers that see the crawl folder write their archives there: when all are gone, these become part of the crawl's. */
import type { Log } from '../../base/log.ts';
import { gatherArchive } from '../../warc/gather-archive.ts';
import type { CrawlFleet } from './crawl-fleet.ts';

interface Left {
  /** Path of the crawl folder. */
  readonly folder: string;
  readonly fleet: Pick<CrawlFleet, 'isOver'> | null;
  readonly log: Log;
}

/** To be called when the fleet and the archive are closed. Never rejects: what it leaves, `orbweaver gather` takes. */
export async function gatherWhatWorkersLeft({ folder, fleet, log }: Left): Promise<void> {
  if (fleet?.isOver !== true) return;
  await gatherArchive(folder, { workers: new Map(), inPlace: true }).catch((error: unknown) =>
    log.error('archives of workers were not gathered', { error: String(error) }),
  );
}
