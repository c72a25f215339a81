import { describe, expect, it, test } from 'vitest';
import { rawPaint } from '../../../src/render/measure/measure-load.ts';

const load = {
  ...{ url: 'https://example.org/', firstPaint: 1, largestPaint: null, largest: '<h1>', moved: '' },
  ...{ shifts: [{ at: 1, value: 0.1 }], tasks: [{ at: 1, duration: 60 }] },
};

describe('what a browser says of a load', () => {
  it('is taken with texts of a bounded length', () => {
    expect(rawPaint(load)).toEqual(load);
    expect(rawPaint({ ...load, largest: 'x'.repeat(9999) })?.largest.length).toBeLessThanOrEqual(200);
  });

  test.each([
    ['nothing', null],
    ['a time below zero', { ...load, firstPaint: -1 }],
    ['a shift of more than all', { ...load, shifts: [{ at: 1, value: 1e9 }] }],
    ['more tasks than are asked for', { ...load, tasks: Array.from({ length: 201 }, () => ({ at: 1, duration: 60 })) }],
    ['no number', { ...load, largestPaint: 'soon' }],
  ])('is none where it is %s', (_what, answer) => {
    expect(rawPaint(answer)).toBeNull();
  });
});
