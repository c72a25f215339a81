/** Speculative links: texts that look like URLs of the site. Whole crawls against a counting server. */
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { RequestListener, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fileLink } from '../../src/core/links/discoverer.ts';
import type { SkippedRecord } from '../../src/model/record.ts';
import { defineExtension } from '../../src/pipeline/extension.ts';
import { runHere } from '../support/command-here.ts';
import { runCommand } from '../support/command.ts';
import { linesOf, runCrawl, type CrawlRun } from '../support/crawl-run.ts';
import { httpOrigin, type HttpOrigin } from '../support/origin.ts';
import { until } from '../support/until.ts';

const SPECULATIVE = 200;
/** Requests for speculative links that a host gets before one has proved right. */
const FIRST_TRUST = 8;

let base = '';
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'orbweaver-speculative-'));
});
afterAll(() => rm(base, { recursive: true, force: true }));

const paths = Array.from({ length: SPECULATIVE }, (_, index) => `/maybe/${String(index).padStart(3, '0')}`);

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/html' }).end(`<!doctype html><title>Page</title><p>${text}</p>`);
}

/** Different words for each URL: pages that differ only in their address would make the crawler probe the site for missing pages. */
function wordsFor(url: string): string {
  const digits = createHash('sha256').update(url).digest('hex');
  return digits.replace(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit))).replace(/.{8}/g, '$& ');
}

/** A start page whose text names all speculative links and that links to one page; the listener answers the speculative links. */
function site(speculative: RequestListener): Promise<HttpOrigin> {
  return httpOrigin((request, response) => {
    const path = request.url ?? '';
    if (path.startsWith('/maybe/')) return speculative(request, response);
    if (path === '/robots.txt') return answer(response, 404, '');
    if (path === '/') {
      const named = paths.map((each) => `http://${request.headers.host}${each}`).join(' ');
      return answer(response, 200, `<a href="/linked">linked</a> ${named}`);
    }
    return answer(response, path === '/linked' ? 200 : 404, `Words of ${path}`);
  });
}

const asked = ({ requests }: HttpOrigin): readonly string[] =>
  requests.filter((line) => line.includes('/maybe/')).map((line) => line.slice(line.indexOf(' ') + 1));

function expectBalance({ report: { totals }, pages, skipped }: CrawlRun): void {
  expect(totals.visited + totals.failed + totals.skipped + totals.queued).toBe(totals.discovered);
  expect([pages.length, skipped.size]).toEqual([totals.visited + totals.failed, totals.skipped]);
}

describe('a page that names 200 URLs in its text', () => {
  // one crawl has a browser at hand; the pages have no script
  it.each<readonly [what: string, speculative: RequestListener, requests: number, render: 'auto' | 'never']>([
    ['nothing is there', (_request, response) => answer(response, 404, 'Not found'), FIRST_TRUST, 'auto'],
    [
      // only the first proves right: the same words again prove nothing
      'all are answered with the same page',
      (_request, response) => answer(response, 200, 'Here'),
      FIRST_TRUST + 2,
      'never',
    ],
    [
      'all lead back home',
      (_request, response) => void response.writeHead(302, { location: '/' }).end(),
      FIRST_TRUST,
      'never',
    ],
  ])('has only a few of them asked for where %s', async (_what, speculative, requests, render) => {
    await using origin = await site(speculative);
    const run = await runCrawl({ seeds: [`${origin.url}/`], delay: 0, workers: 2, render });
    expect(asked(origin)).toHaveLength(requests);
    expect(new Set(asked(origin)).size).toBe(requests);
    const speculativeLinks = [...run.skipped.values()].filter(({ reason }) => reason === 'low-confidence');
    expect(speculativeLinks).toHaveLength(SPECULATIVE - requests);
    expect(speculativeLinks[0]).toMatchObject({ referrer: `${origin.url}/` });
    expect(run.links.filter(({ kind, confidence }) => kind === 'text' && confidence === 'low')).toHaveLength(
      SPECULATIVE,
    );
    expect(run.pages.filter((page) => page.confidence === 'low')).toHaveLength(requests);
    expect(run.report.failures).toEqual([]);
    expectBalance(run);
  });

  it('has all of them visited in the end where they are there, after what is linked', async () => {
    await using origin = await site(({ url = '' }, response) => answer(response, 200, wordsFor(url)));
    const run = await runCrawl({ seeds: [`${origin.url}/`], delay: 0, workers: 2, render: 'never' });
    expect([...asked(origin)].toSorted()).toEqual(paths);
    expect(origin.requests.filter((line) => !line.endsWith('.txt')).slice(0, 2)).toEqual(['GET /', 'GET /linked']);
    expect(run.report.outcomes).toEqual({ captured: SPECULATIVE + 2 });
    expectBalance(run);
  });

  it('keeps its budget when the crawl is killed and resumed', async () => {
    await using origin = await site((_request, response) => void setTimeout(() => answer(response, 404, ''), 100));
    const folder = join(base, 'killed');
    const args = [
      'crawl',
      `${origin.url}/`,
      '-o',
      folder,
      '--delay',
      '0',
      '-w',
      '1',
      '--no-sitemap',
      '--render',
      'never',
    ];
    const command = runCommand(args, base);
    await until(() => asked(origin).length >= 4, `speculative links: ${command.output()}`);
    command.child.kill('SIGKILL');
    await command.ended;
    const { code, output } = await runHere(['resume', folder], base);
    expect(code, output).toBe(0);
    // pages in flight at the kill are requested again
    expect(new Set(asked(origin)).size).toBe(FIRST_TRUST);
    const skipped = await linesOf<SkippedRecord>(folder, 'skipped.jsonl');
    expect(skipped.map(({ reason }) => reason)).toEqual(Array.from({ length: 192 }, () => 'low-confidence'));
  });
});

describe('an extension', () => {
  it.each(['always', 'never'] as const)('reads files of a type that only it knows, --render %s', async (render) => {
    await using origin = await httpOrigin(({ url }, response) => {
      if (url !== '/') return answer(response, url === '/robots.txt' ? 404 : 200, `Words of ${url}`);
      response.writeHead(200, { 'content-type': 'application/x-list' }).end('one two');
    });
    const lists = defineExtension({
      name: 'lists',
      discoverers: [
        {
          name: 'list',
          accepts: (contentType) => contentType === 'application/x-list',
          discover: ({ text, url }) =>
            text.split(' ').map((word) => fileLink(word, url, { kind: 'feed', context: 'list' })),
        },
      ],
    });
    const run = await runCrawl({ seeds: [`${origin.url}/`], delay: 0, render, extensions: [lists] });
    expect(run.report.outcomes).toEqual({ 'not-html': 1, captured: 2 });
    expect(run.pages[0]).toMatchObject({ outcome: 'not-html', bytes: 7, links: { found: 2, new: 2, parts: 0 } });
    expect(origin.requests.filter((line) => line.endsWith('/'))).toHaveLength(1);
  });

  it('has the links that its discoverers find followed, and one that fails costs no page', async () => {
    await using origin = await httpOrigin(({ url }, response) =>
      answer(response, url === '/robots.txt' ? 404 : 200, url === '/' ? '[[one]] [[two]]' : `Words of ${url}`),
    );
    const wiki = defineExtension({
      name: 'wiki',
      discoverers: [
        {
          name: 'broken',
          accepts: () => true,
          discover: () => {
            throw new Error('broken');
          },
        },
        {
          name: 'brackets',
          accepts: (contentType) => contentType === 'text/html',
          discover: ({ text, url }) =>
            [...text.matchAll(/\[\[(\w+)\]\]/g)].map(([, name = '']) =>
              fileLink(`/${name}`, url, { kind: 'text', context: '[[…]]' }),
            ),
        },
      ],
    });
    const warnings: string[] = [];
    const nothing = (): void => {};
    const log = { debug: nothing, info: nothing, error: nothing, warn: (event: string) => void warnings.push(event) };
    const run = await runCrawl({ seeds: [`${origin.url}/`], delay: 0, render: 'never', extensions: [wiki], log });
    expect(run.report.outcomes).toEqual({ captured: 3 });
    expect(run.links.map(({ href, context, confidence }) => [href, context, confidence])).toEqual([
      ['/one', '[[…]]', 'high'],
      ['/two', '[[…]]', 'high'],
    ]);
    expect(warnings).toEqual(['discoverer failed', 'discoverer failed', 'discoverer failed']);
  });
});

describe('a script that every folder serves under its own address', () => {
  const SCRIPT = "var pages = ['part/one.html', './part/two.html', '/rooted/three.html'];";

  function folders(): Promise<HttpOrigin> {
    return httpOrigin((request, response) => {
      const path = request.url ?? '';
      if (path.endsWith('.js') || path.includes('.js?'))
        return void response.writeHead(200, { 'content-type': 'text/javascript' }).end(SCRIPT);
      if (!/^\/(?:[a-e]\/)?$/.test(path)) return answer(response, 404, '');
      const links = ['a', 'b', 'c', 'd', 'e'].map((name) => `<a href="/${name}/">${name}</a>`).join(' ');
      const scripts = `<script src="app.js"></script><script src="/app.js?${path.length}${path.charCodeAt(1)}"></script>`;
      answer(response, 200, `${wordsFor(path)} ${links}${scripts}`);
    });
  }

  it('has its strings told once, relative to the first page that loaded it', async () => {
    await using origin = await folders();
    const { pages, links } = await runCrawl({ seeds: [`${origin.url}/`], delay: 0, workers: 1, render: 'always' });
    expect(pages.filter(({ outcome }) => outcome === 'captured')).toHaveLength(6);
    const literals = links.filter(({ context }) => context === 'literal');
    expect(literals.map(({ from, to }) => [from, to].map((each) => each.slice(origin.url.length)))).toEqual([
      ['/', '/part/one.html'],
      ['/', '/part/two.html'],
      ['/', '/rooted/three.html'],
    ]);
  });
});

describe('pages that only a guess led to', () => {
  it('are guesses, to whatever depth, until a page that is none names them', async () => {
    await using origin = await httpOrigin((request, response) => {
      const path = request.url ?? '';
      const link = (to: string): string => `<p>${wordsFor(path)}</p><a href="${to}">on</a>`;
      if (path === '/') return answer(response, 200, `${link('/known')} http://${request.headers.host}/guess`);
      if (path === '/guess') return answer(response, 200, `${link('/below')} ${link('/known')}`);
      if (path === '/below') return answer(response, 200, link('/further'));
      if (path === '/known') return answer(response, 200, link('/'));
      return answer(response, path === '/further' ? 200 : 404, wordsFor(path));
    });
    const { pages } = await runCrawl({ seeds: [`${origin.url}/`], delay: 0, workers: 1, render: 'never' });
    expect(Object.fromEntries(pages.map(({ url, confidence }) => [url.slice(origin.url.length), confidence]))).toEqual({
      '/': 'high',
      '/known': 'high',
      '/guess': 'low',
      '/below': 'low',
      '/further': 'low',
    });
  });
});
