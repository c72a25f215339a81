import { describe, expect, it } from 'vitest';
import { storedCanonicalUrl } from '../../../src/model/canonical-url.ts';
import {
  createSitemapBook,
  INDEX_DEPTH_LIMIT,
  refusalOfEntry,
  SITEMAPS_OF_HOST_LIMIT,
} from '../../../src/pipeline/sitemap-book.ts';
import { visitOf } from '../../support/page.ts';

const ROBOTS = { kind: 'robots', context: 'robots.txt' } as const;
const PAGE = { kind: 'sitemap', context: 'urlset/loc' } as const;
const LINE = { kind: 'sitemap', context: 'sitemap.txt' } as const;
const INDEX = { kind: 'sitemap', context: 'sitemapindex/loc' } as const;
const FEED = { kind: 'feed', context: 'entry/link' } as const;
const at = storedCanonicalUrl;

describe('an entry of a sitemap', () => {
  it.each([
    ['https://example.org/a', null],
    ['http://example.org/a', null],
    ['https://www.example.org/a', null],
    ['https://shop.example.org/a', 'a sitemap of example.org may not name pages of shop.example.org'],
    ['https://example.org:8443/a', 'a sitemap of example.org may not name pages of example.org:8443'],
    ['https://example.net/a', 'a sitemap of example.org may not name pages of example.net'],
  ])('may name pages of its own host: %s', (page, rule) => {
    const refusal = refusalOfEntry(visitOf('https://example.org/s.xml'), PAGE, at(page), createSitemapBook());
    expect(refusal?.rule ?? null).toBe(rule);
    if (refusal !== null) expect(refusal.reason).toBe('nofollow');
  });

  it('may name pages of the host whose robots.txt named the sitemap', () => {
    const book = createSitemapBook();
    const sitemap = visitOf('https://cdn.example/one.xml');
    expect(refusalOfEntry(visitOf('https://example.org/'), ROBOTS, sitemap.url, book)).toBeNull();
    expect(refusalOfEntry(sitemap, PAGE, at('https://example.org/a'), book)).toBeNull();
    expect(refusalOfEntry(sitemap, LINE, at('https://cdn.example/a'), book)).toBeNull();
    expect(refusalOfEntry(sitemap, FEED, at('https://example.net/a'), book)?.reason).toBe('nofollow');
  });

  it('may name any page where the user named the sitemap', () => {
    const book = createSitemapBook();
    book.note(at('https://example.org/s.xml'), { depth: 1, hosts: null });
    expect(refusalOfEntry(visitOf('https://example.org/s.xml'), PAGE, at('https://example.net/a'), book)).toBeNull();
  });

  it('is a link like any other in a feed or a list that nobody called a sitemap', () => {
    const book = createSitemapBook();
    expect(refusalOfEntry(visitOf('https://example.org/feed'), FEED, at('https://example.net/a'), book)).toBeNull();
    expect(refusalOfEntry(visitOf('https://example.org/urls.txt'), LINE, at('https://example.net/a'), book)).toBeNull();
  });

  it(`is read down to the sitemaps below ${INDEX_DEPTH_LIMIT} indexes`, () => {
    const book = createSitemapBook();
    const place = (level: number): string => `https://example.org/${level}.xml`;
    const verdicts = [1, 2, 3, 4].map(
      (level) => refusalOfEntry(visitOf(place(level)), INDEX, at(place(level + 1)), book)?.rule ?? null,
    );
    expect(verdicts).toEqual([null, null, null, 'sitemap indexes are nested more than 3 deep']);
  });

  it('that leads back to an index opens no further level', () => {
    const book = createSitemapBook();
    const one = visitOf('https://example.org/1.xml');
    const two = visitOf('https://example.org/2.xml');
    for (let round = 0; round < 5; round += 1) {
      expect(refusalOfEntry(one, INDEX, two.url, book)).toBeNull();
      expect(refusalOfEntry(two, INDEX, one.url, book)).toBeNull();
    }
  });

  it(`is refused as a sitemap beyond ${SITEMAPS_OF_HOST_LIMIT} of one host`, () => {
    const book = createSitemapBook();
    const index = visitOf('https://example.org/index.xml');
    const refusals = Array.from({ length: SITEMAPS_OF_HOST_LIMIT + 2 }, (_, number) =>
      refusalOfEntry(index, INDEX, at(`https://example.org/${number}.xml`), book),
    );
    expect(refusals.filter((refusal) => refusal === null)).toHaveLength(SITEMAPS_OF_HOST_LIMIT);
    expect(refusals.at(-1)).toEqual({ reason: 'limit', rule: 'more than 500 sitemaps of one host' });
    expect(refusalOfEntry(index, INDEX, at('https://example.org/0.xml'), book)).toBeNull();
  });
});
