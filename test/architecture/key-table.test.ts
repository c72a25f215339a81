import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { FRONTIER_KEYS } from '../../src/frontier/keys.ts';

it('the table of keys in ARCHITECTURE.md says what src/frontier/keys.ts says', async () => {
  const text = await readFile(new URL('../../ARCHITECTURE.md', import.meta.url), 'utf8');
  const table = /<!-- keys:begin[^>]*-->\n([\s\S]*?)<!-- keys:end -->/.exec(text)?.[1] ?? '';
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
  const expected = FRONTIER_KEYS.map(({ name, type, member, value, purpose }) => [
    `\`${name}\``,
    type,
    member,
    value,
    purpose,
  ]);
  expect(rows, 'run `node scripts/build.mjs && node scripts/key-table.mjs`').toEqual(expected);
});
