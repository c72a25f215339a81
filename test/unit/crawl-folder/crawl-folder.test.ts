import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { chmod, mkdir, mkdtemp, open, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { asNobody } from '../../support/as-nobody.ts';
import { lockCrawlFolder, openCrawlFolder, readCrawlFile } from '../../../src/crawl-folder/crawl-folder.ts';

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

const OLD_NAMES = ['crawl.json', 'pages.jsonl', 'log.jsonl', 'snapshots'];

async function writeOldCrawl(path: string): Promise<void> {
  await writeFile(join(path, 'crawl.json'), JSON.stringify(description));
  for (const name of ['pages.jsonl', 'log.jsonl']) await writeFile(join(path, name), 'old');
  await mkdir(join(path, 'snapshots'));
  await writeFile(join(path, 'snapshots/1.html'), 'old');
}

async function expectOldCrawl(path: string): Promise<void> {
  expect((await readdir(path)).toSorted()).toEqual(OLD_NAMES.toSorted());
  for (const name of ['pages.jsonl', 'log.jsonl', 'snapshots/1.html'])
    expect(await readFile(join(path, name), 'utf8')).toBe('old');
  expect(JSON.parse(await readFile(join(path, 'crawl.json'), 'utf8'))).toEqual(description);
}

/** Mounts a small disk for one command alone. */
const MOUNT = ['--map-root-user', '--mount', 'sh', '-c', 'mount -t tmpfs -o size=512k tmpfs "$0" && exec "$@"'];
const MOUNTS = spawnSync('unshare', [...MOUNT, tmpdir(), 'true']).status === 0;

/** Runs a script with the folder as a disk of half a megabyte. */
function onSmallDisk(folder: string, script: string): SpawnSyncReturns<string> {
  const command = [process.execPath, '--input-type=module', '-e', script, folder];
  return spawnSync('unshare', [...MOUNT, folder, ...command], { encoding: 'utf8' });
}

const module = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
/** The end is longer than the beginning, by less than the room that is kept. */
const FILLS_THE_DISK = `
  import { openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
  import { importTypeScript } from ${JSON.stringify(module('../../support/import-typescript.mjs'))};
  const path = process.argv[1];
  const { openCrawlFolder } = await importTypeScript(${JSON.stringify(module('../../../src/crawl-folder/crawl-folder.ts'))});
  const folder = await openCrawlFolder(path, 'new');
  const content = ${JSON.stringify(description)};
  await folder.writeCrawlFile(content);
  const fill = openSync(path + '/fill', 'w');
  const fillUp = (size) => { try { for (;;) writeSync(fill, Buffer.alloc(size)); } catch {} };
  fillUp(4096);
  fillUp(1);
  await folder.writeCrawlFile(content).catch(({ code }) => console.log('broken:', code));
  await folder.writeLastCrawlFile({ ...content, state: 'failed', notes: ['x'.repeat(20_000)] });
  console.log(JSON.parse(readFileSync(path + '/crawl.json', 'utf8')).state, ...readdirSync(path).toSorted());
  await folder[Symbol.asyncDispose]();
  console.log('unlocked:', ...readdirSync(path).toSorted());`;

describe('a crawl folder', () => {
  it('is made where there is none', async () => {
    await using folder = await openCrawlFolder(join(base, 'deep', 'new'), 'new');
    await folder.writeCrawlFile(description);
    expect(await readdir(folder.path)).toContain('crawl.json');
  });

  // the recursive mkdir of Node does not come back from there
  it.runIf(process.platform === 'linux')('is refused where the system makes no folders', async () => {
    await expect(openCrawlFolder('/proc/orbweaver/crawl', 'new')).rejects.toMatchObject({
      code: 'OUTPUT_UNUSABLE',
      message: expect.stringMatching(
        /^cannot write \/proc\/orbweaver: the system makes no folders there\nGive a folder/,
      ),
    });
  });

  it('is refused where a file, or a link to nothing, has its name or that of a parent', async () => {
    await writeFile(join(base, 'file'), '');
    await symlink(join(base, 'nowhere'), join(base, 'link'));
    for (const name of ['file/crawl', 'link', 'link/crawl'])
      // oxlint-disable-next-line no-await-in-loop -- in order
      await expect(openCrawlFolder(join(base, name), 'new'), name).rejects.toMatchObject({ code: 'OUTPUT_UNUSABLE' });
    expect((await readdir(base)).toSorted()).toEqual(['file', 'link']);
  });

  it('is refused in words where the system can make no folder of that name', async () => {
    await symlink(join(base, 'nowhere'), join(base, 'link'));
    await symlink('round', join(base, 'round'));
    const link = `${join(base, 'link')} is a link to a folder that is not there\nMake that folder, or give another one.`;
    for (const [name, why] of [
      ['link', link],
      ['link/crawl', link],
      ['round', 'its symbolic links lead in a circle\nGive another folder.'],
      ['x'.repeat(256), 'the name is too long for the system\nGive another folder.'],
    ] as const) {
      const message = `cannot write ${join(base, name)}: ${why}`;
      // oxlint-disable-next-line no-await-in-loop -- in order
      await expect(openCrawlFolder(join(base, name), 'new'), name).rejects.toMatchObject({ message });
    }
  });

  it('has a crawl.json after a loss of power, too: each is on the disk before it takes the place of the one before', async () => {
    await using folder = await openCrawlFolder(base, 'new');
    await folder.writeCrawlFile({ ...description, state: 'first' });
    const probe = await open(join(base, 'crawl.json'));
    await probe.close();
    const handles: { sync: () => Promise<void> } = Object.getPrototypeOf(probe);
    const states: string[] = [];
    const syncing = vi.spyOn(handles, 'sync').mockImplementation(async () => {
      states.push(JSON.parse(await readFile(join(base, 'crawl.json'), 'utf8')).state);
    });
    await Promise.all(['second', 'third'].map((state) => folder.writeCrawlFile({ ...description, state })));
    syncing.mockRestore();
    // the file, and the folder that has its name
    expect(states).toEqual(['first', 'second', 'second', 'third']);
  });

  it('is refused where it holds another crawl, which stays as it is', async () => {
    await writeFile(join(base, 'crawl.json'), JSON.stringify(description));
    await expect(openCrawlFolder(base, 'new')).rejects.toMatchObject({
      code: 'OUTPUT_EXISTS',
      message: expect.stringContaining('Go on with it by --resume') as string,
    });
    expect(JSON.parse(await readFile(join(base, 'crawl.json'), 'utf8'))).toEqual(description);
  });

  it('is free where a crawl was killed before its crawl.json, and not where files of others lie beside it', async () => {
    const gone = { pid: 2 ** 22 + 1, started: '1', place: '' };
    await writeFile(join(base, '.lock'), JSON.stringify(gone));
    await mkdir(join(base, 'state'));
    for (const name of ['log.jsonl', 'state/appendonly.aof']) await writeFile(join(base, name), 'old');
    await writeFile(join(base, 'thesis.txt'), 'mine');
    await expect(openCrawlFolder(base, 'new')).rejects.toMatchObject({ code: 'OUTPUT_EXISTS' });
    await rm(join(base, 'thesis.txt'));
    {
      await using folder = await openCrawlFolder(base, 'new');
      await folder.claim();
      await folder.writeCrawlFile(description);
    }
    expect(await readdir(base)).toEqual(['crawl.json']);
    await rm(join(base, 'crawl.json'));
    // without the lock they may be anybody's
    await writeFile(join(base, 'log.jsonl'), 'mine');
    await expect(openCrawlFolder(base, 'new')).rejects.toMatchObject({ code: 'OUTPUT_EXISTS' });
  });

  it('is free however often a crawl was killed before its crawl.json', async () => {
    const killed = [JSON.stringify({ pid: 2 ** 22 + 1, started: '1', place: '' }), 'old'] as const;
    for (const [at, name] of ['.lock', 'log.jsonl'].entries()) await writeFile(join(base, name), killed[at] ?? '');
    const second = await openCrawlFolder(base, 'new');
    await second.claim();
    // what the second one leaves where it is killed now
    expect(await readdir(base)).toEqual(['.lock']);
    await second[Symbol.asyncDispose]();
  });

  it('is not said to go on by --resume where its crawl has visited everything', async () => {
    const finished = { ...description, state: 'finished', resumable: false };
    await writeFile(join(base, 'crawl.json'), JSON.stringify(finished));
    await expect(openCrawlFolder(base, 'new')).rejects.toMatchObject({
      code: 'OUTPUT_EXISTS',
      message: `${base} holds a crawl that has finished\nReplace it by --overwrite, or choose another folder with --output.`,
    });
  });

  it('is not resumed where its format is a later one, whatever else it says', async () => {
    await writeFile(join(base, 'crawl.json'), JSON.stringify({ format: 2, jobs: [] }));
    await expect(readCrawlFile(base)).rejects.toMatchObject({ code: 'CRAWL_UNREADABLE' });
    await expect(openCrawlFolder(base, 'resume')).rejects.toMatchObject({ code: 'CRAWL_UNREADABLE' });
    await writeFile(join(base, 'crawl.json'), JSON.stringify({ ...description, format: 1 }));
    await expect(readCrawlFile(base)).resolves.toMatchObject({ id: description.id });
  });

  it.each(['pages.jsonl', 'log.jsonl', 'state', 'snapshots', 'archive', 'graph', '.replaced', '.replacing'])(
    'is not resumed where %s is a link, and nothing is touched',
    async (name) => {
      const crawl = join(base, 'crawl');
      await mkdir(crawl);
      await writeOldCrawl(crawl);
      const elsewhere = join(base, 'elsewhere');
      await mkdir(elsewhere);
      await writeFile(join(elsewhere, 'pages.jsonl'), 'four years of work');
      await rm(join(crawl, name), { recursive: true, force: true });
      await symlink(elsewhere, join(crawl, name));
      await expect(openCrawlFolder(crawl, 'resume')).rejects.toMatchObject({
        code: 'OUTPUT_UNUSABLE',
        message: expect.stringContaining(join(crawl, name)) as string,
      });
      expect(await readFile(join(elsewhere, 'pages.jsonl'), 'utf8')).toBe('four years of work');
    },
  );

  it.each(['snapshots/3f', 'state/appendonlydir', 'archive/1.warc.gz.open'])(
    'is not resumed where %s is a link',
    async (name) => {
      await writeOldCrawl(base);
      await mkdir(join(base, dirname(name)), { recursive: true });
      await symlink('/tmp', join(base, name));
      await expect(openCrawlFolder(base, 'resume')).rejects.toMatchObject({ code: 'OUTPUT_UNUSABLE' });
    },
  );

  it.each([
    ['an id that is a pattern', { id: '*' }],
    ['an id that is a path', { id: '../../elsewhere' }],
    ['a port that is none', { served: [{ folder: '/srv', port: -1 }] }],
    ['options that are a text', { options: 'none' }],
  ])('is not resumed with %s', async (_title, changes) => {
    await writeFile(join(base, 'crawl.json'), JSON.stringify({ ...description, ...changes }));
    await expect(readCrawlFile(base)).rejects.toMatchObject({ code: 'NOTHING_TO_RESUME' });
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
    const folder = await openCrawlFolder(base, 'overwrite');
    await folder.claim();
    expect((await readdir(folder.path)).toSorted()).toEqual(['.lock', '.replaced', 'my-notes.txt']);
    await folder.writeCrawlFile(description);
    await folder[Symbol.asyncDispose]();
    expect((await readdir(folder.path)).toSorted()).toEqual(['crawl.json', 'my-notes.txt']);
  });

  it('holds the old crawl again where the new one fails after it has begun to write', async () => {
    await writeOldCrawl(base);
    const folder = await openCrawlFolder(base, 'overwrite');
    await folder.claim();
    await writeFile(join(base, 'log.jsonl'), 'new');
    await writeFile(join(base, 'links.jsonl'), 'new');
    await folder.stateFolder();
    await folder[Symbol.asyncDispose]();
    await expectOldCrawl(base);
  });

  it.each<[string, (path: string) => Promise<void>]>([
    [
      'while the old crawl was put aside',
      async (path) => {
        await mkdir(join(path, '.replacing'));
        await rename(join(path, 'crawl.json'), join(path, '.replacing/crawl.json'));
      },
    ],
    [
      'while the new crawl began',
      async (path) => {
        await mkdir(join(path, '.replaced'));
        for (const name of OLD_NAMES) await rename(join(path, name), join(path, '.replaced', name));
        await writeFile(join(path, 'links.jsonl'), 'new');
        await mkdir(join(path, 'state'));
        await writeFile(join(path, 'log.jsonl'), 'new');
      },
    ],
    [
      'when the old crawl was about to be back',
      async (path) => {
        await mkdir(join(path, '.replacing'));
      },
    ],
  ])('holds the old crawl where the program was killed %s', async (_when, kill) => {
    await writeOldCrawl(base);
    await kill(base);
    await expect(openCrawlFolder(base, 'new')).rejects.toMatchObject({ code: 'OUTPUT_EXISTS' });
    expect(await readCrawlFile(base)).toMatchObject({ id: 'c-0123456789' });
    await (await openCrawlFolder(base, 'resume'))[Symbol.asyncDispose]();
    await expectOldCrawl(base);
  });

  it('holds the new crawl where the program was killed when that had begun', async () => {
    await writeOldCrawl(base);
    await mkdir(join(base, '.replaced'));
    for (const name of OLD_NAMES) await rename(join(base, name), join(base, '.replaced', name));
    await writeFile(join(base, 'crawl.json'), JSON.stringify({ ...description, id: 'c-new-0123456789' }));
    await using folder = await openCrawlFolder(base, 'resume');
    expect(folder.found?.id).toBe('c-new-0123456789');
    expect((await readdir(base)).toSorted()).toEqual(['.lock', 'crawl.json']);
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

  it('is gone again with the folders above it that were made for it, and no others', async () => {
    await mkdir(join(base, 'there'));
    const folder = await openCrawlFolder(join(base, 'there/deep/deeper/crawl'), 'new');
    await folder[Symbol.asyncDispose]();
    expect([await readdir(base), await readdir(join(base, 'there'))]).toEqual([['there'], []]);
  });

  it('keeps nothing of a resume that came to nothing, and all of the crawl', async () => {
    await writeOldCrawl(base);
    const folder = await openCrawlFolder(base, 'resume');
    await folder.claim();
    await folder.stateFolder();
    await writeFile(join(base, 'links.jsonl'), '');
    await folder[Symbol.asyncDispose]();
    await expectOldCrawl(base);
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

  it('says that it cannot be written to, where no file can be made in it', async () => {
    // no room is left for a name: rights would not keep root out
    const folders = Array.from({ length: 21 }, () => 'x'.repeat(200)).join('/');
    const path = `${base}/${folders}`.slice(0, 4080);
    await expect(openCrawlFolder(path, 'new')).rejects.toMatchObject({ code: 'OUTPUT_UNUSABLE' });
    await expect(lockCrawlFolder(join(base, 'missing'))).rejects.toMatchObject({ code: 'OUTPUT_UNUSABLE' });
  });

  it.runIf(MOUNTS)('says how its crawl ended, though the disk is full to the last byte', async () => {
    const { status, stdout, stderr } = onSmallDisk(base, FILLS_THE_DISK);
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(stdout).toBe('broken: DISK_FULL\nfailed .lock crawl.json fill\nunlocked: crawl.json fill\n');
  });

  it('is closed without a fault where nothing in it can be removed any more', async () => {
    await chmod(base, 0o777);
    const folder = await openCrawlFolder(base, 'new');
    await folder.writeCrawlFile(description);
    await chmod(base, 0o555);
    await asNobody(async () => folder[Symbol.asyncDispose]());
    expect(await readdir(base)).toContain('.lock');
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
    ['writes there', (lock: string) => writeFile(lock, '{"pid":1,"started":"1"}')],
    ['has come to its end', (lock: string) => rm(lock)],
  ])('is left as it is by a process that stood still while another one took it over, which %s', async (_what, take) => {
    await using folder = await openCrawlFolder(base, 'new');
    await folder.writeCrawlFile(description);
    await take(join(base, '.lock'));
    const theirs = JSON.stringify({ ...description, state: 'finished' });
    await writeFile(join(base, 'crawl.json'), theirs);
    const refused = { code: 'OUTPUT_IN_USE' };
    await expect(folder.writeCrawlFile(description)).rejects.toMatchObject(refused);
    await expect(folder.writeLastCrawlFile({ ...description, state: 'failed' })).rejects.toMatchObject(refused);
    expect(await readFile(join(base, 'crawl.json'), 'utf8')).toBe(theirs);
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
