import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SIMILARITY_KEYS } from '../../../src/dedup/keys.ts';
import { composeLua } from '../../../src/redis/lua-script.ts';

const folder = new URL('../../../src/dedup/', import.meta.url);

test('the table of keys names what the script and its caller use, and nothing else', () => {
  const script = composeLua(new URL('lua/place.lua', folder));
  const caller = readFileSync(new URL('redis-similarity-index.ts', folder), 'utf8');
  const used = [
    ...[...script.matchAll(/\bkey\('([a-z-]+)/g)].map(([, name = '']) => name),
    ...[...caller.matchAll(/\}([a-z]+):\$\{host\}/g)].map(([, name = '']) => name),
  ];
  expect(new Set(['meta', ...used])).toEqual(new Set(SIMILARITY_KEYS.map(({ name }) => name.replace(/:.*$/, ''))));
});
