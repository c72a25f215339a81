/** Reads a document as a page without a browser: its links, facts and text, as a page script would find them if no script ran. */
import { parsedUrl } from '../../base/parsed-url.ts';
import { bytes, type EpochMs, type Milliseconds } from '../../base/units.ts';
import { emptyPage, headerRobots, timingOf } from '../../core/answers/answer-outcome.ts';
import type { FetchedDocument } from '../../core/answers/fetched-document.ts';
import { valueOf } from '../../core/answers/judge-answer.ts';
import { decodeDocument, isXhtml } from '../../core/html/encoding.ts';
import { factsOf } from '../../core/html/facts.ts';
import { queryEncoder } from '../../core/html/query-encoding.ts';
import { visibleText } from '../../core/html/text.ts';
import { canChange, traitsOf, type DocumentTraits } from '../../core/html/traits.ts';
import { readHtml } from '../../core/html/tree.ts';
import {
  droppedReferences,
  sourceReferences,
  writtenReferences,
  type SourceReference,
} from '../../core/links/markup/dropped-markup.ts';
import { listensToFragment, mayHaveRoutes } from '../../core/links/markup/fragment-places.ts';
import type { LoadedSubresources } from '../../core/page-clusters/known-subresources.ts';
import { mentionedNames } from '../../core/links/scripts/mentioned-names.ts';
import { isMentionedBy } from '../../core/page-clusters/name-mention.ts';
import { scriptFingerprint } from '../../core/page-clusters/script-fingerprint.ts';
import type { FoundLink } from '../../model/link.ts';
import { declaredTypeOf } from '../../model/media-type.ts';
import type { Page } from '../../model/page.ts';
import type { RawLink } from '../../model/page-facts.ts';
import type { Visit } from '../../model/visit.ts';
import type { Task } from '../../offload/task.ts';
import { droppedLink, foundLinkOf } from '../../render/extract/found-links.ts';
import { keptLinks } from '../../render/extract/kept-links.ts';
import { HTML_LIMIT, LINK_LIMIT, TEXT_LIMIT } from '../../render/page-limits.ts';
import { loadedSubresources } from './loaded-subresources.ts';
import { contentsOf, markupLinks } from './markup-links.ts';
import { packLinks, unpackLinks, type PackedLinks } from './packed-links.ts';

export interface StaticReading {
  readonly page: Page;
  /** Fingerprint of its scripts and of the markup that they work on; null where it is inert. */
  readonly fingerprint: string | null;
  /** Names that selectors of scripts could use to find its markup (`names` in core/html/traits.ts). */
  readonly names: readonly string[];
  /** Names that its own scripts mention. */
  readonly ownNames: readonly string[];
  /** Style sheets and scripts that a browser would load for it. */
  readonly parts: LoadedSubresources;
  /** Base URL of its references. */
  readonly base: string;
  /** Nothing in it could run or load another document, and a browser builds the same tree. */
  readonly scriptFree: boolean;
  /** The reading may be incomplete or wrong, even without scripts. */
  readonly doubtful: boolean;
}

/** A document fetched for a visit, and the start of its reading on the monotonic clock. */
export interface StaticDocument {
  readonly visit: Visit;
  readonly document: FetchedDocument;
  readonly ended: Milliseconds;
}

/** A reading in the form for transfer from its thread. */
interface PackedReading extends Omit<StaticReading, 'page'> {
  readonly page: Omit<Page, 'foundLinks'>;
  readonly links: PackedLinks;
}

/** {@link readStatic} as a task. */
export const STATIC_PAGE: Task<StaticDocument, PackedReading> = {
  name: 'static page',
  run: (document) => {
    const { page, ...reading } = readStatic(document);
    const { foundLinks, ...rest } = page;
    return { ...reading, page: rest, links: packLinks(foundLinks) };
  },
};

/** Unpacks the result of a {@link STATIC_PAGE} task. */
export function unpackedReading({ page, links, ...reading }: PackedReading): StaticReading {
  return { ...reading, page: { ...page, foundLinks: unpackLinks(links) } };
}

export function readStatic({ visit, document, ended }: StaticDocument): StaticReading {
  const { head, body } = document;
  const type = declaredTypeOf(head.headers);
  const { text: source, encoding, certain } = decodeDocument(body, type);
  const tree = readHtml(source, isXhtml(type));
  const contents = contentsOf(tree.top);
  const { elements } = contents;
  const url = visit.url;
  const facts = factsOf(tree, elements, url);
  const traits = traitsOf(tree.elements, facts.base);
  const links = markupLinks(tree, facts.base, LINK_LIMIT, contents);
  const where = {
    frame: null,
    base: facts.base,
    stage: 'load' as const,
    listens: mayHaveRoutes(links.kept) && traits.inline.some(listensToFragment),
  };
  const encoded = inEncoding(encoding, facts.base);
  const found = links.kept.map((link) => foundLinkOf(encoded(link), where));
  const isCut = links.kept.length >= LINK_LIMIT;
  const dropped = isCut ? [] : droppedFrom(source, found, facts.base);
  const page: Page = {
    ...unreadPage({ visit, document, ended }),
    title: facts.title,
    description: facts.description,
    canonical: facts.canonical,
    lang: facts.lang,
    h1: facts.h1,
    robots: [...new Set([...facts.robots, ...headerRobots(head)])],
    html: source.slice(0, HTML_LIMIT),
    text: visibleText(tree.top, TEXT_LIMIT),
    foundLinks: [...found, ...dropped.map((reference) => droppedLink(reference, where))],
    foundLinksTotal: isCut ? links.total : found.length + dropped.length,
  };
  const refreshes = valueOf(head.headers, 'refresh') !== null;
  const scriptFree = !canChange(traits) && !tree.irregular && !refreshes;
  return {
    page,
    fingerprint: scriptFree ? null : scriptFingerprint(traits),
    names: scriptFree ? [] : traits.names,
    ownNames: scriptFree ? [] : namesMentionedBy(traits),
    parts: loadedSubresources(elements, facts.base),
    base: facts.base,
    scriptFree,
    doubtful: tree.cut || !certain || (!encoding.startsWith('utf-') && found.some(hasForeignQuery)),
  };
}

/** Makes a function that resolves links with a query that the encoding of the document writes otherwise than UTF-8. */
function inEncoding(encoding: string, base: string): (link: RawLink) => RawLink {
  const encode = queryEncoder(encoding);
  if (encode === null) return (link) => link;
  return (link) => {
    const href = encode(link.href);
    const resolved = href === link.href || link.resolved !== undefined ? null : parsedUrl(href, base);
    return resolved === null ? link : { ...link, resolved: resolved.href };
  };
}

/** References in the source that are in no node of the tree. */
function droppedFrom(source: string, found: readonly FoundLink[], base: string): readonly SourceReference[] {
  return droppedReferences(sourceReferences(source, writtenReferences(found)), found, base);
}

function namesMentionedBy({ names, inline }: Pick<DocumentTraits, 'names' | 'inline'>): readonly string[] {
  const mentioned = new Set(inline.flatMap(mentionedNames));
  return names.filter((each) => isMentionedBy(mentioned, each));
}

/** The page of an unread document. @param why it was not read; for the record */
export function unreadPage({ visit, document, ended }: StaticDocument, why: readonly string[] = []): Page {
  const { head, body, startedAt } = document;
  const { url } = visit;
  return {
    ...emptyPage({ visit, head, startedAt, timing: timingFor(visit, document, { startedAt, ended }) }),
    bytes: bytes(body.byteLength),
    truncated: document.truncated,
    settle:
      document.truncated === 'time'
        ? { reason: 'timeout', pending: [`document ${url.slice(0, 500)}`] }
        : { reason: 'not-rendered', pending: [] },
    ...(why.length === 0 ? {} : { unread: why }),
  };
}

/** The page with additional links, such as those from its style sheets. */
export function withSubresources(page: Page, named: readonly FoundLink[]): Page {
  if (named.length === 0) return page;
  const foundLinks = keptLinks([...page.foundLinks, ...named], LINK_LIMIT);
  const isCut = foundLinks.length >= LINK_LIMIT;
  return { ...page, foundLinks, foundLinksTotal: isCut ? page.foundLinksTotal + named.length : foundLinks.length };
}

/** Has the link a query outside ASCII? In documents other than UTF-8 a browser knows best how to encode it. */
function hasForeignQuery({ href }: FoundLink): boolean {
  return /[?][^#]*[\u0080-\uffff]/.test(href);
}

function timingFor(
  visit: Visit,
  { started, answered }: FetchedDocument,
  { startedAt, ended }: { readonly startedAt: EpochMs; readonly ended: Milliseconds },
): Page['timing'] {
  return timingOf({
    leasedAt: visit.leasedAt,
    startedAt,
    started,
    answered,
    loaded: ended,
    settled: ended,
    ended,
  });
}
