import { describe, expect, test } from 'vitest';
import { matchesUrl } from '../../../../src/core/scope/url-pattern.ts';
import { canonicalUrl } from '../../../../src/model/url/canonical-url.ts';
import { hostKeyOf } from '../../../../src/model/url/host-key.ts';
import { patternSource } from '../../../../src/model/url/pattern-source.ts';
import { urlShape } from '../../../../src/model/url/url-shape.ts';

/** The expression for the pattern of a URL of one host. */
function sourceFor(path: string): RegExp {
  const url = canonicalUrl(`https://a.example:8080${path}`);
  if (url === null) throw new Error(`no URL: ${path}`);
  const source = patternSource(hostKeyOf(url) + urlShape(url, 'program'));
  if (source === null) throw new Error(`no source for ${path}`);
  return new RegExp(source);
}

const whole = (path: string): string => canonicalUrl(`https://a.example:8080${path}`) ?? '';

/** One URL of each pattern, and another URL of the same pattern. */
const LIKE: readonly (readonly [one: string, other: string])[] = [
  ['/about', '/imprint'],
  ['/about/', '/imprint/'],
  ['/docs/intro.html', '/docs/usage.html'],
  ['/app1/users', '/app1/settings'],
  ['/app2/users', '/app2/settings'],
  ['/app1/users/7', '/app1/users/8'],
  ['/calendar/2024/05/31', '/calendar/1999/12/1'],
  ['/calendar/2024-05/31', '/calendar/2025-06/1'],
  ['/u/3f2a9c01d4/posts/1', '/u/99bb0c01aa/posts/x'],
  ['/a/b/c/d/e', '/a/b/c/x/y/z/e'],
  ['/a-title-that-is-a-name-of-one/x', '/another-title-that-is-long-enough/y'],
  ['/shop?colour=red&size=1', '/basket?size=2&colour=blue&size=3'],
  ['/shop?a=1&b=2&c=3&d=4', '/shop?e=5&b=2&c=3&a=4&f=1'],
  ['/shop?x', '/shop?x=%23'],
  ['/git?p=x.git;a=log;h=1', '/git?h=2;a=tree;p=y.git;h=3'],
  ['/git?w=1;x=2;y=3;z=4', '/git?z=1;y=1;x=1;w=1&v=1'],
  ['/v1.2/notes', '/v1.7/news'],
  ['/app1/#/users/7', '/app1/#/users/8?tab=1'],
  ['/app2/#/users/7', '/app2/#!/users/8'],
  ['/list?page=1#/a', '/other?page=2#/b'],
  ['/новости/2024/x', '/новости/1999/y'],
  ['/товары/х', '/товары/у'],
  ['/caf%C3%A9%20bar/a', '/caf%C3%A9%20bar/b'],
  ['/تقویم/۱۴۰۲/x', '/تقویم/۱۴۰۳/y'],
  ['/поиск?цвет=красный', '/магазин?цвет=синий'],
];

describe('the source of a pattern', () => {
  test.each(LIKE)('matches %s and %s', (one, other) => {
    expect(matchesUrl(sourceFor(one), whole(one))).toBe(true);
    expect(matchesUrl(sourceFor(one), whole(other))).toBe(true);
  });

  test.each(LIKE)('matches %s and none of another pattern', (one) => {
    const pattern = sourceFor(one);
    for (const [other] of LIKE)
      if (other !== one) expect([other, matchesUrl(pattern, whole(other))]).toEqual([other, false]);
    expect(pattern.test('https://b.example/about')).toBe(false);
    expect(pattern.test(whole('/'))).toBe(false);
  });

  test('of a folder matches all that is in it', () => {
    const folder = new RegExp(patternSource('https://a.example:8080/docs/**') ?? '(?!)');
    expect([whole('/docs/a'), whole('/docs/a/b?c=1'), whole('/docs2/a')].map((url) => folder.test(url))).toEqual([
      true,
      true,
      false,
    ]);
  });

  test('of a whole host is none, nor is that of what is no pattern', () => {
    expect(patternSource('https://a.example/**')).toBe(null);
    expect(patternSource('words')).toBe(null);
  });

  test('of a pattern that was cut matches what it was cut from', () => {
    const long = `/${'abc.de/'.repeat(3)}x?${'y'.repeat(90)}=1`;
    expect(sourceFor(long).test(whole(long))).toBe(true);
  });
});
