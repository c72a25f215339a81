/** Chooses the rules that an audit applies. */
import { CrawlError } from '../base/errors.ts';
import { nearest } from '../base/nearest.ts';
import { axeRule } from '../core/audit-rules/axe-rule.ts';
import { AUDIT_RULES } from '../core/audit-rules/rules.ts';
import type { AxeRule } from '../model/accessibility.ts';
import type { AuditRule } from '../model/audit-rule.ts';

export interface RuleChoice {
  /** Names of the rules to apply; all where none are given. */
  readonly only?: readonly string[];
  /** Names of rules that are left out. */
  readonly except?: readonly string[];
  /** Rules beside those of the program. */
  readonly extra?: readonly AuditRule[];
  /** Rules of axe-core that the pages were checked by, or will be. */
  readonly axe?: readonly AxeRule[];
}

/** @throws {CrawlError} USAGE where a name is that of no rule, or two rules have one name */
export function chosenRules({ only = [], except = [], extra = [], axe = [] }: RuleChoice): readonly AuditRule[] {
  const all = [...AUDIT_RULES, ...axe.map(axeRule), ...extra];
  const names = all.map(({ id }) => id);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw usage(`two rules are called ${shown(twice)}\nGive yours a name of its own.`);
  for (const name of [...only, ...except]) if (!names.includes(name)) throw unknownRule(name, names);
  return all.filter(({ id }) => (only.length === 0 || only.includes(id)) && !except.includes(id));
}

function unknownRule(name: string, names: readonly string[]): CrawlError {
  if (/^axe-/.test(name) && !names.some((each) => each.startsWith('axe-')))
    return usage(
      `there is no rule ${shown(name)} without a check of accessibility\nCrawl with --audit --axe, or audit a site with --axe.`,
    );
  const near = nearest(name, names);
  const cure = near === null ? `Rules: ${names.join(', ')}` : `Did you mean ${near}?`;
  return usage(`there is no rule ${shown(name)}\n${cure}`);
}

function shown(name: string): string {
  return JSON.stringify(name.slice(0, 100));
}

function usage(message: string): CrawlError {
  return new CrawlError('USAGE', message);
}
