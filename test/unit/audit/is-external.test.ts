import { expect, it } from 'vitest';
import { isExternal } from '../../../src/audit/link-book.ts';

const needs = { records: new Map(), isOwn: (url: string) => url.startsWith('https://example.org/') };

it.each([
  ['https://example.com/a', true],
  ['https://example.org/a', false],
  ['mailto:me@example.com', false],
  ['http://[broken/', false],
  ['http://', false],
  ['https://exa mple.com/', false],
])('%s as an external link: %s', (url, isOne) => {
  expect(isExternal(url, needs)).toBe(isOne);
});
