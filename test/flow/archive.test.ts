import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCrawl, type StartOptions } from '../../src/crawl/start-crawl.ts';
import type { ArchivedRecord, PageRecord } from '../../src/model/record.ts';
import { decodedPayload, readRecord } from '../../src/warc/warc-reader.ts';
import {
  archiveNames,
  expectDigests,
  otherIndex,
  ownIndex,
  readArchive,
  recordBytes,
  type OtherRecord,
} from '../support/archive.ts';
import { linesOf } from '../support/crawl-run.ts';
import { httpOrigin, type HttpOrigin } from '../support/origin.ts';

let base = '';
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'orbweaver-archive-'));
});
afterAll(() => rm(base, { recursive: true, force: true }));

/** A picture; browsers read only its head. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const PICTURE = Buffer.concat([PIXEL, randomBytes(700_000)]);
const PAPER = Buffer.concat([Buffer.from('%PDF-1.4\n'), randomBytes(3_000_000), Buffer.from('\n%%EOF\n')]);
const STYLE = `body { color: #123; } /* ${'long '.repeat(500)} */`;
const SCRIPT =
  "fetch('/api/data?q=1').then((answer) => answer.json()).then(({ text }) => { document.body.append(text); });";

const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title><link rel="stylesheet" href="/style-${title}.css"></head><body><h1>${title}</h1>${body}</body></html>`;

/** A small site whose requests have every kind of outcome. */
const site: RequestListener = (request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const html = { 'content-type': 'text/html; charset=utf-8' };
  switch (pathname) {
    case '/':
      response.writeHead(200, html);
      response.write(page('home', '<img src="/pixel.gif"><script src="/script.js"></script>').slice(0, 60)); // in chunks
      response.end(
        page(
          'home',
          '<img src="/pixel.gif"><script src="/script.js"></script><a href="/packed">p</a> <a href="/moved">m</a> <a href="/lost">l</a> <a href="/paper.pdf">f</a> <a href="/picture.gif">i</a> <a href="/late">r</a>',
        ).slice(60),
      );
      return;
    case '/packed':
      response.writeHead(200, { ...html, 'content-encoding': 'gzip' });
      response.end(gzipSync(page('packed', '<p>Ünpacked text</p><img src="/missing.png">')));
      return;
    case '/moved':
      response.writeHead(301, { location: '/target', ...html });
      response.end('<p>It moved.</p>');
      return;
    case '/target':
      response.writeHead(200, { ...html, 'set-cookie': 'seen=1' });
      response.end(page('target', '<p>The target</p>'));
      return;
    case '/script.js':
      response.writeHead(200, { 'content-type': 'text/javascript' });
      response.end(SCRIPT);
      return;
    case '/api/data':
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"text":"from the network"}');
      return;
    case '/pixel.gif':
      response.writeHead(200, { 'content-type': 'image/gif', 'cache-control': 'max-age=600' });
      response.end(PIXEL);
      return;
    case '/picture.gif':
      response.writeHead(200, { 'content-type': 'image/gif' });
      response.end(PICTURE);
      return;
    case '/paper.pdf':
      response.writeHead(200, { 'content-type': 'application/pdf' });
      response.end(PAPER);
      return;
    default:
      if (pathname.startsWith('/style-')) {
        response.writeHead(200, { 'content-type': 'text/css' });
        response.end(STYLE);
        return;
      }
      response.writeHead(404, html);
      response.end(page('lost', '<p>There is nothing here, and this is how it is said.</p>'));
  }
};

interface ArchivedCrawl {
  readonly folder: string;
  readonly pages: readonly PageRecord[];
  readonly records: readonly OtherRecord[];
}

let crawls = 0;

async function crawl(options: StartOptions): Promise<ArchivedCrawl> {
  crawls += 1;
  const folder = join(base, `crawl-${crawls}`);
  await using running = await startCrawl({
    workers: 2,
    hostConcurrency: 1,
    logLevel: 'warn',
    output: folder,
    ...options,
  });
  const report = await running.report();
  expect(report.state).toBe('finished');
  return { folder, pages: await linesOf<PageRecord>(folder, 'pages.jsonl'), records: await readArchive(folder) };
}

function ofType(records: readonly OtherRecord[], ...types: readonly string[]): readonly OtherRecord[] {
  return records.filter(({ type }) => types.includes(type));
}

/** Request lines as in a server's log. */
function requestLines(records: readonly OtherRecord[]): readonly string[] {
  return ofType(records, 'request').map(({ statusLine }) => (statusLine ?? '').replace(/ HTTP\/1\.1$/, ''));
}

function pageAt({ pages }: ArchivedCrawl, path: string): PageRecord {
  const found = pages.find(({ url }) => new URL(url).pathname === path);
  if (found === undefined) throw new Error(`no page at ${path}`);
  return found;
}

function answerTo({ records }: ArchivedCrawl, path: string): OtherRecord {
  const found = ofType(records, 'response').find(({ uri }) => uri !== null && new URL(uri).pathname === path);
  if (found === undefined) throw new Error(`no answer to ${path}`);
  return found;
}

describe('a crawl with --snapshot warc', () => {
  let origin: HttpOrigin;
  let done: ArchivedCrawl;

  beforeAll(async () => {
    origin = await httpOrigin(site);
    done = await crawl({ seeds: [`${origin.url}/`], snapshot: ['warc'] });
  });
  afterAll(() => origin[Symbol.asyncDispose]());

  it('holds every request that the server has seen, and no other', () => {
    expect(requestLines(done.records).toSorted()).toEqual(origin.requests.toSorted());
    const answers = ofType(done.records, 'response', 'revisit').map(({ uri }) => uri);
    expect(answers.toSorted()).toEqual(
      ofType(done.records, 'request')
        .map(({ uri }) => uri)
        .toSorted(),
    );
  });

  it('begins each file with what made it, and names the answer that a request got', () => {
    const [first] = done.records;
    expect(first?.type).toBe('warcinfo');
    expect(first?.payload.toString()).toMatch(/^software: orbweaver\/[\d.]+\r\nformat: WARC File Format 1\.1\r\n/);
    const ids = new Map(done.records.map((record) => [record.warc['warc-record-id'], record]));
    for (const request of ofType(done.records, 'request'))
      expect(ids.get(request.warc['warc-concurrent-to'])?.uri).toBe(request.uri);
    expect(answerTo(done, '/').warc['warc-ip-address']).toBe('127.0.0.1');
  });

  it('has the digests that an independent reader computes', async () => {
    expect(done.records.length).toBeGreaterThan(30);
    await expectDigests(done.folder, done.records);
  });

  it('has the index that an independent reader makes', async () => {
    expect(await ownIndex(done.folder)).toEqual(await otherIndex(done.folder));
  });

  it('keeps answers as they were received, packed or in chunks, errors and redirects as well', async () => {
    expect(gunzipSync(answerTo(done, '/packed').payload).toString()).toContain('Ünpacked text');
    expect(answerTo(done, '/packed').http['content-encoding']).toBe('gzip');
    expect(answerTo(done, '/').http).toMatchObject({ 'x-orig-transfer-encoding': 'chunked' });
    expect(answerTo(done, '/').http['transfer-encoding']).toBeUndefined();
    expect(answerTo(done, '/').payload.toString()).toMatch(/^<!doctype html>.*<\/html>$/s);
    expect(answerTo(done, '/lost')).toMatchObject({ statusLine: 'HTTP/1.1 404 Not Found' });
    expect(answerTo(done, '/lost').payload.toString()).toContain('this is how it is said');
    expect(answerTo(done, '/moved').http['location']).toBe('/target');
    expect(answerTo(done, '/api/data').payload.toString()).toBe('{"text":"from the network"}');
  });

  it('keeps files that are visited whole, whatever the crawl reads of them', () => {
    expect(answerTo(done, '/paper.pdf').payload.equals(PAPER)).toBe(true);
    expect(answerTo(done, '/picture.gif').payload.equals(PICTURE)).toBe(true);
    for (const record of done.records) expect(record.warc['warc-truncated'], record.uri ?? '').toBeUndefined();
  });

  it('stores a payload once, and refers to it from the other addresses', () => {
    const styles = done.records.filter(({ uri, type }) => uri?.includes('/style-') === true && type !== 'request');
    expect(styles.map(({ type }) => type)).toEqual(
      ['response', 'revisit', 'revisit', 'revisit'].slice(0, styles.length),
    );
    expect(styles.length).toBeGreaterThan(2);
    const [stored, ...again] = styles;
    for (const revisit of again) {
      expect(revisit.warc).toMatchObject({
        'warc-profile': 'http://netpreserve.org/warc/1.1/revisit/identical-payload-digest',
        'warc-refers-to-target-uri': stored?.uri,
        'warc-refers-to-date': stored?.warc['warc-date'],
        'warc-payload-digest': stored?.warc['warc-payload-digest'],
      });
      expect(revisit.payload).toHaveLength(0);
    }
  });

  it('leads from the line of a page to its answer, its DOM and its text', async () => {
    const { snapshot } = pageAt(done, '/packed');
    expect(snapshot).toMatchObject({ html: null, text: null, screenshot: null });
    const { warc } = snapshot;
    if (warc === null || warc.html === undefined || warc.text === undefined) throw new Error('not archived');
    const answer = await readRecord(done.folder, warc);
    expect(answer).toMatchObject({ type: 'response', targetUri: `${origin.url}/packed`, httpStatus: 200 });
    const { kind, bytes } = await decodedPayload(answer);
    expect(kind).toBe('whole');
    expect(Buffer.from(bytes).toString()).toContain('<p>Ünpacked text</p>');
    const dom = await readRecord(done.folder, warc.html);
    expect(dom).toMatchObject({ type: 'resource', targetUri: `urn:dom:${origin.url}/packed` });
    expect(Buffer.from(dom.payload).toString()).toContain('<p>Ünpacked text</p>');
    const text = await readRecord(done.folder, warc.text);
    expect(text).toMatchObject({
      targetUri: `urn:text:${origin.url}/packed`,
      contentType: 'text/plain; charset=utf-8',
    });
    expect(Buffer.from(text.payload).toString()).toContain('Ünpacked text');
  });

  it('leads from the line of a redirect, an error or a file to its answer', async () => {
    const answers = [
      ['/moved', 301],
      ['/lost', 404],
      ['/paper.pdf', 200],
    ] as const;
    for (const [path, httpStatus] of answers) {
      const { warc } = pageAt(done, path).snapshot;
      expect(warc, path).not.toBeNull();
      const answer = await readRecord(done.folder, warc ?? { file: '', offset: 0, length: 0 });
      expect(answer).toMatchObject({ type: 'response', targetUri: `${origin.url}${path}`, httpStatus });
    }
  });

  it('has in its DOM what scripts brought from the network', async () => {
    const { html } = pageAt(done, '/').snapshot.warc ?? {};
    const dom = await readRecord(done.folder, html ?? { file: '', offset: 0, length: 0 });
    expect(Buffer.from(dom.payload).toString()).toContain('from the network');
  });

  it('makes no file for a page: an archive and its index are all', async () => {
    expect(await readdir(done.folder)).not.toContain('snapshots');
    expect(await archiveNames(done.folder)).toEqual([expect.stringMatching(/^c-.*-00000\.warc\.gz$/), 'index.cdxj']);
  });
});

describe('an archive', () => {
  it('stands beside files where both are asked for, screenshots included', async () => {
    await using origin = await httpOrigin(site);
    const done = await crawl({
      seeds: [`${origin.url}/target`],
      snapshot: ['html', 'text', 'screenshot', 'warc'],
      scope: 'page',
    });
    const { html, text, screenshot, warc } = pageAt(done, '/target').snapshot;
    for (const file of [html, text, screenshot]) expect(file).toMatch(/^snapshots\//);
    const file = await readFile(join(done.folder, html ?? ''));
    const place: ArchivedRecord | undefined = warc?.html;
    const dom = await readRecord(done.folder, place ?? { file: '', offset: 0, length: 0 });
    expect(Buffer.from(dom.payload).equals(file)).toBe(true);
  });

  it('takes screenshots in where no files are asked for', async () => {
    await using origin = await httpOrigin(site);
    const done = await crawl({ seeds: [`${origin.url}/target`], snapshot: ['warc', 'screenshot'], scope: 'page' });
    const { snapshot } = pageAt(done, '/target');
    expect(snapshot.screenshot).toBeNull();
    const view = await readRecord(done.folder, snapshot.warc?.screenshot ?? { file: '', offset: 0, length: 0 });
    expect(view).toMatchObject({
      type: 'resource',
      targetUri: `urn:view:${origin.url}/target`,
      contentType: 'image/jpeg',
    });
    expect(Buffer.from(view.payload.subarray(0, 3)).toString('hex')).toBe('ffd8ff');
    expect(await readdir(done.folder)).not.toContain('snapshots');
  });

  it('holds no header that the user gave', async () => {
    const seen: string[] = [];
    await using origin = await httpOrigin((request, response) => {
      seen.push(`${String(request.headers['authorization'])} ${String(request.headers['x-token'])}`);
      site(request, response);
    });
    const headers = ['Authorization: Bearer s3cret-one', 'X-Token: s3cret-two'];
    const done = await crawl({ seeds: [`${origin.url}/target`], snapshot: ['warc'], scope: 'page', headers });
    expect(seen).toContain('Bearer s3cret-one s3cret-two');
    for (const record of done.records) {
      const { head, block } = await recordBytes(done.folder, record);
      expect(`${head}${block.toString('latin1')}`).not.toContain('s3cret');
    }
    const asked = ofType(done.records, 'request').find(({ uri }) => uri === `${origin.url}/target`);
    expect(asked?.http['x-token']).toBe('(redacted)');
  });

  it('is made without a browser, too', async () => {
    await using origin = await httpOrigin(site);
    const done = await crawl({ seeds: [`${origin.url}/`], snapshot: ['warc'], render: 'never' });
    expect(requestLines(done.records).toSorted()).toEqual(origin.requests.toSorted());
    expect(answerTo(done, '/picture.gif').payload.equals(PICTURE)).toBe(true);
    expect(answerTo(done, '/lost').payload.toString()).toContain('this is how it is said');
    await expectDigests(done.folder, done.records);
  });
});
