/** Merges the archives that workers wrote into the crawl folder with the crawl's own, when all workers are gone. */
import type { Log } from '../../base/log.ts';
import { gatherArchive } from '../../warc/gather-archive.ts';
import type { CrawlFleet } from './crawl-fleet.ts';

interface Left {
  /** Path of the crawl folder. */
  readonly folder: string;
  readonly fleet: Pick<CrawlFleet, 'isOver'> | null;
  readonly log: Log;
}

/** Call it when the fleet and the archive are closed. Never rejects: `orbweaver gather` takes what it leaves. */
export async function gatherWhatWorkersLeft({ folder, fleet, log }: Left): Promise<void> {
  if (fleet?.isOver !== true) return;
  await gatherArchive(folder, { workers: new Map(), inPlace: true }).catch((error: unknown) =>
    log.error('archives of workers were not gathered', { error: String(error) }),
  );
}
