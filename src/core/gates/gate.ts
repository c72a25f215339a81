/** `--fail-on <rule|severity|category|group>[:n]`: which findings fail an audit, and from how many on (docs/audit-gates.md, "Gates"). */
import { RULE_CATEGORIES, SEVERITIES, type Finding, type RuleInfo } from '../../model/finding.ts';

/** A gate as it was written. */
export interface Gate {
  /** A severity, a rule, a category of rules, or a group of findings. */
  readonly name: string;
  /** Number of findings from which on it fails, 1 or more. */
  readonly from: number;
}

/** Longest group: a rule and the template of a path. */
const MOST_CHARACTERS = 500;
const GATE = /^(?<name>.*?\S)(?::(?<from>[1-9]\d{0,8}))?$/s;

/** Reads `error`, `broken-link:5`, `missing-description /blog/*`; null for any other text. */
export function parseGate(text: string): Gate | null {
  if (text.length > MOST_CHARACTERS) return null;
  const { name, from = '1' } = GATE.exec(text.trim())?.groups ?? {};
  return name === undefined ? null : { name, from: Number(from) };
}

/** Does a gate count the finding? */
type GateTest = (finding: Finding) => boolean;

/**
 * Tests whether a gate counts a finding; a severity includes the more severe ones.
 * @returns null where its name stands for nothing: it is no severity, category or rule, nor a group of a rule
 */
export function gateTest({ name }: Gate, rules: readonly RuleInfo[]): GateTest | null {
  const rank = SEVERITIES.findIndex((severity) => severity === name);
  if (rank >= 0) return ({ severity }) => SEVERITIES.indexOf(severity) <= rank;
  if (rules.some(({ id }) => id === name)) return ({ rule }) => rule === name;
  if (RULE_CATEGORIES.some((category) => category === name)) {
    const ofCategory = new Set(rules.filter(({ category }) => category === name).map(({ id }) => id));
    return ({ rule }) => ofCategory.has(rule);
  }
  const [rule = ''] = name.split(' ', 1);
  // a group without findings is mended, not misspelt
  return name.includes(' ') && rules.some(({ id }) => id === rule) ? ({ group }) => group === name : null;
}

/** Every name that a gate may have, but for groups. */
export function gateNames(rules: readonly RuleInfo[]): readonly string[] {
  return [...SEVERITIES, ...RULE_CATEGORIES, ...rules.map(({ id }) => id)];
}
