import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { extensionsOf } from '../../../src/crawl/opening/load-extensions.ts';

const FILES = {
  'function.mjs': 'export default () => {}',
  'stages.mjs': 'export const before = () => {}; export const settled = () => {}',
  'nothing.mjs': 'export const other = 1',
  'number.mjs': 'export default 1',
  'broken.mjs': 'export default (',
  'one.mjs': 'export default { name: "one", pageHooks: [{ name: "all", matches: "**", settled: () => {} }] }',
  'two.mjs': 'export default [{ name: "two" }, { name: "three" }]',
  'odd.mjs': 'export default { name: "odd", wings: [] }',
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'orbweaver-extensions-'));
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(folder, name), text);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const load = (pageScripts: readonly string[], extensionFiles: readonly string[], render: 'auto' | 'never' = 'auto') =>
  extensionsOf({ pageScripts, extensionFiles, render }, [{ name: 'given' }], folder);

describe('the extensions of a crawl', () => {
  test('are those of the program, those of files, and page scripts as one of their own', async () => {
    const scripts = ['/a/**=function.mjs', `/b?c=d=${join(folder, 'stages.mjs')}`];
    const extensions = await load(scripts, ['one.mjs', 'two.mjs']);
    expect(extensions.map(({ name }) => name)).toEqual(['given', 'one', 'two', 'three', 'page-script']);
    expect(extensions.at(-1)?.pageHooks).toEqual([
      { name: 'function.mjs', matches: '/a/**', settled: expect.any(Function) },
      { name: 'stages.mjs', matches: '/b?c=d', before: expect.any(Function), settled: expect.any(Function) },
    ]);
  });

  test('are a list: one that a program gives alone is refused', async () => {
    const alone = { name: 'alone' } as unknown as readonly { readonly name: string }[];
    const none = { pageScripts: [], extensionFiles: [], render: 'auto' } as const;
    await expect(extensionsOf(none, alone, folder)).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining('give a list') as string,
    });
  });

  test.each([
    ['pageScripts', '**=none.mjs', 'there is no file'],
    ['pageScripts', '**=nothing.mjs', 'must export a function'],
    ['pageScripts', '**=number.mjs', 'must export a function'],
    ['pageScripts', '**=broken.mjs', 'it cannot be loaded'],
    ['extensionFiles', 'none.mjs', 'there is no file'],
    ['extensionFiles', 'nothing.mjs', 'must be an extension'],
    ['extensionFiles', 'odd.mjs', 'no part wings'],
  ] as const)('%s: %s is refused: %s', async (option, value, words) => {
    const loading = option === 'pageScripts' ? load([value], []) : load([], [value]);
    await expect(loading).rejects.toMatchObject({
      code: 'USAGE',
      data: { option },
      message: expect.stringMatching(new RegExp(`^${option}: .*${words}`)) as string,
    });
  });

  test('with page hooks need a browser', async () => {
    await expect(load([], ['one.mjs'], 'never')).rejects.toMatchObject({
      code: 'USAGE',
      data: { option: 'render' },
      message: expect.stringContaining('the page hook one/all needs a browser') as string,
    });
    await expect(load([], ['two.mjs'], 'never')).resolves.toHaveLength(3);
  });
});
