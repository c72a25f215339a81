import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { silentLog } from '../../../src/base/log.ts';
import { RecordedAnswers } from '../../../src/replay/recorded-answers.ts';
import { unpackWacz } from '../../../src/replay/unpacked-wacz.ts';

/** Longer than a text that is held in memory. */
const LENGTH = 65 * 1_048_576;

let base = '';
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'orbweaver-wacz-test-'));
});
afterAll(() => rm(base, { recursive: true, force: true }));

type WaczEntry = readonly [name: string, content: Buffer, compress: boolean];

async function waczOf(name: string, entries: readonly WaczEntry[]): Promise<string> {
  const path = join(base, name);
  const zip = new ZipFile();
  for (const [entry, content, compress] of entries) zip.addBuffer(content, entry, { compress });
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(path));
  return path;
}

/** A record of an answer with a page. */
function answerOf(url: string, html: string): string {
  const block = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n${html}`;
  const head = `WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: ${url}\r\nWARC-Date: 2026-01-02T03:04:05Z\r\n`;
  return `${head}Content-Type: application/http\r\nContent-Length: ${block.length}\r\n\r\n${block}\r\n\r\n`;
}

/** A WACZ file with an index of equal lines. */
function waczWithIndex(name: string, line: string, compress: boolean): Promise<string> {
  return waczOf(name, [['indexes/index.cdxj', Buffer.alloc(LENGTH, line), compress]]);
}

test('an index of more than 64 MiB is unpacked where it is uncompressed', async () => {
  const path = await waczWithIndex('large.wacz', `test,a)/ 20260102030405 {}\n`, false);
  await using unpacked = await unpackWacz(path, silentLog);
  expect(await readdir(join(unpacked.folder, 'archive'))).toEqual(['index.cdxj']);
  expect((await stat(join(unpacked.folder, 'archive', 'index.cdxj'))).size).toBe(LENGTH);
});

test.each([
  ['compressed', 'a line\n', true, /has a compressed indexes\/index\.cdxj of 68157440 bytes, and one of more than/],
  ['of one line', 'no line feed', false, /indexes\/index\.cdxj has a line of more than 67108864 bytes/],
] as const)('an index of more than 64 MiB that is %s is refused', async (name, line, compress, message) => {
  await expect(unpackWacz(await waczWithIndex(`${name}.wacz`, line, compress), silentLog)).rejects.toThrow(message);
});

test('the layouts of other tools are read: a packed index, several of them, and WARC files of any kind', async () => {
  const index = Buffer.concat([gzipSync('a 1\nb 2\n'), gzipSync('c 3')]);
  const path = await waczOf('others.wacz', [
    ['archive/plain.warc', Buffer.from('WARC/1.0 and so on'), true],
    ['archive/packed.warc.gz', gzipSync('WARC/1.0'), true],
    ['archive/sub/other.warc.gz', gzipSync('WARC/1.0'), false],
    ['indexes/index.cdx.gz', index, false],
    ['indexes/index.idx', Buffer.from('!meta 0 {"format": "cdxj-gzip-1.0", "filename": "index.cdx.gz"}\n'), true],
    ['indexes/more.cdx', Buffer.from('d 4'), true],
    ['pages/pages.jsonl', Buffer.from('{"format": "json-pages-1.0"}\n{"url": "https://example.org/"}\n'), true],
  ]);
  await using unpacked = await unpackWacz(path, silentLog);
  const archive = join(unpacked.folder, 'archive');
  expect((await readdir(archive)).toSorted()).toEqual(['index.cdxj', 'packed.warc.gz', 'plain.warc']);
  expect(await readFile(join(archive, 'index.cdxj'), 'utf8')).toBe('a 1\nb 2\nc 3\nd 4');
  expect(await readFile(join(archive, 'plain.warc'), 'utf8')).toBe('WARC/1.0 and so on');
  expect(unpacked.seeds).toEqual(['https://example.org/']);
});

test('a file without an index gets one, made of its records', async () => {
  const records = ['https://example.org/', 'https://example.org/a'].map((url) => gzipSync(answerOf(url, url)));
  const path = await waczOf('unindexed.wacz', [
    ['archive/packed.warc.gz', Buffer.concat(records), false],
    ['archive/together.warc.gz', gzipSync(answerOf('https://other.example/', 'x').repeat(2)), false],
    ['pages/pages.jsonl', Buffer.from('{"url": "https://example.org/a"}\n'), true],
  ]);
  await using unpacked = await unpackWacz(path, silentLog);
  const answers = await RecordedAnswers.open(unpacked.folder);
  expect(answers.origins).toEqual(['https://example.org', 'https://other.example']);
  const asked = { method: 'GET', url: 'https://example.org/a', body: Buffer.alloc(0), contentType: '' };
  expect(String((await answers.find(asked))?.body)).toBe('https://example.org/a');
  expect(unpacked.seeds).toEqual(['https://example.org/a']);
});

test.each([
  ['leads to other places', { offset: '7', length: '99', filename: 'packed.warc.gz' }],
  ['leads to records of other addresses', { offset: '0', length: '', filename: 'packed.warc.gz' }],
  ['names files that are not there', { offset: '0', length: '99', filename: 'archive/packed.warc.gz' }],
  ['has lines of another format', null],
])('a file whose index %s gets another, made of its records', async (_what, place) => {
  const records = ['https://example.org/', 'https://example.org/a'].map((url) => gzipSync(answerOf(url, url)));
  const fields = { url: 'https://example.org/a', mime: 'text/html', status: '200', ...place };
  if (fields.length === '') fields.length = String(records[0]?.length);
  const line = place === null ? 'text/html 200 AAAA - - 99 7 packed.warc.gz' : JSON.stringify(fields);
  const path = await waczOf('wrong.wacz', [
    ['archive/packed.warc.gz', Buffer.concat(records), false],
    ['indexes/index.cdxj', Buffer.from(`org,example)/a 20260102030405 ${line}\n`), false],
  ]);
  const told: string[] = [];
  const log = { ...silentLog, warn: (event: string) => told.push(event) };
  await using unpacked = await unpackWacz(path, log);
  const answers = await RecordedAnswers.open(unpacked.folder);
  const asked = { method: 'GET', url: 'https://example.org/a', body: Buffer.alloc(0), contentType: '' };
  expect(String((await answers.find(asked))?.body)).toBe('https://example.org/a');
  expect(told).toEqual(['index is wrong, records were read instead']);
});

test('a file without an index and without records is refused by its own name', async () => {
  const path = await waczOf('nothing.wacz', [['archive/a.warc.gz', gzipSync('no record'), false]]);
  await expect(unpackWacz(path, silentLog)).rejects.toThrow(/nothing\.wacz has no index, and no records in archive\//);
});

test.each(['mainPageUrl', 'mainPageURL'])('a file begins at its %s', async (name) => {
  const path = await waczOf(`${name}.wacz`, [
    ['datapackage.json', Buffer.from(JSON.stringify({ [name]: 'https://example.org/main' })), true],
    ['indexes/index.cdxj', Buffer.from('a 1\n'), false],
    ['pages/pages.jsonl', Buffer.from('{"url": "https://example.org/other"}\n'), true],
  ]);
  await using unpacked = await unpackWacz(path, silentLog);
  expect(unpacked.seeds).toEqual(['https://example.org/main']);
});

test('the first of many pages are read, however long their list is', async () => {
  const pages = Array.from({ length: 70 }, (_, index) => `{"url":"https://example.org/${index}","text":"`);
  const text = `${'a'.repeat(1_048_576)}"}\n`;
  const path = await waczOf('pages.wacz', [
    ['indexes/index.cdxj', Buffer.from('a 1\n'), false],
    ['pages/pages.jsonl', Buffer.from(pages.map((page) => page + text).join('')), true],
  ]);
  await using unpacked = await unpackWacz(path, silentLog);
  expect(unpacked.seeds).toHaveLength(21);
  expect(unpacked.seeds.at(-1)).toBe('https://example.org/20');
});

test.each([
  [
    'records that grow',
    'archive/a.warc.gz',
    Buffer.alloc(1_048_576),
    /has 1048576 bytes of archive\/a\.warc\.gz packed into \d+/,
  ],
  ['an index that is no gzip', 'indexes/index.cdx.gz', Buffer.from('a 1\n'), /cannot be read: incorrect header check/],
] as const)('a file with %s is refused', async (what, entry, content, message) => {
  await expect(unpackWacz(await waczOf(`${what}.wacz`, [[entry, content, true]]), silentLog)).rejects.toThrow(message);
});

test.each([
  ['in the zip', 'cdx', (content: Buffer) => content],
  ['by gzip', 'cdx.gz', (content: Buffer) => gzipSync(content)],
])('indexes packed %s that unpack to too much together are refused', async (_how, ending, pack) => {
  const index = pack(Buffer.alloc(100_000, 'a line\n'));
  const entries = ['a', 'b', 'c'].map((name): WaczEntry => [`indexes/${name}.${ending}`, index, ending === 'cdx']);
  const path = await waczOf(`many.${ending}.wacz`, entries);
  await using _unpacked = await unpackWacz(path, silentLog, 300_000);
  await expect(unpackWacz(path, silentLog, 299_999)).rejects.toThrow(
    /has indexes that unpack to more than 299999 bytes/,
  );
});

test('a file whose entries are of the same bytes is refused: it would fill the disk', async () => {
  const path = await waczOf('overlap.wacz', [
    ['archive/a.warc.gz', gzipSync(randomBytes(10_000)), false],
    ['archive/b.warc.gz', gzipSync(''), false],
    ['indexes/index.cdxj', Buffer.from('a 1\n'), false],
  ]);
  const bytes = await readFile(path);
  const first = bytes.indexOf('PK\u0001\u0002');
  const second = bytes.indexOf('PK\u0001\u0002', first + 1);
  // checksum and sizes, then the offset, of the first entry in the directory of the zip (APPNOTE 4.3.12)
  for (const [from, to] of [
    [16, 28],
    [42, 46],
  ] as const)
    bytes.copy(bytes, second + from, first + from, first + to);
  await writeFile(path, bytes);
  await expect(unpackWacz(path, silentLog)).rejects.toThrow(/has entries that overlap/);
});
