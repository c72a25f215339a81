import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { composeLua } from '../../../src/redis/lua-script.ts';
import { SIMILARITY_KEYS } from '../../../src/similar/keys.ts';

const folder = new URL('../../../src/similar/', import.meta.url);
const stem = (name: string): string => name.replace(/:.*$/, '');

test('the table of keys names what the script and the index use, and nothing else', () => {
  const script = composeLua(new URL('lua/place.lua', folder));
  const index = readFileSync(new URL('redis-similarity-index.ts', folder), 'utf8');
  const used = [
    ...[...script.matchAll(/\bkey\('([a-z]+)/g)].map(([, name = '']) => name),
    ...[...index.matchAll(/\}([a-z]+):\$\{host\}/g)].map(([, name = '']) => name),
  ];
  expect(new Set(['meta', ...used])).toEqual(new Set(SIMILARITY_KEYS.map(({ name }) => stem(name))));
});
