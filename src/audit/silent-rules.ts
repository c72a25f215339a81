/** Rules that say nothing of a crawl, and why: their silence must not pass for a site without fault. */
import { failedThirdPartyRequest } from '../core/audit-rules/failed-third-party-request.ts';
import type { AuditRule } from '../model/audit-rule.ts';
import type { RuleFaults } from './rule-faults.ts';

interface SilentRules {
  /** They need the whole site, and the crawl saw a part of it. */
  readonly partial: readonly AuditRule[];
  /** They read details of pages, and the crawl recorded none. */
  readonly blind: readonly AuditRule[];
  /** They judge a server, and the site was served from a folder. */
  readonly serverless: readonly AuditRule[];
  /** They judge measurements, and the crawl made none. */
  readonly unmeasured: readonly AuditRule[];
  readonly isServed: boolean;
  /** No other site answered any page: {@link DEAF_RULE} is withdrawn. */
  readonly isDeaf: boolean;
  readonly faults: RuleFaults;
}

export const DEAF_RULE: string = failedThirdPartyRequest.id;

/** Ids of the rules that were to be applied and say nothing, or not all. */
export function silentIds({ partial, blind, serverless, isDeaf, faults }: SilentRules): readonly string[] {
  const unheard = [...blind, ...partial, ...serverless].map(({ id }) => id);
  return [...unheard, ...faults.keys(), ...(isDeaf ? [DEAF_RULE] : [])];
}

export function silenceNotes({
  partial,
  blind,
  unmeasured,
  isServed,
  isDeaf,
  faults,
}: Omit<SilentRules, 'serverless'>): readonly string[] {
  const note = (rules: readonly AuditRule[], why: string): readonly string[] =>
    rules.length === 0 ? [] : [`${why}: nothing is said of ${rules.map(({ id }) => id).join(', ')}`];
  return [
    ...note(partial, 'the crawl did not see the whole site'),
    ...note(blind, 'the crawl recorded no details of its pages (crawl --audit does)'),
    ...note(unmeasured, 'the crawl measured no paint (--measure does, when it ends)'),
    ...(isServed ? ['the site was served from a folder: nothing is said of the headers and times of its server'] : []),
    ...(isDeaf
      ? [`no other site answered any page, so this machine may have no way out: nothing is said of ${DEAF_RULE}`]
      : []),
    ...[...faults].map(([rule, why]) => `the rule ${rule} could not be applied to all pages: ${why}`),
  ];
}
