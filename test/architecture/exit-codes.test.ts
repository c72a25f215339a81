import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { EXIT_CODES } from '../../src/cli/exit-code.ts';

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

test('README.md shows the table of exit codes as the program has it', () => {
  const section = README.split(/^## /m).find((part) => part.startsWith('Exit codes')) ?? '';
  const rows = section.split('\n').filter((line) => /^\| \d/.test(line));
  expect(rows).toEqual(Object.entries(EXIT_CODES).map(([code, meaning]) => `| ${code} | ${meaning} |`));
});
