/** Learns what changes by itself, from all differences of two crawls of the same state. */
import { refuseLinks } from '../crawl-folder/no-links.ts';
import { lockCrawlFolder } from '../crawl-folder/crawl-folder.ts';
import { NoiseBook } from '../core/diff/noise.ts';
import { readStoredCrawl } from '../crawl-folder/stored-crawl.ts';
import type { NoisePlace } from '../model/page-version.ts';
import { VERSION } from '../options/identity.ts';
import { join } from 'node:path';
import { compareForNoise } from './diff-crawls.ts';
import { NOISE_FILE, readNoise, writeNoise } from './noise-file.ts';

interface LearnedNoise {
  readonly places: readonly NoisePlace[];
  /** The file that holds them. */
  readonly path: string;
  readonly notes: readonly string[];
}

/**
 * Writes noise.json into the first folder; what was learnt there before stays.
 * @throws {CrawlError} CRAWL_UNREADABLE, OUTPUT_IN_USE, OUTPUT_UNUSABLE, DISK_FULL; the signal's reason
 */
export async function learnedNoise(folder: string, again: string, signal: AbortSignal): Promise<LearnedNoise> {
  await readStoredCrawl(folder, VERSION);
  await using _lock = await lockCrawlFolder(folder);
  await refuseLinks(folder, [NOISE_FILE]);
  const noise = new NoiseBook();
  for (const { facet, address, passage } of await readNoise(folder)) noise.add(facet, address, passage);
  await compareForNoise(folder, again, noise, signal);
  const places = noise.places();
  await writeNoise(folder, places);
  return { places, path: join(folder, NOISE_FILE), notes: noise.notes() };
}
