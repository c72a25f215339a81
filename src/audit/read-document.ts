/** Reads a stored document once: the facts for rules, those for the verdict, and the places in it. */
import { fnv1a, mixed } from '../base/hash.ts';
import { parsedUrl } from '../base/parsed-url.ts';
import { factsOf, foldedText } from '../core/html/facts.ts';
import { readHtml, textOf, type HtmlElement, type HtmlTree } from '../core/html/tree.ts';
import { relTokens } from '../core/links/page-link.ts';
import type { DocumentSigns } from '../core/page-verdict/page-verdict.ts';
import type { AlternateReference, HeadReference, PageFacts, PlacedLink } from '../model/audit-facts.ts';
import { canonicalise, isHashRoute, type UrlPolicy } from '../model/url/canonical-url.ts';
import { documentSigns } from './document-signs.ts';
import { selectorOf } from './element-place.ts';
import { isControl } from './is-control.ts';
import { malformedLinks } from './malformed-links.ts';
import { metadataInBody } from './metadata-in-body.ts';
import { namedHeadings } from './page-headings.ts';
import { insecureForms, metaPolicies, upgradesRequests } from './page-policies.ts';
import { pageImages } from './page-images.ts';
import { relativePreviews } from './preview-addresses.ts';
import { structuredBlocks } from './structured-data.ts';

/** A link in the document; its place is looked up on demand, as few places are needed. */
interface DocumentLink {
  /** Canonical. */
  readonly to: string;
  readonly place: () => PlacedLink;
}

interface Anchor extends DocumentLink {
  /** The address that a browser requests: the canonical one has lost sessions and passwords. */
  readonly requested: string;
  readonly isNofollow: boolean;
}

/** A link with a fragment that may be a place in its target. */
interface FragmentLink extends DocumentLink {
  /** Decoded, without `#`. */
  readonly fragment: string;
}

export interface ReadDocument {
  readonly facts: Omit<
    PageFacts,
    | 'url'
    | 'failedFrames'
    | 'status'
    | 'depth'
    | 'judged'
    | 'rendered'
    | 'robots'
    | 'duplicateOf'
    | 'similarity'
    | 'shownAs'
    | 'headerCharset'
    | 'nofollow'
    | 'details'
    | 'paint'
    | 'accessibility'
    | 'isFromServer'
    | 'ttfb'
    | 'bytes'
    | 'words'
    | 'linkCount'
    | 'pending'
    | 'secretLinks'
    | 'confirmed'
  >;
  readonly signs: DocumentSigns;
  /** Anchors and areas, in their order. */
  readonly anchors: readonly Anchor[];
  readonly fragments: readonly FragmentLink[];
  /** Hashes of its ids and names. */
  readonly ids: Uint32Array;
  /** Was only a part of it read? */
  readonly cut: boolean;
}

/** Characters that are read. */
const LENGTH = 16 * 1024 * 1024;
const ANCHORS = 5000;
const REFERENCES = 500;
const TEXT = 200;
const FRAGMENT = 500;

interface DocumentSource {
  readonly html: string;
  readonly url: string;
  readonly words: number | null;
  readonly policy: UrlPolicy;
  /** Browsers read it by the rules of XML; default false. */
  readonly isXml?: boolean;
}

export function readDocument({ html, url, words, policy, isXml = false }: DocumentSource): ReadDocument {
  const tree = readHtml(html.slice(0, LENGTH), isXml);
  const elements = ownElements(tree.elements);
  const hidden = hiddenAmong(elements);
  const shown = elements.filter((element) => !hidden.has(element));
  const { base, title, description, lang, h1 } = factsOf(tree, elements, url);
  const signs = documentSigns(tree, shown, { title, h1, words });
  const headings = h1.length > 0 ? h1 : namedHeadings(elements);
  const named = (name: string): readonly HtmlElement[] =>
    elements.filter((element) => element.name === name && element.namespace === 'html');
  return {
    facts: {
      title,
      description,
      lang: lang ?? (isXml ? xmlLangOf(tree) : null),
      h1: headings,
      hasScripts:
        signs.hasScripts || elements.some(({ attributes }) => attributes.names.some((key) => key.startsWith('on'))),
      viewport: contentOf(named('meta'), 'viewport'),
      charsets: charsetsOf(named('meta')),
      ...headReferences(named('link'), base, policy),
      images: pageImages(elements, base, (element) => hidden.has(element)),
      structured: structuredBlocks(elements),
      insecureForms: insecureForms(elements, base),
      metaPolicies: metaPolicies(named('meta')),
      upgradesRequests: upgradesRequests(named('meta')),
      misplaced: metadataInBody(elements),
      relativePreviews: relativePreviews(named('meta')),
      malformed: malformedLinks(shown, base),
    },
    signs,
    ...linksOf(elements, { base, policy }),
    ids: idsOf(elements),
    cut: tree.cut || html.length > LENGTH,
  };
}

/** Is there a place of this name? */
export function hasPlace(ids: Uint32Array, name: string): boolean {
  let [low, high] = [0, ids.length];
  const wanted = idHash(name);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ids[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return ids[low] === wanted;
}

/** Elements that are part of the page: not those in noscript, or in templates that are no shadow tree. */
function ownElements(elements: readonly HtmlElement[]): readonly HtmlElement[] {
  const asleep = new Set<HtmlElement>();
  return elements.filter((element) => {
    const { name, namespace, attributes, parent } = element;
    const sleeps =
      namespace === 'html' && (name === 'noscript' || (name === 'template' && !attributes.has('shadowrootmode')));
    if (sleeps || (parent !== null && asleep.has(parent))) asleep.add(element);
    return !asleep.has(element);
  });
}

/** Elements that the markup itself hides, with all elements in them. */
function hiddenAmong(elements: readonly HtmlElement[]): ReadonlySet<HtmlElement> {
  const hidden = new Set<HtmlElement>();
  for (const element of elements) {
    const { name, attributes, parent } = element;
    const isHidden =
      (attributes.has('hidden') && attributes.get('hidden') !== 'until-found') ||
      (name === 'dialog' && !attributes.has('open')) ||
      /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b/i.test(attributes.get('style') ?? '');
    if (isHidden || (parent !== null && hidden.has(parent))) hidden.add(element);
  }
  return hidden;
}

/** `xml:lang` of the root, which says the language in XML alone (HTML Standard, 3.2.6.2). */
function xmlLangOf({ top }: HtmlTree): string | null {
  const root = top.find((node) => node.kind === 'element');
  return root?.name === 'html' ? (root.attributes.get('xml:lang')?.slice(0, 100) ?? null) : null;
}

function contentOf(metas: readonly HtmlElement[], wanted: string): string | null {
  const meta = metas.find(({ attributes }) => attributes.get('name')?.trim().toLowerCase() === wanted);
  return meta === undefined ? null : foldedText(meta.attributes.get('content') ?? '', 300);
}

function charsetsOf(metas: readonly HtmlElement[]): readonly string[] {
  return metas.slice(0, REFERENCES).flatMap(({ attributes }) => {
    const equivalent = attributes.get('http-equiv')?.trim().toLowerCase() === 'content-type';
    const label = attributes.get('charset') ?? (equivalent ? charsetIn(attributes.get('content') ?? '') : null);
    return label === null || label.trim() === '' ? [] : [encodingLabel(label)];
  });
}

/** The charset parameter of a content type; null where there is none. */
export function charsetIn(contentType: string): string | null {
  return /charset\s*=\s*["']?([^\s;"']{1,60})/i.exec(contentType.slice(0, 1000))?.[1] ?? null;
}

/** The label of an encoding as reports show it. */
export function encodingLabel(label: string): string {
  return foldedText(label.trim().toLowerCase(), 60);
}

function headReferences(
  links: readonly HtmlElement[],
  base: string,
  policy: UrlPolicy,
): { readonly canonicals: readonly HeadReference[]; readonly alternates: readonly AlternateReference[] } {
  const canonicals: HeadReference[] = [];
  const alternates: AlternateReference[] = [];
  for (const { attributes } of links) {
    const href = attributes.get('href')?.trim();
    if (href === undefined) continue;
    const rel = (attributes.get('rel') ?? '').toLowerCase().split(/\s+/);
    const code = attributes.get('hreflang')?.trim();
    const isCanonical = rel.includes('canonical') && canonicals.length < REFERENCES;
    const isAlternate = rel.includes('alternate') && code !== undefined && alternates.length < REFERENCES;
    if (!isCanonical && !isAlternate) continue;
    const result = canonicalise(href, base, policy);
    const reference = {
      href: href.slice(0, 2048),
      url: href !== '' && result.kind === 'canonical' ? result.url : null,
    };
    if (isCanonical) canonicals.push(reference);
    if (isAlternate) alternates.push({ ...reference, code: code.slice(0, 60) });
  }
  return { canonicals, alternates };
}

function linksOf(
  elements: readonly HtmlElement[],
  { base, policy }: { readonly base: string; readonly policy: UrlPolicy },
): Pick<ReadDocument, 'anchors' | 'fragments'> {
  const anchors: Anchor[] = [];
  const fragments: FragmentLink[] = [];
  for (const element of elements) {
    const href = element.name === 'a' || element.name === 'area' ? element.attributes.get('href') : undefined;
    if (href === undefined || anchors.length >= ANCHORS) continue;
    const result = canonicalise(href, base, policy);
    if (result.kind !== 'canonical') continue;
    const rel = relTokens(element.attributes.get('rel'));
    const isPaid = rel.includes('ugc') || rel.includes('sponsored');
    const to = result.url;
    const place = (): PlacedLink => ({
      to,
      selector: selectorOf(element),
      text: foldedText(textOf(element, 100), TEXT),
    });
    const requested = /[?;@]/.test(href) ? (parsedUrl(href, base)?.href ?? to) : to;
    anchors.push({ to, requested, place, isNofollow: rel.includes('nofollow') && !isPaid });
    const fragment = fragmentOf(href);
    if (fragment !== null && !isControl(element)) fragments.push({ to: to.split('#', 1)[0] ?? '', place, fragment });
  }
  return { anchors, fragments };
}

/** The name of the place that a reference leads to; null where it leads to a page as such, or to a route of an application. */
function fragmentOf(href: string): string | null {
  const start = href.indexOf('#');
  if (start === -1) return null;
  const written = (href.slice(start + 1).split(':~:', 1)[0] ?? '').trim();
  if (written === '' || written.length > FRAGMENT || isHashRoute(`#${written}`)) return null;
  const fragment = decoded(written);
  return fragment.toLowerCase() === 'top' ? null : fragment;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function idsOf(elements: readonly HtmlElement[]): Uint32Array {
  const ids = new Set<number>();
  for (const { name, attributes } of elements) {
    const id = attributes.get('id');
    const anchor = name === 'a' ? attributes.get('name') : undefined;
    if (id !== undefined && id !== '') ids.add(idHash(id)).add(idHash(decoded(id)));
    if (anchor !== undefined && anchor !== '') ids.add(idHash(anchor)).add(idHash(decoded(anchor)));
  }
  return Uint32Array.from(ids).sort();
}

function idHash(name: string): number {
  return mixed(fnv1a(name));
}
