/** Screenshots of two crawls, in two windows, compared: a site that has not changed, and one with a change on one page. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { diffCrawls } from '../../src/compare/diff-crawls.ts';
import { decodePng } from '../../src/base/decode-png.ts';
import { NO_TOLERANCE, type PictureTolerance } from '../../src/core/pictures/picture-threshold.ts';
import { startCrawl, type StartOptions } from '../../src/crawl/start-crawl.ts';
import { compareScreenshots, type ScreenshotComparison } from '../../src/inspect/pictures/compare-screenshots.ts';
import { pageScreenshots } from '../../src/inspect/pictures/page-screenshots.ts';
import type { PageRecord } from '../../src/model/record.ts';
import { linesOf } from '../support/crawl-run.ts';
import { httpOrigin } from '../support/origin.ts';

const STYLE = '<style>body{margin:0;font:16px serif}#shop{height:900px}.price{width:300px;height:40px}</style>';
const page = (title: string, price: string, tail: string): string =>
  `<!doctype html><title>${title}</title>${STYLE}<h1>${title}</h1><a href="/other">Other</a><div id="shop"><p>Looms</p><p class="price">${price}</p></div>${tail}`;

let base = '';
let price = 'For 120';
let tail = '';
const folders = { first: '', again: '', changed: '', plain: '', archived: '' };

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'orbweaver-pictures-'));
  await using site = await httpOrigin(({ url }, response) => {
    response.writeHead(url === '/' || url === '/other' ? 200 : 404, { 'content-type': 'text/html' });
    response.end(url === '/' ? page('Shop', price, tail) : page('Other', 'none', ''));
  });
  const further = [{ width: 375, height: 700 }];
  const crawled = async (name: keyof typeof folders, own: Partial<StartOptions>): Promise<void> => {
    folders[name] = join(base, name);
    const usual = { deterministic: true, viewport: { width: 800, height: 600, further } };
    const settings = { snapshot: ['screenshot'], fullPage: true, delay: 0, ...usual, ...own } as const;
    await using crawl = await startCrawl({ seeds: [site.url], output: folders[name], ...settings });
    await crawl.report();
  };
  const alone = { viewport: { width: 800, height: 600 } };
  await crawled('first', {});
  await crawled('again', {});
  price = 'For 95!';
  tail = '<footer style="height:50px">New</footer>';
  await crawled('changed', {});
  await crawled('plain', { ...alone, deterministic: false });
  await crawled('archived', { ...alone, snapshot: ['warc', 'screenshot'] });
});
afterAll(() => rm(base, { recursive: true, force: true }));

async function pageOf(folder: string, path: string): Promise<PageRecord> {
  const lines = await linesOf<PageRecord>(folder, 'pages.jsonl');
  const found = lines.find(({ url }) => new URL(url).pathname === path);
  if (found === undefined) throw new Error(`no ${path}`);
  return found;
}

async function compared(
  [before, after]: readonly [string, string],
  path: string,
  tolerance: PictureTolerance = NO_TOLERANCE,
): Promise<readonly ScreenshotComparison[]> {
  const sides = [before, after].map(async (folder) => pageScreenshots(folder, (await pageOf(folder, path)).snapshot));
  const [old = null, now = null] = await Promise.all(sides);
  const found: ScreenshotComparison[] = [];
  for await (const comparison of compareScreenshots(old, now, tolerance)) found.push(comparison);
  return found;
}

describe('the screenshots of two crawls', () => {
  it('lie beside each other for each viewport, with the places of elements', async () => {
    const { snapshot } = await pageOf(folders.first, '/');
    expect(snapshot.screenshot).toMatch(/\.png$/);
    expect(snapshot.screenshots).toEqual({ '375x700': expect.stringMatching(/\.375x700\.png$/) });
    const widthOf = async (path: string): Promise<unknown> => {
      const png = decodePng(await readFile(join(folders.first, path)), 10_000_000);
      return png.kind === 'pixels' && png.pixels.width;
    };
    expect(await widthOf(snapshot.screenshot ?? '')).toBe(800);
    expect(await widthOf(snapshot.screenshots?.['375x700'] ?? '')).toBe(375);
    const boxes: unknown = JSON.parse(await readFile(join(folders.first, snapshot.boxes ?? ''), 'utf8'));
    expect(boxes).toMatchObject({ first: expect.any(Array), '375x700': expect.any(Array) });
  });

  it('are the same where nothing changed', async () => {
    for (const path of ['/', '/other']) {
      const kinds = (await compared([folders.first, folders.again], path)).map(({ viewport, kind }) => [
        viewport,
        kind,
      ]);
      expect(kinds).toEqual([
        ['first', 'same'],
        ['375x700', 'same'],
      ]);
    }
    expect((await compared([folders.first, folders.changed], '/other')).map(({ kind }) => kind)).toEqual([
      'same',
      'same',
    ]);
  });

  it('say where they differ: region, element, and what only one has', async () => {
    const [first] = await compared([folders.first, folders.changed], '/');
    if (first?.kind !== 'different') throw new Error(`it is ${first?.kind}`);
    const { difference, tolerated, draw } = first;
    expect(difference.regions.map(({ selector }) => selector)).toEqual(['#shop > p:nth-of-type(2)']);
    expect(difference.uncompared).toBeGreaterThan(0);
    expect(difference.after.height).toBeGreaterThan(difference.before.height);
    expect(tolerated).toBe(false);
    const drawn = decodePng(draw(), 10_000_000);
    expect(drawn.kind === 'pixels' && drawn.pixels.height).toBe(difference.after.height);
  });

  it('may differ by as much as is tolerated', async () => {
    const [first] = await compared([folders.first, folders.changed], '/', { share: 0.5, regionPixels: 50_000 });
    expect(first).toMatchObject({ kind: 'different', tolerated: true });
  });

  it('are a facet of comparisons, with the element that changed', async () => {
    const { findings } = await diffCrawls(folders.first, folders.changed);
    const told = findings.filter(({ rule }) => rule === 'changed-screenshot');
    expect(told.map(({ url, evidence }) => [new URL(url).pathname, evidence.selector])).toEqual([
      ['/', '#shop > p:nth-of-type(2)'],
    ]);
    const same = await diffCrawls(folders.first, folders.again);
    expect(same.findings.filter(({ rule }) => rule === 'changed-screenshot')).toEqual([]);
  });

  it('are compared as JPEG, too, and not where one is missing, which is said', async () => {
    expect(await compared([folders.plain, folders.plain], '/')).toMatchObject([{ viewport: 'first', kind: 'same' }]);
    expect(await compared([folders.first, folders.plain], '/')).toMatchObject([
      { viewport: 'first', kind: 'different', isLossy: true },
      { viewport: '375x700', kind: 'not-compared', why: 'no-after' },
    ]);
    // losses alone, compared with a PNG of the same page: within the limits in docs/regression.md
    expect(
      await compared([folders.changed, folders.plain], '/other', { share: 0.0023, regionPixels: 1e6 }),
    ).toMatchObject([
      { viewport: 'first', kind: 'different', isLossy: true, tolerated: true },
      { viewport: '375x700', kind: 'not-compared' },
    ]);
  });

  it('are read out of an archive where they stand in that alone', async () => {
    const { snapshot } = await pageOf(folders.archived, '/');
    expect(snapshot.screenshot).toBeNull();
    const { findings, pictures } = await diffCrawls(folders.first, folders.archived, { drawPictures: true });
    expect(findings.filter(({ rule }) => rule === 'changed-screenshot')).toHaveLength(1);
    expect(pictures).toMatchObject([{ after: 'report/diff/pictures/1-after.png', regionsTotal: 1 }]);
    expect(await compared([folders.changed, folders.archived], '/')).toMatchObject([
      { viewport: 'first', kind: 'same' },
      { viewport: '375x700', kind: 'not-compared', why: 'no-after' },
    ]);
  });
});
