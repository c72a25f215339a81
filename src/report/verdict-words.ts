/** The verdict in words. It tells what the audit checked and found, and never what a site is. */
import { counted, grouped } from '../base/count-words.ts';
import type { AcceptedFinding } from '../core/gates/baseline.ts';
import type { GateResult, AuditVerdict } from '../core/gates/verdict.ts';
import { SEVERITIES, type Finding, type Severity } from '../model/finding.ts';
import type { AuditReport } from './audit-report.ts';
import { shareWords } from './coverage-words.ts';
import { shownText } from './shown-text.ts';
import { subjectWords, type SubjectWords } from './subject-words.ts';

/** A gate's condition and its result: `error: 12 findings (fails from 1)`. */
export function gateWords(gate: GateResult, noun: SubjectWords['noun']): string {
  switch (gate.kind) {
    case 'findings': {
      const name = gate.name === null ? 'not in the baseline' : nameWords(gate.name);
      return `${name}: ${counted(gate.count, noun)} (fails from ${grouped(gate.from)})`;
    }
    case 'pages':
      return `pages judged: ${grouped(gate.count)} (at least ${grouped(gate.least)})`;
    case 'coverage':
      return `coverage: ${shareWords(gate.share)} (at least ${shareWords(gate.least)})`;
  }
}

/** A gate of a severity counts the worse ones, too. */
function nameWords(name: string): string {
  return name === 'warning' || name === 'notice' ? `${name} or worse` : shownText(name);
}

/** One line: whether the audit passed, and which gates failed. */
export function verdictSentence({ result, verdict: { gates } }: AuditReport): string {
  const { noun } = subjectWords(result);
  const told = (some: readonly GateResult[]): string => some.map((gate) => gateWords(gate, noun)).join('; ');
  const failed = gates.filter((gate) => gate.failed);
  if (gates.length === 0) return 'No gate was set, so nothing could fail.';
  if (failed.length === 0) return `Passed: ${told(gates)}.`;
  return `Failed: ${told(failed)}.`;
}

/** The number of findings, and of each severity: `34 findings: 3 errors, 20 warnings, 11 notices.` */
export function countSentence({ result, verdict }: AuditReport): string {
  const { findings, coverage } = result;
  const { noun } = subjectWords(result);
  if (findings.length === 0) {
    const pages = coverage.compared === undefined ? 'judged page' : 'compared page';
    return `0 ${noun}s on ${counted(coverage.compared?.both ?? coverage.judged, pages)}.`;
  }
  const counts = severityCounts(findings);
  const words = SEVERITIES.flatMap((severity) => (counts[severity] === 0 ? [] : [counted(counts[severity], severity)]));
  const accepted = findings.filter(({ id }) => verdict.standings.get(id)?.kind === 'accepted').length;
  const known =
    verdict.comparison === null ? '' : ` ${grouped(accepted)} accepted, ${grouped(findings.length - accepted)} new.`;
  return `${counted(findings.length, noun)}: ${words.join(', ')}.${known}`;
}

export function severityCounts(findings: readonly Finding[]): Readonly<Record<Severity, number>> {
  const counts = { error: 0, warning: 0, notice: 0 };
  for (const { severity } of findings) counts[severity] += 1;
  return counts;
}

/** Facts about the baseline beside the counts, each in a sentence. */
export function baselineSentences({ comparison }: AuditVerdict): readonly string[] {
  if (comparison === null) return [];
  const { found, expired, stale, unseen } = comparison;
  if (!found) return ['There is no baseline yet, so every finding counts as new.'];
  return [
    ...(expired.length === 0
      ? []
      : [
          `${entries(expired, 'has', 'have')} expired and ${count(expired, 'counts', 'count')} as new: ${listed(expired)}.`,
        ]),
    ...(stale.length === 0 ? [] : [`${entries(stale, 'is', 'are')} stale, for the finding is gone: ${listed(stale)}.`]),
    ...(unseen.length === 0
      ? []
      : [
          `${entries(unseen, 'was', 'were')} not looked at this time, and stay${unseen.length === 1 ? 's' : ''} accepted.`,
        ]),
  ];
}

/** Entries that a sentence names. */
const NAMED = 5;

function listed(all: readonly AcceptedFinding[]): string {
  const named = all.slice(0, NAMED).map(({ rule, address, until }) => {
    const end = until === null ? '' : ` (until ${until})`;
    return `${shownText(rule, 80)} ${shownText(address, 160)}${end}`;
  });
  return [...named, ...(all.length > NAMED ? [`${grouped(all.length - NAMED)} more`] : [])].join(', ');
}

function entries(all: readonly AcceptedFinding[], one: string, several: string): string {
  return `${grouped(all.length)} ${count(all, 'entry', 'entries')} of the baseline ${count(all, one, several)}`;
}

function count(all: readonly AcceptedFinding[], one: string, several: string): string {
  return all.length === 1 ? one : several;
}
