/**
 * Records links that are gone when the page is read: those of lists that recycle their rows and of elements that a script replaced. Recording
 * begins at the end of parsing, before deferred scripts run. A page that changes nothing pays nothing. A link that a script puts in and takes
 * out again in one go is speculative, because no reader has seen it: jQuery 1.9 and 1.10 try `<a href='/a'>a</a>` so in every page.
 */
import { completionOf } from '../../src/core/links/markup/completed-links.ts';
import { isSentByScript } from '../../src/core/links/markup/link-method.ts';
import type { RawLink } from '../../src/model/page-facts.ts';
import { ChangedNodes } from './changed-nodes.ts';
import { basedOn, keptBase } from './kept-bases.ts';
import {
  attribute,
  baseUriOf,
  closest,
  folded,
  isConnectedOf,
  localNameOf,
  matches,
  select,
  textContentOf,
} from './safe-dom.ts';

/** Limits of one document: links kept, elements examined, changes examined (every change costs some 3 µs). */
const LIMIT = 1000;
const LOOKED = 100_000;
const CHANGES = 30_000;
/** A part of the page in which nothing can be used. */
export const INERT_PART = '[inert]';
const LINKING = 'a[href],area[href],iframe[src],form[action]';

interface Removals {
  readonly links: Map<string, RawLink>;
  /** Those of them that stood in an inert part. */
  readonly shownOnly: Set<string>;
  readonly roots: WeakSet<Node>;
  readonly observer: MutationObserver;
  looked: number;
  changes: number;
}

declare global {
  /** Lives in the isolated world's global object only. */
  var orbweaverRemovals: Removals | undefined;
}

export function watchRemovals(): void {
  if (globalThis.orbweaverRemovals !== undefined) return;
  const observer = new MutationObserver((changes) => note(changes));
  globalThis.orbweaverRemovals = {
    links: new Map(),
    shownOnly: new Set(),
    roots: new WeakSet(),
    observer,
    looked: 0,
    changes: 0,
  };
  const start = (): void => watchRoot(document);
  if (document.readyState !== 'loading') start();
  else Document.prototype.addEventListener.call(document, 'readystatechange', start, { once: true, capture: true });
}

/** Records removals from a tree from now on. */
export function watchRoot(root: Document | ShadowRoot): void {
  const removals = globalThis.orbweaverRemovals;
  if (removals === undefined || removals.roots.has(root) || removals.looked >= LOOKED) return;
  removals.roots.add(root);
  const options = {
    childList: true,
    subtree: true,
    attributeFilter: ['href', 'src', 'action'],
    attributeOldValue: true,
  };
  removals.observer.observe(root, options);
}

/**
 * The links that were removed; the renderer leaves out those that have come back.
 * @param doubts are links of inert parts doubtful?
 */
export function removedLinks(doubts: boolean): readonly RawLink[] {
  const removals = globalThis.orbweaverRemovals;
  if (removals === undefined) return [];
  note(removals.observer.takeRecords());
  const here = baseUriOf(document).slice(0, 8192);
  return [...removals.links].map(([key, { base, ...kept }]) => {
    const link = doubts && removals.shownOnly.has(key) ? { ...kept, confidence: 'low' as const } : kept;
    return base === here ? link : basedOn(link, base ?? null);
  });
}

function note(changes: readonly MutationRecord[]): void {
  const removals = globalThis.orbweaverRemovals;
  if (removals === undefined) return;
  removals.changes += changes.length;
  const nodes = new ChangedNodes();
  for (const change of changes) {
    if (removals.changes >= CHANGES || removals.looked >= LOOKED || removals.links.size >= LIMIT) {
      removals.observer.disconnect();
      return;
    }
    if (change.type === 'attributes') changed(change, removals, nodes);
    else removed(change, removals, nodes);
    nodes.note(change);
  }
}

function removed({ removedNodes, target }: MutationRecord, removals: Removals, nodes: ChangedNodes): void {
  for (const node of removedNodes) {
    removals.looked += 1;
    if (!(node instanceof Element) || isConnectedOf(node)) continue;
    const unseen = nodes.isPassing(node, target);
    const inert = target instanceof Element && closest(target, INERT_PART) !== null;
    if (matches(node, LINKING)) keep(node, removals, { unseen, inert });
    for (const element of select(node, LINKING)) {
      removals.looked += 1;
      keep(element, removals, { unseen, inert });
      if (removals.links.size >= LIMIT) return;
    }
  }
}

/** The attributes that make links of elements with these names. */
const KINDS: ReadonlyMap<string, readonly [attribute: string, kind: RawLink['kind']]> = new Map([
  ['a', ['href', 'anchor']],
  ['area', ['href', 'area']],
  ['iframe', ['src', 'frame']],
  ['form', ['action', 'form']],
] as const);

interface Kept {
  /** The value before, where the element is still there. */
  readonly was?: string;
  /** Was it put in and taken out without a pause, or may it have lacked its data? */
  readonly unseen: boolean;
  /** Was it taken out of an inert part? */
  readonly inert?: boolean;
}

function keep(element: Element, { links, shownOnly }: Removals, { was, unseen, inert = false }: Kept): void {
  const name = localNameOf(element);
  const [attributeName, kind] = KINDS.get(name) ?? [null, null];
  if (attributeName === null || kind === null) return;
  const href = (was ?? attribute(element, attributeName) ?? '').trim().slice(0, 8192);
  if (href === '' || /^(?:#(?!!?\/|\?\w)|javascript:|about:|data:|blob:)/i.test(href)) return;
  const method = (attribute(element, 'method') ?? 'get').trim().toLowerCase();
  if (kind === 'form' && (method === 'post' || method === 'dialog')) return;
  if (isSentByScript((wanted) => attribute(element, wanted))) return;
  const rel = (attribute(element, 'rel') ?? '').slice(0, 200);
  const base = keptBase(element) ?? baseUriOf(document).slice(0, 8192);
  const key = `${name} ${rel} ${href} ${base}`;
  const known = links.get(key);
  if (known === undefined ? links.size >= LIMIT : unseen || known.confidence !== 'low') return;
  const text = kind === 'anchor' && was === undefined ? folded(textContentOf(element) ?? '', 200) : '';
  const link: RawLink = { href, kind, context: `${name}/@${attributeName}`, text, rel };
  if (inert || closest(element, INERT_PART) !== null) shownOnly.add(key);
  else shownOnly.delete(key);
  links.set(key, basedOn(unseen ? { ...link, confidence: 'low' } : link, base));
}

/** Keeps the former target of a link that leads elsewhere now, unless that was the same without its data. */
function changed({ target, attributeName, oldValue }: MutationRecord, removals: Removals, nodes: ChangedNodes): void {
  removals.looked += 1;
  if (!(target instanceof Element) || oldValue === null || oldValue.trim() === '') return;
  if (KINDS.get(localNameOf(target))?.[0] !== attributeName) return;
  const completion = completionOf(oldValue, attribute(target, attributeName) ?? '');
  if (completion === 'sure') return;
  keep(target, removals, { was: oldValue, unseen: completion === 'likely' || nodes.isPassing(target, target) });
}
