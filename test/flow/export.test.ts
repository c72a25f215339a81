/** Real crawls, exported and shown: other programs read the same facts as in the crawl folder. */
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from 'node-sqlite3-wasm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { resumeCrawl, startCrawl } from '../../src/crawl/start-crawl.ts';
import { exportCrawl } from '../../src/inspect/export-crawl.ts';
import { showPage } from '../../src/inspect/show-page.ts';
import type { LinkRecord, PageRecord, SkippedRecord } from '../../src/model/record.ts';
import { parseSitemap } from '../../src/pipeline/packed-sitemap.ts';
import { readArchive } from '../support/archive.ts';
import { runHere } from '../support/command-here.ts';
import { runCommand } from '../support/command.ts';
import { linesOf } from '../support/crawl-run.ts';
import { csvRecords } from '../support/csv.ts';
import { openFixture } from '../support/fixture-sites.ts';
import { MOUNTS, onSmallDisk } from '../support/mounted.ts';
import { entryOf, readWacz, sha256 } from '../support/wacz.ts';

let base = '';
/** The same site with snapshots as files, and as an archive. */
let files = '';
let archived = '';
let start = '';

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'orbweaver-export-'));
  [files, archived] = [join(base, 'files'), join(base, 'archived')];
  await using site = await openFixture('archived-page');
  start = site.url;
  for (const [output, snapshot] of [
    [files, ['html', 'text', 'screenshot']],
    [archived, ['warc', 'screenshot']],
  ] as const) {
    await using crawl = await startCrawl({ seeds: [site.url], output, delay: 0, snapshot: [...snapshot] });
    await crawl.report();
  }
});
afterAll(() => rm(base, { recursive: true, force: true }));

const at = (path: string): string => new URL(path, start).href;
const shown = async (folder: string, path: string, part: 'html' | 'text' | 'headers'): Promise<string> =>
  Buffer.from((await showPage(folder, path, part)).content).toString('utf8');

describe('a crawl as tables', () => {
  test.runIf(MOUNTS)('says that the disk is full, also where SQLite says only that it could not write', async () => {
    const disk = await mkdtemp(join(base, 'disk-'));
    const { status, stderr } = onSmallDisk(disk, ['export', files, '--sqlite', join(disk, 'crawl.db')]);
    expect([status, stderr]).toEqual([3, expect.stringMatching(/the disk is full: .*\[DISK_FULL\]/)]);
  });

  test('is the same in CSV, in SQLite and in the crawl folder', async () => {
    const [csv, sqlite] = [join(base, 'csv'), join(base, 'crawl.sqlite')];
    const { notes } = await exportCrawl(files, { csv, sqlite });
    expect(notes).toEqual([]);
    const pages = await linesOf<PageRecord>(files, 'pages.jsonl');
    const links = await linesOf<LinkRecord>(files, 'links.jsonl');
    const skipped = await linesOf<SkippedRecord>(files, 'skipped.jsonl');
    const tables = await Promise.all(
      ['pages', 'links', 'skipped'].map(async (name) => csvRecords(await readFile(join(csv, `${name}.csv`), 'utf8'))),
    );
    expect(tables.map((rows) => rows.length)).toEqual([pages.length, links.length, skipped.length]);
    expect(tables[0]?.map((row) => [row['url'], row['outcome'], row['snapshot.text'], row['timing.total']])).toEqual(
      pages.map((page) => [page.url, page.outcome, page.snapshot.text ?? '', String(page.timing?.total ?? '')]),
    );
    expect(tables[1]?.map((row) => [row['from'], row['to'], row['kind'], row['new']])).toEqual(
      links.map((link) => [link.from, link.to, link.kind, String(link.new)]),
    );
    const database = new Database(sqlite, { readOnly: true, fileMustExist: true });
    try {
      expect(database.all('SELECT url, status, title, timing_total FROM pages ORDER BY id')).toEqual(
        pages.map(({ url, status, title, timing }) => ({ url, status, title, timing_total: timing?.total ?? null })),
      );
      expect(database.all('SELECT from_url, to_url, href FROM links ORDER BY id')).toEqual(
        links.map(({ from, to, href }) => ({ from_url: from, to_url: to, href })),
      );
    } finally {
      database.close();
    }
  });
});

test('a sitemap of a crawl has its pages, without what is no page, no index, no answer', async () => {
  const sitemap = join(base, 'sitemap.xml');
  await exportCrawl(files, { sitemap });
  const { kind, entries } = parseSitemap(await readFile(sitemap), at('/sitemap.xml'));
  expect({ kind, urls: entries.map(({ loc }) => loc) }).toEqual({ kind: 'urlset', urls: [at('/')] });
});

describe('a WACZ file of a crawl', () => {
  test('has every record of the archive, as another reader sees it', async () => {
    const wacz = join(base, 'shop.wacz');
    const { exported } = await exportCrawl(archived, { wacz });
    const { entries, about, pages, answers } = await readWacz(wacz);
    const records = await readArchive(archived);
    expect(exported[0]?.counts).toEqual({ pages: 2, records: records.length });
    for (const { path, hash, bytes } of about.resources) {
      const entry = entryOf(entries, path);
      expect([path, entry.method, entry.bytes.length, sha256(entry.bytes)]).toEqual([path, 0, bytes, hash]);
    }
    for (const { uri, type, payload, http } of records) {
      if (type === 'response' && uri?.startsWith(start)) {
        expect(answers.get(`GET ${uri}`)?.body).toEqual(payload);
        expect(Object.keys(http)).not.toEqual([]);
      }
    }
    expect(answers.has(`GET ${at('/api/goods?sort=price')}`)).toBe(true);
    expect(pages.map(({ url, title, seed }) => ({ url, title, seed }))).toEqual([
      { url: at('/'), title: 'Shop', seed: true },
      { url: at('/about'), title: 'About', seed: false },
    ]);
    expect(pages[1]?.text).toContain('Two weavers and a carpenter.');
    expect(about.mainPageUrl).toBe(at('/'));
  });

  test('is refused where the crawl kept no archive', async () => {
    await expect(exportCrawl(files, { wacz: join(base, 'none.wacz') })).rejects.toMatchObject({ code: 'NOT_STORED' });
    expect(await readdir(base)).not.toContain('none.wacz');
  });
});

test('an interrupted crawl is exported as far as it had come, and goes on as if nothing had been', async () => {
  const output = join(base, 'interrupted');
  const [csv, wacz] = [join(base, 'interrupted-csv'), join(base, 'interrupted.wacz')];
  await using site = await openFixture('archived-page');
  {
    const stop = new AbortController();
    await using crawl = await startCrawl({
      seeds: [site.url],
      output,
      delay: 500,
      workers: 1,
      snapshot: ['warc'],
      signal: stop.signal,
    });
    for await (const event of crawl) if (event.kind === 'page') stop.abort();
    expect(await crawl.report()).toMatchObject({ state: 'interrupted' });
  }
  const early = await exportCrawl(output, { csv, wacz });
  expect(early.notes).toEqual([expect.stringMatching(/^the crawl was interrupted and can be resumed/)]);
  const { pages, answers } = await readWacz(wacz);
  const recorded = await linesOf<PageRecord>(output, 'pages.jsonl');
  expect(pages.map(({ url }) => url)).toEqual(
    recorded.filter(({ outcome }) => outcome === 'captured').map(({ url }) => url),
  );
  expect(pages.length).toBeGreaterThan(0);
  expect(answers.get(`GET ${site.url}`)?.status).toBe(200);
  {
    await using crawl = await resumeCrawl(output);
    expect(await crawl.report()).toMatchObject({ state: 'finished', outcomes: { captured: 2 } });
  }
  const whole = await exportCrawl(output, { csv, wacz }, { overwrite: true });
  expect(whole.notes).toEqual([]);
  expect((await readWacz(wacz)).pages).toHaveLength(2);
  expect(csvRecords(await readFile(join(csv, 'pages.csv'), 'utf8'))).toHaveLength(5);
});

describe('a stored page', () => {
  test('is shown alike out of files and out of an archive', async () => {
    for (const folder of [files, archived]) {
      expect(await shown(folder, '/', 'text')).toContain('Loom for 120');
      expect(await shown(folder, at('/'), 'html')).toMatch(/<li><img src="\/goods\/loom\.png">Loom for 120<\/li>/);
      const { content } = await showPage(folder, '/about', 'screenshot');
      expect([...content.subarray(0, 2)]).toEqual([0xff, 0xd8]);
    }
  });

  test('has its headers as received where there is an archive', async () => {
    expect(await shown(archived, '/', 'headers')).toMatch(/^status: 200\n(?:.+\n)*content-type: text\/html/);
    await expect(showPage(files, '/', 'headers')).rejects.toMatchObject({ code: 'NOT_STORED' });
  });

  test('is told from what was not stored', async () => {
    await expect(showPage(files, '/gone')).rejects.toThrow('it ended as http-error, status 404');
    await expect(showPage(files, '/old-shop')).rejects.toThrow(`redirected to ${at('/')}`);
    await expect(showPage(files, '/abuot')).rejects.toThrow(`Pages like it:\n  ${at('/about')}`);
  });
});

describe('the command line', () => {
  test('writes a page into a pipe byte by byte', async () => {
    const { code, output } = await runCommand(['show', files, '/about', '--html'], base).ended;
    const [about] = (await linesOf<PageRecord>(files, 'pages.jsonl')).filter(({ url }) => url === at('/about'));
    expect({ code, output }).toEqual({
      code: 0,
      output: await readFile(join(files, about?.snapshot.html ?? ''), 'utf8'),
    });
  });

  test('exports in all formats at once, and a second time only with --overwrite', async () => {
    const flags = ['--csv', 'all/tables', '--sitemap', 'all.xml', '--sqlite', 'all.sqlite', '--wacz', 'all.wacz'];
    const missing = await runHere(['export', archived, ...flags], base);
    expect(missing.code).toBe(2);
    expect(missing.output).toContain('the folder that it is to be in is not there');
    const there = flags.map((flag) => (flag === 'all/tables' ? 'all-tables' : flag));
    const first = await runHere(['export', archived, ...there], base);
    expect(first).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^csv .*\nsitemap .*\nsqlite .*\nwacz .*: 2 pages, \d+ records\n$/),
    });
    const { mtimeMs } = await stat(join(base, 'all.wacz'));
    expect((await runHere(['export', archived, ...there], base)).code).toBe(2);
    expect((await stat(join(base, 'all.wacz'))).mtimeMs).toBe(mtimeMs);
    expect((await runHere(['export', archived, ...there, '--overwrite'], base)).code).toBe(0);
  });

  test('says how to install what an SQLite file needs, where it is missing', async () => {
    const without = join(base, 'without.mjs');
    await writeFile(
      without,
      `import { register } from 'node:module';
       const hook = \`export async function resolve(name, context, next) {
         if (name === 'node-sqlite3-wasm') throw Object.assign(new Error('none'), { code: 'ERR_MODULE_NOT_FOUND' });
         return next(name, context);
       }\`;
       register('data:text/javascript,' + encodeURIComponent(hook));`,
    );
    const { code, output } = await runCommand(['export', files, '--sqlite', 'none.sqlite'], base, {
      NODE_OPTIONS: `--import ${without}`,
    }).ended;
    expect({ code, output }).toMatchObject({
      code: 2,
      output: expect.stringMatching(/\[PACKAGE_MISSING\]\n *Install it: npm install node-sqlite3-wasm/),
    });
    expect(await readdir(base)).not.toContain('none.sqlite');
  });
});
