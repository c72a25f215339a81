/** All fixture sites in one crawl: `--render auto` finds the same as `--render always`. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { StartOptions } from '../../src/crawl/start-crawl.ts';
import type { LinkRecord, PageRecord } from '../../src/model/record.ts';
import { runCrawl, type CrawlRun } from '../support/crawl-run.ts';
import { openFixtureSite } from '../support/site-server/open-fixture-site.ts';
import { fixtureFolder, openFixture, siteNames } from '../support/fixture-sites.ts';

interface Site extends AsyncDisposable {
  readonly name: string;
  readonly seeds: readonly string[];
  requests(): readonly { readonly host: string; readonly path: string }[];
  /** Does a URL belong to one of its hosts? */
  holds(url: string): boolean;
}

const recall = z.object({ from: z.array(z.string()).default(['/']) });

/** A fixture site with the pages to start from: its start page, or the list in its recall.json. */
async function openSite(name: string): Promise<Site> {
  const folder = fixtureFolder(name);
  const list = await readFile(join(folder, 'recall.json'), 'utf8').catch(() => '{}');
  const server = await openFixtureSite(folder);
  const origins = new Set(server.origins.values());
  return {
    name,
    seeds: recall.parse(JSON.parse(list)).from.map((path) => new URL(path, server.url).href),
    requests: () => server.requests(),
    holds: (url) => URL.canParse(url) && origins.has(new URL(url).origin),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Facts of a page that must not depend on how it was read. */
function pageFacts(page: PageRecord): string {
  const { url, finalUrl, outcome, status, contentType, depth, title, description, canonical, lang, h1, robots } = page;
  return JSON.stringify({
    confidence: page.confidence,
    url,
    finalUrl,
    outcome,
    status,
    contentType,
    depth,
    title,
    description,
    canonical,
    lang,
    h1,
    robots,
  });
}

/** Links in a script's text are reported for the first page that loads the script. */
function isOfScript(context: unknown): boolean {
  return context === 'literal' || context === 'script comment';
}

/**
 * All recorded facts of links that do not vary. Links in a script are reported for the first page that loads it, which depends
 * on the order; a blob address is new each time; the number of a counting poll depends on time.
 */
function linksOf(links: readonly LinkRecord[]): readonly string[] {
  const asked = links.filter(({ kind }) => kind === 'request').map(({ from, to }) => `${from} ${withoutQuery(to)}`);
  const times = count(asked);
  const isPoll = ({ from, to, kind }: LinkRecord): boolean =>
    kind === 'request' && (times.get(`${from} ${withoutQuery(to)}`) ?? 0) >= POLL_COUNT;
  const lines = links.map((link) => {
    const { from, to, kind, confidence, context, frame, text, rel } = link;
    const where = { from: isOfScript(context) ? '' : from, to: isPoll(link) ? withoutQuery(to) : to };
    return JSON.stringify({ ...where, kind, confidence, context, frame, text, rel });
  });
  return [...new Set(lines.map((line) => line.replaceAll(/blob:[^"]*/g, 'blob:')))].toSorted();
}

/** Each try of a page whose server closes the connection may be two requests, the first on a kept connection: chance decides. */
function isSentAgain(detail: string | null): boolean {
  return /^the server (?:reset|closed) the connection/.test(detail ?? '');
}

/** The number of requests of one address on one page from which on they count as polls, as in the renderer. */
const POLL_COUNT = 4;

function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, '');
}

/** Links without those from sheets and scripts: a crawl that never renders loads neither. */
function withoutFiles(links: readonly LinkRecord[]): readonly LinkRecord[] {
  return links.filter(({ kind, context }) => kind !== 'css' && !isOfScript(context));
}

function count(items: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

/** Sites whose pages hang, lie or fail: they are crawled alone, with shorter limits. */
const IMPATIENT: Readonly<Record<string, Partial<StartOptions>>> = {
  'endless-poll': { retries: 0, pageTimeout: 10_000, settleTimeout: 5000 },
  'hostile-page': { retries: 0, pageTimeout: 10_000, settleTimeout: 5000 },
  errors: { retries: 1, pageTimeout: 5000, settleTimeout: 3000 },
};
/** The site that differs each time without --deterministic (fixtures/sites/restless). */
const NEVER_THE_SAME = 'restless';
const names = (await siteNames()).filter((name) => name !== NEVER_THE_SAME);
const crowds: readonly (readonly [what: string, names: readonly string[], options: Partial<StartOptions>])[] = [
  ['all sites', names.filter((name) => IMPATIENT[name] === undefined), { workers: 3, maxCrawlDelay: 1000 }],
  ...Object.entries(IMPATIENT).map(([name, options]) => [name, [name], options] as const),
];

describe.each(crowds)('a crawl of %s that renders where it pays', (_what, crowd, options) => {
  let sites: readonly Site[] = [];
  let always: CrawlRun;
  let auto: CrawlRun;
  let before: ReadonlyMap<string, number>;
  let after: ReadonlyMap<string, number>;

  beforeAll(async () => {
    sites = await Promise.all(crowd.map(openSite));
    const seeds = sites.flatMap((site) => site.seeds);
    const asked = (): readonly string[] =>
      sites.flatMap((site) => site.requests().map(({ host, path }) => `http://${host}${path}`));
    // time decides which of two copies comes first, and only the first one's links are followed
    const all = { seeds, delay: 0, followDuplicates: true, ...options };
    always = await runCrawl({ ...all, render: 'always' });
    before = count(asked());
    auto = await runCrawl({ ...all, render: 'auto' });
    after = new Map([...count(asked())].map(([url, times]) => [url, times - (before.get(url) ?? 0)]));
  }, 300_000);
  afterAll(async () => {
    for (const site of sites) await site[Symbol.asyncDispose]();
  });

  test.each(crowd)('finds in %s what one finds that always renders', (name) => {
    const site = sites.find((each) => each.name === name);
    const isHere = (url: string): boolean => site?.holds(url) === true;
    // a URL that several sites name is recorded for one of them, the first
    const namedBy = new Map<string, Set<string>>();
    for (const { from, to } of [...always.links, ...auto.links]) {
      const origins = namedBy.get(to) ?? new Set();
      namedBy.set(to, origins.add(new URL(from).origin));
    }
    const isOnlyHere = (url: string): boolean => [...(namedBy.get(url) ?? [])].every(isHere);
    const pages = ({ pages: all }: CrawlRun): readonly string[] =>
      all
        .filter(({ url }) => isHere(url))
        .map(pageFacts)
        .toSorted();
    const links = ({ links: all }: CrawlRun): readonly string[] => linksOf(all.filter(({ from }) => isHere(from)));
    const skipped = ({ skipped: all }: CrawlRun): readonly string[] =>
      [...all.values()]
        .filter(({ url, referrer }) => isHere(url) || (isHere(referrer ?? '') && isOnlyHere(url)))
        .map(({ url, reason }) => `${reason} ${url}`.replace(/blob:.*/, 'blob:'))
        .toSorted();
    expect(pages(always)).not.toEqual([]);
    expect(pages(auto)).toEqual(pages(always));
    expect(links(auto)).toEqual(links(always));
    expect(skipped(auto)).toEqual(skipped(always));
    const mayBe = ({ url, detail }: PageRecord): number => (before.get(url) ?? 0) * (isSentAgain(detail) ? 2 : 1);
    const tooOften = auto.pages.filter((page) => isHere(page.url) && (after.get(page.url) ?? 0) > mayBe(page));
    expect(tooOften.map(({ url }) => url)).toEqual([]);
  });

  test('renders no more pages', () => {
    const rendered = ({ pages }: CrawlRun): number => pages.filter((page) => page.rendered).length;
    expect(rendered(auto)).toBeLessThan(Math.max(rendered(always), 1));
  });
});

describe('a crawl that never renders', () => {
  test('needs no browser, and reads what the markup holds', async () => {
    await using site = await openFixture('static-site');
    const always = await runCrawl({ seeds: [site.url], delay: 0, render: 'always' });
    const never = await runCrawl({ seeds: [site.url], delay: 0, render: 'never', browser: '/nowhere/browser' });
    expect(never.pages.map(pageFacts).toSorted()).toEqual(always.pages.map(pageFacts).toSorted());
    expect(linksOf(withoutFiles(never.links))).toEqual(linksOf(withoutFiles(always.links)));
    expect(never.pages.filter(({ rendered }) => rendered)).toEqual([]);
  });

  test.each([
    ['a picture', { snapshot: ['screenshot'] }, 'snapshot screenshot'],
    ['an element to wait for', { waitFor: '#x' }, 'waitFor'],
    ['clicks', { explore: 'click' }, 'explore click'],
    ['a way to settle', { settle: { kind: 'load' } }, 'settle load'],
    ['a selector of links', { selectLinks: ['a->href'] }, 'selectLinks'],
  ] as const)('cannot be asked for %s', async (_what, option, words) => {
    const refused = runCrawl({ seeds: ['http://localhost:9/'], render: 'never', ...option });
    await expect(refused).rejects.toThrow(`${words} needs a browser, and render never does without one`);
  });
});
