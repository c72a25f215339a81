/**
 * Annotations of GitHub Actions (workflow commands). A step may have ten of each kind and the runner drops the others, so the first of each
 * severity are named, most urgent groups first, one annotation a group.
 */
import { counted } from '../base/count-words.ts';
import { SEVERITIES, type Severity } from '../model/finding.ts';
import type { AuditReport } from './audit-report.ts';
import { coverageSentences } from './coverage-words.ts';
import { findingGroups, type FindingGroup } from './finding-groups.ts';
import { shownText } from './shown-text.ts';
import { subjectWords, type SubjectWords } from './subject-words.ts';
import { verdictSentence } from './verdict-words.ts';

/** The most annotations of each severity; two of the ten notices are coverage and verdict. */
const MOST: Readonly<Record<Severity, number>> = { error: 9, warning: 10, notice: 8 };

export function githubReport(report: AuditReport): string {
  const { result, verdict } = report;
  const { noun } = subjectWords(result);
  const groups = findingGroups(report).filter(({ open }) => open > 0);
  const shown = SEVERITIES.flatMap((severity) =>
    groups.filter((group) => group.severity === severity).slice(0, MOST[severity]),
  );
  return [
    command('notice', 'Coverage', coverageSentences(result.coverage).join('\n')),
    ...shown.map((group) => annotation(group, noun)),
    command(verdict.passed ? 'notice' : 'error', 'Verdict', verdictSentence(report)),
    '',
  ].join('\n');
}

function annotation({ severity, rule, findings, open, places }: FindingGroup, noun: SubjectWords['noun']): string {
  const [first] = findings;
  const lines = [
    first?.message ?? '',
    `${counted(open, noun)} in ${counted(places, 'place')}; first: ${first?.url ?? ''}`,
    ...(rule.fix === '' ? [] : [rule.fix]),
  ];
  return command(severity, rule.title, lines.map((line) => shownText(line)).join('\n'));
}

function command(kind: Severity, title: string, text: string): string {
  return `::${kind} title=${escapeProperty(shownText(title, 200))}::${escapeData(text)}`;
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
