/** A site of one page cluster whose later pages differ from the earlier ones, and the results of a crawl of it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { LinkRecord, PageRecord, SkippedRecord } from '../../src/model/record.ts';
import type { FixtureServer, Route } from '../render/fixture-server.ts';
import { linesOf, type CrawlRun } from './crawl-run.ts';

export const PAGES = 40;
/** The first of the pages that all have a link made only by their script; before it only the pages in `EARLY` have one. */
const DIFFERENT = 27;
export const EARLY = [13, 17];

const hasLate = (number: number): boolean => number >= DIFFERENT || EARLY.includes(number);

/**
 * A chain of pages of one template. Their script adds a link to each, and decides by the path alone where it adds another: no name in the
 * markup shows which pages it changes.
 */
export function againSite(pages = PAGES): Record<string, Route> {
  const script = `document.body.insertAdjacentHTML('beforeend', '<p><a href="/imprint">imprint</a></p>');
    const number = Number(location.pathname.slice('/item/'.length));
    if (number >= ${DIFFERENT} || ${JSON.stringify(EARLY)}.includes(number))
      document.body.insertAdjacentHTML('beforeend', '<p><a href="/late/' + number + '">more of it</a></p>');`;
  const routes: Record<string, Route> = {
    '/': '<title>start</title><a href="/item/0">first</a>',
    '/imprint': '<title>Imprint</title><p>Who has made this.</p>',
    '/app.js': (_request, response) => {
      response.setHeader('content-type', 'text/javascript');
      response.end(script);
    },
  };
  for (let number = 0; number < pages; number += 1) {
    routes[`/item/${number}`] =
      `<!doctype html><title>Item ${number}</title><p>Words of item ${number}.</p><a href="/item/${(number + 1) % pages}">next</a><a href="/">home</a><script src="/app.js"></script>`;
    if (hasLate(number)) routes[`/late/${number}`] = `<title>Late ${number}</title><p>More of item ${number}.</p>`;
  }
  return routes;
}

export const urlsOf = ({ pages }: CrawlRun): readonly string[] =>
  pages.map(({ url }) => new URL(url).pathname).toSorted();

export const edgesOf = ({ links }: CrawlRun): readonly string[] =>
  links
    .filter(({ confidence }) => confidence === 'high')
    .map(({ from, to, kind, context }) => `${new URL(from).pathname} ${kind} ${context} ${new URL(to).pathname}`)
    .toSorted();

/** Expects the totals to balance, and each URL to have one line in one file. */
export function expectBalance({ report: { totals }, pages, skipped }: CrawlRun): void {
  const urls = [...pages.map(({ url }) => url), ...skipped.keys()];
  expect(new Set(urls).size).toBe(urls.length);
  expect([pages.length, skipped.size]).toEqual([totals.visited + totals.failed, totals.skipped]);
  expect(totals.visited + totals.failed + totals.skipped + totals.queued).toBe(totals.discovered);
}

/** The results of a crawl, read from its folder. */
export async function runIn(folder: string): Promise<CrawlRun> {
  const skipped = await linesOf<SkippedRecord>(folder, 'skipped.jsonl');
  return {
    report: JSON.parse(await readFile(join(folder, 'crawl.json'), 'utf8')) as CrawlRun['report'],
    pages: await linesOf<PageRecord>(folder, 'pages.jsonl'),
    links: await linesOf<LinkRecord>(folder, 'links.jsonl'),
    skipped: new Map(skipped.map((record) => [record.url, record])),
  };
}

/** The paths of items that were requested more than once. */
export function askedAgain({ asked }: FixtureServer): readonly string[] {
  const items = asked.filter((line) => line.startsWith('GET /item/'));
  return items.filter((line, index) => items.indexOf(line) < index);
}

export function numbersOf(pages: readonly PageRecord[], wanted: (page: PageRecord) => boolean): readonly number[] {
  return pages
    .filter((page) => page.url.includes('/item/') && wanted(page))
    .map(({ url }) => Number(url.replace(/^.*\//, '')))
    .toSorted((one, other) => one - other);
}

/** Everything to find: the start, the items, and the targets of their scripts. */
export function everythingOf(pages = PAGES): readonly string[] {
  return ['/', '/imprint', ...Object.keys(againSite(pages)).filter((path) => /\d$/.test(path))].toSorted();
}
export const EVERYTHING: readonly string[] = everythingOf();
