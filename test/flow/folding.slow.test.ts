/** Parameters that change nothing, in whole crawls: which URLs need no fetch, and that nothing is lost. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FoldedParameters, PageRecord, SkippedRecord } from '../../src/model/record.ts';
import { runHere } from '../support/command-here.ts';
import { runCommand } from '../support/command.ts';
import { linesOf, runCrawl, type CrawlRun } from '../support/crawl-run.ts';
import { httpOrigin, type HttpOrigin } from '../support/origin.ts';
import { until } from '../support/until.ts';

let base = '';
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'orbweaver-folding-'));
});
afterAll(() => rm(base, { recursive: true, force: true }));

const NAMES = 'ash birch cedar elm fir hazel larch maple oak pine rowan yew'.split(' ');

/** Enough words to make a page unlike any other. */
function words(of: string): string {
  return Array.from(
    { length: 40 },
    (_, index) => `${of.replaceAll(/[^a-z]+/gi, '')}${'abcdefghij'.charAt(index % 10)}${NAMES[index % 12]}`,
  ).join(' ');
}

interface Asked {
  readonly path: string;
  readonly query: URLSearchParams;
}

/** A site whose pages all link to each other. @param says the text of a page besides its name @param hrefs the links to a page, on a page */
function site(
  says: (asked: Asked) => string,
  hrefs: (to: string, from: string) => readonly string[],
): Promise<HttpOrigin> {
  return httpOrigin((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://a.test');
    const name = pathname.slice(1);
    const isThere = name === '' || NAMES.includes(name);
    response.writeHead(isThere ? 200 : 404, { 'content-type': 'text/html' });
    const links = NAMES.flatMap((to) => hrefs(to, name)).map((href) => `<a href="${href}">on</a>`);
    const text = `${words(name === '' ? 'start' : name)} ${says({ path: pathname, query: searchParams })}`;
    response.end(`<!doctype html><title>${name}</title><p>${text}</p>${links.join(' ')}`);
  });
}

const OPTIONS = { delay: 0, render: 'never', followDuplicates: true } as const;

function expectBalance({ report: { totals }, pages, skipped }: CrawlRun): void {
  expect(totals.visited + totals.failed + totals.skipped + totals.queued).toBe(totals.discovered);
  expect([pages.length, skipped.size]).toEqual([totals.visited + totals.failed, totals.skipped]);
}

const foldsOf = ({ skipped }: CrawlRun): readonly SkippedRecord[] =>
  [...skipped.values()].filter(({ reason }) => reason === 'duplicate-query');

const captured = ({ pages }: CrawlRun): ReadonlySet<string> =>
  new Set(pages.filter(({ outcome }) => outcome === 'captured').map(({ url }) => url.replace(/^[^]*?\/\/[^/]*/, '')));

describe('a parameter that says where a link was', () => {
  const REFERRED = (to: string, from: string): readonly string[] => [`/${to}`, `/${to}?ref=${from}`];

  it('is folded: most of its URLs are not fetched, and the summary and the records say so', async () => {
    await using origin = await site(() => '', REFERRED);
    const run = await runCrawl({ seeds: [`${origin.url}/`], ...OPTIONS });
    expect(run.report.end).toBe('all-visited');
    for (const name of NAMES) expect(captured(run)).toContain(`/${name}`);
    const folds = foldsOf(run);
    expect(folds.length).toBeGreaterThan(NAMES.length * 6);
    expect(folds.length + run.pages.length).toBe(1 + NAMES.length * 14);
    expect(folds[0]?.rule).toBe(`parameter ref changes nothing, on pages like ${origin.url}/*`);
    expect(run.report.foldedParameters).toMatchObject([
      { pattern: `${origin.url}/*`, parameters: ['ref'], hasPlaces: false, held: folds.length },
    ]);
    expectBalance(run);
  });

  it('is fetched where the user keeps it', async () => {
    await using origin = await site(() => '', REFERRED);
    const run = await runCrawl({ seeds: [`${origin.url}/`], ...OPTIONS, keepQueryParams: ['ref'] });
    expect(foldsOf(run)).toEqual([]);
    expect(run.pages).toHaveLength(1 + NAMES.length * 14);
  });

  it('is not folded where it is one of the pages of a list, whatever its pages say', async () => {
    await using origin = await site(
      () => '',
      (to) => ['', '?page=1', '?page=2', '?page=3'].map((query) => `/${to}${query}`),
    );
    const run = await runCrawl({ seeds: [`${origin.url}/`], ...OPTIONS });
    expect(foldsOf(run)).toEqual([]);
    expect(run.pages).toHaveLength(1 + NAMES.length * 4);
  });
});

describe('nothing is lost', () => {
  const VALUES = NAMES.slice(0, 8);
  const queries = (name: string): readonly string[] => ['', ...VALUES.map((value) => `?${name}=${value}`)];
  const numbers = (name: string): readonly string[] => ['', ...VALUES.map((_, index) => `?${name}=${index + 1}`)];

  it.each<[what: string, says: (asked: Asked) => string, queries: readonly string[]]>([
    [
      'where a parameter matters on some pages only',
      ({ path, query }) => (/elm|oak/.test(path) ? words(`m${query.get('mode')}`) : ''),
      queries('mode'),
    ],
    [
      'where it matters from the fifth value on',
      ({ query }) => (Number(query.get('tier')) > 4 ? `tier${'abcdefghi'.charAt(Number(query.get('tier')))}` : ''),
      numbers('tier'),
    ],
    [
      'where a list ends',
      ({ query }) =>
        Number(query.get('leaf')) > 3 ? 'no more' : `leaf${'abcdefghi'.charAt(Number(query.get('leaf')))}`,
      numbers('leaf'),
    ],
    [
      'where only two parameters together matter',
      ({ query }) =>
        query.get('key') !== null && query.get('mode') !== null
          ? words(`k${query.get('key')}${query.get('mode')}`)
          : '',
      [
        '',
        '?mode=a',
        '?mode=b',
        '?key=a',
        '?key=b',
        '?mode=a&key=a',
        '?mode=a&key=b',
        '?mode=b&key=a',
        '?mode=b&key=b',
      ],
    ],
  ])('%s', async (_what, says, all) => {
    await using origin = await site(says, (to) => all.map((query) => `/${to}${query}`));
    const run = await runCrawl({ seeds: [`${origin.url}/`], ...OPTIONS });
    const textAt = (url: string): string => {
      const { pathname, searchParams } = new URL(url, origin.url);
      return pathname + says({ path: pathname, query: searchParams });
    };
    const there = NAMES.flatMap((name) => all.map((query) => textAt(`/${name}${query}`)));
    const seen = new Set([...captured(run)].map(textAt));
    expect(there.filter((text) => !seen.has(text))).toEqual([]);
    expectBalance(run);
  });

  it('where a parameter that changed nothing for long begins to matter: what was folded comes back', async () => {
    const matters = { late: false };
    await using origin = await httpOrigin((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://a.test');
      const name = pathname.slice(1);
      response.writeHead(name === '' || NAMES.includes(name) || name === 'last' ? 200 : 404, {
        'content-type': 'text/html',
      });
      // the first page links to the last page, which has other content for each value
      const links =
        name === 'last'
          ? []
          : [...NAMES, 'last'].flatMap((to) => [`/${to}`, ...VALUES.map((value) => `/${to}?mode=${value}`)]);
      matters.late ||= name === 'last' && searchParams.get('mode') !== null;
      const own = matters.late ? (searchParams.get('mode') ?? '') : '';
      const body = links.map((href) => `<a href="${href}">on</a>`).join(' ');
      response.end(`<!doctype html><title>${name}</title><p>${words(name + own)}</p>${body}`);
    });
    const run = await runCrawl({ seeds: [`${origin.url}/`], ...OPTIONS });
    expect(matters.late).toBe(true);
    expect([...captured(run)].filter((url) => url.startsWith('/last'))).toHaveLength(1 + VALUES.length);
    expect(foldsOf(run)).toEqual([]);
    expect(run.pages).toHaveLength(1 + 13 * (1 + VALUES.length));
    expectBalance(run);
  });
});

describe('a documentation with its routes behind a hash', () => {
  const PARTS = ['install', 'use-it', 'options', 'faults', 'history', 'thanks'];

  it('has the places in its pages folded', async () => {
    const pages = Object.fromEntries(NAMES.map((name) => [name, words(name)]));
    const script = `
      const pages = ${JSON.stringify(pages)}, parts = ${JSON.stringify(PARTS)};
      const draw = () => {
        const name = (location.hash.match(/^#\\/(\\w*)/) ?? [])[1] || 'ash';
        const part = (to, each) => '<a href="#/' + to + '?id=' + each + '">' + each + '</a> ';
        const own = parts.map((each) => '<h2 id="' + each + '">' + part(name, each) + '</h2>').join('');
        const menu = Object.keys(pages).map((to) => '<a href="#/' + to + '">' + to + '</a> ' + part(to, parts[1])).join('');
        document.body.innerHTML = '<nav>' + menu + '</nav><p>' + pages[name] + '</p>' + own;
      };
      addEventListener('hashchange', draw); draw();`;
    await using origin = await httpOrigin((request, response) => {
      response.writeHead(request.url === '/' ? 200 : 404, { 'content-type': 'text/html' });
      response.end(`<!doctype html><title>Docs</title><body><script>${script}</script>`);
    });
    const run = await runCrawl({ seeds: [`${origin.url}/`], delay: 0, workers: 1 });
    for (const name of NAMES) expect(captured(run)).toContain(`/#/${name}`);
    const folds = foldsOf(run);
    expect(folds[0]?.rule).toBe(`it names a place in a page that was visited, on pages like ${origin.url}/##/*`);
    expect(folds.length).toBeGreaterThan((NAMES.length * PARTS.length) / 2);
    expect(run.report.foldedParameters).toMatchObject([{ parameters: [], hasPlaces: true, held: folds.length }]);
    expectBalance(run);
  }, 120_000);
});

describe('a crawl that is killed', () => {
  it('knows what it had learnt when it is resumed', async () => {
    await using origin = await site(
      () => '',
      (to, from) => [`/${to}`, `/${to}?ref=${from}`],
    );
    const folder = join(base, 'killed');
    const args = [
      'crawl',
      `${origin.url}/`,
      '--output',
      folder,
      '--render',
      'never',
      '--delay',
      '0',
      '--no-sitemap',
      '--follow-duplicates',
    ];
    const command = runCommand([...args, '--workers', '1'], base);
    await until(() => origin.requests.length >= 60, `pages: ${command.output()}`);
    command.child.kill('SIGKILL');
    await command.ended;
    const before = origin.requests.length;
    const { code, output } = await runHere(['resume', folder], base);
    expect(code, output).toBe(0);
    expect(output).toContain('Parameters that change nothing');
    const pages = await linesOf<PageRecord>(folder, 'pages.jsonl');
    const lines = await linesOf<SkippedRecord>(folder, 'skipped.jsonl');
    const skipped = lines.filter(({ reason }) => reason !== 'probe');
    expect(new Set([...pages, ...skipped].map(({ url }) => url)).size).toBe(1 + NAMES.length * 14);
    expect(pages.length + skipped.length).toBe(1 + NAMES.length * 14);
    const { foldedParameters } = JSON.parse(await readFile(join(folder, 'crawl.json'), 'utf8')) as {
      readonly foldedParameters: readonly FoldedParameters[];
    };
    expect(foldedParameters).toMatchObject([{ parameters: ['ref'], held: skipped.length }]);
    // relearning would take as many visits as before
    expect(origin.requests.length - before).toBeLessThan(before);
  }, 60_000);
});
