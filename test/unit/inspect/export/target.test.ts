import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { stageFile, stageFolder, type TargetRules } from '../../../../src/inspect/export/target.ts';

let base = '';
let rules: TargetRules;
beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'orbweaver-target-')));
  await mkdir(join(base, 'crawl'));
  rules = { crawlFolder: join(base, 'crawl'), overwrite: false };
});
afterEach(() => rm(base, { recursive: true, force: true }));

describe('a file', () => {
  test('is there whole when everything is put in place, and nothing is before', async () => {
    await using staging = await stageFile(join(base, 'a.xml'), rules);
    const file = staging.file('a.xml');
    await writeFile(file.temporary, 'new');
    expect(await readdir(base)).not.toContain('a.xml');
    await staging.commit();
    expect((await readdir(base)).toSorted()).toEqual(['a.xml', 'crawl']);
    expect(await readFile(join(base, 'a.xml'), 'utf8')).toBe('new');
  });

  test('that is given up leaves nothing', async () => {
    {
      await using staging = await stageFile(join(base, 'a.xml'), rules);
      await writeFile(staging.file('a.xml').temporary, 'new');
      await mkdir(staging.scratch('archive'));
    }
    expect(await readdir(base)).toEqual(['crawl']);
  });

  test('that is there already is refused, and replaced with --overwrite only', async () => {
    await writeFile(join(base, 'a.xml'), 'old');
    await expect(stageFile(join(base, 'a.xml'), rules)).rejects.toMatchObject({ code: 'OUTPUT_EXISTS' });
    expect(await readFile(join(base, 'a.xml'), 'utf8')).toBe('old');
    await using staging = await stageFile(join(base, 'a.xml'), { ...rules, overwrite: true });
    await writeFile(staging.file('a.xml').temporary, 'new');
    await staging.commit();
    expect(await readFile(join(base, 'a.xml'), 'utf8')).toBe('new');
  });

  test('is written without what killed programs have left of it, and what may be of a running one stays', async () => {
    const [dead, lock, running] = [1, 2, 3].map((digit) => `.a.xml.0000000${digit}-0000-4000-8000-000000000000.tmp`);
    await writeFile(join(base, `${dead}`), 'half');
    await mkdir(join(base, `${lock}.lock`));
    await writeFile(join(base, `${running}`), 'half');
    const others = ['.b.xml.00000001-0000-4000-8000-000000000000.tmp', '.a.xml.mine'];
    for (const name of others) await writeFile(join(base, name), '');
    const before = new Date('2020-01-01');
    for (const name of [`${dead}`, `${lock}.lock`, ...others]) await utimes(join(base, name), before, before);
    await using staging = await stageFile(join(base, 'a.xml'), rules);
    await writeFile(staging.file('a.xml').temporary, 'new');
    await staging.commit();
    expect((await readdir(base)).toSorted()).toEqual([...others, `${running}`, 'a.xml', 'crawl'].toSorted());
  });

  test('that came there in the meantime is not replaced', async () => {
    await using staging = await stageFile(join(base, 'a.xml'), rules);
    for (const name of ['a.xml', 'a-1.xml']) await writeFile(staging.file(name).temporary, 'new');
    await writeFile(join(base, 'a-1.xml'), 'somebody else');
    await expect(staging.commit()).rejects.toMatchObject({ code: 'OUTPUT_EXISTS' });
    expect(await readdir(base)).not.toContain('a.xml');
    expect(await readFile(join(base, 'a-1.xml'), 'utf8')).toBe('somebody else');
  });

  test.each([
    ['in the crawl folder', 'crawl/a.xml', 'USAGE', /lies in the crawl folder/],
    ['that is the crawl folder', 'crawl', 'USAGE', /lies in the crawl folder/],
    ['in the crawl folder by another name', 'link/a.xml', 'USAGE', /lies in the crawl folder/],
    ['in a folder that is not there', 'no/a.xml', 'OUTPUT_UNUSABLE', /the folder that it is to be in is not there/],
    ['in a file', 'text/a.xml', 'OUTPUT_UNUSABLE', /the folder that it is to be in is not there/],
    ['that is a folder', 'other', 'OUTPUT_UNUSABLE', /is a folder/],
  ])('%s is refused, with --overwrite, too', async (_where, path, code, message) => {
    await symlink(join(base, 'crawl'), join(base, 'link'));
    await writeFile(join(base, 'text'), '');
    await mkdir(join(base, 'other'));
    for (const overwrite of [false, true]) {
      const staged = stageFile(join(base, path), { ...rules, overwrite });
      await expect(staged).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
    }
    expect(await readdir(join(base, 'crawl'))).toEqual([]);
  });

  test('that is a device is not replaced', async () => {
    await expect(stageFile('/dev/null', { ...rules, overwrite: true })).rejects.toMatchObject({
      code: 'OUTPUT_UNUSABLE',
    });
  });
});

describe('a folder', () => {
  test('is made, and removed where nothing comes of it', async () => {
    {
      await using staging = await stageFolder(join(base, 'csv'), rules);
      await writeFile(staging.file('pages.csv').temporary, 'new');
    }
    expect(await readdir(base)).toEqual(['crawl']);
    await using staging = await stageFolder(join(base, 'csv'), rules);
    await writeFile(staging.file('pages.csv').temporary, 'new');
    await staging.commit();
    expect(await readFile(join(base, 'csv', 'pages.csv'), 'utf8')).toBe('new');
  });

  test('that is there and empty is used', async () => {
    await mkdir(join(base, 'csv'));
    await using staging = await stageFolder(join(base, 'csv'), rules);
    await writeFile(staging.file('pages.csv').temporary, 'new');
    await staging.commit();
    expect((await readdir(join(base, 'csv'))).filter((name) => !name.startsWith('.'))).toEqual(['pages.csv']);
  });

  test('that is not empty is refused; with --overwrite only what has the names of new files is replaced', async () => {
    await mkdir(join(base, 'csv'));
    await writeFile(join(base, 'csv', 'thesis.txt'), 'four years of work');
    await writeFile(join(base, 'csv', 'pages.csv'), 'old');
    await expect(stageFolder(join(base, 'csv'), rules)).rejects.toMatchObject({ code: 'OUTPUT_EXISTS' });
    {
      await using staging = await stageFolder(join(base, 'csv'), { ...rules, overwrite: true });
      await writeFile(staging.file('pages.csv').temporary, 'new');
      await staging.commit();
    }
    expect((await readdir(join(base, 'csv'))).toSorted()).toEqual(['pages.csv', 'thesis.txt']);
    expect(await readFile(join(base, 'csv', 'thesis.txt'), 'utf8')).toBe('four years of work');
    expect(await readFile(join(base, 'csv', 'pages.csv'), 'utf8')).toBe('new');
  });

  test('that holds only what a killed program has left is as good as empty', async () => {
    const [dead, running] = [1, 2].map((digit) => `.0000000${digit}-0000-4000-8000-000000000000.tmp`);
    for (const name of [dead, running]) {
      await mkdir(join(base, 'csv', `${name}`), { recursive: true });
      await writeFile(join(base, 'csv', `${name}`, 'pages.csv'), 'half');
    }
    const before = new Date('2020-01-01');
    await utimes(join(base, 'csv', `${dead}`), before, before);
    {
      await using staging = await stageFolder(join(base, 'csv'), rules);
      await writeFile(staging.file('pages.csv').temporary, 'new');
      await staging.commit();
    }
    expect((await readdir(join(base, 'csv'))).toSorted()).toEqual([`${running}`, 'pages.csv'].toSorted());
  });

  test('that is a file, or the crawl folder, is refused', async () => {
    await writeFile(join(base, 'text'), '');
    await expect(stageFolder(join(base, 'text'), rules)).rejects.toMatchObject({ code: 'OUTPUT_UNUSABLE' });
    const crawl = stageFolder(join(base, 'crawl'), { ...rules, overwrite: true });
    await expect(crawl).rejects.toMatchObject({ code: 'USAGE' });
  });
});
