import { describe, expect, test } from 'vitest';
import { fnv1a } from '../../../../src/base/hash.ts';
import { contentOf, placesIn } from '../../../../src/core/folding/page-content.ts';
import { storedCanonicalUrl } from '../../../../src/model/url/canonical-url.ts';

const at = (path: string): string => `http://a.test${path}`;

function content(
  path: string,
  targets: readonly string[],
  more: { readonly title?: string; readonly digest?: string } = {},
): number {
  return contentOf({ url: storedCanonicalUrl(at(path)), title: 'T', digest: 'd', targets, ...more });
}

describe('two pages say the same', () => {
  test.each<[what: string, one: readonly [string, readonly string[]], other: readonly [string, readonly string[]]]>([
    ['whatever the order of their links', ['/a', [at('/b'), at('/c')]], ['/a?r=1', [at('/c'), at('/b'), at('/b')]]],
    ['where each leads to itself', ['/a', [at('/a'), at('/b')]], ['/a?r=1', [at('/a?r=1'), at('/a?r=2'), at('/b')]]],
    ['where each hands its session on', ['/a', [at('/b')]], ['/a?s=da39a3ee5e6b4b0d', [at('/b?s=da39a3ee5e6b4b0d')]]],
    [
      'where each link has a number of its own',
      ['/a?n=1700000001', [at('/b?x=1700000002')]],
      ['/a?n=1700000003', [at('/b?x=1700000004')]],
    ],
    [
      'where they are shared with others',
      ['/a', ['http://b.test/share?u=/a']],
      ['/a?r=1', ['http://b.test/share?u=/a?r=1']],
    ],
    ['where they say how to come back', ['/a', [at('/login?next=/a')]], ['/a?r=1', [at('/login?next=%2Fa%3Fr%3D1')]]],
    [
      'where a route is a place in a page',
      ['/#/a?id=x', [at('/#/a?id=y'), at('/#/b')]],
      ['/#/a?id=y', [at('/#/a?id=x'), at('/#/b')]],
    ],
  ])('%s', (_what, [one, ones], [other, others]) => expect(content(one, ones)).toBe(content(other, others)));
});

describe('two pages say different things', () => {
  test.each<[what: string, one: readonly [string, readonly string[]], other: readonly [string, readonly string[]]]>([
    ['where they lead elsewhere', ['/a', [at('/b')]], ['/a?r=1', [at('/c')]]],
    ['where one leads to more', ['/a', [at('/b')]], ['/a?r=1', [at('/b'), at('/c')]]],
    ['where one hands a word on that may mean something there', ['/a', [at('/b')]], ['/a?m=full', [at('/b?m=full')]]],
    ['where they show other pictures', ['/a', [at('/1.png')]], ['/a?r=1', [at('/2.png')]]],
  ])('%s', (_what, [one, ones], [other, others]) => expect(content(one, ones)).not.toBe(content(other, others)));

  test('where their texts or titles differ', () => {
    const plain = content('/a', []);
    expect(content('/a?r=1', [], { digest: 'e' })).not.toBe(plain);
    expect(content('/a?r=1', [], { title: 'U' })).not.toBe(plain);
  });
});

test('the places of a document are its ids', () => {
  expect(placesIn('<h2 id="install">x</h2><a name="q" data-id="z" id="use-it">')).toEqual(
    ['install', 'use-it'].map(fnv1a),
  );
  expect(placesIn(Array.from({ length: 900 }, (_, index) => `<p id="a${index}">`).join(''))).toHaveLength(500);
});
