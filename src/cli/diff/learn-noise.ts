/** Turns the differences of two crawls of the same state into noise of the first. */
import { counted } from '../../base/count-words.ts';
import { learnedNoise } from '../../compare/learned-noise.ts';
import type { ExitCode } from '../exit-code.ts';
import { safeText } from '../terminal/safe-text.ts';
import { nearPath, type Shell } from '../shell.ts';

/** Places that are named; all stand in the file. */
const NAMED = 20;

/** @param folder absolute, as is the other; @throws {CrawlError} CRAWL_UNREADABLE, OUTPUT_IN_USE, OUTPUT_UNUSABLE, DISK_FULL */
export async function learnNoise(
  folder: string,
  again: string,
  shell: Pick<Shell, 'output' | 'errors' | 'workingFolder'>,
): Promise<ExitCode> {
  const { places, path, notes } = await learnedNoise(folder, again, new AbortController().signal);
  const { output } = shell;
  output.write(`Noise: ${counted(places.length, 'place')} in ${safeText(nearPath(path, shell.workingFolder))}\n`);
  for (const { facet, address, passage } of places.slice(0, NAMED)) {
    const where = address === '*' ? 'all pages' : safeText(address);
    output.write(`  ${facet} on ${where}${passage === null ? '' : `: ${safeText(passage).slice(0, 200)}`}\n`);
  }
  if (places.length > NAMED) output.write(`  and ${places.length - NAMED} more\n`);
  for (const note of notes) shell.errors.write(`note  ${safeText(note)}\n`);
  return 0;
}
