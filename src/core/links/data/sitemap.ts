/**
 * Sitemaps: XML (urlset, index), RSS and Atom feeds, and plain text (sitemaps.org). XML is read leniently: real sitemaps
 * hold raw ampersands. Entities of a document type are never expanded, and nothing outside the document is read.
 */
import { decodedText } from '../../../base/decode-text.ts';
import { readMarkup } from '../../../base/markup-events.ts';
import { parsedUrl } from '../../../base/parsed-url.ts';
import { mebibytes, type Bytes } from '../../../base/units.ts';
import { XmlBases } from '../markup/xml-bases.ts';

/** sitemaps.org: 50,000 entries a file; what follows is not read. */
export const SITEMAP_ENTRY_LIMIT = 50_000;
/** sitemaps.org: 50 MB uncompressed; what follows is not read. */
export const SITEMAP_BYTE_LIMIT: Bytes = mebibytes(50);
/** sitemaps.org: less than 2,048 characters. */
const LOC_LIMIT = 2048;

export interface SitemapEntry {
  /** Absolute, not yet canonical. */
  readonly loc: string;
  /** As written: a W3C date, or what the author took for one. Only where it is given. */
  readonly lastModified?: string;
}

export interface Sitemap {
  /** Entries of an index are sitemaps, those of the others pages; `unknown` has none. */
  readonly kind: 'urlset' | 'index' | 'text' | 'feed' | 'unknown';
  readonly entries: readonly SitemapEntry[];
}

/**
 * Reads a sitemap. Never throws; entries that are no http(s) URL are passed over, and so is an address that is cut at the end of the body.
 * @param body as received, decompressed
 * @param url of the sitemap: the base of relative entries
 * @param truncated was only a part of it received?
 */
export function readSitemap(body: Uint8Array | string, url: string, truncated = false): Sitemap {
  const text = textOf(body);
  const start = text.slice(0, 4096).trimStart();
  if (/^<(?:[?!]|[a-z])/i.test(start)) return xmlSitemap(withoutCutAddress(text), url);
  const isCut = truncated || body.length > SITEMAP_BYTE_LIMIT;
  const entries = textEntries(isCut ? wholeLines(text) : text);
  return entries.length === 0 ? { kind: 'unknown', entries } : { kind: 'text', entries };
}

function textOf(body: Uint8Array | string): string {
  if (typeof body === 'string') return body.slice(0, SITEMAP_BYTE_LIMIT).replace(/^\uFEFF/, '');
  const octets = body.subarray(0, SITEMAP_BYTE_LIMIT);
  const mark = (octets[0] ?? 0) * 256 + (octets[1] ?? 0);
  if (mark === 0xfffe) return new TextDecoder('utf-16le').decode(octets);
  if (mark === 0xfeff) return new TextDecoder('utf-16be').decode(octets);
  return decodedText(octets, declaredEncoding(octets));
}

function declaredEncoding(octets: Uint8Array): string {
  const head = String.fromCharCode(...octets.subarray(0, 200));
  const label = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(head)?.[1]?.toLowerCase();
  if (label === undefined || label.startsWith('utf-16')) return 'utf-8';
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return 'utf-8'; // an unknown name
  }
}

/** Without the last line, which may be cut. */
function wholeLines(text: string): string {
  return text.slice(0, Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1);
}

/** One absolute URL a line; any other line but a comment shows that the text is not a sitemap. */
function textEntries(text: string): readonly SitemapEntry[] {
  const entries: SitemapEntry[] = [];
  for (const line of text.split(/[\r\n]+/)) {
    const loc = line.trim();
    if (loc === '' || loc.startsWith('#')) continue;
    if (!/^https?:\/\/\S+$/i.test(loc) || loc.length >= LOC_LIMIT) {
      if (entries.length === 0) return []; // prose
      continue;
    }
    entries.push({ loc });
    if (entries.length === SITEMAP_ENTRY_LIMIT) break;
  }
  return entries;
}

/** The start tag of an element whose text is an address, or a section within it that has no end. */
const OPEN_ADDRESS = /^<(?:(?:[\w.-]+:)?(?:loc|url|guid|link)(?:\s[^>]*)?>|!\[CDATA\[(?!.*\]\]>))/is;

/** Without the text behind the last tag, if that begins an address: `<loc>https://example.org/pro` at the end of a file is a part of one. */
function withoutCutAddress(text: string): string {
  const last = text.lastIndexOf('<');
  const [tag] = OPEN_ADDRESS.exec(text.slice(last)) ?? [];
  return tag === undefined ? text : text.slice(0, last + tag.length);
}

/** Elements by the names that matter, without their prefixes. */
const ROOTS: ReadonlyMap<string, Sitemap['kind']> = new Map([
  ['urlset', 'urlset'],
  ['sitemapindex', 'index'],
  ['rss', 'feed'],
  ['rdf', 'feed'],
  ['feed', 'feed'],
]);
const ENTRIES: ReadonlySet<string> = new Set(['url', 'sitemap', 'item', 'entry']);
const DATES: ReadonlySet<string> = new Set(['lastmod', 'pubdate', 'date', 'updated', 'modified']);

function xmlSitemap(text: string, url: string): Sitemap {
  const reader = new XmlReader(url);
  // Lower case: real files say Loc and URLSET. Entities are decoded, `&` alone stays what it is.
  readMarkup(text, reader, { xml: true, lowerCase: true });
  return reader.sitemap();
}

type Field = 'loc' | 'date' | 'guid';

interface OpenEntry {
  readonly depth: number;
  /** Number of entries that were complete when this one began. */
  readonly before: number;
  /** Several where the author forgot to close the entry. */
  readonly locs: string[];
  date: string | null;
  /** The identifier of an item in RSS; it serves as the address where there is no link. */
  guid: string | null;
}

class XmlReader {
  readonly #bases: XmlBases;
  #kind: Sitemap['kind'] = 'unknown';
  readonly #entries: SitemapEntry[] = [];
  /**
   * The open entries. What begins inside an open entry is a part of it (`<image><url>`, `<author><url>`, a quoted entry), or the next
   * entry after one that was not closed: the end of the outer one tells which.
   */
  readonly #open: OpenEntry[] = [];
  #depth = 0;
  #field: Field | null = null;
  #text = '';
  #blank = true;

  constructor(base: string) {
    this.#bases = new XmlBases(base);
  }

  get full(): boolean {
    return this.#entries.length >= SITEMAP_ENTRY_LIMIT;
  }

  /** Ends the reading. */
  sitemap(): Sitemap {
    // reading stops within elements that are too deep
    for (let entry = this.#open.pop(); entry !== undefined; entry = this.#open.pop()) this.#end(entry, true);
    return { kind: this.#kind, entries: this.#entries };
  }

  open(qualified: string, attributes: Readonly<Record<string, string>>): void {
    this.#depth += 1;
    this.#bases.open(qualified, attributes);
    const name = localName(qualified);
    if (this.#kind === 'unknown') this.#kind = ROOTS.get(name) ?? 'unknown';
    if (this.#kind === 'unknown') return;
    // `<loc><url>…</url></loc>`: its text is the address all the same
    if (this.#field === 'loc' && this.#blank && this.#kind !== 'feed') return;
    if (ENTRIES.has(name)) {
      this.#open.push({ depth: this.#depth, before: this.#entries.length, locs: [], date: null, guid: null });
      this.#field = null;
      return;
    }
    const entry = this.#open.at(-1);
    // Only children of the entry itself: `image:loc` and a feed's own link are deeper, or outside.
    if (entry === undefined || this.#depth !== entry.depth + 1) return;
    this.#text = '';
    this.#blank = true;
    this.#field = this.#fieldOf(entry, { qualified, name, attributes });
  }

  text(data: string): void {
    if (this.#field === null || this.#text.length >= LOC_LIMIT * 2) return;
    this.#text += data;
    this.#blank &&= data.trim() === '';
  }

  close(_qualified: string, isImplied: boolean): void {
    const entry = this.#open.at(-1);
    if (entry !== undefined && this.#depth === entry.depth + 1 && this.#field !== null) {
      const text = this.#text.trim();
      if (this.#field === 'loc') this.#addLoc(entry, text);
      else if (this.#field === 'guid') entry.guid = /^https?:\/\//i.test(text) ? text : null;
      else entry.date ??= text === '' ? null : text.slice(0, 64);
      this.#field = null;
    } else if (entry !== undefined && this.#depth === entry.depth) {
      this.#open.pop();
      this.#end(entry, isImplied);
    }
    this.#depth -= 1;
    this.#bases.close();
  }

  #fieldOf(entry: OpenEntry, { qualified, name, attributes }: Opened): Field | null {
    if (this.#kind !== 'feed') {
      if (qualified === 'lastmod' || (name === 'lastmod' && !isForeign(qualified))) return 'date';
      return name === 'loc' && !isForeign(qualified) ? 'loc' : null;
    }
    if (DATES.has(name)) return 'date';
    if (qualified === 'guid') return 'guid';
    if (name !== 'link') return null;
    const { href, rel } = attributes;
    if (href === undefined) return 'loc'; // RSS: the address is the text
    if (rel === undefined || rel === 'alternate') this.#addLoc(entry, href);
    return null;
  }

  #addLoc({ locs }: OpenEntry, text: string): void {
    const url = text === '' || UNKNOWN_ENTITY.test(text) ? null : parsedUrl(text, this.#bases.current);
    if (url === null) return;
    const { href, protocol } = url;
    if ((protocol !== 'http:' && protocol !== 'https:') || href.length >= LOC_LIMIT) return;
    if (this.#kind !== 'feed' || locs.length === 0) locs.push(href);
  }

  /** Puts an entry before those that began inside it; an entry with an end tag and an address keeps none of them. */
  #end(entry: OpenEntry, isImplied: boolean): void {
    const { before, locs, date, guid } = entry;
    if (locs.length === 0 && guid !== null) this.#addLoc(entry, guid);
    if (!isImplied && locs.length > 0) this.#entries.length = before;
    const own = locs.slice(0, SITEMAP_ENTRY_LIMIT - this.#entries.length);
    this.#entries.splice(before, 0, ...own.map((loc) => (date === null ? { loc } : { loc, lastModified: date })));
  }
}

/** The start tag of an element. */
interface Opened {
  /** With its prefix. */
  readonly qualified: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** An entity that the document type defines, perhaps as a local file: it is never read. */
const UNKNOWN_ENTITY = /^&[A-Za-z][\w.-]*;/;

/** Extensions name their own `loc`: a picture or a film is no page. */
function isForeign(qualified: string): boolean {
  return /^(?:image|video|news|mobile|xhtml):/.test(qualified);
}

function localName(qualified: string): string {
  return qualified.slice(qualified.indexOf(':') + 1);
}
