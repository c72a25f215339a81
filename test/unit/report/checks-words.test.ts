import { describe, expect, it } from 'vitest';
import type { AccessibilityCoverage, PaintCoverage } from '../../../src/model/finding.ts';
import { accessibilitySentences } from '../../../src/report/accessibility-words.ts';
import { coverageSentences } from '../../../src/report/coverage-words.ts';
import { paintSentence } from '../../../src/report/paint-words.ts';

const checked = (parts: Partial<AccessibilityCoverage>): string =>
  accessibilitySentences({
    ...{ by: 'axe-core 4.14.1', pages: 'all', checked: 40, notChecked: {}, undecided: 0, ...parts },
  }).join(' ');
const measured = (parts: Partial<PaintCoverage>): string =>
  paintSentence({ measured: 4, failed: 0, left: 0, loads: 3, cores: 2, load: [0.4, 1.2], ...parts });

describe('the words on a check of accessibility', () => {
  it('say what was checked, and in any case how much such a check can see', () => {
    expect(checked({})).toMatch(
      /^Accessibility: axe-core 4\.14\.1 checked 40 judged pages\. An automatic check sees a part/,
    );
  });

  it('say what was not checked and why, and what it could not decide', () => {
    const words = checked({ notChecked: { 'timed-out': 2, failed: 1 }, undecided: 7 });
    expect(words).toContain('; not checked: 2 (did not end in time), 1 (broke on the page).');
    expect(words).toContain('It could not decide about 7 elements, which are no findings.');
    expect(checked({ undecided: 1 })).toContain('It could not decide about 1 element, which is no finding.');
  });

  it('count templates where one page of each was to be checked', () => {
    expect(checked({ pages: 'template', checked: 8, templates: { seen: 8, all: 9 } })).toContain(
      'checked 8 judged pages, of 8 of 9 page templates.',
    );
  });
});

describe('the words on measured paint', () => {
  it('have the machine beside the figures, and say where it was busy', () => {
    expect(measured({})).toBe(
      'Paint: 4 pages measured, one of each template, the median of 3 loads in real time. The machine has 2 cores, and a load of 0.4 before and 1.2 after.',
    );
    expect(measured({ load: [0.4, 2.5] })).toContain('2.5 after: it was busy, and figures of time are too high.');
  });

  it('say what could not be measured, and what was left out', () => {
    expect(measured({ failed: 1, left: 12 })).toContain('; 1 could not be measured, 12 further templates left out.');
  });
});

describe('the words on the coverage of an audit', () => {
  const seen = { expected: 30, seen: 29, judged: 20, notJudged: { 'error-page': 2 }, notJudgedPages: [], limits: [] };

  it('count pages alone, so that those judged and those not judged are all that were seen', () => {
    expect(coverageSentences({ ...seen, redirected: 6, files: 1 })).toEqual([
      '23 pages expected, 22 seen, 20 judged (87 % of the expected).',
      'Seen as well: 6 addresses that redirect, 1 file that is no page; they count as no pages.',
      'Not judged: 2 error pages.',
      'Not seen: 1 page.',
    ]);
    expect(coverageSentences({ ...seen, files: 1 })[1]).toBe(
      'Seen as well: 1 file that is no page; it counts as no page.',
    );
  });
});

describe('the words on the coverage of a comparison', () => {
  it('count pages that differ, and other addresses beside them', () => {
    const words = (others: object): string =>
      coverageSentences({
        ...{ expected: 18, seen: 18, judged: 18, notJudged: {}, notJudgedPages: [], limits: [] },
        compared: { before: 17, now: 17, both: 16, changed: 12, ...others },
      }).join(' ');
    expect(words({})).toBe('17 pages before, 17 now: 16 of both compared, 12 of all differ.');
    expect(words({ others: 1 })).toContain('12 of all differ, and 1 address that is no page.');
    expect(words({ others: 7 })).toContain('12 of all differ, and 7 addresses that are no pages.');
  });
});
