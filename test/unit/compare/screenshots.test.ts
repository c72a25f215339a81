import { encode } from 'jpeg-js';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decodePng } from '../../../src/base/decode-png.ts';
import { approveCrawl, type ApproveOptions } from '../../../src/compare/approve-crawl.ts';
import { compareForNoise, diffCrawls, type DiffOptions } from '../../../src/compare/diff-crawls.ts';
import { noiseText } from '../../../src/compare/noise-file.ts';
import { NoiseBook } from '../../../src/core/diff/noise.ts';
import type { AuditResult } from '../../../src/model/finding.ts';
import { documentOf, prose } from '../../support/audited-site.ts';
import { toldBy } from '../../support/compared-sites.ts';
import { drawn } from '../../support/drawn-pixels.ts';
import { storePicturedSite, type DrawnPage } from '../../support/pictured-sites.ts';

const SIZE = { width: 200, height: 100 };
const PRICE = { x: 20, y: 30, width: 40, height: 10 };
const NAV = '<a href="/">Start</a> <a href="/loom">Loom</a>';
const BOXES = [
  { selector: 'body', x: 0, y: 0, ...SIZE },
  { selector: '#shop', x: 0, y: 20, width: 200, height: 60 },
  { selector: '#shop > p', x: 10, y: 25, width: 100, height: 20 },
];

function page(title: string, picture: DrawnPage['picture'], nav = NAV): DrawnPage {
  return { html: documentOf(nav + prose(title), { title }), picture, boxes: BOXES };
}
const PLAIN = drawn(SIZE);
const PRICED = drawn(SIZE, [{ ...PRICE, colour: [0, 0, 0] }]);
const LONGER = drawn({ width: 200, height: 120 });
const JPEG = Buffer.from('ffd8ffe000104a464946', 'hex');
const START = page('Start', PLAIN);

type Sites = readonly Readonly<Record<string, DrawnPage>>[];

async function compared(
  [old = {}, now = {}]: Sites,
  options: DiffOptions = {},
  [before, after]: readonly [object?, object?] = [],
): Promise<AuditResult> {
  await using one = await storePicturedSite(old, { deterministic: true, ...before });
  await using other = await storePicturedSite(now, { deterministic: true, ...after });
  return await diffCrawls(one.folder, other.folder, options);
}

const ofLoom = (picture: DrawnPage['picture']): Readonly<Record<string, DrawnPage>> => ({
  '/': START,
  '/loom': page('Loom', picture),
});

describe('screenshots of two crawls', () => {
  it('are no difference where nothing changed', async () => {
    const result = await compared([ofLoom(PRICED), ofLoom(PRICED)]);
    expect(toldBy(result)).toEqual([]);
    expect(result.notes).toEqual([]);
    expect(result.pictures).toBeUndefined();
  });

  it('are one difference of a page that changed in one region, with its share and its element', async () => {
    const result = await compared([ofLoom(PLAIN), ofLoom(PRICED)]);
    expect(toldBy(result)).toEqual(['changed-screenshot: The picture changed: 2.00 % of the pixels, in #shop > p']);
    expect(result.findings[0]).toMatchObject({
      url: 'https://example.org/loom',
      evidence: { selector: '#shop > p' },
    });
    expect(result.pictures).toMatchObject([
      { share: 0.02, viewport: 'first', regionsTotal: 1, regions: [{ ...PRICE, pixels: 400 }], difference: null },
    ]);
  });

  it('are one difference in all windows', async () => {
    const inTwo = (further: typeof PLAIN): Readonly<Record<string, DrawnPage>> => ({
      '/': { ...START, further: { '375x812': further } },
    });
    expect(toldBy(await compared([inTwo(PLAIN), inTwo(PRICED)]))).toEqual([
      'changed-screenshot: The picture changed: 2.00 % of the pixels, at 20, 30 in the window of 375x812',
    ]);
  });

  it('differ by their size', async () => {
    expect(toldBy(await compared([ofLoom(PLAIN), ofLoom(LONGER)]))).toEqual([
      'changed-screenshot: The picture changed: 16.67 % of the pixels, it has 200 × 120 pixels, and had 200 × 100',
    ]);
  });

  it('are compared with those of before where a page moved', async () => {
    const at = (path: string, picture: DrawnPage['picture']): Readonly<Record<string, DrawnPage>> => {
      const nav = `<a href="${path}">Loom</a>`;
      return { '/': page('Start', PLAIN, nav), [path]: page('Loom', picture, nav) };
    };
    const told = (await compared([at('/loom', PLAIN), at('/tools/loom', PRICED)])).findings.map(
      ({ rule, url }) => `${rule} ${new URL(url).pathname}`,
    );
    expect(told).toContain('moved-page /tools/loom');
    expect(told.filter((each) => each.startsWith('changed-screenshot'))).toEqual(['changed-screenshot /tools/loom']);
  });

  it.each([
    ['are missing', null, '1 screenshot is not compared: one of both crawls has none'],
    ['are a cut JPEG', JPEG, '1 screenshot is not compared: they cannot be read'],
    ['are damaged', Buffer.from('89504e470d0a1a0a00', 'hex'), '1 screenshot is not compared: they cannot be read'],
  ])('are not compared where they %s, which a note counts', async (_, picture, note) => {
    const result = await compared([ofLoom(PLAIN), ofLoom(picture)]);
    expect(toldBy(result)).toEqual([]);
    expect(result.notes).toEqual([expect.stringContaining(note)]);
  });

  it('are compared as JPEG, too, whose losses are told', async () => {
    const jpeg = (pixels: typeof PLAIN): Buffer => encode({ ...pixels, data: Buffer.from(pixels.data) }, 80).data;
    expect(toldBy(await compared([ofLoom(jpeg(PLAIN)), ofLoom(jpeg(PLAIN))]))).toEqual([]);
    const { findings, notes } = await compared([ofLoom(jpeg(PLAIN)), ofLoom(jpeg(PRICED))]);
    expect(findings.map(({ evidence }) => evidence)).toEqual([{ selector: '#shop > p' }]);
    expect(notes).toEqual([expect.stringMatching(/^1 screenshot that differs is JPEG, whose losses.*--deterministic/)]);
  });

  it('are one difference where the same part of several pages differs alike, and another where a page has more', async () => {
    const dark = { ...PRICE, y: 5, colour: [0, 0, 0] as const };
    const own = { x: 150, y: 60, width: 20, height: 20, colour: [0, 0, 0] as const };
    const paths = ['/', '/a', '/b', '/c', '/d'];
    const site = (picture: (path: string) => typeof PLAIN): Readonly<Record<string, DrawnPage>> =>
      Object.fromEntries(
        paths.map((path) => [
          path,
          page(`Page ${path}`, picture(path), paths.map((to) => `<a href="${to}">x</a>`).join(' ')),
        ]),
      );
    const result = await compared([
      site(() => PLAIN),
      site((path) => drawn(SIZE, path === '/d' ? [] : path === '/c' ? [dark, own] : [dark])),
    ]);
    const told = result.findings.map(({ message, sources: { count, first } }) => [
      message,
      count,
      first.map(({ url }) => new URL(url).pathname),
    ]);
    expect(told).toEqual([
      ['The picture changed: 2.00 % of the pixels, in body', 4, ['/', '/a', '/b', '/c']],
      ['The picture changed: 2.00 % of the pixels, in #shop', 1, ['/c']],
    ]);
    expect(result.coverage.compared?.changed).toBe(4);
    expect(result.pictures).toHaveLength(4);
  });

  it('are not compared where one crawl has none at all, or another window', async () => {
    const none = { '/': page('Start', null), '/loom': page('Loom', null) };
    expect((await compared([none, ofLoom(PLAIN)])).notes).toEqual([
      'screenshots are not compared: the crawl of before has none (--snapshot screenshot --deterministic)',
    ]);
    expect((await compared([none, none])).notes).toEqual([]);
    const other = await compared([ofLoom(PLAIN), ofLoom(LONGER)], {}, [
      { viewport: { width: 200, height: 100 } },
      { viewport: { width: 375, height: 100 } },
    ]);
    expect(toldBy(other)).toEqual([]);
    expect(other.notes).toEqual([
      expect.stringContaining('the crawls differ in --viewport'),
      '2 screenshots are not compared: they were taken in another window (--viewport, --full-page)',
    ]);
  });

  it('may differ by chance where a crawl was not deterministic, which is said', async () => {
    const { notes } = await compared([ofLoom(PLAIN), ofLoom(PRICED)], {}, [{ deterministic: false }]);
    expect(notes).toContain('a crawl was made without --deterministic: its screenshots may differ by chance');
  });

  it.each([
    [{ pictureThreshold: 0.02 }, 0],
    [{ pictureThreshold: 0.019 }, 1],
    [{ pictureRegion: 400 }, 0],
    [{ pictureRegion: 399 }, 1],
    [{ pictureThreshold: 0.5, pictureRegion: 399 }, 1],
  ])('may differ by as much as %j says', async (options, differences) => {
    expect(toldBy(await compared([ofLoom(PLAIN), ofLoom(PRICED)], options))).toHaveLength(differences);
  });

  it('are drawn into the folder of the new crawl, in place of those of an earlier comparison', async () => {
    await using old = await storePicturedSite(ofLoom(PLAIN));
    await using now = await storePicturedSite(ofLoom(PRICED));
    await using again = await storePicturedSite({ '/': page('Start', PRICED), '/loom': page('Loom', PLAIN) });
    const folder = join(now.folder, 'report/diff/pictures');
    await diffCrawls(again.folder, now.folder, { drawPictures: true });
    expect(await readdir(folder)).toHaveLength(4);
    const { pictures = [] } = await diffCrawls(old.folder, now.folder, { drawPictures: true });
    expect((await readdir(folder)).toSorted()).toEqual(['1-before.png', '1-difference.png']);
    const read = async (path: string | null | undefined): Promise<unknown> => {
      const png = decodePng(await readFile(join(now.folder, path ?? '')), 1_000_000);
      return png.kind === 'pixels' && [png.pixels.width, png.pixels.height];
    };
    expect(await read(pictures[0]?.before)).toEqual([200, 100]);
    expect(await read(pictures[0]?.difference)).toEqual([200, 100]);
    expect(await read(pictures[0]?.after)).toEqual([200, 100]);
  });
});

describe('pictures of differences', () => {
  it('are drawn for three pages that differ alike, and for all that differ otherwise', async () => {
    const header = { ...PRICE, y: 5, colour: [0, 0, 0] as const };
    const own = { x: 150, y: 60, width: 20, height: 20, colour: [0, 0, 0] as const };
    const paths = ['/', '/a', '/b', '/c', '/d', '/e'];
    const menu = paths.map((path) => `<a href="${path}">x</a>`).join(' ');
    const site = (picture: (path: string) => typeof PLAIN): Readonly<Record<string, DrawnPage>> =>
      Object.fromEntries(paths.map((path) => [path, page(`Page ${path}`, picture(path), menu)]));
    await using old = await storePicturedSite(site(() => PLAIN));
    await using now = await storePicturedSite(site((path) => drawn(SIZE, path === '/e' ? [own] : [header])));
    const { pictures = [], notes } = await diffCrawls(old.folder, now.folder, { drawPictures: true });
    const isDrawn = pictures.map(({ url, difference }) => [new URL(url).pathname, difference !== null]);
    expect(Object.fromEntries(isDrawn)).toEqual({
      ...{ '/': true, '/a': true, '/b': true },
      ...{ '/c': false, '/d': false, '/e': true },
    });
    expect(notes).toEqual(['pictures of differences are drawn for the first 3 that differ alike; 2 more do']);
  });
});

describe('screenshots of a baseline', () => {
  it('are kept where that is asked for, once for pages that look alike, and compared as those of its crawl', async () => {
    const pages = { ...ofLoom(PLAIN), '/yarn': page('Yarn', PRICED) };
    await using old = await storePicturedSite(pages);
    await using now = await storePicturedSite({ ...pages, '/loom': page('Loom', PRICED) });
    const folder = join(old.base, 'baseline');
    const plain = await approveCrawl(old.folder, folder);
    const { findings, notes } = await diffCrawls(folder, now.folder);
    expect(findings).toEqual([]);
    expect(notes).toEqual(['screenshots are not compared: the baseline has none (orbweaver approve --pictures)']);

    const { bytes } = await approveCrawl(old.folder, folder, { pictures: true });
    expect(await readdir(join(folder, 'snapshots'))).toHaveLength(2);
    const sizes = (await readdir(join(folder, 'snapshots'))).map(
      async (name) => (await stat(join(folder, 'snapshots', name))).size,
    );
    expect(bytes - (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)).toBeGreaterThan(plain.bytes);
    expect((await approveCrawl(old.folder, folder)).changed).toBe(0); // a baseline with pictures keeps having them
    const byCrawl = await diffCrawls(old.folder, now.folder);
    expect(toldBy(byCrawl)).toHaveLength(1);
    const byBaseline = await diffCrawls(folder, now.folder, { drawPictures: true });
    expect(byBaseline.findings).toEqual(byCrawl.findings);
    expect(byBaseline.pictures?.[0]?.before).toBe('report/diff/pictures/1-before.png');
  });

  it('are approved by themselves, by page, or not at all', async () => {
    await using old = await storePicturedSite({ ...ofLoom(PLAIN), '/yarn': page('Yarn', PLAIN) });
    await using now = await storePicturedSite({
      '/': START,
      '/loom': page('Loom', PRICED),
      '/yarn': page('Yarn', LONGER),
    });
    const folder = join(old.base, 'baseline');
    await approveCrawl(old.folder, folder, { pictures: true });
    const leftAfter = async (options: ApproveOptions): Promise<readonly string[]> => {
      await approveCrawl(now.folder, folder, options);
      return (await diffCrawls(folder, now.folder)).findings.map(({ url }) => new URL(url).pathname);
    };
    expect(await leftAfter({ only: ['text'] })).toEqual(['/loom', '/yarn']);
    expect(await leftAfter({ only: ['screenshot', '/loom'] })).toEqual(['/yarn']);
    expect(await readdir(join(folder, 'snapshots'))).toHaveLength(2);
    expect(await leftAfter({ only: ['screenshot'] })).toEqual([]);
    await approveCrawl(now.folder, folder, { pictures: false });
    expect(await readdir(join(folder, 'snapshots'))).toEqual([]);
  });

  it('are asked for in vain where a crawl has none that could be compared, and nothing is written', async () => {
    await using none = await storePicturedSite({ '/': page('Start', null) });
    await using jpeg = await storePicturedSite({ '/': page('Start', JPEG) });
    const folder = join(none.base, 'baseline');
    await expect(approveCrawl(none.folder, folder, { pictures: true })).rejects.toThrow(
      /has no screenshots, and a baseline keeps.*\nCrawl with --snapshot html,text,screenshot --deterministic/,
    );
    await expect(approveCrawl(jpeg.folder, folder, { pictures: true })).rejects.toThrow(
      /has screenshots as JPEG alone/,
    );
    expect(await readdir(none.base)).not.toContain('baseline');
  });
});

describe('noise of screenshots', () => {
  it('is known by its element, and hides nothing else', async () => {
    const ad = { x: 150, y: 85, width: 30, height: 10 };
    const boxes = [...BOXES, { selector: '#ad', ...ad }];
    const site = (...drawnBoxes: Parameters<typeof drawn>[1] & object): Readonly<Record<string, DrawnPage>> => ({
      '/': { ...page('Start', drawn(SIZE, drawnBoxes)), boxes },
    });
    const [first, second, third] = (
      [
        [200, 0, 0],
        [0, 0, 200],
        [0, 90, 0],
      ] as const
    ).map((colour) => ({ ...ad, colour }));
    if (first === undefined || second === undefined || third === undefined) throw new Error('three');
    await using old = await storePicturedSite(site(first));
    await using again = await storePicturedSite(site(second));
    await using same = await storePicturedSite(site(third));
    await using changed = await storePicturedSite(site(third, { ...PRICE, colour: [0, 0, 0] }));
    const noise = new NoiseBook();
    await compareForNoise(old.folder, again.folder, noise, new AbortController().signal);
    expect(noise.places()).toEqual([{ facet: 'screenshot', address: '/', passage: '#ad' }]);
    await writeFile(join(old.folder, 'noise.json'), noiseText(noise.places()));
    const masked = await diffCrawls(old.folder, same.folder);
    expect(toldBy(masked)).toEqual([]);
    expect(masked.notes).toEqual([expect.stringContaining('noise: screenshot “#ad” on / changes by itself')]);
    expect(toldBy(await diffCrawls(old.folder, changed.folder))).toEqual([
      'changed-screenshot: The picture changed: 2.00 % of the pixels, in #shop > p',
    ]);
  });
});
