import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { SIMILARITY_KEYS } from '../../src/dedup/keys.ts';
import { FLEET_KEYS } from '../../src/fleet/keys.ts';
import { FRONTIER_KEYS } from '../../src/frontier/keys.ts';
import { TRAP_KEYS } from '../../src/traps/keys.ts';

it.each([
  ['src/frontier/keys.ts', 'keys', FRONTIER_KEYS],
  ['src/dedup/keys.ts', 'similarity-keys', SIMILARITY_KEYS],
  ['src/traps/keys.ts', 'trap-keys', TRAP_KEYS],
  ['src/fleet/keys.ts', 'fleet-keys', FLEET_KEYS],
] as const)('the table of keys in ARCHITECTURE.md says what %s says', async (_file, mark, keys) => {
  const text = await readFile(new URL('../../ARCHITECTURE.md', import.meta.url), 'utf8');
  const table = new RegExp(`<!-- ${mark}:begin[^>]*-->\\n([\\s\\S]*?)<!-- ${mark}:end -->`).exec(text)?.[1] ?? '';
  const rows = table
    .split('\n')
    .slice(2)
    .filter((line) => line !== '')
    .map((line) =>
      line
        .replaceAll('&lt;', '<')
        .split(' | ')
        .map((cell) => cell.replace(/^\| /, '').replace(/ \|$/, '').trim()),
    );
  const expected = keys.map(({ name, type, member, value, purpose }) => [`\`${name}\``, type, member, value, purpose]);
  expect(rows, 'run `node scripts/build.mjs && node scripts/key-table.mjs`').toEqual(expected);
});
