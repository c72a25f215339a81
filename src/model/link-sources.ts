/**
 * Attributes of markup that hold links: every attribute that HTML, SVG and MathML define as a URL, current and obsolete, and those of
 * well-known libraries. Both the page script (browsers/inpage) and the reader of unrendered HTML use this table, through
 * core/links/markup/element-links.ts. The `form` of a row says how to read the value.
 */
import type { RawLinkKind } from './link-kinds.ts';

export type LinkNamespace = 'html' | 'svg' | 'math';

/**
 * How to read a value: one reference; several, separated by white space or by commas; image candidates (srcset); content of a
 * meta refresh; a parameter of a plug-in; a choice of a menu; a style declaration; an embedded document.
 */
type LinkForm = 'url' | 'urls' | 'comma-urls' | 'srcset' | 'refresh' | 'parameter' | 'choice' | 'css' | 'html';

export interface LinkSource {
  readonly kind: RawLinkKind;
  readonly form: LinkForm;
  /** Left out where it is high. */
  readonly confidence?: 'low';
  /** Only a value that begins like a URL or a path is a reference. */
  readonly guarded?: true;
  /** An attribute of a router: relative to the application's base, and ignored beside a `href`. */
  readonly route?: true;
  /** Authors write sentences there, too. */
  readonly prose?: true;
}

type Row = readonly [elements: string, attribute: string, source: LinkSource];

const anchor: LinkSource = { kind: 'anchor', form: 'url' };
const frame: LinkSource = { kind: 'frame', form: 'url' };
const form: LinkSource = { kind: 'form', form: 'url' };
const part: LinkSource = { kind: 'resource', form: 'url' };
const parts: LinkSource = { kind: 'resource', form: 'urls' };
const partList: LinkSource = { kind: 'resource', form: 'comma-urls' };
const srcset: LinkSource = { kind: 'resource', form: 'srcset' };
const named: LinkSource = { kind: 'attribute', form: 'url' };
const described: LinkSource = { kind: 'attribute', form: 'url', prose: true };
const guarded: LinkSource = { kind: 'attribute', form: 'url', guarded: true };
const routed: LinkSource = { kind: 'attribute', form: 'url', guarded: true, route: true };
const guardedPart: LinkSource = { kind: 'resource', form: 'url', guarded: true };
const speculative: LinkSource = { kind: 'attribute', form: 'url', confidence: 'low', guarded: true };

/** `*`: any element; `-`: a custom or unknown element. Specific elements come before general ones. */
const HTML: readonly Row[] = [
  ['a', 'href', anchor],
  ['area', 'href', { kind: 'area', form: 'url' }],
  ['link', 'href', { kind: 'link-element', form: 'url' }],
  ['link', 'imagesrcset', srcset],
  ['base', 'href', part],
  ['iframe frame', 'src', frame],
  ['iframe', 'srcdoc', { kind: 'frame', form: 'html' }],
  ['img iframe frame', 'longdesc', described],
  ['embed', 'src', part],
  ['embed', 'pluginspage', named],
  ['object', 'data', part],
  ['object applet', 'codebase', part],
  ['object applet', 'archive', partList],
  ['object', 'classid', part],
  ['object img input', 'usemap', part],
  ['applet', 'code', part],
  ['applet', 'object', part],
  ['img audio video source track input script xml bgsound', 'src', part],
  ['img source', 'srcset', srcset],
  ['img input', 'lowsrc', part],
  ['img input', 'dynsrc', part],
  ['video', 'poster', part],
  ['script', 'for', { ...speculative, kind: 'resource' }],
  ['layer ilayer', 'src', frame],
  ['form', 'action', form],
  ['button input', 'formaction', form],
  ['isindex', 'action', form],
  ['a area', 'ping', parts],
  ['a', 'urn', part],
  ['a area link img script iframe', 'attributionsrc', parts],
  ['blockquote q ins del', 'cite', described],
  ['body table thead tbody tfoot tr td th', 'background', part],
  ['head', 'profile', parts],
  ['html', 'manifest', part],
  ['meta', 'content', { kind: 'meta-refresh', form: 'refresh' }],
  ['param', 'value', { kind: 'resource', form: 'parameter' }],
  ['option', 'value', { kind: 'script', form: 'choice' }],
  ['menuitem command', 'icon', part],
  ['div span', 'datasrc', part],
  ['*', 'itemid', guarded],
  ['*', 'about', speculative],
  ['*', 'resource', speculative],
  ['*', 'style', { kind: 'css', form: 'css' }],
  // libraries: htmx, Turbo, Unpoly, Angular, Vue, Alpine AJAX, unobtrusive jQuery
  ['*', 'hx-get', named],
  ['*', 'data-hx-get', named],
  ['*', 'hx-push-url', guarded],
  ['*', 'data-hx-push-url', guarded],
  ['*', 'hx-replace-url', guarded],
  ['*', 'data-hx-replace-url', guarded],
  ['*', 'hx-post', part],
  ['*', 'data-hx-post', part],
  ['*', 'hx-put', part],
  ['*', 'data-hx-put', part],
  ['*', 'hx-patch', part],
  ['*', 'data-hx-patch', part],
  ['*', 'hx-delete', part],
  ['*', 'data-hx-delete', part],
  ['*', 'ws-connect', guardedPart],
  ['*', 'sse-connect', guardedPart],
  ['*', 'ic-get-from', named],
  ['*', 'ic-push-url', guarded],
  ['*', 'up-href', named],
  ['*', 'up-source', guarded],
  ['*', 'up-back', guarded],
  ['*', 'ng-href', guarded],
  ['*', 'ng-src', guardedPart],
  ['*', 'routerlink', routed],
  ['*', 'ng-reflect-router-link', routed],
  ['turbo-frame include-fragment auto-complete details-menu remote-input', 'src', guarded],
  ['amp-list amp-state', 'src', guardedPart],
  ['router-link nuxt-link nuxtlink b-link v-btn v-list-item inertia-link app-link', 'to', routed],
  ['-', 'href', guarded],
  ['-', 'xlink:href', guarded],
  ['-', 'url', guarded],
  ['-', 'to', routed],
  ['-', 'link', guarded],
  ['-', 'action', speculative],
  ['-', 'src', guardedPart],
  ['-', 'srcset', srcset],
  ['-', 'poster', guardedPart],
  ['-', 'image', guardedPart],
  // attributes on elements where HTML gives them no meaning
  ['*', 'href', guarded],
  ['*', 'xlink:href', guarded],
  ['*', 'src', guardedPart],
];

const SVG: readonly Row[] = [
  ['a', 'href', anchor],
  ['a', 'xlink:href', anchor],
  ['a', 'ping', parts],
  ['*', 'href', part],
  ['*', 'xlink:href', part],
  ['script audio video source iframe', 'src', part],
  ['*', 'xlink:role', speculative],
  ['*', 'style', { kind: 'css', form: 'css' }],
  // presentation attributes whose value may be url(…)
  ...[
    'fill',
    'stroke',
    'filter',
    'mask',
    'clip-path',
    'cursor',
    'marker',
    'marker-start',
    'marker-mid',
    'marker-end',
  ].map((name): Row => ['*', name, { kind: 'css', form: 'css' }]),
];

const MATH: readonly Row[] = [
  ['*', 'href', anchor],
  ['*', 'xlink:href', anchor],
  ['mglyph annotation annotation-xml semantics', 'src', part],
  ['math', 'altimg', part],
  ['*', 'definitionurl', part],
  ['*', 'style', { kind: 'css', form: 'css' }],
];

type ByAttribute = ReadonlyMap<string, ReadonlyMap<string, LinkSource>>;

function byAttribute(rows: readonly Row[]): ByAttribute {
  const table = new Map<string, Map<string, LinkSource>>();
  for (const [elements, attribute, source] of rows) {
    const sources = table.get(attribute) ?? new Map<string, LinkSource>();
    table.set(attribute, sources);
    for (const element of elements.split(' ')) if (!sources.has(element)) sources.set(element, source);
  }
  return table;
}

const TABLE: Readonly<Record<LinkNamespace, ByAttribute>> = {
  html: byAttribute(HTML),
  svg: byAttribute(SVG),
  math: byAttribute(MATH),
};

/**
 * The link source of an attribute of an element; null where no table has it. `data-*`, `on*` and the content of meta elements
 * other than a refresh are judged by their names, see core/links.
 * @param attribute in lower case, with its prefix
 */
export function linkSourceOf(namespace: LinkNamespace, element: string, attribute: string): LinkSource | null {
  const sources = TABLE[namespace].get(attribute);
  if (sources === undefined) return null;
  const own = sources.get(element);
  if (own !== undefined) return own;
  if (namespace === 'html' && element.includes('-')) {
    const custom = sources.get('-');
    if (custom !== undefined) return custom;
  }
  return sources.get('*') ?? null;
}

/** All attributes of the tables, for any element: for a quick test whether an element can hold a link. */
export const LINK_ATTRIBUTES: ReadonlySet<string> = new Set(Object.values(TABLE).flatMap((table) => [...table.keys()]));

/** Place of a link in markup: `a/@href`, `svg:use/@xlink:href`. */
export function contextOf(namespace: LinkNamespace, element: string, attribute: string): string {
  return `${namespace === 'html' ? '' : `${namespace}:`}${element}/@${attribute}`.slice(0, 100);
}

const NAMESPACES: ReadonlyMap<string | null, LinkNamespace> = new Map([
  ['http://www.w3.org/2000/svg', 'svg'],
  ['http://www.w3.org/1998/Math/MathML', 'math'],
]);

/** Elements of an unknown namespace, or of none, count as HTML. */
export function linkNamespaceOf(uri: string | null): LinkNamespace {
  return NAMESPACES.get(uri) ?? 'html';
}
