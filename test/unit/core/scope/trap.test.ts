import { describe, expect, it } from 'vitest';
import { trapIn } from '../../../../src/core/scope/trap.ts';
import { storedCanonicalUrl } from '../../../../src/model/url/canonical-url.ts';

const trap = (path: string): string | null => trapIn(storedCanonicalUrl(`https://example.org${path}`));

describe('trapIn', () => {
  it.each([
    '/',
    '/a/b/c/d/e/f',
    '/a/a',
    '/a/b/a/b',
    '/docs/api/docs/api',
    '/2011/11/11/11/11/',
    '/page/1/1/1/1/',
    '/a//a//',
    '/?a=1&b=2&c=3&d=4&e=5&f=6&g=7&h=8',
    `/${Array.from({ length: 20 }, (_, index) => `s${index}`).join('/')}`,
    '/a?x=/a/a/a/a/a',
    '/#/a/a/a/a/a',
  ])('finds nothing wrong with %s', (path) => {
    expect(trap(path)).toBeNull();
  });

  it.each([
    ['/a/a/a', 'path segment a is repeated more than 2 times in a row'],
    ['/x/a/a/a/y', 'path segment a is repeated more than 2 times in a row'],
    [
      '/hatchline/flyfactory/hatchline/flyfactory/hatchline/flyfactory/',
      'path segment hatchline/flyfactory is repeated more than 2 times in a row',
    ],
    ['/a/b/c/a/b/c/a/b/c', 'path segment a/b/c is repeated more than 2 times in a row'],
    ['/a/b/a/c/d/a/e/f/a', 'path segment a occurs more than 3 times'],
    [`/${Array.from({ length: 21 }, (_, index) => `s${index}`).join('/')}`, '21 path segments are more than 20'],
    ['/?a=1&b=2&c=3&d=4&e=5&f=6&g=7&h=8&i=9', '9 query parameters are more than 8'],
    ['/?a=1;b=2;c=3;d=4;e=5;f=6;g=7;h=8;i=9', '9 query parameters are more than 8'],
  ])('finds a trap in %s', (path, words) => {
    expect(trap(path)).toBe(words);
  });

  it('lets a relative-link trap of two names grow to fewer than a hundred URLs', () => {
    const grown = new Set<string>();
    const grow = (path: string): void => {
      for (const name of ['hatchline', 'flyfactory']) {
        const next = `${path}/${name}`;
        if (trap(next) !== null || grown.has(next)) continue;
        grown.add(next);
        grow(next);
      }
    };
    grow('');
    expect(grown.size).toBeLessThan(100);
  });
});
