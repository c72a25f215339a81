import { expect, test } from 'vitest';
import { urlPattern } from '../../../../src/core/traps/pattern.ts';
import { url } from '../../../support/frontier-nouns.ts';

const of = (path: string): string => urlPattern(url(`https://a.example${path}`));

test.each([
  ['/', '/'],
  ['/about', '/*'],
  ['/about/', '/*/'],
  ['/docs/intro.html', '/docs/*.html'],
  ['/docs/usage.HTML', '/docs/*.html'],
  ['/2024/05/a-title', '/#/#/*'],
  ['/calendar/2024-05/31', '/calendar/#-#/*'],
  ['/u/3f2a9c01d4/posts/1', '/u/@/posts/*'],
  ['/u/123e4567-e89b-12d3-a456-426614174000/', '/u/*/'],
  ['/b/123e4567-e89b-12d3-a456-426614174000/x', '/b/@/*'],
  ['/item/page2/x', '/item/page#/*'],
  ['/decade/facade/x', '/decade/facade/*'],
  ['/a-title-that-is-a-name-of-one/x', '/*/*'],
  ['/a/b/a/b/a/b/a/b/c', '/a/b/a/**/*'],
  ['/shop?colour=red&size=1', '/*?colour&size'],
  ['/shop?size=2&colour=blue', '/*?colour&size'],
  ['/shop?a=1&b=2&c=3&d=4', '/*?a&b&c&**'],
  ['/shop?a=1&b=2&c=3&e=5&f=6', '/*?a&b&c&**'],
  ['/list?filter1=a', '/*?filter#'],
])('%s is of the pattern %s', (path, pattern) => {
  expect(of(path)).toBe(pattern);
});

test('a pattern has a bounded length, whatever the URL', () => {
  expect(of(`/${'a.b/'.repeat(300)}?${'x'.repeat(500)}=1`).length).toBeLessThanOrEqual(100);
});
