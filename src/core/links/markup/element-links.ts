/**
 * The links of one element, by the table of model/link-sources.ts: the same for the page script, which reads a live document, and for
 * the parser, which reads its source. Text inside elements is not read here.
 */
import { parsedUrl } from '../../../base/parsed-url.ts';
import { contextOf, linkSourceOf, type LinkNamespace, type LinkSource } from '../../../model/link-sources.ts';
import type { RawLink } from '../../../model/page-facts.ts';
import { routePaths } from '../application-base.ts';
import { cssReferences } from './css-text.ts';
import { dataLinks } from './data-attributes.ts';
import { handlerLinks, isHandlerName } from './handler-links.ts';
import { imageSetStrings } from './image-set.ts';
import { isSentByScript } from './link-method.ts';
import { MARKUP_ATTRIBUTES, markupTextLinks } from './markup-text.ts';
import { menuLinks } from './menu-links.ts';
import { metaLinks, refreshTarget } from './meta-content.ts';
import { isForPrograms, namesPage } from '../page-link.ts';
import { HREF_LENGTH, rawLink } from '../raw-link.ts';
import { withShownMail } from '../texts/hidden-mail.ts';
import { beginsAsReference, isNoReference, readsAsReference } from '../texts/reference-text.ts';
import { policyEndpoints } from '../data/report-endpoints.ts';
import { srcsetUrls } from './srcset.ts';
import { isUnknownElement, parameterLinks, unknownAttributeLinks } from './unknown-attributes.ts';
import { isAssetName } from '../texts/url-text.ts';

/** An element as either reader has it. */
export interface MarkupElement {
  readonly namespace: LinkNamespace;
  /** Local name, lower case in HTML. */
  readonly name: string;
  /** Names of its attributes, with their prefixes, in any case; those that hold no link may be left out. */
  readonly attributes: readonly string[];
  attribute(name: string): string | null;
  /** The words of a link of this kind: text, title, alternative text; at most 200 characters. */
  words(kind: RawLink['kind']): string;
  /** Method of the form that a button belongs to, lower case. */
  formMethod(): string;
  /** Code of the `change` handler of the menu that an option belongs to; empty where it has none. */
  readonly menuCode?: () => string;
  /** Base URL of its document where a `base` element says so: routers go by it; else null. */
  readonly base?: string | null;
}

const TEXT_LENGTH = 200;
const HASH_ROUTE = /^#!?\//;
const NOTHING: readonly RawLink[] = [];
/** Longer than any hand-written style attribute. */
const STYLE_LENGTH = 100_000;
/** Longer than any hand-written declaration of a namespace. */
const NAMESPACE_LENGTH = 2048;

export function elementLinks(element: MarkupElement): readonly RawLink[] {
  let found: RawLink[] | null = null;
  for (const written of element.attributes) {
    for (const link of attributeLinks(element, written)) (found ??= []).push(link);
  }
  return found ?? NOTHING;
}

function attributeLinks(element: MarkupElement, written: string): readonly RawLink[] {
  const { namespace, name } = element;
  const attribute = lower(written);
  const source = linkSourceOf(namespace, name, attribute);
  if (source !== null) {
    const value = element.attribute(written);
    return value === null ? NOTHING : sourceLinks(element, { attribute, source, value });
  }
  const isData = attribute.startsWith('data-');
  const isHandler = isHandlerName(attribute);
  const isUnknown = namespace === 'html' && isUnknownElement(name);
  // most attributes of most elements hold no link
  if (!isData && !isHandler && !isUnknown && !MARKUP_ATTRIBUTES.has(attribute)) return NOTHING;
  const value = element.attribute(written) ?? '';
  const context = contextOf(namespace, name, attribute);
  const links = isData ? unlessSent(element, besideHref(element, dataLinks(name, attribute, value))) : NOTHING;
  if (isHandler && links.length === 0) return handlerLinks(value, context);
  if (isData) return value.includes('<') ? [...links, ...markupTextLinks(value, context, elementLinks)] : links;
  if (namespace !== 'html') return NOTHING;
  if (value.includes('<')) return markupTextLinks(value, context, elementLinks);
  return isUnknown ? unknownAttributeLinks(attribute, value, context) : NOTHING;
}

/**
 * Data of an element that has a target of its own. A bare name there, such as `class.Object.html`, is usually an ingredient: a script
 * has made the target of it and of something else, and no page of that name lies beside this one.
 */
function besideHref(element: MarkupElement, links: readonly RawLink[]): readonly RawLink[] {
  if (links.length === 0 || (element.name !== 'a' && element.name !== 'area')) return links;
  if (isNoReference(element.attribute('href')?.trim() ?? '')) return links;
  return links.map((link) =>
    link.kind === 'attribute' && !beginsAsReference(link.href) ? { ...link, confidence: 'low' } : link,
  );
}

/** Addresses to which a script sends: `<button data-url="/posts/5" data-method="delete">`. A visit would ask by GET. */
function unlessSent(element: MarkupElement, links: readonly RawLink[]): readonly RawLink[] {
  if (links.length === 0 || !isSentByScript((name) => element.attribute(name))) return links;
  return links.map((link) =>
    link.kind === 'attribute' ? { ...link, kind: 'form', context: `${link.context} POST` } : link,
  );
}

function lower(name: string): string {
  return /[A-Z]/.test(name) ? name.toLowerCase() : name;
}

interface Held {
  readonly attribute: string;
  readonly source: LinkSource;
  readonly value: string;
}

function sourceLinks(element: MarkupElement, held: Held): readonly RawLink[] {
  const { source, value } = held;
  const context = contextOf(element.namespace, element.name, held.attribute);
  const each = (urls: readonly string[]): readonly RawLink[] =>
    urls.filter((url) => !isNoReference(url)).map((url) => rawLink(url, source.kind, context, source.confidence));
  switch (source.form) {
    case 'url':
      return reference(element, held, context);
    case 'urls':
      return each(value.split(/\s+/).filter((url) => url !== ''));
    case 'comma-urls':
      return each(value.split(/[\s,]+/).filter((url) => url !== ''));
    case 'srcset':
      return each(srcsetUrls(value));
    case 'refresh':
      return element.name === 'meta' ? metaElement(element, value) : NOTHING;
    case 'parameter':
      return parameterLinks(element.attribute('name') ?? '', value);
    case 'choice':
      return menuLinks(element.menuCode?.() ?? '', value);
    case 'css':
      return value.length < STYLE_LENGTH && value.includes('(') ? styleLinks(value, context) : NOTHING;
    case 'html':
      return NOTHING; // a document of its own: the reader of the element reads it
  }
}

/** References of style text. @param prefix of the context: where the text stands */
export function styleLinks(text: string, prefix: string): readonly RawLink[] {
  // a namespace looks like an address, and is not one
  const sheet = /@namespace/i.test(text) ? withoutNamespaces(text) : text;
  const found = cssReferences(sheet, '').map(({ href, context }) => rawLink(href, 'css', `${prefix} ${context}`));
  return /image-set\(/i.test(text) ? [...found, ...imageSetLinks(text, prefix)] : found;
}

/** Pictures that are named by strings: `image-set("a.png" 1x, "b.png" 2x)`. */
function imageSetLinks(text: string, prefix: string): readonly RawLink[] {
  return imageSetStrings(text)
    .filter((href) => !isNoReference(href))
    .map((href) => rawLink(href, 'css', `${prefix} image-set()`));
}

/** Removes each `@namespace` up to its semicolon. */
function withoutNamespaces(text: string): string {
  let kept = '';
  let from = 0;
  for (const { index } of text.matchAll(/@namespace\b/gi)) {
    if (index < from) continue;
    const end = text.indexOf(';', index);
    if (end === -1) break;
    if (end - index > NAMESPACE_LENGTH) continue;
    kept += text.slice(from, index);
    from = end + 1;
  }
  return kept + text.slice(from);
}

function reference(element: MarkupElement, { attribute, source, value }: Held, context: string): readonly RawLink[] {
  const [kind, href] = [source.kind, value.trim()];
  if (kind === 'anchor' || kind === 'area') {
    if (/^javascript:/i.test(href)) return codeLinks(element, href, context);
    const shown = withShownMail(value);
    if (shown === null) return NOTHING;
    // as written: an empty reference, too, is one
    const link = described(element, { href: shown, kind, context });
    // a visit would ask by GET, and might change something all the same
    const isSent = !isNoReference(href) && isSentByScript((name) => element.attribute(name));
    return [isSent ? { ...link, kind: 'form', context: `${context} POST` } : link];
  }
  if (/^javascript:/i.test(href)) return codeLinks(element, href, context);
  if (kind === 'form') return formLink(element, attribute, value);
  const route = kind === 'attribute' && attribute === 'href' && HASH_ROUTE.test(href);
  if ((isNoReference(href) && !route) || (source.route === true && leadsByItself(element))) return NOTHING;
  if (source.prose === true && /\s/.test(href) && !/^(?:https?:|[./?])/i.test(href)) return NOTHING;
  if (source.guarded === true && !route && !(kind === 'resource' ? isPart(href) : readsAsReference(href)))
    return NOTHING;
  const isFrame = kind === 'resource' && showsDocument(element, attribute, href);
  const plain = described(element, { href: value, kind: isFrame ? 'frame' : kindOf(element, kind), context });
  const link = source.route === true ? routed(plain, href, element.base ?? null) : plain;
  if (attribute === 'up-href') return unlessSent(element, [link]);
  return [source.confidence === 'low' ? { ...link, confidence: 'low' } : link];
}

/** Does the element have a target in its `href`? A router writes the address of its route there. */
function leadsByItself(element: MarkupElement): boolean {
  const href = element.attribute('href')?.trim() ?? '';
  return !isNoReference(href) || HASH_ROUTE.test(href);
}

/** The link with the target that a router gives it. @param base of the document where it is declared */
function routed(link: RawLink, href: string, base: string | null): RawLink {
  if (base === null || href[0] !== '/') return link;
  const [path = href] = routePaths(href, { base, isBaseSaid: true, router: null, script: null }, 'either');
  const resolved = path === href ? null : parsedUrl(path, base);
  return resolved === null ? link : { ...link, resolved: resolved.href.slice(0, HREF_LENGTH) };
}

function isPart(href: string): boolean {
  return readsAsReference(href) || isAssetName(href);
}

/**
 * A link of microdata has an `itemprop` in place of a `rel`; that of a picture or a style is still none. An alternate for programs
 * is no page either: its type says so, and the record of a link has no type.
 */
function kindOf(element: MarkupElement, kind: RawLink['kind']): RawLink['kind'] {
  if (kind !== 'link-element') return kind;
  const rel = element.attribute('rel');
  const property = element.attribute('itemprop');
  if (rel === null && property !== null)
    return /image|logo|photo|thumbnail|contenturl|availability|itemcondition/i.test(property)
      ? 'resource'
      : 'attribute';
  const isPage = namesPage((rel ?? '').split(/\s+/));
  return isPage && isForPrograms(element.attribute('type') ?? '') ? 'resource' : kind;
}

/** `object` and `embed` show pages as well as pictures: their type decides, or without one the name of the file. */
function showsDocument(element: MarkupElement, attribute: string, href: string): boolean {
  if (!(element.name === 'object' && attribute === 'data') && !(element.name === 'embed' && attribute === 'src'))
    return false;
  if (element.namespace !== 'html') return false;
  const type = (element.attribute('type') ?? '').trim().toLowerCase();
  if (type !== '') return /^(?:text\/html|application\/xhtml\+xml|text\/plain)\b/.test(type);
  if (element.attribute('classid') !== null) return false;
  const [path = ''] = href.split(/[?#]/, 1);
  const last = path.slice(path.lastIndexOf('/') + 1);
  return /\.(?:x?html?|php|aspx?|jsp|cgi)$/i.test(last) || !last.includes('.');
}

function described(
  element: MarkupElement,
  { href, kind, context }: Pick<RawLink, 'href' | 'kind' | 'context'>,
): RawLink {
  const rel = element.attribute('rel');
  return {
    href: href.slice(0, HREF_LENGTH),
    kind,
    context,
    text: element.words(kind),
    rel: rel === null ? '' : rel.slice(0, TEXT_LENGTH),
  };
}

/** `javascript:` URLs are code, escaped as URLs are. */
function codeLinks(element: MarkupElement, href: string, context: string): readonly RawLink[] {
  const text = element.words('anchor');
  return handlerLinks(unescaped(href.slice('javascript:'.length)), context).map((link) => ({ ...link, text }));
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A form that is sent by GET leads to a page; one that is sent by POST is noted, and never sent. */
function formLink(element: MarkupElement, attribute: string, value: string): readonly RawLink[] {
  const ofButton = attribute === 'formaction';
  const method = ofButton
    ? (element.attribute('formmethod') ?? element.formMethod())
    : (element.attribute('method') ?? 'get');
  const sends = method.trim().toLowerCase();
  if (value.trim() === '' || sends === 'dialog') return NOTHING;
  const where = contextOf(element.namespace, element.name, attribute);
  const context = sends === 'post' ? `${where} POST` : where;
  return [described(element, { href: value, kind: 'form', context })];
}

function metaElement(element: MarkupElement, content: string): readonly RawLink[] {
  const equivalent = (element.attribute('http-equiv') ?? '').trim().toLowerCase();
  if (equivalent === 'refresh') {
    const href = refreshTarget(content.slice(0, HREF_LENGTH));
    return href === null ? NOTHING : [rawLink(href, 'meta-refresh', 'meta/@content')];
  }
  if (/^content-security-policy(?:-report-only)?$/.test(equivalent))
    return policyEndpoints(content).map((href) =>
      rawLink(href, 'resource', 'meta[content-security-policy]/report-uri'),
    );
  if (equivalent !== '') return NOTHING;
  if (content.includes('<')) return markupTextLinks(content, 'meta/@content', elementLinks);
  const name = element.attribute('property') ?? element.attribute('name') ?? element.attribute('itemprop') ?? '';
  return content.length > HREF_LENGTH ? NOTHING : metaLinks(name.trim().toLowerCase(), content);
}
