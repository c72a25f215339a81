import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { mebibytes } from '../../../src/base/units.ts';
import { feedLastSitemap, feedSitemaps, sitemapNote } from '../../../src/crawl/sitemap-feed.ts';
import type { FrontierTotals } from '../../../src/frontier/frontier.ts';
import type { Candidate } from '../../../src/model/candidate.ts';
import { storedCanonicalUrl } from '../../../src/model/url/canonical-url.ts';
import { createSitemapBook, INDEX_DEPTH_LIMIT, refusalOfEntry } from '../../../src/pipeline/sitemap-book.ts';
import { createSitemapBudget, HOST_BOUNDS, LISTED_LIMIT } from '../../../src/pipeline/sitemap-budget.ts';
import { candidate } from '../../support/frontier-nouns.ts';
import { visitOf } from '../../support/page.ts';

const ROBOTS = { kind: 'robots', context: 'robots.txt' } as const;
const PAGE = { kind: 'sitemap', context: 'urlset/loc' } as const;
const ALTERNATE = { kind: 'sitemap', context: 'xhtml:link/@href' } as const;
const LINE = { kind: 'sitemap', context: 'sitemap.txt' } as const;
const INDEX = { kind: 'sitemap', context: 'sitemapindex/loc' } as const;
const FEED = { kind: 'feed', context: 'entry/link' } as const;
const at = storedCanonicalUrl;

const totals = (given: Partial<FrontierTotals>): FrontierTotals => ({
  discovered: 0,
  visited: 0,
  failed: 0,
  skipped: 0,
  queued: 0,
  leased: 0,
  hosts: 1,
  withheld: 0,
  queuedAgain: 0,
  leasedAgain: 0,
  ...given,
});

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

  it('may name translations of a page on any host, and those take no place of the refused', () => {
    const book = createSitemapBook();
    const sitemap = visitOf('https://example.org/s.xml');
    book.note(sitemap.url, { depth: 1, hosts: ['example.org'] });
    expect(refusalOfEntry(sitemap, ALTERNATE, at('https://example.de/a'), book)).toBeNull();
    expect(refusalOfEntry(sitemap, PAGE, at('https://example.de/a'), book)?.reason).toBe('nofollow');
    expect(book.budget.refused).toEqual({ files: 0, pages: 1 });
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

  it(`is refused as a sitemap beyond ${HOST_BOUNDS.files} of one host`, () => {
    const book = createSitemapBook();
    const index = visitOf('https://example.org/index.xml');
    const refusals = Array.from({ length: HOST_BOUNDS.files + 2 }, (_, number) =>
      refusalOfEntry(index, INDEX, at(`https://example.org/${number}.xml`), book),
    );
    expect(refusals.filter((refusal) => refusal === null)).toHaveLength(HOST_BOUNDS.files);
    expect(refusals.at(-1)).toEqual({ reason: 'limit', rule: 'more than 500 sitemaps of one host', isUnlisted: false });
    expect(refusalOfEntry(index, INDEX, at('https://example.org/0.xml'), book)).toBeNull();
  });
});

describe('the bounds of all sitemaps', () => {
  const bounds = { files: 3, pages: 5, bytes: mebibytes(1) };
  const wide = { files: 100, pages: 100, bytes: mebibytes(100) };

  it('hold for the pages that one host names, in however many files, and whatever led to these', () => {
    const book = createSitemapBook({ budget: createSitemapBudget(bounds, wide) });
    const verdicts = Array.from({ length: 8 }, (_, number) =>
      refusalOfEntry(visitOf(`https://example.org/${number}.xml`), PAGE, at(`https://example.org/${number}`), book),
    );
    expect(verdicts.filter((refusal) => refusal === null)).toHaveLength(5);
    expect(verdicts.at(-1)).toMatchObject({ reason: 'limit', rule: 'more than 5 pages named by sitemaps of one host' });
    expect(refusalOfEntry(visitOf('https://other.example/s.xml'), LINE, at('https://other.example/'), book)).toBeNull();
  });

  it('hold for all hosts together', () => {
    const book = createSitemapBook({ budget: createSitemapBudget(wide, bounds) });
    const verdicts = Array.from({ length: 5 }, (_, number) =>
      refusalOfEntry(visitOf('https://example.org/'), ROBOTS, at(`https://h${number}.example/s.xml`), book),
    );
    expect(verdicts.map((refusal) => refusal?.rule ?? null)).toEqual([
      ...[null, null, null],
      ...['more than 3 sitemaps', 'more than 3 sitemaps'],
    ]);
  });

  it('hold for the bytes that were read', () => {
    const book = createSitemapBook({ budget: createSitemapBudget(bounds, wide) });
    book.budget.read('example.org', mebibytes(1));
    expect(refusalOfEntry(visitOf('https://example.org/'), INDEX, at('https://example.org/s.xml'), book)?.rule).toBe(
      'more than 1048576 bytes of sitemaps of one host',
    );
  });

  it('give a line of their own to the first that they refuse, and count the others', () => {
    const book = createSitemapBook({ budget: createSitemapBudget(bounds, wide) });
    const index = visitOf('https://example.org/index.xml');
    const unlisted = Array.from({ length: LISTED_LIMIT + 13 }, (_, number) =>
      refusalOfEntry(index, INDEX, at(`https://example.org/${number}.xml`), book),
    ).filter((refusal) => refusal?.isUnlisted === true);
    expect([unlisted.length, book.budget.refused]).toEqual([10, { files: LISTED_LIMIT + 10, pages: 0 }]);
    expect(book.counts()).toEqual({ named: LISTED_LIMIT + 13, read: 0 });
  });
});

describe('sitemaps that wait', () => {
  const sitemap = (number: number) => candidate(`https://example.org/${number}.xml`, { kind: 'sitemap' });

  it('are no more than may wait unread at a time; the others are held and taken up in their order', () => {
    const book = createSitemapBook({ unreadAtATime: 2 });
    expect([0, 1, 2, 3, 1, 2].map((number) => book.admits(sitemap(number)))).toEqual([
      ...[true, true, false, false],
      ...[true, false], // a known sitemap keeps its state
    ]);
    expect([book.held, book.takeHeld()]).toEqual([2, null]);
    book.ended(sitemap(0).url);
    expect([book.takeHeld()?.url, book.takeHeld(), book.held]).toEqual([sitemap(2).url, null, 1]);
    expect(book.admits(sitemap(2))).toBe(true);
  });

  it('wait no more where a link of a page has led to them', () => {
    const book = createSitemapBook({ unreadAtATime: 1 });
    for (const number of [0, 1, 2]) book.admits(sitemap(number));
    book.ended(sitemap(1).url);
    book.ended(sitemap(0).url);
    expect([book.held, book.takeHeld()?.url]).toEqual([1, sitemap(2).url]);
    book.ended(sitemap(2).url);
    expect([book.admits(sitemap(1)), book.admits(sitemap(3))]).toEqual([true, true]);
  });

  it('are taken up only while fewer URLs wait than are needed', async () => {
    const sitemaps = createSitemapBook({ unreadAtATime: 1 });
    for (const number of [0, 1, 2]) sitemaps.admits(sitemap(number));
    sitemaps.ended(sitemap(0).url);
    const admitted: string[] = [];
    let queued = 40;
    const frontier = {
      totals: () => Promise.resolve(totals({ queued })),
      admit: ([first]: readonly Candidate[]) => Promise.resolve(admitted.push(first?.url ?? '')),
    };
    const feed = { frontier, sitemaps, clock: systemClock };
    await feedSitemaps(feed, 10);
    expect(admitted).toEqual([]);
    queued = 39;
    await feedSitemaps(feed, 10);
    expect(admitted).toEqual([sitemap(1).url]);
    expect(sitemapNote(sitemaps)).toBe('sitemaps: 0 of 0 read');
  });

  it('are taken up where the host limit withholds what waits', async () => {
    const sitemaps = createSitemapBook({ unreadAtATime: 1 });
    for (const number of [0, 1]) sitemaps.admits(sitemap(number));
    sitemaps.ended(sitemap(0).url);
    const admitted: string[] = [];
    const frontier = {
      totals: () => Promise.resolve(totals({ queued: 100, withheld: 61 })),
      admit: ([first]: readonly Candidate[]) => Promise.resolve(admitted.push(first?.url ?? '')),
    };
    await feedSitemaps({ frontier, sitemaps, clock: systemClock }, 10);
    expect(admitted).toEqual([sitemap(1).url]);
  });

  it('are taken up at the end, whatever is queued and unread; those that cannot be visited are passed over', async () => {
    const sitemaps = createSitemapBook({ unreadAtATime: 1 });
    const ofDead = candidate('https://dead.example/s.xml', { kind: 'sitemap' });
    // 0 is never visited, 1 was read by an earlier run
    for (const each of [sitemap(0), ofDead, sitemap(1), sitemap(2), sitemap(3)]) sitemaps.admits(each);
    const admitted: string[] = [];
    let queued = 1_000_000;
    const frontier = {
      totals: () => Promise.resolve(totals({ queued, withheld: 1000 })),
      openCircuits: () => Promise.resolve([{ host: 'https://dead.example', failures: 5, queued: 7, why: 'failures' }]),
      admit: ([first]: readonly Candidate[]) => {
        if (first?.url !== sitemap(1).url) queued += 1;
        return Promise.resolve(admitted.push(first?.url ?? ''));
      },
    };
    const feed = { frontier, sitemaps, clock: systemClock };
    await feedSitemaps(feed, 10);
    expect(admitted).toEqual([]);
    expect(await feedLastSitemap(feed)).toBe(true);
    expect(admitted).toEqual([sitemap(1).url, sitemap(2).url]);
    expect(await feedLastSitemap(feed)).toBe(true);
    expect(await feedLastSitemap(feed)).toBe(false);
    expect([admitted.length, sitemaps.held, sitemaps.isTaken(ofDead.url)]).toEqual([3, 1, false]);
  });
});
