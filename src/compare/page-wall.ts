/** Tells whether a server or a browser put something in place of a page's content: then a change is no change of the page. */
import { readDocument } from '../audit/read-document.ts';
import { storedDocument } from '../audit/stored-document.ts';
import { pageVerdict } from '../core/page-verdict/page-verdict.ts';
import type { StoredPage } from '../crawl-folder/stored-lines.ts';
import type { NotJudgedReason } from '../model/finding.ts';
import type { UrlPolicy } from '../model/url/canonical-url.ts';

/** Reasons that do not concern the page itself; others, such as a page that forwards, may be intended by the site. */
const WALLS: ReadonlySet<unknown> = new Set<NotJudgedReason>([
  'challenge',
  'consent-wall',
  'log-in-page',
  'signed-out',
  'empty-application',
  'not-rendered-to-the-end',
  'cut',
]);

export interface WallSource {
  readonly folder: string;
  readonly policy: UrlPolicy;
  readonly signedIn: boolean;
  /** Is a page with the mark of `--signed-in` signed in for sure? */
  readonly marksProve: boolean;
}

/** The wall on a page; null where there is none. @throws {CrawlError} NOT_STORED, ARCHIVE_DAMAGED, CRAWL_UNREADABLE */
export async function wallOn(page: StoredPage, source: WallSource): Promise<NotJudgedReason | null> {
  const verdict = await verdictOn(page, source);
  return verdict !== true && WALLS.has(verdict) ? verdict : null;
}

/** Is the page what its address promises? True also where nothing is stored of it. @throws as {@link wallOn} */
export async function verdictOn(
  page: StoredPage,
  { folder, policy, signedIn, marksProve }: WallSource,
): Promise<true | NotJudgedReason> {
  const stored = await storedDocument(folder, page.snapshot);
  if (stored === null) return true;
  const { url, outcome, status, words, empty, truncated, settle, contentType } = page;
  const isXml = contentType === 'application/xhtml+xml';
  const read = readDocument({ html: stored.html, url, words, policy, isXml });
  return pageVerdict({
    ...{ url, outcome, status, signedIn, isEmpty: empty, document: read.signs },
    isMarked: marksProve && page.signedIn === true,
    isCut: truncated !== null || read.cut,
    timedOut: settle.reason === 'timeout',
  });
}
