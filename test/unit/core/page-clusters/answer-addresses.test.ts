import { describe, expect, it } from 'vitest';
import { AnswerAddresses } from '../../../../src/core/page-clusters/answer-addresses.ts';

/** Learns from pages by their paths, and the requests of each. */
function learnt(...pages: readonly (readonly [page: string, ...requests: string[]])[]): AnswerAddresses {
  const addresses = new AnswerAddresses();
  for (const [page, ...requests] of pages)
    expect(
      addresses.learn(
        `http://a.test${page}`,
        requests.map((path) => `http://a.test${path}`),
      ),
      page,
    ).toBe(true);
  return addresses;
}

const paths = (addresses: readonly string[] | null): readonly string[] | null =>
  addresses === null ? null : addresses.map((url) => url.replace('http://a.test', ''));

/** Two pages of each kind, and the requests of a third. */
const KINDS: readonly (readonly [
  what: string,
  one: [string, string],
  other: [string, string],
  third: [string, string],
])[] = [
  ['a segment', ['/p/7', '/api/7'], ['/p/12', '/api/12'], ['/p/3', '/api/3']],
  [
    'a segment within a text',
    ['/p/7', '/data/item-7.json'],
    ['/p/12', '/data/item-12.json'],
    ['/p/3', '/data/item-3.json'],
  ],
  [
    'a value of the query',
    ['/p?id=7', '/api?full=1&id=7'],
    ['/p?id=9', '/api?full=1&id=9'],
    ['/p?id=3', '/api?full=1&id=3'],
  ],
  ['a name without its ending', ['/a/x.html', '/api/x'], ['/a/y.html', '/api/y'], ['/a/z.html', '/api/z']],
  ['the end of a name', ['/shoe-red-7', '/api/7'], ['/hat-blue-8', '/api/8'], ['/coat-5', '/api/5']],
  ['two segments', ['/de/p/7', '/api/de/7'], ['/fr/p/8', '/api/fr/8'], ['/en/p/9', '/api/en/9']],
  ['encoded words', ['/p/%C3%A4', '/api/%C3%A4'], ['/p/b', '/api/b'], ['/p/c%20d', '/api/c%20d']],
  ['nothing of the page', ['/p/7', '/api/menu'], ['/p/8', '/api/menu'], ['/p/9', '/api/menu']],
];

describe('what pages ask of an API', () => {
  it.each(KINDS)('is known by %s', (_what, one, other, [page, request]) => {
    expect(paths(learnt(one, other).of(`http://a.test${page}`))).toEqual([request]);
  });

  it('is not known of one page alone, nor of one that was seen twice', () => {
    expect(learnt(['/p/7', '/api/7']).of('http://a.test/p/8')).toBeNull();
    expect(learnt(['/p/7', '/api/7'], ['/p/7', '/api/7']).of('http://a.test/p/8')).toBeNull();
  });

  it('is not guessed where two readings differ: by the first or the last segment, once they are not the same', () => {
    const addresses = learnt(['/7/p/7', '/api/7'], ['/8/p/8', '/api/8']);
    expect(paths(addresses.of('http://a.test/9/p/9'))).toEqual(['/api/9']);
    expect(addresses.of('http://a.test/1/p/2')).toBeNull();
  });

  it('is known of several requests, in whatever order they come', () => {
    const addresses = learnt(['/p/7', '/api/7', '/api/7/reviews'], ['/p/8', '/api/8/reviews', '/api/8']);
    expect(paths(addresses.of('http://a.test/p/9'))).toEqual(['/api/9', '/api/9/reviews']);
    const [one, reviews] = ['http://a.test/api/8', 'http://a.test/api/8/reviews'];
    expect(addresses.inOrder([reviews, one])).toEqual([one, reviews]);
    expect(addresses.inOrder([one])).toBeNull();
    expect(addresses.inOrder([one, reviews, one])).toBeNull();
  });

  it('is no page’s of which a request is made of something else', () => {
    const addresses = learnt(['/p/7', '/api/7']);
    expect(addresses.learn('http://a.test/p/8', ['http://a.test/api/4711'])).toBe(false);
    expect(addresses.learn('http://a.test/p/8', ['http://b.test/api/8'])).toBe(false);
    expect(addresses.learn('http://a.test/p/8', [])).toBe(false);
    expect(addresses.learn('http://a.test/p/8', ['http://a.test/api/8', 'http://a.test/api/8?more'])).toBe(false);
  });

  it('is left to a browser where there are many, or what is asked is no address', () => {
    const many = Array.from({ length: 7 }, (_, n) => `http://a.test/api/${n}`);
    expect(new AnswerAddresses().learn('http://a.test/p/7', many)).toBe(false);
    expect(new AnswerAddresses().learn('http://a.test/p/7', ['http://'])).toBe(false);
    expect(new AnswerAddresses().learn('http://a.test/p/7', ['data:application/json,{"page":7}'])).toBe(false);
    expect(new AnswerAddresses().learn('http://a.test/p/7', ['blob:http://a.test/7'])).toBe(false);
    expect(new AnswerAddresses().learn('http://a.test/p/7', [`http://a.test/${'x/'.repeat(30)}`])).toBe(false);
  });
});
