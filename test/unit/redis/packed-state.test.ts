import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { packState, unpackState } from '../../../src/redis/packed-state.ts';

let state = '';
beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), 'orbweaver-packed-'));
});
afterEach(() => rm(state, { recursive: true, force: true }));

const FILES: Readonly<Record<string, string>> = {
  'appendonly.aof.manifest': 'file appendonly.aof.3.base.rdb seq 3 type b\n',
  'appendonly.aof.3.base.rdb': 'REDIS0011 \n\n and more'.repeat(5000),
  'appendonly.aof.3.incr.aof': '',
};

async function put(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(join(state, folder), { recursive: true });
  for (const [name, content] of Object.entries(files)) await writeFile(join(state, folder, name), content);
}

async function filesIn(folder: string): Promise<Readonly<Record<string, string>>> {
  const names = await readdir(join(state, folder));
  const contents = await Promise.all(names.map((name) => readFile(join(state, folder, name), 'utf8')));
  return Object.fromEntries(names.map((name, index) => [name, contents[index] ?? '']));
}

const packed = (header: unknown, content = ''): Promise<void> =>
  writeFile(join(state, 'packed.gz'), gzipSync(`${JSON.stringify(header)}\n${content}`));

test('a state that is packed is one small file, and comes back as it was', async () => {
  await put('appendonlydir', FILES);
  await put('.', { 'redis.log': 'words' });
  await packState(state);
  expect(await readdir(state)).toEqual(['packed.gz']);
  await unpackState(state);
  expect(await readdir(state)).toEqual(['appendonlydir']);
  expect(await filesIn('appendonlydir')).toEqual(FILES);
  await unpackState(state); // changes nothing if nothing is packed
  expect(await filesIn('appendonlydir')).toEqual(FILES);
});

describe('what a kill left', () => {
  test.each<[string, () => Promise<void>]>([
    ['half a packed file', () => put('.', { 'packed.gz.tmp': 'half' })],
    ['the files beside the packed one', () => put('appendonlydir', FILES)],
    ['some of the files beside the packed one', () => put('appendonlydir', { 'appendonly.aof.manifest': '' })],
    ['half of what is unpacked', () => put('appendonlydir.new', { 'appendonly.aof.3.base.rdb': 'half' })],
  ])('does no harm: %s', async (_what, leave) => {
    await put('appendonlydir', FILES);
    await packState(state);
    await leave();
    await unpackState(state);
    expect(await filesIn('appendonlydir')).toEqual(FILES);
    expect((await readdir(state)).filter((name) => !name.endsWith('.tmp'))).toEqual(['appendonlydir']);
  });
});

describe('a packed state that somebody else has made is refused, and nothing takes its place', () => {
  const name = 'appendonly.aof.1.base.rdb';
  test.each<[string, () => Promise<void>]>([
    ['is no gzip', () => put('.', { 'packed.gz': 'plain' })],
    ['names a file elsewhere', () => packed({ files: [{ name: '../../crawl.json', size: 2 }] }, 'no')],
    [
      'names the same file twice',
      () =>
        packed(
          {
            files: [
              { name, size: 1 },
              { name, size: 1 },
            ],
          },
          'ab',
        ),
    ],
    ['has less than it says', () => packed({ files: [{ name, size: 100 }] }, 'short')],
    ['has more than it says', () => packed({ files: [{ name, size: 1 }] }, 'long')],
    ['says that it is huge', () => packed({ files: [{ name, size: 10 ** 15 }] }, 'x')],
    ['has a list without an end', () => writeFile(join(state, 'packed.gz'), gzipSync(Buffer.alloc(10_000_000, 'x')))],
  ])('one that %s', async (_what, make) => {
    await make();
    await expect(unpackState(state)).rejects.toThrow();
    expect(await readdir(state)).not.toContain('appendonlydir');
    expect(await readdir(state)).toContain('packed.gz');
  });
});
