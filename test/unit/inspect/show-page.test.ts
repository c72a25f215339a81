import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { storedDocument } from '../../../src/audit/stored-document.ts';
import { showPage, type PagePart } from '../../../src/inspect/show-page.ts';
import type { PageRecord } from '../../../src/model/record.ts';
import { openTestArchive, pass, readArchive } from '../../support/archive.ts';
import { storeCrawl, type StoredCrawlFolder, type StoredCrawlParts } from '../../support/stored-crawl.ts';
import { pageOf } from '../cli/fake-crawl.ts';

const URL_A = 'https://example.org/a';
const SNAPSHOT: PageRecord['snapshot'] = { html: null, text: null, screenshot: null, warc: null };

/** A crawl of one page, with these files for it. */
async function withFiles(
  files: Readonly<Partial<Record<'html' | 'text' | 'screenshot', string>>>,
  parts: StoredCrawlParts = {},
): Promise<StoredCrawlFolder> {
  const names = Object.fromEntries(Object.keys(files).map((part) => [part, `snapshots/3f/3f0c-a.${part}`]));
  const crawl = await storeCrawl({ pages: [pageOf({ url: URL_A, snapshot: { ...SNAPSHOT, ...names } })], ...parts });
  for (const [part, content] of Object.entries(files)) {
    const path = join(crawl.folder, `snapshots/3f/3f0c-a.${part}`);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
  return crawl;
}

const shown = async (folder: string, url: string, part: PagePart | null = null): Promise<string> =>
  Buffer.from((await showPage(folder, url, part)).content).toString('utf8');

describe('a page that was kept in files', () => {
  test('is shown by its text, its HTML and its screenshot', async () => {
    await using crawl = await withFiles({ html: '<p>ä</p>', text: 'ä', screenshot: '\u{1}' });
    for (const url of [URL_A, '/a', 'https://EXAMPLE.org:443/./a?utm_source=x#top', ' /a']) {
      expect(await shown(crawl.folder, url)).toBe('ä');
    }
    expect(await shown(crawl.folder, '/a', 'html')).toBe('<p>ä</p>');
    expect(await shown(crawl.folder, '/a', 'text')).toBe('ä');
    const picture = await showPage(crawl.folder, '/a', 'screenshot');
    expect(picture).toMatchObject({
      url: URL_A,
      part: 'screenshot',
      file: join(crawl.folder, 'snapshots/3f/3f0c-a.screenshot'),
    });
    expect([...picture.content]).toEqual([1]);
  });

  test('is shown by its HTML where no text was kept and nothing else was asked for', async () => {
    await using crawl = await withFiles({ html: '<p>x</p>' }, { crawl: { options: { snapshot: ['html'] } } });
    const page = await showPage(crawl.folder, '/a');
    expect(page).toMatchObject({ part: 'html', notes: ['no text of it was kept: this is its HTML'] });
    await expect(showPage(crawl.folder, '/a', 'text')).rejects.toMatchObject({
      code: 'NOT_STORED',
      message: expect.stringContaining(
        'no text of https://example.org/a was kept: the crawl was made with --snapshot html\nKept by: --snapshot text or warc.',
      ),
    });
  });

  test('is the one that was stored last', async () => {
    const lines = [1, 2].map((n) =>
      pageOf({ url: URL_A, attempt: n, snapshot: { ...SNAPSHOT, text: `snapshots/3f/${n}.txt` } }),
    );
    await using crawl = await storeCrawl({ pages: lines });
    await mkdir(join(crawl.folder, 'snapshots/3f'), { recursive: true });
    for (const n of [1, 2]) await writeFile(join(crawl.folder, `snapshots/3f/${n}.txt`), `try ${n}`);
    expect(await shown(crawl.folder, '/a')).toBe('try 2');
  });

  test('whose headers were not kept says what keeps them', async () => {
    await using crawl = await withFiles({ text: 'x' });
    await expect(showPage(crawl.folder, '/a', 'headers')).rejects.toMatchObject({
      code: 'NOT_STORED',
      message: expect.stringContaining('Kept by: --snapshot warc.\nKept of it: text.'),
    });
  });

  test('names the parts that were kept, and nothing else of the snapshot', async () => {
    const snapshot = { ...SNAPSHOT, text: 'snapshots/3f/a.txt', digests: { text: 'sha256:0' }, extra: { words: 'a' } };
    await using crawl = await storeCrawl({ pages: [pageOf({ url: URL_A, snapshot })] });
    await expect(showPage(crawl.folder, '/a', 'html')).rejects.toThrow(/\nKept of it: text\.$/);
  });

  test('whose file is gone says so', async () => {
    await using crawl = await withFiles({ text: 'x' });
    await rm(join(crawl.folder, 'snapshots/3f'), { recursive: true });
    await expect(showPage(crawl.folder, '/a')).rejects.toMatchObject({
      code: 'NOT_STORED',
      message: 'the crawl kept it in snapshots/3f/3f0c-a.text, and it is not there any more',
    });
  });

  test('whose file a worker may have on its own disk says so', async () => {
    await using crawl = await storeCrawl({
      pages: [pageOf({ url: URL_A, snapshot: { ...SNAPSHOT, text: 'snapshots/3f/a.txt' } })],
      crawl: { options: { redis: 'rediss://localhost' } },
    });
    await expect(showPage(crawl.folder, '/a')).rejects.toMatchObject({
      code: 'NOT_STORED',
      message:
        'the crawl kept it in snapshots/3f/a.txt, and it is not there: if a worker has it on its own disk, orbweaver gather brings it',
    });
  });

  test.each(['../../etc/passwd', '/etc/passwd', 'snapshots/../crawl.json', 'snapshots', 'crawl.json', ''])(
    'is not read from %j, wherever its line says it is',
    async (text) => {
      await using crawl = await storeCrawl({ pages: [pageOf({ url: URL_A, snapshot: { ...SNAPSHOT, text } })] });
      await mkdir(join(crawl.folder, 'snapshots'));
      await expect(showPage(crawl.folder, '/a')).rejects.toMatchObject({ code: 'CRAWL_UNREADABLE' });
    },
  );

  test('is not read through a link that leads out of the snapshots', async () => {
    await using crawl = await withFiles({ text: 'x' });
    const file = join(crawl.folder, 'snapshots/3f/3f0c-a.text');
    await rm(file);
    await writeFile(join(crawl.base, 'secret'), 'secret');
    await symlink(join(crawl.base, 'secret'), file);
    await expect(showPage(crawl.folder, '/a')).rejects.toMatchObject({ code: 'CRAWL_UNREADABLE' });
  });
});

describe('a page that was kept in an archive', () => {
  test('is shown by its records, and its headers as they were received', async () => {
    await using crawl = await storeCrawl();
    {
      await using archive = await openTestArchive(crawl.folder);
      pass(archive, {
        url: URL_A,
        answer: {
          headers: [
            ['Content-Type', 'text/html'],
            ['X-One', 'a'],
            ['x-one', 'b'],
            ['Content-Encoding', 'gzip'],
          ],
        },
        body: gzipSync('<p>as sent</p>'),
      });
      await archive.sync();
      await archive.seal();
    }
    const records = await readArchive(crawl.folder);
    const found = records.find(({ type }) => type === 'response');
    const place = { file: `archive/${found?.file}`, offset: found?.offset ?? 0, length: found?.length ?? 0 };
    const page = pageOf({ url: URL_A, snapshot: { ...SNAPSHOT, warc: { ...place, html: place } } });
    await writeFile(join(crawl.folder, 'pages.jsonl'), `${JSON.stringify(page)}\n`);
    expect(await shown(crawl.folder, '/a')).toBe('<p>as sent</p>');
    expect(await shown(crawl.folder, '/a', 'headers')).toMatch(
      /^status: 200\ncontent-type: text\/html\nx-one: a\nx-one: b\ncontent-encoding: gzip\n/,
    );
    await expect(showPage(crawl.folder, '/a', 'screenshot')).rejects.toMatchObject({ code: 'NOT_STORED' });
  });

  test('with a content coding that cannot be undone is refused, not shown as bytes; so is it for an audit', async () => {
    await using crawl = await storeCrawl();
    {
      await using archive = await openTestArchive(crawl.folder);
      const headers = [['Content-Encoding', 'zstd']] as const;
      pass(archive, { url: URL_A, answer: { headers }, body: Buffer.from('28b52ffd', 'hex') });
      await archive.seal();
    }
    const found = (await readArchive(crawl.folder)).find(({ type }) => type === 'response');
    const place = { file: `archive/${found?.file}`, offset: found?.offset ?? 0, length: found?.length ?? 0 };
    const snapshot = { ...SNAPSHOT, warc: { ...place, html: place } };
    await writeFile(join(crawl.folder, 'pages.jsonl'), `${JSON.stringify(pageOf({ url: URL_A, snapshot }))}\n`);
    await expect(showPage(crawl.folder, '/a', 'html')).rejects.toMatchObject({
      code: 'ARCHIVE_DAMAGED',
      message: `it cannot be shown: its content coding (zstd) in ${place.file} cannot be undone`,
    });
    expect(await shown(crawl.folder, '/a', 'headers')).toContain('content-encoding: zstd');
    await expect(storedDocument(crawl.folder, snapshot)).rejects.toMatchObject({ code: 'ARCHIVE_DAMAGED' });
  });

  test('with a content coding that breaks off is shown up to that place, with a note', async () => {
    await using crawl = await storeCrawl();
    const noise = Array.from({ length: 20_000 }, (_, index) => (index * index * 7919).toString(36)).join('');
    {
      await using archive = await openTestArchive(crawl.folder);
      const body = gzipSync(`<p>as sent</p>${noise}`).subarray(0, -1000);
      pass(archive, { url: URL_A, answer: { headers: [['Content-Encoding', 'gzip']] }, body, end: 'disconnect' });
      await archive.seal();
    }
    const found = (await readArchive(crawl.folder)).find(({ type }) => type === 'response');
    const place = { file: `archive/${found?.file}`, offset: found?.offset ?? 0, length: found?.length ?? 0 };
    const page = pageOf({ url: URL_A, snapshot: { ...SNAPSHOT, warc: { ...place, html: place } } });
    await writeFile(join(crawl.folder, 'pages.jsonl'), `${JSON.stringify(page)}\n`);
    const { content, notes } = await showPage(crawl.folder, '/a', 'html');
    expect(Buffer.from(content).toString().slice(0, 40)).toBe(`<p>as sent</p>${noise}`.slice(0, 40));
    expect(notes).toEqual([
      'it was cut when it was stored (disconnect)',
      'its content coding (gzip) breaks off: this is the part before that place',
    ]);
  });

  test('whose answer is not in it has no headers', async () => {
    await using crawl = await storeCrawl({ crawl: { options: { snapshot: ['warc'] } } });
    {
      await using archive = await openTestArchive(crawl.folder);
      await archive.seal();
    }
    const [info] = await readArchive(crawl.folder); // a record that is not an answer
    const warc = { file: `archive/${info?.file}`, offset: 0, length: info?.length ?? 0 };
    await writeFile(
      join(crawl.folder, 'pages.jsonl'),
      `${JSON.stringify(pageOf({ url: URL_A, snapshot: { ...SNAPSHOT, warc } }))}\n`,
    );
    await expect(showPage(crawl.folder, '/a', 'headers')).rejects.toMatchObject({
      code: 'NOT_STORED',
      message:
        'the headers of https://example.org/a were not kept: its answer is not in the archive\nKept of it: warc.',
    });
  });

  test('whose archive is gone or damaged says where', async () => {
    const warc = { file: 'archive/x.warc.gz', offset: 10, length: 20 };
    await using crawl = await storeCrawl({ pages: [pageOf({ url: URL_A, snapshot: { ...SNAPSHOT, warc } })] });
    const showing = (): Promise<string> => shown(crawl.folder, '/a', 'headers');
    await expect(showing()).rejects.toMatchObject({
      code: 'ARCHIVE_DAMAGED',
      message: expect.stringContaining('archive/x.warc.gz'),
    });
    await mkdir(join(crawl.folder, 'archive'));
    await writeFile(join(crawl.folder, 'archive/x.warc.gz'), 'no archive at all, but long enough for it');
    await expect(showing()).rejects.toMatchObject({ code: 'ARCHIVE_DAMAGED' });
  });
});

describe('what is no stored page', () => {
  test.each<[string, Partial<PageRecord>, RegExp]>([
    [
      'failed',
      { outcome: 'unreachable', status: null, detail: 'ECONNREFUSED' },
      /nothing of .* was stored: it ended as unreachable: ECONNREFUSED/,
    ],
    ['was not found', { outcome: 'http-error', status: 404 }, /it ended as http-error, status 404/],
    [
      'redirected',
      { outcome: 'redirected', status: 301, finalUrl: 'https://example.org/b' },
      /redirected to https:\/\/example\.org\/b/,
    ],
    ['was captured without snapshots', {}, /no text of .* was kept: there was none/],
  ])('%s: it is said', async (_what, changes, message) => {
    await using crawl = await storeCrawl({ pages: [pageOf({ url: URL_A, ...changes })] });
    await expect(showPage(crawl.folder, '/a')).rejects.toMatchObject({
      code: 'NOT_STORED',
      message: expect.stringMatching(message),
    });
  });

  test('redirected by way of others: the page at the end is named, where there is one', async () => {
    const hop = (from: string, to: string): PageRecord =>
      pageOf({ url: `https://example.org${from}`, outcome: 'redirected', finalUrl: `https://example.org${to}` });
    const pages = [
      hop('/a', '/b'),
      hop('/b', '/c'),
      pageOf({ url: 'https://example.org/c' }),
      hop('/r', '/s'),
      hop('/s', '/r'),
    ];
    await using crawl = await storeCrawl({ pages });
    const message = (url: string): Promise<string> =>
      showPage(crawl.folder, url).then(
        () => '',
        (error: Error) => error.message,
      );
    expect(await message('/a')).toBe(
      'https://example.org/a redirected to https://example.org/b and on to https://example.org/c, and is no page itself\nShow the last one.',
    );
    expect(await message('/r')).toContain('/r redirected to https://example.org/s, and is no page itself\n');
  });

  test('was skipped: the reason is said', async () => {
    const skipped = { url: URL_A, reason: 'depth', rule: 'depth 3 is more than 2', referrer: null } as const;
    await using crawl = await storeCrawl({ skipped: [skipped] });
    await expect(showPage(crawl.folder, '/a')).rejects.toMatchObject({
      code: 'NOT_STORED',
      message: 'https://example.org/a was skipped: depth (depth 3 is more than 2)',
    });
  });

  test('is not known: the pages that are most like it are named', async () => {
    const pages = [
      'https://example.org/about',
      'https://example.org/abut/x',
      'http://www.example.org/Abuot/',
      'https://other.test/about',
    ];
    await using crawl = await storeCrawl({ pages: pages.map((url) => pageOf({ url })) });
    await expect(showPage(crawl.folder, 'https://example.org/abuot')).rejects.toMatchObject({
      code: 'NOT_STORED',
      message:
        'the crawl has no page https://example.org/abuot\nPages like it:\n  http://www.example.org/Abuot/\n  https://example.org/about\n  https://example.org/abut/x',
    });
  });

  test('is not known to a crawl that was interrupted: it may still come', async () => {
    await using crawl = await storeCrawl({ crawl: { state: 'interrupted' } });
    await expect(showPage(crawl.folder, '/a')).rejects.toThrow(
      'the crawl has no page https://example.org/a yet (it is interrupted)\nWhat is known of it: orbweaver explain <folder> <url>',
    );
  });

  test('is no URL: USAGE says so', async () => {
    await using crawl = await storeCrawl();
    await expect(showPage(crawl.folder, 'not a url')).rejects.toMatchObject({ code: 'USAGE' });
  });
});

test.each([
  [{ format: 2 }, /is a crawl of format 2/],
  [{ versions: { orbweaver: '9.0.0' } }, /was written by orbweaver 9\.0\.0/],
])('a crawl of a later version is refused: %j', async (crawl, message) => {
  await using stored = await withFiles({ text: 'x' }, { crawl });
  await expect(showPage(stored.folder, '/a')).rejects.toMatchObject({
    code: 'CRAWL_UNREADABLE',
    message: expect.stringMatching(message),
  });
});
