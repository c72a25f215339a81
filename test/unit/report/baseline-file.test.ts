import { describe, expect, it } from 'vitest';
import { CrawlError } from '../../../src/base/errors.ts';
import { baselineText, parseBaseline } from '../../../src/report/baseline-file.ts';

const ID = '0123456789abcdef';
const NUMBER_LIKE = '1234567890123456';
const ENTRY = {
  id: ID,
  rule: 'broken-link',
  address: '/blog/',
  message: 'The link to /old is answered with 404.',
  reason: 'known: #12',
  until: '2027-01-31',
};

const fault = (text: string): string => {
  try {
    parseBaseline(text, 'baseline.yaml');
  } catch (error) {
    if (error instanceof CrawlError && error.code === 'BASELINE_INVALID') return error.message;
    throw error;
  }
  return 'no fault';
};

describe('a baseline file', () => {
  it('reads as it was written, whatever its texts look like to YAML', () => {
    const baseline = {
      site: ['example.org'],
      accepted: [
        ENTRY,
        { ...ENTRY, id: NUMBER_LIKE, address: '/null', message: '- "x": {y} # z', reason: 'yes', until: null },
        { ...ENTRY, id: null, address: '/blog/*', message: null },
      ],
    };
    const text = baselineText(baseline, null);
    expect(parseBaseline(text, 'x')).toEqual(baseline);
    expect(text).toContain('# An entry without an id accepts');
    expect(text).toContain(`  - id: 0123456789abcdef\n    rule: broken-link\n    address: /blog/\n`);
  });

  it('is small: some 250 bytes for each finding', () => {
    const accepted = Array.from({ length: 100 }, (_, index) => ({ ...ENTRY, id: String(index).padStart(16, '0') }));
    expect(baselineText({ site: ['example.org'], accepted }, null).length).toBeLessThan(25_000);
  });

  it('keeps what people wrote at entries that stay', () => {
    const before = `version: 1\nsite: example.org\naccepted:\n  # asked the shop team\n  - id: ${ID}\n    rule: broken-link\n    address: /blog/\n    reason: known # for ever\n  - id: ffffffffffffffff\n    rule: broken-link\n    address: /gone\n    reason: known\n`;
    const { site, accepted } = parseBaseline(before, 'x');
    const after = baselineText(
      { site, accepted: [...accepted.slice(0, 1), { ...ENTRY, id: 'aaaaaaaaaaaaaaaa' }] },
      before,
    );
    expect(after).toContain('# asked the shop team');
    expect(after).toContain('reason: known # for ever');
    expect(after).not.toContain('/gone');
    expect(parseBaseline(after, 'x').accepted.map(({ id }) => id)).toEqual([ID, 'aaaaaaaaaaaaaaaa']);
  });

  it.each([
    [
      'an entry without a reason',
      `version: 1\naccepted:\n  - id: ${ID}\n    rule: broken-link\n    address: /blog/\n`,
      'baseline.yaml: entry 1 (broken-link /blog/) has no reason\nWrite why',
    ],
    ['an empty reason', `version: 1\naccepted:\n  - rule: a\n    address: /\n    reason: " "\n`, 'has no reason'],
    [
      'a date that is none',
      `version: 1\naccepted:\n  - rule: a\n    address: /\n    reason: x\n    until: 2027-02-30\n`,
      'until: is no date such as 2027-01-31',
    ],
    [
      'an unknown key',
      `version: 1\naccepted:\n  - rule: a\n    address: /\n    reason: x\n    untill: 2027-01-31\n`,
      'entry 1 (a /)',
    ],
    [
      'an id that is none',
      `version: 1\naccepted:\n  - id: xyz\n    rule: a\n    address: /\n    reason: x\n`,
      'id: is no id of a finding',
    ],
    [
      'the same finding twice',
      `version: 1\naccepted:\n${`  - {id: ${ID}, rule: a, address: /, reason: x}\n`.repeat(2)}`,
      `two entries accept the finding ${ID}`,
    ],
    ['a later version', 'version: 2\naccepted: []\n', 'is a baseline of version 2, and this program reads version 1'],
    ['another file', 'name: build\n', 'is no baseline: it names no version'],
    ['no YAML', 'a: [', 'this is no YAML'],
    ['an empty file', '', 'is no baseline'],
    [
      'aliases that multiply',
      `version: 1\na: &a [${'x,'.repeat(50)}]\nb: &b [${'*a,'.repeat(50)}]\nc: [${'*b,'.repeat(50)}]\n`,
      'baseline.yaml',
    ],
  ])('with %s is refused, and the message names the place and the cure', (_what, text, message) => {
    expect(fault(text)).toContain(message);
    expect(fault(text)).toContain('\n');
  });
});
