/**
 * Finds the rule that decides about a path (RFC 9309 section 2.2.2): the longest pattern in octets, Allow before Disallow.
 * `*` stands for any octets, `$` at the end for the end of the URL. Patterns are compiled once for each agent; rules are
 * found by the literal text before their first `*`, so that a file of 10,000 rules costs a few look-ups for each URL.
 */
import type { RobotsRule } from './parse.ts';

/**
 * Searches that the wildcards of one verdict may cost, a search through 100 octets counting as one more: 10,000 rules
 * with two wildcards each stay below it, and at the worst it is used up in 20 ms. A file that needs more wastes our time.
 */
const MATCH_STEP_LIMIT = 30_000;
const OCTETS_PER_STEP = 100;

interface Budget {
  steps: number;
}

/**
 * If RFC 9309 and google/robotstxt read an escape differently, the reading that forbids more is taken: the RFC's for
 * Disallow (wide), Google's for Allow (strict: escaped letters and digits are not decoded).
 */
type Reading = 'strict' | 'wide';

interface CompiledRule {
  readonly rule: RobotsRule;
  /** Octets of the pattern in its percent-encoded form. */
  readonly weight: number;
  /** Literal text between the wildcards; the first begins at the start of the path. */
  readonly chunks: readonly string[];
  /** The longest of the chunks behind a wildcard; empty where there are none. */
  readonly longest: string;
  /** The pattern ends with `$`. */
  readonly anchored: boolean;
}

interface RuleIndex {
  /** Rules by their first chunk. */
  readonly byPrefix: ReadonlyMap<string, readonly CompiledRule[]>;
  /** Lengths of the first chunks, each once, rising. */
  readonly prefixLengths: readonly number[];
}

/** The rules of an agent. Allow and Disallow read escapes differently, see {@link comparable}. */
export interface RuleSet {
  readonly allow: RuleIndex;
  readonly disallow: RuleIndex;
}

type RuleMatch =
  | { readonly kind: 'matched'; readonly rule: RobotsRule }
  | { readonly kind: 'no-match' }
  /** The wildcards need more than MATCH_STEP_LIMIT steps. */
  | { readonly kind: 'too-costly' };

export function compileRules(rules: readonly RobotsRule[]): RuleSet {
  return {
    allow: indexOf(rules.filter((rule) => rule.allow)),
    disallow: indexOf(rules.filter((rule) => !rule.allow)),
  };
}

/**
 * The rule that decides.
 * @param path path and query of a URL
 * @param writtenPath the same, with octets beyond ASCII in the URL marked: no Allow matches them
 */
export function decidingRule(rules: RuleSet, path: string, writtenPath: string = path): RuleMatch {
  const budget = { steps: MATCH_STEP_LIMIT };
  const allow = bestOf(rules.allow, comparablePaths(writtenPath, 'strict'), budget);
  const disallow = bestOf(rules.disallow, comparablePaths(path, 'wide'), budget);
  if (budget.steps < 0) return { kind: 'too-costly' };
  const [best] = [allow, disallow].filter((rule) => rule !== null).sort(byRank);
  return best === undefined ? { kind: 'no-match' } : { kind: 'matched', rule: best.rule };
}

function indexOf(rules: readonly RobotsRule[]): RuleIndex {
  const byPrefix = new Map<string, CompiledRule[]>();
  const seen = new Set<string>();
  const paths = rules.filter(({ pattern }) => pattern[0] === '/' || pattern[0] === '*'); // others match nothing (section 2.2)
  // the best first, so that of rules that match the same (`/` and `/*`) the longer one is kept, and each list is in order
  for (const compiled of paths.map(compileRule).sort(byRank)) {
    const identity = `${compiled.anchored ? '$' : ''}${compiled.chunks.join('*')}`;
    if (seen.has(identity)) continue;
    seen.add(identity);
    const prefix = compiled.chunks[0] ?? '';
    const others = byPrefix.get(prefix);
    if (others === undefined) byPrefix.set(prefix, [compiled]);
    else others.push(compiled);
  }
  const prefixLengths = [...new Set([...byPrefix.keys()].map((prefix) => prefix.length))].sort((a, b) => a - b);
  return { byPrefix, prefixLengths };
}

function bestOf(rules: RuleIndex, paths: readonly string[], budget: Budget): CompiledRule | null {
  let best: CompiledRule | null = null;
  for (const path of paths) {
    for (const length of rules.prefixLengths) {
      if (length > path.length) break;
      for (const candidate of rules.byPrefix.get(path.slice(0, length)) ?? []) {
        if (best !== null && byRank(candidate, best) >= 0) break; // sorted: the others rank lower still
        if (budget.steps < 0) return best;
        if (!matches(candidate, path, budget)) continue;
        best = candidate;
        break;
      }
    }
  }
  return best;
}

/**
 * The forms of a URL's path and query that patterns are compared with. In the query an escaped slash is taken both as
 * such and as a slash: the RFC's own table treats them as equal, and patterns with `*` may come from the path.
 */
function comparablePaths(pathAndQuery: string, reading: Reading): readonly string[] {
  const decoded = comparable(pathAndQuery, { reading }).text;
  const question = pathAndQuery.indexOf('?');
  if (question === -1 || !/%2f|%3f/i.test(pathAndQuery.slice(question))) return [decoded];
  return [decoded, comparable(pathAndQuery, { reading, keepStructure: true }).text];
}

/** More octets first; of equals Allow first, then the earlier line. */
function byRank(a: CompiledRule, b: CompiledRule): number {
  return b.weight - a.weight || Number(b.rule.allow) - Number(a.rule.allow) || a.rule.line - b.rule.line;
}

function compileRule(rule: RobotsRule): CompiledRule {
  const reading = rule.allow ? 'strict' : 'wide';
  const anchored = rule.pattern.endsWith('$');
  const pattern = anchored ? rule.pattern.slice(0, -1) : rule.pattern;
  const parts = pattern.split('*');
  const chunks: string[] = [];
  let weight = parts.length - 1 + (anchored ? 1 : 0);
  let inQuery = false;
  for (const [index, part] of parts.entries()) {
    const { text, octets } = comparable(part, { reading, inQuery });
    inQuery ||= part.includes('?');
    weight += octets;
    if (text !== '' || index === 0) chunks.push(text);
  }
  const longest = chunks.slice(1).reduce((long, chunk) => (chunk.length > long.length ? chunk : long), '');
  return { rule, weight, chunks, longest, anchored: anchored && !pattern.endsWith('*') };
}

/**
 * Greedy from the left: the first place of a chunk leaves the most for the chunks after it, so nothing is tried twice.
 * The first chunk is known to match: rules are found by it.
 */
function matches({ chunks, longest, anchored }: CompiledRule, path: string, budget: Budget): boolean {
  let position = chunks[0]?.length ?? 0;
  const last = chunks.length - 1;
  if (last === 0) return !anchored || position === path.length;
  if (last > 1) {
    // Most patterns fail, and the longest chunk shows it soonest.
    budget.steps -= 1 + (path.length - position) / OCTETS_PER_STEP;
    if (!path.includes(longest, position)) return false;
  }
  for (let index = 1; index <= last; index += 1) {
    const chunk = chunks[index] ?? '';
    if (anchored && index === last) {
      budget.steps -= 1;
      return path.length - chunk.length >= position && path.endsWith(chunk);
    }
    const found = path.indexOf(chunk, position);
    budget.steps -= 1 + ((found === -1 ? path.length : found) - position) / OCTETS_PER_STEP;
    if (found === -1) return false;
    position = found + chunk.length;
  }
  return true;
}

interface ComparableOptions {
  readonly reading: Reading;
  /** The text stands after a question mark. */
  readonly inQuery?: boolean;
  /** Escaped slashes and question marks stay escaped in the query, too. */
  readonly keepStructure?: boolean;
}

/**
 * A text in the form in which patterns and paths are compared: escapes decoded, so that `%7E` is `~` and `%2A` a plain
 * asterisk; except those of `%`, and of `/` and `?` in the path, whose meaning decoding would change. Section 2.2.2
 * asks for the opposite direction (reserved octets encoded), which makes the same texts equal.
 */
function comparable(text: string, options: ComparableOptions): { readonly text: string; readonly octets: number } {
  if (PLAIN.test(text)) return { text, octets: text.length };
  let inQuery = options.inQuery ?? false;
  let octets = 0;
  let result = '';
  for (let index = 0; index < text.length; index += 1) {
    let character = text[index] ?? '';
    const escape = character === '%' ? escapeAt(text, index) : null;
    if (escape !== null) {
      index += escape.length - 1;
      character = decoded(escape, options.reading, inQuery && options.keepStructure !== true);
    } else if (character === '%') character = '%25';
    else if (character === '?') inQuery = true;
    octets += character.length > 1 || isPlain(character) ? character.length : 3;
    result += character;
  }
  return { text: result, octets };
}

function escapeAt(text: string, index: number): string | null {
  const escape = text.slice(index, index + 3);
  return /^%[0-9A-Fa-f]{2}$/.test(escape) ? escape.toUpperCase() : null;
}

function decoded(escape: string, reading: Reading, structure: boolean): string {
  const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
  if (character === '%' || (reading === 'strict' && /[A-Za-z0-9]/.test(character))) return escape;
  return (character === '/' || character === '?') && !structure ? escape : character;
}

/** Printable ASCII but the percent sign: nothing to decode. */
const PLAIN = /^[!-$&-~]*$/;

/** ASCII that stands for itself in a URL; anything else takes three octets in encoded form. */
function isPlain(character: string): boolean {
  return character > ' ' && character < '\x7F';
}
