/** Similar pages on whole sites: what is recorded, what is followed, and what a resume does with them. */
import { mkdtemp, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PageRecord } from '../../src/model/record.ts';
import { runCommand } from '../support/command.ts';
import { linesOf, pathsOf, runCrawl, type CrawlRun } from '../support/crawl-run.ts';
import { httpOrigin, type HttpOrigin } from '../support/origin.ts';
import { until } from '../support/until.ts';

let base = '';
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'orbweaver-duplicates-'));
});
afterAll(() => rm(base, { recursive: true, force: true }));

const words = (from: number, count: number): string =>
  Array.from({ length: count }, (_, index) => `word${from + index}`).join(' ');

const article = words(0, 400);
const page = (text: string, ...links: readonly string[]): string =>
  `<!doctype html><title>Page</title><p>${text}</p>${links.map((to) => `<a href="${to}"><img alt="" src="data:,"></a>`).join('')}`;

/** A site of these pages; any other path is a 404. */
function site(pages: Readonly<Record<string, string>>, wait = 0): Promise<HttpOrigin> {
  return httpOrigin(({ url = '' }, response) => void setTimeout(() => answer(response, pages[url]), wait));
}

function answer(response: ServerResponse, body: string | undefined): void {
  response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(body ?? 'Not there');
}

const recordOf = ({ pages }: CrawlRun, path: string): PageRecord | undefined =>
  pages.find(({ url }) => new URL(url).pathname === path);

function expectBalance({ report: { totals }, pages, skipped }: CrawlRun): void {
  expect(totals.visited + totals.failed + totals.skipped + totals.queued).toBe(totals.discovered);
  expect([pages.length, skipped.size]).toEqual([totals.visited + totals.failed, totals.skipped]);
}

/** `/copy` differs from `/original` in one word; the start page is reached first, then the original, then its copy. */
const COPIES = {
  '/': page(words(5000, 60), '/original'),
  '/original': page(article, '/copy', '/a'),
  '/copy': page(article.replace('word200 ', 'other '), '/a', '/only-here'),
  '/a': page(words(7000, 60), '/'),
  '/only-here': page(words(9000, 60), '/'),
};

describe('a page with one word changed', () => {
  it('names the page that it is like; its links are recorded and not followed', async () => {
    await using origin = await site(COPIES);
    const run = await runCrawl({ seeds: [`${origin.url}/`], delay: 0, render: 'never', workers: 1 });
    expect(pathsOf(run)).toEqual(['/', '/a', '/copy', '/original']);
    const copy = recordOf(run, '/copy');
    expect(copy).toMatchObject({ duplicateOf: `${origin.url}/original`, links: { found: 2 } });
    expect(copy?.similarity).toBeGreaterThanOrEqual(0.95);
    expect(recordOf(run, '/original')).toMatchObject({ duplicateOf: null, similarity: null });
    const named = run.links.filter(({ from }) => from.endsWith('/copy')).map(({ to }) => new URL(to).pathname);
    expect(named.toSorted()).toEqual(['/a', '/only-here']);
    expect(run.skipped.get(`${origin.url}/only-here`)).toMatchObject({
      reason: 'duplicate',
      rule: `the page is a duplicate of ${origin.url}/original (similarity ${copy?.similarity})`,
      referrer: `${origin.url}/copy`,
    });
    expectBalance(run);
  });

  it('has its links followed with --follow-duplicates', async () => {
    await using origin = await site(COPIES);
    const seeds = [`${origin.url}/`];
    const run = await runCrawl({ seeds, delay: 0, render: 'never', workers: 1, followDuplicates: true });
    expect(pathsOf(run)).toEqual(['/', '/a', '/copy', '/only-here', '/original']);
    expect(recordOf(run, '/copy')).toMatchObject({ duplicateOf: `${origin.url}/original` });
    expectBalance(run);
  });

  it('is none where more is asked for, and its links are followed', async () => {
    await using origin = await site(COPIES);
    const run = await runCrawl({ seeds: [`${origin.url}/`], delay: 0, render: 'never', workers: 1, nearDuplicates: 1 });
    expect(recordOf(run, '/copy')).toMatchObject({ duplicateOf: null, similarity: null });
    expect(pathsOf(run)).toContain('/only-here');
  });

  it('costs no page that another page names, though that is found later', async () => {
    await using origin = await site({
      ...COPIES,
      '/a': page(words(7000, 60), '/b'),
      '/b': page(words(8000, 60), '/only-here'),
    });
    const run = await runCrawl({ seeds: [`${origin.url}/`], delay: 0, render: 'never', workers: 1 });
    expect(pathsOf(run)).toEqual(['/', '/a', '/b', '/copy', '/only-here', '/original']);
    expectBalance(run);
  });

  it('looks the same to a browser', async () => {
    await using origin = await site(COPIES);
    const run = await runCrawl({ seeds: [`${origin.url}/`], delay: 0, render: 'always', explore: 'none', workers: 1 });
    expect(recordOf(run, '/copy')).toMatchObject({ duplicateOf: `${origin.url}/original`, rendered: true });
    expect(pathsOf(run)).toEqual(['/', '/a', '/copy', '/original']);
  });
});

describe('a gallery, whose pages show no words of their own', () => {
  it('has all of its pictures visited, page by page', async () => {
    const pages: Record<string, string> = {};
    const all = Array.from({ length: 60 }, (_, at) => `/photo/${at}`);
    for (let at = 0; at < 6; at += 1) {
      const next = at === 5 ? [] : [`/gallery/${at + 1}`];
      pages[at === 0 ? '/' : `/gallery/${at}`] = page(article, ...all.slice(at * 10, at * 10 + 10), ...next);
    }
    for (const [at, path] of all.entries()) pages[path] = page(words(10_000 + at * 100, 40), '/');
    await using origin = await site(pages);
    const run = await runCrawl({ seeds: [`${origin.url}/`], delay: 0, render: 'never' });
    expect(pathsOf(run)).toHaveLength(66);
    expect(run.pages.filter(({ duplicateOf }) => duplicateOf === `${origin.url}/`)).toHaveLength(5);
  });
});

describe('a crawl that is killed and resumed', () => {
  it('takes no page for a duplicate of itself, and knows those that it saw before', async () => {
    const pages: Record<string, string> = { '/': page(words(50_000, 40), ...range(20).map((at) => `/p/${at}`)) };
    for (const at of range(20)) pages[`/p/${at}`] = page(words((at % 10) * 1000, 300), '/');
    await using origin = await site(pages, 60);
    const folder = join(base, 'killed');
    const args = ['crawl', `${origin.url}/`, '-o', folder, '--delay', '0', '-w', '2', '--render', 'never'];
    const command = runCommand(args, base);
    await until(() => origin.requests.filter((line) => line.includes('/p/')).length >= 8, `pages: ${command.output()}`);
    command.child.kill('SIGKILL');
    await command.ended;
    const { code, output } = await runCommand(['resume', folder], base).ended;
    expect(code, output).toBe(0);
    const records = await linesOf<PageRecord>(folder, 'pages.jsonl');
    expect(records).toHaveLength(21);
    expect(records.filter(({ url, duplicateOf }) => duplicateOf === url)).toEqual([]);
    expect(records.filter(({ duplicateOf }) => duplicateOf !== null)).toHaveLength(10);
  });
});

function range(count: number): readonly number[] {
  return Array.from({ length: count }, (_, at) => at);
}
