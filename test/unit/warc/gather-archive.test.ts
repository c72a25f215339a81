/** Archives of several processes become one, checked by an independent reader. */
import { appendFile, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gatherArchive } from '../../../src/warc/gather-archive.ts';
import { readRecord } from '../../../src/warc/warc-reader.ts';
import { RecordedAnswers } from '../../../src/replay/recorded-answers.ts';
import {
  archiveNames,
  expectDigests,
  openTestArchive,
  otherIndex,
  ownIndex,
  pass,
  readArchive,
} from '../../support/archive.ts';
import { temporaryFolder } from '../../support/redis.ts';

const [ONE, TWO] = ['w-00000001', 'w-00000002'] as const;
const url = (name: string): string => `https://example.org/${name}`;
const text = (name: string): string => `${name} `.repeat(200);

/** Writes the archive of the leading process; it is not sealed if the crawl is to go on. */
async function lead(folder: string, names: readonly string[], end: 'sealed' | 'closed' = 'sealed'): Promise<void> {
  const archive = await openTestArchive(folder);
  for (const name of names) pass(archive, { url: url(name), body: text(name) });
  if (end === 'sealed') await archive.seal();
  await archive[Symbol.asyncDispose]();
}

/** Writes a worker's archive, each page twice; the second answers are revisits. */
async function work(folder: string, worker: string, names: readonly string[]): Promise<void> {
  const archive = await openTestArchive(folder, { worker });
  for (const name of [...names, ...names]) pass(archive, { url: url(name), body: text(name) });
  await archive[Symbol.asyncDispose]();
}

/** Writes the archive of a worker that is killed while it writes a record. */
async function die(folder: string, worker: string, names: readonly string[]): Promise<void> {
  const archive = await openTestArchive(`${folder}.alive`, { worker });
  for (const name of names) pass(archive, { url: url(name), body: text(name) });
  await archive.sync();
  await cp(`${folder}.alive`, folder, { recursive: true });
  await archive[Symbol.asyncDispose]();
  const file = join(folder, 'archive', `c-test-${worker}-00000.warc.gz.open`);
  await appendFile(file, (await readFile(file)).subarray(0, 100));
  await appendFile(join(folder, 'archive', `index-${worker}.cdxj.open`), '678 org,example)/torn 2026010203');
}

async function expectWhole(folder: string, names: readonly string[]): Promise<void> {
  await expectDigests(folder, await readArchive(folder));
  expect(await ownIndex(folder)).toEqual(await otherIndex(folder));
  const answers = await RecordedAnswers.open(folder);
  for (const name of names) {
    const answer = await answers.find({ method: 'GET', url: url(name), body: Buffer.of(), contentType: '' });
    expect([name, answer && Buffer.from(answer.body).toString()]).toEqual([name, text(name)]);
  }
}

const fromFolders = (folders: Readonly<Record<string, string>>) => ({
  workers: new Map(Object.entries(folders)),
  inPlace: true,
});

describe('archives of workers', () => {
  it('come into that of the crawl with one index; one of a worker that was killed up to its last whole record', async () => {
    await using base = await temporaryFolder();
    const [site, one, two] = ['site', 'one', 'two'].map((name) => join(base.path, name)) as [string, string, string];
    await lead(site, ['a']);
    await work(one, ONE, ['b', 'c']);
    await die(two, TWO, ['d', 'e']);
    expect(await gatherArchive(site, fromFolders({ [ONE]: one, [TWO]: two }))).toMatchObject({ copied: 2, there: 0 });
    expect(await archiveNames(site)).toEqual([
      'c-test-00000.warc.gz',
      `c-test-${ONE}-00000.warc.gz`,
      `c-test-${TWO}-00000.warc.gz`,
      'index.cdxj',
    ]);
    await expectWhole(site, ['a', 'b', 'c', 'd', 'e']);
    const index = await readFile(join(site, 'archive/index.cdxj'), 'utf8');
    expect(await gatherArchive(site, fromFolders({ [ONE]: one, [TWO]: two }))).toMatchObject({ copied: 0, there: 2 });
    expect(await readFile(join(site, 'archive/index.cdxj'), 'utf8')).toBe(index);
    expect(await readdir(join(two, 'archive'))).toContain(`c-test-${TWO}-00000.warc.gz.open`);
  });

  it('lie side by side in a folder that all see, are read there, and become one', async () => {
    await using base = await temporaryFolder();
    const site = join(base.path, 'site');
    await Promise.all([lead(site, ['a']), work(site, ONE, ['b']), die(join(base.path, 'two'), TWO, ['c'])]);
    await cp(join(base.path, 'two/archive'), join(site, 'archive'), { recursive: true });
    const before = await RecordedAnswers.open(site);
    expect(await before.find({ method: 'GET', url: url('c'), body: Buffer.of(), contentType: '' })).toMatchObject({
      status: 200,
    });
    await gatherArchive(site, { workers: new Map(), inPlace: true });
    expect((await archiveNames(site)).filter((name) => !name.endsWith('.warc.gz'))).toEqual(['index.cdxj']);
    await expectWhole(site, ['a', 'b', 'c']);
  });

  it('stay in the crawl that goes on: its next run keeps their lines and numbers its own files', async () => {
    await using base = await temporaryFolder();
    const [site, one] = [join(base.path, 'site'), join(base.path, 'one')];
    await lead(site, ['a'], 'closed');
    await work(one, ONE, ['b']);
    await gatherArchive(site, fromFolders({ [ONE]: one }));
    expect(await archiveNames(site)).toContain('index.cdxj.open');
    await lead(site, ['c']);
    expect(await archiveNames(site)).toEqual([
      'c-test-00000.warc.gz',
      'c-test-00001.warc.gz',
      `c-test-${ONE}-00000.warc.gz`,
      'index.cdxj',
    ]);
    await expectWhole(site, ['a', 'b', 'c']);
  });

  it('are whole after a gathering that was killed before its index was sorted', async () => {
    await using base = await temporaryFolder();
    const [site, one] = [join(base.path, 'site'), join(base.path, 'one')];
    await lead(site, ['a']);
    const sorted = await readFile(join(site, 'archive/index.cdxj'), 'utf8');
    await work(one, ONE, ['b']);
    await gatherArchive(site, fromFolders({ [ONE]: one }));
    // the state when the journal was in place but the index was still the old one
    await cp(join(site, 'archive/index.cdxj'), join(site, 'archive/index.cdxj.open'));
    await writeFile(join(site, 'archive/index.cdxj'), sorted);
    await mkdir(join(site, 'archive/.gathered'));
    await gatherArchive(site, fromFolders({ [ONE]: one }));
    await expectWhole(site, ['a', 'b']);
    expect(await archiveNames(site)).not.toContain('.gathered');
  });

  it('are left out as far as they are not there, and lines of an index that name nothing', async () => {
    await using base = await temporaryFolder();
    const [site, one] = [join(base.path, 'site'), join(base.path, 'one')];
    await lead(site, ['a']);
    await work(one, ONE, ['b']);
    await rm(join(one, 'archive', `c-test-${ONE}-00000.warc.gz`));
    await gatherArchive(site, fromFolders({ [ONE]: one }));
    await expectWhole(site, ['a']);
    const place = { file: `archive/c-test-${ONE}-00000.warc.gz`, offset: 0, length: 10 };
    await expect(readRecord(site, place)).rejects.toMatchObject({
      code: 'NOT_GATHERED',
      message: expect.stringContaining(`orbweaver gather ${site} orbweaver-worker-*`),
    });
  });
});
