import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { composeLua } from '../../../src/redis/lua-script.ts';
import { TRAP_KEYS } from '../../../src/traps/keys.ts';

const folder = new URL('../../../src/traps/', import.meta.url);

test('the table of keys names what the script and its caller use, and nothing else', () => {
  const script = composeLua(new URL('lua/recall.lua', folder));
  const caller = readFileSync(new URL('redis-trap-memory.ts', folder), 'utf8');
  const used = [
    ...[...script.matchAll(/\bkey\('([a-z-]+)/g)].map(([, name = '']) => name),
    ...[...caller.matchAll(/key\(TRAP_NAMESPACE, ['`]([a-z]+)/g)].map(([, name = '']) => name),
  ];
  // `meta` tells a script the prefix of the others, and is never written
  expect(new Set(used.filter((name) => name !== 'meta'))).toEqual(
    new Set(TRAP_KEYS.map(({ name }) => name.replace(/:.*$/, ''))),
  );
});
