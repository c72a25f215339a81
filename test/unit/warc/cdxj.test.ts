import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { getSurt } from 'warcio';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { epochMs } from '../../../src/base/units.ts';
import { indexLine, journalLine, readIndexLine } from '../../../src/warc/cdxj-line.ts';
import { cdxjSort } from '../../../src/warc/cdxj-sort.ts';
import { surt } from '../../../src/warc/surt.ts';
import { openTestArchive, otherIndex, ownIndex, pass, type TestExchange } from '../../support/archive.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'orbweaver-cdxj-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the sort key of an address', () => {
  it.each([
    ['https://www.example.org/A?b=1&a=2', 'org,example)/a?a=2&b=1'],
    ['http://www2.Example.org:8080/', 'org,example:8080)/'],
    ['https://example.org:443/x?', 'org,example)/x'],
    ['http://127.0.0.1:80/', '1,0,0,127)/'],
    ['http://[::1]:81/', '[::1]:81)/'],
    ['https://xn--bcher-kva.example/%C3%A4', 'example,xn--bcher-kva)/%c3%a4'],
    ['urn:text:https://example.org/', 'urn:text:https://example.org/'],
  ])('of %s is %s', (url, key) => {
    expect(surt(url)).toBe(key);
    expect(getSurt(url)).toBe(key); // another implementation gives the same
  });

  it('is that of another implementation for whatever is an address', () => {
    const hosts = [
      'www.Example.org',
      'www12.a.b.example',
      'wwwx.example',
      '10.0.0.1:8080',
      '[::1]',
      'bücher.example',
      'www.www.example',
    ];
    const rest = fc.string({ unit: fc.constantFrom(...'aA/?&=;%2C+~.-_ äΩ:@!,'), maxLength: 30 });
    fc.assert(
      fc.property(fc.constantFrom('http', 'https'), fc.constantFrom(...hosts), rest, (scheme, host, tail) => {
        const { href } = new URL(`${scheme}://${host}/${tail}`);
        expect(surt(href)).toBe(getSurt(href));
      }),
      { numRuns: 500 },
    );
  });
});

describe('a line of the index', () => {
  const record = {
    urlKey: 'org,example)/ä b',
    date: epochMs(Date.parse('2026-01-02T03:04:05.678Z')),
    url: 'https://example.org/ä b',
    mime: 'text/html',
    status: 200,
    digest: 'sha256:00',
  };
  const place = { filename: 'c-1-00000.warc.gz', offset: 12, length: 34 };

  it('has the milliseconds in the journal alone, and no character beyond ASCII', () => {
    const line = journalLine(record, place);
    expect(line).toBe(
      String.raw`678 org,example)/%C3%A4%20b 20260102030405 {"url":"https://example.org/\u00e4 b","mime":"text/html","status":"200","digest":"sha256:00","length":"34","offset":"12","filename":"c-1-00000.warc.gz"}`,
    );
    expect(indexLine(line)).toBe(line.slice(4));
  });

  it('is read back, from the journal and from the index', () => {
    const line = journalLine(record, place);
    expect(readIndexLine(line)).toEqual({ ...record, ...place, urlKey: 'org,example)/%C3%A4%20b' });
    expect(readIndexLine(indexLine(line))?.date).toBe(Date.parse('2026-01-02T03:04:05Z'));
    const precise = indexLine(line).replace('20260102030405', '20260102030405678');
    expect(readIndexLine(precise)?.date).toBe(record.date);
  });

  it.each([
    '',
    'x',
    'a 20260102030405 {}',
    'a 2026 {"url":"x","length":"1","offset":"0","filename":"f"}',
    'a 20260102030405 {"url":"x","length":"-1","offset":"0","filename":"f"}',
  ])('is none where it is %j', (text) => expect(readIndexLine(text)).toBeNull());
});

describe('the index', () => {
  const form = 'application/x-www-form-urlencoded';
  const asked: readonly TestExchange[] = [
    { url: 'https://example.org/', body: 'x' },
    { url: 'https://example.org/z?b=2&a=1', answer: { headers: [['Content-Type', 'IMAGE/PNG ; x=y']] } },
    { url: 'https://example.org/untyped', answer: { headers: [['X-A', '1']] } },
    { url: 'https://example.org/moved', answer: { status: 301, headers: [['Location', '/']] } },
    { url: 'https://example.org/api', method: 'POST', asked: [['Content-Type', form]], requestBody: 'b=2&a=%C3%A4' },
    {
      url: 'https://example.org/api?q=1',
      method: 'POST',
      asked: [['content-type', 'application/json; charset=utf-8']],
      requestBody: '{"a":{"b":[1,2,null,true,"",{"b":"x y"}]},"c":0}',
    },
    {
      url: 'https://example.org/api',
      method: 'POST',
      asked: [['Content-Type', 'application/json']],
      requestBody: 'no json',
    },
    {
      url: 'https://example.org/api',
      method: 'POST',
      asked: [['Content-Type', 'text/plain']],
      requestBody: '{"plain":"json"}',
    },
    {
      url: 'https://example.org/api',
      method: 'PUT',
      asked: [['Content-Type', 'application/octet-stream']],
      requestBody: Uint8Array.of(0, 255, 128, 10),
    },
    { url: 'https://example.org/api', method: 'POST', requestBody: 'untyped' },
    { url: 'https://example.org/api', method: 'HEAD' },
    {
      url: 'https://example.org/api',
      method: 'POST',
      asked: [['Content-Type', 'multipart/form-data; boundary=----FormBoundary7']],
      requestBody:
        '------FormBoundary7\r\nContent-Disposition: form-data; name="one"\r\n\r\nfirst\r\n------FormBoundary7\r\nContent-Disposition: form-data; name="two"\r\n\r\nsecond\r\n------FormBoundary7--\r\n',
    },
    {
      url: 'https://example.org/long',
      method: 'POST',
      asked: [['Content-Type', form]],
      requestBody: `a=${'b'.repeat(9000)}`,
    },
  ];

  it('tells requests apart by what they sent, as another implementation does', async () => {
    const archive = await openTestArchive(folder);
    for (const exchange of asked) pass(archive, exchange);
    await archive.seal();
    const own = await ownIndex(folder);
    expect(own).toHaveLength(asked.length);
    expect(own).toEqual(await otherIndex(folder));
  });

  it('is sorted by bytes however many stretches it is sorted in, and leaves nothing else behind', async () => {
    const keys = Array.from({ length: 500 }, (_, index) => `org,example)/${(index * 7919) % 500}`);
    const lines = keys.map(
      (key, index) => `${String(index % 1000).padStart(3, '0')} ${key} 20260102030405 {"n":"${index}"}`,
    );
    await writeFile(join(folder, 'index.cdxj.open'), `${lines.join('\n')}\ntorn`);
    await cdxjSort(folder, 1000);
    const sorted = (await readFile(join(folder, 'index.cdxj'), 'utf8')).split('\n');
    expect(sorted.pop()).toBe('');
    expect(sorted).toEqual(lines.map((line) => line.slice(4)).toSorted());
    expect(await readdir(folder)).toEqual(['index.cdxj']);
  });

  it('is empty where nothing was archived', async () => {
    await cdxjSort(folder);
    expect(await readFile(join(folder, 'index.cdxj'), 'utf8')).toBe('');
  });
});
