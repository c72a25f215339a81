import { describe, expect, it } from 'vitest';
import {
  compareWithBaseline,
  strangeHosts,
  updatedBaseline,
  type AcceptedFinding,
} from '../../../../src/core/gates/baseline.ts';
import { gateTest, parseGate } from '../../../../src/core/gates/gate.ts';
import { judgeAudit, type Demands } from '../../../../src/core/gates/verdict.ts';
import { matchesWildcard } from '../../../../src/core/gates/wildcard.ts';
import type { AuditResult, Finding } from '../../../../src/model/finding.ts';
import { auditOf, AUDIT_RULES, NO_DEMANDS } from '../../../support/audit-results.ts';

const audit = auditOf({ pages: 80, findings: 200 });
const TODAY = '2026-11-23';

/** A baseline entry as it is by default. */
const entryOf = (
  finding: Pick<Finding, 'id' | 'rule' | 'url'>,
  more: Partial<AcceptedFinding> = {},
): AcceptedFinding => ({
  id: finding.id,
  rule: finding.rule,
  address: new URL(finding.url).pathname,
  message: null,
  reason: 'known',
  until: null,
  ...more,
});
const baselineOf = (accepted: readonly AcceptedFinding[]) => ({ site: ['example.org'], accepted });
const judge = (demands: Partial<Demands>, result: AuditResult = audit) =>
  judgeAudit(result, { ...NO_DEMANDS, ...demands });
const [first, second] = audit.findings;
if (first === undefined || second === undefined) throw new Error('no findings');
/** A judged page without a finding. */
const quiet = audit.pages.find(
  ({ url, judged }) => judged === true && !audit.findings.some((each) => each.url === url),
);
const unjudged = audit.pages.find(({ judged }) => judged !== true);
const GONE = 'ffffffffffffffff';

describe('a gate', () => {
  it.each([
    ['error', 'error', 1],
    ['broken-link:5', 'broken-link', 5],
    ['missing-description /blog/*:20', 'missing-description /blog/*', 20],
    [' links:100 ', 'links', 100],
  ])('%j names what fails, and from how many on', (text, name, from) => {
    expect(parseGate(text)).toEqual({ name, from });
  });

  it.each(['', ' ', 'x'.repeat(501)])('%j is none', (text) => {
    expect(parseGate(text)).toBeNull();
  });

  it('with 0 is the name of nothing, for every audit would fail', () => {
    expect(gateTest(parseGate('error:0') ?? { name: '', from: 1 }, AUDIT_RULES)).toBeNull();
  });

  it.each([
    ['error', ({ severity }: Finding) => severity === 'error'],
    ['warning', ({ severity }: Finding) => severity !== 'notice'],
    ['notice', () => true],
    ['broken-link', ({ rule }: Finding) => rule === 'broken-link'],
    [
      'accessibility',
      ({ rule }: Finding) => ['image-without-alt', 'field-without-label', 'low-contrast'].includes(rule),
    ],
    [first.group, ({ group }: Finding) => group === first.group],
  ])('%s counts these findings and no others', (name, isCounted) => {
    const [gate] = judge({ gates: [{ name, from: 1 }] }).gates;
    expect(gate).toMatchObject({ kind: 'findings', count: audit.findings.filter(isCounted).length, failed: true });
  });

  it('fails from its number on', () => {
    const count = audit.findings.filter(({ severity }) => severity === 'error').length;
    expect(judge({ gates: [{ name: 'error', from: count }] }).passed).toBe(false);
    expect(judge({ gates: [{ name: 'error', from: count + 1 }] }).passed).toBe(true);
  });

  it('of a group of a known rule may find nothing; of an unknown rule it stands for nothing', () => {
    expect(judge({ gates: [{ name: 'broken-link /mended/*', from: 1 }] }).passed).toBe(true);
    expect(gateTest({ name: 'broken-lnk /blog/*', from: 1 }, AUDIT_RULES)).toBeNull();
    expect(gateTest({ name: 'errors', from: 1 }, AUDIT_RULES)).toBeNull();
  });

  it('fails where too little was judged', () => {
    const { judged, expected } = audit.coverage;
    expect(judge({ minPages: judged }).passed).toBe(true);
    expect(judge({ minPages: judged + 1 }).passed).toBe(false);
    expect(judge({ minCoverage: judged / expected }).passed).toBe(true);
    expect(judge({ minCoverage: 0.99 }).passed).toBe(false);
    const nothing = { ...audit, coverage: { ...audit.coverage, expected: 0, seen: 0, judged: 0 } };
    expect(judge({ minCoverage: 0.01 }, nothing).passed).toBe(false);
  });

  it('is needed to fail: without any an audit passes, whatever was found', () => {
    expect(judge({})).toMatchObject({ passed: true, gates: [], comparison: null });
  });
});

describe('a baseline', () => {
  it('alone fails with anything new, and with nothing else', () => {
    const all = baselineOf(audit.findings.map((finding) => entryOf(finding)));
    expect(judge({ baseline: { content: all } }).passed).toBe(true);
    expect(judge({ baseline: { content: baselineOf(all.accepted.slice(1)) } })).toMatchObject({
      passed: false,
      gates: [{ name: null, count: 1 }],
    });
  });

  it('with gates leaves them to count what is new', () => {
    const errors = audit.findings.filter(({ severity }) => severity === 'error');
    const content = baselineOf(errors.map((finding) => entryOf(finding)));
    expect(judge({ gates: [{ name: 'error', from: 1 }], baseline: { content } })).toMatchObject({
      passed: true,
      gates: [{ count: 0 }],
    });
    expect(judge({ gates: [{ name: 'warning', from: 1 }], baseline: { content } }).passed).toBe(false);
  });

  it('that is not there yet accepts nothing', () => {
    expect(judge({ baseline: { content: null } })).toMatchObject({
      passed: false,
      comparison: { found: false, stale: [] },
    });
  });

  it('accepts through the last day, and names what has expired', () => {
    const standing = (until: string) =>
      compareWithBaseline(audit, baselineOf([entryOf(first, { until })]), TODAY).standings.get(first.id)?.kind;
    expect(standing('2026-11-23')).toBe('accepted');
    expect(standing('2026-11-22')).toBe('expired');
    const { comparison } = compareWithBaseline(audit, baselineOf([entryOf(first, { until: '2026-11-22' })]), TODAY);
    expect(comparison.expired.map(({ id }) => id)).toEqual([first.id]);
  });

  it('accepts by rule and address where an entry has no id', () => {
    const entry = entryOf(first, { id: null, address: '/*' });
    const { standings } = compareWithBaseline(audit, baselineOf([entry]), TODAY);
    for (const { id, rule } of audit.findings)
      expect(standings.get(id)?.kind).toBe(rule === first.rule ? 'accepted' : 'new');
  });

  it('calls an entry stale only where its page was judged by its rule', () => {
    const gone = (url: string, rule = first.rule) => entryOf({ id: GONE, rule, url });
    const of = (entry: AcceptedFinding, result: AuditResult = audit) => {
      const { stale, unseen } = compareWithBaseline(result, baselineOf([entry]), TODAY).comparison;
      return stale.length === 1 ? 'stale' : unseen.length === 1 ? 'unseen' : 'used';
    };
    expect(of(gone(quiet?.url ?? ''))).toBe('stale');
    expect(of(gone(unjudged?.url ?? ''))).toBe('unseen');
    expect(of(gone('https://example.org/not-crawled'))).toBe('unseen');
    expect(of(gone(quiet?.url ?? '', 'rule-of-tomorrow'))).toBe('unseen');
    expect(of(gone('https://example.org/robots.txt', 'robots-blocks-resources'))).toBe('stale');
    expect(of(entryOf(first))).toBe('used');
    expect(of({ ...gone('https://example.org/'), id: null, rule: 'mixed-content', address: '/blog/*' })).toBe('stale');
    expect(of({ ...gone('https://example.org/'), id: null, rule: 'mixed-content', address: '/nowhere/*' })).toBe(
      'unseen',
    );
  });

  it.each([
    ['ok', 'stale'],
    ['unsure', 'unseen'],
    ['blocked', 'unseen'],
    ['not-asked', 'unseen'],
  ])('where an external link of the page is %s calls an entry for a broken one %s', (verdict, word) => {
    const url = quiet?.url ?? '';
    const [rule] = audit.rules;
    if (rule === undefined) throw new Error('no rules');
    const sources = { count: 1, first: [{ url }] };
    const result: AuditResult = {
      ...audit,
      rules: [{ ...rule, id: 'broken-external-link', category: 'links' }],
      external: [{ url: 'https://other.example/', verdict, status: null, sources }],
    };
    const entry = entryOf({ id: GONE, rule: 'broken-external-link', url });
    const { stale, unseen } = compareWithBaseline(result, baselineOf([entry]), TODAY).comparison;
    expect([stale.length, unseen.length]).toEqual(word === 'stale' ? [1, 0] : [0, 1]);
  });

  it('never fails for what is stale', () => {
    const content = baselineOf([...audit.findings.map((finding) => entryOf(finding)), entryOf({ ...first, id: GONE })]);
    const verdict = judge({ baseline: { content } });
    expect(verdict.passed).toBe(true);
  });

  it('holds on another port and on this machine, where findings have the same ids', () => {
    const moved = {
      ...audit,
      seeds: ['http://127.0.0.1:8080/'],
      findings: audit.findings.map((finding) => ({
        ...finding,
        url: finding.url.replace('https://example.org', 'http://127.0.0.1:8080'),
      })),
      pages: audit.pages.map((page) => ({
        ...page,
        url: page.url.replace('https://example.org', 'http://127.0.0.1:8080'),
      })),
    };
    const content = baselineOf([
      ...audit.findings.map((finding) => entryOf(finding)),
      entryOf({ id: GONE, rule: first.rule, url: quiet?.url ?? '' }),
    ]);
    const verdict = judge({ baseline: { content } }, moved);
    expect(verdict.passed).toBe(true);
    expect(verdict.comparison?.stale.length).toBe(1);
    expect(strangeHosts(content, moved.seeds)).toEqual([]);
  });

  it('is of the hosts that it names', () => {
    const of = (site: readonly string[], ...seeds: readonly string[]) => strangeHosts({ site, accepted: [] }, seeds);
    expect(of(['example.org'], 'https://example.org/')).toEqual([]);
    expect(of(['example.org'], 'https://example.com/')).toEqual(['example.com']);
    expect(of(['example.org', '*.preview.example'], 'https://pr-12.preview.example/')).toEqual([]);
    expect(of([], 'https://example.com/')).toEqual([]);
  });

  it('is updated: what is new is added, what is gone left out, the rest stays, and all is sorted', () => {
    const stale = entryOf({ id: GONE, rule: first.rule, url: quiet?.url ?? '' });
    const unseen = entryOf({ id: 'eeeeeeeeeeeeeeee', rule: first.rule, url: 'https://example.org/not-crawled' });
    const expired = entryOf(second, { until: '2020-01-01' });
    const before = baselineOf([unseen, stale, expired]);
    const { comparison, standings } = compareWithBaseline(audit, before, TODAY);
    const fresh = audit.findings.filter(({ id }) => standings.get(id)?.kind === 'new');
    const { accepted } = updatedBaseline(before, audit, comparison, { findings: fresh, reason: 'was there' });
    expect(accepted).toContain(unseen);
    expect(accepted).toContain(expired);
    expect(accepted).not.toContain(stale);
    expect(accepted.length).toBe(audit.findings.length + 1);
    const keys = accepted.map(({ rule, address, id }) => [rule, address, id ?? ''].join('\n'));
    expect(keys).toEqual(keys.toSorted());
  });
});

describe('a wildcard', () => {
  it.each([
    ['/blog/*', '/blog/one', true],
    ['/blog/*', '/blog', false],
    ['*', '', true],
    ['/a*b*c', '/a-c-b-c', true],
    ['/a*b*c', '/a-c-b', false],
    ['/aa*aa', '/aaa', false],
    ['/exact', '/exact', true],
    ['/exact', '/exactly', false],
  ])('%s and %s: %s', (pattern, text, isMatch) => {
    expect(matchesWildcard(pattern, text)).toBe(isMatch);
  });
});
