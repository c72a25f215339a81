/** Opens the storage of a crawl's snapshots, and tries it: an error is known before anything is fetched. */
import type { Clock } from '../../base/clock.ts';
import type { CrawlId } from '../../model/crawl-id.ts';
import type { ParsedOptions } from '../../options/options.ts';
import { openStorage, type SnapshotStorage } from '../../storage/open-storage.ts';
import { placeOfCrawl, readStoragePlace } from '../../storage/storage-place.ts';
import type { CrawlEnvironment } from '../crawl-environment.ts';

interface StorageNeeds {
  readonly crawl: CrawlId;
  readonly environment: Pick<CrawlEnvironment, 'variables'>;
  readonly clock: Clock;
}

/** Null where the snapshots are files of the folder. @throws {CrawlError} PACKAGE_MISSING, STORAGE_UNUSABLE */
export async function openSnapshotStorage(
  { snapshotStorage }: Pick<ParsedOptions, 'snapshotStorage'>,
  { crawl, environment: { variables = {} }, clock }: StorageNeeds,
  signal: AbortSignal,
): Promise<SnapshotStorage | null> {
  const place = snapshotStorage === undefined ? null : readStoragePlace(snapshotStorage);
  if (place === null) return null;
  const storage = await openStorage(placeOfCrawl(place, crawl), { variables, clock });
  await storage.probe(signal);
  return storage;
}
