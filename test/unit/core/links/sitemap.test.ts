import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSitemap, SITEMAP_ENTRY_LIMIT } from '../../../../src/core/links/data/sitemap.ts';
import { processorTime } from '../../../support/processor-time.ts';

const AT = 'https://example.org/sitemap.xml';
const XMLNS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

describe('parseSitemap', () => {
  it('reads a urlset with its dates', () => {
    const body = `<?xml version="1.0" encoding="UTF-8"?>
      <urlset ${XMLNS}><url><loc> https://example.org/a </loc><lastmod>2026-01-02</lastmod><priority>1</priority></url>
      <url><lastmod>2026-01-03T04:05:06Z</lastmod><loc><![CDATA[https://example.org/b?x=1&y=2]]></loc></url>
      <url><loc>/c</loc></url><url><loc></loc></url><url><loc>mailto:x</loc></url></urlset>`;
    expect(readSitemap(body, AT)).toEqual({
      kind: 'urlset',
      entries: [
        { loc: 'https://example.org/a', lastModified: '2026-01-02' },
        { loc: 'https://example.org/b?x=1&y=2', lastModified: '2026-01-03T04:05:06Z' },
        { loc: 'https://example.org/c' },
      ],
    });
  });

  it('reads an index, with prefixes and in capitals', () => {
    const body =
      '<sm:SITEMAPINDEX><sm:Sitemap><sm:Loc>https://example.org/1.xml.gz</sm:Loc></sm:Sitemap></sm:SITEMAPINDEX>';
    expect(readSitemap(body, AT)).toEqual({ kind: 'index', entries: [{ loc: 'https://example.org/1.xml.gz' }] });
  });

  it('forgives raw ampersands, entities and elements that are not closed', () => {
    const body = `<urlset><url><loc>https://example.org/?a=1&b=2</loc></url>
      <url><loc>https://example.org/?a=1&amp;b=3&#38;c</loc></url>
      <url><loc>https://example.org/1</loc><loc>https://example.org/2</loc></url><url><loc>https://example.org/3</loc></url>`;
    expect(readSitemap(body, AT).entries.map(({ loc }) => loc)).toEqual([
      'https://example.org/?a=1&b=2',
      'https://example.org/?a=1&b=3&c',
      'https://example.org/1',
      'https://example.org/2',
      'https://example.org/3',
    ]);
  });

  it('takes the page, not its pictures, films and translations', () => {
    const body = `<urlset ${XMLNS}><url><loc>https://example.org/a</loc><image:image><image:loc>https://example.org/a.png</image:loc></image:image>
      <image:loc>https://example.org/b.png</image:loc><xhtml:link rel="alternate" hreflang="de" href="https://example.org/de"/></url></urlset>`;
    expect(readSitemap(body, AT).entries).toEqual([{ loc: 'https://example.org/a' }]);
  });

  it('reads RSS and Atom', () => {
    const rss = `<rss version="2.0"><channel><link>https://example.org/</link><item><title>t</title><link>https://example.org/1</link>
      <pubDate>Mon, 05 Jan 2026 00:00:00 GMT</pubDate></item></channel></rss>`;
    const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><link href="https://example.org/"/><entry><link rel="edit" href="/edit"/>
      <link rel="alternate" href="/2"/><link href="/3"/><updated>2026-01-05</updated></entry></feed>`;
    expect(readSitemap(rss, AT)).toEqual({
      kind: 'feed',
      entries: [{ loc: 'https://example.org/1', lastModified: 'Mon, 05 Jan 2026 00:00:00 GMT' }],
    });
    expect(readSitemap(atom, AT)).toEqual({
      kind: 'feed',
      entries: [{ loc: 'https://example.org/2', lastModified: '2026-01-05' }],
    });
  });

  it('takes the guid of an item without a link, where that is an address', () => {
    const item = (content: string): string => `<item>${content}</item>`;
    const rss = `<rss><channel>${item('<guid isPermaLink="false">https://example.org/1</guid>')}
      ${item('<guid>7bd204c6</guid>')}${item('<guid>https://example.org/guid</guid><link>https://example.org/2</link>')}</channel></rss>`;
    expect(readSitemap(rss, AT).entries).toEqual([{ loc: 'https://example.org/1' }, { loc: 'https://example.org/2' }]);
  });

  it('reads an address that lies a level too deep, and none of an entry that was not closed twice', () => {
    const body = `<urlset><url><loc><url><![CDATA[https://example.org/1]]></url></loc><lastmod>2026-01-02</lastmod></url>
      <url><loc>https://example.org/2<url><loc>https://example.org/3</loc></url></urlset>`;
    expect(readSitemap(body, AT).entries).toEqual([
      { loc: 'https://example.org/1', lastModified: '2026-01-02' },
      { loc: 'https://example.org/3' },
    ]);
  });

  it.each([
    [
      'the picture of an item',
      '<rss><channel><item>|<image><url>https://h.test/i.png</url></image></item></channel></rss>',
    ],
    ['the author of an entry', '<feed><entry>|<author><url>https://h.test/who</url></author></entry></feed>'],
    [
      'an entry in the content of one',
      '<feed><entry>|<content><entry><link href="/b"/></entry></content></entry></feed>',
    ],
    ['an item right inside one', '<rss><item>|<item><link>https://h.test/b</link></item></item></rss>'],
  ])('does not take %s for the next entry', (_what, feed) => {
    const link = feed.startsWith('<feed') ? '<link href="/a"/>' : '<link>/a</link>';
    const [start = '', end = ''] = feed.split('|');
    const [, inner = '', rest = ''] = /^(.*)(<\/(?:item|entry)>.*)$/s.exec(end) ?? [];
    const expected = [{ loc: 'https://example.org/a' }];
    expect(readSitemap(start + link + inner + rest, AT).entries).toEqual(expected);
    expect(readSitemap(start + inner + link + rest, AT).entries).toEqual(expected);
  });

  it.each([
    ['urlset', '<url><loc>/a</loc><url><loc>/b</loc><lastmod>2026-01-02</lastmod><url><loc>/c</loc></urlset>'],
    ['urlset', '<url><loc>/a</loc><url><loc>/b</loc><lastmod>2026-01-02</lastmod></url><url><loc>/c</loc></url>'],
    ['rss', '<item><link>/a</link><text>cut<item><link>/b</link><date>2026-01-02</date></item><item><link>/c</link>'],
  ])('reads all entries of a %s where some are not closed', (root, body) => {
    expect(readSitemap(`<${root}>${body}`, AT).entries).toEqual([
      { loc: 'https://example.org/a' },
      { loc: 'https://example.org/b', lastModified: '2026-01-02' },
      { loc: 'https://example.org/c' },
    ]);
  });

  it('reads entries that are not closed as deep as any markup is read', () => {
    const entries = Array.from({ length: 600 }, (_, index) => `<url><loc>/${index}</loc>`).join('');
    expect(readSitemap(`<urlset>${entries}`, AT).entries.length).toBeGreaterThan(500);
  });

  it('leaves entries that lead to files of the machine, or into the future, as harmless as they are', () => {
    const body = `<urlset><url><loc>file:///etc/passwd</loc></url><url><loc>javascript:alert(1)</loc></url>
      <url><loc>https://example.org/a</loc><lastmod>2999-01-01</lastmod></url></urlset>`;
    expect(readSitemap(body, AT).entries).toEqual([{ loc: 'https://example.org/a', lastModified: '2999-01-01' }]);
  });

  it('does not let entities multiply', () => {
    const entities = Array.from({ length: 30 }, (_, level) => `<!ENTITY l${level + 1} "&l${level};&l${level};">`).join(
      '',
    );
    const body = `<!DOCTYPE urlset [<!ENTITY l0 "lol">${entities}]><urlset><url><loc>https://example.org/&l30;</loc></url></urlset>`;
    const start = processorTime();
    expect(readSitemap(body, AT).entries.map(({ loc }) => loc.length < 100)).toEqual([true]);
    expect(processorTime() - start).toBeLessThan(500);
  });

  it('reads plain text, one URL a line', () => {
    const body = '\ufeffhttps://example.org/a\r\n\r\n# note\nhttps://example.org/b \nnot a url\n';
    expect(readSitemap(new TextEncoder().encode(body), AT)).toEqual({
      kind: 'text',
      entries: [{ loc: 'https://example.org/a' }, { loc: 'https://example.org/b' }],
    });
  });

  it.each([
    ['nothing', ''],
    ['prose', 'Not found\nhttps://example.org/'],
    ['a page', '<!DOCTYPE html><html><body><a href="/x">x</a></body></html>'],
    ['binary', '\x1f\x8b\x08\0\0'],
  ])('takes %s for no sitemap', (_what, body) => {
    expect(readSitemap(body, AT)).toEqual({ kind: 'unknown', entries: [] });
  });

  it('expands no entity of the document type', () => {
    const body = `<?xml version="1.0"?><!DOCTYPE urlset [<!ENTITY f SYSTEM "file:///etc/passwd"><!ENTITY l "lol">]>
      <urlset><url><loc>https://example.org/a</loc></url><url><loc>&f;</loc></url><url><loc>&l;</loc></url></urlset>`;
    expect(readSitemap(body, AT).entries).toEqual([{ loc: 'https://example.org/a' }]);
  });

  it('reads other encodings, by their mark or their declaration', () => {
    const declaration = '<?xml version="1.0" encoding="ISO-8859-1"?>';
    const body = '<urlset><url><loc>https://example.org/ü</loc></url></urlset>';
    const bodies = [Buffer.from(declaration + body, 'latin1'), Buffer.from(`\ufeff${body}`, 'utf16le')];
    expect(bodies.map((body) => readSitemap(body, AT).entries)).toEqual([
      [{ loc: 'https://example.org/%C3%BC' }],
      [{ loc: 'https://example.org/%C3%BC' }],
    ]);
  });

  it.each([
    ['<urlset><url><loc>https://example.org/a</loc></url><url><loc>https://example.org/pro'],
    ['<urlset><url><loc>https://example.org/a</loc></url><url><loc><![CDATA[https://example.org/pro'],
    ['<urlset><url><loc>https://example.org/a</loc></url><url><sm:loc>'],
    ['<rss><item><link>https://example.org/a</link></item><item><title>x</title><link>https://example.org/pro'],
    ['<feed><entry><link href="https://example.org/a">cut'],
    ['<urlset><url><loc>https://example.org/a</lo'],
    ['<urlset><url><loc><![CDATA[https://example.org/a]]>'],
  ])('passes over an address that is cut at the end: %s', (body) => {
    expect(readSitemap(body, AT).entries).toEqual([{ loc: 'https://example.org/a' }]);
  });

  it('passes over the last line of a list that was not received to its end', () => {
    const body = 'https://example.org/a\r\nhttps://example.org/pro';
    expect(readSitemap(body, AT, true)).toEqual({ kind: 'text', entries: [{ loc: 'https://example.org/a' }] });
    expect(readSitemap(body, AT).entries).toHaveLength(2);
  });

  it('stops at 50,000 entries', () => {
    const body = `<urlset>${'<url><loc>/a</loc></url>'.repeat(SITEMAP_ENTRY_LIMIT + 5)}</urlset>`;
    expect(readSitemap(body, AT).entries).toHaveLength(SITEMAP_ENTRY_LIMIT);
    expect(readSitemap('https://example.org/\n'.repeat(SITEMAP_ENTRY_LIMIT + 5), AT).entries).toHaveLength(
      SITEMAP_ENTRY_LIMIT,
    );
  });

  it('passes over a URL of 2,048 characters and more', () => {
    const body = `<urlset><url><loc>/${'a'.repeat(2048)}</loc></url><url><loc>/b</loc></url></urlset>`;
    expect(readSitemap(body, AT).entries).toEqual([{ loc: 'https://example.org/b' }]);
  });

  it('does not break on any text', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '/',
      'urlset',
      '<url>',
      '</url>',
      '<loc>',
      '</loc>',
      '&',
      'a',
      '<![CDATA[',
      ']]>',
      '<!--',
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        expect(readSitemap(`<urlset>${pieces.join('')}`, AT).kind).toBe('urlset');
      }),
    );
  });
});
