/** A seed as the user wrote it: a URL, or a folder that is served on loopback. */
import { stat } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { CrawlError } from '../../base/errors.ts';
import { isLoopbackName } from '../../base/loopback-name.ts';
import { parsedUrl } from '../../base/parsed-url.ts';
import { canonicalise, type CanonicalUrl, type UrlPolicy } from '../../model/url/canonical-url.ts';
import { isRecordedCrawl } from '../../replay/open-replay-server.ts';

export type SeedInput =
  | { readonly kind: 'url'; readonly url: CanonicalUrl }
  | { readonly kind: 'folder'; readonly folder: string };

const ACCEPTED =
  'A seed is an http:// or https:// URL, a folder with a site in it, or an archive (.wacz, .warc, .warc.gz).';

/**
 * Reads a seed. `example.org` without a scheme is no URL, though most likely meant as one: the error says so.
 * @throws {CrawlError} SEED_INVALID
 */
export async function readSeed(text: string, workingFolder: string, policy: UrlPolicy): Promise<SeedInput> {
  const bare = text.trim(); // a URL that was copied may bring blanks
  if (/^[a-z][a-z0-9+.-]*:/i.test(bare) && !/^[a-z]:[\\/]/i.test(bare)) return readUrl(bare, policy);
  const folder = isAbsolute(text) ? text : resolve(workingFolder, text);
  const found = await stat(folder).catch(() => null);
  if (found?.isDirectory() === true) {
    await requireStart(text, folder);
    return { kind: 'folder', folder };
  }
  if (found !== null && (await isRecordedCrawl(folder))) return { kind: 'folder', folder };
  if (found !== null) throw invalid(text, 'is a file', ACCEPTED);
  const meant = urlMeant(bare);
  const cure = meant === null ? ACCEPTED : `For the web site write ${meant}`;
  throw invalid(text, 'is neither an http(s) URL nor a folder that exists', cure);
}

/** The URL that `example.org/a` or `//example.org` most likely means: one with a port, or on this machine, is hardly ever https. */
function urlMeant(text: string): string | null {
  const rest = text.replace(/^\/\//, '');
  const [, host, port] = /^([\w-]+(?:\.[\w-]+)+)(:\d+)?(?:[/?#]|$)/.exec(rest) ?? [];
  if (host === undefined) return null;
  const isPlain = (port !== undefined && port !== ':443') || isLoopbackName(host);
  return `${isPlain ? 'http' : 'https'}://${rest}`;
}

/** A folder is a site where it says so (site.json) or has a page to start at; a crawl with an archive can be served again. */
async function requireStart(text: string, folder: string): Promise<void> {
  for (const name of ['site.json', 'index.html']) {
    if ((await stat(join(folder, name)).catch(() => null))?.isFile() === true) return;
  }
  if (await isRecordedCrawl(folder)) return;
  if ((await stat(join(folder, 'crawl.json')).catch(() => null))?.isFile() === true) {
    const cure = 'Only one that was made with --snapshot warc can be crawled again.';
    throw invalid(text, 'is the folder of a crawl without an archive', cure);
  }
  throw invalid(
    text,
    'is a folder without an index.html, so there is no page to start at',
    'Give the folder that holds the site’s first page.',
  );
}

/**
 * Columns, comments and further URLs behind a URL: tabs and line ends within one are dropped when it is parsed, and blanks escaped, so that it
 * would be another one.
 */
const MORE_BEHIND = /[\t\n\r]|\s(?:#|https?:\/\/)/i;

function readUrl(text: string, policy: UrlPolicy): SeedInput {
  const { username, password, host: asked } = parsedUrl(text) ?? { username: '', password: '', host: '' };
  if (username !== '' || password !== '') {
    // The seed itself is not repeated: it may hold a password.
    throw new CrawlError(
      'SEED_INVALID',
      'a seed with a user name or password in it is not accepted, since these would not be sent\n' +
        `Give them in the environment: ORBWEAVER_HTTP_AUTH=<user>:<password>@${asked} (a program: httpAuth).`,
    );
  }
  if (MORE_BEHIND.test(text))
    throw invalid(
      text.slice(0, 200),
      'holds more than a URL',
      'Give each seed as one URL; a list has one on each line.',
    );
  const result = canonicalise(text, undefined, policy);
  if (result.kind === 'canonical') return { kind: 'url', url: result.url };
  switch (result.reason) {
    case 'malformed': {
      const host = /^[\w.-]+:\d+(\/|$)/.test(text) ? `For a web site write http://${text}` : ACCEPTED;
      throw invalid(text, 'is no URL', host);
    }
    case 'unsupported-scheme': {
      const host = /^[\w.-]+:\d+(\/|$)/.test(text);
      throw host
        ? invalid(text, 'has no scheme', `For a web site write http://${text}`)
        : invalid(text, `has the scheme ${text.slice(0, text.indexOf(':') + 1)}`, ACCEPTED);
    }
    case 'too-long':
      throw invalid(`${text.slice(0, 100)}…`, 'is longer than 2,048 characters', ACCEPTED);
  }
}

function invalid(seed: string, what: string, cure: string): CrawlError {
  return new CrawlError('SEED_INVALID', `seed ${JSON.stringify(seed)} ${what}\n${cure}`, { data: { seed } });
}
