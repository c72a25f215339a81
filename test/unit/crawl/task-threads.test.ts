/** The program's tasks, in the threads that it starts for them. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, describe, expect, it } from 'vitest';
import { silentLog, type LogFields } from '../../../src/base/log.ts';
import { epochMs, milliseconds } from '../../../src/base/units.ts';
import { NO_BOILERPLATE } from '../../../src/core/fingerprint/boilerplate.ts';
import { openTaskThreads } from '../../../src/crawl/task-threads.ts';
import { STATIC_PAGE, type StaticDocument } from '../../../src/fetch/static/static-page.ts';
import { runHere } from '../../../src/offload/offload.ts';
import type { Task } from '../../../src/offload/task.ts';
import { FILE, PAGE_FINDINGS } from '../../../src/pipeline/file-reading.ts';
import { SITEMAP } from '../../../src/pipeline/packed-sitemap.ts';
import { COMPARABLE_TEXT, TEXT_FIGURES } from '../../../src/pipeline/page-text.ts';
import { ANSWER_LINKS, SHEET_LINKS } from '../../../src/render/extract/answer-tasks.ts';
import { visitOf } from '../../support/page.ts';

const never = new AbortController().signal;
const warnings: [string, LogFields | undefined][] = [];
const threads = openTaskThreads({ cores: 2 }, { ...silentLog, warn: (...line) => void warnings.push(line as never) });
afterAll(() => threads[Symbol.asyncDispose]());

const rows = (count: number, row: (index: number) => string): string =>
  Array.from({ length: count }, (_, n) => row(n)).join('\n');

function page(html: string): StaticDocument {
  const visit = visitOf('http://a.test/');
  const head = {
    status: 200,
    headers: [['content-type', 'text/html; charset=utf-8']] as const,
    contentType: 'text/html',
  };
  const document = {
    head,
    body: Buffer.from(html),
    truncated: null,
    startedAt: epochMs(0),
    started: milliseconds(0),
    answered: milliseconds(1),
  };
  return { visit, document, ended: milliseconds(2) };
}

const HTML = `<!doctype html><title>Long</title>${rows(60_000, (n) => `<p class="row"><a href="/p/${n}">Page ${n}</a> says something of its own, and more.</p>`)}`;
const SITEMAP_XML = `<urlset>${rows(50_000, (n) => `<url><loc>http://a.test/section/${n}/page-${n}.html</loc><lastmod>2026-01-01</lastmod></url>`)}</urlset>`;
const TEXT = rows(40_000, (n) => `Line ${n} of a text, which says ${n % 7} things`);
const SHEET = rows(30_000, (n) => `.c${n} { background: url("/img/${n}.png") }`);
const JSON_TEXT = JSON.stringify(
  Array.from({ length: 20_000 }, (_, n) => ({ id: n, url: `/items/${n}`, title: `Item ${n}` })),
);
const file = (contentType: string, text: string) => ({
  url: 'http://a.test/file.xml',
  contentType,
  truncated: false,
  bytes: Buffer.from(text),
  charset: null,
});
const from = { base: 'http://a.test/', url: 'http://a.test/data', requested: [] };

const CASES: readonly (readonly [string, Task<never, unknown>, unknown, number])[] = [
  ['a page of 5 MB', STATIC_PAGE, page(HTML), HTML.length],
  ['a sitemap of 50,000 entries', FILE, file('application/xml', SITEMAP_XML), SITEMAP_XML.length],
  [
    'a sitemap that is asked for by itself',
    SITEMAP,
    { body: Buffer.from(SITEMAP_XML), url: 'http://a.test/s.xml' },
    SITEMAP_XML.length,
  ],
  ['a file of JSON', FILE, file('application/json', JSON_TEXT), JSON_TEXT.length],
  [
    'a page of XML',
    PAGE_FINDINGS,
    { url: 'http://a.test/x', contentType: 'application/xhtml+xml', text: HTML },
    HTML.length,
  ],
  ['a text', TEXT_FIGURES, TEXT, TEXT.length],
  ['a text that is compared', COMPARABLE_TEXT, { raw: TEXT, boilerplate: NO_BOILERPLATE }, TEXT.length],
  ['a sheet', SHEET_LINKS, { text: SHEET, url: 'http://a.test/s.css' }, SHEET.length],
  ['an answer', ANSWER_LINKS, { text: JSON_TEXT, name: 'json', ...from }, JSON_TEXT.length],
];

describe('what a thread makes', () => {
  it.each(CASES)(
    'of %s is what would be made of it here, and the loop goes on meanwhile',
    async (_what, task, input, size) => {
      const delay = monitorEventLoopDelay({ resolution: 5 });
      delay.enable();
      const ended = await threads.run(task, input as never, { url: 'http://a.test/', size }, never);
      delay.disable();
      expect(delay.max / 1e6).toBeLessThan(1000);
      const here = runHere(task, input as never);
      expect(ended).toEqual(here);
      expect(ended.kind).toBe('done');
    },
    60_000,
  );
});

describe('a page that nobody can read', () => {
  it('is told with its URL and its parser', async () => {
    const broken = { ...page(''), document: null } as never;
    const end = await threads.run(STATIC_PAGE, broken, { url: 'http://a.test/broken', size: 100_000 }, never);
    expect(end).toMatchObject({ kind: 'gave-up', cause: 'error' });
    expect(warnings).toEqual([
      [
        'parser gave up',
        expect.objectContaining({ url: 'http://a.test/broken', parser: 'static page', cause: 'error' }),
      ],
    ]);
  });
});
