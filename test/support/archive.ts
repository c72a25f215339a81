/** Archives in tests: exchanges that bypass the gate, and an independent reader (warcio). */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { CDXIndexer, WARCParser } from 'warcio';
import { expect } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { epochMs } from '../../src/base/units.ts';
import type { ExchangeRecorder, WireAnswer, WireEnd, WireHeaders } from '../../src/model/exchange.ts';
import { openArchive, type ArchiveOptions, type OpenArchive } from '../../src/warc/warc-archive.ts';

export const INFO = { crawl: 'c-test', software: 'orbweaver/0.0.0', userAgent: 'Test/1', robots: true } as const;

export function openTestArchive(folder: string, options: Partial<ArchiveOptions> = {}): Promise<OpenArchive> {
  return openArchive(folder, { info: INFO, clock: systemClock, secretHeaders: [], ...options });
}

export interface TestExchange {
  readonly url: string;
  readonly method?: string;
  readonly asked?: WireHeaders;
  readonly requestBody?: Uint8Array | string;
  readonly startedAt?: number;
  readonly answer?: Partial<WireAnswer>;
  readonly body?: Uint8Array | string;
  readonly end?: WireEnd;
}

export const ANSWER: WireAnswer = {
  httpVersion: '1.1',
  status: 200,
  statusText: 'OK',
  headers: [['Content-Type', 'text/html; charset=utf-8']],
  address: '127.0.0.1',
};

/** Records an exchange from its first byte to its last. */
export function pass(recorder: ExchangeRecorder, exchange: TestExchange): void {
  const { url, method = 'GET', asked = [], requestBody, answer = {}, body = '', end = 'complete' } = exchange;
  const recording = recorder.begin({
    url,
    method,
    headers: [['Host', new URL(url).host], ...asked],
    startedAt: epochMs(exchange.startedAt ?? Date.parse('2026-01-02T03:04:05.678Z')),
  });
  if (requestBody !== undefined) recording?.requestBody(Buffer.from(requestBody));
  recording?.answered({ ...ANSWER, ...answer });
  const bytes = Buffer.from(body);
  for (let at = 0; at < bytes.length; at += 60_000) recording?.body(bytes.subarray(at, at + 60_000));
  recording?.end(end);
}

/** A record as an independent reader sees it. */
export interface OtherRecord {
  readonly file: string;
  readonly offset: number;
  readonly length: number;
  readonly type: string;
  readonly uri: string | null;
  readonly warc: Readonly<Record<string, string>>;
  readonly statusLine: string | null;
  readonly http: Readonly<Record<string, string>>;
  /** The bytes as stored. */
  readonly payload: Buffer;
}

export async function archiveNames(crawlFolder: string): Promise<readonly string[]> {
  return (await readdir(join(crawlFolder, 'archive'))).toSorted();
}

export async function warcFiles(crawlFolder: string): Promise<readonly string[]> {
  return (await archiveNames(crawlFolder)).filter((name) => name.endsWith('.warc.gz'));
}

/** All records of all completed files, in order. */
export async function readArchive(crawlFolder: string): Promise<readonly OtherRecord[]> {
  const records: OtherRecord[] = [];
  for (const file of await warcFiles(crawlFolder)) {
    const parser = new WARCParser([await readFile(join(crawlFolder, 'archive', file))]);
    for await (const record of parser) {
      const payload = await record.readFully(false);
      const { offset, recordLength } = parser;
      records.push({
        file,
        offset,
        length: recordLength,
        type: record.warcType ?? '',
        uri: record.warcTargetURI ?? null,
        warc: Object.fromEntries(record.warcHeaders.headers),
        statusLine: record.httpHeaders?.statusline ?? null,
        http: record.httpHeaders === null ? {} : Object.fromEntries(record.httpHeaders.headers),
        payload: Buffer.from(payload),
      });
    }
  }
  return records;
}

/** A decompressed record, without the independent reader: its own head, and its block. */
export async function recordBytes(
  crawlFolder: string,
  { file, offset, length }: Pick<OtherRecord, 'file' | 'offset' | 'length'>,
): Promise<{ readonly head: string; readonly block: Buffer }> {
  const all = await readFile(join(crawlFolder, 'archive', file));
  const bytes = gunzipSync(all.subarray(offset, offset + length));
  const end = bytes.indexOf('\r\n\r\n') + 4;
  return { head: bytes.toString('utf8', 0, end), block: bytes.subarray(end, -4) };
}

/** The lines of the index without the label of digests, which the independent reader omits. */
export async function ownIndex(crawlFolder: string): Promise<readonly string[]> {
  const text = await readFile(join(crawlFolder, 'archive', 'index.cdxj'), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.replace('"digest":"sha256:', '"digest":"'));
}

/** Sorted lines of the index made by the independent reader. */
export async function otherIndex(crawlFolder: string): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const filename of await warcFiles(crawlFolder)) {
    const indexer = new CDXIndexer({ format: 'cdxj' });
    const reader = Readable.from([await readFile(join(crawlFolder, 'archive', filename))]);
    for await (const result of indexer.iterIndex([{ filename, reader }])) lines.push(indexer.serialize(result).trim());
  }
  // for records other than HTTP it keeps the parameters of the media type
  return lines.map((line) => line.replace(/("mime":"[^";]*);[^"]*"/, '$1"')).toSorted();
}

export const sha256 = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

/** Expects the digests of records to equal those that this test computes itself. */
export async function expectDigests(folder: string, records: readonly OtherRecord[]): Promise<void> {
  for (const record of records) {
    const { head, block } = await recordBytes(folder, record);
    expect(record.warc['warc-block-digest'], head).toBe(sha256(block));
    const payload = record.warc['warc-payload-digest'];
    if (record.type === 'response' || record.type === 'resource') expect(payload, head).toBe(sha256(record.payload));
  }
}
