/** What an audit looked at and what it found, as a plain list. */
import { SEVERITIES, type AuditCoverage, type AuditResult, type Finding } from '../model/finding.ts';
import { safeText } from './safe-text.ts';
import { nearPath, type Shell } from './shell.ts';

/** Findings of one severity that are printed; all are in findings.jsonl. */
const SHOWN = 50;

export function printAudit(result: AuditResult, shell: Shell): void {
  const { coverage, findings, notes, folder, rules } = result;
  const lines = [
    ...coverageLines(coverage),
    ...notes.map((note) => `  note: ${note}`),
    '',
    `Found by ${rules.length} rules: ${SEVERITIES.map((severity) => counted(findings, severity)).join(', ')}`,
    ...SEVERITIES.flatMap((severity) => listed(findings.filter((each) => each.severity === severity))),
    '',
    `Findings:  ${nearPath(folder, shell.workingFolder)}/findings.jsonl`,
  ];
  shell.output.write(`${lines.map(safeText).join('\n')}\n`);
}

function coverageLines({
  expected,
  seen,
  judged,
  notJudged,
  notJudgedPages,
  limits,
}: AuditCoverage): readonly string[] {
  return [
    `Looked at: ${judged} pages judged, of ${seen} URLs seen, of ${expected} expected`,
    ...Object.entries(notJudged).map(([reason, count]) => {
      const examples = notJudgedPages.filter((page) => page.reason === reason).map(({ url }) => url);
      return `  not judged: ${count} ${reason} (${examples.slice(0, 2).join(', ')}${count > 2 ? ', …' : ''})`;
    }),
    ...limits.map((limit) => `  not seen: ${limit}`),
  ];
}

function counted(findings: readonly Finding[], severity: Finding['severity']): string {
  const count = findings.filter((each) => each.severity === severity).length;
  return `${count} ${severity}${count === 1 ? '' : 's'}`;
}

function listed(findings: readonly Finding[]): readonly string[] {
  const shown = findings.slice(0, SHOWN).map(({ severity, rule, message, url, sources, confidence }) => {
    const pages = sources.count === 1 ? url : `${url} and ${sources.count - 1} more`;
    return `  ${severity}  ${rule}  ${message}${confidence === 'low' ? ' (not sure)' : ''}\n      on ${pages}`;
  });
  const left = findings.length - SHOWN;
  return shown.flatMap((text) => text.split('\n')).concat(left > 0 ? [`  … and ${left} more`] : []);
}
