/** A site of pages of one cluster of which later ones are not as those before, and what a crawl of it left. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { LinkRecord, PageRecord, SkippedRecord } from '../../src/model/record.ts';
import type { FixtureServer, Route } from '../render/fixture-server.ts';
import { linesOf, type CrawlRun } from './crawl-run.ts';

export const PAGES = 40;
/** From here on all pages have a link that only their script makes, and before it these. */
const DIFFERENT = 27;
export const EARLY = [13, 17];

const hasLate = (number: number): boolean => number >= DIFFERENT || EARLY.includes(number);

/**
 * A chain of pages of one template, whose script adds a link to each, and goes by the path alone where it adds another: no name in the markup tells
 * which of them it changes.
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

/** The books add up, and each URL has one line in one file. */
export function expectBalance({ report: { totals }, pages, skipped }: CrawlRun): void {
  const urls = [...pages.map(({ url }) => url), ...skipped.keys()];
  expect(new Set(urls).size).toBe(urls.length);
  expect([pages.length, skipped.size]).toEqual([totals.visited + totals.failed, totals.skipped]);
  expect(totals.visited + totals.failed + totals.skipped + totals.queued).toBe(totals.discovered);
}

/** What a crawl left in its folder. */
export async function runIn(folder: string): Promise<CrawlRun> {
  const skipped = await linesOf<SkippedRecord>(folder, 'skipped.jsonl');
  return {
    report: JSON.parse(await readFile(join(folder, 'crawl.json'), 'utf8')) as CrawlRun['report'],
    pages: await linesOf<PageRecord>(folder, 'pages.jsonl'),
    links: await linesOf<LinkRecord>(folder, 'links.jsonl'),
    skipped: new Map(skipped.map((record) => [record.url, record])),
  };
}

/** The paths of items that were asked for more than once. */
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

/** What is to be found: the start, the items, and what their scripts lead to. */
export function everythingOf(pages = PAGES): readonly string[] {
  return ['/', '/imprint', ...Object.keys(againSite(pages)).filter((path) => /\d$/.test(path))].toSorted();
}
export const EVERYTHING: readonly string[] = everythingOf();
