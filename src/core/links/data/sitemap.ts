/**
 * Sitemaps: XML (urlset, index), RSS and Atom feeds, and plain text (sitemaps.org). XML is read leniently: real sitemaps
 * hold raw ampersands. Entities of a document type are never expanded, and nothing outside the document is read.
 */
import { readMarkup } from '../../../base/markup-events.ts';
import { parsedUrl } from '../../../base/parsed-url.ts';
import { mebibytes, type Bytes } from '../../../base/units.ts';

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
 * Reads a sitemap. Never throws; entries that are no http(s) URL are passed over.
 * @param body as received, decompressed
 * @param url of the sitemap: the base of relative entries
 */
export function readSitemap(body: Uint8Array | string, url: string): Sitemap {
  const text = textOf(body);
  const start = text.slice(0, 4096).trimStart();
  if (/^<(?:[?!]|[a-z])/i.test(start)) return xmlSitemap(text, url);
  const entries = textEntries(text);
  return entries.length === 0 ? { kind: 'unknown', entries } : { kind: 'text', entries };
}

function textOf(body: Uint8Array | string): string {
  if (typeof body === 'string') return body.slice(0, SITEMAP_BYTE_LIMIT).replace(/^\uFEFF/, '');
  const octets = body.subarray(0, SITEMAP_BYTE_LIMIT);
  const mark = (octets[0] ?? 0) * 256 + (octets[1] ?? 0);
  if (mark === 0xfffe) return new TextDecoder('utf-16le').decode(octets);
  if (mark === 0xfeff) return new TextDecoder('utf-16be').decode(octets);
  return new TextDecoder(declaredEncoding(octets)).decode(octets);
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

class XmlReader {
  readonly #base: string;
  #kind: Sitemap['kind'] = 'unknown';
  readonly #entries: SitemapEntry[] = [];
  /** Addresses of the open entry; several where the author forgot to close it. */
  #locs: string[] = [];
  #date: string | null = null;
  #depth = 0;
  #entryDepth = 0;
  #field: Field | null = null;
  #text = '';
  #blank = true;
  /** The identifier of an item in RSS; it serves as the address where there is no link. */
  #guid: string | null = null;

  constructor(base: string) {
    this.#base = base;
  }

  get full(): boolean {
    return this.#entries.length >= SITEMAP_ENTRY_LIMIT;
  }

  sitemap(): Sitemap {
    return { kind: this.#kind, entries: this.#entries };
  }

  open(qualified: string, attributes: Readonly<Record<string, string>>): void {
    this.#depth += 1;
    const name = localName(qualified);
    if (this.#kind === 'unknown') this.#kind = ROOTS.get(name) ?? 'unknown';
    if (this.#kind === 'unknown') return;
    // `<loc><url>…</url></loc>`: its text is the address all the same
    if (this.#field === 'loc' && this.#blank && this.#kind !== 'feed') return;
    if (ENTRIES.has(name)) {
      this.#entryDepth = this.#depth;
      this.#locs = [];
      this.#date = null;
      this.#guid = null;
      this.#field = null;
      return;
    }
    // Only children of the entry itself: `image:loc` and a feed's own link are deeper, or outside.
    if (this.#entryDepth === 0 || this.#depth !== this.#entryDepth + 1) return;
    this.#text = '';
    this.#blank = true;
    this.#field = this.#fieldOf(qualified, name, attributes);
  }

  text(data: string): void {
    if (this.#field === null || this.#text.length >= LOC_LIMIT * 2) return;
    this.#text += data;
    this.#blank &&= data.trim() === '';
  }

  close(qualified: string): void {
    const name = localName(qualified);
    if (this.#depth === this.#entryDepth + 1 && this.#field !== null) {
      const text = this.#text.trim();
      if (this.#field === 'loc') this.#addLoc(text);
      else if (this.#field === 'guid') this.#guid = /^https?:\/\//i.test(text) ? text : null;
      else this.#date ??= text === '' ? null : text.slice(0, 64);
      this.#field = null;
    } else if (this.#depth === this.#entryDepth && ENTRIES.has(name)) {
      this.#add();
      this.#entryDepth = 0;
    }
    this.#depth -= 1;
  }

  #fieldOf(qualified: string, name: string, attributes: Readonly<Record<string, string>>): Field | null {
    if (this.#kind !== 'feed') {
      if (qualified === 'lastmod' || (name === 'lastmod' && !isForeign(qualified))) return 'date';
      return name === 'loc' && !isForeign(qualified) ? 'loc' : null;
    }
    if (DATES.has(name)) return 'date';
    if (qualified === 'guid') return 'guid';
    if (name !== 'link') return null;
    const { href, rel } = attributes;
    if (href === undefined) return 'loc'; // RSS: the address is the text
    if (rel === undefined || rel === 'alternate') this.#addLoc(href);
    return null;
  }

  #addLoc(text: string): void {
    const url = text === '' || UNKNOWN_ENTITY.test(text) ? null : parsedUrl(text, this.#base);
    if (url === null) return;
    const { href, protocol } = url;
    if ((protocol !== 'http:' && protocol !== 'https:') || href.length >= LOC_LIMIT) return;
    if (this.#kind !== 'feed' || this.#locs.length === 0) this.#locs.push(href);
  }

  #add(): void {
    if (this.#locs.length === 0 && this.#guid !== null) this.#addLoc(this.#guid);
    const lastModified = this.#date;
    for (const loc of this.#locs) {
      if (!this.full) this.#entries.push(lastModified === null ? { loc } : { loc, lastModified });
    }
  }
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
