import { describe, expect, test } from 'vitest';
import { milliseconds, minutes, type Milliseconds } from '../../../src/base/units.ts';
import { HungOperations } from '../../../src/render/idle/hung-operations.ts';
import { SAMPLE_EVERY } from '../../../src/render/limits/idle-limits.ts';

const POLL = 'GET https://example.org/api/wait?';
const NOW = milliseconds(1000);
const page = (number: number, cluster = 'items'): { url: string; cluster: string } => ({
  url: `https://example.org/${cluster}/${number}`,
  cluster,
});
const hung = (operations: HungOperations, pages: readonly { url: string; cluster: string }[]): void => {
  for (const one of pages) operations.hung(POLL, one, NOW);
};

describe('an operation that hangs', () => {
  test('is known after two pages of a cluster have waited in vain, and not after one', () => {
    const operations = new HungOperations();
    hung(operations, [page(1)]);
    expect(operations.isKnown(POLL, 'items', NOW)).toBe(false);
    hung(operations, [page(1)]); // the same page again does not count as another page
    expect(operations.isKnown(POLL, 'items', NOW)).toBe(false);
    hung(operations, [page(2)]);
    expect(operations.isKnown(POLL, 'items', NOW)).toBe(true);
  });

  test('is known on other clusters of the host after four pages', () => {
    const operations = new HungOperations();
    hung(operations, [page(1), page(2), page(3)]);
    expect(operations.isKnown(POLL, 'news', NOW)).toBe(false);
    hung(operations, [page(4)]);
    expect(operations.isKnown(POLL, 'news', NOW)).toBe(true);
  });

  test('one answer takes all of it back, and twice as many pages are wanted from then on', () => {
    const operations = new HungOperations();
    hung(operations, [page(1), page(2)]);
    operations.ended(POLL);
    expect(operations.isKnown(POLL, 'items', NOW)).toBe(false);
    hung(operations, [page(3), page(4), page(5)]);
    expect(operations.isKnown(POLL, 'items', NOW)).toBe(false);
    hung(operations, [page(6)]);
    expect(operations.isKnown(POLL, 'items', NOW)).toBe(true);
  });

  test('is waited for by one page in so many all the same', () => {
    const operations = new HungOperations();
    hung(operations, [page(1), page(2)]);
    const known = Array.from({ length: SAMPLE_EVERY * 2 }, () => operations.isKnown(POLL, 'items', NOW));
    expect(known.filter((is) => !is)).toHaveLength(2);
  });

  test('is forgotten in time', () => {
    const operations = new HungOperations();
    hung(operations, [page(1), page(2)]);
    const later: Milliseconds = milliseconds(NOW + minutes(11));
    expect(operations.isKnown(POLL, 'items', later)).toBe(false);
    expect(operations.isKnown(POLL, 'items', NOW)).toBe(false);
  });

  test('others of the host are none', () => {
    const operations = new HungOperations();
    hung(operations, [page(1), page(2)]);
    expect(operations.isKnown('GET https://example.org/api/list?', 'items', NOW)).toBe(false);
  });
});
