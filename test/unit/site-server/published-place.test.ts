/** Built sites whose links have the address of the place where they are published: Hugo's `.Permalink`, Pelican's SITEURL, mirrors. */
import { describe, expect, test } from 'vitest';

import { temporarySite } from '../../support/temporary-site.ts';

const HEAD = '<!doctype html><title>Town</title>';
const FILES = {
  'posts/one/index.html': HEAD,
  'about.html': HEAD,
  'css/main.css': 'p { color: red }',
  '404.html': 'lost',
};
const GUIDE = 'https://me.github.io/guide';
const canonical = (href: string): string => `<link rel="canonical" href="${href}">`;
const links = (...hrefs: readonly string[]): string => hrefs.map((href) => `<a href="${href}">to</a>`).join(' ');

describe('a build whose links name its later place', () => {
  test.each([
    ['in its canonical link', { 'index.html': canonical('https://example.org/') }],
    ['with a port and another scheme', { 'index.html': canonical('http://localhost:1313') }, 'http://localhost:1313'],
    [
      'in its sitemap alone',
      { 'sitemap.xml': '<?xml version="1.0"?><urlset><url>\n<loc>https://example.org/posts/one/</loc></url></urlset>' },
    ],
    ['in its links alone', { 'more/index.html': HEAD, 'index.html': links('https://example.org/more/') }],
    [
      'in a canonical link to one of its languages',
      { 'index.html': canonical('https://example.org/en/'), 'en/index.html': HEAD },
    ],
  ])('%s has them served', async (_where, files: Readonly<Record<string, string>>, place = 'https://example.org') => {
    const markup = (files['index.html'] ?? '') + links(`${place}/posts/one/`, `${place}/about?a=1#b`, `${place}/none`);
    await using site = await temporarySite({ ...FILES, ...files, 'index.html': HEAD + markup });
    expect(site.server.published).toBe(place);
    const { body, headers } = await site.get('/');
    expect(body).toBe(HEAD + markup.replaceAll(place, `http://127.0.0.1:${site.server.port}`));
    expect(headers['content-length']).toBe(String(body.length));
    expect((await site.get('/', { 'if-none-match': String(headers.etag) })).status).toBe(304);
    expect((await site.get('/about')).body).toBe(HEAD);
  });

  test.each([
    ['below a path that its parts name as well', '/guide', 'https://me.github.io/guide/css/main.css'],
    ['below a path that its parts leave out', '', 'css/main.css'],
    ['below a path that only its sitemap names', '', 'css/main.css', `<urlset><loc>${GUIDE}/posts/one/</loc></urlset>`],
  ])('%s has them served, and no others of that host', async (_where, base, sheet, sitemap = '') => {
    const place = GUIDE;
    const head = sitemap === '' ? canonical(`${place}/`) : '';
    const markup = `${head}<link rel="stylesheet" href="${sheet}">${links(`${place}/about`, place, 'https://me.github.io/guides/', 'https://me.github.io/')}`;
    await using site = await temporarySite({ ...FILES, 'index.html': HEAD + markup, 'sitemap.xml': sitemap });
    expect([site.server.published, site.server.base]).toEqual([place, base]);
    const served = `http://127.0.0.1:${site.server.port}${base}`;
    expect((await site.get(`${base}/`)).body).toBe(
      HEAD + markup.replaceAll(/https:\/\/me\.github\.io\/guide(?!s)/g, served),
    );
  });

  test('has them served in scripts, feeds, robots.txt and data, and in any way of writing', async () => {
    await using site = await temporarySite({
      ...FILES,
      'index.html': HEAD + canonical('https://example.org/') + links('https://example.org/about'),
      'app.js': String.raw`go("https:\/\/example.org\/about"); go('//EXAMPLE.org/about'); see("https://example.org.evil/ http://example.org/")`,
      'index.xml': '<rss><link>https://example.org/about</link><p>größe x//example.org/</p></rss>',
      'robots.txt': 'Sitemap: https://example.org/sitemap.xml',
      'data.json': String.raw`{"next":"https:\u002f\u002fexample.org\u002fabout","mail":"me@example.org"}`,
      'picture.png': 'https://example.org/',
    });
    const own = `127.0.0.1:${site.server.port}`;
    expect((await site.get('/app.js')).body).toBe(
      String.raw`go("http:\/\/${own}\/about"); go('//${own}/about'); see("https://example.org.evil/ http://example.org/")`,
    );
    expect((await site.get('/index.xml')).body).toBe(
      `<rss><link>http://${own}/about</link><p>größe x//example.org/</p></rss>`,
    );
    expect((await site.get('/robots.txt')).body).toBe(`Sitemap: http://${own}/sitemap.xml`);
    expect((await site.get('/data.json')).body).toBe(
      String.raw`{"next":"http:\u002f\u002f${own}\u002fabout","mail":"me@example.org"}`,
    );
    expect((await site.get('/picture.png')).body).toBe('https://example.org/');
  });
});

describe('a folder is served as it is', () => {
  test.each([
    ['where only the canonical link names a place', canonical('https://example.org/') + links('/about', 'posts/one/')],
    [
      'where most addresses of the place are not in the folder',
      canonical('https://example.org/') +
        links('https://example.org/about', 'https://example.org/shop', 'https://example.org/jobs'),
    ],
    [
      'where nothing but two links names its place',
      links('https://example.org/about', 'https://example.org/posts/one/', 'https://other.example/about'),
    ],
    ['where the canonical link is relative', canonical('/') + links('https://example.org/about')],
    [
      'where the links stand in a comment',
      `${canonical('https://example.org/')}<!--${links('https://example.org/about')}-->`,
    ],
  ])('%s', async (_where, markup) => {
    await using site = await temporarySite({ ...FILES, 'index.html': HEAD + markup });
    expect(site.server.published).toBeNull();
    expect((await site.get('/')).body).toBe(HEAD + markup);
  });
});
