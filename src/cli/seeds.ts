/** Seeds as they are typed: http(s) URLs, or folders to serve and crawl as a site. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { CrawlError } from '../base/errors.ts';
import { canonicalise } from '../model/canonical-url.ts';
import { safeText } from './safe-text.ts';

/**
 * Checks a seed. A URL comes back as it was given, a folder as its absolute path.
 * @param from the folder that relative paths start from; @param place where the seed was given, for messages
 * @throws {CrawlError} SEED_INVALID that says what would be accepted
 */
export function readSeed(text: string, from: string, place: string): string {
  const seed = text.trim();
  if (/^https?:/i.test(seed)) return readUrl(seed, place);
  if (seed === '-') throw refused(seed, place, 'To read seeds from standard input, give --url-list -.');
  const kind = kindOfPath(resolve(from, seed));
  if (kind === 'folder') return resolve(from, seed);
  if (kind === 'file') throw refused(seed, place, 'It is a file; give the folder that it lies in, or the URL that it is served at.');
  if (/^(localhost|\d+\.\d+\.\d+\.\d+|\[[\da-f:.]+\])(:\d+)?(\/|$)/i.test(seed)) throw refused(seed, place, `Did you mean http://${seed} ?`);
  if (/^[a-z][a-z\d+.-]*:(?!\d+(\/|$))/i.test(seed)) throw refused(seed, place, 'Only http: and https: are crawled.');
  if (/^[a-z\d-]+(\.[a-z\d-]+)+(:\d+)?(\/|$)/i.test(seed)) throw refused(seed, place, `Did you mean https://${seed} ?`);
  throw refused(seed, place, 'There is no such folder.');
}

/** Seeds of a list, one on each line; empty lines and lines that begin with `#` are left out. */
export function readSeedList(content: string, from: string, place: string): readonly string[] {
  return content
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .map((line, index) => ({ line: line.trim(), number: index + 1 }))
    .filter(({ line }) => line !== '' && !line.startsWith('#'))
    .map(({ line, number }) => readSeed(line, from, `${place}, line ${number}`));
}

function readUrl(seed: string, place: string): string {
  const result = canonicalise(seed);
  if (result.kind === 'refused') {
    const why = result.reason === 'too-long' ? 'It is longer than 2048 characters.' : 'It cannot be parsed as a URL.';
    throw refused(seed, place, why);
  }
  const { username, password } = new URL(seed);
  if (username === '' && password === '') return seed;
  // The seed itself is not repeated: it holds a password.
  throw new CrawlError(
    'SEED_INVALID',
    `${place}: a URL with a user name or password is not accepted, since these would not be sent.\n` +
      'Give them as a header: -H "Authorization: Basic <base64 of user:password>".',
  );
}

function kindOfPath(path: string): 'folder' | 'file' | 'nothing' {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'file';
  } catch {
    return 'nothing'; // not there, not allowed, or no path at all: a seed that cannot be served in any case
  }
}

function refused(seed: string, place: string, why: string): CrawlError {
  const shown = JSON.stringify(safeText(seed).slice(0, 200));
  return new CrawlError('SEED_INVALID', `${place}: ${shown} is not accepted as a seed. ${why}\nAccepted: an http(s) URL or a folder.`);
}
