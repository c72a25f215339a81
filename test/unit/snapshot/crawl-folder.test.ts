import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCrawlFolder } from '../../../src/snapshot/crawl-folder.ts';

let base = '';
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'orbweaver-folder-'));
});
afterEach(() => rm(base, { recursive: true, force: true }));

const description = {
  id: 'c-0123456789',
  state: 'running',
  seeds: ['http://a.test/'],
  options: {},
  started: '2026-01-01T00:00:00Z',
};

describe('a crawl folder', () => {
  it('is made where there is none', async () => {
    await using folder = await openCrawlFolder(join(base, 'deep', 'new'), 'new');
    await folder.writeCrawlFile(description);
    expect(await readdir(folder.path)).toContain('crawl.json');
  });

  it('is refused where it holds another crawl, which stays as it is', async () => {
    await writeFile(join(base, 'crawl.json'), JSON.stringify(description));
    await expect(openCrawlFolder(base, 'new')).rejects.toMatchObject({ code: 'OUTPUT_EXISTS' });
    expect(JSON.parse(await readFile(join(base, 'crawl.json'), 'utf8'))).toEqual(description);
  });

  it('is refused where it holds files that no crawl made, even to --overwrite', async () => {
    await writeFile(join(base, 'thesis.txt'), 'four years of work');
    await expect(openCrawlFolder(base, 'overwrite')).rejects.toMatchObject({ code: 'OUTPUT_EXISTS' });
    expect(await readFile(join(base, 'thesis.txt'), 'utf8')).toBe('four years of work');
  });

  it('keeps what is not its own when a crawl in it is overwritten', async () => {
    await writeFile(join(base, 'crawl.json'), JSON.stringify(description));
    await writeFile(join(base, 'pages.jsonl'), '{}\n');
    await mkdir(join(base, 'snapshots'));
    await writeFile(join(base, 'my-notes.txt'), 'mine');
    await using folder = await openCrawlFolder(base, 'overwrite');
    await folder.claim();
    expect((await readdir(folder.path)).toSorted()).toEqual(['.lock', 'my-notes.txt']);
    await folder.writeCrawlFile(description);
  });

  it('keeps the old crawl where the new one does not come to its start', async () => {
    await writeFile(join(base, 'crawl.json'), JSON.stringify(description));
    await (await openCrawlFolder(base, 'overwrite'))[Symbol.asyncDispose]();
    expect(JSON.parse(await readFile(join(base, 'crawl.json'), 'utf8'))).toEqual(description);
  });

  it('is gone again where the crawl does not come to its first description', async () => {
    const path = join(base, 'new');
    const folder = await openCrawlFolder(path, 'new');
    await folder.claim();
    await folder.stateFolder();
    await folder[Symbol.asyncDispose]();
    expect(await readdir(base)).toEqual([]);
  });

  it('is resumed with the description that it holds', async () => {
    await writeFile(join(base, 'crawl.json'), JSON.stringify(description));
    await using folder = await openCrawlFolder(base, 'resume');
    expect(folder.found).toMatchObject({ id: 'c-0123456789', seeds: ['http://a.test/'] });
  });

  it.each([
    ['nothing', null],
    ['something else', '{"name":"package"}'],
    ['half a file', '{"id": "c-01'],
  ])('cannot be resumed where crawl.json is %s', async (_what, content) => {
    if (content !== null) await writeFile(join(base, 'crawl.json'), content);
    await expect(openCrawlFolder(base, 'resume')).rejects.toMatchObject({ code: 'NOTHING_TO_RESUME' });
  });

  it('cannot be a file', async () => {
    const file = join(base, 'file');
    await writeFile(file, '');
    await expect(openCrawlFolder(file, 'new')).rejects.toMatchObject({ code: 'OUTPUT_UNUSABLE' });
  });

  it('is written to by one process at a time', async () => {
    const path = join(base, 'crawl');
    {
      await using folder = await openCrawlFolder(path, 'new');
      await folder.writeCrawlFile(description);
      await expect(openCrawlFolder(path, 'resume')).rejects.toMatchObject({ code: 'OUTPUT_IN_USE' });
    }
    await using again = await openCrawlFolder(path, 'resume');
    expect(again.found?.id).toBe('c-0123456789');
  });

  it.each([
    ['a process that is gone', '{"pid":4194304,"started":"1234"}'],
    ['a process number that another process has now', JSON.stringify({ pid: process.pid, started: '1' })],
    ['nobody, because a crash tore it', ''],
  ])('is taken over from the lock of %s', async (_who, lock) => {
    await writeFile(join(base, '.lock'), lock);
    await using folder = await openCrawlFolder(base, 'new');
    expect(await readFile(join(folder.path, '.lock'), 'utf8')).toContain(`"pid":${process.pid},`);
  });
});
