/**
 * Keeps the base of references after a script has changed the document's address (`history.pushState`). A resource that had loaded by then
 * was loaded by the old address, and a link that was read by then led where that pointed: both keep their old base as long as their
 * attributes stay the same. Later references go by the new address.
 */
import type { RawLink } from '../../src/model/page-facts.ts';
import {
  adoptedSheetsOf,
  attribute,
  baseUriOf,
  closest,
  currentSourceOf,
  localNameOf,
  select,
  sheetsOf,
} from './safe-dom.ts';

/** Limits of one document: changes of the address (an application changes it with every view), and elements examined in all of them. */
const CHANGES = 20;
const LOOKED = 200_000;
const BASE_LENGTH = 8192;

/** Elements that load their references by themselves. */
const LOADING: ReadonlySet<string> = new Set(
  'audio embed feimage frame iframe image img input link object script source track use video'.split(' '),
);
/** Attributes that hold references; where one of them changes, the element names something else. */
const NAMING = 'href src srcset imagesrcset data poster action background style xlink:href'.split(' ');

interface Kept {
  readonly base: string;
  /** The element's references at that time. */
  readonly names: string;
}

interface Bases {
  readonly elements: WeakMap<Element, Kept>;
  readonly sheets: WeakMap<CSSStyleSheet, string>;
  /** Elements whose links were read while all of them were in the document. */
  readonly read: WeakSet<Element>;
  /** Elements read lately that are not in `read` yet: adding one costs more than reading it, and most documents never need it. */
  lately: Element[];
  changes: number;
  looked: number;
}

declare global {
  /** Lives in the isolated world's global object only. */
  var orbweaverBases: Bases | undefined;
}

function bases(): Bases {
  globalThis.orbweaverBases ??= {
    elements: new WeakMap(),
    sheets: new WeakMap(),
    read: new WeakSet(),
    lately: [],
    changes: 0,
    looked: 0,
  };
  return globalThis.orbweaverBases;
}

/** Notes elements whose links are read now: they keep their present base. */
export function noteRead(elements: Element[]): void {
  const all = bases();
  enterLately(all);
  all.lately = elements;
}

function enterLately(all: Bases): void {
  for (const element of all.lately) all.read.add(element);
  all.lately = [];
}

/** Keeps the present bases; called before the address changes to the destination. */
export function keepBases(destination: string): void {
  const all = bases();
  const base = baseUriOf(document).slice(0, BASE_LENGTH);
  if (all.changes >= CHANGES || all.looked >= LOOKED || placeOf(base) === placeOf(baseAfter(destination))) return;
  all.changes += 1;
  enterLately(all);
  const roots: (Document | ShadowRoot)[] = [document];
  for (let root = roots.pop(); root !== undefined && all.looked < LOOKED; root = roots.pop()) {
    for (const sheet of [...sheetsOf(root), ...adoptedSheetsOf(root)])
      if (!all.sheets.has(sheet)) all.sheets.set(sheet, base);
    const found = select(root, '*');
    all.looked += found.length;
    for (const element of found) {
      // read as it stands: only a form's properties can be named over, and no form has a shadow tree
      const shadow = element.shadowRoot;
      if (shadow !== null && shadow instanceof ShadowRoot) roots.push(shadow);
      if (!all.read.has(element) && !LOADING.has(localNameOf(element)) && !isStyled(element)) continue;
      const names = namesOf(element);
      if (all.elements.get(element)?.names !== names) all.elements.set(element, { base, names });
    }
  }
}

/** The base that an element's references had; null where it is that of the document. */
export function keptBase(element: Element): string | null {
  const all = globalThis.orbweaverBases;
  const kept = all === undefined || all.changes === 0 ? undefined : all.elements.get(element);
  return kept === undefined || kept.names !== namesOf(element) ? null : kept.base;
}

/** The base that the references of a sheet of the document itself had; null where it is that of the document. */
export function keptSheetBase(sheet: CSSStyleSheet): string | null {
  return globalThis.orbweaverBases?.sheets.get(sheet) ?? null;
}

/**
 * The base of one link of an element that kept one. Media choose their source when there is time, by which the address may have changed:
 * the source that plays shows by which base it was chosen.
 */
export function baseFor(
  element: Element,
  { href, context }: Pick<RawLink, 'href' | 'context'>,
  kept: string,
): string | null {
  if (context.endsWith('@poster')) return kept;
  const media = closest(element, 'audio,video');
  if (media === null || !(media instanceof HTMLMediaElement)) return kept;
  return URL.canParse(href, kept) && new URL(href, kept).href === currentSourceOf(media) ? kept : null;
}

/** The same link, relative to another base than the document's. A link to a place in the page stays with the document's base. */
export function basedOn<Link extends { readonly href: string }>(
  link: Link,
  base: string | null,
): Link & { readonly base?: string } {
  return base === null || link.href === '' || link.href.startsWith('#') ? link : { ...link, base };
}

/** The base after the change, provided that the base element does not change with it. */
function baseAfter(destination: string): string {
  const href = attributeOfFirst('base[href]', 'href');
  if (href === null) return destination;
  return URL.canParse(href, destination) ? new URL(href, destination).href : destination;
}

function attributeOfFirst(selector: string, name: string): string | null {
  const element = select(document, selector)[0];
  return element === undefined ? null : attribute(element, name);
}

/** The part of a URL that decides where relative references lead. */
function placeOf(url: string): string {
  return url.split(/[?#]/, 1)[0] ?? '';
}

function isStyled(element: Element): boolean {
  return attribute(element, 'style')?.includes('url(') === true;
}

function namesOf(element: Element): string {
  return NAMING.map((name) => attribute(element, name) ?? '').join('\n');
}
