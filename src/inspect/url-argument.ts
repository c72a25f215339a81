/** A URL as a user types it to ask about a crawl. */
import { CrawlError } from '../base/errors.ts';
import { parsedUrl } from '../base/parsed-url.ts';
import { jsonFieldText } from '../crawl-folder/crawl-lines.ts';
import { linksTo, skippedLines, storedPages, type Unread } from '../crawl-folder/stored-lines.ts';
import { canonicalise, type CanonicalUrl, type CanonicalisedUrl, type UrlPolicy } from '../model/url/canonical-url.ts';
import { urlPolicyOf } from '../options/url-options.ts';
import type { InspectedCrawl } from './inspected-crawl.ts';
import { lastPage } from './last-line.ts';

/** The URL that a user meant. */
interface UrlArgument {
  /** Its name in the crawl; as it was asked for where it is no http(s) URL. */
  readonly url: string;
  readonly canonical: CanonicalUrl | null;
  readonly notes: readonly string[];
}

/**
 * Reads a URL as the crawl would have read it. Only the crawl knows which fragments are routes and where its seed led, so of several
 * readings the first one that its lines name is taken.
 * @param typed absolute, or a path on the host of the first seed (`/about`), or on the host that this seed redirects to
 * @throws {CrawlError} USAGE
 */
export async function readUrlArgument(typed: string, { path, crawl, options }: InspectedCrawl): Promise<UrlArgument> {
  const asked = typed.trim();
  const policy = urlPolicyOf(options);
  const base = /^[/?#]/.test(asked) ? crawl.seeds[0] : undefined;
  const plain = canonicalise(asked, base, policy);
  if (plain.kind === 'refused') return refusedArgument(asked, plain.reason, crawl.seeds);
  const landing = base === undefined ? null : await landingOf(path, base);
  const readings = new Set([base, landing ?? base].flatMap((each) => readingsOn(each, asked, policy)));
  if (readings.size > 1) {
    for (const url of readings) {
      if (await isNamed(path, url)) return { url, canonical: url, notes: await routeNotes(path, url, asked) };
    }
  }
  return { url: plain.url, canonical: plain.url, notes: [] };
}

/** With the fragment, as a route is named, and without it. */
function readingsOn(base: string | undefined, asked: string, policy: UrlPolicy): readonly CanonicalUrl[] {
  const both = [canonicalise(asked, base, { ...policy, keepFragment: true }), canonicalise(asked, base, policy)];
  return both.flatMap((each) => (each.kind === 'canonical' ? [each.url] : []));
}

/** Redirects that are followed; the crawl itself follows fewer. */
const MOST_REDIRECTS = 20;

/** The URL that the redirects of a URL end at; null where it has none, or they have no end. */
export async function landingOf(folder: string, url: string): Promise<string | null> {
  let at = url;
  for (let step = 0; step < MOST_REDIRECTS; step += 1) {
    const page = await lastPage(folder, at, UNCOUNTED);
    if (page?.outcome !== 'redirected') return at === url ? null : at;
    at = page.finalUrl;
  }
  return null;
}

/** Whoever reads the lines for the answer counts the damaged ones. */
const UNCOUNTED: Unread = { torn: () => {}, damaged: () => {} };

/** Has the crawl visited, skipped or seen it? */
async function isNamed(folder: string, url: string): Promise<boolean> {
  if ((await lastPage(folder, url, UNCOUNTED)) !== null) return true;
  for await (const skipped of skippedLines(folder, url, UNCOUNTED)) if (skipped.url === url) return true;
  for await (const link of linksTo(folder, url, UNCOUNTED)) if (link.to === url) return true;
  return false;
}

/** A note where a fragment was left out of the URL of a page that has routes, of which it is none. */
async function routeNotes(folder: string, url: string, asked: string): Promise<readonly string[]> {
  const fragment = /#.+$/.exec(asked)?.[0];
  if (fragment === undefined || url.includes('#')) return [];
  const routes = storedPages(folder, jsonFieldText('url', `${url}#`).slice(0, -1), UNCOUNTED);
  for await (const { url: route } of routes) {
    if (route.startsWith(`${url}#`)) return [`the crawl knows no route ${fragment} of it: this is it without one`];
  }
  return [];
}

type Refusal = Extract<CanonicalisedUrl, { kind: 'refused' }>['reason'];

function refusedArgument(asked: string, reason: Refusal, seeds: readonly string[]): UrlArgument {
  const shown = JSON.stringify(asked.slice(0, 200));
  switch (reason) {
    case 'unsupported-scheme':
      if (/^[\w.-]+:\d+(?:\/|$)/.test(asked))
        throw badUrl(`${shown} has no scheme\nWrite ${withScheme(asked, 'http', seeds)}`);
      return { url: asked, canonical: null, notes: ['it is no http(s) URL, so nothing ever visits it'] };
    case 'too-long':
      return { url: asked, canonical: null, notes: ['it is longer than 2,048 characters, so it is never visited'] };
    case 'malformed': {
      const isHost = /^[\w-]+(?:\.[\w-]+)+(?:[:/?#]|$)/.test(asked);
      throw badUrl(`${shown} is no URL\n${isHost ? `Write ${withScheme(asked, 'https', seeds)}` : ACCEPTED}`);
    }
  }
}

const ACCEPTED = "Accepted: an http(s) URL, or a path on the first seed's host, as in /about.";

/** @param otherwise the scheme where no seed is on that host */
function withScheme(asked: string, otherwise: string, seeds: readonly string[]): string {
  const host = /^[^/?#]*/.exec(asked)?.[0].toLowerCase();
  const seed = seeds.map((each) => parsedUrl(each)).find((each) => each?.host === host);
  return `${seed?.protocol ?? `${otherwise}:`}//${asked.slice(0, 200)}`;
}

function badUrl(message: string): CrawlError {
  return new CrawlError('USAGE', message);
}
