/** The stored content of a page as a comparison reads it: text, structured data, errors, weight. */
import { cutText } from '../base/cut-text.ts';
import { CrawlError } from '../base/errors.ts';
import { storedDocument } from '../audit/stored-document.ts';
import { steadyAddress, steadyRequest } from '../model/url/steady-address.ts';
import type { SiteAddresses } from '../core/findings/site-address.ts';
import { readStoredFile } from '../crawl-folder/stored-file.ts';
import type { StoredDetails } from '../crawl-folder/stored-details.ts';
import type { StoredPage } from '../crawl-folder/stored-lines.ts';
import type { PageContent } from '../model/page-version.ts';
import type { PageBehaviour } from '../model/page-details.ts';
import { decodedPayload, readRecord } from '../warc/warc-reader.ts';
import { alternateLines } from './page-alternates.ts';
import { structuredLines } from './structured-lines.ts';

/** Requests of scripts, also those that nobody waits for. */
const OF_SCRIPTS: ReadonlySet<string> = new Set(['fetch', 'xhr', 'ping']);

/** Characters of a text, lines of it, characters of a line. */
const MOST_TEXT = 2_000_000;
const MOST_LINES = 50_000;
const LINE = 20_000;
const MOST_HTML = 16 * 1024 * 1024;
const MESSAGE = 300;

interface PageSource {
  readonly folder: string;
  readonly snapshot: StoredPage['snapshot'];
  readonly url: string;
  readonly details: StoredDetails | null;
  readonly addresses: SiteAddresses;
  /** Called for content that could not be read. */
  readonly note: (text: string) => unknown;
  readonly withText: boolean;
}

export async function readPageContent(source: PageSource): Promise<PageContent> {
  const { folder, snapshot, url, details, addresses } = source;
  const [text, html, found] = await Promise.all([
    source.withText ? kept(source, () => storedText(folder, snapshot)) : null,
    kept(
      source,
      async () => (await storedDocument(folder, { ...snapshot, warc: htmlAlone(snapshot.warc) }))?.html ?? null,
    ),
    details?.of(url) ?? null,
  ]);
  const behaviour = found?.behaviour ?? null;
  return {
    text: text === null ? null : linesOfText(text),
    structured: html === null ? null : structuredLines(html.slice(0, MOST_HTML), addresses),
    alternates: html === null ? null : alternateLines(html.slice(0, MOST_HTML), url, addresses),
    errors: behaviour === null ? null : errorsOf(behaviour, addresses),
    weight: behaviour === null ? null : weightOf(behaviour),
  };
}

/** The content; null also where it is gone or damaged, which is noted. */
async function kept(source: PageSource, read: () => Promise<string | null>): Promise<string | null> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof CrawlError)) throw error;
    source.note(`${source.url}: ${error.message.split('\n', 1)[0] ?? ''}`);
    return null;
  }
}

async function storedText(folder: string, { text, warc }: StoredPage['snapshot']): Promise<string | null> {
  if (text !== null) return new TextDecoder().decode((await readStoredFile(folder, text)).content);
  const place = warc?.text;
  if (place === undefined) return null;
  const { bytes } = await decodedPayload(await readRecord(folder, place));
  return new TextDecoder().decode(bytes);
}

/** Leaves out a record without HTML: the headers of the answer are not needed. */
function htmlAlone(warc: StoredPage['snapshot']['warc']): StoredPage['snapshot']['warc'] {
  return warc?.html === undefined ? null : warc;
}

/** The lines of a text, without empty ones. */
function linesOfText(text: string): readonly string[] {
  return text
    .slice(0, MOST_TEXT)
    .split('\n')
    .map((line) => line.trim().slice(0, LINE))
    .filter((line) => line !== '')
    .slice(0, MOST_LINES);
}

function errorsOf(behaviour: PageBehaviour, addresses: SiteAddresses): readonly string[] {
  const said = (text: string): string => cutText(addresses.relativeText(text).replaceAll(/\s+/g, ' '), MESSAGE);
  const asked = (url: string, isOwnFile = false): string =>
    (isOwnFile ? steadyAddress : steadyRequest)(addresses.relative(url));
  const { exceptions, consoleErrors, failed, cspViolations } = behaviour;
  return [
    ...new Set([
      ...exceptions.first.map(({ text }) => `exception: ${said(text)}`),
      ...consoleErrors.first.map(({ text }) => `console: ${said(text)}`),
      ...failed.first.map(
        ({ method, url, type, party, status, error }) =>
          `${method} ${asked(url, party === 'first' && !OF_SCRIPTS.has(type))}: ${status ?? error ?? 'failed'}`,
      ),
      ...cspViolations.first.map(({ directive, blocked }) => `blocked by ${said(directive)}: ${asked(blocked)}`),
    ]),
  ].toSorted();
}

function weightOf({ requests }: PageBehaviour): number {
  return Object.values(requests).reduce((sum, { decoded }) => sum + decoded, 0);
}
