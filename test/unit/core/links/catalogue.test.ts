import { describe, expect, it } from 'vitest';
import { DISCOVERERS, fileLinks, mayHoldLinks } from '../../../../src/core/links/catalogue.ts';
import type { LinkDiscoverer } from '../../../../src/core/links/discoverer.ts';
import { processorTime } from '../../../support/processor-time.ts';

const URL_OF = 'https://example.org/files/one';

function linksOf(contentType: string, text: string, url = URL_OF): string[] {
  const file = { url, contentType, text, bytes: new TextEncoder().encode(text), truncated: false };
  return fileLinks(file).links.map(
    ({ kind, confidence, context, href, base }) =>
      `${kind}${confidence === 'low' ? '?' : ''} ${context} ${href}${base === url ? '' : ` ${base}`}`,
  );
}

describe('the catalogue of discoverers', () => {
  it.each([
    [
      'a sitemap with pictures and translations',
      'application/xml',
      '<urlset xmlns:x="y"><url><loc>https://example.org/a?b=1&amp;c=2</loc><xhtml:link rel="alternate" hreflang="de" href="/de/a"/><image:image><image:loc>/p.png</image:loc></image:image></url></urlset>',
      [
        'sitemap urlset/loc https://example.org/a?b=1&c=2',
        'sitemap xhtml:link/@href /de/a',
        'resource image:loc /p.png',
      ],
    ],
    [
      'a sitemap whose namespaces have other names, or none',
      'application/xml',
      '<ns0:urlset><ns0:url><ns0:loc>https://example.org/a</ns0:loc><ns1:link rel="alternate" hreflang="de" href="/de/a"/></ns0:url><ns0:url><link rel="alternate" hreflang="fr" href="/fr/a"/></ns0:url></ns0:urlset>',
      ['sitemap urlset/loc https://example.org/a', 'sitemap xhtml:link/@href /de/a', 'sitemap xhtml:link/@href /fr/a'],
    ],
    [
      'an index of sitemaps',
      'text/xml',
      '<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="/s.xsl"?><sitemapindex><sitemap><loc>https://example.org/1.xml</loc></sitemap></sitemapindex>',
      ['sitemap sitemapindex/loc https://example.org/1.xml', 'resource xml-stylesheet /s.xsl'],
    ],
    [
      'a list of URLs',
      'text/plain',
      'https://example.org/a\nhttps://example.org/b\n',
      ['sitemap sitemap.txt https://example.org/a', 'sitemap sitemap.txt https://example.org/b'],
    ],
    [
      'RSS',
      'application/rss+xml',
      '<rss><channel><link>/home</link><atom:link rel="next" href="/rss?page=2"/><item><link>/post/1</link><description>&lt;a href="/in/entry"&gt;x&lt;/a&gt;</description><enclosure url="/e.mp3"/></item></channel></rss>',
      [
        'feed entry/link https://example.org/post/1',
        'feed link /home',
        'feed link;rel=next /rss?page=2',
        'feed description /in/entry',
        'resource enclosure/@url /e.mp3',
      ],
    ],
    [
      'Atom',
      'application/atom+xml',
      '<feed><link href="/site"/><link rel="self" href="/atom"/><link rel="edit" href="/edit"/><link rel="hub" href="/?pushpress=hub"/><entry><link href="/post/2"/><content type="html"><![CDATA[<p><a href="/in/content">x</a>]]></content></entry></feed>',
      [
        'feed entry/link https://example.org/post/2',
        'feed link/@href /site',
        'feed link;rel=self /atom',
        'resource link;rel=edit /edit',
        'resource link;rel=hub /?pushpress=hub',
        'feed link/@href /post/2',
        'feed content /in/content',
      ],
    ],
    [
      'a feed with bases',
      'application/atom+xml',
      '<feed xml:base="/blog/"><link href="./"/><entry xml:base="2024/"><link href="one"/><content type="html">&lt;a href="in/entry">x</content></entry><entry><link href="two"/></entry></feed>',
      [
        'feed entry/link https://example.org/blog/2024/one',
        'feed entry/link https://example.org/blog/two',
        'feed link/@href ./ https://example.org/blog/',
        'feed link/@href one https://example.org/blog/2024/',
        'feed content in/entry https://example.org/blog/2024/',
        'feed link/@href two https://example.org/blog/',
      ],
    ],
    [
      'a drawing with a base, which browsers pass over',
      'image/svg+xml',
      '<svg xml:base="/other/"><a href="one"/></svg>',
      ['anchor a/@href one'],
    ],
    [
      'a drawing',
      'image/svg+xml',
      '<svg><a xlink:href="/from/svg"><use href="#u"/><image href="/i.png"/></a><a href="/svg/two"/></svg>',
      ['anchor a/@xlink:href /from/svg', 'resource image/@href /i.png', 'anchor a/@href /svg/two'],
    ],
    [
      'a manifest',
      'application/manifest+json',
      '{"start_url":"/app?x=1","scope":"/app/","icons":[{"src":"i.png"}],"shortcuts":[{"name":"n","url":"/app/new","icons":[{"src":"s.png"}]}],"related_applications":[{"url":"https://store.example.org/a"}],"share_target":{"action":"/share","method":"POST"},"protocol_handlers":[{"url":"/h?u=%s"}]}',
      [
        'json manifest/start_url /app?x=1',
        'json? manifest/scope /app/',
        'json manifest/shortcuts /app/new',
        'resource manifest/icons s.png',
        'resource manifest/icons i.png',
        'json manifest/related_applications https://store.example.org/a',
        'request manifest/share_target /share',
      ],
    ],
    [
      'a feed in JSON',
      'application/feed+json',
      '{"version":"https://jsonfeed.org/version/1.1","home_page_url":"https://example.org/","next_url":"/feed?page=2","icon":"/i.png","items":[{"id":"1","url":"/post/1","external_url":"https://example.net/x","image":"/p.png","content_html":"<a href=\\"/in/entry\\">x</a>","attachments":[{"url":"/a.mp3"}]},{"id":"2","url":"/post/2"},7]}',
      [
        'feed home_page_url https://example.org/',
        'feed next_url /feed?page=2',
        'resource icon /i.png',
        'feed entry/link /post/1',
        'feed entry/external_url https://example.net/x',
        'resource entry/image /p.png',
        'resource entry/attachments /a.mp3',
        'feed content_html /in/entry',
        'feed entry/link /post/2',
      ],
    ],
    [
      'JSON that only names the version of a feed',
      'application/json',
      '{"url":"/item/1","see":"https://jsonfeed.org/version/1"}',
      ['json? json /item/1', 'json? json https://jsonfeed.org/version/1'],
    ],
    ['JSON', 'application/json', '{"url":"/item/1"}', ['json? json /item/1']],
    ['JSON of a kind', 'application/hal+json', '{"href":"/item/2"}', ['json? json /item/2']],
    ['a script', 'text/javascript', 'go("/route/one")', ['script? literal /route/one']],
    ['a sheet', 'text/css', '@import "b.css";a{b:url(c.png)}', ['css @import b.css', 'css url() c.png']],
    [
      'prose',
      'text/plain',
      'See https://example.org/a_(b), or (https://example.org/c). Not and/or.',
      ['text? text https://example.org/a_(b)', 'text? text https://example.org/c'],
    ],
    [
      'Markdown',
      'text/markdown',
      '[one](/md/one "t") ![p](/p.png) [two]: /md/two\nhttps://example.org/md/three.',
      ['text? markdown /md/one', 'text? markdown /md/two', 'text? text https://example.org/md/three'],
    ],
    ['a table', 'text/csv', 'name,https://example.org/row,1', ['text? text https://example.org/row,1']],
    ['a picture', 'image/png', 'https://example.org/a', []],
    ['HTML that was to be saved', 'text/html', '<a href=/a>', []],
  ])('finds the links of %s', (_what, contentType, text, expected) => {
    expect(linksOf(contentType, text)).toEqual(expected);
  });

  it('reads the translations of all pages of a sitemap, though each names all the others', () => {
    const languages = ['de', 'en', 'es', 'fr', 'it'];
    const urls = Array.from({ length: 600 }, (_, page) => {
      const links = languages.map((code) => `<xhtml:link rel="alternate" hreflang="${code}" href="/${code}/${page}"/>`);
      return languages
        .map((code) => `<url><loc>https://example.org/${code}/${page}</loc>${links.join('')}</url>`)
        .join('');
    });
    const found = linksOf('application/xml', `<urlset>${urls.join('')}</urlset>`);
    expect(found.filter((link) => link.startsWith('sitemap xhtml:link'))).toHaveLength(3000);
  });

  it('reads robots.txt for its sitemaps, and a manifest by its name', () => {
    const robots = 'User-agent: *\nDisallow: /x\nSITEMAP : https://example.org/s.xml\n sitemap:/two.txt';
    expect(linksOf('text/plain', robots, 'https://example.org/robots.txt')).toEqual([
      'robots robots.txt https://example.org/s.xml',
      'robots robots.txt /two.txt',
    ]);
    expect(linksOf('application/json', '{"start_url":"."}', 'https://example.org/manifest.json')).toEqual([
      'json manifest/start_url .',
    ]);
  });

  it('wants the body of what may hold links only', () => {
    expect(mayHoldLinks('application/pdf', URL_OF)).toBe(false);
    expect(mayHoldLinks('application/octet-stream', URL_OF)).toBe(false);
    expect(mayHoldLinks('application/gzip', URL_OF)).toBe(false);
    expect(mayHoldLinks('application/gzip', 'https://example.org/sitemap.xml.gz')).toBe(true);
    for (const path of ['roadmaps/all.gz', 'maps/dust.bsp.gz'])
      expect(mayHoldLinks('application/gzip', `https://example.org/${path}`)).toBe(false);
    expect(mayHoldLinks('application/xhtml+xml', URL_OF)).toBe(false);
    expect(mayHoldLinks('text/calendar', URL_OF)).toBe(true);
  });

  it.each([
    ['application/octet-stream', 'sitemap.xml'],
    ['binary/octet-stream', 'sitemap.xml'],
    ['binary/octet-stream', 'sitemap-1.xml.gz'],
    ['application/gzip', 'Sitemap_pages.gz'],
    ['application/x-gzip', 'feed.xml.gz'],
    ['application/gzip', 'sitemaps/products-1.gz'],
    ['application/octet-stream', 'maps/products-1.gz'],
    ['text/x-xml', 'pages'],
    ['application/x-xml', 'pages'],
  ])('reads a sitemap of the type %s by its name, %s', (type, name) => {
    const sitemap = '<urlset><url><loc>https://example.org/a</loc></url></urlset>';
    expect(mayHoldLinks(type, `https://example.org/${name}`)).toBe(true);
    expect(linksOf(type, sitemap, `https://example.org/${name}`)).toEqual(['sitemap urlset/loc https://example.org/a']);
  });

  it.each([
    [
      'RSS',
      'application/rss+xml',
      '<rss><channel><item><content:encoded><![CDATA[<a href="/go" rel="NoFollow sponsored">x</a>]]></content:encoded></item></channel></rss>',
    ],
    [
      'Atom',
      'application/atom+xml',
      '<feed><entry><content type="xhtml"><div><a href="/go" rel="nofollow sponsored">x</a></div></content></entry></feed>',
    ],
    [
      'a feed in JSON',
      'application/feed+json',
      '{"version":"https://jsonfeed.org/version/1.1","items":[{"content_html":"<a href=\\"/go\\" rel=\\"nofollow sponsored\\">x</a>"}]}',
    ],
  ])('keeps what the links in the entries of %s say of themselves', (_what, contentType, text) => {
    const file = { url: URL_OF, contentType, text, bytes: new TextEncoder().encode(text), truncated: false };
    const link = fileLinks(file).links.find(({ href }) => href === '/go');
    expect(link?.rel).toEqual(['nofollow', 'sponsored']);
  });

  it('passes over the address at the end of a sitemap that was cut', () => {
    const text = 'https://example.org/a\nhttps://example.org/pro';
    const file = { url: URL_OF, contentType: 'text/plain', text, bytes: new TextEncoder().encode(text) };
    expect(fileLinks({ ...file, truncated: true }).links.map(({ href }) => href)).toEqual(['https://example.org/a']);
    expect(fileLinks({ ...file, truncated: false }).links).toHaveLength(2);
  });

  it('takes further discoverers, and bears one that throws', () => {
    const file = {
      url: URL_OF,
      contentType: 'text/css',
      text: 'a{b:url(c)}',
      bytes: new Uint8Array(),
      truncated: false,
    };
    const broken: LinkDiscoverer = {
      name: 'broken',
      accepts: () => true,
      discover: () => {
        throw new Error('no');
      },
    };
    const { links, failures } = fileLinks(file, [broken, ...DISCOVERERS]);
    expect(links.map(({ href }) => href)).toEqual(['c']);
    expect(failures).toEqual([{ discoverer: 'broken', error: 'no' }]);
  });

  it.each(['[', '](', '[a](', 'https://', '<a ', '<link ', '((', 'a)'])(
    'reads a hostile text of %j in linear time',
    (piece) => {
      const start = processorTime();
      for (const type of ['text/markdown', 'application/xml', 'application/json'])
        linksOf(type, `https://example.org/${piece.repeat(60_000)}`);
      expect(processorTime() - start).toBeLessThan(1500);
    },
  );
});
