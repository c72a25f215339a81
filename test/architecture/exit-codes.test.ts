import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { EXIT_CODES } from '../../src/cli/exit-code.ts';

const CLI = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8');

test('docs/cli.md shows the table of exit codes as the program has it', () => {
  const section = CLI.split(/^## /m).find((part) => part.startsWith('Exit codes')) ?? '';
  const rows = section.split('\n').filter((line) => /^\| \d/.test(line));
  expect(rows).toEqual(Object.entries(EXIT_CODES).map(([code, meaning]) => `| ${code} | ${meaning} |`));
});
