import { setTimeout as delay } from 'node:timers/promises';
import { deflateSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import type { Log, LogFields } from '../../../src/base/log.ts';
import type { PageProcessor } from '../../../src/core/files/page-processor.ts';
import { fileLink } from '../../../src/core/links/discoverer.ts';
import { defineExtension } from '../../../src/pipeline/extension.ts';
import { createProcessors, type Findings } from '../../../src/pipeline/processors.ts';
import { wantsFile } from '../../../src/pipeline/wants-file.ts';

const never = new AbortController().signal;
const URL_OF_FILE = 'http://a.test/file';

interface Asked {
  readonly type: string;
  readonly content?: string | Uint8Array;
  readonly url?: string;
  readonly processors?: readonly PageProcessor[];
  readonly signal?: AbortSignal;
}

function bench(processors: readonly PageProcessor[] = []) {
  const warnings: [string, LogFields | undefined][] = [];
  const nothing = (): void => {};
  const log: Log = {
    debug: nothing,
    info: nothing,
    error: nothing,
    warn: (...line) => void warnings.push([line[0], line[1]]),
  };
  const all = createProcessors([defineExtension({ name: 'mine', processors })], log);
  const find = ({ type, content = '', url = URL_OF_FILE, signal = never }: Asked): Promise<Findings> => {
    const bytes = Buffer.from(content);
    return all.find({ url, contentType: type, bytes, text: bytes.toString(), truncated: false }, signal);
  };
  return { find, warnings };
}

const process = (findings: unknown, more: Partial<PageProcessor> = {}): PageProcessor =>
  ({ name: 'words', accepts: () => true, process: () => findings, ...more }) as PageProcessor;

describe('a file', () => {
  it.each<readonly [string, string, string, Partial<Findings>]>([
    ['text/plain', '/notes.txt', 'Some notes', { title: null, text: 'Some notes', facts: {} }],
    ['text/csv', '/t.csv', 'a,b', { text: 'a,b' }],
    ['text/plain', '/readme.md', '# Read me\nnow', { title: 'Read me', text: '# Read me\nnow' }],
    ['application/json', '/d.json', '{"title":"D","a":1}', { title: 'D', text: '{"title":"D","a":1}' }],
    ['application/manifest+json', '/m', '{"name":"App","start_url":"/"}', { title: 'App' }],
    [
      'application/rss+xml',
      '/f',
      '<rss><channel><title>F</title></channel></rss>',
      { title: 'F', text: 'F', facts: { feed: 'rss' } },
    ],
    [
      'text/xml',
      '/s.xml',
      '<urlset><url><loc>http://a.test/</loc></url></urlset>',
      { text: null, facts: { sitemap: 'urlset' } },
    ],
    [
      'image/svg+xml',
      '/p',
      '<svg width="40px" height="30"><title>P</title></svg>',
      { title: 'P', facts: { format: 'svg', width: 40, height: 30 } },
    ],
    ['image/svg+xml', '/p', '<svg width="100%" viewBox="0,0 4 3"/>', { facts: { format: 'svg', width: 4, height: 3 } }],
    ['image/png', '/p', 'no picture', { text: null, facts: {} }],
    ['application/zip', '/z', 'PK', { text: null, facts: {} }],
    ['text/css', '/c', 'a{}', { text: null }],
    ['text/javascript', '/c', 'a()', { text: null }],
  ])('of type %s is read as what it is: %s', async (type, path, content, findings) => {
    const found = await bench().find({ type, content, url: `http://a.test${path}` });
    expect(found).toMatchObject(findings);
  });

  it('that is a PDF has links, a number of pages, and no text', async () => {
    const objects = '1 0 2 32 <</Type /Catalog /Pages 2 0 R>> <</Count 7 /A <</URI (/relative)>>>>';
    const packed = deflateSync(Buffer.from(objects.replace('2 32', '2 33'), 'latin1'));
    const head = `%PDF-1.5\n5 0 obj <</Type /ObjStm /N 2 /First 9 /Filter /FlateDecode /Length ${packed.length}>> stream\n`;
    const tail = '\nendstream endobj\n6 0 obj <</Type /XRef /Root 1 0 R>> stream\n\nendstream endobj';
    const content = Buffer.concat([Buffer.from(head), packed, Buffer.from(tail)]);
    const found = await bench().find({ type: 'application/pdf', content });
    expect(found).toMatchObject({ text: null, facts: { pages: 7 } });
    expect(found.links).toEqual([fileLink('/relative', URL_OF_FILE, { kind: 'anchor', context: 'pdf/URI' })]);
  });

  it('that unpacks to far more than it is costs no more than the bound', async () => {
    const bomb = deflateSync(Buffer.alloc(20 * 1024 * 1024, 0x20));
    const stream = `<</Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /Length ${bomb.length}>> stream\n`;
    const object = Buffer.concat([Buffer.from(stream), bomb, Buffer.from('\nendstream endobj\n')]);
    const objects = Array.from({ length: 500 }, (_, n) => Buffer.concat([Buffer.from(`${n} 0 obj `), object]));
    const content = Buffer.concat([Buffer.from('%PDF-1.5\n'), ...objects]);
    const before = globalThis.process.memoryUsage().rss;
    const began = globalThis.process.cpuUsage().user;
    const found = await bench().find({ type: 'application/pdf', content });
    expect(found.links).toEqual([]);
    expect(globalThis.process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024);
    expect(globalThis.process.cpuUsage().user - began).toBeLessThan(3_000_000);
  });

  it('is worth reading where a processor of ours or of an extension accepts it', () => {
    const theirs = process({}, { accepts: (type) => type === 'video/mp4' });
    const broken = process({}, { accepts: () => JSON.parse('{') as boolean });
    const wants = wantsFile([defineExtension({ name: 'mine', processors: [theirs] })]);
    expect(['image/png', 'application/pdf', 'video/mp4', 'video/webm'].map((type) => wants(type, URL_OF_FILE))).toEqual(
      [true, true, true, false],
    );
    expect(wantsFile([defineExtension({ name: 'mine', processors: [broken] })])('video/webm', URL_OF_FILE)).toBe(true);
  });
});

describe('an extension’s processor', () => {
  const md = { type: 'text/markdown', content: '# Ours\nwords' };

  it('says what counts before what the built-in ones say, field by field', async () => {
    const { find } = bench([process({ title: 'Theirs', facts: { cues: 3 } }), process({ title: 'Later', lang: 'en' })]);
    expect(await find(md)).toEqual({
      title: 'Theirs',
      description: null,
      lang: 'en',
      text: '# Ours\nwords',
      links: [],
      facts: { cues: 3 },
    });
  });

  it('may take its time, and be told that nobody waits any more', async () => {
    const { find } = bench([
      process(null, { process: async ({ text }) => ({ title: await delay(1, text.slice(2, 6)) }) }),
    ]);
    expect((await find(md)).title).toBe('Ours');
    const stop = new AbortController();
    const heard = vi.fn<() => void>();
    const waiting = bench([
      process(null, {
        process: (_file, signal) => new Promise(() => signal.addEventListener('abort', heard, { once: true })),
      }),
    ]).find({ ...md, signal: stop.signal });
    stop.abort(new Error('the crawl stops'));
    await expect(waiting).rejects.toThrow('the crawl stops');
    expect(heard).toHaveBeenCalledOnce();
  });

  it.each([
    ['throws', process(null, { process: () => JSON.parse('{') as never })],
    ['rejects', process(null, { process: () => Promise.reject(new Error('no')) })],
    ['throws when it is asked what it accepts', process(null, { accepts: () => JSON.parse('{') as never })],
    ['gives no findings', process('title')],
    ['gives a title that is none', process({ title: 7, lang: 'en' })],
    ['gives facts that are none', process({ facts: { a: {} } })],
  ])('that %s costs one line of the log, and not what the others find', async (_what, broken) => {
    const { find, warnings } = bench([broken]);
    for (let turn = 0; turn < 3; turn++) expect(await find(md)).toMatchObject({ title: 'Ours', lang: null });
    expect(warnings).toMatchObject([['processor failed', { extension: 'mine', processor: 'words', url: URL_OF_FILE }]]);
  });

  it('has long texts cut, links that are none dropped, and no more than 20 facts kept', async () => {
    const link = fileLink('/x', URL_OF_FILE, { kind: 'anchor', context: 'x' });
    const facts = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`f${n}`, n]));
    const { find } = bench([process({ title: 'x'.repeat(5000), text: 'y'.repeat(3 << 20), links: [link, 7], facts })]);
    const found = await find(md);
    expect([found.title?.length, found.text?.length, found.links]).toEqual([1000, 2 << 20, [link]]);
    expect(Object.keys(found.facts)).toHaveLength(20);
  });
});
