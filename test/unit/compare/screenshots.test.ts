import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decodePng } from '../../../src/base/decode-png.ts';
import { diffCrawls, type DiffOptions } from '../../../src/compare/diff-crawls.ts';
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
    ['are JPEG', JPEG, '1 screenshot is not compared: they are JPEG, of a crawl without --deterministic'],
    ['are damaged', Buffer.from('89504e470d0a1a0a00', 'hex'), '1 screenshot is not compared: they cannot be read'],
  ])('are not compared where they %s, which a note counts', async (_, picture, note) => {
    const result = await compared([ofLoom(PLAIN), ofLoom(picture)]);
    expect(toldBy(result)).toEqual([]);
    expect(result.notes).toEqual([expect.stringContaining(note)]);
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
