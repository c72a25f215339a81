import { describe, expect, it } from 'vitest';
import { pictureComparison, type ComparedPictures } from '../../../src/report/html/picture-comparison.ts';

const COMPARED: ComparedPictures = {
  viewport: 'first',
  before: 'old/snapshots/3f/a.png',
  after: 'new/snapshots/3f/a.png',
  difference: 'pictures/a.png',
  share: 0.0123,
  uncompared: 0,
  regionsTotal: 12,
  regions: Array.from({ length: 12 }, (_, n) => ({
    x: n,
    y: 2,
    width: 30,
    height: 4,
    pixels: 5,
    selector: n === 0 ? '#a > p' : null,
  })),
};

describe('the comparison of pictures in a report', () => {
  it('shows both and the difference beside each other, and where they differ', () => {
    const { text } = pictureComparison(COMPARED);
    expect([...text.matchAll(/<img[^>]* src="([^"]+)"/g)].map(([, src]) => src)).toEqual([
      'old/snapshots/3f/a.png',
      'new/snapshots/3f/a.png',
      'pictures/a.png',
      'new/snapshots/3f/a.png',
      'old/snapshots/3f/a.png',
    ]);
    expect(text).toContain('1.23 % differ, in 12 regions.');
    expect(text).toContain('<code>#a &gt; p</code>: 30 × 4 at 0, 2, 5 pixels');
    expect(text).toContain('2 more');
  });

  it('has no slider where one of the pictures is missing, and hides it until a script runs', () => {
    expect(pictureComparison(COMPARED).text).toContain('<div class="slider" hidden>');
    const { text } = pictureComparison({ ...COMPARED, before: null });
    expect(text).not.toContain('slider');
    expect(text).toContain('Before: none');
  });

  it.each(['https://elsewhere.example/a.png', '/a.png', 'javascript:alert(1).png', 'a.png" onerror="x', 'a.html'])(
    'refers to no picture at %s',
    (before) => {
      const { text } = pictureComparison({ ...COMPARED, before });
      expect(text).not.toContain(`="${before.slice(0, 6)}`);
      expect(text).toContain('Before: none');
    },
  );

  it('says what is less than can be said, the window, and what only one has', () => {
    const { text } = pictureComparison({ ...COMPARED, share: 0.000001, viewport: '375x812', uncompared: 1200 });
    expect(text).toContain('Window of 375x812 pixels: less than 0.01 % differ');
    expect(text).toContain('1,200 pixels only one of them has');
  });
});
