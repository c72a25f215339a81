import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { flagRows } from '../../src/cli/flags/flag-help.ts';
import { FLAGS } from '../../src/cli/flags/flags.ts';

const root = new URL('../../', import.meta.url);
const names = readdirSync(new URL('docs', root)).filter((name) => name.endsWith('.md'));
const documents = ['README.md', ...names.map((name) => `docs/${name}`)].map((name) =>
  readFileSync(new URL(name, root), 'utf8'),
);
const section =
  readFileSync(new URL('docs/cli.md', root), 'utf8')
    .split(/^## /m)
    .find((part) => part.startsWith('Flags of `crawl`')) ?? '';
const rows = section.split('\n').filter((line) => /^\| [a-z]+ \| `-/.test(line));

describe('docs/cli.md', () => {
  test.each(FLAGS.map((flag, index) => [flag.usage, flagRows()[index]] as const))(
    'shows %s as the program has it',
    (_usage, row) => {
      expect(rows).toContain(row);
    },
  );

  test('shows no flag that the program does not have, and each once', () => {
    expect(rows).toEqual(flagRows());
  });

  test('and the other documents name no flag that the program does not have', () => {
    const known = [...FLAGS.map(({ name }) => name), 'help', 'version', 'port', 'links', 'json'];
    const ofWorker = ['crawl', 'crawl-folder', 'grace', 'appendonly', 'maxmemory-policy']; // and of redis-server
    const ofLinks = ['to', 'from', 'path', 'orphans', 'dead-ends', 'rank', 'kind', 'pages', 'parts'];
    const ofStored = ['text', 'html', 'screenshot', 'headers', 'csv', 'sqlite', 'wacz'];
    const ofDiff = ['only', 'expected', 'update', 'pictures', 'no-pictures'];
    const ofOthers = ['memory', 'network', 'rm', 'security-opt', 'user', 'remote-debugging-port', 'build', 'scale']; // Docker's, Chromium's
    const named = [...documents.join('\n').matchAll(/(?<![\w-])--([a-z][a-z-]*)/g)].map(([, name = '']) => name);
    expect(
      named.filter((name) => ![...known, ...ofLinks, ...ofStored, ...ofDiff, ...ofWorker, ...ofOthers].includes(name)),
    ).toEqual([]);
  });
});
