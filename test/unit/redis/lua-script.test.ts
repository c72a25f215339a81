import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { crawlId } from '../../../src/model/crawl-id.ts';
import { keySpace } from '../../../src/redis/key-space.ts';
import { composeLua } from '../../../src/redis/lua-script.ts';
import { temporaryFolder } from '../../support/redis.ts';

async function scripts(folder: string, files: Readonly<Record<string, string>>): Promise<URL> {
  await mkdir(join(folder, 'includes'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return pathToFileURL(join(folder, 'main.lua'));
}

test('an include stands where it is named, and once however often it is named', async () => {
  await using folder = await temporaryFolder();
  const file = await scripts(folder.path, {
    'main.lua': '--- @include "one"\n--- @include "two"\nreturn 1',
    'includes/one.lua': '-- one',
    'includes/two.lua': '--- @include "one"\n-- two',
  });
  expect(composeLua(file).split('\n')).toEqual(['-- one', '', '-- two', 'return 1']);
});

test('includes that go round in a circle are an error that names them', async () => {
  await using folder = await temporaryFolder();
  const file = await scripts(folder.path, {
    'main.lua': '--- @include "one"',
    'includes/one.lua': '--- @include "two"',
    'includes/two.lua': '--- @include "one"',
  });
  expect(() => composeLua(file)).toThrow(/main\.lua > .*one\.lua > .*two\.lua > .*one\.lua/);
});

test('all keys of a crawl share its hash tag', () => {
  const keys = keySpace(crawlId('some-crawl'));
  expect(keys.key('f', 'due')).toBe('orbweaver:{some-crawl}:f:due');
  expect(keys.key('n', 'band:1').startsWith(keys.prefix)).toBe(true);
});
