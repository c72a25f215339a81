import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { exportCrawl } from '../../../../src/inspect/export-crawl.ts';
import { prepareSitemap } from '../../../../src/inspect/export/sitemap-export.ts';
import type { SitemapLimits } from '../../../../src/inspect/export/sitemap-text.ts';
import type { LinkRecord, PageRecord } from '../../../../src/model/record.ts';
import { DEFAULT_URL_POLICY } from '../../../../src/model/url/canonical-url.ts';
import { parseSitemap } from '../../../../src/pipeline/packed-sitemap.ts';
import { linkRecord } from '../../../support/frontier-nouns.ts';
import { storeCrawl, type StoredCrawlParts } from '../../../support/stored-crawl.ts';
import { pageOf } from '../../cli/fake-crawl.ts';

const page = (path: string, changes: Partial<PageRecord> = {}): PageRecord => {
  const url = new URL(path, 'https://example.org/').href;
  return pageOf({ url, finalUrl: url, ...changes });
};

async function sitemapOf(parts: StoredCrawlParts) {
  await using crawl = await storeCrawl(parts);
  const sitemap = join(crawl.base, 'sitemap.xml');
  const { notes } = await exportCrawl(crawl.folder, { sitemap });
  const text = await readFile(sitemap, 'utf8');
  return {
    text,
    notes,
    urls: parseSitemap(Buffer.from(text), 'https://example.org/sitemap.xml').entries.map(({ loc }) => loc),
  };
}

/** With other limits than those of the protocol. */
function preparedIn(folder: string, target: string, limits: SitemapLimits): ReturnType<typeof prepareSitemap> {
  const rules = { crawlFolder: folder, overwrite: false };
  const source = { folder, rules, seeds: ['https://example.org/'], urlPolicy: DEFAULT_URL_POLICY, limits };
  return prepareSitemap(target, source, { torn: () => {}, damaged: () => {} }, new AbortController().signal);
}

describe('a sitemap of a crawl', () => {
  test.each<[string, Partial<PageRecord>]>([
    ['was not captured', { outcome: 'http-error', status: 404 }],
    ['has another status than 200', { status: 203 }],
    ['is no HTML', { outcome: 'not-html', contentType: 'application/pdf' }],
    ['is HTML by another name', { contentType: 'text/plain' }],
    ['says noindex', { robots: ['noindex'] }],
    ['says noindex to Google alone', { robots: ['googlebot: noindex'] }],
    ['says none', { robots: ['follow', 'none'] }],
    ['names another page as canonical', { canonical: 'https://example.org/' }],
    ['names another page as canonical, relative to it', { canonical: '../b' }],
    ['was led home by its scripts', { finalUrl: 'https://example.org/' }],
    ['was led into an application by its scripts', { finalUrl: 'https://example.org/#/a' }],
    ['only a guess led to', { confidence: 'low' }],
  ])('has no page that %s', async (_why, changes) => {
    const { urls } = await sitemapOf({ pages: [page('/kept'), page('/a', changes)] });
    expect(urls).toEqual(['https://example.org/kept']);
  });

  test('has no page that forwards its readers by a meta refresh, and says hardly more', async () => {
    const refresh = (changes: Partial<LinkRecord> = {}): LinkRecord => ({
      ...linkRecord('https://example.org/a', 'https://example.org/kept'),
      ...{ kind: 'meta-refresh', new: false, ...changes },
    });
    const [kept, a] = [page('/kept'), page('/a', { words: 4 })];
    const both = ['https://example.org/kept', 'https://example.org/a'];
    expect((await sitemapOf({ pages: [kept, a], links: [refresh()] })).urls).toEqual([both[0]]);
    const slow = page('/a', { words: 80 });
    expect((await sitemapOf({ pages: [kept, slow], links: [refresh()] })).urls).toEqual(both);
    for (const other of [{ to: 'https://example.org/a#top' }, { context: 'noscript:meta/@content' }])
      expect((await sitemapOf({ pages: [kept, a], links: [refresh(other)] })).urls).toEqual(both);
  });

  test.each<[string, Partial<PageRecord>]>([
    ['itself', { canonical: 'https://EXAMPLE.org:443/a#top' }],
    ['itself, relative to it', { canonical: '/a' }],
    ['itself with a campaign', { canonical: '/a?utm_source=x' }],
    ['what is no URL', { canonical: 'https://' }],
  ])('has a page that names %s as canonical', async (_what, changes) => {
    const { urls } = await sitemapOf({ pages: [page('/a', changes)] });
    expect(urls).toEqual(['https://example.org/a']);
  });

  test.each(['https://example.org/a/', 'https://example.org/a#/start', 'https://example.org/a?tab=1'])(
    'has a page that wrote %s into its history',
    async (finalUrl) => {
      expect((await sitemapOf({ pages: [page('/a', { finalUrl })] })).urls).toEqual(['https://example.org/a']);
    },
  );

  test('has pages that were guessed at first where a chain of links from a page that was not leads to them', async () => {
    const guessed = ['/named-later', '/named-by-that', '/behind-a-guess', '/guess', '/moved', '/moved-to'];
    const way = (from: string, to: string, more: Partial<LinkRecord> = {}): LinkRecord => ({
      ...linkRecord(new URL(from, 'https://example.org/').href, new URL(to, 'https://example.org/').href),
      new: false,
      ...more,
    });
    const { urls } = await sitemapOf({
      pages: [page('/'), ...guessed.map((path) => page(path, { confidence: 'low' }))],
      links: [
        way('/', '/guess', { confidence: 'low', kind: 'script' }),
        way('/', '/guess', { kind: 'resource' }),
        way('/guess', '/behind-a-guess'),
        way('/behind-a-guess', '/guess'),
        way('/named-later', '/named-by-that'),
        way('/', '/named-later'),
        way('/named-by-that', '/moved'),
        way('/moved', '/moved-to', { kind: 'redirect', confidence: 'low' }),
      ],
    });
    expect(urls.map((each) => new URL(each).pathname)).toEqual([
      '/',
      '/named-later',
      '/named-by-that',
      '/moved',
      '/moved-to',
    ]);
  });

  test('has no route of a script, which is no document', async () => {
    const { urls } = await sitemapOf({ pages: [page('/'), page('/#/route')] });
    expect(urls).toEqual(['https://example.org/']);
  });

  test('is escaped, and says when a page was changed where that is known', async () => {
    const { text } = await sitemapOf({
      pages: [page("/a?b='1'&c=2", { lastModified: '2026-01-01T00:00:00Z' }), page('/b')],
    });
    expect(text).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n' +
        '<url><loc>https://example.org/a?b=%271%27&amp;c=2</loc><lastmod>2026-01-01T00:00:00Z</lastmod></url>\n' +
        '<url><loc>https://example.org/b</loc></url>\n</urlset>\n',
    );
  });

  test('names pages of one host only, that which the first seed redirects to, and says how many it leaves out', async () => {
    const { urls, notes } = await sitemapOf({
      crawl: { seeds: ['http://example.org/'] },
      pages: [
        pageOf({
          url: 'http://example.org/',
          finalUrl: 'https://www.example.org/',
          outcome: 'redirected',
          status: 301,
          depth: 0,
        }),
        pageOf({ url: 'https://www.example.org/', finalUrl: 'https://www.example.org/', depth: 0 }),
        pageOf({ url: 'https://docs.example.org/', finalUrl: 'https://docs.example.org/' }),
      ],
    });
    expect(urls).toEqual(['https://www.example.org/']);
    expect(notes).toEqual([
      'pages of other hosts, left out of the sitemap, which may name pages of one host only (https://www.example.org): 1',
    ]);
  });

  test('is written without pages, too, and says so', async () => {
    const { urls, notes } = await sitemapOf({ pages: [page('/a', { robots: ['noindex'] })] });
    expect(urls).toEqual([]);
    expect(notes).toEqual([expect.stringMatching(/^no page of https:\/\/example\.org belongs in a sitemap/)]);
  });

  test.each([
    ['number', { urls: 4, bytes: 1e6 }, [4, 4, 2]],
    ['size', { urls: 1000, bytes: 300 }, [3, 3, 3, 1]],
  ])('that would be too long by %s is an index and its parts', async (_by, limits, counts) => {
    const paths = Array.from({ length: 10 }, (_, n) => `/page-number-${n}`);
    await using crawl = await storeCrawl({ pages: paths.map((path) => page(path)) });
    const target = join(crawl.base, 'my map.xml');
    await using prepared = await preparedIn(crawl.folder, target, limits);
    const files = await prepared.commit();
    const index = parseSitemap(await readFile(target), 'https://example.org/my%20map.xml');
    expect(index.kind).toBe('index');
    expect(index.entries.map(({ loc }) => loc)).toEqual(
      counts.map((_count, n) => `https://example.org/my%20map-${n + 1}.xml`),
    );
    const parts = await Promise.all(counts.map((_count, n) => readFile(join(crawl.base, `my map-${n + 1}.xml`))));
    for (const part of parts) expect(part.length).toBeLessThanOrEqual(limits.bytes);
    const urls = parts.map((part) => parseSitemap(part, 'https://example.org/').entries.map(({ loc }) => loc));
    expect(urls.map((each) => each.length)).toEqual(counts);
    expect(urls.flat()).toEqual(paths.map((path) => `https://example.org${path}`));
    expect(files).toHaveLength(counts.length + 1);
    expect(await readdir(crawl.base)).toHaveLength(counts.length + 2);
  });

  test('is packed, with its parts, where its name ends with .gz', async () => {
    const paths = Array.from({ length: 5 }, (_, n) => `/page-number-${n}`);
    await using crawl = await storeCrawl({ pages: paths.map((path) => page(path)) });
    const whole = join(crawl.base, 'whole.xml.GZ');
    await exportCrawl(crawl.folder, { sitemap: whole });
    const read = async (path: string): Promise<readonly string[]> => {
      const packed = await readFile(path);
      expect(packed.subarray(0, 2)).toEqual(Buffer.of(0x1f, 0x8b));
      return parseSitemap(gunzipSync(packed), 'https://example.org/').entries.map(({ loc }) => loc);
    };
    expect(await read(whole)).toEqual(paths.map((path) => `https://example.org${path}`));
    const target = join(crawl.base, 'sitemap.xml.gz');
    await using prepared = await preparedIn(crawl.folder, target, { urls: 4, bytes: 1e6 });
    await prepared.commit();
    expect(await read(target)).toEqual([
      'https://example.org/sitemap-1.xml.gz',
      'https://example.org/sitemap-2.xml.gz',
    ]);
    expect(await read(join(crawl.base, 'sitemap-1.xml.gz'))).toHaveLength(4);
    expect(await read(join(crawl.base, 'sitemap-2.xml.gz'))).toHaveLength(1);
  });
});
