import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ERROR_CODES } from '../../src/base/errors.ts';

const root = new URL('../../', import.meta.url);
const document = readFileSync(new URL('docs/errors.md', root), 'utf8');
const section = document.split(/^## /m).find((part) => part.startsWith('Error codes')) ?? '';
const rows = section
  .split('\n')
  .map((line) => /^\| `([A-Z_]+)` \| (.+) \| (.+) \|$/.exec(line))
  .filter((match) => match !== null);

test('docs/errors.md explains every error code in the words of the program, and no other', () => {
  expect(rows.map(([, code, meaning]) => [code, meaning])).toEqual(Object.entries(ERROR_CODES));
});

test('docs/errors.md has a cure for every error code', () => {
  for (const [, code, , cure = ''] of rows) expect(cure, code).toMatch(/^.{20,}\.$/);
});

test('every error code is thrown somewhere', () => {
  const sources = [...typescriptBelow('src/'), ...typescriptBelow('browsers/')].join('\n');
  expect(Object.keys(ERROR_CODES).filter((code) => !sources.includes(`'${code}'`))).toEqual([]);
});

function typescriptBelow(folder: string): readonly string[] {
  return readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('base/errors.ts') && name !== 'cli/exit-code.ts')
    .map((name) => readFileSync(new URL(`${folder}${name}`, root), 'utf8'));
}
