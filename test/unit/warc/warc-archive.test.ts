import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bytes, epochMs, kibibytes } from '../../../src/base/units.ts';
import type { WireEnd } from '../../../src/model/exchange.ts';
import {
  archiveNames,
  openTestArchive,
  otherIndex,
  ownIndex,
  ANSWER,
  pass,
  readArchive,
  recordBytes,
  type OtherRecord,
  type TestExchange,
} from '../../support/archive.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'orbweaver-warc-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const sha = (content: Uint8Array | string): string => `sha256:${createHash('sha256').update(content).digest('hex')}`;
const archiveTime = epochMs(1_767_323_045_678);
const never = new AbortController().signal;

/** Archives exchanges and reads them back. */
async function archived(
  exchanges: readonly TestExchange[],
  options: Parameters<typeof openTestArchive>[1] = {},
): Promise<readonly OtherRecord[]> {
  const archive = await openTestArchive(folder, options);
  for (const exchange of exchanges) pass(archive, exchange);
  await archive.seal();
  return (await readArchive(folder)).filter(({ type }) => type !== 'warcinfo');
}

/** A record as written, without its random ids. */
async function textOf(record: OtherRecord | undefined): Promise<string> {
  if (record === undefined) throw new Error('no record');
  const { head, block } = await recordBytes(folder, record);
  return `${head}${block.toString('latin1')}`.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID').replaceAll('\r\n', '\n');
}

describe('a record', () => {
  it('is an answer with its head and its body, and the request beside it', async () => {
    const body = '<!doctype html><p>Hello</p>';
    const [answer, request] = await archived([
      { url: 'https://example.org/a?b=1', asked: [['Accept', 'text/html']], body },
    ]);
    const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n';
    expect(await textOf(answer)).toBe(
      [
        'WARC/1.1',
        'WARC-Type: response',
        'WARC-Record-ID: <urn:uuid:ID>',
        'WARC-Date: 2026-01-02T03:04:05.678Z',
        'WARC-Target-URI: https://example.org/a?b=1',
        'WARC-IP-Address: 127.0.0.1',
        `WARC-Payload-Digest: ${sha(body)}`,
        `WARC-Block-Digest: ${sha(head + body)}`,
        'Content-Type: application/http; msgtype=response',
        'Content-Length: 86',
        '',
        'HTTP/1.1 200 OK',
        'Content-Type: text/html; charset=utf-8',
        '',
        body,
      ].join('\n'),
    );
    const asked = 'GET /a?b=1 HTTP/1.1\r\nHost: example.org\r\nAccept: text/html\r\n\r\n';
    expect(await textOf(request)).toBe(
      [
        'WARC/1.1',
        'WARC-Type: request',
        'WARC-Record-ID: <urn:uuid:ID>',
        'WARC-Date: 2026-01-02T03:04:05.678Z',
        'WARC-Target-URI: https://example.org/a?b=1',
        'WARC-Concurrent-To: <urn:uuid:ID>',
        'WARC-IP-Address: 127.0.0.1',
        `WARC-Block-Digest: ${sha(asked)}`,
        'Content-Type: application/http; msgtype=request',
        'Content-Length: 61',
        '',
        'GET /a?b=1 HTTP/1.1',
        'Host: example.org',
        'Accept: text/html',
        '',
        '',
      ].join('\n'),
    );
  });

  it('refers to an earlier one where its payload is the same', async () => {
    const body = 'x'.repeat(600);
    const records = await archived([
      { url: 'https://example.org/1', body },
      { url: 'https://example.org/2', body, startedAt: Date.parse('2026-01-02T03:04:06Z') },
    ]);
    const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n';
    expect(await textOf(records[2])).toBe(
      [
        'WARC/1.1',
        'WARC-Type: revisit',
        'WARC-Record-ID: <urn:uuid:ID>',
        'WARC-Date: 2026-01-02T03:04:06.000Z',
        'WARC-Target-URI: https://example.org/2',
        'WARC-IP-Address: 127.0.0.1',
        'WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest',
        'WARC-Refers-To-Target-URI: https://example.org/1',
        'WARC-Refers-To-Date: 2026-01-02T03:04:05.678Z',
        `WARC-Payload-Digest: ${sha(body)}`,
        `WARC-Block-Digest: ${sha(head)}`,
        'Content-Type: application/http; msgtype=response',
        'Content-Length: 59',
        '',
        'HTTP/1.1 200 OK',
        'Content-Type: text/html; charset=utf-8',
        '',
        '',
      ].join('\n'),
    );
  });

  it('is stored whole where the payload is short, cut, or of another status', async () => {
    const long = 'x'.repeat(600);
    const records = await archived([
      { url: 'https://example.org/1', body: 'short' },
      { url: 'https://example.org/2', body: 'short' },
      { url: 'https://example.org/3', body: long, end: 'disconnect' },
      { url: 'https://example.org/4', body: long },
      { url: 'https://example.org/5', body: long, answer: { status: 404, statusText: 'Not Found' } },
    ]);
    expect(records.map(({ type }) => type)).toEqual(Array(5).fill(['response', 'request']).flat());
  });

  it('says of a 304 which answer still holds', async () => {
    const records = await archived([
      { url: 'https://example.org/a', body: 'first' },
      { url: 'https://example.org/a', answer: { status: 304, statusText: 'Not Modified', headers: [] } },
      { url: 'https://example.org/b', answer: { status: 304, statusText: 'Not Modified', headers: [] } },
    ]);
    const profile = 'http://netpreserve.org/warc/1.1/revisit/server-not-modified';
    expect(records[2]).toMatchObject({ type: 'revisit', statusLine: 'HTTP/1.1 304 Not Modified' });
    expect(records[2]?.warc).toMatchObject({
      'warc-profile': profile,
      'warc-refers-to-target-uri': 'https://example.org/a',
      'warc-refers-to-date': '2026-01-02T03:04:05.678Z',
      'warc-payload-digest': sha('first'),
    });
    expect(records[4]?.warc).toMatchObject({ 'warc-profile': profile });
    expect(records[4]?.warc['warc-refers-to-target-uri']).toBeUndefined();
  });

  it.each([
    ['complete', undefined, undefined],
    ['disconnect', undefined, 'disconnect'],
    ['cancelled', undefined, 'unspecified'],
    ['cancelled', '4', undefined], // all of the body was there
    ['disconnect', '9', 'disconnect'],
  ] as const)('of an exchange that ended %s with content-length %s is truncated: %s', async (end, length, reason) => {
    const headers = length === undefined ? [] : [['Content-Length', length] as const];
    const [answer] = await archived([
      { url: 'https://example.org/', body: 'body', end: end satisfies WireEnd, answer: { headers } },
    ]);
    expect(answer?.warc['warc-truncated']).toBe(reason);
  });

  it('is not made where no answer came', async () => {
    const archive = await openTestArchive(folder);
    archive
      .begin({ url: 'https://example.org/', method: 'GET', headers: [], startedAt: archiveTime })
      ?.end('disconnect');
    await archive.seal();
    expect((await readArchive(folder)).map(({ type }) => type)).toEqual(['warcinfo']);
  });

  it('cannot be led astray by line ends in a header, a status or an address', async () => {
    const [answer] = await archived([
      {
        url: 'https://example.org/a',
        body: 'x',
        answer: {
          statusText: 'OK\r\nX-Status: 1',
          headers: [['X-Evil', 'a\r\nWARC-Type: resource\r\n\r\n<script>']],
          address: '127.0.0.1\r\nWARC-Evil: 1',
        },
      },
    ]);
    expect(answer?.type).toBe('response');
    expect(answer?.warc['warc-evil']).toBeUndefined();
    expect(answer?.http).toEqual({ 'x-evil': 'a WARC-Type: resource <script>' });
    expect(answer?.payload.toString()).toBe('x');
  });

  it('keeps the bytes of headers that are no ASCII', async () => {
    const [answer] = await archived([
      { url: 'https://example.org/', answer: { headers: [['X-Name', Buffer.from('Käse').toString('latin1')]] } },
    ]);
    if (answer === undefined) throw new Error('no record');
    const { block } = await recordBytes(folder, answer);
    expect(block.toString('utf8')).toContain('X-Name: Käse\r\n');
  });

  it('has no value of a header that the user gave, however it is written', async () => {
    const [, request] = await archived(
      [
        {
          url: 'https://example.org/',
          asked: [
            ['x-KEY', 's3cret'],
            ['Authorization', 'Basic czNjcmV0'],
            ['Cookie', 'site=1'],
          ],
        },
      ],
      { secretHeaders: ['X-Key'] },
    );
    expect(request?.http).toEqual({
      host: 'example.org',
      'x-key': '(redacted)',
      authorization: '(redacted)',
      cookie: 'site=1',
    });
  });

  it.each([
    [[], 's3cret'],
    [['cookie', 'set-cookie'], '(redacted)'],
  ])('has tokens in headers of scripts, unless the crawl is signed in (%j)', async (secretHeaders, shown) => {
    const tokens = ['X-Auth-Token', 'X-XSRF-TOKEN', 'X-CSRF-Token', 'access-token', 'X-Session-Id'];
    const names = [...tokens, 'x-api-key', 'X-Firebase-Auth', 'x-shop-session'];
    const others = { 'x-author': 'alice', 'x-request-id': 'qzw8' };
    const asked = [...names.map((name) => [name, 's3cret'] as const), ...Object.entries(others)];
    const [, request] = await archived([{ url: 'https://example.org/', asked }], { secretHeaders });
    expect(names.map((name) => request?.http[name.toLowerCase()])).toEqual(names.map(() => shown));
    expect(request?.http).toMatchObject(others);
  });
});

describe('a body', () => {
  const limits = { each: kibibytes(64), all: kibibytes(128), longest: kibibytes(512) };

  it('that is too large for memory is archived all the same, and leaves no file behind', async () => {
    const body = Buffer.alloc(300_000, 'abcdefg');
    const records = await archived([{ url: 'https://example.org/large', body }], { bodies: limits });
    expect(records[0]?.payload.equals(body)).toBe(true);
    expect(records[0]?.warc['warc-payload-digest']).toBe(sha(body));
    expect(await archiveNames(folder)).toEqual(['c-test-00000.warc.gz', 'index.cdxj']);
  });

  it('is cut at the limit, and says so', async () => {
    const records = await archived([{ url: 'https://example.org/', body: Buffer.alloc(600_000, 'x') }], {
      bodies: limits,
    });
    expect(records[0]?.warc['warc-truncated']).toBe('length');
    expect(records[0]?.payload).toHaveLength(512 * 1024);
    expect(records[0]?.warc['warc-payload-digest']).toBe(sha(Buffer.alloc(512 * 1024, 'x')));
  });

  it('goes to a file where others fill the memory', async () => {
    const archive = await openTestArchive(folder, { bodies: limits });
    const recordings = Array.from({ length: 8 }, (_, index) => {
      const request = { url: `https://example.org/${index}`, method: 'GET', headers: [], startedAt: archiveTime };
      const recording = archive.begin(request);
      recording?.answered(ANSWER);
      recording?.body(Buffer.alloc(50_000, String(index)));
      return recording;
    });
    expect(await readdir(join(folder, 'archive', '.bodies'))).toHaveLength(6); // two of them fit
    for (const recording of recordings) recording?.end('complete');
    await archive.seal();
    const answers = (await readArchive(folder)).filter(({ type }) => type === 'response');
    expect(answers.map(({ payload }) => payload.toString().slice(0, 2)).toSorted()).toEqual(
      Array.from({ length: 8 }, (_, index) => `${index}${index}`),
    );
    expect(await readdir(join(folder, 'archive'))).not.toContain('.bodies');
  });

  it('that the disk does not take ends the archive, and nothing at the gate', async () => {
    const archive = await openTestArchive(folder, { bodies: limits });
    await writeFile(join(folder, 'archive', '.bodies'), 'in the way');
    pass(archive, { url: 'https://example.org/', body: Buffer.alloc(300_000) });
    await expect(archive.sync()).rejects.toMatchObject({ code: 'OUTPUT_UNUSABLE' });
    pass(archive, { url: 'https://example.org/', body: 'more' });
    await expect(archive.seal()).rejects.toMatchObject({ code: 'OUTPUT_UNUSABLE' });
    await archive[Symbol.asyncDispose]();
  });
});

describe('the files of an archive', () => {
  it('follow each other by size, each begun by its own warcinfo and whole for itself', async () => {
    const exchanges = Array.from({ length: 40 }, (_, index) => ({
      url: `https://example.org/${index}`,
      body: createHash('sha512').update(String(index)).digest('hex').repeat(4),
    }));
    await archived(exchanges, { fileLimit: 8000 });
    const names = (await archiveNames(folder)).filter((name) => name.endsWith('.warc.gz'));
    expect(names.length).toBeGreaterThan(3);
    expect(names).toEqual(names.map((_, index) => `c-test-0000${index}.warc.gz`));
    const records = await readArchive(folder);
    for (const name of names) {
      const own = records.filter(({ file }) => file === name);
      expect(own.map(({ type }) => type).filter((type) => type === 'warcinfo')).toHaveLength(1);
      expect(own[0]?.warc['warc-filename']).toBe(name);
      expect((await readFile(join(folder, 'archive', name))).length).toBeLessThanOrEqual(8000);
    }
    expect(records.filter(({ type }) => type === 'response')).toHaveLength(40);
    expect(await ownIndex(folder)).toEqual(await otherIndex(folder));
  });

  it('hold a record that is larger than a file should be', async () => {
    const records = await archived(
      [
        { url: 'https://example.org/', body: createHash('sha512').update('1').digest('hex').repeat(4) },
        {
          url: 'https://example.org/large',
          body: Buffer.from(Array.from({ length: 20_000 }, (_, at) => (at * at) % 251)),
        },
      ],
      { fileLimit: 1000 },
    );
    expect(records.filter(({ type }) => type === 'response').map(({ uri }) => uri)).toEqual([
      'https://example.org/',
      'https://example.org/large',
    ]);
  });

  it('have another name until they are whole', async () => {
    const archive = await openTestArchive(folder);
    pass(archive, { url: 'https://example.org/', body: 'x' });
    await archive.sync();
    expect(await archiveNames(folder)).toEqual(['c-test-00000.warc.gz.open', 'index.cdxj.open']);
    await archive[Symbol.asyncDispose]();
    expect(await archiveNames(folder)).toEqual(['c-test-00000.warc.gz', 'index.cdxj.open']);
  });

  it('are the only ones that are cut and closed where the next one cannot be begun', async () => {
    const archive = await openTestArchive(folder, { fileLimit: 1000 });
    await mkdir(join(folder, 'archive', 'c-test-00001.warc.gz.open'));
    pass(archive, { url: 'https://example.org/1' });
    await archive.sync();
    pass(archive, { url: 'https://example.org/2' });
    await expect(archive.sync()).rejects.toMatchObject({ code: 'OUTPUT_UNUSABLE' });
    // files that are opened now get the numbers of closed handles
    const others = await Promise.all(
      Array.from({ length: 20 }, (_, index) => open(join(folder, `other-${index}`), 'w+')),
    );
    await archive[Symbol.asyncDispose]();
    for (const other of others) {
      expect((await other.stat()).size).toBe(0);
      await other.close();
    }
    expect(await archiveNames(folder)).toContain('c-test-00000.warc.gz');
  });

  it('take nothing any more when the archive is sealed', async () => {
    const archive = await openTestArchive(folder);
    await archive.seal();
    expect(
      archive.begin({ url: 'https://example.org/', method: 'GET', headers: [], startedAt: archiveTime }),
    ).toBeNull();
    expect(await ownIndex(folder)).toEqual([]);
  });
});

describe('the answer to a page', () => {
  it('is the last that ended, also where it is still on its way', async () => {
    const archive = await openTestArchive(folder);
    const url = 'https://example.org/page';
    pass(archive, { url, body: 'try again', answer: { status: 503 } });
    const late = archive.begin({ url, method: 'GET', headers: [], startedAt: archiveTime });
    late?.answered(ANSWER);
    late?.body(Buffer.from('the page'));
    const asked = archive.answer({ url: `${url}#part`, startedAt: epochMs(archiveTime + 1) }, never);
    late?.end('complete');
    const place = await (await asked)?.place;
    await archive.seal();
    const records = await readArchive(folder);
    expect(records.find(({ offset }) => offset === place?.offset)?.payload.toString()).toBe('the page');
  });

  it('is not waited for where one that belongs to the visit has ended', async () => {
    const archive = await openTestArchive(folder);
    const url = 'https://example.org/page';
    const frame = archive.begin({ url, method: 'GET', headers: [], startedAt: archiveTime });
    frame?.answered(ANSWER);
    pass(archive, { url, body: 'the page' });
    expect(await archive.answer({ url, startedAt: archiveTime }, never)).not.toBeNull();
    frame?.body(Buffer.from('half'));
    await archive.seal(); // ends recordings in progress
    const cut = (await readArchive(folder)).findLast(({ type }) => type === 'response');
    expect(cut?.payload.toString()).toBe('half');
    expect(cut?.warc['warc-truncated']).toBe('unspecified');
    frame?.body(Buffer.alloc(3_000_000));
    frame?.end('complete');
    expect(await archiveNames(folder)).toEqual(['c-test-00000.warc.gz', 'index.cdxj']);
  });

  it('is not one to another method', async () => {
    const archive = await openTestArchive(folder);
    pass(archive, { url: 'https://example.org/page', method: 'POST', requestBody: 'a=1' });
    expect(await archive.answer({ url: 'https://example.org/page', startedAt: archiveTime }, never)).toBeNull();
    await archive.seal();
  });
});

describe('memory', () => {
  it('is given back when records are on the disk', async () => {
    const archive = await openTestArchive(folder, {
      bodies: { each: kibibytes(64), all: bytes(200_000), longest: kibibytes(512) },
    });
    for (let round = 0; round < 20; round += 1) {
      pass(archive, { url: `https://example.org/${round}`, body: Buffer.alloc(60_000, round) });
      await archive.sync();
    }
    expect(await archiveNames(folder)).not.toContain('.bodies'); // no body had to go to a file
    await archive.seal();
  });
});
