/** WACZ files of whole archives, and of falsified ones. */
import {
  appendFile,
  copyFile,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { epochMs } from '../../../../src/base/units.ts';
import { exportCrawl, type ExportReport } from '../../../../src/inspect/export-crawl.ts';
import { waczFault } from '../../../../src/inspect/export/wacz-integrity.ts';
import type { ArchivedPage, PageRecord } from '../../../../src/model/record.ts';
import { storedCanonicalUrl } from '../../../../src/model/url/canonical-url.ts';
import { openArchiveWriter } from '../../../../src/warc/archive-writer.ts';
import { openTestArchive, pass, readArchive, warcFiles } from '../../../support/archive.ts';
import { storeCrawl, type StoredCrawlFolder } from '../../../support/stored-crawl.ts';
import { entryOf, readWacz, readZip, sha256 } from '../../../support/wacz.ts';
import { pageOf } from '../../cli/fake-crawl.ts';

const SITE = 'http://a.test';
const BODIES = { '/': '<h1>Home</h1>', '/b': '<h1>B</h1>', '/c.css': 'h1 { color: red }' };

interface StoredArchive extends StoredCrawlFolder {
  /** Path of its only WARC file. */
  readonly warc: string;
  readonly index: string;
  export(changes?: { readonly overwrite?: boolean }): Promise<ExportReport>;
}

/** A crawl with an archive of three answers, two of them pages. */
async function storeArchive({
  state = 'finished',
  sealed = true,
}: { readonly state?: string; readonly sealed?: boolean } = {}): Promise<StoredArchive> {
  const stored = await storeCrawl({ crawl: { state, seeds: [`${SITE}/`] } });
  {
    await using archive = await openTestArchive(stored.folder);
    for (const [path, body] of Object.entries(BODIES)) pass(archive, { url: `${SITE}${path}`, body });
    await archive.sync();
    if (sealed) await archive.seal();
  }
  const names = await readdir(join(stored.folder, 'archive'));
  const warc = join(stored.folder, 'archive', names.find((name) => name.includes('.warc.gz')) ?? '');
  const places = new Map<string, ArchivedPage>();
  if (sealed) {
    for (const { type, uri, offset, length, file } of await readArchive(stored.folder)) {
      if (type === 'response' && uri !== null) places.set(uri, { file: `archive/${file}`, offset, length });
    }
  }
  const page = (path: string, changes: Partial<PageRecord>): PageRecord => {
    const snapshot = { html: null, text: null, screenshot: null, warc: places.get(`${SITE}${path}`) ?? null };
    return pageOf({ url: `${SITE}${path}`, finalUrl: `${SITE}${path}`, snapshot, ...changes });
  };
  const pages = [page('/b', { title: 'B' }), page('/', { title: 'Home', depth: 0 })];
  await writeFile(join(stored.folder, 'pages.jsonl'), pages.map((each) => `${JSON.stringify(each)}\n`).join(''));
  return {
    ...stored,
    warc,
    index: join(stored.folder, 'archive', 'index.cdxj'),
    export: (changes) => exportCrawl(stored.folder, { wacz: join(stored.base, 'a.wacz') }, changes),
    [Symbol.asyncDispose]: () => stored[Symbol.asyncDispose](),
  };
}

describe('a WACZ file', () => {
  test('holds archive, index and pages as they are, each with its digest', async () => {
    await using stored = await storeArchive();
    const { exported, notes } = await stored.export();
    expect(exported[0]?.counts).toEqual({ pages: 2, records: 7 }); // a warcinfo, three answers and their requests
    expect(notes).toEqual([]);
    const path = join(stored.base, 'a.wacz');
    const { entries, about, pages, answers } = await readWacz(path);
    const [warc = ''] = await warcFiles(stored.folder);
    expect(entries.map(({ name }) => name)).toEqual([
      'pages/pages.jsonl',
      `archive/${warc}`,
      'indexes/index.cdxj',
      'datapackage.json',
      'datapackage-digest.json',
    ]);
    expect(new Set(entries.map(({ method }) => method))).toEqual(new Set([0]));
    expect(entryOf(entries, `archive/${warc}`).bytes).toEqual(await readFile(stored.warc));
    expect(about).toMatchObject({
      profile: 'data-package',
      wacz_version: '1.1.1',
      software: expect.stringMatching(/^orbweaver \d/),
      created: '2026-01-02T04:04:05.678Z',
      mainPageUrl: `${SITE}/`,
      mainPageDate: '2026-01-02T03:04:05.678Z',
    });
    expect(about.resources).toEqual(
      entries.slice(0, 3).map(({ name, bytes }) => ({
        name: name.split('/').at(-1),
        path: name,
        bytes: bytes.length,
        hash: sha256(bytes),
      })),
    );
    expect(JSON.parse(entryOf(entries, 'datapackage-digest.json').bytes.toString())).toEqual({
      path: 'datapackage.json',
      hash: sha256(entryOf(entries, 'datapackage.json').bytes),
    });
    expect(pages).toMatchObject([
      { url: `${SITE}/b`, title: 'B', ts: '2026-01-02T03:04:05.678Z', seed: false },
      { url: `${SITE}/`, title: 'Home', seed: true },
    ]);
    expect([...answers].map(([asked, { body }]) => [asked, body.toString()])).toEqual(
      Object.entries(BODIES).map(([at, body]) => [`GET ${SITE}${at}`, body]),
    );
  });

  test('of an interrupted crawl holds what was archived by then, and leaves the crawl as it was', async () => {
    await using stored = await storeArchive({ state: 'interrupted', sealed: false });
    const before = await readdir(join(stored.folder, 'archive'));
    const { notes } = await stored.export();
    expect(notes).toContainEqual(expect.stringMatching(/^the crawl was interrupted/));
    const { answers } = await readWacz(join(stored.base, 'a.wacz'));
    expect([...answers.keys()]).toEqual(Object.keys(BODIES).map((path) => `GET ${SITE}${path}`));
    expect(await readdir(join(stored.folder, 'archive'))).toEqual(before);
    expect(await readdir(stored.base)).toHaveLength(2);
  });

  test('names no page that it has no answer of, and says how many', async () => {
    await using stored = await storeCrawl({ crawl: { seeds: [`${SITE}/`] } });
    let place: ArchivedPage | undefined;
    {
      await using archive = await openTestArchive(stored.folder);
      const writer = openArchiveWriter(archive);
      const page = {
        url: storedCanonicalUrl(`${SITE}/`),
        finalUrl: `${SITE}/`,
        startedAt: epochMs(0),
        html: '<p>x',
        text: 'x',
      };
      const paths = await writer.write({ ...page, screenshot: null }, new AbortController().signal);
      place = paths.warc ?? undefined;
      await archive.seal();
    }
    const snapshot = { html: null, text: null, screenshot: null, warc: place ?? null };
    await writeFile(join(stored.folder, 'pages.jsonl'), `${JSON.stringify(pageOf({ url: `${SITE}/`, snapshot }))}\n`);
    const { exported, notes } = await exportCrawl(stored.folder, { wacz: join(stored.base, 'a.wacz') });
    expect(exported[0]?.counts).toEqual({ pages: 0, records: 3 });
    expect(notes).toContain('pages that are not named in the WACZ file, for the archive has no answer of them: 1');
    expect((await readWacz(join(stored.base, 'a.wacz'))).pages).toEqual([]);
  });

  test('is found out where a byte of it was changed', async () => {
    await using stored = await storeArchive();
    await stored.export();
    const path = join(stored.base, 'a.wacz');
    const { signal } = new AbortController();
    expect(await waczFault(path, signal)).toBeNull();
    const [warc = ''] = await warcFiles(stored.folder);
    const bytes = await readFile(path);
    const place = bytes.indexOf(entryOf(await readZip(path), `archive/${warc}`).bytes);
    bytes[place + 100] = (bytes[place + 100] ?? 0) ^ 1;
    await writeFile(path, bytes);
    expect(await waczFault(path, signal)).toBe(`the digest of archive/${warc} is wrong`);
  });
});

describe('an export to WACZ', () => {
  test('of a crawl without an archive says how to have one', async () => {
    await using stored = await storeCrawl();
    const exporting = exportCrawl(stored.folder, { wacz: join(stored.base, 'a.wacz') });
    await expect(exporting).rejects.toMatchObject({
      code: 'NOT_STORED',
      message: expect.stringContaining('--snapshot warc'),
    });
  });

  test('of a crawl that still writes its archive is refused', async () => {
    await using stored = await storeArchive({ state: 'running', sealed: false });
    await expect(stored.export()).rejects.toMatchObject({
      code: 'CRAWL_UNREADABLE',
      message: expect.stringContaining('still written to'),
    });
  });

  const LIES: readonly (readonly [string, (stored: StoredArchive) => Promise<void>, RegExp])[] = [
    [
      'whose file ends within a record',
      async ({ warc }) => truncate(warc, 1000),
      /at byte \d+: the file ends within a record/,
    ],
    ['whose file is empty', async ({ warc }) => truncate(warc, 0), /the file is empty/],
    ['whose file is no WARC', async ({ warc }) => writeFile(warc, 'GIF89a, not a WARC'), /no WARC file/],
    ['whose file holds no records', async ({ warc }) => writeFile(warc, gzipSync('hello')), /is no WARC record/],
    ['with bytes behind its last record', async ({ warc }) => appendFile(warc, 'more'), /no record begins there/],
    [
      'with a byte that was changed',
      async ({ warc }) => {
        const bytes = await readFile(warc);
        bytes[bytes.length - 5] = (bytes[bytes.length - 5] ?? 0) ^ 1;
        await writeFile(warc, bytes);
      },
      /the check sum of the packed record is wrong/,
    ],
    [
      'with a block that its digest denies',
      ({ warc }) => repack(warc, 'Home', 'Hope'),
      /its warc-block-digest is wrong/,
    ],
    [
      'with a payload that its digest denies',
      ({ warc }) =>
        repack(warc, /WARC-Payload-Digest: sha256:[0-9a-f]{64}/, `WARC-Payload-Digest: sha256:${'0'.repeat(64)}`),
      /its warc-payload-digest is wrong/,
    ],
    [
      'with a length that is another',
      ({ warc }) => repack(warc, /Content-Length: \d+/, 'Content-Length: 3'),
      /claims a block of 3 bytes and has more/,
    ],
    [
      'with a length below nothing',
      ({ warc }) => repack(warc, /Content-Length: \d+/, 'Content-Length: -3'),
      /is no WARC record/,
    ],
    [
      'with a record that claims more than any of ours has',
      ({ warc }) => bomb(warc, 700_000_000),
      /claims more than 536870912 bytes/,
    ],
    [
      'with a record that unpacks to more than it claims',
      ({ warc }) => bomb(warc, 1000),
      /claims a block of 1000 bytes and has more/,
    ],
    ['without an index', async ({ index }) => rm(index), /index\.cdxj.*there is no such file/],
    ['whose index ends within a line', async ({ index }) => truncate(index, 300), /it ends within a line/],
    [
      'whose index lacks a record',
      async ({ index }) => writeFile(index, (await readFile(index, 'utf8')).split('\n').slice(1).join('\n')),
      /it does not name the record in/,
    ],
    ['whose index holds something else', async ({ index }) => writeFile(index, 'hello\n'), /no line of an index/],
    [
      'whose index is not sorted',
      async ({ index }) =>
        writeFile(index, `${(await readFile(index, 'utf8')).split('\n').filter(Boolean).toReversed().join('\n')}\n`),
      /its lines are not sorted/,
    ],
    [
      'whose index names another place',
      async ({ index }) => writeFile(index, (await readFile(index, 'utf8')).replace(/"offset":"\d+"/, '"offset":"1"')),
      /that is not there/,
    ],
    [
      'whose index names a file elsewhere',
      async ({ index }) => writeFile(index, (await readFile(index, 'utf8')).replace(/"filename":"/, '"filename":"../')),
      /that is not there/,
    ],
    [
      'with a file that another program put there',
      async ({ warc }) => writeFile(join(warc, '..', 'foreign.warc.gz'), gzipSync('WARC/1.0\r\n\r\n')),
      /foreign\.warc\.gz at byte 0/,
    ],
    [
      'that lacks the file of a page',
      async ({ warc, index }) => {
        await rename(warc, join(warc, '..', 'other.warc.gz'));
        const name = warc.split('/').at(-1) ?? '';
        await writeFile(index, (await readFile(index, 'utf8')).replaceAll(name, 'other.warc.gz'));
      },
      /the record of http:\/\/a\.test\/b is not there/,
    ],
  ];

  test.each(LIES)('refuses an archive %s, and what was there stays', async (_what, lie, message) => {
    await using stored = await storeArchive();
    await writeFile(join(stored.base, 'a.wacz'), 'an earlier one');
    await lie(stored);
    const exporting = stored.export({ overwrite: true });
    await expect(exporting).rejects.toMatchObject({ code: 'ARCHIVE_DAMAGED', message: expect.stringMatching(message) });
    expect(await readFile(join(stored.base, 'a.wacz'), 'utf8')).toBe('an earlier one');
    expect(await readdir(stored.base)).toHaveLength(2);
  });

  test('does not follow a link in the archive, or among the texts, to what lies elsewhere', async () => {
    await using stored = await storeArchive();
    await rename(stored.warc, join(stored.folder, 'kept'));
    await symlink(join(stored.folder, 'kept'), stored.warc);
    await expect(stored.export()).rejects.toMatchObject({ code: 'NOT_STORED' });
    await rm(stored.warc);
    await rename(join(stored.folder, 'kept'), stored.warc);
    const pages = join(stored.folder, 'pages.jsonl');
    await writeFile(pages, (await readFile(pages, 'utf8')).replaceAll('"text":null', '"text":"snapshots/3f/a.txt"'));
    await mkdir(join(stored.folder, 'snapshots/3f'), { recursive: true });
    await symlink(pages, join(stored.folder, 'snapshots/3f/a.txt'));
    await expect(stored.export()).rejects.toMatchObject({ code: 'CRAWL_UNREADABLE' });
    expect(await readdir(stored.base)).toHaveLength(1);
  });

  test('does not follow a page to a place outside of the archive', async () => {
    await using stored = await storeArchive();
    await mkdir(join(stored.folder, 'elsewhere'));
    await copyFile(stored.warc, join(stored.folder, 'elsewhere', 'x.warc.gz'));
    const pages = join(stored.folder, 'pages.jsonl');
    await writeFile(pages, (await readFile(pages, 'utf8')).replaceAll(/"archive\/[^"]+"/g, '"elsewhere/x.warc.gz"'));
    await expect(stored.export()).rejects.toMatchObject({ code: 'ARCHIVE_DAMAGED' });
  });
});

/** Changes a text in the records of a file and recompresses each: a falsification that gzip does not detect. */
async function repack(path: string, from: string | RegExp, to: string): Promise<void> {
  const members = (await readArchive(join(path, '..', '..'))).map(({ offset, length }) => ({ offset, length }));
  const bytes = await readFile(path);
  const { gunzipSync } = await import('node:zlib');
  const packed = members.map(({ offset, length }) => {
    const text = gunzipSync(bytes.subarray(offset, offset + length)).toString('latin1');
    return gzipSync(Buffer.from(text.includes('WARC-Type: response') ? text.replace(from, to) : text, 'latin1'));
  });
  await writeFile(path, Buffer.concat(packed));
}

/** Appends some kilobytes that decompress to 64 MiB. */
async function bomb(path: string, claimed: number): Promise<void> {
  const bytes = Buffer.alloc(64 * 1024 * 1024);
  bytes.write(`WARC/1.1\r\nWARC-Type: resource\r\nContent-Length: ${claimed}\r\n\r\n`);
  await appendFile(path, gzipSync(bytes, { level: 1 }));
}
