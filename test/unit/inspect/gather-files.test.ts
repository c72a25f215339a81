import { mkdir, readdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { openDirectoryWriter } from '../../../src/crawl-folder/directory-writer.ts';
import { gatherFiles } from '../../../src/inspect/gather-files.ts';
import { pageOf } from '../../support/page.ts';
import { temporaryFolder } from '../../support/redis.ts';

const CRAWL = 'c-0123456789ab';
const PAGE = 'snapshots/3f/3f0c0123456789abcdef-docs.html';
const OTHER = 'snapshots/a0/a00c0123456789abcdef.txt';
const at = (second: number): Date => new Date(1_700_000_000_000 + second * 1000);

async function put(path: string, text: string, second = 0): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  await utimes(path, at(second), at(second));
}

async function crawlIn(base: string): Promise<string> {
  const content = { id: CRAWL, format: 1, state: 'finished', seeds: [], options: {}, started: '' };
  await put(join(base, 'site/crawl.json'), JSON.stringify(content));
  return join(base, 'site');
}

async function workerIn(base: string, worker: string, crawl = CRAWL): Promise<string> {
  await put(join(base, worker, 'worker.json'), JSON.stringify({ crawl, worker, version: '0.1.0' }));
  await put(join(base, worker, 'log.jsonl'), `{"event":"of ${worker}"}\n`);
  return join(base, worker);
}

it('what workers kept comes into the crawl folder; of two files of one name the later one, and nothing twice', async () => {
  await using base = await temporaryFolder();
  const site = await crawlIn(base.path);
  const [one, two] = [await workerIn(base.path, 'w-1'), await workerIn(base.path, 'w-2')];
  await put(join(site, OTHER), 'newer', 9);
  await put(join(one, PAGE), 'first', 1);
  await put(join(one, OTHER), 'older', 1);
  await put(join(two, PAGE), 'second', 2);
  await put(join(two, 'snapshots/3f/strange name.html'), 'no snapshot');
  expect(await gatherFiles(site, [one, two])).toEqual({ workers: 2, copied: 2, bytes: 11, there: 1 });
  const texts = await Promise.all([PAGE, OTHER, 'log-w-1.jsonl'].map((name) => readFile(join(site, name), 'utf8')));
  expect(texts).toEqual(['second', 'newer', '{"event":"of w-1"}\n']);
  expect(await gatherFiles(site, [one, two])).toMatchObject({ copied: 0, there: 3 });
});

it('what a killed gathering left half copied is removed', async () => {
  await using base = await temporaryFolder();
  const site = await crawlIn(base.path);
  const worker = await workerIn(base.path, 'w-1');
  await put(join(worker, PAGE), 'page');
  const half = [PAGE, OTHER, 'log-w-1.jsonl'].map((name) =>
    join(site, `${name}.00000000-0000-4000-8000-000000000000.tmp`),
  );
  for (const path of half) await put(path, 'pa');
  await gatherFiles(site, [worker]);
  const names = await readdir(site, { recursive: true });
  expect(names.filter((name) => name.endsWith('.tmp'))).toEqual([]);
  expect(names).toContain(PAGE);
});

it('all that is stored of a page is taken: text, pictures of each viewport of both kinds, and the places of elements in them', async () => {
  await using base = await temporaryFolder();
  const site = await crawlIn(base.path);
  const worker = await workerIn(base.path, 'w-1');
  const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0);
  const jpeg = Uint8Array.of(0xff, 0xd8, 0xff);
  const boxes = [{ selector: 'header', x: 0, y: 0, width: 10, height: 10 }];
  await using writer = openDirectoryWriter(worker, { html: true, text: true, screenshot: true });
  const page = pageOf('http://site.test/docs', { html: '<p>docs</p>', text: 'docs', screenshot: png });
  const pictures = [
    { viewport: { width: 1280, height: 720 }, picture: png, boxes },
    { viewport: { width: 390, height: 844 }, picture: jpeg, boxes },
  ];
  const paths = await writer.write({ ...page, pictures }, new AbortController().signal);
  const { html, text, screenshot, screenshots = {}, boxes: places } = paths;
  const names = [html, text, screenshot, ...Object.values(screenshots), places];
  expect(names.filter((name) => typeof name === 'string')).toHaveLength(5);
  expect(await gatherFiles(site, [worker])).toMatchObject({ copied: 5 });
  for (const name of names)
    expect(await readFile(join(site, name ?? ''))).toEqual(await readFile(join(worker, name ?? '')));
});

it('a folder of another crawl, of no worker or with a link in it is refused before anything is copied', async () => {
  await using base = await temporaryFolder();
  const site = await crawlIn(base.path);
  const good = await workerIn(base.path, 'w-1');
  await put(join(good, PAGE), 'page');
  const other = await workerIn(base.path, 'w-2', 'c-ba9876543210');
  const refused = (folder: string, message: RegExp): Promise<void> =>
    expect(gatherFiles(site, [good, folder])).rejects.toMatchObject({ message: expect.stringMatching(message) });
  await refused(other, /belongs to the crawl c-ba9876543210/);
  await refused(site, /no folder of a worker/);
  await refused(join(base.path, 'nowhere'), /no folder of a worker/);
  await symlink('/etc', join(site, 'snapshots'));
  await refused(good, /is a link/);
  await expect(readFile(join(site, PAGE), 'utf8')).rejects.toMatchObject({ code: 'ENOENT' });
});
