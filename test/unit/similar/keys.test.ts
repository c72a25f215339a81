import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { composeLua } from '../../../src/redis/lua-script.ts';
import { SIMILARITY_KEYS } from '../../../src/similar/keys.ts';

const folder = new URL('../../../src/similar/', import.meta.url);
const stem = (name: string): string => name.replace(/:.*$/, '');

test('the table of keys names what the scripts and their callers use, and nothing else', () => {
  const scripts = ['place', 'recall'].map((name) => composeLua(new URL(`lua/${name}.lua`, folder))).join('\n');
  const files = ['redis-similarity-index.ts', 'redis-gist-memory.ts'];
  const index = files.map((file) => readFileSync(new URL(file, folder), 'utf8')).join('\n');
  const used = [
    ...[...scripts.matchAll(/\bkey\('([a-z-]+)/g)].map(([, name = '']) => name),
    ...[...index.matchAll(/\}([a-z]+):\$\{host\}/g)].map(([, name = '']) => name),
    ...[...index.matchAll(/key\(SIMILARITY_ROOM, ['`]([a-z]+)/g)].map(([, name = '']) => name),
  ];
  expect(new Set(['meta', ...used])).toEqual(new Set(SIMILARITY_KEYS.map(({ name }) => stem(name))));
});
