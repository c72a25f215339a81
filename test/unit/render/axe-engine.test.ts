import { describe, expect, it, test } from 'vitest';
import { CrawlError } from '../../../src/base/errors.ts';
import { exitCodeOfError } from '../../../src/cli/exit-code.ts';
import { storedCanonicalUrl } from '../../../src/model/url/canonical-url.ts';
import { loadAxeEngine } from '../../../src/render/axe/axe-engine.ts';
import { diagnoseAxe } from '../../../src/render/axe/diagnose-axe.ts';
import { AxeSample } from '../../../src/render/axe/axe-sample.ts';
import { axeCheck } from '../../../src/render/axe/check-page.ts';
import { AXE_NODES, AXE_TEXT } from '../../../src/render/limits/axe-limits.ts';

describe('the engine that checks accessibility', () => {
  test.each([
    ['is not installed', () => Promise.reject(new Error('Cannot find module'))],
    ['has no rules', () => Promise.resolve({ version: '1', script: '', rules: [] })],
  ])('that %s stops the program with the command that installs it', async (_what, load) => {
    const error: unknown = await loadAxeEngine(load).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CrawlError);
    expect(error).toMatchObject({
      code: 'PACKAGE_MISSING',
      message: expect.stringMatching(/\nInstall it: npm install axe-core@\d+\.\d+\.\d+$/),
    });
    expect(exitCodeOfError(error)).toBe(2);
  });

  it('that is missing makes a machine no less fit, and doctor names the command', async () => {
    const missing = await diagnoseAxe(() => loadAxeEngine(() => Promise.reject(new Error('gone'))));
    expect(missing).toMatchObject({ ok: true, cure: expect.stringMatching(/^npm install axe-core@/) });
    expect(await diagnoseAxe()).toMatchObject({ ok: true, cure: null });
  });

  it('knows its rules, with the pages about them', async () => {
    const { rules, version } = await loadAxeEngine();
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(rules.length).toBeGreaterThan(80);
    expect(rules.find(({ id }) => id === 'image-alt')).toMatchObject({
      help: expect.stringContaining('alternative text'),
      helpUrl: expect.stringMatching(/^https:\/\/dequeuniversity\.com\/.*image-alt/),
    });
  });
});

describe('what a page says of its check', () => {
  const rules = new Set(['image-alt', 'label', ...Array.from({ length: 50 }, (_, at) => `rule-${at}`)]);
  const node = { selector: 'img', snippet: '<img>', why: 'It has no alt' };
  const broken = (rule: string, count = 1): object => ({ rule, impact: 'critical', nodes: { count, first: [node] } });

  it('has rules that there are, impacts that there are, and texts of a bounded length', () => {
    const long = { selector: 's'.repeat(9999), snippet: '<'.repeat(9999), why: 'w'.repeat(9999) };
    const violations = [
      broken('image-alt', 7),
      broken('made-up'),
      broken('__proto__'),
      { rule: 'label', impact: 'apocalyptic', nodes: { count: 0, first: [long] } },
    ];
    const check = axeCheck({ end: 'done', violations, undecided: 3 }, rules);
    expect(check?.violations.map(({ rule, impact, nodes }) => [rule, impact, nodes.count])).toEqual([
      ['image-alt', 'critical', 7],
      ['label', 'moderate', 1],
    ]);
    for (const text of Object.values(check?.violations[1]?.nodes.first[0] ?? {}))
      expect(text.length).toBeLessThanOrEqual(AXE_TEXT);
  });

  it('lists a bounded number of elements, of each rule one at least', () => {
    const first = Array.from({ length: 20 }, () => node);
    const violations = Array.from({ length: 50 }, (_, at) => ({
      rule: `rule-${at}`,
      impact: 'minor',
      nodes: { count: 20, first },
    }));
    const check = axeCheck({ end: 'done', violations, undecided: 0 }, rules);
    const listed = check?.violations.map(({ nodes }) => nodes.first.length) ?? [];
    expect(listed).toHaveLength(50);
    expect(Math.min(...listed)).toBe(1);
    expect(listed.reduce((sum, count) => sum + count, 0)).toBeLessThan(AXE_NODES + 50);
  });

  test.each([
    ['nothing', undefined],
    ['another shape', { end: 'done', violations: 'none', undecided: 0 }],
    ['an end that is none', { end: 'perfect', violations: [], undecided: 0 }],
    [
      'more elements than are asked for',
      {
        end: 'done',
        violations: [{ ...broken('label'), nodes: { count: 1, first: Array.from({ length: 21 }, () => node) } }],
        undecided: 0,
      },
    ],
    ['a count that is none', { end: 'done', violations: [], undecided: -1 }],
  ])('that is %s is none', (_what, answer) => {
    expect(axeCheck(answer, rules)).toBeNull();
  });
});

describe('the pages that are checked', () => {
  const [one, two, other] = ['/docs/one', '/docs/two', '/news/one'].map((path) =>
    storedCanonicalUrl(`https://example.org${path}`),
  );

  it('are all, or one of each template', () => {
    if (one === undefined || two === undefined || other === undefined) throw new Error('no URLs');
    expect([one, two, other].map((url) => new AxeSample('all').takes(url))).toEqual([true, true, true]);
    const sample = new AxeSample('template');
    expect([one, two, other].map((url) => sample.takes(url))).toEqual([true, false, true]);
    sample.ended(one, true);
    expect(sample.takes(two)).toBe(false);
  });

  it('have a page that could not be checked replaced by another of its template', () => {
    if (one === undefined || two === undefined) throw new Error('no URLs');
    const sample = new AxeSample('template');
    expect(sample.takes(one)).toBe(true);
    sample.ended(one, false);
    expect(sample.takes(two)).toBe(true);
  });
});
