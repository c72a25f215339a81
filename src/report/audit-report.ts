import type { AuditVerdict } from '../core/gates/verdict.ts';
import type { AuditResult } from '../model/finding.ts';

/** The input of every reporter. */
export interface AuditReport {
  readonly result: AuditResult;
  readonly verdict: AuditVerdict;
  /** Version of this program. */
  readonly version: string;
}
