/**
 * Learns the links that the scripts of a cluster make of an API's answers, and the texts that they show of them. A rule holds a field and
 * the texts around its value; it is learnt only where each value of the field led to a link of the page, and so it invents none.
 */
import type { FoundLink } from '../../model/link.ts';
import type { Leaf } from './answer-leaves.ts';

/** A link for each value of a field. */
export interface LinkRule {
  readonly pattern: string;
  readonly before: string;
  readonly after: string;
  /** Is the value escaped as in a URL? */
  readonly encoded: boolean;
  readonly how: Pick<FoundLink, 'kind' | 'confidence' | 'context' | 'stage' | 'rel'>;
  /** The field of its text; null: `text` for each. */
  readonly textPattern: string | null;
  readonly text: string;
}

/** Most rules of a cluster, and links that they make of a page (arbitrary). */
export const MOST_RULES = 20;
const MOST_MADE = 2000;
/** Links of a page for which rules are sought. */
const MOST_LOOKED_FOR = 1000;
/** Values of fields that are tried for these links. */
const MOST_LOOKS = 100_000;
/** Characters of an address that is looked at. */
const LONGEST = 2000;
/** Places in an address where a value may begin or end. */
const MOST_PLACES = 16;

/** Links that the rules make, each once. @param base of the page */
export function linksBy(rules: readonly LinkRule[], leaves: readonly Leaf[], base: string): readonly FoundLink[] {
  const made = new Map<string, FoundLink>();
  const texts = textsOf(leaves, rules);
  for (const rule of rules) {
    for (const leaf of leaves) {
      if (leaf.pattern !== rule.pattern || made.size >= MOST_MADE) continue;
      const href = hrefOf(rule, leaf);
      const key = linkKey(rule.how, href);
      if (made.has(key)) continue;
      const text = rule.textPattern === null ? rule.text : (texts.get(placeKey(rule.textPattern, leaf)) ?? '');
      made.set(key, { ...rule.how, href, base, resolved: null, frame: null, text });
    }
  }
  return [...made.values()];
}

/** A page as a browser showed it, and the values of its answers. */
export interface AnsweredSample {
  readonly leaves: readonly Leaf[];
  /** Texts of its links, by their keys. */
  readonly texts: ReadonlyMap<string, string>;
  /** Characters that it holds. */
  readonly size: number;
}

export function answeredSample(leaves: readonly Leaf[], links: readonly FoundLink[]): AnsweredSample {
  const texts = new Map(links.map((link) => [linkKey(link, link.href), link.text]));
  let size = 0;
  for (const { pattern, value } of leaves) size += pattern.length + value.length;
  for (const [key, text] of texts) size += key.length + text.length;
  return { leaves, texts, size };
}

/**
 * Rules by which answers explain links.
 * @param added links that the page's markup does not hold @param earlier pages on which the rules must make no link that was not there
 */
export function rulesFor(
  added: readonly FoundLink[],
  sample: AnsweredSample,
  earlier: readonly AnsweredSample[] = [],
): readonly LinkRule[] {
  const { leaves, texts: there } = sample;
  const rules: LinkRule[] = [];
  const byValue = new Map<string, Leaf[]>();
  const byPattern = new Map<string, Leaf[]>();
  for (const leaf of leaves) {
    for (const value of new Set([leaf.value, encodeURIComponent(leaf.value)]))
      byValue.set(value, [...(byValue.get(value) ?? []), leaf].slice(0, MOST_PLACES));
    const alike = byPattern.get(leaf.pattern);
    if (alike === undefined) byPattern.set(leaf.pattern, [leaf]);
    else alike.push(leaf);
  }
  const explained = new Set<string>();
  let looks = 0;
  for (const link of added.slice(0, MOST_LOOKED_FOR)) {
    if (
      link.href.length > LONGEST ||
      link.frame !== null ||
      link.resolved !== null ||
      explained.has(linkKey(link, link.href))
    )
      continue;
    for (const rule of candidatesFor(link, byValue)) {
      const alike = byPattern.get(rule.pattern) ?? [];
      const key = (leaf: Leaf): string => linkKey(rule.how, hrefOf(rule, leaf));
      if (!alike.every((leaf) => (looks += 1) <= MOST_LOOKS && there.has(key(leaf)))) continue;
      if (
        !earlier.every((each) =>
          each.leaves.every((leaf) => leaf.pattern !== rule.pattern || each.texts.has(key(leaf))),
        )
      )
        continue;
      for (const leaf of alike) explained.add(key(leaf));
      rules.push(withText(rule, alike, sample));
      break;
    }
    if (rules.length >= MOST_RULES || looks > MOST_LOOKS) break;
  }
  return rules;
}

/** Fields whose values all occur in a text. @param among the only ones that count; null: any */
export function shownPatterns(
  leaves: readonly Leaf[],
  text: string,
  among: ReadonlySet<string> | null,
): ReadonlySet<string> {
  const shown = new Map<string, boolean>();
  const folded = text.replace(/\s+/g, ' ');
  for (const { pattern, value, isText } of leaves) {
    if (!isText || !/\p{L}/u.test(value) || (among !== null && !among.has(pattern))) continue;
    if (shown.get(pattern) !== false) shown.set(pattern, folded.includes(value.replace(/\s+/g, ' ').trim()));
  }
  return new Set([...shown].filter(([, isShown]) => isShown).map(([pattern]) => pattern));
}

/** The values of these fields in the answers, in their order. */
export function textBy(patterns: ReadonlySet<string>, leaves: readonly Leaf[]): string {
  return leaves
    .filter(({ pattern }) => patterns.has(pattern))
    .map(({ value }) => value)
    .join('\n');
}

/** Candidate rules for a link, the longest piece of its address first: the less of it is constant, the less is by chance. */
function* candidatesFor(link: FoundLink, byValue: ReadonlyMap<string, readonly Leaf[]>): Generator<LinkRule> {
  const { href, kind, confidence, context, stage, rel } = link;
  const how = { kind, confidence, context, stage, rel };
  for (const [begin, end] of piecesOf(href)) {
    const piece = href.slice(begin, end);
    const [before, after] = [href.slice(0, begin), href.slice(end)];
    for (const { pattern, value, isText } of byValue.get(piece) ?? []) {
      // a figure may stand anywhere by chance: it counts only after a separator
      if (!isText && !/[/=_-]$/.test(before)) continue;
      yield { pattern, before, after, encoded: piece !== value, how, textPattern: null, text: '' };
    }
  }
}

function piecesOf(href: string): readonly (readonly [begin: number, end: number])[] {
  const begins = [0];
  const ends = [href.length];
  for (const { index } of href.matchAll(/[/?&=#._-]/g)) {
    if (begins.length < MOST_PLACES) begins.push(index, index + 1);
    if (ends.length < MOST_PLACES) ends.push(index, index + 1);
  }
  const pieces = begins.flatMap((begin) => ends.filter((end) => end > begin).map((end) => [begin, end] as const));
  return pieces.toSorted((a, b) => b[1] - b[0] - (a[1] - a[0]));
}

function withText(rule: LinkRule, alike: readonly Leaf[], { leaves, texts }: AnsweredSample): LinkRule {
  const shown = (leaf: Leaf): string => texts.get(linkKey(rule.how, hrefOf(rule, leaf))) ?? '';
  const [first] = alike;
  if (first === undefined) return rule;
  if (alike.every((leaf) => shown(leaf) === shown(first)) && alike.length > 1) return { ...rule, text: shown(first) };
  const values = new Map(leaves.map((leaf) => [placeKey(leaf.pattern, leaf), leaf.value]));
  const fields = new Set(leaves.filter(({ value }) => value === shown(first)).map(({ pattern }) => pattern));
  for (const field of fields) {
    if (alike.every((leaf) => values.get(placeKey(field, leaf)) === shown(leaf)))
      return { ...rule, textPattern: field };
  }
  return rule;
}

function textsOf(leaves: readonly Leaf[], rules: readonly LinkRule[]): ReadonlyMap<string, string> {
  const fields = new Set(rules.map(({ textPattern }) => textPattern));
  return new Map(
    leaves.filter(({ pattern }) => fields.has(pattern)).map((leaf) => [placeKey(leaf.pattern, leaf), leaf.value]),
  );
}

/** The key of a field beside a value: in the same entries of the lists that both are in. */
function placeKey(pattern: string, { entries }: Leaf): string {
  const depth = pattern.split('/').filter((each) => each === '[]').length;
  return `${pattern} ${entries.slice(0, depth).join(' ')}`;
}

function hrefOf({ before, after, encoded }: LinkRule, { value }: Leaf): string {
  return before + (encoded ? encodeURIComponent(value) : value) + after;
}

function linkKey(
  { kind, confidence, context }: Pick<FoundLink, 'kind' | 'confidence' | 'context'>,
  href: string,
): string {
  return `${kind} ${confidence} ${context}\n${href}`;
}
