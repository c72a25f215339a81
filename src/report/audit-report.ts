import type { AuditVerdict } from '../core/gates/verdict.ts';
import type { AuditResult } from '../model/finding.ts';

/** What every reporter gets. */
export interface AuditReport {
  readonly result: AuditResult;
  readonly verdict: AuditVerdict;
  /** Version of this program. */
  readonly version: string;
}
