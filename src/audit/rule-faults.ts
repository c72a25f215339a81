/** Handles rules that throw: a rule of a user must not end the audit, nor fail in silence. */
import type { AuditRule } from '../model/audit-rule.ts';

/** Rules that threw, and why. */
export type RuleFaults = Map<string, string>;

/** Applies a rule, unless it has thrown before: a broken rule's findings are not reliable. */
export function applyRule({ id }: AuditRule, faults: RuleFaults, apply: () => void): void {
  if (faults.has(id)) return;
  try {
    apply();
  } catch (error) {
    faults.set(id, error instanceof Error ? error.message : String(error));
  }
}
