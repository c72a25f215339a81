import { describe, expect, test } from 'vitest';
import { addressOf, hasParameters, isToken, namesContent } from '../../../../src/core/folding/address.ts';
import { storedCanonicalUrl } from '../../../../src/model/url/canonical-url.ts';

const parted = (path: string) => {
  const { family, path: place, parameters } = addressOf(storedCanonicalUrl(`http://a.test${path}`));
  return [family, place, parameters.map(({ name, value }) => `${name}=${value}`)];
};

test.each([
  ['/docs/a', ['/docs/*', '/docs/a', []]],
  ['/docs/a?x=1&y&x=2', ['/docs/*', '/docs/a', ['x=1', 'y=', 'x=2']]],
  ['/git?p=x.git;a=log;js=1', ['/*', '/git', ['p=x.git', 'a=log', 'js=1']]],
  ['/docs/a?q=b;c&x=1', ['/docs/*', '/docs/a', ['q=b;c', 'x=1']]],
  ['/docs/a?', ['/docs/*', '/docs/a', []]],
  ['/app/#/guide', ['/app/##/*', '/app/#/guide', []]],
  ['/app/?l=en#/guide?id=install&x=1', ['/app/##/*', '/app/#/guide', ['l=en', '#id=install', '#x=1']]],
  ['/app/#/guide#install', ['/app/##/*', '/app/#/guide', ['##=install']]],
])('%s is parted into the page and its parameters', (path, expected) => {
  expect(parted(path)).toEqual(expected);
});

test.each([
  ['/a', false],
  ['/a?b', true],
  ['/a#/b', false],
  ['/a#/b?c', true],
  ['/a#/b#c', true],
])('%s has parameters: %s', (path, expected) => {
  expect(hasParameters(`http://a.test${path}`)).toBe(expected);
});

describe('a value', () => {
  test.each([
    '1700000000',
    '1700000000123',
    'da39a3ee5e6b4b0d',
    '123e4567-e89b-12d3-a456-426614174000',
    'Zm9vYmFyMTIzNDU2',
    'a1b2c3d4e5f6a7b8c9',
  ])('%s is one that is made anew each time', (value) => expect(isToken(value)).toBe(true));

  test.each([
    '',
    '1',
    '2024',
    '20240503',
    '2024-05-03',
    '1234567',
    'home',
    'facade',
    'red-shoes-for-men',
    'chapter-17',
    'install-the-program-2',
  ])('%s is one that is meant', (value) => expect(isToken(value)).toBe(false));
});

describe('a name', () => {
  test.each(['page', 'p', 'Page', 'id', 'product_id', 'productId', 'item-no', 'q', 'filter[colour]', 'offset', 'lang'])(
    '%s says which content is wanted',
    (name) => expect(namesContent(name)).toBe(true),
  );

  test.each(['ref', 'from', 'source', 'theme', 'sid', 'sessionid', 'clickid', 'v', '_', 'nocache'])(
    '%s may say nothing',
    (name) => expect(namesContent(name)).toBe(false),
  );
});
