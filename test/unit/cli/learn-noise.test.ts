import { access, mkdtemp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withNoise } from '../../../src/cli/diff/crawl-judging.ts';
import { FakeShell } from './fake-shell.ts';

let base = '';
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'orbweaver-again-'));
});
afterEach(() => rm(base, { recursive: true, force: true }));

test.each([
  ['fails', async (): Promise<3> => Promise.resolve(3)],
  ['is refused', async (): Promise<3> => Promise.reject(new Error('it is refused'))],
])('a second crawl that %s takes its own folder with it, and no folder that was there before', async (_how, end) => {
  const folder = join(base, 'old');
  await mkdir(`${folder}.again`);
  await writeFile(join(`${folder}.again`, 'mine.txt'), 'mine');
  const used: string[] = [];
  const again = async (second: string): Promise<3> => {
    used.push(basename(second));
    await access(second);
    await writeFile(join(second, 'crawl.json'), '{}');
    return end();
  };
  await withNoise(again, null, new FakeShell({ words: [] }))
    .run(folder)
    .catch(() => {});
  expect(used).toEqual([expect.stringMatching(/^old\.again/)]);
  expect(await readdir(base)).toEqual(['old.again']);
  expect(await readFile(join(`${folder}.again`, 'mine.txt'), 'utf8')).toBe('mine');
});
