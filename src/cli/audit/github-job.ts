/** Writes annotations and the summary in a job of GitHub Actions, without being asked. */
import { appendFile } from 'node:fs/promises';
import type { AuditReport } from '../../report/audit-report.ts';
import { githubReport } from '../../report/github-report.ts';
import { markdownReport } from '../../report/markdown-report.ts';
import { isOutputTaken, type ReportOutput } from './report-outputs.ts';
import { safeText } from '../terminal/safe-text.ts';
import type { Shell } from '../shell.ts';

/** Annotates and appends to the job's summary, where there is such a job; a summary that cannot be written is a note and no failure. */
export async function tellGithub(report: AuditReport, outputs: readonly ReportOutput[], shell: Shell): Promise<void> {
  const { GITHUB_ACTIONS: job, GITHUB_STEP_SUMMARY: summary = '' } = shell.variables;
  if (job !== 'true') return;
  // the runner reads both outputs
  if (!outputs.some(({ name }) => name === 'github'))
    (isOutputTaken(outputs) ? shell.errors : shell.output).write(githubReport(report));
  if (summary === '') return;
  await appendFile(summary, `${markdownReport(report)}\n`).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    shell.errors.write(`note  the summary of the job cannot be written: ${safeText(why)}\n`);
  });
}
