import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { RecordedAnswers } from '../../../src/replay/recorded-answers.ts';
import { temporaryFolder } from '../../support/redis.ts';

/** A record as another tool wrote it, and its line of the index. */
interface Foreign {
  readonly type?: string;
  readonly url: string;
  readonly fields?: readonly string[];
  readonly block: string | Buffer;
  readonly version?: string;
  readonly line?: Readonly<Record<string, unknown>>;
  /** Writes numbers where most tools write strings. */
  readonly numbers?: boolean;
  /** Time in the index. */
  readonly time?: string;
}

function bytesOf({ type = 'response', url, fields = [], block, version = 'WARC/1.0' }: Foreign): Buffer {
  const head = [
    version,
    `WARC-Type: ${type}`,
    `WARC-Target-URI: ${url}`,
    'WARC-Date: 2020-10-07T21:22:36Z',
    ...fields,
    `Content-Length: ${Buffer.byteLength(block)}`,
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), Buffer.from(block), Buffer.from('\r\n\r\n')]);
}

async function storeForeign(folder: string, records: readonly Foreign[], name = 'data.warc.gz'): Promise<void> {
  const members: Buffer[] = [];
  const lines: string[] = [];
  let offset = 0;
  for (const record of records) {
    const bytes = name.endsWith('.gz') ? gzipSync(bytesOf(record)) : bytesOf(record);
    const fields = { url: record.url, mime: 'text/html', status: '200', ...record.line };
    const written = (value: number): number | string => (record.numbers === true ? value : String(value));
    const place = { length: written(bytes.length), offset: written(offset), filename: name };
    lines.push(`key ${record.time ?? '20201007212236'} ${JSON.stringify({ ...fields, ...place })}\n`);
    members.push(bytes);
    offset += bytes.length;
  }
  await mkdir(join(folder, 'archive'));
  await writeFile(join(folder, 'archive', name), Buffer.concat(members));
  // as `LC_ALL=C sort` does it, by the fields where the times are the same
  await writeFile(join(folder, 'archive', 'index.cdxj'), lines.toSorted().join(''));
}

interface Asked {
  readonly url?: string;
  readonly range?: string;
}

/** Status, type and body of the answer to a GET; null where there is none. */
async function answerOf(
  records: readonly Foreign[],
  { url = 'https://example.org/', range = '' }: Asked = {},
  name?: string,
): Promise<readonly [number, string, string] | null> {
  await using folder = await temporaryFolder();
  await storeForeign(folder.path, records, name);
  const answers = await RecordedAnswers.open(folder.path);
  const found = await answers.find({ method: 'GET', url, body: Buffer.of(), contentType: '', range });
  if (found === null) return null;
  const type = found.headers.find(([header]) => header === 'content-type')?.[1] ?? '';
  return [found.status, type, Buffer.from(found.body).toString()];
}

const url = 'https://example.org/';
const http = (body: string, head = 'Content-Type: text/html\r\n', status = '200 OK'): string =>
  `HTTP/1.1 ${status}\r\n${head}\r\n${body}`;
const REVISIT = ['WARC-Profile: http://netpreserve.org/warc/1.0/revisit/identical-payload-digest'];

describe('an answer that another tool recorded', () => {
  test.each<[string, Foreign]>([
    ['of a draft of the format', { url, block: http('page'), version: 'WARC/0.18' }],
    ['with its place in numbers', { url, block: http('page'), line: { status: 200 }, numbers: true }],
    ['with a head whose lines end by a line feed', { url, block: http('page').replaceAll('\r', '') }],
    ['with a head of which only some lines end so', { url, block: http('page').replace('html\r\n\r\n', 'html\n\n') }],
    ['with a status line alone that ends so', { url, block: http('page').replace('OK\r\n', 'OK\n') }],
    ['without a status in the index', { url, block: http('page'), line: { status: '-' } }],
    ['under an address without its path', { url: 'https://example.org', block: http('page') }],
    ['of which the index has no type', { url, block: http('page'), line: { mime: undefined } }],
  ])('%s is found', async (_what, record) => {
    expect(await answerOf([record])).toEqual([200, 'text/html', 'page']);
  });

  test('is found with a status that no standard has', async () => {
    const refused = { url, block: http('denied', undefined, '999 Request denied'), line: { status: '999' } };
    expect(await answerOf([refused])).toEqual([999, 'text/html', 'denied']);
  });

  test('is found in a file that is not compressed', async () => {
    expect(await answerOf([{ url, block: http('page') }], {}, 'data.warc')).toEqual([200, 'text/html', 'page']);
  });

  test.each([
    ['4\r\npage\r\n0\r\n\r\n', 'page'],
    ['2;a=b\r\npa\r\n2\r\nge\r\n0\r\nTrailer: x\r\n\r\n', 'page'],
    ['4\r\npage\r\nff\r\nbreaks', 'pagebreaks'],
    ['page', 'page'],
    ['beef\r\nis no chunk', 'is no chunk'],
    ['2\r\npage', '2\r\npage'],
    ['', ''],
  ])('comes without the chunks that were kept: %j', async (body, content) => {
    const block = http(body, 'Content-Type: text/html\r\nTransfer-Encoding: chunked\r\n');
    expect(await answerOf([{ url, block }])).toEqual([200, 'text/html', content]);
  });

  const packed = gzipSync('<p>page'.repeat(9));
  test.each<[string, Buffer, string | null]>([
    ['gzip', Buffer.from('<p>größe'), null],
    ['x-gzip', Buffer.from('<p>größe', 'latin1'), null],
    ['br', Buffer.from('<p>größe'), null],
    ['deflate', Buffer.from('{"a":"größe"}'), null],
    ['zstd', Buffer.from('<p>page'), null],
    ['gzip, br', packed, 'gzip, br'],
    ['gzip', packed.subarray(0, 9), 'gzip'],
    ['zstd', Buffer.from('28b52ffd2000', 'hex'), 'zstd'],
  ])(
    'has the coding %s only where that may be so: some recorders undo it and keep its header',
    async (name, body, coding) => {
      await using folder = await temporaryFolder();
      const head = Buffer.from(`HTTP/1.1 200 OK\r\nContent-Encoding: ${name}\r\n\r\n`);
      await storeForeign(folder.path, [{ url, block: Buffer.concat([head, body]) }]);
      const answers = await RecordedAnswers.open(folder.path);
      const found = await answers.find({ method: 'GET', url, body: Buffer.of(), contentType: '' });
      expect(found?.coding).toBe(coding);
      expect(Buffer.from(found?.body ?? []).toString('latin1')).toBe(body.toString('latin1'));
    },
  );

  test('is that of the canonical address, by which the crawl visited it, where its own was not recorded', async () => {
    const records = ['list?page=2', 'list?page=2&utm_source=b'].map((path) => ({ url: url + path, block: http(path) }));
    const bodyAt = async (path: string) => (await answerOf(records, { url: url + path }))?.[2];
    expect(await bodyAt('list?page=2&utm_source=a')).toBe('list?page=2');
    expect(await bodyAt('list?page=2&utm_source=b')).toBe('list?page=2&utm_source=b');
    expect(await bodyAt('list?page=3&utm_source=a')).toBeUndefined();
  });

  test('is a resource as well: a file that was put into an archive', async () => {
    const resource = { type: 'resource', url, fields: ['Content-Type: image/svg+xml'], block: '<svg/>' };
    expect(await answerOf([resource])).toEqual([200, 'image/svg+xml', '<svg/>']);
  });

  test('is a page to begin at where a page was put into an archive, as warcit does with whole folders', async () => {
    await using folder = await temporaryFolder();
    const page = { type: 'resource', url, fields: ['Content-Type: text/html'], block: '<p>page' };
    const failed = { url: `${url}gone`, block: http('none', '', '404 Not Found'), line: { status: '404' } };
    await storeForeign(folder.path, [{ ...page, line: { status: '-' } }, failed]);
    expect((await RecordedAnswers.open(folder.path)).firstPages).toEqual([url]);
  });

  test('is not what another record says about it', async () => {
    const metadata = { type: 'metadata', url, block: 'fetchTimeMs: 5\r\n\r\n', line: { status: undefined } };
    const dead = { url, block: http('', '', '0 ') };
    expect(await answerOf([{ url, block: http('page') }, metadata, dead])).toEqual([200, 'text/html', 'page']);
    expect(await answerOf([metadata])).toBeNull();
  });

  const first: Foreign = { url: `${url}first`, block: http('page'), line: { digest: 'sha1:ABC' } };
  test.each<[string, Foreign]>([
    [
      'its digest',
      { url, type: 'revisit', fields: REVISIT, block: http(''), line: { mime: 'warc/revisit', digest: 'ABC' } },
    ],
    [
      'the digest of its record alone',
      { url, type: 'revisit', fields: [...REVISIT, 'WARC-Payload-Digest: sha1:abc'], block: http('') },
    ],
    [
      'the address that it names',
      {
        url,
        type: 'revisit',
        fields: [...REVISIT, `WARC-Refers-To-Target-URI: <${url}first>`, 'WARC-Refers-To-Date: 2020-10-07T21:22:36Z'],
        block: http(''),
        line: { mime: 'warc/revisit' },
      },
    ],
  ])('that is a revisit has its payload by %s', async (_what, revisit) => {
    expect(await answerOf([first, revisit])).toEqual([200, 'text/html', 'page']);
  });

  test('that is a revisit without a head is the one that it repeats', async () => {
    const gone = { ...first, block: http('gone', 'Content-Type: text/html\r\n', '404 Not Found') };
    const revisit = {
      url,
      type: 'revisit',
      fields: [...REVISIT, 'WARC-Payload-Digest: sha1:ABC'],
      block: '',
      line: { mime: 'warc/revisit', status: undefined, digest: 'ABC' },
    };
    expect(await answerOf([first, revisit])).toEqual([200, 'text/html', 'page']);
    expect(await answerOf([gone, revisit])).toEqual([404, 'text/html', 'gone']);
    expect(await answerOf([revisit])).toBeNull();
    // all empty payloads have one digest
    const moved = { ...first, block: http('', 'Location: /elsewhere\r\n', '302 Found') };
    expect(await answerOf([moved, revisit])).toBeNull();
    const before = { ...moved, url, block: http('', 'Content-Type: text/a\r\n', '302 Found') };
    const names = [`WARC-Refers-To-Target-URI: ${url}`, 'WARC-Refers-To-Date: 2020-10-07T21:22:36Z'];
    const named = { ...revisit, fields: [...revisit.fields, ...names] };
    expect(await answerOf([before, moved, named])).toEqual([302, 'text/a', '']);
  });

  test('that is a revisit without its payload is none, and not an empty page', async () => {
    const revisit = {
      url,
      type: 'revisit',
      fields: REVISIT,
      block: http(''),
      line: { mime: 'warc/revisit', digest: 'X' },
    };
    expect(await answerOf([revisit])).toBeNull();
    expect(await answerOf([{ url, block: http('older') }, revisit])).toEqual([200, 'text/html', 'older']);
  });

  const waiting: Foreign = { url, block: http('waiting') };
  const done: Foreign = { url, block: http('done') };
  test.each<[string, readonly Foreign[]]>([
    ['a redirect that sets a cookie', [{ url, block: http('', '', '302 Found'), line: { status: '302' } }, done]],
    [
      'one whose digest is greater',
      [
        { ...waiting, line: { digest: 'B' } },
        { ...done, line: { digest: 'A' } },
      ],
    ],
    ['one whose place is of more digits', [...Array<Foreign>(9).fill(waiting), done]],
    [
      'one that stands behind it in the file',
      [
        { ...done, time: '20201007212236900' },
        { ...waiting, time: '20201007212236100' },
      ],
    ],
  ])('is the last of its second: after %s', async (_what, records) => {
    expect((await answerOf(records))?.[2]).toBe('done');
  });

  test('is the last in time, whichever index names it', async () => {
    await using folder = await temporaryFolder();
    await storeForeign(folder.path, [{ ...done, time: '20201007212237' }]);
    const place = { length: '1', offset: '0', filename: 'other.warc.gz' };
    const worker = `000 key 20201007212236 ${JSON.stringify({ url, ...place })}\n`;
    await writeFile(join(folder.path, 'archive', 'index-w-0123abcd.cdxj.open'), worker);
    const answers = await RecordedAnswers.open(folder.path);
    const found = await answers.find({ method: 'GET', url, body: Buffer.of(), contentType: '' });
    expect(Buffer.from(found?.body ?? []).toString()).toBe('done');
  });

  // cdxj-indexer gives a method to POST and PUT alone, so these stand in the index as answers to GET
  const preflight: Foreign = {
    url,
    block: http('', 'Access-Control-Allow-Methods: GET, PUT\r\n', '204 No Content'),
    line: { status: '204', mime: undefined },
  };
  const head: Foreign = { url, block: http('', 'Content-Type: text/html\r\nContent-Length: 4\r\n') };
  test.each<[string, Foreign]>([
    ['a preflight request', preflight],
    ['a HEAD request', head],
  ])('is not the one to %s, unless there is no other', async (_what, other) => {
    expect(await answerOf([{ url, block: http('page') }, other])).toEqual([200, 'text/html', 'page']);
    expect(await answerOf([other])).toEqual([Number(other.line?.['status'] ?? 200), expect.anything(), '']);
    const empty = { url, block: http('', 'Content-Type: text/html\r\nContent-Length: 0\r\n') };
    expect(await answerOf([{ url, block: http('older') }, empty])).toEqual([200, 'text/html', '']);
  });

  test('to a form is found by what was sent, however the index writes it', async () => {
    const form = (query: string, requestBody: string): Foreign => ({
      url,
      block: http(query),
      line: { method: 'POST', requestBody },
    });
    await using folder = await temporaryFolder();
    const records = [form('one', 'q=größe & ähnlich'), form('two', 'q=a+b'), form('bad', 'q=%zz')];
    await storeForeign(folder.path, records);
    const answers = await RecordedAnswers.open(folder.path);
    const sent = async (text: string): Promise<string> => {
      const contentType = 'application/x-www-form-urlencoded';
      const found = await answers.find({ method: 'POST', url, body: Buffer.from(text), contentType });
      return Buffer.from(found?.body ?? []).toString();
    };
    expect(await sent('q=gr%C3%B6%C3%9Fe+%26+%C3%A4hnlich')).toBe('one');
    expect(await sent('q=a%20b')).toBe('two');
    expect(await sent('q=%zz')).toBe('bad');
    expect(await sent('q=unknown')).toBe('bad');
  });

  const part = (start: number, body: string): Foreign => ({
    url,
    block: http(
      body,
      `Content-Type: video/mp4\r\nContent-Range: bytes ${start}-${start + body.length - 1}/9\r\n`,
      '206 Partial Content',
    ),
    line: { status: '206' },
  });
  test('that is a part serves a request for it, and no other where there is more', async () => {
    const records = [{ url, block: http('012345678') }, part(0, '01'), part(4, '45')];
    expect(await answerOf(records)).toEqual([200, 'text/html', '012345678']);
    expect(await answerOf(records, { range: 'bytes=4-' })).toEqual([206, 'video/mp4', '45']);
    expect(await answerOf(records, { range: 'bytes=0-' })).toEqual([206, 'video/mp4', '01']);
    expect(await answerOf(records, { range: 'bytes=7-' })).toEqual([200, 'text/html', '012345678']);
    expect(await answerOf([part(4, '45')])).toBeNull();
    expect(await answerOf([part(0, '01'), part(4, '45')])).toEqual([206, 'video/mp4', '01']);
  });
});
