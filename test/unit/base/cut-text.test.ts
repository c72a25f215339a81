import { expect, it } from 'vitest';
import { cutText } from '../../../src/base/cut-text.ts';
import { collectGarbage } from '../../support/collect-garbage.ts';

it('keeps the beginning of a long text, and a short one as it is', () => {
  expect(cutText('abc', 3)).toBe('abc');
  expect(cutText('abcd', 3)).toBe('abc');
  expect(cutText('a\u{1f600}', 2)).toBe('a\ud83d');
});

it('does not keep what follows', () => {
  const before = process.memoryUsage().heapUsed;
  const kept = Array.from({ length: 200 }, (_, index) => cutText(`${index}${'x'.repeat(2_000_000)}`, 8000));
  expect(kept.every((text) => text.length === 8000)).toBe(true);
  collectGarbage();
  // 400 MB as slices
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(50_000_000);
});
