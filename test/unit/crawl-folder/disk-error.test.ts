import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diskError } from '../../../src/crawl-folder/disk-error.ts';

test('a folder that was removed while a crawl wrote to it is told as that, with what can be done', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'orbweaver-removed-'));
  await rm(folder, { recursive: true });
  const path = join(folder, 'crawl.json');
  const error = await open(`${path}.1.tmp`, 'wx').catch((thrown: unknown) => thrown);
  const told = diskError(error, path);
  expect([told.code, told.message]).toEqual([
    'OUTPUT_UNUSABLE',
    `cannot write ${path}: its folder is not there\nIf it was moved or removed meanwhile, put it back and resume, or crawl again.`,
  ]);
});

test('a folder that the user may not write to is told in words, without the name of the file that was to be made', () => {
  const refused = Object.assign(new Error("EACCES: permission denied, open '/a/.lock.1'"), { code: 'EACCES' });
  expect(diskError(refused, '/a').message).toBe(
    'cannot write /a: this user may not write there\nGive another folder, or this user the right to write there.',
  );
});
