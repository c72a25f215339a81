import { safeJson } from '../base/safe-json.ts';
import type { AuditReport } from './audit-report.ts';

/** Rises when an older reader would read a report wrongly. */
const JSON_FORMAT = 1;

/** The whole audit for programs: one JSON object that begins with its coverage. Texts are whole, control characters escaped. */
export function jsonReport({ result, verdict, version }: AuditReport): string {
  const { folder, seeds, started, coverage, findings, ...rest } = result;
  const { standings, counted: _counted, comparison, passed, gates } = verdict;
  const entry = {
    format: JSON_FORMAT,
    orbweaver: version,
    coverage,
    folder,
    seeds,
    started,
    verdict: { passed, gates, ...(comparison === null ? {} : { baseline: comparison }) },
    findings: findings.map((finding) => {
      const standing = standings.get(finding.id) ?? { kind: 'new' as const };
      return {
        ...finding,
        standing: standing.kind,
        ...(standing.kind === 'new' ? {} : { reason: standing.entry.reason, until: standing.entry.until }),
      };
    }),
    ...rest,
  };
  return `${safeJson(entry, 1)}\n`;
}
