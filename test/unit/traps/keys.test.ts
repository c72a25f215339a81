import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { composeLua } from '../../../src/redis/lua-script.ts';
import { TRAP_KEYS } from '../../../src/traps/keys.ts';

const folder = new URL('../../../src/traps/', import.meta.url);

test('the table of keys names what the scripts and their callers use, and nothing else', () => {
  const script = ['recall', 'keep-parameters'].map((name) => composeLua(new URL(`lua/${name}.lua`, folder))).join('\n');
  const callers = ['redis-trap-memory.ts', 'redis-parameter-memory.ts'];
  const caller = callers.map((name) => readFileSync(new URL(name, folder), 'utf8')).join('\n');
  const used = [
    ...[...script.matchAll(/\bkey\('([a-z-]+)/g)].map(([, name = '']) => name),
    ...[...caller.matchAll(/key\(TRAP_NAMESPACE, ['`]([a-z]+)/g)].map(([, name = '']) => name),
  ];
  // `meta` gives a script the prefix of the other keys, and is never written
  expect(new Set(used.filter((name) => name !== 'meta'))).toEqual(
    new Set(TRAP_KEYS.map(({ name }) => name.replace(/:.*$/, ''))),
  );
});
