/** References in XML files beside the entries of a sitemap: of feeds, pictures, translations, drawings. */
import { readMarkup } from '../../../base/markup-events.ts';
import type { FoundLink } from '../../../model/link.ts';
import { fileLink } from '../discoverer.ts';
import { relTokens } from '../page-link.ts';
import { fragmentLinks } from './html-fragment.ts';
import { XmlBases } from './xml-bases.ts';

/** References kept of one file. */
const REFERENCE_LIMIT = 10_000;
const TEXT_LIMIT = 65_536;
/** `context` of a translation, or another version, of a page that a sitemap names. */
export const SITEMAP_ALTERNATE = 'xhtml:link/@href';

/** Elements whose text is an address. */
const TEXT_ADDRESSES: ReadonlySet<string> = new Set([
  'image:loc',
  'video:content_loc',
  'video:player_loc',
  'video:thumbnail_loc',
]);
/** Elements whose text may be HTML. */
const HTML_TEXTS: ReadonlySet<string> = new Set(['description', 'content', 'content:encoded', 'summary']);
/** Relations of an Atom link that lead to pages of a feed or to pages it is about. A `hub` is for programs (WebSub). */
const FEED_RELATIONS: ReadonlySet<string> = new Set([
  '',
  'alternate',
  'self',
  'next',
  'prev',
  'previous',
  'first',
  'last',
  'current',
  'prev-archive',
  'next-archive',
  'related',
  'via',
  'replies',
]);

/** @param text of an XML file @param url of the file */
export function markupReferences(text: string, url: string): readonly FoundLink[] {
  const reader = new Reader(url);
  readMarkup(text, reader, { xml: true, lowerCase: true });
  return reader.links;
}

class Reader {
  readonly links: FoundLink[] = [];
  /** Each once: in a sitemap every translation of a page names all the others. */
  readonly #known = new Set<string>();
  /** Is the root that of a sitemap? Null before it is read. */
  #isSitemap: boolean | null = null;
  readonly #bases: XmlBases;
  #field: string | null = null;
  #text = '';
  #inEntry = 0;

  constructor(url: string) {
    this.#bases = new XmlBases(url);
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#bases.open(name, attributes);
    this.#isSitemap ??= localName(name) === 'urlset';
    if (name === 'item' || name === 'entry') this.#inEntry += 1;
    const isText = TEXT_ADDRESSES.has(name) || HTML_TEXTS.has(name) || (name === 'link' && this.#inEntry === 0);
    if (isText) {
      this.#field = name;
      this.#text = '';
    }
    this.#attributes(name, attributes);
  }

  text(data: string): void {
    if (this.#field !== null && this.#text.length < TEXT_LIMIT) this.#text += data;
  }

  close(name: string): void {
    this.#end(name);
    this.#bases.close();
  }

  #end(name: string): void {
    if (name === 'item' || name === 'entry') this.#inEntry -= 1;
    if (name !== this.#field) return;
    const text = this.#text.trim();
    this.#field = null;
    if (HTML_TEXTS.has(name)) {
      for (const { href, rel } of fragmentLinks(text, this.#bases.current))
        this.#add(href, { kind: 'feed', context: name, rel });
    } else if (name === 'link') this.#add(text, { kind: 'feed', context: 'link' });
    else this.#add(text, { kind: 'resource', context: name });
  }

  instruction(data: string): void {
    const href = /^\?xml-stylesheet\b[^>]*?\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(data.slice(0, 4096));
    if (href !== null) this.#add(href[1] ?? href[2] ?? '', { kind: 'resource', context: 'xml-stylesheet' });
  }

  #attributes(name: string, attributes: Readonly<Record<string, string>>): void {
    const { href, rel = '', url, src } = attributes;
    // programs give the namespace other prefixes, or forget it
    const isAlternate = name === 'xhtml:link' || (this.#isSitemap === true && localName(name) === 'link');
    if (isAlternate && href !== undefined) this.#add(href, { kind: 'sitemap', context: SITEMAP_ALTERNATE });
    else if ((name === 'link' || name === 'atom:link' || name === 'atom10:link') && href !== undefined) {
      if (FEED_RELATIONS.has(rel))
        this.#add(href, { kind: 'feed', context: rel === '' ? 'link/@href' : `link;rel=${rel}` });
      else this.#add(href, { kind: 'resource', context: `link;rel=${rel.slice(0, 40)}` });
    } else if ((name === 'enclosure' || name.startsWith('media:')) && url !== undefined)
      this.#add(url, { kind: 'resource', context: `${name}/@url` });
    else if (name === 'content' && src !== undefined) this.#add(src, { kind: 'feed', context: 'content/@src' });
    else this.#drawing(name, attributes);
  }

  /** SVG, and other formats that link by XLink. */
  #drawing(name: string, attributes: Readonly<Record<string, string>>): void {
    const local = localName(name);
    const href = attributes['href'] ?? attributes['xlink:href'];
    if (href === undefined) return;
    const context = attributes['href'] === undefined ? `${local}/@xlink:href` : `${local}/@href`;
    if (local === 'a') this.#add(href, { kind: 'anchor', context, rel: relTokens(attributes['rel']) });
    else this.#add(href, { kind: 'resource', context });
  }

  #add(text: string, how: Pick<FoundLink, 'kind' | 'context'> & Partial<Pick<FoundLink, 'rel'>>): void {
    const href = text.trim();
    if (href === '' || href.startsWith('#') || /\s/.test(href) || this.links.length >= REFERENCE_LIMIT) return;
    const link = fileLink(href, this.#bases.current, how);
    const key = [link.kind, link.context, href, link.base, link.rel.join(' ')].join('\n');
    if (this.#known.has(key)) return;
    this.#known.add(key);
    this.links.push(link);
  }
}

function localName(qualified: string): string {
  return qualified.slice(qualified.indexOf(':') + 1);
}
