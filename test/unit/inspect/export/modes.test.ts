/** Exported files are readable only by their owner, whatever the machine's umask, from the first byte on. */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openCrawlFolder } from '../../../../src/crawl-folder/crawl-folder.ts';
import { exportCrawl } from '../../../../src/inspect/export-crawl.ts';
import { stageFolder } from '../../../../src/inspect/export/target.ts';
import { createTextFile } from '../../../../src/inspect/export/text-file.ts';
import { createWaczFile } from '../../../../src/inspect/export/wacz-file.ts';
import { storeCrawl } from '../../../support/stored-crawl.ts';
import { pageOf } from '../../cli/fake-crawl.ts';

let base = '';
let mask = 0;
beforeEach(async () => {
  mask = process.umask(0);
  base = await mkdtemp(join(tmpdir(), 'orbweaver-modes-'));
});
afterEach(async () => {
  process.umask(mask);
  await rm(base, { recursive: true, force: true });
});

const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o7777).toString(8);

test('files of an export are for their owner alone, and so are its folders', async () => {
  await using crawl = await storeCrawl({ pages: [pageOf()] });
  const targets = { csv: join(base, 'tables'), sitemap: join(base, 'sitemap.xml'), sqlite: join(base, 'crawl.sqlite') };
  await exportCrawl(crawl.folder, targets, { overwrite: false, signal: new AbortController().signal });
  const files = ['tables/pages.csv', 'tables/links.csv', 'tables/skipped.csv', 'sitemap.xml', 'crawl.sqlite'];
  for (const file of files) expect([file, await modeOf(join(base, file))]).toEqual([file, '600']);
  expect(await modeOf(targets.csv)).toBe('700');
});

test('what is being written is for its owner alone', async () => {
  const text = join(base, 'a.csv');
  await using _file = await createTextFile(text);
  expect(await modeOf(text)).toBe('600');

  const packed = join(base, 'a.wacz');
  const wacz = createWaczFile(packed, new Date(0));
  wacz.addText('a', 'b');
  await wacz.finish();
  expect(await modeOf(packed)).toBe('600');

  const crawlFolder = await mkdtemp(join(base, 'crawl-'));
  await using _staging = await stageFolder(join(base, 'tables'), { crawlFolder, overwrite: false });
  const [inner = ''] = await readdir(join(base, 'tables'));
  expect(await modeOf(join(base, 'tables', inner))).toBe('700');
});

test('the folder of a crawl is for its owner alone', async () => {
  await using folder = await openCrawlFolder(join(base, 'crawl'), 'new');
  expect(await modeOf(folder.path)).toBe('700');
  expect(await modeOf(join(folder.path, '.lock'))).toBe('600');
});
