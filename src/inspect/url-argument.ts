/** A URL as a user types it to ask about a crawl. */
import { CrawlError } from '../base/errors.ts';
import type { StoredCrawl } from '../crawl-folder/stored-crawl.ts';
import { canonicalise, type CanonicalisedUrl, type UrlPolicy } from '../model/url/canonical-url.ts';

/** The URL that a user meant. */
interface UrlArgument {
  /** Its name in the crawl; as it was asked for where it is no http(s) URL. */
  readonly url: string;
  readonly canonical: Extract<CanonicalisedUrl, { kind: 'canonical' }>['url'] | null;
  readonly notes: readonly string[];
}

/**
 * Reads a URL as the crawl would have read it.
 * @param typed absolute, or a path on the host of the first seed (`/about`)
 * @throws {CrawlError} USAGE
 */
export function readUrlArgument(typed: string, { seeds }: StoredCrawl, policy: UrlPolicy): UrlArgument {
  const asked = typed.trim();
  const base = /^[/?#]/.test(asked) ? seeds[0] : undefined;
  const result = canonicalise(asked, base, policy);
  if (result.kind === 'canonical') return { url: result.url, canonical: result.url, notes: [] };
  const shown = JSON.stringify(asked.slice(0, 200));
  switch (result.reason) {
    case 'unsupported-scheme':
      if (/^[\w.-]+:\d+(?:\/|$)/.test(asked))
        throw badUrl(`${shown} has no scheme\nWrite http://${asked.slice(0, 200)}`);
      return { url: asked, canonical: null, notes: ['it is no http(s) URL, so nothing ever visits it'] };
    case 'too-long':
      return { url: asked, canonical: null, notes: ['it is longer than 2,048 characters, so it is never visited'] };
    case 'malformed': {
      const cure = /^[\w-]+(?:\.[\w-]+)+(?:[:/?#]|$)/.test(asked) ? `Write https://${asked.slice(0, 200)}` : ACCEPTED;
      throw badUrl(`${shown} is no URL\n${cure}`);
    }
  }
}

const ACCEPTED = "Accepted: an http(s) URL, or a path on the first seed's host, as in /about.";

function badUrl(message: string): CrawlError {
  return new CrawlError('USAGE', message);
}
