import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diskError } from '../../../src/crawl-folder/disk-error.ts';
import { targetError } from '../../../src/inspect/export/target-error.ts';

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

test('a folder that was removed between two looks at it is told as one that was removed', () => {
  const path = join(tmpdir(), 'orbweaver-test-gone', 'snapshots');
  const error = Object.assign(new Error(`EEXIST: file already exists, mkdir '${path}'`), { code: 'EEXIST', path });
  expect(diskError(error, path).message).toContain('its folder is not there\nIf it was moved or removed meanwhile');
});

test('a folder that the user may not write to is told in words, without the name of the file that was to be made', () => {
  const refused = Object.assign(new Error("EACCES: permission denied, open '/a/.lock.1'"), { code: 'EACCES' });
  expect(diskError(refused, '/a').message).toBe(
    'cannot write /a: this user may not write there\nGive another folder, or this user the right to write there.',
  );
});

test.each([
  [{ files: 80, ffree: 0 }, 'the disk holds no more files (its inodes are used up)', 'Remove files there'],
  [{ files: 80, ffree: 1 }, 'the disk is full', 'Free some space'],
  [{ files: 0, ffree: 0 }, 'the disk is full', 'Free some space'], // Btrfs counts none
])('a disk with %j inodes that takes no more is told by what it lacks', (inodes, what, cure) => {
  const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  const told = diskError(full, '/a/pages.jsonl', () => inodes);
  const message = `${what}: /a/pages.jsonl could not be written\n${cure}, then resume the crawl.`;
  expect([told.code, told.message]).toEqual(['DISK_FULL', message]);
});

test('an export that a full disk does not take has a cure of its own', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  const told = targetError(full, '/a/links.csv', () => ({ files: 80, ffree: 0 }));
  expect([told.code, told.message]).toEqual([
    'DISK_FULL',
    'the disk holds no more files (its inodes are used up): /a/links.csv could not be written\nRemove files there, or choose another place.',
  ]);
});

test('a full disk whose folder has gone is told as full', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  expect(diskError(full, join(tmpdir(), 'orbweaver-test-gone', 'pages.jsonl')).message).toContain('the disk is full');
});
