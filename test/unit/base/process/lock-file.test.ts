import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockFile } from '../../../../src/base/process/lock-file.ts';
import { milliseconds, minutes } from '../../../../src/base/units.ts';
import { until } from '../../../support/until.ts';

let folder = '';
let path = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'orbweaver-lock-'));
  path = join(folder, 'lock');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('a lock of another container or machine', () => {
  // the number of this process is there, too, and was started at another time
  const ofAnother = { pid: process.pid, started: '1', place: 'another', lock: '1' };
  const isOwn = async (): Promise<boolean> => !(await readFile(path, 'utf8')).includes('"place":"another"');

  it('is held as long as its holder touches it', async () => {
    await writeFile(path, JSON.stringify(ofAnother));
    let time = 1000;
    const touching = setInterval(() => void utimes(path, time, (time += 1)).catch(() => {}), 20);
    const refused = lockFile(path, { term: minutes(1) }).finally(() => clearInterval(touching));
    await expect(refused).rejects.toMatchObject({
      code: 'OUTPUT_IN_USE',
      message: expect.stringContaining('a process of another container or machine is writing to'),
    });
    expect(await isOwn()).toBe(false);
    expect(await readdir(folder)).toEqual(['lock']);
  });

  it('is taken over where nobody touches it', async () => {
    await writeFile(path, JSON.stringify(ofAnother));
    {
      await using _lock = await lockFile(path, { term: milliseconds(50) });
      expect(await isOwn()).toBe(true);
    }
    expect(await readdir(folder)).toEqual([]);
  });

  it('is taken over at once where something else decides who may write', async () => {
    await writeFile(path, JSON.stringify(ofAnother));
    await using _lock = await lockFile(path, { elsewhere: 'dead', term: minutes(1) });
    expect(await isOwn()).toBe(true);
  });
});

it('a lock is touched as long as it is held', async () => {
  await using _lock = await lockFile(path);
  await utimes(path, 1000, 1000);
  await until(async () => (await stat(path)).mtimeMs > 2_000_000, 'a touch');
});
