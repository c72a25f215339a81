/** Groups findings that one change probably mends, in the order in which to mend them. */
import { SEVERITIES, type AuditResult, type Finding, type RuleInfo, type Severity } from '../model/finding.ts';
import type { AuditReport } from './audit-report.ts';

export interface FindingGroup {
  readonly name: string;
  readonly rule: RuleInfo;
  /** The severity of its most severe finding that is not accepted; of all where all are. */
  readonly severity: Severity;
  /** All findings, in the order of the audit; accepted ones come last, as reports name only the first few. */
  readonly findings: readonly Finding[];
  /** Findings that are not accepted. */
  readonly open: number;
  /** Pages that show its findings that are not accepted (all where all are), summed up: a page that shows two counts twice. */
  readonly places: number;
}

/** Groups, the most severe first, then those that most pages show. Groups whose findings are all accepted come last. */
export function findingGroups({ result, verdict }: AuditReport): readonly FindingGroup[] {
  const ruleOf = rulesById(result);
  const isAccepted = ({ id }: Finding): boolean => verdict.standings.get(id)?.kind === 'accepted';
  const byName = new Map<string, Finding[]>();
  for (const finding of result.findings) {
    const known = byName.get(finding.group);
    if (known === undefined) byName.set(finding.group, [finding]);
    else known.push(finding);
  }
  return [...byName]
    .map(([name, all]) => {
      const open = all.filter((finding) => !isAccepted(finding));
      const findings = [...open, ...all.filter(isAccepted)];
      const told = open.length > 0 ? open : all;
      const ranks = told.map(({ severity }) => SEVERITIES.indexOf(severity));
      return {
        name,
        rule: ruleOf(findings[0]?.rule ?? name),
        severity: SEVERITIES[ranks.reduce((least, rank) => Math.min(least, rank), SEVERITIES.length - 1)] ?? 'notice',
        findings,
        open: open.length,
        places: told.reduce((sum, { sources }) => sum + sources.count, 0),
      };
    })
    .toSorted(byUrgency);
}

function byUrgency(one: FindingGroup, other: FindingGroup): number {
  return (
    Number(one.open === 0) - Number(other.open === 0) ||
    SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity) ||
    other.places - one.places ||
    (one.name < other.name ? -1 : 1)
  );
}

/** Looks up the rule of an id; an id that the audit does not explain stands for itself. */
export function rulesById({ rules }: Pick<AuditResult, 'rules'>): (id: string) => RuleInfo {
  const known = new Map(rules.map((rule) => [rule.id, rule]));
  return (id) =>
    known.get(id) ?? {
      id,
      severity: 'notice',
      category: 'site',
      title: id,
      why: '',
      fix: '',
      source: { name: '', url: '' },
    };
}
