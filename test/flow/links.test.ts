/** Queries for the links of real crawls; each answer is compared with a plain reading of the folder's lines. */
import { appendFile, cp, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { leadsToPage } from '../../src/core/links/page-link.ts';
import { startCrawl } from '../../src/crawl/start-crawl.ts';
import { queryLinks, rankCrawl, resumeCrawl } from '../../src/index.ts';
import { queryDeadEnds, queryDepths, queryOrphans, queryWay } from '../../src/inspect/query-links.ts';
import type { LinkRecord, PageRecord } from '../../src/model/record.ts';
import type { CrawlOptions } from '../../src/options/options.ts';
import { MOUNTS, onReadOnlyDisk } from '../support/mounted.ts';
import { openFixtureSite } from '../support/site-server/open-fixture-site.ts';
import { fixtureFolder } from '../support/fixture-sites.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'orbweaver-links-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

interface Crawled {
  readonly output: string;
  /** Scheme, name and port of the first host of the site. */
  readonly origin: string;
  readonly links: readonly LinkRecord[];
  readonly pages: readonly PageRecord[];
}

type Options = Partial<CrawlOptions> & {
  /** Paths of the seeds. */
  readonly from?: readonly string[];
};

const crawls = new Map<string, Promise<Crawled>>();
/** A crawl of the site, which runs once for all tests: each test gets a copy, which it may change. */
async function crawled(site: string, options: Options = {}): Promise<Crawled> {
  const key = JSON.stringify([site, options]);
  const crawling = crawls.get(key) ?? crawlOf(site, options);
  crawls.set(key, crawling);
  const crawl = await crawling;
  const output = await mkdtemp(join(folder, 'copy-'));
  await cp(crawl.output, output, { recursive: true, preserveTimestamps: true });
  return { ...crawl, output };
}

async function crawlOf(site: string, { from = ['/'], ...options }: Options): Promise<Crawled> {
  const output = await mkdtemp(join(folder, 'crawl-'));
  await using server = await openFixtureSite(fixtureFolder(site));
  await using crawl = await startCrawl({
    seeds: from.map((path) => new URL(path, server.url).href),
    output,
    overwrite: true,
    delay: 0,
    render: 'never',
    snapshot: [],
    ...options,
  });
  await crawl.report();
  const [seed = ''] = crawl.seeds;
  const [links, pages] = [await linesOf<LinkRecord>(output, 'links'), await linesOf<PageRecord>(output, 'pages')];
  return { output, origin: new URL(seed).origin, links, pages };
}

async function linesOf<Line>(output: string, name: string): Promise<readonly Line[]> {
  const text = await readFile(join(output, `${name}.jsonl`), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}

const all = { limit: 1e6, onIndexing: () => expect.unreachable('the index was built again') };
const inOneOrder = (links: readonly LinkRecord[]): readonly string[] =>
  links.map((link) => JSON.stringify(link)).sort();

describe.each([
  ['links-markup', {}],
  ['links-headers', {}],
  [
    'links-files',
    { from: ['/', '/sitemap.xml', '/index-of-maps.xml', '/feed.rss', '/data.json', '/style.css', '/notes.txt'] },
  ],
  ['sitemaps', { scope: 'any' }],
  ['redirects', {}],
  ['nofollow', {}],
  [
    'links-navigation',
    { from: ['/href', '/click', '/meta', '/form', '/from-frame'], render: 'always', explore: 'click' },
  ],
  ['links-history', { render: 'always' }],
] as const)('of the crawl of %s', (site, options) => {
  let crawl: Crawled;
  beforeAll(async () => {
    crawl = await crawled(site, options);
  });

  test('--to and --from tell every line of links.jsonl, for every URL', async () => {
    const urls = new Set(crawl.links.flatMap(({ from, to }) => [from, to]));
    expect(urls.size).toBeGreaterThan(3);
    for (const url of urls) {
      const to = await queryLinks(crawl.output, 'to', url, all);
      const direct = to.links.filter(({ via }) => via === undefined);
      expect(inOneOrder(direct)).toEqual(inOneOrder(crawl.links.filter((link) => link.to === url)));
      const from = await queryLinks(crawl.output, 'from', url, all);
      expect(inOneOrder(from.links)).toEqual(inOneOrder(crawl.links.filter((link) => link.from === url)));
      expect(from.total).toBe(new Set(crawl.links.filter((link) => link.from === url).map((link) => link.to)).size);
      expect([to.more, from.more]).toEqual([false, false]);
    }
  });

  test('--kind, --pages and --parts tell the lines that they name', async () => {
    for (const url of new Set(crawl.links.map(({ from }) => from))) {
      const own = crawl.links.filter((link) => link.from === url);
      for (const kind of new Set(own.map((link) => link.kind))) {
        const { links, byKind } = await queryLinks(crawl.output, 'from', url, { ...all, kinds: [kind] });
        expect(inOneOrder(links)).toEqual(inOneOrder(own.filter((link) => link.kind === kind)));
        expect(byKind[kind]).toBe(new Set(links.map(({ to }) => to)).size);
      }
      const parts = await queryLinks(crawl.output, 'from', url, { ...all, only: 'parts' });
      expect(inOneOrder(parts.links)).toEqual(inOneOrder(own.filter((link) => !leadsToPage(link))));
      const pages = await queryLinks(crawl.output, 'from', url, { ...all, only: 'pages' });
      const web = own.filter((link) => leadsToPage(link) && /^https?:/.test(link.to));
      expect(inOneOrder(pages.links)).toEqual(inOneOrder(web));
    }
  });

  test('pages that were captured are told as such, and a limit holds', async () => {
    for (const page of crawl.pages) {
      const { outcome, links, more, total } = await queryLinks(crawl.output, 'from', page.url, { ...all, limit: 2 });
      expect(outcome).toBe(page.outcome);
      const own = crawl.links.filter((link) => link.from === page.url);
      expect([links.length, more]).toEqual([Math.min(2, own.length), own.length > 2]);
      expect(total).toBe(new Set(own.map((link) => link.to)).size);
    }
  });
});

test('orphans are the pages that a sitemap names and no page links to', async () => {
  const { output, origin } = await crawled('sitemaps', { scope: 'any' });
  const { pages, notes } = await queryOrphans(output, all);
  const paths = pages.map(({ url }) => url.replace(origin, ''));
  expect(paths).toEqual(
    expect.arrayContaining(['/listed?a=1&b=2', '/packed', '/in-a-list', '/at-the-bottom', '/closed']),
  );
  expect(paths).not.toContain('/');
  expect(paths.some((path) => path.startsWith('/maps/'))).toBe(false);
  expect(pages.find(({ url }) => url.endsWith('/packed'))).toMatchObject({
    outcome: 'captured',
    sitemap: `${origin}/maps/packed.xml.gz`,
  });
  expect(pages.find(({ url }) => url.endsWith('/closed'))).toMatchObject({ outcome: null });
  expect(notes).toEqual([]);
});

test('dead ends, depths and ways are those of the links that a reader can follow', async () => {
  const { output, origin, links, pages } = await crawled('static-site');
  const captured = pages.filter(({ outcome }) => outcome === 'captured').map(({ url }) => url);
  const deadEnds = captured.filter(
    (url) => !links.some((link) => link.from === url && link.to !== url && link.kind === 'anchor'),
  );
  expect((await queryDeadEnds(output, all)).pages).toEqual(deadEnds.toSorted());

  const clicks = new Map<string, number | null>();
  const { depths, unreached } = await queryDepths(output, (url, count) => clicks.set(url, count), all);
  expect([...clicks.keys()]).toEqual(captured.toSorted());
  for (const page of pages.filter(({ outcome }) => outcome === 'captured')) {
    expect([page.url, clicks.get(page.url)]).toEqual([page.url, page.depth]);
  }
  expect(depths.reduce((sum, count) => sum + count, unreached)).toBe(captured.length);

  const [far = ''] = captured.toSorted((one, other) => (clicks.get(other) ?? 0) - (clicks.get(one) ?? 0));
  const { steps } = await queryWay(output, far, all);
  expect(steps.length).toBe((clicks.get(far) ?? 0) + 1);
  expect([steps[0]?.url, steps.at(-1)?.url]).toEqual([`${origin}/`, far]);
  for (const [index, { link }] of steps.entries()) {
    if (index > 0) expect(link).toMatchObject({ from: steps[index - 1]?.url, to: steps[index]?.url });
  }
});

test('a link to a URL that redirects is told of the page that it leads to, by way of it', async () => {
  const { output, pages } = await crawled('redirects');
  const redirecting = pages.filter(({ outcome, finalUrl, url }) => outcome === 'redirected' && finalUrl !== url);
  expect(redirecting.length).toBeGreaterThan(2);
  for (const { url, finalUrl } of redirecting) {
    const { redirects, links } = await queryLinks(output, 'to', finalUrl, all);
    expect(redirects.map((each) => each.url)).toContain(url);
    const own = await queryLinks(output, 'to', url, all);
    const via = links.filter((link) => link.via === url).map(({ via: _via, ...link }) => link);
    expect(inOneOrder(via)).toEqual(inOneOrder(own.links.filter((link) => link.via === undefined)));
    expect((await queryLinks(output, 'from', url, all)).redirectsTo).toBe(finalUrl);
  }
});

describe('ranks', () => {
  test('stand in pages.jsonl when they were asked for, sum up to 1, and leave the index good', async () => {
    const { output, pages: before } = await crawled('static-site');
    const { top, pages: count, written, notes } = await rankCrawl(output, 3, all);
    expect([written, notes, top.length]).toEqual([true, [], 3]);
    const after = await linesOf<PageRecord>(output, 'pages');
    expect(after.map(({ rank: _rank, ...page }) => page)).toEqual(before);
    const ranks = after.flatMap(({ rank }) => rank ?? []);
    expect(ranks.length).toBe(count);
    expect(ranks.length).toBe(before.filter(({ outcome }) => outcome === 'captured').length);
    expect(Math.abs(ranks.reduce((sum, rank) => sum + rank.pageRank, 0) - 1)).toBeLessThan(1e-9);
    expect(ranks.every(({ site }) => site === 1)).toBe(true);
    expect(top[0]?.rank.pageRank).toBe(Math.max(...ranks.map(({ pageRank }) => pageRank)));
    expect(after.filter(({ outcome }) => outcome !== 'captured').every(({ rank }) => rank === null)).toBe(true);
    expect((await queryLinks(output, 'to', before[0]?.url ?? '', all)).outcome).toBe('captured'); // `all` refuses a new index
    await rankCrawl(output, 3, all);
    expect(await linesOf<PageRecord>(output, 'pages')).toEqual(after);
  });

  test('are told and not written where the crawl ended at a limit and can go on', async () => {
    const output = join(folder, 'limited');
    const seeds = [fixtureFolder('static-site')];
    await using crawl = await startCrawl({ seeds, output, limit: 5, delay: 0, render: 'never', snapshot: [] });
    await crawl.report();
    const { written, notes } = await rankCrawl(output, 3);
    expect([written, notes]).toEqual([false, []]);
    await using rest = await resumeCrawl(output, { limit: 1000 });
    const { totals } = await rest.report();
    const pages = await linesOf<PageRecord>(output, 'pages');
    expect(pages.length).toBe(totals.visited + totals.failed);
    expect(new Set(pages.map(({ url }) => url)).size).toBe(pages.length);
  });

  test('are told and not written where the crawl can be gone on with, and refused while it runs', async () => {
    const { output } = await crawled('static-site');
    const path = join(output, 'crawl.json');
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace('"state": "finished"', '"state": "interrupted"'));
    const before = await readFile(join(output, 'pages.jsonl'), 'utf8');
    const { written, top, notes } = await rankCrawl(output, 3, all);
    expect([written, top.length]).toEqual([false, 3]);
    expect(notes).toEqual(['the crawl was interrupted: this is what it had found by then']);
    expect(await readFile(join(output, 'pages.jsonl'), 'utf8')).toBe(before);

    await using running = await startCrawl({
      seeds: [fixtureFolder('static-site')],
      output: join(folder, 'running'),
      delay: 60_000,
      render: 'never',
    });
    await expect(rankCrawl(running.folder, 3)).rejects.toMatchObject({ code: 'OUTPUT_IN_USE' });
    running.stop('at-once');
    await running.report();
  });
});

describe('the index', () => {
  test.each([
    ['was removed', async (path: string) => rm(path, { recursive: true }), 'the crawl has no index of its links yet'],
    ['was cut', async (path: string) => truncate(join(path, 'links.bin'), 100), /is not the file that it should be$/],
    [
      'is of a later version',
      async (path: string) => inHeader(path, '"version": 2', '"version": 9'),
      /is of version 9, and this is 2$/,
    ],
    [
      'has a flipped bit',
      async (path: string) => flip(join(path, 'links.bin')),
      /^block \d+ at \d+ of the link graph is damaged$/,
    ],
  ] as const)('is made anew where it %s', async (_what, damage, why) => {
    const { output, links } = await crawled('static-site');
    await damage(join(output, 'graph'));
    const told: string[] = [];
    for (const url of new Set(links.map(({ to }) => to))) {
      const { links: found } = await queryLinks(output, 'to', url, { ...all, onIndexing: (text) => told.push(text) });
      const direct = found.filter(({ via }) => via === undefined);
      expect(inOneOrder(direct)).toEqual(inOneOrder(links.filter((link) => link.to === url)));
    }
    expect(told).toEqual([expect.stringMatching(why)]);
  });

  test('follows a crawl that has gone on, and leaves a torn last line and what is no line of ours out', async () => {
    const { output, origin, links } = await crawled('static-site');
    const line = `${JSON.stringify({ ...links[0], from: `${origin}/new`, to: `${origin}/newer` })}\n`;
    await appendFile(join(output, 'links.jsonl'), `${line}{"no":"link"}\n${line.slice(0, 70)}`);
    const told: string[] = [];
    const asking = { ...all, onIndexing: (text: string) => told.push(text) };
    const { links: found, notes } = await queryLinks(output, 'to', `${origin}/newer`, asking);
    expect(found.map(({ from }) => from)).toEqual([`${origin}/new`]);
    expect(notes).toEqual(['1 of the lines in links.jsonl and pages.jsonl cannot be read; left out']);
    expect(told).toEqual(['the crawl has gone on since its links were indexed']);
  });

  test('is there when a crawl has finished', async () => {
    const { output } = await crawled('static-site');
    const { size } = await stat(join(output, 'graph', 'links.bin'));
    expect(size).toBeGreaterThan(0);
    await queryLinks(output, 'to', '/', all);
  });
});

test('a URL that nothing names is refused with those like it', async () => {
  const { output, origin } = await crawled('static-site');
  await expect(queryLinks(output, 'to', '/nobody-names-this')).rejects.toMatchObject({
    code: 'NOT_STORED',
    message: `nothing that the crawl has seen names ${origin}/nobody-names-this`,
  });
  await expect(queryLinks(output, 'from', 'what?')).rejects.toMatchObject({ code: 'USAGE' });
  await expect(queryWay(output, '/nobody-names-this')).rejects.toMatchObject({ code: 'NOT_STORED' });
  await expect(queryOrphans(folder)).rejects.toMatchObject({ code: 'CRAWL_UNREADABLE' });
});

async function inHeader(path: string, old: string, changed: string): Promise<void> {
  const file = join(path, 'graph.json');
  const text = await readFile(file, 'utf8');
  expect(text).toContain(old);
  await writeFile(file, text.replace(old, changed));
}

/** Damages the first block of in-links. */
async function flip(path: string): Promise<void> {
  const header = JSON.parse(await readFile(join(path, '../graph.json'), 'utf8')) as {
    sections: { in: { start: number } };
  };
  const bytes = await readFile(path);
  const place = header.sections.in.start;
  bytes[place] = (bytes[place] ?? 0) ^ 1;
  await writeFile(path, bytes);
}

test.runIf(MOUNTS)('a crawl on a read-only disk is asked by an index elsewhere, where it has none', async () => {
  const { output } = await crawled('static-site');
  const ask = ['links', output, '--orphans'];
  const { stdout, stderr, status } = onReadOnlyDisk(output, ask);
  expect([status, stderr]).toEqual([0, '']);
  await rm(join(output, 'graph'), { recursive: true });
  const without = onReadOnlyDisk(output, ask);
  expect([without.status, without.stdout]).toEqual([0, stdout]);
});
