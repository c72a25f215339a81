/** The files that hold links, and the discoverers that find them. */
import { kibibytes, mebibytes, type Bytes } from '../../base/units.ts';
import { VAGUE_TYPES } from '../../base/vague-types.ts';
import type { FileSource } from '../../model/file-source.ts';
import type { FoundLink } from '../../model/link.ts';
import {
  isJson,
  isManifest,
  isMarkdown,
  isPdf,
  isPicture,
  isProse,
  isScript,
  isXml,
  urlPathOf,
} from '../../model/media-type.ts';
import { cssReferences } from './markup/css-text.ts';
import { fileLink, type LinkDiscoverer } from './discoverer.ts';
import { jsonFeedLinks } from './data/json-feed.ts';
import { jsonStrings } from './data/json-strings.ts';
import { manifestLinks } from './data/manifest.ts';
import { markupReferences } from './markup/markup-references.ts';
import { scriptLiterals } from './scripts/script-literals.ts';
import { readSitemap, SITEMAP_BYTE_LIMIT, type Sitemap } from './data/sitemap.ts';
import { markdownLinks, textUrls } from './texts/text-urls.ts';

/** In the order in which they are asked: every one that accepts a file. */
export const DISCOVERERS: readonly LinkDiscoverer[] = [
  { name: 'robots', accepts: (type, url) => isText(type) && urlPathOf(url) === '/robots.txt', discover: sitemapLines },
  { name: 'sitemap', accepts: isSitemapLike, discover: sitemapEntries },
  { name: 'xml', accepts: isXmlFile, discover: ({ text, url }) => markupReferences(text, url) },
  { name: 'manifest', accepts: isManifest, discover: ({ text, url }) => manifestLinks(text, url) },
  {
    name: 'json',
    accepts: (type, url) => isJson(type) && !isManifest(type, url),
    discover: ({ text, url }) => jsonFeedLinks(text, url) ?? jsonStrings(text, url),
  },
  { name: 'script', accepts: isScript, discover: ({ text, url }) => scriptLiterals(text, url) },
  { name: 'css', accepts: (type) => type === 'text/css', discover: ({ text, url }) => cssReferences(text, url) },
  {
    name: 'markdown',
    accepts: isMarkdown,
    discover: ({ text, url }) => markdownLinks(text, url),
  },
  { name: 'text', accepts: isProse, discover: proseUrls },
];

/** Is it worth reading a file of this type for its links? */
export function mayHoldLinks(
  contentType: string,
  url: string,
  discoverers: readonly LinkDiscoverer[] = DISCOVERERS,
): boolean {
  return discoverers.some((discoverer) => discoverer.accepts(contentType, url));
}

export interface FileLinks {
  readonly links: readonly FoundLink[];
  /** The discoverers that threw, and found nothing. */
  readonly failures: readonly DiscovererFailure[];
}

export interface DiscovererFailure {
  readonly discoverer: string;
  readonly error: string;
}

/**
 * The findings of all discoverers that accept the file.
 * @param isSitemap was its address named as a sitemap? Then it is read as one, whatever its type and name.
 */
export function fileLinks(
  file: FileSource,
  discoverers: readonly LinkDiscoverer[] = DISCOVERERS,
  isSitemap = false,
): FileLinks {
  const links: FoundLink[] = [];
  const failures: DiscovererFailure[] = [];
  for (const discoverer of discoverers) {
    try {
      // one by one: a sitemap has more links than a call takes arguments
      if (discoverer.accepts(file.contentType, file.url) || (isSitemap && discoverer.name === 'sitemap'))
        for (const link of discoverer.discover(file)) links.push(link);
    } catch (error) {
      failures.push({ discoverer: discoverer.name, error: error instanceof Error ? error.message : String(error) });
    }
  }
  return { links, failures };
}

function isText(type: string): boolean {
  return type === '' || type === 'text/plain';
}

/** Sitemaps come as XML, as text, and packed. */
function isSitemapLike(type: string, url: string): boolean {
  return isXmlFile(type, url) || type === 'text/plain' || isPacked(type, url);
}

/** Is it XML by its type, or by its name where the type does not say what is in the file? */
function isXmlFile(type: string, url: string): boolean {
  return isXml(type) || (VAGUE_TYPES.has(type) && /\.(?:xml|rss|atom)(?:\.gz)?$/i.test(urlPathOf(url)));
}

/** Files are read up to here; sitemaps may be longer. */
const FILE_LIMIT: Bytes = mebibytes(5);
/** The facts of a PDF stand at its end: a cut one has none. */
const PDF_LIMIT: Bytes = mebibytes(16);
/** The size of a picture stands before its pixels; profiles and thumbnails may stand before that. */
const PICTURE_LIMIT: Bytes = kibibytes(256);

interface AnsweredFile {
  readonly contentType: string;
  readonly url: string;
  /** Was the address named as a sitemap? Left out: no. */
  readonly isSitemap?: boolean | undefined;
}

/**
 * Bytes that are read of an answer that is no page, counted without its content encoding; null where it is not worth reading. A sitemap that
 * was named may have any name, and servers give packed files many types: only media are none.
 * @param wants is a file of this type worth reading?
 */
export function partToRead(
  { contentType, url, isSitemap = false }: AnsweredFile,
  wants: (contentType: string, url: string) => boolean = mayHoldLinks,
): Bytes | null {
  if (isSitemap && !MEDIA.test(contentType)) return SITEMAP_BYTE_LIMIT;
  return wants(contentType, url) ? fileLimit(contentType, url) : null;
}

const MEDIA = /^(?:audio|font|image|video)\//;

function fileLimit(contentType: string, url: string): Bytes {
  if (isPdf(contentType)) return PDF_LIMIT;
  if (isPicture(contentType)) return PICTURE_LIMIT;
  const mayBeSitemap = contentType === 'text/plain' || isPacked(contentType, url);
  return isXmlFile(contentType, url) || (mayBeSitemap && isOfSitemaps(urlPathOf(url)))
    ? SITEMAP_BYTE_LIMIT
    : FILE_LIMIT;
}

/** Is the file itself packed by gzip, and not for the transfer? The reader has unpacked it. */
function isPacked(type: string, url: string): boolean {
  const path = urlPathOf(url);
  return VAGUE_TYPES.has(type) && /\.gz$/i.test(path) && (/\.txt\.gz$/i.test(path) || isOfSitemaps(path));
}

/** Does a path name a sitemap, or one of a folder of them: `/sitemaps/products-1.gz`, `/maps/all.gz`? Maps of games are `/maps/dust.bsp.gz`. */
function isOfSitemaps(path: string): boolean {
  return /site-?maps?|\/maps?\/[^/.]+\.gz$/i.test(path);
}

function sitemapLines({ text, url }: FileSource): readonly FoundLink[] {
  return [...text.matchAll(/^[ \t]*sitemap[ \t]*:[ \t]*(\S{1,2048})/gim)].map(([, href = '']) =>
    fileLink(href, url, { kind: 'robots', context: 'robots.txt' }),
  );
}

function sitemapEntries({ bytes, url, truncated }: FileSource): readonly FoundLink[] {
  return sitemapLinks(readSitemap(bytes, url, truncated), url);
}

/** The entries of a sitemap or a feed as links. @param url of the file */
export function sitemapLinks({ kind, entries }: Sitemap, url: string): readonly FoundLink[] {
  const how = {
    urlset: { kind: 'sitemap', context: 'urlset/loc' },
    index: { kind: 'sitemap', context: 'sitemapindex/loc' },
    text: { kind: 'sitemap', context: 'sitemap.txt' },
    feed: { kind: 'feed', context: 'entry/link' },
    unknown: { kind: 'text', context: 'text' },
  } as const;
  return entries.map(({ loc }) => fileLink(loc, url, how[kind]));
}

/** A list of URLs was read as a sitemap already. */
function proseUrls(file: FileSource): readonly FoundLink[] {
  return readSitemap(file.bytes, file.url).kind === 'text' && file.contentType === 'text/plain'
    ? []
    : textUrls(file.text, file.url);
}
