/**
 * The links of a document's markup, as browsers/inpage/collect-links.ts finds them if no script runs: same rules for
 * elements, same contexts, same order.
 */
import { LinkCollector, TEMPLATE } from '../../../browsers/inpage/link-list.ts';
import { parsedUrl } from '../../base/parsed-url.ts';
import { readHtml, textOf, type HtmlElement, type HtmlNode, type HtmlTree } from '../../core/html/tree.ts';
import { blockJsonLinks } from '../../core/links/data/block-json.ts';
import { dataDocument } from '../../core/links/data/data-document.ts';
import { commentLinks } from '../../core/links/markup/comment-links.ts';
import { doctypeLink, systemIdOf } from '../../core/links/markup/doctype-link.ts';
import { elementLinks, styleLinks } from '../../core/links/markup/element-links.ts';
import { FragmentPlaces, mayBeRoute } from '../../core/links/markup/fragment-places.ts';
import { PLACE } from '../../core/links/markup/markup-text.ts';
import { rawLink } from '../../core/links/raw-link.ts';
import { inlineScriptLinks, isInlineProgram } from '../../core/links/scripts/script-literals.ts';
import { mayHoldPaths, NO_PROSE, writtenPaths } from '../../core/links/texts/written-paths.ts';
import { mayHoldCommentUrls, mayHoldUrls, writtenUrls } from '../../core/links/texts/written-urls.ts';
import type { LinkList, RawLink } from '../../model/page-facts.ts';
import { asMarkup } from './markup-element.ts';

/** Context prefix of links in a document inside a data: address. */
const DATA = 'data:';
/** Limits of the page script: addresses kept per tree, characters read per text, inert trees. */
const WRITTEN_LIMIT = 1000;
const WRITTEN_LENGTH = 500_000;
const ASLEEP_LIMIT = 2000;
const ASLEEP_LENGTH = 2_000_000;
const SHEET_LENGTH = 4_000_000;
const SHEET_LINKS = 1000;
/** Elements with text that is not for readers, or is read elsewhere. */
const CODE: ReadonlySet<string> = new Set(['script', 'style', 'noscript', 'template', 'iframe', 'noframes', 'noembed']);

/** A tree as a page script walks it: the document, or an inert part of it. */
interface Root {
  readonly nodes: readonly HtmlNode[];
  /** Context prefix of its links: `template:`, `noscript:`. */
  readonly prefix: string;
}

/** The contents of one tree, in order; inert parts are left out. */
interface Contents {
  readonly elements: readonly HtmlElement[];
  readonly texts: readonly { readonly data: string; readonly parent: HtmlElement | null }[];
  readonly comments: readonly string[];
}

/** @param base of the document @param limit most links kept @param own contents of the tree, if known */
export function markupLinks(
  { top, declaration }: HtmlTree,
  base: string,
  limit: number,
  own: Contents = contentsOf(top),
): LinkList {
  const walk = new Walk(base, limit);
  const doctype = doctypeLink(systemIdOf(declaration));
  if (doctype !== null) walk.recorder.add(doctype);
  walk.run(own);
  return walk.recorder.list();
}

class Walk {
  readonly recorder: LinkCollector;
  readonly #base: string;
  readonly #roots: Root[] = [];
  /** Texts of the document's inline scripts. */
  readonly #scripts: string[] = [];
  #isBaseSaid = false;
  /** Elements of the document itself, and the places that they name, read at the first fragment that may be a route. */
  #own: readonly HtmlElement[] | null = null;
  #places: FragmentPlaces | null = null;
  #asleep = 0;

  constructor(base: string, limit: number) {
    this.#base = base;
    this.recorder = new LinkCollector(limit, () => null);
  }

  /** @param own of the document itself */
  run(own: Contents): void {
    const sheets: string[] = [];
    this.#begin(own.elements);
    this.#read(own, '', sheets);
    for (let root = this.#roots.shift(); root !== undefined; root = this.#roots.shift())
      this.#read(contentsOf(root.nodes), root.prefix, sheets);
    this.#sheets(sheets);
    const place = { base: this.recorder.routed(this.#base), isBaseSaid: this.#isBaseSaid };
    this.recorder.routeHandlers(place.base);
    for (const link of inlineScriptLinks(this.#scripts, place)) this.recorder.add(link);
  }

  /** @param sheets receives the texts of style elements */
  #read(contents: Contents, prefix: string, sheets: string[]): void {
    this.#elements(contents.elements, prefix);
    for (const element of contents.elements) this.#inside(element, prefix);
    this.#written(contents, prefix);
    if (prefix !== '') return;
    for (const { name, children } of contents.elements) if (name === 'style') sheets.push(textOf({ children }));
  }

  /** @param elements of the document itself */
  #begin(elements: readonly HtmlElement[]): void {
    this.#isBaseSaid = elements.some(({ name, attributes }) => name === 'base' && attributes.has('href'));
    this.#own = elements;
  }

  #elements(elements: readonly HtmlElement[], prefix: string): void {
    const named = formsOf(elements);
    for (const element of elements) {
      if (element.attributes.names.length === 0) continue;
      for (const link of elementLinks(asMarkup(element, this.#isBaseSaid ? this.#base : null, named))) {
        if (prefix === '') this.recorder.add(this.#placed(link), prefix);
        else if (!PLACE.test(link.href) && isUsable(link.href, prefix)) this.recorder.add(link, prefix);
      }
    }
  }

  /** Marks a link whose fragment names no place in the document, and so may be a route. */
  #placed(link: RawLink): RawLink {
    if (!mayBeRoute(link.href) || (link.kind !== 'anchor' && link.kind !== 'area')) return link;
    this.#places ??= new FragmentPlaces((this.#own ?? []).flatMap(placesOf));
    return this.#places.lacks(link.href) ? { ...link, nowhere: true } : link;
  }

  /** Reads contents of elements outside the tree: data, and inert markup. */
  #inside(element: HtmlElement, prefix: string): void {
    const { name, namespace, attributes, children } = element;
    if (namespace !== 'html') return;
    if (name === 'script') this.#script(element, prefix);
    else if (name === 'template') {
      const shadow = attributes.has('shadowrootmode') && prefix === '';
      this.#sleep(children, shadow ? '' : TEMPLATE);
    } else if (name === 'noscript') this.#sleep(children, prefix === '' ? 'noscript:' : prefix);
    else if (name === 'noframes' || name === 'noembed')
      this.#markup(textOf(element), prefix === '' ? `${name}:` : prefix);
    else if (name === 'iframe' && attributes.has('srcdoc'))
      this.#markup(attributes.get('srcdoc') ?? '', prefix === '' ? 'srcdoc:' : prefix);
    else this.#data(element, prefix);
  }

  #data({ name, attributes }: HtmlElement, prefix: string): void {
    const held = ADDRESSES.get(name);
    const href = held === undefined ? undefined : attributes.get(held);
    const html = href === undefined ? null : dataDocument(href);
    if (html !== null) this.#markup(html, prefix === '' ? DATA : prefix);
  }

  #script(element: HtmlElement, prefix: string): void {
    const type = (element.attributes.get('type') ?? '').trim().toLowerCase();
    if (isInlineProgram(type, element.attributes.get('src'))) {
      if (prefix === '' || prefix === 'srcdoc:') this.#scripts.push(textOf(element));
    } else if (/^text\/(?:x-)?template$|^text\/html$|handlebars|mustache|x-tmpl/.test(type)) {
      this.#markup(textOf(element), TEMPLATE);
    } else if (type.includes('json') || type === 'importmap' || type === 'speculationrules') {
      for (const link of blockJsonLinks(type, textOf(element)) ?? []) this.recorder.add(link, prefix);
    }
  }

  #markup(html: string, prefix: string): void {
    if (html.includes('<') && html.length <= ASLEEP_LENGTH) this.#sleep(readHtml(html).top, prefix);
  }

  #sleep(nodes: readonly HtmlNode[], prefix: string): void {
    this.#asleep += 1;
    if (this.#asleep <= ASLEEP_LIMIT) this.#roots.push({ nodes, prefix });
  }

  /** Reads addresses in texts and comments: speculative links. */
  #written({ texts, comments }: Contents, prefix: string): void {
    let kept = 0;
    for (const { data, parent } of texts) {
      if (kept >= WRITTEN_LIMIT) break;
      const paths = mayHoldPaths(data);
      if ((!paths && !mayHoldUrls(data)) || (parent !== null && CODE.has(parent.name))) continue;
      if (paths && isProse(parent)) {
        for (const path of writtenPaths(data.slice(0, WRITTEN_LENGTH))) {
          this.recorder.add(rawLink(path, 'text', 'text', 'low'), prefix);
          kept += 1;
        }
      }
      const urls = writtenUrls(data.slice(0, WRITTEN_LENGTH), WRITTEN_LIMIT - kept);
      const target = urls.length === 0 ? null : targetAround(parent, this.#base);
      for (const url of urls) {
        if (new URL(url).href === target) continue;
        this.recorder.add(rawLink(url, 'text', 'text', 'low'), prefix);
        kept += 1;
      }
    }
    kept = 0;
    for (const data of comments) {
      if (kept >= WRITTEN_LIMIT) break;
      if (!mayHoldCommentUrls(data)) continue;
      for (const link of commentLinks(data.slice(0, WRITTEN_LENGTH))) {
        this.recorder.add(link, prefix);
        kept += 1;
      }
    }
  }

  #sheets(texts: readonly string[]): void {
    const found = texts
      .filter((text) => text.length <= SHEET_LENGTH && /url\(|@import|image-set\(|src\(/i.test(text))
      .flatMap((text) => styleLinks(text, 'style'));
    for (const link of found.slice(0, SHEET_LINKS)) this.recorder.add(link);
  }
}

/** Contents of the document itself, without those of templates, and of noscript if scripts are on. */
export function contentsOf(nodes: readonly HtmlNode[]): Contents {
  const elements: HtmlElement[] = [];
  const texts: { data: string; parent: HtmlElement | null }[] = [];
  const comments: string[] = [];
  const visit = (each: readonly HtmlNode[], parent: HtmlElement | null): void => {
    for (const node of each) {
      if (node.kind === 'element') {
        elements.push(node);
        if (!holdsSleepers(node)) visit(node.children, node);
      } else if (node.kind === 'text') texts.push({ data: node.data, parent });
      else comments.push(node.data);
    }
  };
  visit(nodes, null);
  return { elements, texts, comments };
}

/** Attributes that may hold a document in a data: address, by element. */
const ADDRESSES: ReadonlyMap<string, string> = new Map([
  ['iframe', 'src'],
  ['frame', 'src'],
  ['embed', 'src'],
  ['object', 'data'],
  ['a', 'href'],
  ['area', 'href'],
]);

/** Is a reference usable? Relative references within a data: address lead nowhere. */
function isUsable(href: string, prefix: string): boolean {
  return prefix !== DATA || /^\s*(?:https?:)?\/\//i.test(href);
}

function placesOf({ name, attributes }: HtmlElement): readonly string[] {
  const names = [attributes.get('id') ?? '', name === 'a' ? (attributes.get('name') ?? '') : ''];
  return names.filter((each) => each !== '');
}

function isProse(parent: HtmlElement | null): boolean {
  for (let above = parent; above !== null; above = above.parent) if (NO_PROSE.has(above.name)) return false;
  return true;
}

/** Gives the forms of a tree by their ids, which are read at the first question: few buttons name one. */
function formsOf(elements: readonly HtmlElement[]): (id: string) => HtmlElement | null {
  let forms: ReadonlyMap<string, HtmlElement> | null = null;
  return (id) => {
    if (id === '') return null;
    forms ??= new Map(
      elements
        .filter(({ name }) => name === 'form')
        .map((form) => [form.attributes.get('id') ?? '', form] as const)
        .toReversed(), // of several with one id the first one counts
    );
    return forms.get(id) ?? null;
  };
}

/** The elements of the document itself. */
export function documentElements(top: readonly HtmlNode[]): readonly HtmlElement[] {
  return contentsOf(top).elements;
}

function holdsSleepers({ name, namespace }: HtmlElement): boolean {
  return namespace === 'html' && (name === 'template' || name === 'noscript');
}

/** The target of the anchor around a text; the text is often that address. */
function targetAround(element: HtmlElement | null, base: string): string | null {
  for (let above = element; above !== null; above = above.parent) {
    const href = above.name === 'a' ? above.attributes.get('href') : undefined;
    if (href !== undefined) return parsedUrl(href, base)?.href ?? null;
  }
  return null;
}
