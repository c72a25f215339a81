import type { AuditReport } from '../audit-report.ts';

export function htmlReport(_report: AuditReport, _crawlFolder: string | null): string {
  return '';
}
