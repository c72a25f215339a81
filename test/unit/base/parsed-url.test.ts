import { expect, test } from 'vitest';
import { parsedUrl } from '../../../src/base/parsed-url.ts';
import { canonicalise } from '../../../src/model/url/canonical-url.ts';

test.each([
  ['http://site.test/a b', undefined, 'http://site.test/a%20b'],
  ['b', 'http://site.test/a/', 'http://site.test/a/b'],
  ['b', undefined, null],
  ['http://[', 'http://site.test/', null],
])('%s from %s is %s', (text, base, url) => {
  expect(parsedUrl(text, base)?.href ?? null).toBe(url);
});

test('a host whose name is written in other letters stays a URL however often it is read', () => {
  let refused = 0;
  for (let round = 0; round < 20_000; round += 1)
    if (canonicalise('http://bücher.example/', 'http://site.test/').kind === 'refused') refused += 1;
  expect(refused).toBe(0);
});
