import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { quoted } from '../../../src/cli/shell.ts';
import { safeText } from '../../../src/cli/terminal/safe-text.ts';

test.each([
  ['./crawl', './crawl'],
  ["it's a folder", `'it'\\''s a folder'`],
  ["a\nb\t'c'\\", String.raw`$'a\nb\t\'c\'\\'`],
  ['\u001b[31m7', String.raw`$'\033[31m7'`],
  ['\u202egnp.\u00e4', String.raw`$'\342\200\256gnp.ä'`],
])('%j is a word that can be pasted, as it is shown', (word, shown) => {
  expect(safeText(quoted(word))).toBe(shown);
  expect(execFileSync('bash', ['-c', `printf %s ${shown}`], { encoding: 'utf8' })).toBe(word);
});
