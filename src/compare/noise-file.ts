/** noise.json of a crawl folder or a baseline: changes that come by themselves, learnt from two crawls of the same state (docs/regression.md). */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { CrawlError } from '../base/errors.ts';
import { parsedJson } from '../base/safe-json.ts';
import { writeWholeFile } from '../crawl-folder/whole-file.ts';
import { systemCode } from '../crawl-folder/disk-error.ts';
import { FACETS, type NoisePlace } from '../model/page-version.ts';

export const NOISE_FILE = 'noise.json';

const schema = z.object({
  format: z.literal(1),
  places: z
    .array(z.object({ facet: z.enum(FACETS), address: z.string().max(4000), passage: z.string().max(2000).nullable() }))
    .max(50_000),
});

/** Empty where there is none. @throws {CrawlError} CRAWL_UNREADABLE */
export async function readNoise(folder: string): Promise<readonly NoisePlace[]> {
  const path = join(folder, NOISE_FILE);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return null;
    throw new CrawlError('CRAWL_UNREADABLE', `${path} cannot be read: ${systemCode(error)}`, { cause: error });
  });
  if (text === null) return [];
  const read = schema.safeParse(parsedJson(text));
  if (read.success) return read.data.places;
  const [issue] = read.error.issues;
  const where = issue === undefined ? '' : ` (${issue.path.join('.')}: ${issue.message})`;
  throw new CrawlError(
    'CRAWL_UNREADABLE',
    `${path} holds no noise of this version${where}\nRemove it, and learn again.`,
  );
}

export function noiseText(places: readonly NoisePlace[]): string {
  const lines = places.map((place) => `  ${JSON.stringify(place)}`).join(',\n');
  return `{"format": 1, "places": [\n${lines}\n]}\n`;
}

/** @throws {CrawlError} DISK_FULL, OUTPUT_UNUSABLE */
export async function writeNoise(folder: string, places: readonly NoisePlace[]): Promise<void> {
  await writeWholeFile(join(folder, NOISE_FILE), noiseText(places));
}
