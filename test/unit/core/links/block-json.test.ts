import { expect, test } from 'vitest';
import { blockJsonLinks } from '../../../../src/core/links/data/block-json.ts';

const read = (type: string, text: string): readonly string[] | null =>
  blockJsonLinks(type, text)?.map(
    ({ kind, context, href, confidence }) => `${kind} ${context} ${href}${confidence === 'low' ? ' low' : ''}`,
  ) ?? null;

test('JSON-LD names pages and pictures', () => {
  const text = JSON.stringify({
    '@context': 'https://schema.org',
    '@graph': [
      {
        '@type': 'Article',
        '@id': '/article',
        url: 'https://example.org/a',
        mainEntityOfPage: { '@id': '/main' },
        image: { url: '/i' },
      },
      { '@type': 'BreadcrumbList', itemListElement: [{ '@type': 'ListItem', position: 1, item: '/shop' }] },
      {
        logo: 'logo.png',
        sameAs: ['https://example.net/me'],
        wordCount: '1/2',
        availability: 'https://schema.org/InStock',
      },
      { odd: 'https://example.org/odd', target: '/find?q={term}' },
    ],
  });
  expect(read('application/ld+json', text)).toEqual([
    'json json-ld /article',
    'json json-ld https://example.org/a',
    'json json-ld /main',
    'resource json-ld /i',
    'json json-ld /shop',
    'resource json-ld logo.png',
    'json json-ld https://example.net/me',
    'json json-ld https://example.org/odd low',
  ]);
});

test('JSON-LD with a comma too many is read all the same', () => {
  expect(read('application/ld+json', '{"url":"/a","image":"/b.png",}')).toEqual([
    'json json-ld /a',
    'resource json-ld /b.png',
  ]);
});

test('an import map names modules, speculation rules name pages', () => {
  expect(read('importmap', '{"imports":{"a":"/a.js","b/":"/b/"},"scopes":{"/s/":{"c":"./c.js"}}}')).toEqual([
    'resource importmap /a.js',
    'resource importmap ./c.js',
  ]);
  expect(
    read(
      'speculationrules',
      '{"prefetch":[{"urls":["/next","more.html"]}],"prerender":[{"where":{"href_matches":"/*"}}]}',
    ),
  ).toEqual(['script speculationrules /next', 'script speculationrules more.html']);
});

test('the state of an application is a speculative link', () => {
  const text = '{"props":{"next":"/posts/first","type":"text/html","img":"/a.png","id":"/","logout":"/logout"}}';
  expect(read('application/json', text)).toEqual([
    'json script[application/json] /posts/first low',
    'resource script[application/json] /logout low',
  ]);
});

test('a script of another type holds no data', () => {
  expect(read('module', 'x')).toBeNull();
});

test('the id of a node of JSON-LD is no route of an application, whatever its fragment looks like', () => {
  const person = 'https://example.org/#/schema/person/1';
  const text = JSON.stringify({
    '@graph': [
      { '@type': 'Article', '@id': 'https://example.org/post/#article', author: { '@id': person } },
      { '@type': 'Person', '@id': person, url: 'https://example.org/author/ann/' },
      { '@type': 'WebPage', url: 'https://example.org/#/inbox' },
    ],
  });
  expect(read('application/ld+json', text)).toEqual([
    'json json-ld https://example.org/post/#article',
    'json json-ld https://example.org/author/ann/',
    'json json-ld https://example.org/#/inbox',
  ]);
});

test('of two mentions in JSON-LD the surer one counts', () => {
  const text = '{"identifier":"https://example.org/p/1","url":"https://example.org/p/1"}';
  expect(read('application/ld+json', text)).toEqual(['json json-ld https://example.org/p/1']);
});

test('parameters of the type do not matter', () => {
  expect(read('application/ld+json; charset=utf-8', '{"url":"/a"}')).toEqual(['json json-ld /a']);
  expect(read('application/json;charset=utf-8', '{"path":"/deep/route"}')).toEqual([
    'json script[application/json] /deep/route low',
  ]);
});
