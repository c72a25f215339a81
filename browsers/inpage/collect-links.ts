/** Reads the links of one document's composed tree: light tree and open shadow trees. The renderer reads closed ones. */
import { blockJsonLinks } from '../../src/core/links/data/block-json.ts';
import { dataDocument } from '../../src/core/links/data/data-document.ts';
import { doctypeLink } from '../../src/core/links/markup/doctype-link.ts';
import { elementLinks } from '../../src/core/links/markup/element-links.ts';
import { FragmentPlaces, mayBeRoute } from '../../src/core/links/markup/fragment-places.ts';
import { PLACE } from '../../src/core/links/markup/markup-text.ts';
import { rawLink } from '../../src/core/links/raw-link.ts';
import { hidesMail } from '../../src/core/links/texts/hidden-mail.ts';
import { isNoReference } from '../../src/core/links/texts/reference-text.ts';
import { inlineScriptLinks, isInlineProgram } from '../../src/core/links/scripts/script-literals.ts';
import type { CollectInput, LinkList, RawLink, SelectedLinks } from '../../src/model/page-facts.ts';
import { basedOn, baseFor, keptBase, noteRead } from './kept-bases.ts';
import { LinkCollector, TEMPLATE } from './link-list.ts';
import { noteRoot } from './open-roots.ts';
import { PageElement } from './page-element.ts';
import { INERT_PART, removedLinks, watchRoot } from './removed-links.ts';
import { resolver } from './resolve-links.ts';
import {
  attribute,
  baseUriOf,
  closest,
  doctypeOf,
  frameDocumentOf,
  localNameOf,
  parsedHtml,
  select,
  templateContentOf,
  textContentOf,
} from './safe-dom.ts';
import { styleSheetLinks } from './style-links.ts';
import { WorthyAttributes } from './worthy-attributes.ts';
import { writtenLinks } from './written-links.ts';

/** Contents of templates and noscript elements looked at. */
const INERT = 2000;
const INERT_LENGTH = 2_000_000;
const FRAMES = 100;
/** Number of links after which names are no longer read; number of elements after which links are only counted. */
const NAMED_LINKS = 20_000;
const READ_ELEMENTS = 150_000;
const COUNTED = 'a[href],area[href],iframe[src],img[src],link[href],script[src],form[action]';
/** Elements that hold data, code, or a document of their own. */
const HOLDERS =
  'script,template,noscript,iframe[srcdoc],noframes,noembed,[src^="data:" i]:is(iframe,frame,embed),object[data^="data:" i],[href^="data:" i]:is(a,area)';
/** Context prefix of links in a document in a data: URL, where only absolute references lead anywhere. */
const DATA = 'data:';

interface Composed {
  readonly list: LinkList;
  readonly shadowRoots: readonly ShadowRoot[];
  /** Number of elements in the light tree and in open shadow trees. */
  readonly elements: number;
  /** Does a fragment name no place in the document? */
  readonly lacksPlace: (fragment: string) => boolean;
}

interface Root {
  readonly node: Document | ShadowRoot | DocumentFragment;
  /** Prefix of the contexts of links found there: `template:`, `noscript:`. A template within any other content counts as a template. */
  readonly prefix: string;
}

export function collectLinks({ links, select: selected, rules, used = false }: CollectInput): Composed {
  const walk = new Walk(links, selected, rules, used && select(document, INERT_PART).length > 0);
  walk.run();
  // an address that a template engine has taken out or filled in has led nowhere
  for (const link of removedLinks(used)) if (!PLACE.test(link.href) && !hidesMail(link.href)) walk.recorder.add(link);
  const { recorder, shadowRoots, elements } = walk;
  return { list: recorder.list(), shadowRoots, elements, lacksPlace: (fragment) => walk.lacksPlace(fragment) };
}

class Walk {
  readonly recorder: LinkCollector;
  readonly shadowRoots: ShadowRoot[] = [];
  elements = 0;
  readonly #roots: Root[] = [{ node: document, prefix: '' }];
  readonly #selected: readonly SelectedLinks[];
  readonly #rules: boolean;
  /** Are links in inert parts doubtful? */
  readonly #doubts: boolean;
  readonly #element = new PageElement();
  readonly #attributes = new WorthyAttributes();
  /** Texts of the scripts that stand in the document. */
  readonly #scripts: string[] = [];
  readonly #base = baseUriOf(document);
  readonly #isBaseSaid = select(document, 'base[href]').length > 0;
  /** Elements of the document whose links were read. */
  readonly #noted: Element[] = [];
  #places: FragmentPlaces | null = null;
  #inert = 0;
  #read = 0;

  constructor(limit: number, selected: readonly SelectedLinks[], rules: boolean, doubts: boolean) {
    this.recorder = new LinkCollector(limit, resolver());
    this.#selected = selected;
    this.#rules = rules;
    this.#doubts = doubts;
    this.#element.base = this.#isBaseSaid ? this.#base : null;
  }

  run(): void {
    const doctype = doctypeLink(doctypeOf(document)?.systemId ?? '');
    if (doctype !== null) this.recorder.add(doctype);
    const styled: (Document | ShadowRoot)[] = [];
    for (let root = this.#roots.shift(); root !== undefined; root = this.#roots.shift()) {
      this.#walk(root);
      this.#contents(root);
      const { node, prefix } = root;
      for (const link of writtenLinks(node)) this.recorder.add(link, prefix);
      if (prefix !== '') continue;
      if (node instanceof Document || node instanceof ShadowRoot) styled.push(node);
      this.#select(node);
    }
    noteRead(this.#noted);
    for (const link of styleSheetLinks(styled, this.#rules)) this.recorder.add(link);
    const place = { base: this.recorder.routed(this.#base), isBaseSaid: this.#isBaseSaid };
    this.recorder.routeHandlers(place.base);
    for (const link of inlineScriptLinks(this.#scripts, place)) this.recorder.add(link);
  }

  #walk({ node, prefix }: Root): void {
    const living = prefix === '';
    const found = select(node, '*');
    const { length } = found;
    const { recorder } = this;
    const before = recorder.total;
    const read = Math.min(length, Math.max(0, READ_ELEMENTS - this.#read));
    this.#read += read;
    for (let index = 0; index < read; index++) {
      const element = found[index];
      if (element === undefined) continue;
      if (living) {
        // read directly: named elements can override only a form's properties, and no form has a shadow tree
        const shadow = element.shadowRoot;
        if (shadow !== null && shadow instanceof ShadowRoot) this.#enter(shadow);
      }
      const names = this.#attributes.of(element);
      if (names === null) continue;
      this.#element.mute = recorder.full || recorder.total > NAMED_LINKS;
      const base = living ? keptBase(element) : null;
      if (living && base === null) this.#noted.push(element);
      for (const link of elementLinks(this.#element.set(element, names))) {
        if (living) {
          const told = mayBeRoute(link.href) ? this.#placed(link, node) : link;
          const placed = this.#doubts && isShownOnly(told, element) ? { ...told, confidence: 'low' as const } : told;
          recorder.add(base === null ? placed : basedOn(placed, baseFor(element, link, base)), prefix);
        } else if (!PLACE.test(link.href) && isUsable(link.href, prefix))
          recorder.add(base === null ? link : basedOn(link, baseFor(element, link, base)), prefix);
      }
    }
    if (living) this.elements += length;
    if (read < length) recorder.count(Math.max(0, select(node, COUNTED).length - (recorder.total - before)));
  }

  #enter(shadow: ShadowRoot): void {
    this.#roots.push({ node: shadow, prefix: '' });
    this.shadowRoots.push(shadow);
    watchRoot(shadow);
    noteRoot(shadow);
  }

  /** A fragment that names no place of the document may be a route. */
  #placed(link: RawLink, node: Root['node']): RawLink {
    if (!(node instanceof Document) || (link.kind !== 'anchor' && link.kind !== 'area')) return link;
    return this.lacksPlace(link.href) ? { ...link, nowhere: true } : link;
  }

  lacksPlace(fragment: string): boolean {
    this.#places ??= new FragmentPlaces(placesIn(document));
    return this.#places.lacks(fragment);
  }

  /** Reads the contents of elements outside the tree: data, and inert markup. */
  #contents({ node, prefix }: Root): void {
    for (const element of select(node, HOLDERS)) {
      const name = localNameOf(element);
      if (name === 'script') {
        const type = (attribute(element, 'type') ?? '').trim().toLowerCase();
        if (isInlineProgram(type, attribute(element, 'src')) && isDocument(prefix))
          this.#scripts.push(textContentOf(element) ?? '');
        else for (const link of this.#script(element, type)) this.recorder.add(link, prefix);
      } else if (element instanceof HTMLTemplateElement) this.#asleep(templateContentOf(element), TEMPLATE);
      else if (attribute(element, 'srcdoc') !== null && name === 'iframe') this.#frame(element, prefix);
      else if (!name.startsWith('no')) this.#data(element, name, prefix);
      else if (name.startsWith('no')) this.#text(element, prefix === '' ? `${name}:` : prefix);
    }
  }

  #script(element: Element, type: string): ReturnType<typeof blockJsonLinks> & object {
    if (
      type === 'text/template' ||
      type === 'text/x-template' ||
      type === 'text/html' ||
      /handlebars|mustache|x-tmpl/.test(type)
    ) {
      this.#text(element, TEMPLATE);
      return [];
    }
    if (!type.includes('json') && type !== 'importmap' && type !== 'speculationrules') return [];
    return blockJsonLinks(type, textContentOf(element) ?? '') ?? [];
  }

  /** Reads a `srcdoc` document only where it is not read as a frame: in inert markup, and in a lazy frame that is not loaded yet. */
  #frame(element: Element, prefix: string): void {
    const isLazy = (attribute(element, 'loading') ?? '').trim().toLowerCase() === 'lazy';
    if (prefix === '' && (!isLazy || isLoaded(element))) return;
    this.#asleep(markup(attribute(element, 'srcdoc') ?? ''), prefix === '' ? 'srcdoc:' : prefix);
  }

  /** Reads the document in a data: URL, unless a frame shows it: then it is read as a frame. */
  #data(element: Element, name: string, prefix: string): void {
    const href =
      attribute(element, name === 'object' ? 'data' : name === 'a' || name === 'area' ? 'href' : 'src') ?? '';
    const isLazy = (attribute(element, 'loading') ?? '').trim().toLowerCase() === 'lazy';
    if (prefix === '' && name.endsWith('frame') && !isLazy) return;
    this.#asleep(markup(dataDocument(href) ?? ''), prefix === '' ? DATA : prefix);
  }

  /** Reads markup that the document holds as text, as in a noscript element where scripts run. */
  #text(element: Element, prefix: string): void {
    const text = textContentOf(element) ?? '';
    if (!text.includes('<') || text.length > INERT_LENGTH) return;
    for (const link of frameLinks(text)) this.recorder.add(link, prefix);
    this.#asleep(markup(text), prefix);
  }

  #asleep(node: Document | DocumentFragment | null, prefix: string): void {
    this.#inert += 1;
    if (node !== null && this.#inert <= INERT) this.#roots.push({ node, prefix });
  }

  #select(node: Document | ShadowRoot | DocumentFragment): void {
    for (const { selector, attribute: name } of this.#selected) {
      for (const element of selectedBy(node, selector)) {
        const href = attribute(element, name)?.trim() ?? '';
        if (href !== '') this.recorder.add(rawLink(href, 'attribute', `select:${selector}@${name}`));
      }
    }
  }
}

/** Is it a link that nobody can follow? A search shows pieces of other pages so, whose relative links lead elsewhere here. */
function isShownOnly({ kind }: RawLink, element: Element): boolean {
  return (kind === 'anchor' || kind === 'area') && closest(element, INERT_PART) !== null;
}

/** Relative references in a document in a data: URL lead nowhere. */
function isUsable(href: string, prefix: string): boolean {
  return prefix !== DATA || /^\s*(?:https?:)?\/\//i.test(href);
}

/** Scripts run in a document and in a frame's document, not in inert markup. */
function isDocument(prefix: string): boolean {
  return prefix === '' || prefix === 'srcdoc:';
}

function placesIn(root: Document): string[] {
  const places: string[] = [];
  for (const element of select(root, '[id],a[name]')) {
    for (const name of ['id', 'name']) {
      const value = attribute(element, name);
      if (value !== null && value !== '') places.push(value);
    }
  }
  return places;
}

function isLoaded(frame: Element): boolean {
  return frame instanceof HTMLIFrameElement && frameDocumentOf(frame)?.documentURI === 'about:srcdoc';
}

/** Links of the frames in markup; the parser leaves these frames out. */
function frameLinks(html: string): readonly RawLink[] {
  const frames = html.matchAll(/<i?frame\b[^>]*?\ssrc\s*=\s*(?:"([^">]+)"|'([^'>]+)'|([^\s"'>]+))/gi);
  return [...frames]
    .slice(0, FRAMES)
    .map(([, one, two, bare]) => rawLink((one ?? two ?? bare ?? '').trim(), 'frame', 'iframe/@src'))
    .filter(({ href }) => !isNoReference(href));
}

/** Parses into a document that has no window, so that nothing is loaded or run. */
function markup(html: string): Document | null {
  return html.includes('<') && html.length <= INERT_LENGTH ? parsedHtml(html) : null;
}

/** An invalid selector selects nothing. */
function selectedBy(node: Document | ShadowRoot | DocumentFragment, selector: string): Iterable<Element> {
  try {
    return select(node, selector);
  } catch {
    return [];
  }
}
