/** `--render auto` and `never`: what is found without a browser, and when one is used after all. */
import { describe, expect, test } from 'vitest';
import { FLAGS } from '../../src/cli/flags.ts';
import type { SettingsDraft } from '../../src/cli/settings.ts';
import type { LinkRecord, PageRecord } from '../../src/model/record.ts';
import { SAMPLES, WATCH } from '../../src/core/rendering/learner.ts';
import { runCrawl, type CrawlRun } from '../support/crawl-run.ts';
import type { Expected } from '../support/expected.ts';
import { fixtureNames, openFixture } from '../support/fixture-sites.ts';
import { FixtureServer, type Route } from '../render/fixture-server.ts';

/** What must be the same of a page, however it was made. */
function pageFacts(page: PageRecord): string {
  const { url, finalUrl, outcome, status, contentType, depth, title, description, canonical, lang, h1, robots } = page;
  return JSON.stringify({
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

/** What only the sheets of a page name is read where the page is rendered: parts, no ways to pages. */
function certainLinks(links: readonly LinkRecord[]): readonly string[] {
  const lines = links
    .filter(({ confidence, kind }) => confidence === 'high' && kind !== 'css')
    .map(({ from, to, kind, context, frame, text, rel }) =>
      JSON.stringify({ from, to, kind, context, frame, text, rel }),
    );
  return [...new Set(lines)].toSorted();
}

function count(items: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

/** The options of expected.json, read as the command line would. */
function settingsOf(options: Expected['options']): SettingsDraft {
  const draft: SettingsDraft = {};
  for (const [name, value] of Object.entries(options))
    FLAGS.find((flag) => flag.name === name)?.set(draft, [String(value)], { name: `--${name}`, code: 'USAGE' });
  return draft;
}

const sites = await fixtureNames();

describe('a crawl that renders where it pays', () => {
  test.each(sites)('finds in %s what one finds that always renders', async (name) => {
    await using site = await openFixture(name);
    const crawl = (render: 'auto' | 'always'): Promise<CrawlRun> =>
      runCrawl({ seeds: [site.url], delay: 0, ...settingsOf(site.expected.options), render });
    const always = await crawl('always');
    const asked = site.requests().length;
    const auto = await crawl('auto');
    expect(auto.pages.map(pageFacts).toSorted()).toEqual(always.pages.map(pageFacts).toSorted());
    expect(certainLinks(auto.links)).toEqual(certainLinks(always.links));
    expect([...auto.skipped.keys()].toSorted()).toEqual([...always.skipped.keys()].toSorted());

    const requests = site.requests().map(({ host, path }) => `http://${host}${path}`);
    const [before, after] = [count(requests.slice(0, asked)), count(requests.slice(asked))];
    const tooOften = auto.pages.filter(({ url }) => (after.get(url) ?? 0) > (before.get(url) ?? 0));
    expect(tooOften.map(({ url }) => url)).toEqual([]);
  });

  test('renders no page that holds nothing to run, and asks for each once', async () => {
    const page = (number: number): Route => `<title>${number}</title><p>word <a href="/${number + 1}">next</a>`;
    const routes = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`/${index}`, page(index)]));
    await using site = await FixtureServer.open({ ...routes, '/30': '<title>last</title><p>last word' });
    const { pages } = await runCrawl({ seeds: [site.url('/0')], delay: 0, render: 'auto' });
    expect(pages.filter(({ rendered }) => rendered)).toEqual([]);
    const captured = pages.filter(({ outcome }) => outcome === 'captured');
    expect(captured).toHaveLength(31);
    expect(
      captured.every(
        ({ settle, words, bytes }) => settle.reason === 'not-rendered' && words !== null && bytes !== null,
      ),
    ).toBe(true);
    const asked = count(site.paths());
    expect([...asked].filter(([, times]) => times > 1)).toEqual([]);
  });

  test('learns that the scripts of a template change nothing, and finds the page of it where they do', async () => {
    const pages = 3 * WATCH;
    const last = `<script>setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<a href="/late">late</a>'), 500)</script>`;
    const routes: Record<string, Route> = {
      '/': Array.from({ length: pages }, (_, index) => `<a href="/item/${index}">item</a>`).join(''),
      '/menu.js': 'document.documentElement.classList.add("js")',
      '/late': '<title>late</title>',
    };
    for (let index = 0; index < pages; index += 1) {
      const own = index === pages - 1 ? last : '';
      routes[`/item/${index}`] = `<title>${index}</title><script src="/menu.js"></script><a href="/">home</a>${own}`;
    }
    await using site = await FixtureServer.open(routes);
    const { pages: records } = await runCrawl({ seeds: [site.url('/')], delay: 0, render: 'auto', workers: 1 });
    const items = records.filter(({ url }) => url.includes('/item/'));
    const rendered = items.filter((page) => page.rendered);
    expect(items).toHaveLength(pages);
    // the samples, two of the watch, and the one whose scripts are others
    expect(rendered.length).toBeGreaterThanOrEqual(SAMPLES + 2);
    expect(rendered.length).toBeLessThanOrEqual(SAMPLES + 4);
    expect(records.map(({ url }) => url)).toContain(site.url('/late'));
    expect(count(site.paths()).get('/item/3')).toBe(1);
    expect([...count(site.paths())].filter(([path, times]) => path !== '/menu.js' && times > 1)).toEqual([]);
  });

  test('leaves a host that sets cookies to the browser', async () => {
    const visits = new Set<string>();
    const page =
      (more: string): Route =>
      (request, response) => {
        visits.add(request.headers.cookie ?? 'none');
        response.setHeader('set-cookie', 'visitor=7; path=/');
        response.setHeader('content-type', 'text/html');
        response.end(`<title>${request.headers.cookie ?? 'none'}</title>${more}`);
      };
    await using site = await FixtureServer.open({
      '/': page('<a href=/a>a</a><a href=/b>b</a>'),
      '/a': page(''),
      '/b': page(''),
    });
    const { pages } = await runCrawl({ seeds: [site.url('/')], delay: 0, render: 'auto', workers: 1 });
    expect(pages.every(({ rendered }) => rendered)).toBe(true);
    expect(pages.map(({ title }) => title ?? '').toSorted()).toEqual(['none', 'visitor=7', 'visitor=7']);
  });

  test('renders every page where a picture of each is wanted', async () => {
    await using site = await openFixture('static-site');
    const { pages } = await runCrawl({
      seeds: [site.url],
      delay: 0,
      render: 'auto',
      snapshot: ['screenshot'],
      limit: 3,
    });
    const captured = pages.filter(({ outcome }) => outcome === 'captured');
    expect(captured.length).toBeGreaterThan(0);
    expect(captured.every(({ rendered, snapshot }) => rendered && snapshot.screenshot !== null)).toBe(true);
  });
});

describe('a crawl that never renders', () => {
  test('needs no browser, and reads what the markup holds', async () => {
    await using site = await openFixture('static-site');
    const always = await runCrawl({ seeds: [site.url], delay: 0, render: 'always' });
    const never = await runCrawl({ seeds: [site.url], delay: 0, render: 'never', browser: '/nowhere/browser' });
    expect(never.pages.map(pageFacts).toSorted()).toEqual(always.pages.map(pageFacts).toSorted());
    expect(certainLinks(never.links)).toEqual(certainLinks(always.links));
    expect(never.pages.filter(({ rendered }) => rendered)).toEqual([]);
  });

  test.each([
    ['a picture', { snapshot: ['screenshot'] }, 'snapshot screenshot'],
    ['an element to wait for', { waitFor: '#x' }, 'waitFor'],
    ['clicks', { explore: 'click' }, 'explore click'],
    ['a way to settle', { settle: { kind: 'load' } }, 'settle load'],
    ['a selector of links', { selectLinks: ['a->href'] }, 'selectLinks'],
  ] as const)('cannot be asked for %s', async (_what, wish, words) => {
    const refused = runCrawl({ seeds: ['http://localhost:9/'], render: 'never', ...wish });
    await expect(refused).rejects.toThrow(`${words} needs a browser, and render never does without one`);
  });
});
