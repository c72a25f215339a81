/** A summary for a job or a comment, in GitHub's Markdown: coverage, verdict, groups of findings. Fits into a comment. */
import { counted, grouped } from '../base/count-words.ts';
import type { AuditReport } from './audit-report.ts';
import { coverageSentences } from './coverage-words.ts';
import { findingGroups, type FindingGroup } from './finding-groups.ts';
import { shownText } from './shown-text.ts';
import { sinceWords, subjectWords, type SubjectWords } from './subject-words.ts';
import { baselineSentences, countSentence, gateWords, verdictSentence } from './verdict-words.ts';

/** The first line of every summary: a program finds by it the comment to update. */
const markerOf = (name: string): string => `<!-- orbweaver-${name} -->`;
/** A comment may have 65,536 characters. */
const MOST_CHARACTERS = 60_000;
const MOST_GROUPS = 50;
const MOST_NOTES = 20;
/** Pages of a group that are named. */
const NAMED = 3;

export function markdownReport(report: AuditReport): string {
  const { result, verdict } = report;
  const groups = findingGroups(report);
  const open = groups.filter(({ open: count }) => count > 0);
  const words = subjectWords(result);
  const since = sinceWords(result);
  const head = [
    markerOf(words.name),
    `## ${words.title} ${result.seeds.slice(0, 3).map(code).join(', ')}${since === null ? '' : ` ${plain(since)}`}`,
    `**Coverage.** ${coverageSentences(result.coverage).map(plain).join(' ')}`,
    `**${verdict.gates.length === 0 ? 'Verdict' : verdict.passed ? '✅ Passed' : '❌ Failed'}.** ${plain(countSentence(report))} ${plain(verdictWords(report))}`,
    ...gateTable(report),
    ...(baselineSentences(verdict).length === 0
      ? []
      : [`**Baseline.** ${baselineSentences(verdict).map(plain).join(' ')}`]),
    ...(open.length === 0 ? [] : [`### ${words.first}`]),
  ];
  const notes = notesText(result.notes);
  const parts: string[] = [...head];
  let length = [...head, ...notes].join('\n\n').length;
  let shown = 0;
  for (const group of open.slice(0, MOST_GROUPS)) {
    const text = groupText(group, words.noun);
    if (length + text.length > MOST_CHARACTERS) break;
    parts.push(text);
    length += text.length + 2;
    shown += 1;
  }
  if (shown < open.length)
    parts.push(`… and ${counted(open.length - shown, 'further group')} of ${words.noun}s: see the whole report.`);
  return `${[...parts, ...notes].join('\n\n')}\n`;
}

/** No paragraph where there are no notes. */
function notesText(notes: readonly string[]): readonly string[] {
  if (notes.length === 0) return [];
  const shown = notes.slice(0, MOST_NOTES).map((note) => `- ${plain(note)}`);
  return [`### Notes\n\n${shown.join('\n')}`];
}

/** The verdict; empty where the table of several gates shows it. */
function verdictWords(report: AuditReport): string {
  return report.verdict.gates.length > 1 ? '' : verdictSentence(report);
}

function gateTable({ result, verdict }: AuditReport): readonly string[] {
  const { noun } = subjectWords(result);
  if (verdict.gates.length < 2) return [];
  const rows = verdict.gates.map(
    (gate) => `| ${plain(gateWords(gate, noun))} | ${gate.failed ? '❌ failed' : '✅ passed'} |`,
  );
  return [['| gate | |', '|---|---|', ...rows].join('\n')];
}

const MARKS = { error: '🔴', warning: '🟠', notice: '🔵' } as const;

function groupText({ name, severity, rule, findings, open, places }: FindingGroup, noun: SubjectWords['noun']): string {
  const shown = findings
    .slice(0, Math.min(open, NAMED))
    .map(({ message, url }) => `  - ${plain(shownText(message, 300))} ${code(url)}`);
  const more = open - shown.length;
  return [
    `- ${MARKS[severity]} **${plain(rule.title)}**${placeOf(name)} (${severity}, ${counted(open, noun)} in ${counted(places, 'place')})`,
    ...shown,
    ...(more > 0 ? [`  - … and ${grouped(more)} more`] : []),
    ...(rule.fix === '' ? [] : [`  - *Mend:* ${plain(rule.fix)}`]),
  ].join('\n');
}

/** The template of a group's pages, which follows its rule in the name. */
function placeOf(name: string): string {
  const [, ...words] = name.split(' ');
  return words.length === 0 ? '' : ` ${code(words.join(' '))}`;
}

/** An address in a text, without the punctuation behind it; a closing bracket belongs to it where the opening one does. */
const ADDRESS = /((?:https?|ftp):\/\/(?:[^\s"'<>()]|\([^\s"'<>()]*\))*(?:[^\s"'<>().,;:!?\]}…“”‘’]|\([^\s"'<>()]*\)))/i;

/**
 * Text without Markdown, mentions and references to issues: GitHub looks for those two behind the parser, so a blank of no width parts them.
 * Addresses are code: bare ones become links before escapes are read, which would be parts of them (github/cmark-gfm#388).
 */
function plain(text: string): string {
  return shownText(text)
    .split(ADDRESS)
    .map((piece, index) => (index % 2 === 1 ? fenced(piece) : escaped(piece)))
    .join('');
}

function escaped(text: string): string {
  return text
    .replace(/[\\`*_{}[\]<>|~&!]/g, (character) =>
      character === '<' ? '&lt;' : character === '&' ? '&amp;' : `\\${character}`,
    )
    .replace(/([@#])(?=\w)/g, '$1\u200b');
}

/** A text as code. */
function code(text: string): string {
  return fenced(shownText(text, 300));
}

/** @param shown may hold backticks */
function fenced(shown: string): string {
  const longest = Math.max(0, ...(shown.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  const gap = longest > 0 ? ' ' : '';
  return `${fence}${gap}${shown}${gap}${fence}`;
}
