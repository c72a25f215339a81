/**
 * The classes and kinds of an edge as bits of one number. Parallel edges, one for each line of links.jsonl, are merged, so an edge may
 * have several kinds and be of several classes.
 */
import { classOfKind, LINK_KINDS, type LinkKind } from '../../model/link-kinds.ts';
import type { LinkConfidence } from '../../model/link.ts';

/**
 * - `link`: a reader of the page can follow it: anchors, forms, frames, redirects, what scripts did.
 * - `follow`: a link without `rel=nofollow`.
 * - `hint`: it leads to a page, but only machines read it: sitemaps, feeds, `link` elements, headers.
 * - `entry`: the line of a sitemap that names a page.
 * - `canonical`: a hint that names the page's preferred URL.
 * - `speculative`: low confidence.
 * - `subresource`: the page embeds it or requests it from the network.
 * - `foreign`: no page of the web: mail addresses, telephone numbers, other schemes.
 */
export const EDGE_CLASSES = [
  'link',
  'follow',
  'hint',
  'entry',
  'canonical',
  'speculative',
  'subresource',
  'foreign',
] as const;
export type EdgeClass = (typeof EDGE_CLASSES)[number];

/** A set of kinds and classes. */
export type EdgeLabel = number;

/** The facts of one line of links.jsonl. */
export interface EdgeFacts {
  readonly kind: LinkKind;
  readonly confidence: LinkConfidence;
  readonly context: string;
  readonly rel: readonly string[];
  readonly to: string;
  /** May it lead to another page (core/links/page-link.ts)? */
  readonly leadsToPage: boolean;
}

/**
 * A label is a bit mask of 32 bits with a sign, as JavaScript's bit operators use: the last bit makes it negative, and the next bit is
 * the first one again.
 */
const LABEL_BITS = 31;

/** Throws while the module is loaded if there are too many kinds. */
const CLASS_BITS: ReadonlyMap<EdgeClass, EdgeLabel> = bitsFrom(0, EDGE_CLASSES);
const KIND_BITS: ReadonlyMap<LinkKind, EdgeLabel> = bitsFrom(EDGE_CLASSES.length, LINK_KINDS);

/**
 * A bit for each name, from a place on.
 * @throws {RangeError} where a label has no bit left for one
 */
export function bitsFrom<Name extends string>(first: number, names: readonly Name[]): ReadonlyMap<Name, EdgeLabel> {
  return new Map(
    names.map((name, index) => {
      const place = first + index;
      if (place >= LABEL_BITS) throw new RangeError(`the label of an edge has no bit left for ${name}`);
      return [name, 1 << place];
    }),
  );
}

/** @throws {TypeError} where the name has no bit: without a bit of its own it would be lost */
function bitOf<Name extends string>(bits: ReadonlyMap<Name, EdgeLabel>, name: Name): EdgeLabel {
  const bit = bits.get(name);
  if (bit === undefined) throw new TypeError(`the label of an edge has no bit for ${name}`);
  return bit;
}

export function classBit(name: EdgeClass): EdgeLabel {
  return bitOf(CLASS_BITS, name);
}

export function kindBit(kind: LinkKind): EdgeLabel {
  return bitOf(KIND_BITS, kind);
}

/** The label of one line. */
export function edgeLabel(facts: EdgeFacts): EdgeLabel {
  return classesOf(facts).reduce((label, name) => label | classBit(name), kindBit(facts.kind));
}

function classesOf({ kind, confidence, context, rel, to, leadsToPage }: EdgeFacts): readonly EdgeClass[] {
  if (!leadsToPage) return ['subresource'];
  if (!/^https?:/.test(to)) return ['foreign'];
  if (confidence === 'low') return ['speculative'];
  if (classOfKind(kind) === 'hint' && context !== 'Refresh') {
    const isEntry = kind === 'sitemap' && context !== 'sitemapindex/loc'; // an index names further sitemaps
    return [
      'hint',
      ...(isEntry ? ['entry' as const] : []),
      ...(rel.includes('canonical') ? ['canonical' as const] : []),
    ];
  }
  return rel.includes('nofollow') ? ['link'] : ['link', 'follow'];
}

export function hasClass(label: EdgeLabel, name: EdgeClass): boolean {
  return (label & classBit(name)) !== 0;
}

export function hasKind(label: EdgeLabel, kind: LinkKind): boolean {
  return (label & kindBit(kind)) !== 0;
}

export function kindsOf(label: EdgeLabel): readonly LinkKind[] {
  return LINK_KINDS.filter((kind) => hasKind(label, kind));
}

/** A label in words, so that a file outlives a new kind. */
interface SpelledLabel {
  readonly kinds: readonly string[];
  readonly classes: readonly string[];
}

export function spellLabel(label: EdgeLabel): SpelledLabel {
  return { kinds: kindsOf(label), classes: EDGE_CLASSES.filter((name) => hasClass(label, name)) };
}

/** @returns null where it has words that this version does not know */
export function readLabel({ kinds, classes }: SpelledLabel): EdgeLabel | null {
  const kindsRead = LINK_KINDS.filter((kind) => kinds.includes(kind));
  const classesRead = EDGE_CLASSES.filter((name) => classes.includes(name));
  if (kindsRead.length !== kinds.length || classesRead.length !== classes.length) return null;
  return [...kindsRead.map(kindBit), ...classesRead.map(classBit)].reduce((label, bit) => label | bit, 0);
}
