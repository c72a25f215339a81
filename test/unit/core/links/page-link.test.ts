import { expect, test } from 'vitest';
import { leadsToPage } from '../../../../src/core/links/page-link.ts';

const leads = (rel: readonly string[]): boolean => leadsToPage({ kind: 'link-element', context: 'link/@href', rel });

test.each([
  ['alternate', 'amphtml', 'archives', 'author', 'bookmark', 'canonical', 'help', 'index', 'license', 'me', 'next'],
  ['NEXT', 'prerender', 'prev', 'search', 'shortlink', 'sitemap', 'start', 'tag', 'up'],
])('each rel of %s and its likes makes a `link` to a page', (...relations) => {
  expect(relations.filter((rel) => !leads([rel]))).toEqual([]);
  expect(leads(['prefetch', ...relations])).toBe(true);
});

test.each([
  ['dns-prefetch', 'manifest', 'prefetch', 'preload', 'shortcut', 'stylesheet'],
  ['EditURI', 'https://api.w.org/', 'hub', 'import', 'micropub', 'openid.server', 'pingback', 'token_endpoint'],
  ['nofollow', 'profile', 'schema.dc', 'webmention', 'wlwmanifest'],
])('each rel of %s and its likes makes a `link` to no page', (...relations) => {
  expect(relations.filter((rel) => leads([rel]))).toEqual([]);
  expect(leads(relations)).toBe(false);
});

test('a `link` without a rel leads to no page, and one to an alternate part of the page neither', () => {
  expect([[], ['alternate', 'stylesheet'], ['Alternate', 'ICON']].map(leads)).toEqual([false, false, false]);
});
