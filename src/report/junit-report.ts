/**
 * JUnit XML in the form that Jenkins, GitLab and others read: a suite for each rule, a test for each finding. A finding that a gate counts
 * fails, an accepted one is skipped. The first suite is the coverage.
 */
import { escapeXml } from './escape.ts';
import type { AuditReport } from './audit-report.ts';
import { counted } from '../base/count-words.ts';
import type { GateResult, AuditVerdict } from '../core/gates/verdict.ts';
import type { Finding, RuleInfo } from '../model/finding.ts';
import { coverageSentences } from './coverage-words.ts';
import { evidenceLines, sourceLines } from './evidence-lines.ts';
import { rulesById } from './finding-groups.ts';
import { shownText } from './shown-text.ts';
import { subjectWords, type SubjectWords } from './subject-words.ts';
import { baselineSentences, gateWords, verdictSentence } from './verdict-words.ts';

interface TestCase {
  readonly name: string;
  readonly className: string;
  readonly kind: 'passed' | 'failure' | 'skipped';
  readonly message: string;
  readonly text: string;
}

interface Suite {
  readonly name: string;
  readonly cases: readonly TestCase[];
  readonly output: readonly string[];
}

/** Tests of a suite; further findings are counted in its output. */
const MOST_CASES = 2_000;
/** Where there are more, what comes last is cut. */
const ORDER: Readonly<Record<TestCase['kind'], number>> = { failure: 0, passed: 1, skipped: 2 };

export function junitReport(report: AuditReport): string {
  const suites = [coverageSuite(report), ...ruleSuites(report)];
  const all = suites.flatMap(({ cases }) => cases);
  const failures = all.filter(({ kind }) => kind === 'failure').length;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="orbweaver ${subjectWords(report.result).name}" tests="${all.length}" failures="${failures}" errors="0">`,
    ...suites.map((suite) => suiteText(suite, report.result.started)),
    '</testsuites>',
    '',
  ].join('\n');
}

function coverageSuite(report: AuditReport): Suite {
  const { result, verdict } = report;
  const { noun } = subjectWords(result);
  const sentences = coverageSentences(result.coverage);
  const gates = verdict.gates.filter(({ kind }) => kind !== 'findings');
  return {
    name: 'coverage',
    cases: [
      { name: sentences[0] ?? '', className: 'coverage', kind: 'passed', message: '', text: '' },
      ...gates.map((gate) => gateCase(gate, noun)),
    ],
    output: [...sentences, verdictSentence(report), ...baselineSentences(verdict), ...result.notes],
  };
}

function gateCase(gate: GateResult, noun: SubjectWords['noun']): TestCase {
  const words = gateWords(gate, noun);
  const name = gate.kind === 'pages' ? 'enough pages were judged' : 'the coverage is large enough';
  return { name, className: 'coverage', kind: gate.failed ? 'failure' : 'passed', message: words, text: words };
}

function ruleSuites({ result, verdict }: AuditReport): readonly Suite[] {
  const byRule = new Map<string, Finding[]>(result.rules.map(({ id }) => [id, []]));
  for (const finding of result.findings) {
    const known = byRule.get(finding.rule);
    if (known === undefined) byRule.set(finding.rule, [finding]);
    else known.push(finding);
  }
  const ruleOf = rulesById(result);
  const { noun } = subjectWords(result);
  return [...byRule].map(([id, findings]) => {
    const rule = ruleOf(id);
    const none = `0 ${noun}s on ${counted(result.coverage.judged, result.against === undefined ? 'judged page' : 'page')}`;
    const cases = findings
      .map((finding) => findingCase(finding, rule, verdict))
      .toSorted((one, other) => ORDER[one.kind] - ORDER[other.kind])
      .slice(0, MOST_CASES);
    const more = findings.length - cases.length;
    return {
      name: id,
      cases: cases.length > 0 ? cases : [{ name: none, className: id, kind: 'passed', message: '', text: '' }],
      output: [
        rule.title,
        ...(more > 0 ? [`${counted(more, `further ${noun}`)} of this rule: see the JSON report.`] : []),
      ],
    };
  });
}

/** Without gates every finding that is not accepted is a failure. */
function findingCase(finding: Finding, rule: RuleInfo, verdict: AuditVerdict): TestCase {
  const standing = verdict.standings.get(finding.id) ?? { kind: 'new' };
  const isFailure = verdict.gates.some(({ kind }) => kind === 'findings') ? verdict.counted.has(finding.id) : true;
  const kind = standing.kind === 'accepted' ? 'skipped' : isFailure ? 'failure' : 'passed';
  const message = standing.kind === 'accepted' ? `accepted: ${standing.entry.reason}` : finding.message;
  return {
    name: `${shownText(finding.message, 300)} [${finding.id}]`,
    className: rule.id,
    kind,
    message,
    text: [
      `${finding.severity}: ${rule.title}`,
      finding.message,
      ...sourceLines(finding),
      ...evidenceLines(finding.evidence).map(([name, value]) => `${name}: ${value}`),
      ...(rule.fix === '' ? [] : [`How to mend it: ${rule.fix}`]),
    ]
      .map((line) => shownText(line))
      .join('\n'),
  };
}

function suiteText({ name, cases, output }: Suite, started: string): string {
  const of = (kind: TestCase['kind']): number => cases.filter((each) => each.kind === kind).length;
  return [
    ` <testsuite name="${attribute(name)}" tests="${cases.length}" failures="${of('failure')}" errors="0" skipped="${of('skipped')}" timestamp="${attribute(started)}">`,
    ...cases.map(caseText),
    `  <system-out>${output.map((line) => escapeXml(shownText(line))).join('\n')}</system-out>`,
    ' </testsuite>',
  ].join('\n');
}

function caseText({ name, className, kind, message, text }: TestCase): string {
  const head = `  <testcase name="${attribute(name)}" classname="${attribute(className)}"`;
  switch (kind) {
    case 'passed':
      return text === '' ? `${head}/>` : `${head}><system-out>${escapeXml(text)}</system-out></testcase>`;
    case 'skipped':
      return `${head}><skipped message="${attribute(message)}"/></testcase>`;
    case 'failure':
      return `${head}><failure type="${attribute(className)}" message="${attribute(message)}">${escapeXml(text)}</failure></testcase>`;
  }
}

function attribute(text: string): string {
  return escapeXml(shownText(text, 400));
}
