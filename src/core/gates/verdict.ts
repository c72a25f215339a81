/** The verdict of an audit: which gates failed, and which findings are new or accepted. It alone decides the exit code. */
import type { AuditCoverage, AuditResult, Finding, RuleInfo } from '../../model/finding.ts';
import { compareWithBaseline, type Baseline, type BaselineComparison, type Standing } from './baseline.ts';
import { gateTest, type Gate } from './gate.ts';

/** The requirements that an audit has to meet. */
export interface Demands {
  /** Rules that gates may name, beside those of the result. */
  readonly rules?: readonly RuleInfo[];
  readonly gates: readonly Gate[];
  /** Least number of judged pages; null for no demand. */
  readonly minPages: number | null;
  /** Least share of the expected pages that is judged, 0 to 1; null for no demand. */
  readonly minCoverage: number | null;
  /** The baseline; `content` is null where there is none at its place yet. Null where none was asked for. */
  readonly baseline: { readonly content: Baseline | null } | null;
  /** `2026-11-23`, UTC. */
  readonly today: string;
}

export type GateResult =
  | {
      readonly kind: 'findings';
      /** Name of the gate; null for any finding that the baseline does not accept. */
      readonly name: string | null;
      readonly from: number;
      readonly count: number;
      readonly failed: boolean;
    }
  | { readonly kind: 'pages'; readonly least: number; readonly count: number; readonly failed: boolean }
  | { readonly kind: 'coverage'; readonly least: number; readonly share: number; readonly failed: boolean };

export interface AuditVerdict {
  /** True where no gate failed, and without gates. */
  readonly passed: boolean;
  readonly gates: readonly GateResult[];
  /** Standing of each finding by its id. */
  readonly standings: ReadonlyMap<string, Standing>;
  /** Ids of the findings that gates count, failed or not. */
  readonly counted: ReadonlySet<string>;
  /** Null without a baseline. */
  readonly comparison: BaselineComparison | null;
}

/** Judges an audit. Gates whose names stand for nothing are left out: they are refused before. */
export function judgeAudit(result: AuditResult, demands: Demands): AuditVerdict {
  const { standings, comparison } = compareWithBaseline(result, demands.baseline?.content ?? null, demands.today);
  const open = result.findings.filter(({ id }) => standings.get(id)?.kind !== 'accepted');
  const counted = new Set<string>();
  const gates: GateResult[] = [];
  const count = (name: string | null, from: number, matching: readonly Finding[]): void => {
    for (const { id } of matching) counted.add(id);
    gates.push({ kind: 'findings', name, from, count: matching.length, failed: matching.length >= from });
  };
  for (const gate of demands.gates) {
    const test = gateTest(gate, [...result.rules, ...(demands.rules ?? [])]);
    if (test !== null) count(gate.name, gate.from, open.filter(test));
  }
  if (demands.gates.length === 0 && demands.baseline !== null) count(null, 1, open);
  gates.push(...coverageGates(result.coverage, demands));
  return {
    passed: gates.every(({ failed }) => !failed),
    gates,
    standings,
    counted,
    comparison: demands.baseline === null ? null : comparison,
  };
}

function coverageGates(coverage: AuditCoverage, { minPages, minCoverage }: Demands): readonly GateResult[] {
  const share = judgedShare(coverage);
  return [
    ...(minPages === null
      ? []
      : [{ kind: 'pages' as const, least: minPages, count: coverage.judged, failed: coverage.judged < minPages }]),
    ...(minCoverage === null
      ? []
      : [{ kind: 'coverage' as const, least: minCoverage, share, failed: share < minCoverage }]),
  ];
}

/**
 * The share of the expected pages that was judged, 0 to 1; 0 where none were expected. Redirects and files are not
 * pages that could have been judged.
 */
export function judgedShare({ expected, judged, redirected = 0, files = 0 }: AuditCoverage): number {
  const pages = Math.max(judged, expected - redirected - files);
  return pages === 0 ? 0 : judged / pages;
}
