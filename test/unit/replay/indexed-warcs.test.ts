/** WARC files that others wrote, without an index. The writer is warcio. */
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { get, request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { crc32, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WARCRecord, WARCSerializer } from 'warcio';
import { silentLog } from '../../../src/base/log.ts';
import { isRecordedCrawl, openReplayServer, type ReplayServer } from '../../../src/replay/open-replay-server.ts';

let base = '';
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'orbweaver-warcs-test-'));
});
afterEach(() => rm(base, { recursive: true, force: true }));

type Kind = 'warcinfo' | 'request' | 'response' | 'metadata';

async function record(type: Kind, url: string, content: string, head = 'GET / HTTP/1.1'): Promise<Buffer> {
  const isHttp = type === 'request' || type === 'response';
  const made = WARCRecord.create(
    {
      ...{ type, url, date: '2026-01-02T03:04:05Z', warcVersion: 'WARC/1.1' },
      httpHeaders: type === 'request' ? { 'Content-Type': 'application/json' } : { 'Content-Type': 'text/html' },
      ...(isHttp ? { statusline: type === 'response' ? 'HTTP/1.1 200 OK' : head } : {}),
    },
    (async function* () {
      yield new TextEncoder().encode(content);
    })(),
  );
  return Buffer.from(await WARCSerializer.serialize(made, { gzip: false }));
}

const START = 'https://example.org/';
const API = 'https://example.org/api';

/** An archive of a page, another, and two answers of one address that differ by what was sent. */
async function recordsOf(order: 'answer first' | 'request first'): Promise<readonly Buffer[]> {
  const pair = async (url: string, answer: string, sent?: string): Promise<readonly Buffer[]> => {
    const head = sent === undefined ? 'GET / HTTP/1.1' : 'POST /api HTTP/1.1';
    const both = [await record('response', url, answer), await record('request', url, sent ?? '', head)];
    return order === 'answer first' ? both : both.toReversed();
  };
  return [
    await record('warcinfo', 'file.warc.gz', 'software: other'),
    ...(await pair(START, '<a href=https://example.org/b>b</a>')),
    ...(await pair('https://example.org/b', 'the second page')),
    await record('metadata', 'https://example.org/b', 'hops: L'),
    ...(await pair(API, 'one', '{"operation":"one"}')),
    ...(await pair(API, 'two', '{"operation":"two"}')),
  ];
}

/** A gzip member with a name, an extra field and a checksum in its head (RFC 1952). */
function withLongHead(bytes: Buffer): Buffer {
  const packed = gzipSync(bytes);
  const extra = Buffer.from([4, 0, 0x73, 0x6c, 0, 0]);
  const head = Buffer.from([0x1f, 0x8b, 8, 4 | 8 | 2, 0, 0, 0, 0, 0, 3]);
  const named = Buffer.concat([head, extra, Buffer.from('name.warc\0')]);
  const check = Buffer.alloc(2);
  check.writeUInt16LE(crc32(named) & 0xffff);
  return Buffer.concat([named, check, packed.subarray(10)]);
}

const LAYOUTS: readonly (readonly [what: string, name: string, pack: (records: readonly Buffer[]) => Buffer])[] = [
  ['each compressed', 'a.warc.gz', (records) => Buffer.concat(records.map((each) => gzipSync(each)))],
  ['each compressed, with names', 'a.warc.gz', (records) => Buffer.concat(records.map(withLongHead))],
  ['not compressed', 'a.warc', (records) => Buffer.concat(records)],
  ['compressed together', 'a.warc.gz', (records) => gzipSync(Buffer.concat(records))],
  ['with a name in capitals', 'A.WARC.GZ', (records) => Buffer.concat(records.map((each) => gzipSync(each)))],
];

async function answerOf(replay: ReplayServer, url: string, sent?: string): Promise<string> {
  const { host, pathname } = new URL(replay.origins.get(new URL(url).origin) + new URL(url).pathname);
  const headers = { host, 'content-type': 'application/json' };
  const asked = { host: '127.0.0.1', port: replay.port, path: pathname, agent: false, headers };
  const sending = sent === undefined ? get(asked) : request({ ...asked, method: 'POST' });
  sending.end(sent);
  const [answer] = (await once(sending, 'response')) as [IncomingMessage];
  return text(answer);
}

describe.each(['answer first', 'request first'] as const)('records in the order: %s', (order) => {
  test.each(LAYOUTS)('are served from a file whose records are %s', async (_what, name, pack) => {
    const path = join(base, name);
    await writeFile(path, pack(await recordsOf(order)));
    expect(await isRecordedCrawl(path)).toBe(true);
    await using replay = await openReplayServer(path, { port: 0 }, silentLog);
    const origin = replay.origins.get('https://example.org') ?? '';
    expect(replay.seeds).toEqual([`${origin}/`, `${origin}/b`]);
    expect(await answerOf(replay, START)).toBe(`<a href=${origin}/b>b</a>`);
    expect(await answerOf(replay, 'https://example.org/b')).toBe('the second page');
    expect(await answerOf(replay, API, '{"operation":"one"}')).toBe('one');
    expect(await answerOf(replay, API, '{"operation":"two"}')).toBe('two');
    expect(await readdir(base)).toEqual([name]);
  });
});

test('a folder of WARC files is one archive, whatever else lies there; a site with WARC files to download is none', async () => {
  const records = await recordsOf('answer first');
  await writeFile(join(base, '1.warc.gz'), gzipSync(records[1] ?? ''));
  await writeFile(join(base, '2.warc'), records[3] ?? '');
  await writeFile(join(base, 'crawl.log'), '');
  await mkdir(join(base, 'more'));
  await using replay = await openReplayServer(base, { port: 0 }, silentLog);
  expect(await answerOf(replay, 'https://example.org/b')).toBe('the second page');
  expect(replay.seeds).toHaveLength(2);
  await writeFile(join(base, 'index.html'), '');
  expect(await isRecordedCrawl(base)).toBe(false);
});

test('a file that breaks off is served as far as it goes, and the log says where', async () => {
  const [first = Buffer.alloc(0), second = Buffer.alloc(0), third = Buffer.alloc(0)] = await recordsOf('answer first');
  const whole = [first, second].map((each) => gzipSync(each));
  const path = join(base, 'torn.warc.gz');
  await writeFile(path, Buffer.concat([...whole, gzipSync(third).subarray(0, 40)]));
  const said: unknown[] = [];
  const log = { ...silentLog, warn: (event: string, data: unknown) => said.push([event, data]) };
  await using replay = await openReplayServer(path, { port: 0 }, log);
  expect(replay.seeds).toHaveLength(1);
  expect(said).toEqual([['archive breaks off', { file: path, offset: Buffer.concat(whole).length }]]);
});

test('a file without records is refused, and nothing stays on the disk', async () => {
  const before = (await readdir(tmpdir())).filter((name) => name.startsWith('orbweaver-warc-'));
  for (const [name, content] of [
    ['text.warc', Buffer.from('no archive')],
    ['empty.warc.gz', Buffer.alloc(0)],
    ['other.warc.gz', gzipSync('no archive')],
  ] as const) {
    await writeFile(join(base, name), content);
    await expect(openReplayServer(join(base, name), { port: 0 }, silentLog)).rejects.toMatchObject({
      code: 'NOT_STORED',
      message: expect.stringContaining('holds no record that can be read\nGive WARC files (ISO 28500)'),
    });
  }
  expect((await readdir(tmpdir())).filter((name) => name.startsWith('orbweaver-warc-'))).toEqual(before);
});

test('a file that unpacks to far more than records do is refused', async () => {
  const records = Buffer.concat([...(await recordsOf('answer first')), Buffer.alloc(4_000_000)]);
  const path = join(base, 'bomb.warc.gz');
  await writeFile(path, gzipSync(records));
  await expect(openReplayServer(path, { port: 0 }, silentLog)).rejects.toThrow(/unpacks to more than \d+ bytes/);
});
