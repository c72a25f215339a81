/**
 * Which rule decides about a path (RFC 9309 section 2.2.2): the longest pattern in octets, Allow before Disallow.
 * `*` stands for any octets, `$` at the end for the end of the URL. Patterns are compiled once for each agent; rules are
 * found by the literal text before their first `*`, so that a file of 10,000 rules costs a few look-ups for each URL.
 */
import type { RobotsRule } from './parse.ts';

/**
 * Octets that the wildcards of one verdict may look through: far above what real files need (a few thousand), and
 * well under 10 ms. A file that needs more is made to waste a crawler's time.
 */
export const MATCH_STEP_LIMIT = 2_000_000;

interface CompiledRule {
  readonly rule: RobotsRule;
  /** Octets of the pattern in its percent-encoded form. */
  readonly weight: number;
  /** Literal text between the wildcards; the first begins at the start of the path. */
  readonly chunks: readonly string[];
  /** The pattern ends with `$`. */
  readonly anchored: boolean;
}

export interface RuleSet {
  /** By the first chunk. */
  readonly byPrefix: ReadonlyMap<string, readonly CompiledRule[]>;
  /** Lengths of the first chunks, each once, rising. */
  readonly prefixLengths: readonly number[];
}

export type RuleMatch =
  | { readonly kind: 'matched'; readonly rule: RobotsRule }
  | { readonly kind: 'no-match' }
  /** The wildcards need more than MATCH_STEP_LIMIT steps. */
  | { readonly kind: 'too-costly' };

export function compileRules(rules: readonly RobotsRule[]): RuleSet {
  const byPrefix = new Map<string, CompiledRule[]>();
  const seen = new Set<string>();
  for (const rule of rules) {
    if (rule.pattern[0] !== '/' && rule.pattern[0] !== '*') continue; // no path (section 2.2): matches nothing
    const compiled = compileRule(rule);
    const identity = `${rule.allow ? 1 : 0}${compiled.anchored ? 1 : 0}${compiled.chunks.join('*')}`;
    if (seen.has(identity)) continue;
    seen.add(identity);
    const prefix = compiled.chunks[0] ?? '';
    const others = byPrefix.get(prefix);
    if (others === undefined) byPrefix.set(prefix, [compiled]);
    else others.push(compiled);
  }
  for (const each of byPrefix.values()) each.sort(byRank);
  const prefixLengths = [...new Set([...byPrefix.keys()].map((prefix) => prefix.length))].sort((a, b) => a - b);
  return { byPrefix, prefixLengths };
}

/**
 * The rule that decides.
 * @param path path and query in one of the forms of {@link comparablePaths}; a rule matches where it matches any of them
 */
export function decidingRule(rules: RuleSet, paths: readonly string[]): RuleMatch {
  const budget = { steps: MATCH_STEP_LIMIT };
  let best: CompiledRule | null = null;
  for (const path of paths) {
    for (const length of rules.prefixLengths) {
      if (length > path.length) break;
      for (const candidate of rules.byPrefix.get(path.slice(0, length)) ?? []) {
        if (best !== null && byRank(candidate, best) >= 0) break; // sorted: the others rank lower still
        if (budget.steps < 0) return { kind: 'too-costly' };
        if (!matches(candidate, path, budget)) continue;
        best = candidate;
        break;
      }
    }
  }
  return best === null ? { kind: 'no-match' } : { kind: 'matched', rule: best.rule };
}

/**
 * The forms of a URL's path and query that patterns are compared with: escapes decoded wherever that cannot change
 * where a part begins; in the query an escaped slash is taken both as such and as a slash.
 */
export function comparablePaths(pathAndQuery: string): readonly string[] {
  const decoded = comparable(pathAndQuery).text;
  const question = pathAndQuery.indexOf('?');
  if (question === -1 || !/%2f|%3f/i.test(pathAndQuery.slice(question))) return [decoded];
  return [decoded, comparable(pathAndQuery, false).text];
}

/** More octets first; of equals Allow first, then the earlier line. */
function byRank(a: CompiledRule, b: CompiledRule): number {
  return b.weight - a.weight || Number(b.rule.allow) - Number(a.rule.allow) || a.rule.line - b.rule.line;
}

function compileRule(rule: RobotsRule): CompiledRule {
  const anchored = rule.pattern.endsWith('$');
  const pattern = anchored ? rule.pattern.slice(0, -1) : rule.pattern;
  let weight = anchored ? 1 : 0;
  const chunks: string[] = [];
  let inQuery = false;
  for (const [index, part] of pattern.split('*').entries()) {
    const { text, octets } = comparable(part, true, inQuery);
    inQuery ||= part.includes('?');
    weight += octets + (index === 0 ? 0 : 1);
    if (text !== '' || index === 0) chunks.push(text);
  }
  // `*` at the end matches anything; an empty last chunk says so.
  if (pattern.endsWith('*')) chunks.push('');
  return { rule, weight, chunks, anchored: anchored && !pattern.endsWith('*') };
}

/**
 * Greedy from the left: the first place of a chunk leaves the most for the chunks after it, so nothing is tried twice.
 * The first chunk is known to match: rules are found by it.
 */
function matches({ chunks, anchored }: CompiledRule, path: string, budget: { steps: number }): boolean {
  let position = chunks[0]?.length ?? 0;
  const last = chunks.length - 1;
  if (last === 0) return !anchored || position === path.length;
  for (let index = 1; index <= last; index += 1) {
    const chunk = chunks[index] ?? '';
    if (anchored && index === last) {
      budget.steps -= chunk.length;
      return path.length - chunk.length >= position && path.endsWith(chunk);
    }
    const found = path.indexOf(chunk, position);
    budget.steps -= 16 + (found === -1 ? path.length : found) - position;
    if (found === -1) return false;
    position = found + chunk.length;
  }
  return true;
}

/**
 * A text in the form in which patterns and paths are compared: escapes decoded, so that `%7E` is `~` and `%2A` a plain
 * asterisk; not those of `%`, and of `/` and `?` in the path, which would say something else when decoded. Section 2.2.2
 * asks for the opposite direction (reserved octets encoded), which makes the same texts equal.
 */
function comparable(
  text: string,
  decodeQuery = true,
  startsInQuery = false,
): { readonly text: string; readonly octets: number } {
  let inQuery = startsInQuery;
  let octets = 0;
  let result = '';
  for (let index = 0; index < text.length; index += 1) {
    let character = text[index] ?? '';
    if (character === '%' && /^[0-9A-Fa-f]{2}$/.test(text.slice(index + 1, index + 3))) {
      const escape = text.slice(index, index + 3).toUpperCase();
      index += 2;
      character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
      const structural = character === '/' || character === '?';
      if (character === '%' || (structural && !(inQuery && decodeQuery))) character = escape;
    } else if (character === '%') character = '%25';
    else if (character === '?') inQuery = true;
    octets += character.length > 1 || isPlain(character) ? character.length : 3;
    result += character;
  }
  return { text: result, octets };
}

/** ASCII that stands for itself in a URL; anything else takes three octets in encoded form. */
function isPlain(character: string): boolean {
  return character > ' ' && character < '\x7F';
}
