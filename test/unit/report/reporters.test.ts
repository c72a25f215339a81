import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import AjvDraft04 from 'ajv-draft-04';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { auditText } from '../../../src/cli/text/audit-text.ts';
import { PLAIN } from '../../../src/cli/terminal/paint.ts';
import { findingGroups } from '../../../src/report/finding-groups.ts';
import { githubReport } from '../../../src/report/github-report.ts';
import { htmlReport } from '../../../src/report/html/html-report.ts';
import { jsonReport } from '../../../src/report/json-report.ts';
import { junitReport } from '../../../src/report/junit-report.ts';
import { markdownReport } from '../../../src/report/markdown-report.ts';
import { sarifReport } from '../../../src/report/sarif-report.ts';
import type { AcceptedFinding } from '../../../src/core/gates/baseline.ts';
import type { AuditResult } from '../../../src/model/finding.ts';
import { auditOf, AUDIT_RULES, reportOf, withHostileTexts } from '../../support/audit-results.ts';
import { junitFaults } from '../../support/junit-rules.ts';

const small = auditOf({ pages: 60, findings: 120 });
const clean = auditOf({ pages: 30, findings: 0 });
/** More findings than reports show of a rule or group; test/bench/report.mjs has the largest audit. */
const large = auditOf({ pages: 500, findings: 2_000 });
const hostile = withHostileTexts(auditOf({ pages: 40, findings: 60 }));
const accepting = {
  gates: [{ name: 'error', from: 1 }],
  minCoverage: 0.99,
  baseline: {
    content: {
      site: ['example.org'],
      accepted: small.findings.slice(0, 3).map(({ id, rule }) => ({
        id,
        rule,
        address: '/',
        message: null,
        reason: 'the old shop goes in spring',
        until: null,
      })),
    },
  },
};

const AUDITS = [
  ['a small audit', reportOf(small)],
  ['one with gates and a baseline', reportOf(small, accepting)],
  ['one without findings', reportOf(clean)],
  ['one of 2,000 findings', reportOf(large)],
  ['one of hostile pages', reportOf(hostile)],
] as const;

/** Findings of one rule, of which the baseline has all but the last. */
function mostlyAccepted(count: number): {
  readonly result: AuditResult;
  readonly accepted: readonly AcceptedFinding[];
} {
  const [first = expect.fail('no finding')] = small.findings;
  const findings = Array.from({ length: count }, (_, index) => ({
    ...{ ...first, evidence: {}, sources: { count: 1, first: [] } },
    id: String(index).padStart(16, '0'),
  }));
  const accepted = findings.slice(0, -1).map(({ id, rule }) => ({
    ...{ id, rule, address: '/', message: null, reason: 'known', until: null },
  }));
  return { result: { ...small, findings }, accepted };
}

describe('the SARIF report', () => {
  const path = createRequire(import.meta.url).resolve('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json');
  // the formats are those of draft 4; `uri-reference` came later, and the same package checks it
  const ajv = new AjvDraft04.default({ strict: false, allErrors: true, unicodeRegExp: false });
  addFormats.default(ajv as never);
  const validate = ajv.compile(JSON.parse(readFileSync(path, 'utf8')) as object);

  it.each(AUDITS)('of %s is valid by the published schema', (_name, report) => {
    const content: unknown = JSON.parse(sarifReport(report));
    validate({ ...(content as object), $schema: 'https://example.org/schema.json' });
    expect(validate.errors).toBeNull();
  });

  it('is refused by that schema where it is not valid', () => {
    expect(validate({ version: '2.1.0', runs: [{ tool: {} }] })).toBe(false);
  });

  it('names pages by relative references, each with a line, as code scanning wants them', () => {
    for (const [, report] of AUDITS) {
      const [run] = sarifOf(report).runs;
      for (const result of run?.results ?? []) {
        const [{ physicalLocation } = expect.fail('no location')] = result.locations;
        expect(physicalLocation.artifactLocation.uri).toMatch(/^[\w.~!'()*%-]+(?:\/[\w.~!'()*%-]+)*$/);
        expect(physicalLocation.artifactLocation.uri).not.toMatch(/(?:^|\/)\.\.?(?:\/|$)/);
        expect(physicalLocation.region.startLine).toBe(1);
      }
    }
    const uris = sarifOf(reportOf(small)).runs[0]?.results.map(
      (each) => each.locations[0]?.physicalLocation.artifactLocation.uri,
    );
    expect(uris).toContain('index.html');
  });

  it('has a rule object for each rule, to which results refer, and ids that stay', () => {
    const [run] = sarifOf(reportOf(small)).runs;
    const rules = run?.tool.driver.rules.map(({ id }) => id) ?? [];
    expect(rules).toEqual(AUDIT_RULES.map(({ id }) => id));
    for (const [index, result] of (run?.results ?? []).entries()) {
      expect(rules[result.ruleIndex]).toBe(result.ruleId);
      expect(result.partialFingerprints['primaryLocationLineHash']).toBe(`${small.findings[index]?.id ?? ''}:1`);
    }
  });

  it('leaves out what is accepted before what is new', () => {
    const { result, accepted } = mostlyAccepted(25_002);
    const report = reportOf(result, { baseline: { content: { site: ['example.org'], accepted } } });
    const results = sarifOf(report).runs[0]?.results ?? [];
    expect(results).toHaveLength(25_000);
    expect(results.filter(({ baselineState }) => baselineState === 'new')).toHaveLength(1);
  });

  it('says what the baseline accepts as suppressed, with the reason', () => {
    const results = sarifOf(reportOf(small, accepting)).runs[0]?.results ?? [];
    const suppressed = results.filter(({ suppressions }) => suppressions !== undefined);
    expect(suppressed.length).toBe(3);
    expect(suppressed[0]?.suppressions?.[0]?.justification).toBe('the old shop goes in spring');
    expect(new Set(results.map(({ baselineState }) => baselineState))).toEqual(new Set(['unchanged', 'new']));
  });
});

interface Sarif {
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
    readonly results: readonly {
      readonly ruleId: string;
      readonly ruleIndex: number;
      readonly baselineState?: string;
      readonly suppressions?: readonly { readonly justification: string }[];
      readonly partialFingerprints: Readonly<Record<string, string>>;
      readonly locations: readonly {
        readonly physicalLocation: {
          readonly artifactLocation: { readonly uri: string };
          readonly region: { readonly startLine: number };
        };
      }[];
    }[];
  }[];
}

function sarifOf(report: Parameters<typeof sarifReport>[0]): Sarif {
  return JSON.parse(sarifReport(report)) as Sarif;
}

describe('the JUnit report', () => {
  const schema = readFileSync(new URL('../../support/junit.xsd', import.meta.url), 'utf8');
  const faultsOf = async (contents: string): Promise<readonly string[]> => {
    const xml = { fileName: 'junit.xml', contents };
    const { errors } = await validateXML({ xml, schema, maxMemoryPages: 8192 });
    return errors.map(({ message }) => message);
  };

  it.each(AUDITS)('of %s is valid by the published schema', async (_name, report) => {
    expect(await faultsOf(junitReport(report))).toEqual([]);
  });

  it('has what fails, however much of the rule is accepted', () => {
    const { result, accepted } = mostlyAccepted(2_002);
    const xml = junitReport(reportOf(result, { baseline: { content: { site: ['example.org'], accepted } } }));
    expect(xml.match(/<failure /g)).toHaveLength(1);
    expect(xml).toContain('[0000000000002001]');
    expect(xml).toContain('2 further findings of this rule');
  });

  it('is refused by that schema where it is not valid', async () => {
    const xml = junitReport(reportOf(small));
    expect(await faultsOf(xml.replaceAll('<failure ', '<fault '))).not.toEqual([]);
    expect(await faultsOf(xml.replaceAll('</testsuites>', ''))).not.toEqual([]);
  });

  it.each(AUDITS)('of %s keeps the rules of the schema', (_name, report) => {
    expect(junitFaults(junitReport(report))).toEqual([]);
  });

  it('begins with the coverage, whose demands are tests', () => {
    const xml = junitReport(reportOf(small, accepting));
    const [, first = ''] = xml.split('<testsuite ');
    expect(first).toContain('name="coverage"');
    expect(first).toContain('<failure type="coverage" message="coverage: ');
  });

  it('fails what a gate counts, skips what is accepted, and passes the rest', () => {
    const errors = small.findings.filter(({ severity }) => severity === 'error').length;
    const xml = junitReport(reportOf(small, { ...accepting, minCoverage: null }));
    expect(xml.match(/<failure /g)?.length).toBe(errors - 3);
    expect(xml.match(/<skipped message="accepted: the old shop goes in spring"/g)?.length).toBe(3);
    expect(junitReport(reportOf(small)).match(/<failure /g)?.length).toBe(small.findings.length);
  });
});

describe('the Markdown report', () => {
  it.each(AUDITS)('of %s begins with its marker and fits into a comment', (_name, report) => {
    const text = markdownReport(report);
    expect(text.startsWith('<!-- orbweaver-audit -->\n')).toBe(true);
    expect(text.length).toBeLessThan(65_536);
    expect(text.indexOf('**Coverage.**')).toBeLessThan(text.indexOf(' findings'));
  });

  it('fits into a comment with its notes, of groups and notes of any length', () => {
    const [first = expect.fail('no finding')] = small.findings;
    const findings = Array.from({ length: 180 }, (_, index) => {
      const group = `${first.rule} /${index % 60}`;
      const url = `https://example.org/${index}/${'a-long-way/'.repeat(25)}`;
      return { ...first, id: String(index), url, message: `The link to ${url} leads nowhere.`, group };
    });
    const notes = Array.from({ length: 30 }, (_, index) => `${index} ${'a_note_of_a_rule '.repeat(40)}`);
    const text = markdownReport(reportOf({ ...small, findings, notes }));
    expect(text.length).toBeLessThan(65_536);
    expect(text).toContain('further groups of findings');
    expect(text).toContain('### Notes');
  });

  it('is no markup of a page, and mentions nobody', () => {
    const text = markdownReport(reportOf(hostile)).replace(/^<!-- orbweaver-audit -->/, '');
    const outsideCode = text.replaceAll(/\\[^\w\s]/g, '').replaceAll(/(`+) ?[^\n]*?[^`]\1(?!`)/g, '');
    expect(outsideCode).not.toMatch(/<(?:img|script|!--)|@everyone|#1\b/);
    expect(text).toContain('@\u200beveryone');
  });

  it('has addresses as they are: GitHub takes a bare one with its escapes for a link', () => {
    const [first = expect.fail('no finding')] = small.findings;
    const url = 'https://en.wikipedia.org/wiki/Rope_splicing_(*knots*)?a=1&b=2';
    const messages = {
      [`Link to ${url}, which answers with status 404`]: `Link to \`${url}\`, which answers with status 404`,
      [`Of *it* (${url}).`]: `Of \\*it\\* (\`${url}\`).`,
      [`“HTTP://a.example/b_c\`d…”`]: '“`` HTTP://a.example/b_c`d ``…”',
    };
    for (const [message, shown] of Object.entries(messages))
      expect(markdownReport(reportOf({ ...small, findings: [{ ...first, message }] }))).toContain(`  - ${shown} `);
    const text = markdownReport(reportOf({ ...small, notes: [`of ${url}`] }));
    expect(text).toContain(`- of \`${url}\`\n`);
  });
});

describe('the annotations', () => {
  it.each(AUDITS)('of %s are workflow commands, at most ten of each kind', (_name, report) => {
    const lines = githubReport(report).trimEnd().split('\n');
    for (const kind of ['error', 'warning', 'notice'])
      expect(lines.filter((line) => line.startsWith(`::${kind} `)).length).toBeLessThanOrEqual(10);
    expect(lines.filter((line) => !/^::(?:error|warning|notice) title=[^:,\n]*::/.test(line))).toEqual([]);
    expect(lines[0]).toMatch(/^::notice title=Coverage::/);
  });
});

describe('a group of findings with accepted ones', () => {
  const [first = expect.fail('no finding')] = small.findings;
  const alike = Array.from({ length: 6 }, (_, index) => {
    const url = `https://example.org/blog/p${index}`;
    const sources = { count: index === 5 ? 1 : 50, first: [{ url }] };
    const severity = index === 5 ? ('warning' as const) : ('error' as const);
    return { ...first, id: String(index).padStart(16, '0'), url, severity, message: `Link to /gone-${index}`, sources };
  });
  const accepted = alike.slice(0, 5).map(({ id, rule }) => ({
    ...{ id, rule, address: '/', message: null, reason: 'known', until: null },
  }));
  const report = reportOf(
    { ...small, findings: alike },
    { baseline: { content: { site: ['example.org'], accepted } } },
  );

  it('is reported by the one that is new', () => {
    const terminal = auditText(report, { paint: PLAIN, width: 100, ends: [] });
    for (const text of [markdownReport(report), githubReport(report), terminal]) {
      expect(text).toContain('Link to /gone-5');
      expect(text).not.toMatch(/gone-[0-4]/);
      expect(text).toContain('1 finding in 1 place');
    }
    expect(githubReport(report)).toMatch(/::warning .*first: https:\/\/example\.org\/blog\/p5/);
  });

  it('has the new one first, and counts the places of that one', () => {
    expect(findingGroups(report)[0]?.findings.map(({ message }) => message.slice(-1))).toEqual([...'501234']);
    const page = htmlReport(report, null);
    expect(page).toContain('1 new in 1 place, 5 accepted');
    expect(page).toMatch(/class="where muted">Link to \/gone-5/);
  });
});

describe('the JSON report', () => {
  it('begins with the coverage and has every finding with its standing', () => {
    const content = JSON.parse(jsonReport(reportOf(small, accepting))) as {
      readonly findings: readonly { readonly id: string; readonly standing: string; readonly reason?: string }[];
    };
    expect(Object.keys(content).slice(0, 3)).toEqual(['format', 'orbweaver', 'coverage']);
    expect(content.findings.map(({ id }) => id)).toEqual(small.findings.map(({ id }) => id));
    expect(content.findings[0]).toMatchObject({ standing: 'accepted', reason: 'the old shop goes in spring' });
  });
});

const TEXTS = [jsonReport, junitReport, markdownReport, githubReport, sarifReport] as const;

describe('all of them', () => {
  it('hold nothing that a terminal obeys or that turns a text round', () => {
    for (const reporter of TEXTS) {
      const text = reporter(reportOf(hostile)).replaceAll(/[\n\t]|\u200b/g, '');
      expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
      expect(text).not.toMatch(/##(?:vso|teamcity)?\[/); // a runner of CI that sees the report would obey
    }
  });

  it('of a comparison speak of differences, also where a gate counts them', () => {
    const against = { kind: 'crawl', folder: '/old', seeds: [], started: '2026-11-22T09:00:00.000Z' } as const;
    const report = reportOf(
      { ...large, against },
      {
        gates: [
          { name: 'notice', from: 1 },
          { name: 'error', from: 9 },
        ],
      },
    );
    const verdict = /notice or worse: [\d,]+ differences \(fails from 1\)/;
    const texts = [
      ...[junitReport(report), sarifReport(report), githubReport(report), markdownReport(report)],
      ...[
        htmlReport(report, '..').split('<script')[0] ?? '',
        auditText(report, { paint: PLAIN, width: 100, ends: [] }),
      ],
    ];
    for (const text of texts) {
      expect(verdict.test(text)).toBe(true);
      expect(text.match(/\d (?:further )?findings?\b/g)).toBeNull();
    }
  });

  it('never say what a site is, only what was looked at and found', () => {
    for (const reporter of TEXTS) {
      const text = reporter(reportOf(clean));
      expect(text).toMatch(/29 judged|judged/);
      expect(text).not.toMatch(/\baccessible\b|\bsecure\b|no problems|no issues|all good/i);
    }
  });
});
