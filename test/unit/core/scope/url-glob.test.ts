import { describe, expect, test } from 'vitest';
import { globFault, urlGlob } from '../../../../src/core/scope/url-glob.ts';

describe('a glob of URLs', () => {
  test.each([
    ['https://example.org/', 'https://example.org/', true],
    ['https://example.org/', 'https://example.org/a', false],
    ['https://example.org/*', 'https://example.org/a', true],
    ['https://example.org/*', 'https://example.org/', true],
    ['https://example.org/*', 'https://example.org/a/b', false],
    ['https://example.org/**', 'https://example.org/a/b?c=d/e', true],
    ['https://example.org/*/x', 'https://example.org/a/x', true],
    ['https://example.org/a*c', 'https://example.org/abbc', true],
    ['https://example.org/a*c', 'https://example.org/abbcd', false],
    ['https://example.org/?page=*', 'https://example.org/?page=2', true],
    ['https://example.org/?page=*', 'https://example.org/xpage=2', false],
    ['https://example.org/a.b', 'https://example.org/axb', false],
    ['**', 'http://other.test:8080/x', true],
    ['*://*.example.org/**', 'https://shop.example.org/a', true],
    ['*://*.example.org/**', 'https://example.org/a', false],
    ['/shop/**', 'https://any.test/shop/a/b', true],
    ['/shop/**', 'https://any.test/x/shop/a', false],
    ['/', 'https://any.test/', true],
    ['/', 'https://any.test/a', false],
    ['/#!/list/*', 'https://any.test/#!/list/1', true],
  ])('%s and %s: %s', (glob, url, expected) => {
    expect(globFault(glob)).toBeNull();
    expect(urlGlob(glob)(url)).toBe(expected);
  });

  test.each(['', 'example.org/*', 'ftp://example.org/', '/'.repeat(1001)])('is not %s', (text) => {
    expect(globFault(text)).not.toBeNull();
  });
});
