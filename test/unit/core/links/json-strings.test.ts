import { describe, expect, it } from 'vitest';
import { jsonStrings } from '../../../../src/core/links/data/json-strings.ts';

const hrefsOf = (text: string): string[] => jsonStrings(text, 'https://example.org/').map(({ href }) => href);
const hrefs = (value: unknown): string[] => hrefsOf(JSON.stringify(value));

describe('jsonStrings', () => {
  it.each([
    [
      'absolute URLs and routes, whatever their key',
      { a: 'https://example.org/x', b: ['/list/two'], c: '#/route/three' },
      ['https://example.org/x', '/list/two', '#/route/three'],
    ],
    [
      'those that a key names first',
      { note: '/second/one', items: [{ url: '/first/one', nextUrl: '/first/two', canonical_url: '/first/three' }] },
      ['/first/one', '/first/two', '/first/three', '/second/one'],
    ],
    [
      'relative paths under a key that names addresses',
      { path: 'posts/first-steps', href: 'about.html', slug: 'hello-world', title: 'posts/other' },
      ['posts/first-steps', 'about.html'],
    ],
    [
      'links in HTML',
      { html: '<li><a href="/in/html">x</a><a href=rel.html>y</a><a href="#top">z</a></li>' },
      ['/in/html', 'rel.html'],
    ],
    ['routes that are keys', { '/route/key': { title: 'x' } }, ['/route/key']],
    [
      'the links of HAL and JSON:API',
      { _links: { self: { href: '/orders/7' } }, links: { related: 'https://example.org/customers/1' } },
      ['/orders/7', 'https://example.org/customers/1'],
    ],
    ['a text that is a URL as a whole', '/just/a/text', ['/just/a/text']],
  ])('finds %s', (_what, value, expected) => {
    expect(hrefs(value)).toEqual(expected);
  });

  it.each([
    { type: 'text/html', mime: 'image/svg+xml', date: '2024/01/02', zone: 'Europe/Berlin', format: 'dd/MM/yyyy' },
    { image: '/uploads/picture', thumbnailUrl: 'https://example.org/thumb/1', src: '/x/y', logo: '/brand' },
    { url: '/style.css', href: 'https://example.org/app.js', path: '/a.png', link: '/font.woff2' },
    { path: '/user/:id', route: '/files/*', pattern: '/[a-z]+/', template: '/u/{id}', link: '/search?q=' },
    { path: 'title', slug: 'hello', next: 'abc', url: 'none', link: 'click here', href: 'javascript:void(0)' },
    { text: 'see https://example.org/a and /b', note: 'and/or', price: '/month', key: '1/2' },
    { html: '<b>bold</b> <img src=/x.png>', markup: '<a name=top>' },
    { '/user/:id': 1, 'a/b': 2 },
    { schema: { $ref: '#/components/schemas/Planet' }, items: [{ $ref: '#/definitions/User' }] },
    null,
    42,
    [],
    {},
  ])('takes nothing for an address in %j', (value) => {
    expect(hrefs(value)).toEqual([]);
  });

  it.each([
    [')]}\',\n{"url":"/guarded/one"}', ['/guarded/one']],
    ['for(;;);{"url":"/guarded/two"}', ['/guarded/two']],
    ['callback({"url":"/jsonp/one"});', ['/jsonp/one']],
    ['/**/jQuery123_4({"url":"/jsonp/two"})', ['/jsonp/two']],
    ['{"url":"/line/one"}\n{"url":"/line/two"}\n', ['/line/one', '/line/two']],
    ['\uFEFF{"url":"/marked"}', ['/marked']],
    ['{"url":"/broken"', []],
    ['<a href="/no-json">x</a>', []],
    ['', []],
  ])('reads %j', (text, expected) => {
    expect(hrefsOf(text)).toEqual(expected);
  });

  it('notes the addresses of a program and of actions, and gives nobody a reason to visit them', () => {
    const links = jsonStrings(
      '{"next":"/api/items?page=2","url":"/items/1","delete_url":"/items/1/delete"}',
      'https://example.org/',
    );
    expect(links.map(({ href, kind }) => [href, kind])).toEqual([
      ['/api/items?page=2', 'request'],
      ['/items/1', 'json'],
      ['/items/1/delete', 'request'],
    ]);
    expect(links.every(({ confidence, context }) => confidence === 'low' && context === 'json')).toBe(true);
  });

  it('resolves the links of a document by the base that it names', () => {
    const page =
      '<html><head><base href="/wiki/"><base href="/other/"></head><a href="./Danube">x</a><a href="/a">y</a>';
    const links = jsonStrings(JSON.stringify({ content: page, more: '<a href="./b">z</a>' }), 'https://example.org/w/');
    expect(links.map(({ href, base }) => new URL(href, base).href)).toEqual([
      'https://example.org/wiki/Danube',
      'https://example.org/a',
      'https://example.org/w/b',
    ]);
  });

  it('is not troubled by depth, number, or names from prototypes', () => {
    expect(hrefsOf(`${'['.repeat(5000)}"/deep/inside"${']'.repeat(5000)}`)).toEqual([]);
    expect(hrefs(Array.from({ length: 5000 }, (_, index) => `/page/n${index}`))).toHaveLength(1000);
    expect(hrefsOf('{"__proto__":{"url":"/from/proto"},"constructor":{"link":"/from/constructor"}}')).toEqual([
      '/from/proto',
      '/from/constructor',
    ]);
  });
});
