import { describe, expect, it } from 'vitest';
import { isHint, prefetchTest } from '../../../../src/core/page-clusters/loaded-ahead.ts';
import type { FoundLink } from '../../../../src/model/link.ts';

const PAGE = 'https://a.test/guide/start/';

function link(kind: FoundLink['kind'], context: string, href: string, rel: readonly string[] = []): FoundLink {
  return {
    href,
    base: PAGE,
    resolved: null,
    kind,
    confidence: 'high',
    context,
    stage: 'load',
    frame: null,
    text: '',
    rel,
  };
}

describe('what scripts load ahead', () => {
  it.each([
    [['prefetch'], true],
    [['modulepreload'], true],
    [['preload', 'stylesheet'], false],
    [['next'], false],
    [[], false],
  ])('is a hint or not with rel=%j', (rel, expected) => {
    expect(isHint(link('link-element', 'link/@href', '/x', rel))).toBe(expected);
    expect(isHint(link('anchor', 'a/@href', '/x', rel))).toBe(false);
  });

  const isPrefetch = prefetchTest([
    link('anchor', 'a/@href', '../page/'),
    link('anchor', 'a/@href', '/blog/post.html'),
    link('anchor', 'a/@href', '/'),
    link('resource', 'img/@src', '/api'),
  ]);

  it.each([
    'https://a.test/guide/page/',
    '/guide/page?_rsc=1',
    '/guide/page.json',
    '/guide/page.txt',
    '/guide/page/__data.json',
    '/guide/page/__next._tree.txt?_rsc=x',
    '/_next/data/build-7/guide/page.json',
    '/page-data/guide/page/page-data.json',
    '/blog/post.html',
    '/blog/post',
    '/',
    '/__next._tree.txt?_rsc=x',
    '/index.txt',
  ])('is a request for %s, where the page links to it', (href) => {
    expect(isPrefetch(link('request', 'fetch', href))).toBe(true);
    expect(isPrefetch(link('request', 'fetch HEAD', href))).toBe(true);
  });

  it.each([
    '/api',
    '/list.json',
    '/api/guide/page',
    '/guide/page/comments/7',
    '/guide/other/',
    'https://b.test/guide/page/',
  ])('is no request for %s', (href) => {
    expect(isPrefetch(link('request', 'fetch', href))).toBe(false);
  });

  it('is no request that changes something, and none for a part', () => {
    expect(isPrefetch(link('request', 'fetch POST', '/guide/page/'))).toBe(false);
    expect(isPrefetch(link('request', 'import', '/guide/page/'))).toBe(false);
    expect(isPrefetch(link('anchor', 'a/@href', '/guide/page/'))).toBe(false);
  });
});
