/** Seeds from arguments, flags and lists, checked before anything is started. */
import { CrawlError } from '../../base/errors.ts';
import { readSeed } from '../../crawl/opening/seed-input.ts';
import { DEFAULT_URL_POLICY } from '../../model/url/canonical-url.ts';

/**
 * Checks seeds and gives them back as they were typed.
 * @param from the folder that relative paths start from
 * @throws {CrawlError} SEED_INVALID that says what would be accepted
 */
export async function checkSeeds(seeds: readonly string[], from: string): Promise<readonly string[]> {
  for (const seed of seeds) await checkSeed(seed, from);
  return seeds;
}

/**
 * Reads a list of seeds, one on each line; empty lines and lines that begin with `#` are left out.
 * @param content UTF-8; or UTF-16 with its mark, as `>` of the Windows PowerShell writes
 * @param place the list's name, for messages
 * @throws {CrawlError} SEED_INVALID that names the line; USAGE for an empty list, and for another encoding, whose letters would lead to other addresses
 */
export async function readSeedList(content: Uint8Array, from: string, place: string): Promise<readonly string[]> {
  const lines = textOf(content, place)
    .split(/\r\n|[\n\r]/)
    .map((line, index) => ({ seed: line.trim(), number: index + 1 }))
    .filter(({ seed }) => seed !== '' && !seed.startsWith('#'));
  for (const { seed, number } of lines) {
    try {
      await checkSeed(seed, from);
    } catch (cause) {
      if (!(cause instanceof CrawlError)) throw cause;
      throw new CrawlError(cause.code, `${place}, line ${number}: ${cause.message}`, { cause, data: cause.data });
    }
  }
  if (lines.length === 0) {
    throw new CrawlError('USAGE', `${place}: the list holds no seed.\nGive a URL or a folder on each line.`);
  }
  return lines.map(({ seed }) => seed);
}

function textOf(content: Uint8Array, place: string): string {
  const [first, second] = content;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(content);
  } catch (cause) {
    throw new CrawlError('USAGE', `${place}: the list of seeds is not UTF-8.\nSave it as UTF-8.`, { cause });
  }
}

async function checkSeed(seed: string, from: string): Promise<void> {
  if (seed.trim() === '') {
    // As a path it would be the working folder; it is far more likely a variable of a shell that is not set.
    throw new CrawlError('SEED_INVALID', 'an empty seed is not accepted\nAccepted: an http(s) URL or a folder');
  }
  if (seed === '-') {
    throw new CrawlError(
      'SEED_INVALID',
      'seed "-" is not accepted\nTo read seeds from standard input, give --url-list -',
    );
  }
  await readSeed(seed, from, DEFAULT_URL_POLICY);
}
