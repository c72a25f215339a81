import { describe, expect, test } from 'vitest';
import { canonicalUrl, type CanonicalUrl } from '../../../../src/model/url/canonical-url.ts';
import { urlShape } from '../../../../src/model/url/url-shape.ts';

function canonical(url: string): CanonicalUrl {
  const made = canonicalUrl(url);
  if (made === null) throw new Error(`no canonical URL: ${url}`);
  return made;
}

const templates = (url: string): readonly [page: string, place: string] => [
  urlShape(canonical(url), 'page'),
  urlShape(canonical(url), 'place'),
];

const of = (path: string): string => urlShape(canonical(`https://a.example${path}`), 'program');

test.each([
  ['/', '/'],
  ['/about', '/*'],
  ['/about/', '/*/'],
  ['/docs/intro.html', '/docs/*.html'],
  ['/docs/usage.HTML', '/docs/*.html'],
  ['/2024/05/a-title', '/#/#/*'],
  ['/calendar/2024-05/31', '/calendar/#-#/*'],
  ['/u/3f2a9c01d4/posts/1', '/u/@/posts/*'],
  ['/u/123e4567-e89b-12d3-a456-426614174000/', '/u/*/'],
  ['/b/123e4567-e89b-12d3-a456-426614174000/x', '/b/@/*'],
  ['/item/page2/x', '/item/page#/*'],
  ['/decade/facade/x', '/decade/facade/*'],
  ['/a-title-that-is-a-name-of-one/x', '/*/*'],
  ['/a/b/a/b/a/b/a/b/c', '/a/b/a/**/*'],
  ['/shop?colour=red&size=1', '/*?colour&size'],
  ['/shop?size=2&colour=blue', '/*?colour&size'],
  ['/shop?a=1&b=2&c=3&d=4', '/*?a&b&c&**'],
  ['/shop?a=1&b=2&c=3&e=5&f=6', '/*?a&b&c&**'],
  ['/git?p=x.git;a=log;h=1', '/*?a;h;p'],
  ['/shop?colour=red;desc;size=1&x=2', '/*?colour;desc;size;**'],
  ['/find?q=chair;table', '/*?q'],
  ['/list?filter1=a', '/*?filter#'],
  ['/app1/users', '/app1/*'],
  ['/app44/users/17', '/app44/users/*'],
  ['/v2/docs/a', '/v2/docs/*'],
  ['/react-18/about', '/react-18/*'],
  ['/app123/users', '/app#/*'],
  ['/12/users', '/#/*'],
  ['/#/users/17', '/##/users/*'],
  ['/#!/users/17', '/##/users/*'],
  ['/17/users/1', '/#/users/*'],
  ['/app2/#/users', '/app2/##/*'],
  ['/vue/#/users', '/vue/##/*'],
  ['/vue/index.html#/users', '/vue/*.html##/*'],
  ['/vue/?lang=en#/users', '/vue/?lang##/*'],
  ['/новости/май-2024/x', '/новости/май-#/*'],
  ['/товары/x', '/товары/*'],
  ['/新闻/2024/标题', '/新闻/#/*'],
  ['/تقویم/۱۴۰۲/۰۵', '/تقویم/%DB%B#%DB%B#%DB%B#%DB%B#/*'],
  ['/список?цвет=1&размер=2', '/*?размер&цвет'],
  ['/название-одной-вещи-на-сайте/x', '/*/*'],
  ['/caf%C3%A9%20bar/x', '/café%#bar/*'],
  ['/%E4%F6/x', '/%E#%F#/*'],
])('%s is of the pattern %s', (path, pattern) => {
  expect(of(path)).toBe(pattern);
});

test('folders are told apart in every script', () => {
  const folders = ['новости', 'календарь', 'ειδήσεις', 'ニュース', 'カレンダー', '뉴스', 'أخبار', 'חדשות', 'समाचार'];
  expect(new Set(folders.map((folder) => of(`/${folder}/2024-05`))).size).toBe(folders.length);
});

test('a pattern ends with a whole letter', () => {
  const long = '𠮷'.repeat(12);
  expect(of(`/${long}/a${long}/${long}/${long}/x`)).toMatch(/^[\p{L}/*]+$/u);
  expect(of(`/${long}/${long}/${long}/${long}/x`)).toMatch(/^[\p{L}/*]+$/u);
});

test('a pattern has a bounded length, whatever the URL', () => {
  expect(of(`/${'a.b/'.repeat(300)}?${'x'.repeat(500)}=1`).length).toBeLessThanOrEqual(100);
});

describe('the pattern of an address', () => {
  test.each([
    ['https://example.org/item/17', 'https://example.org/item/0'],
    ['https://example.org/item/18?page=3&b=x#part', 'https://example.org/item/0?b&page'],
    ['https://example.org/u/550e8400-e29b-41d4-a716-446655440000', 'https://example.org/u/*'],
    ['https://example.org/file/da39a3ee5e6b4b0d3255bfef', 'https://example.org/file/*'],
    ['https://example.org/blog/how-to-wait-for-pages', 'https://example.org/blog/*'],
    ['https://example.org/o/deadbeef01', 'https://example.org/o/*'],
    ['https://example.org/v/dGhpcyBpcyBhbiBpZA', 'https://example.org/v/*'],
    ['https://example.org/about-us/', 'https://example.org/about-us/'],
    ['https://example.org:8080/', 'https://example.org:8080/'],
    ['https://example.org/#/user/12?tab=1', 'https://example.org/#/user/0'],
    ['not a URL', ''],
  ])('%s is like %s', (address, pattern) => {
    expect(urlShape(address, 'route')).toBe(pattern);
  });

  test('is bounded for addresses of any length', () => {
    const long = `https://example.org/${'a/'.repeat(10_000)}?${'q=1&'.repeat(10_000)}`;
    expect(urlShape(long, 'route').length).toBeLessThan(2000);
  });
});

describe('pages of one kind', () => {
  test.each([
    ['http://a.test/item/1', 'http://a.test/item/2'],
    ['http://a.test/blog/how-to-grow-roses', 'http://a.test/blog/what-to-eat-in-may'],
    ['http://a.test/list?page=1&sort=a', 'http://a.test/list?sort=b&page=9'],
    ['http://a.test/app#/user/1', 'http://a.test/app#/user/2'],
  ])('%s is one with %s', (one, other) => expect(urlShape(one, 'route')).toBe(urlShape(other, 'route')));

  test.each([
    ['http://a.test/item/1', 'http://b.test/item/1'],
    ['http://a.test/item/1', 'http://a.test/user/1'],
    ['http://a.test/list', 'http://a.test/list?page=2'],
    ['http://a.test/git?p=x;a=log', 'http://a.test/git?p=x;a=tree;f=y'],
    ['http://a.test/app#/user', 'http://a.test/app#/home'],
  ])('%s is none with %s', (one, other) => expect(urlShape(one, 'route')).not.toBe(urlShape(other, 'route')));
});

describe('the template of a URL', () => {
  test.each([
    ['http://a.test/', '/', '/'],
    ['http://a.test/about', '/about', '/{name}'],
    ['http://a.test/about/', '/about/', '/about/'],
    ['http://a.test/news/2024/05/some-title.html', '/news/{n}/{n}/{slug}.html', '/news/{n}/{n}/{name}.html'],
    ['http://a.test/2024-05-17/x', '/{date}/x', '/{date}/{name}'],
    ['http://a.test/p/1234', '/p/{n}', '/p/{name}'],
    ['http://a.test/page7.htm', '/page{n}.htm', '/{name}.htm'],
    ['http://a.test/o/3f2504e0-4f89-11d3-9a0c-0305e82c3301', '/o/{id}', '/o/{name}'],
    ['http://a.test/o/deadbeef01/edit', '/o/{id}/edit', '/o/{id}/{name}'],
    ['http://a.test/facade/decade', '/facade/decade', '/facade/{name}'],
    ['http://a.test/w/Caf%C3%A9', '/w/{slug}', '/w/{name}'],
    ['http://a.test/list?page=3&by=name', '/list?by&page', '/{name}?by&page'],
    ['http://a.test/git?p=x.git;a=log', '/git?a&p', '/{name}?a&p'],
    ['http://a.test/app#/users/3', '/app#{route}', '/{name}#{route}'],
    ['http://a.test/file.PHP?id=1', '/file.php?id', '/{name}.php?id'],
  ])('%s is %s, or %s', (url, specific, general) => {
    expect(templates(url)).toEqual([specific, general]);
  });

  test('is bounded, however long the URL', () => {
    const [specific] = templates(`http://a.test/${'a/'.repeat(900)}`);
    const query = Array.from({ length: 200 }, (_, index) => `q${index}=1`).join('&');
    expect(specific).toBe('/a/a/a/a/a/a/a/{rest}');
    expect(templates(`http://a.test/?${query}`)[0].length).toBeLessThan(300);
  });
});
