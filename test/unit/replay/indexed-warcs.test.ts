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
import { silentLog, type Log } from '../../../src/base/log.ts';
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

const gzipped = (records: readonly Buffer[]): readonly Buffer[] => records.map((each) => gzipSync(each));

/** Keeps what the log is told. */
function listeningLog(): { readonly log: Log; readonly said: readonly unknown[] } {
  const said: unknown[] = [];
  return { said, log: { ...silentLog, warn: (event: string, data: unknown) => said.push([event, data]) } };
}

/** Other bytes at the middle of a record. */
function spoilt(bytes: Buffer): Buffer {
  const middle = bytes.length >> 1;
  return Buffer.concat([bytes.subarray(0, middle), Buffer.alloc(20, 0xff), bytes.subarray(middle + 20)]);
}

describe('a damaged file', () => {
  let all: readonly Buffer[] = [];
  beforeEach(async () => {
    const pages = ['a', 'b', 'c'].map((name) => record('response', `https://example.org/${name}`, `page ${name}`));
    all = [await record('warcinfo', 'x', 'software: other'), ...(await Promise.all(pages))];
  });
  const lengthOf = (pieces: readonly Buffer[]): number => Buffer.concat(pieces).length;
  /** The paths that are answered, and what is told of the rest. */
  const found = async (
    name: string,
    pieces: readonly Buffer[],
  ): Promise<{ paths: string[]; damage: string | null; said: readonly unknown[] }> => {
    const path = join(base, name);
    await writeFile(path, Buffer.concat(pieces));
    const { log, said: lines } = listeningLog();
    await using replay = await openReplayServer(path, { port: 0 }, log);
    const said = [...lines]; // those of requests come behind
    const paths: string[] = [];
    for (const page of ['a', 'b', 'c'])
      if ((await answerOf(replay, `https://example.org/${page}`)) === `page ${page}`) paths.push(page);
    return { paths, damage: replay.damage, said };
  };

  test('is served as far as it goes where it breaks off', async () => {
    const [one, two, three = Buffer.alloc(0)] = gzipped(all);
    const whole = [one, two].filter((each) => each !== undefined);
    const { paths, damage, said } = await found('torn.warc.gz', [...whole, three.subarray(0, 40)]);
    const offset = lengthOf(whole);
    expect(paths).toEqual(['a']);
    expect(damage).toBe(`torn.warc.gz breaks off at byte ${offset}: what was recorded there is missing`);
    expect(said).toEqual([['archive breaks off', { file: join(base, 'torn.warc.gz'), offset }]]);
  });

  test.each([
    [
      'other bytes in a compressed record',
      'x.warc.gz',
      (records: readonly Buffer[]) => gzipped(records).map((each, at) => (at === 2 ? spoilt(each) : each)),
    ],
    [
      'bytes lost from a compressed record',
      'x.warc.gz',
      (records: readonly Buffer[]) => gzipped(records).map((each, at) => (at === 2 ? each.subarray(30) : each)),
    ],
    [
      'one changed byte, which a checksum shows',
      'x.warc.gz',
      (records: readonly Buffer[]) =>
        records.map((each, at) => {
          const packed = gzipSync(each, { level: 0 });
          if (at === 2) packed[packed.length - 20] = 0x21;
          return packed;
        }),
    ],
    [
      'no line of its version',
      'x.warc',
      (records: readonly Buffer[]) => records.map((each, at) => (at === 2 ? each.subarray(4) : each)),
    ],
    [
      'a length beyond its end',
      'x.warc',
      (records: readonly Buffer[]) =>
        records.map((each, at) =>
          at === 2 ? Buffer.from(each.toString('latin1').replace(/(Content-Length: )/, '$19'), 'latin1') : each,
        ),
    ],
    [
      'bytes lost from its body, so that it seems to reach into the next',
      'x.warc',
      (records: readonly Buffer[]) => records.map((each, at) => (at === 2 ? each.subarray(0, -10) : each)),
    ],
  ] as const)('gives all of its records but one with %s, and says so', async (_what, name, pack) => {
    const pieces = pack(all);
    const { paths, damage, said } = await found(name, pieces);
    const [offset, length] = [lengthOf(pieces.slice(0, 2)), pieces[2]?.length];
    expect(paths).toEqual(['a', 'c']);
    expect(damage).toBe(
      `${name} is damaged at 1 place (${length} bytes, from byte ${offset}): what was recorded there is missing`,
    );
    expect(said).toEqual([['archive is damaged', { file: join(base, name), offset, length }]]);
  });

  test('that was compressed as a whole gives the records before the place', async () => {
    const packed = gzipSync(
      Buffer.concat([...all, await record('response', 'https://example.org/d', 'x'.repeat(200_000))]),
      { level: 0 },
    );
    const { paths, damage } = await found('whole.warc.gz', [packed.subarray(0, -1000)]);
    expect(paths).toEqual(['a', 'b', 'c']);
    expect(damage).toMatch(/^whole\.warc\.gz breaks off at byte [\d,]+:/);
  });

  test('may have its records packed in several members, and members without one', async () => {
    const split = all.flatMap((each) => {
      const body = each.indexOf('\r\n\r\n') + 4;
      return gzipped([each.subarray(0, body), each.subarray(body)]);
    });
    const { paths, damage } = await found('split.warc.gz', [gzipSync(''), ...split, gzipSync('')]);
    expect([paths, damage]).toEqual([['a', 'b', 'c'], null]);
  });
});

test.each([
  ['a later version', 'WARC/1.1', 'WARC/1.2'],
  ['a value in two lines', 'WARC-Target-URI: ', 'WARC-Target-URI:\r\n  '],
  ['a blank behind a name', 'WARC-Type:', 'WARC-Type :'],
  ['a time of 14 digits', '2026-01-02T03:04:05Z', '20260102030405'],
  ['a scheme in capitals', 'https://', 'HTTPS://'],
])('a record with %s is served', async (_what, usual, other) => {
  const bytes = (await record('response', START, 'the page')).toString('latin1');
  const written = bytes.replace(usual, other);
  expect(written).not.toBe(bytes);
  const path = join(base, 'other.warc');
  await writeFile(path, written, 'latin1');
  await using replay = await openReplayServer(path, { port: 0 }, silentLog);
  expect(replay.damage).toBeNull();
  expect(replay.seeds).toEqual([`${replay.origins.get('https://example.org')}/`]);
  expect(await answerOf(replay, START)).toBe('the page');
});

describe('an answer', () => {
  const served = async (block: string): Promise<string> => {
    const fields = [
      ...['WARC/1.0', 'WARC-Type: response', `WARC-Target-URI: ${START}`, 'WARC-Date: 2026-01-02T03:04:05Z'],
      ...['Content-Type: application/http; msgtype=response', `Content-Length: ${block.length}`],
    ];
    const path = join(base, 'other.warc');
    await writeFile(path, `${fields.join('\r\n')}\r\n\r\n${block}\r\n\r\n`, 'latin1');
    await using replay = await openReplayServer(path, { port: 0 }, silentLog);
    return await answerOf(replay, START);
  };

  test.each([
    ['small letters and bare line feeds', 'http/1.1 200 ok\ncontent-type: text/html\n\n'],
    ['several blanks in its status line', 'HTTP/1.1  200\tOK\r\nContent-Type: text/html\r\n\r\n'],
    ['no status line, as HTTP/0.9 has none', ''],
  ])('with %s is served', async (_what, head) => {
    expect(await served(`${head}<title>Old</title>\n\n<p>A: b`)).toBe('<title>Old</title>\n\n<p>A: b');
  });

  test('with the status line of another protocol is none', async () => {
    const said = await served('ICY 200 OK\r\nContent-Type: text/html\r\n\r\nsound');
    expect(said).toContain('was not recorded');
  });
});

test.each([
  [
    'ARC',
    'old.arc.gz',
    'is an ARC file, the format before WARC, which is not read\nConvert it: warcio recompress old.arc.gz old.warc.gz',
  ],
  ['zstd', 'old.warc.zst', 'is compressed by zstd, which is not read\nUnpack it: zstd -d old.warc.zst'],
])('an %s file is refused with the way to convert it, and left out beside WARC files', async (kind, name, why) => {
  const old = join(base, name);
  await writeFile(old, 'packed');
  for (const path of [old, base]) {
    expect(await isRecordedCrawl(path)).toBe(true);
    await expect(openReplayServer(path, { port: 0 }, silentLog)).rejects.toMatchObject({
      code: 'NOT_STORED',
      message: expect.stringContaining(`${old} ${why}`),
    });
  }
  await writeFile(join(base, 'new.warc'), await record('response', START, 'the page'));
  const { log, said } = listeningLog();
  await using replay = await openReplayServer(base, { port: 0 }, log);
  expect(said).toContainEqual([`${kind} file is not read`, { file: old }]);
  expect(await answerOf(replay, START)).toBe('the page');
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
