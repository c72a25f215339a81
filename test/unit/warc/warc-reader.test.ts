import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { epochMs } from '../../../src/base/units.ts';
import type { ArchivedRecord } from '../../../src/model/record.ts';
import { decodedPayload, readRecord, type ReadRecord } from '../../../src/warc/warc-reader.ts';
import { openTestArchive, pass, readArchive, type TestExchange } from '../../support/archive.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'orbweaver-reader-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function archivedAnswer(...exchanges: readonly TestExchange[]): Promise<ReadRecord> {
  const archive = await openTestArchive(folder);
  for (const exchange of exchanges) pass(archive, exchange);
  await archive.seal();
  const record = (await readArchive(folder)).findLast(({ type }) => type === 'response' || type === 'revisit');
  if (record === undefined) throw new Error('no answer');
  return readRecord(folder, { ...record, file: `archive/${record.file}` });
}

const page = '<p>Text text text</p>'.repeat(50);
const noise = Array.from(
  { length: 40_000 },
  (_, index) => createHash('md5').update(String(index)).digest('hex')[0],
).join('');
const long = page + noise;

describe('a record that is read', () => {
  it('says what it is, and has the payload as it was received', async () => {
    const record = await archivedAnswer({ url: 'https://example.org/', body: page, end: 'disconnect' });
    expect(record).toMatchObject({
      type: 'response',
      targetUri: 'https://example.org/',
      date: Date.parse('2026-01-02T03:04:05.678Z'),
      httpStatus: 200,
      httpHeaders: [['content-type', 'text/html; charset=utf-8']],
      contentType: 'text/html; charset=utf-8',
      truncated: 'disconnect',
      refersTo: null,
    });
    expect(Buffer.from(record.payload).toString()).toBe(page);
  });

  it('says where the payload of a revisit is', async () => {
    const record = await archivedAnswer(
      { url: 'https://example.org/1', body: page },
      { url: 'https://example.org/2', body: page },
    );
    expect(record).toMatchObject({
      type: 'revisit',
      httpStatus: 200,
      refersTo: { uri: 'https://example.org/1', date: Date.parse('2026-01-02T03:04:05.678Z') },
    });
    expect(record.payload).toHaveLength(0);
  });

  it('can be of a file that still grows', async () => {
    const archive = await openTestArchive(folder);
    pass(archive, { url: 'https://example.org/', body: page });
    await archive.sync();
    const answer = await archive.answer(
      { url: 'https://example.org/', startedAt: epochMs(0) },
      new AbortController().signal,
    );
    const place = await answer?.place;
    const record = await readRecord(folder, {
      file: `archive/${place?.filename}`,
      offset: place?.offset ?? 0,
      length: place?.length ?? 0,
    });
    expect(record.targetUri).toBe('https://example.org/');
    await archive.seal();
  });

  it.each([
    ['gzip', gzipSync(page)],
    ['x-gzip', gzipSync(page)],
    ['br', brotliCompressSync(page)],
    ['deflate', deflateSync(page)],
    ['deflate', deflateRawSync(page)],
    ['identity', Buffer.from(page)],
    ['utf-8', Buffer.from(page)],
    ['none, gzip', gzipSync(page)],
    ['gzip, br', brotliCompressSync(gzipSync(page))],
    ['gzip', gzipSync(page).subarray(0, -8)],
    ['gzip', Buffer.concat([gzipSync(page).subarray(0, -8), Buffer.alloc(8)])],
    ['gzip', Buffer.concat([gzipSync(page), Buffer.from('\n')])],
    ['gzip', Buffer.concat([gzipSync(page), gzipSync('<p>another member')])],
    ['deflate', Buffer.concat([deflateRawSync(page), Buffer.from('\n')])],
  ])('is decoded from %s', async (encoding, body) => {
    const record = await archivedAnswer({
      url: 'https://example.org/',
      body,
      answer: { headers: [['Content-Encoding', encoding]] },
    });
    const { kind, bytes } = await decodedPayload(record);
    expect({ text: Buffer.from(bytes).toString(), kind }).toEqual({ text: page, kind: 'whole' });
  });

  it.each([
    ['zstd', Buffer.from('x')],
    ['gzip', Buffer.from('no gzip')],
    ['gzip', gzipSync(page).subarray(0, 9)],
    ['zstd, gzip', gzipSync('x')],
    ['gzip, gzip, gzip', gzipSync(gzipSync(gzipSync('x')))],
  ])('stays as it is where %s cannot be undone', async (encoding, body) => {
    const headers = [['Content-Encoding', encoding]] as const;
    const record = await archivedAnswer({ url: 'https://example.org/', body, answer: { headers } });
    const { kind, bytes } = await decodedPayload(record);
    expect(kind).toBe('coded');
    expect(Buffer.from(bytes).equals(body)).toBe(true);
  });

  it.each([
    ['gzip', gzipSync(long).subarray(0, -1000)],
    ['deflate', deflateSync(long).subarray(0, -1000)],
    ['br', brotliCompressSync(long).subarray(0, -1000)],
    ['gzip, br', brotliCompressSync(gzipSync(long)).subarray(0, -1000)],
  ])('is decoded as far as it came where %s breaks off', async (encoding, body) => {
    const headers = [['Content-Encoding', encoding]] as const;
    const record = await archivedAnswer({ url: 'https://example.org/', body, answer: { headers } });
    const { kind, bytes } = await decodedPayload(record);
    expect(kind).toBe('part');
    expect(bytes.length).toBeGreaterThan(page.length);
    expect(long.startsWith(Buffer.from(bytes).toString())).toBe(true);
  });
});

describe('a place that leads nowhere', () => {
  const unreadable = (place: ArchivedRecord): Promise<void> =>
    expect(readRecord(folder, place)).rejects.toMatchObject({ code: 'ARCHIVE_DAMAGED' });

  it.each([
    '../secret.warc.gz',
    'archive/../../secret.warc.gz',
    'archive/sub/x.warc.gz',
    '/etc/passwd',
    'archive/x.txt',
    'archive/..',
    'snapshots/x.warc.gz',
  ])('is refused: %s', async (file) => {
    await mkdir(join(folder, 'archive'));
    await writeFile(join(folder, '..', 'secret.warc.gz'), '').catch(() => {});
    await unreadable({ file, offset: 0, length: 1 });
    await rm(join(folder, '..', 'secret.warc.gz'), { force: true });
  });

  it('is refused where the file ends before it, or no record begins there', async () => {
    await archivedAnswer({ url: 'https://example.org/', body: page });
    const file = 'archive/c-test-00000.warc.gz';
    const { size } = await stat(join(folder, file));
    for (const [offset, length] of [
      [size, 1],
      [0, size + 1],
      [-1, 10],
      [3, 100],
      [0, 0],
      [Number.NaN, 5],
      [0, 50],
    ] as const)
      await unreadable({ file, offset, length });
    await unreadable({ file: 'archive/other.warc.gz', offset: 0, length: 1 });
  });

  it('is refused where the record lies about its length, or grows without end', async () => {
    await mkdir(join(folder, 'archive'));
    const lies = [
      'WARC/1.1\r\nWARC-Type: response\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nContent-Length: 9999\r\n\r\nshort',
      'WARC/1.1\r\nWARC-Type: response\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nContent-Length: -5\r\n\r\nshort',
      'WARC/1.1\r\nWARC-Type: response\r\nContent-Length: 5\r\n\r\nshort',
      'WARC/9.9\r\nWARC-Type: response\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nContent-Length: 5\r\n\r\nshort',
      'no record at all',
    ].map((text) => gzipSync(text));
    for (const [index, bytes] of lies.entries()) {
      const file = `archive/lie-${index}.warc.gz`;
      await writeFile(join(folder, file), bytes);
      await unreadable({ file, offset: 0, length: bytes.length });
    }
  });
});
