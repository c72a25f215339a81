/** The result of an audit for a terminal: coverage, findings in the order in which to mend them, verdict. */
import { counted, grouped } from '../../base/count-words.ts';
import type { Severity } from '../../model/finding.ts';
import type { AuditReport } from '../../report/audit-report.ts';
import { coverageSentences, externalSentence } from '../../report/coverage-words.ts';
import { findingGroups, type FindingGroup } from '../../report/finding-groups.ts';
import { sinceWords, subjectWords } from '../../report/subject-words.ts';
import { shownText } from '../../report/shown-text.ts';
import { baselineSentences, countSentence, verdictSentence } from '../../report/verdict-words.ts';
import type { Paint } from '../terminal/paint.ts';
import { fold } from '../terminal/rows.ts';

interface AuditFrame {
  readonly paint: Paint;
  /** Columns; longer lines are folded. */
  readonly width: number;
  /** Lines below the verdict: the places of reports, how to begin a baseline. */
  readonly ends: readonly string[];
}

/** Groups that a terminal shows; the others are counted. */
const MOST_GROUPS = 12;
/** Findings of a group, and pages of a finding. */
const MOST_FINDINGS = 3;
const LABEL = 'warning'.length + 2;
const MARGIN = ' '.repeat(LABEL);

/** The text, without a line feed at its end. */
export function auditText(report: AuditReport, frame: AuditFrame): string {
  const { result, verdict } = report;
  const { paint, width } = frame;
  const groups = findingGroups(report).filter(({ open }) => open > 0);
  const shown = groups.slice(0, MOST_GROUPS);
  const more = groups.length - shown.length;
  const seeds = result.seeds.slice(0, 3).map((seed) => shownText(seed, 200));
  const external = externalSentence(result);
  const outcome = verdictSentence(report);
  const colour = verdict.gates.length === 0 ? paint.strong : verdict.passed ? paint.good : paint.bad;
  const paragraphs = [
    [
      paint.strong(`${subjectWords(result).title} ${seeds.join(', ')}`),
      ...fold(sinceWords(result) ?? '', width).filter((line) => line !== ''),
    ],
    [
      paint.strong('Coverage'),
      ...indented(coverageSentences(result.coverage), width),
      ...(external === '' ? [] : indented([external], width)),
    ],
    ...shown.map((group) => groupLines(group, frame, subjectWords(result).noun)),
    ...(more > 0
      ? [[paint.faint(`and ${counted(more, 'further group')} of ${subjectWords(result).noun}s: the reports have all`)]]
      : []),
    result.notes.slice(0, 5).flatMap((note) => fold(`${paint.notable('note')}  ${shownText(note)}`, width)),
    [
      ...fold(countSentence(report), width),
      ...baselineSentences(verdict).flatMap((sentence) => fold(sentence, width)),
      ...fold(outcome, width).map(colour),
      ...frame.ends,
    ],
  ];
  return paragraphs
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

function indented(sentences: readonly string[], width: number): readonly string[] {
  return sentences.flatMap((sentence) => fold(`  ${sentence}`, width));
}

const COLOURS: Readonly<Record<Severity, keyof Paint>> = { error: 'bad', warning: 'notable', notice: 'strong' };

function groupLines(
  { name, severity, rule, findings, open, places }: FindingGroup,
  { paint, width }: AuditFrame,
  noun: string,
): readonly string[] {
  const wide = width - LABEL;
  const inside = (text: string): readonly string[] => fold(text, wide).map((line) => MARGIN + line);
  const label = paint[COLOURS[severity]](severity.padEnd(LABEL));
  const [head = '', ...rest] = fold(shownText(rule.title), wide);
  const shown = findings.slice(0, Math.min(open, MOST_FINDINGS));
  return [
    label + paint.strong(head),
    ...rest.map((line) => MARGIN + paint.strong(line)),
    ...inside(`${counted(open, noun)} in ${counted(places, 'place')}  ${paint.faint(shownText(name, 200))}`),
    ...shown.flatMap(({ message, url, sources }, index) => [
      // pages of a template often say the very same
      ...(message === shown[index - 1]?.message ? [] : inside(`- ${shownText(message, 300)}`)),
      `${MARGIN}  ${shownText(url, 300)}${sources.count > 1 ? paint.faint(` and ${grouped(sources.count - 1)} more`) : ''}`,
    ]),
    ...(open > shown.length ? inside(paint.faint(`- and ${grouped(open - shown.length)} more`)) : []),
    ...(rule.fix === '' ? [] : inside(`Mend: ${shownText(rule.fix)}`)),
  ];
}
