/** The same pages in every kind of browser: the same links, except the `BROWSER_DIFFERENCES`, which `doctor` and docs/cli.md show. */
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BROWSER_DIFFERENCES, type BrowserKind } from '../../browsers/launch/browser-differences.ts';
import { seconds } from '../../src/base/units.ts';
import type { ExploreLevel } from '../../src/model/render-settings.ts';
import { fullChrome, openCdpEndpoint, openPlaywrightEndpoint } from '../support/browser-ways.ts';
import { openFixtureSite } from '../support/site-server/open-fixture-site.ts';
import { FixtureServer } from './fixture-server.ts';
import { KIND_ANSWERS, KIND_PAGES } from './kind-pages.ts';
import { openBench, paths, type Bench, type BenchOptions } from './render-bench.ts';

interface Way {
  /** The kind of browser whose differences apply. */
  readonly kind: BrowserKind;
  open(): Promise<{ readonly options: BenchOptions } & AsyncDisposable>;
}

const opened = (options: BenchOptions, endpoint: AsyncDisposable | null = null) => ({
  options,
  [Symbol.asyncDispose]: async () => await endpoint?.[Symbol.asyncDispose](),
});
const REFERENCE: Way = { kind: 'headless-shell', open: async () => opened({}) };
const WAYS: Readonly<Record<string, Way>> = {
  'a headless shell without frame control': { kind: 'full', open: async () => opened({ frameControl: false }) },
  'an endpoint of the DevTools protocol': {
    kind: 'cdp',
    open: async () => {
      const endpoint = await openCdpEndpoint();
      return opened({ browser: endpoint.url }, endpoint);
    },
  },
  'an endpoint of Playwright': {
    kind: 'playwright',
    open: async () => {
      const endpoint = await openPlaywrightEndpoint();
      return opened({ browser: endpoint.url }, endpoint);
    },
  },
};
const FULL: Way = { kind: 'full', open: async () => opened({ browser: fullChrome() }) };
const NONE_HERE = fullChrome() === null ? ' (there is none on this machine)' : '';

/** Fixture sites, of which only the first page is visited, and their level of exploration. */
const SITES: readonly (readonly [string, ExploreLevel])[] = [
  ['late-links', 'scroll'],
  ['infinite-scroll', 'scroll'],
  ['iframes', 'scroll'],
  ['spa-history', 'scroll'],
  ['shadow-dom', 'scroll'],
  ['links-scroll', 'scroll'],
  ['links-frames', 'scroll'],
  ['links-messages', 'scroll'],
  ['links-click', 'click'],
  ['links-react', 'click'],
  ['links-events', 'click'],
];

/** Links that are missing because of a named difference. */
const MISSING: readonly { readonly by: string; readonly page: string; readonly link: string }[] = [
  { by: 'frame-time', page: '/frames-timed', link: 'anchor /t3' },
  { by: 'worker-requests', page: '/workers', link: 'request /asked-by-worker' },
];

type Links = Readonly<Record<string, readonly string[]>>;

/** Kind and path of each link, by page. */
async function linksOf(way: Way, site: FixtureServer): Promise<Links> {
  const links: Record<string, readonly string[]> = {};
  await using browser = await way.open();
  const read = async (bench: Bench, name: string, url: string): Promise<void> => {
    const page = await bench.capture(url);
    const kinds = [...new Set(page.foundLinks.map(({ kind }) => kind))].filter((kind) => kind !== 'script');
    links[name] = kinds.flatMap((kind) => paths(page, kind).map((path) => `${kind} ${path}`)).toSorted();
  };
  for (const level of ['scroll', 'click'] as const) {
    const options = { workers: 1, explore: level, settleTimeout: seconds(15), pageTimeout: seconds(60) };
    await using bench = await openBench(options, browser.options);
    if (level === 'scroll') for (const path of Object.keys(KIND_PAGES)) await read(bench, path, site.url(path));
    for (const [name, explore] of SITES) {
      if (explore !== level) continue;
      await using fixture = await openFixtureSite(
        fileURLToPath(new URL(`../../fixtures/sites/${name}`, import.meta.url)),
      );
      await read(bench, name, fixture.url);
    }
  }
  return links;
}

let site: FixtureServer;
let reference: Links;
beforeAll(async () => {
  const pages = Object.entries(KIND_PAGES).map(([path, { html }]) => [path, html] as const);
  site = await FixtureServer.open({ ...Object.fromEntries(pages), ...KIND_ANSWERS });
  site.greetings['/words'] = { text: '/from-socket', after: 300 };
  reference = await linksOf(REFERENCE, site);
}, 120_000);
afterAll(async () => {
  await site[Symbol.asyncDispose]();
});

/** Links of the first that the second lacks: `page: link`. */
function lacking(links: Links, others: Links): readonly string[] {
  return Object.entries(links).flatMap(([page, all]) =>
    all.filter((link) => others[page]?.includes(link) !== true).map((link) => `${page}: ${link}`),
  );
}

function namedFor(kind: BrowserKind): readonly string[] {
  const names = BROWSER_DIFFERENCES.filter(({ of }) => of.includes(kind)).map(({ name }): string => name);
  return MISSING.filter(({ by }) => names.includes(by)).map(({ page, link }) => `${page}: ${link}`);
}

describe('the links of the same pages', () => {
  test('are all found with frame control', () => {
    for (const [path, { links }] of Object.entries(KIND_PAGES)) {
      const anchors = reference[path]?.filter((link) => link.startsWith('anchor ')).map((link) => link.slice(7));
      expect({ path, anchors }).toEqual({ path, anchors: links.toSorted() });
    }
    for (const [name] of SITES) expect(reference[name]?.length, name).toBeGreaterThan(3);
  });

  test.each(Object.entries(WAYS))('are found with %s, but for the differences that are named', async (_name, way) => {
    const found = await linksOf(way, site);
    expect(lacking(reference, found)).toEqual(namedFor(way.kind));
    expect(lacking(found, reference)).toEqual([]);
  });

  test.skipIf(NONE_HERE !== '')(
    `are found with a full browser, but for the differences that are named${NONE_HERE}`,
    async () => {
      const found = await linksOf(FULL, site);
      expect(lacking(reference, found)).toEqual(namedFor(FULL.kind));
      expect(lacking(found, reference)).toEqual([]);
    },
  );
});
