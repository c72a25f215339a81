/** Shows one stored page of a crawl as it was kept: its HTML, its text, its screenshot, or the headers that its server sent. */
import { CrawlError } from '../base/errors.ts';
import { jsonFieldText } from '../crawl-folder/crawl-lines.ts';
import { readStoredFile } from '../crawl-folder/stored-file.ts';
import { storedSkips, type StoredPage, type Unread } from '../crawl-folder/stored-lines.ts';
import type { ArchivedRecord } from '../model/record.ts';
import type { SnapshotPart } from '../options/output-options.ts';
import { decodedPayload, readRecord, type ReadRecord } from '../warc/warc-reader.ts';
import { didYouMean } from './did-you-mean.ts';
import { openInspectedCrawl, type InspectedCrawl } from './inspected-crawl.ts';
import { lastOf, lastPage } from './last-line.ts';
import { createUnread } from './unread-lines.ts';
import { landingOf, readUrlArgument } from './url-argument.ts';

export const PAGE_PARTS = ['text', 'html', 'screenshot', 'headers'] as const;
/** A part of a page that can be shown. */
export type PagePart = (typeof PAGE_PARTS)[number];

export interface ShownPage {
  /** The canonical URL, by which the crawl knows the page. */
  readonly url: string;
  readonly part: PagePart;
  /** UTF-8, but for a screenshot (JPEG or PNG). Comes from a page or its server, so it is untrusted. */
  readonly content: Uint8Array;
  /** Absolute path of the file that holds it and nothing else; null where it lies in an archive. */
  readonly file: string | null;
  /** Notes for a user: lines that could not be read, a page that was cut. */
  readonly notes: readonly string[];
}

/**
 * Reads the stored content of a page; of a page that was stored several times, the last.
 * @param url absolute, or a path on the host of the first seed (`/about`)
 * @param part null for the text, or the HTML where no text was kept
 * @throws {CrawlError} CRAWL_UNREADABLE and ARCHIVE_DAMAGED for the folder, USAGE for a malformed URL, NOT_STORED
 * @example
 * const { content } = await showPage('orbweaver-example.org-20260102-030405', '/about', 'html');
 */
export async function showPage(folder: string, url: string, part: PagePart | null = null): Promise<ShownPage> {
  const opened = await openInspectedCrawl(folder);
  const target = await readUrlArgument(url, opened);
  const unread = createUnread(' that name it');
  const page = await lastPage(opened.path, target.url, unread);
  if (page === null) throw await neverStored(opened, target.url, unread);
  const notes = [...target.notes, ...unread.notes()];
  const wanted = part ?? usualPart(page);
  const found = await readPart(opened.path, page, wanted);
  if (found === null) {
    if (page.outcome === 'redirected') throw await redirectedAway(opened.path, page);
    throw notKept(opened, page, wanted);
  }
  const instead = part === null && wanted === 'html' ? ['no text of it was kept: this is its HTML'] : [];
  return { url: page.url, part: wanted, ...found, notes: [...notes, ...instead, ...found.notes] };
}

function usualPart({ snapshot: { html, text, warc } }: StoredPage): PagePart {
  const hasText = text !== null || warc?.text !== undefined;
  const hasHtml = html !== null || warc?.html !== undefined;
  return hasHtml && !hasText ? 'html' : 'text';
}

type Found = Pick<ShownPage, 'content' | 'file' | 'notes'>;

/** The part; null where it was not kept. */
async function readPart(folder: string, { snapshot }: StoredPage, part: PagePart): Promise<Found | null> {
  const { warc } = snapshot;
  if (part === 'headers') return warc === null ? null : headersOf(await readRecord(folder, warc));
  const file = snapshot[part];
  if (file !== null) return { ...(await readStoredFile(folder, file)), notes: [] };
  const place = warc?.[part];
  return place === undefined ? null : await readArchived(folder, place);
}

async function readArchived(folder: string, place: ArchivedRecord): Promise<Found> {
  const record = await readRecord(folder, place);
  const { kind, bytes } = await decodedPayload(record);
  const coding = record.httpHeaders.findLast(([name]) => name === 'content-encoding')?.[1] ?? 'unknown';
  const cut = cutNotes(record);
  if (kind === 'whole') return { content: bytes, file: null, notes: cut };
  if (kind === 'part') {
    const note = `its content coding (${coding}) breaks off: this is the part before that place`;
    return { content: bytes, file: null, notes: [...cut, note] };
  }
  throw new CrawlError(
    'ARCHIVE_DAMAGED',
    `it cannot be shown: its content coding (${coding}) in ${place.file} cannot be undone${cut.map((note) => `; ${note}`).join('')}`,
    { data: { file: place.file, offset: place.offset } },
  );
}

/** The headers; null where the record is no answer, but made from one. */
function headersOf(record: ReadRecord): Found | null {
  const { httpStatus, httpHeaders } = record;
  if (httpStatus === null && httpHeaders.length === 0) return null;
  const lines = [
    ...(httpStatus === null ? [] : [`status: ${httpStatus}`]),
    ...httpHeaders.map(([name, value]) => `${name}: ${value}`),
  ];
  return { content: Buffer.from(`${lines.join('\n')}\n`), file: null, notes: [] };
}

function cutNotes({ truncated }: ReadRecord): readonly string[] {
  return truncated === null ? [] : [`it was cut when it was stored (${truncated})`];
}

/** The `--snapshot` parts that keep each part. */
const KEPT_BY: Readonly<Record<PagePart, readonly SnapshotPart[]>> = {
  text: ['text', 'warc'],
  html: ['html', 'warc'],
  screenshot: ['screenshot'],
  headers: ['warc'],
};

function notKept({ options }: InspectedCrawl, page: StoredPage, part: PagePart): CrawlError {
  const data = { url: page.url, outcome: page.outcome };
  const status = page.status === null ? '' : `, status ${page.status}`;
  if (page.outcome !== 'captured' && page.snapshot.warc === null) {
    const why = page.detail === null ? '' : `: ${page.detail}`;
    return new CrawlError(
      'NOT_STORED',
      `nothing of ${page.url} was stored: it ended as ${page.outcome}${status}${why}`,
      { data },
    );
  }
  const what = part === 'headers' ? `the headers of ${page.url} were not kept` : `no ${part} of ${page.url} was kept`;
  const recorders = KEPT_BY[part];
  const has = (['html', 'text', 'screenshot', 'warc'] as const).filter((name) => page.snapshot[name] !== null);
  const kept = has.length === 0 ? '' : `\nKept of it: ${has.join(', ')}.`;
  if (options.snapshot.some((given) => recorders.includes(given))) {
    const why = part === 'headers' ? 'its answer is not in the archive' : 'there was none';
    return new CrawlError('NOT_STORED', `${what}: ${why}${kept}`, { data });
  }
  const given = options.snapshot.length === 0 ? 'none' : options.snapshot.join(',');
  const cure = `Kept by: --snapshot ${recorders.join(' or ')}.`;
  return new CrawlError('NOT_STORED', `${what}: the crawl was made with --snapshot ${given}\n${cure}${kept}`, { data });
}

async function redirectedAway(folder: string, { url, outcome, finalUrl }: StoredPage): Promise<CrawlError> {
  const end = (await landingOf(folder, finalUrl)) ?? finalUrl;
  const [on, cure] = end === finalUrl ? ['', 'Show that one.'] : [` and on to ${end}`, 'Show the last one.'];
  const message = `${url} redirected to ${finalUrl}${on}, and is no page itself\n${cure}`;
  return new CrawlError('NOT_STORED', message, { data: { url, outcome } });
}

/** The error that says why there is no page of that URL. */
async function neverStored({ path, crawl }: InspectedCrawl, url: string, unread: Unread): Promise<CrawlError> {
  const data = { url };
  const skipped = await lastOf(storedSkips(path, jsonFieldText('url', url), unread), (line) => line.url === url);
  if (skipped !== null) {
    return new CrawlError('NOT_STORED', `${url} was skipped: ${skipped.reason} (${skipped.rule})`, { data });
  }
  const near = await didYouMean(path, url);
  const cure =
    near.length === 0
      ? '\nWhat is known of it: orbweaver explain <folder> <url>'
      : `\nPages like it:\n${near.map((each) => `  ${each}`).join('\n')}`;
  const open = crawl.state === 'running' || crawl.state === 'interrupted' ? ` yet (it is ${crawl.state})` : '';
  return new CrawlError('NOT_STORED', `the crawl has no page ${url}${open}${cure}`, { data });
}
