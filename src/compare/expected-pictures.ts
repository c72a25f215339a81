/** The expected screenshots of a site: PNGs in a folder beside expected.json, compared with those of a crawl, or written from them. */
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PICTURE_RULE, pictureName, type ExpectedPictures } from '../core/diff/expected-pictures.ts';
import type { DifferenceRule } from '../core/diff/facet.ts';
import { NoiseMask } from '../core/diff/noise.ts';
import { PictureBook } from '../core/diff/picture-book.ts';
import { selectorSpellings } from '../core/diff/screenshot.ts';
import { matchesWildcard } from '../core/gates/wildcard.ts';
import { pictureTolerance } from '../core/pictures/picture-threshold.ts';
import { diskError } from '../crawl-folder/disk-error.ts';
import { FIRST_VIEWPORT } from '../crawl-folder/element-boxes-file.ts';
import { storedPages } from '../crawl-folder/stored-lines.ts';
import { writeWholeFile } from '../crawl-folder/whole-file.ts';
import { compareScreenshots, type ScreenshotComparison } from '../inspect/pictures/compare-screenshots.ts';
import { pageScreenshots, type PageScreenshots } from '../inspect/pictures/page-screenshots.ts';
import { createUnread } from '../inspect/unread-lines.ts';
import type { Observation } from '../model/audit-rule.ts';
import type { PictureChange } from '../model/picture-change.ts';
import type { DrawnPictures } from './drawn-pictures.ts';
import { keyOfUrl, urlOfKey } from './expected-site.ts';
import { pictureChange } from './picture-change.ts';

interface PicturedSite {
  /** Folder of the crawl. */
  readonly crawl: string;
  /** Folder of the expected pictures. */
  readonly folder: string;
  readonly expected: ExpectedPictures;
  readonly origins: ReadonlyMap<string, string>;
  /** Null where nothing is drawn. */
  readonly drawn: DrawnPictures | null;
}

export interface PictureVerdict {
  readonly unexpected: readonly (Observation & { readonly rule: DifferenceRule; readonly url: string })[];
  readonly changes: readonly PictureChange[];
  readonly notes: readonly string[];
}

/** A page with its pictures, as they are and as they are expected to be. */
interface PictureSide {
  readonly url: string;
  readonly key: string;
  readonly found: PageScreenshots | null;
  readonly wanted: PageScreenshots | null;
}

/** @throws {CrawlError} SITE_INVALID for a key without a host, OUTPUT_UNUSABLE and DISK_FULL of what is drawn */
export async function compareExpectedPictures(site: PicturedSite): Promise<PictureVerdict> {
  const mask = maskOf(site.expected);
  const book = new PictureBook();
  const changes: PictureChange[] = [];
  const faults: { readonly url: string; readonly message: string; readonly thing: string }[] = [];
  for (const side of await sidesOf(site)) {
    if (isMasked(mask, side.key)) continue;
    const own: PictureChange[] = [];
    for await (const comparison of comparisonsOf(side, site.expected)) {
      if (comparison.kind === 'not-compared') {
        const message = faultWords(comparison, side.key);
        faults.push({ url: side.url, message, thing: message });
      }
      const change = await changeOf(comparison, side, { ...site, mask });
      if (change !== null) own.push(change);
    }
    if (own.length > 0) book.add(side.url, own);
    changes.push(...own);
  }
  return {
    unexpected: [...faults, ...book.observations()].map((seen) => ({ rule: PICTURE_RULE, ...seen })),
    changes,
    notes: [...mask.notes(), ...(site.drawn?.notes() ?? [])],
  };
}

/**
 * Writes the pictures of a crawl as the expected ones. A picture within the tolerance stays as it is.
 * @returns the entry in expected.json
 * @throws {CrawlError} SITE_INVALID for a key without a host, OUTPUT_UNUSABLE, DISK_FULL
 */
export async function updateExpectedPictures(site: PicturedSite): Promise<ExpectedPictures> {
  const { expected, folder, origins } = site;
  const mask = maskOf(expected);
  const before = byUrl(expected, origins);
  const taken = new Set(Object.values(expected.pages).flatMap((windows) => Object.values(windows)));
  const pages: Record<string, Record<string, string>> = {};
  for (const side of (await sidesOf(site)).toSorted((one, other) => (one.key < other.key ? -1 : 1))) {
    if (side.found === null || isMasked(mask, side.key)) continue;
    const windows: Record<string, string> = {};
    for await (const comparison of comparisonsOf(side, expected)) {
      const { viewport } = comparison;
      const content = (await side.found.windows.get(viewport)?.read()) ?? null;
      if (content === null) continue;
      const name = before.get(side.url)?.[viewport] ?? pictureName(side.key, viewport, taken);
      taken.add(name);
      windows[viewport] = name;
      const isKept =
        comparison.kind === 'same' || (await isTolerated(comparison, side, { ...site, mask, drawn: null }));
      if (!isKept) await writePicture(folder, name, content);
    }
    if (Object.keys(windows).length > 0) pages[side.key] = windows;
  }
  const used = new Set(Object.values(pages).flatMap((windows) => Object.values(windows)));
  await Promise.all(
    [...taken].filter((name) => !used.has(name)).map((name) => rm(join(folder, name), { force: true })),
  );
  return { ...expected, pages };
}

/** The folder with the pictures of an expected.json: `expected` beside it. */
export function picturesFolder(path: string): string {
  return path.replace(/\.json$/, '') + (path.endsWith('.json') ? '' : '.pictures');
}

function maskOf({ masks }: ExpectedPictures): NoiseMask {
  const places = masks.map(({ page = '*', selector = null }) => {
    return { facet: 'screenshot', address: page, passage: selector } as const;
  });
  return new NoiseMask(places, matchesWildcard);
}

/** Is the whole page masked? */
function isMasked(mask: NoiseMask, key: string): boolean {
  return mask.hides('screenshot', key, [[]]);
}

function comparisonsOf(
  { wanted, found }: PictureSide,
  expected: ExpectedPictures,
): ReturnType<typeof compareScreenshots> {
  return compareScreenshots(wanted, found, pictureTolerance(expected.threshold, expected.region));
}

type Frame = Pick<PicturedSite, 'expected' | 'drawn'> & { readonly mask: NoiseMask };

/** Null where no difference counts. */
async function changeOf(
  comparison: ScreenshotComparison,
  { url, key, found }: PictureSide,
  { expected, drawn, mask }: Frame,
): Promise<PictureChange | null> {
  if (comparison.kind !== 'different' || comparison.tolerated) return null;
  const { viewport } = comparison;
  return pictureChange(comparison, {
    ...{ url, viewport, drawn },
    afterPath: found?.windows.get(viewport)?.path ?? null,
    tolerance: pictureTolerance(expected.threshold, expected.region),
    openPlaces: (places) =>
      places.filter(({ selector }) => !mask.hides('screenshot', key, [selectorSpellings(selector)])),
  });
}

async function isTolerated(comparison: ScreenshotComparison, side: PictureSide, frame: Frame): Promise<boolean> {
  return comparison.kind === 'different' && (await changeOf(comparison, side, frame)) === null;
}

/** Pages that have pictures, or should have some: those of the crawl first. */
async function sidesOf({ crawl, folder, expected, origins }: PicturedSite): Promise<readonly PictureSide[]> {
  const wanted = byUrl(expected, origins);
  const sides = new Map<string, PictureSide>();
  for await (const { url, outcome, snapshot } of storedPages(crawl, '', createUnread())) {
    const found = outcome === 'captured' ? pageScreenshots(crawl, snapshot) : null;
    if (found === null) continue;
    sides.set(url, { url, key: keyOfUrl(url, origins), found, wanted: expectedOf(folder, wanted.get(url)) });
  }
  for (const [url, windows] of wanted) {
    if (sides.has(url)) continue;
    sides.set(url, { url, key: keyOfUrl(url, origins), found: null, wanted: expectedOf(folder, windows) });
  }
  return [...sides.values()];
}

function byUrl(
  { pages }: ExpectedPictures,
  origins: ReadonlyMap<string, string>,
): ReadonlyMap<string, Readonly<Record<string, string>>> {
  return new Map(Object.entries(pages).map(([key, windows]) => [urlOfKey(key, origins), windows]));
}

function expectedOf(folder: string, names: Readonly<Record<string, string>> | undefined): PageScreenshots | null {
  if (names === undefined) return null;
  const windows = Object.entries(names).map(([window, name]) => {
    const read = (): Promise<Uint8Array | null> => readFile(join(folder, name)).catch(() => null);
    return [window, { path: null, read }] as const;
  });
  return { windows: new Map(windows), boxes: () => Promise.resolve([]) };
}

function faultWords({ viewport, why }: Extract<ScreenshotComparison, { kind: 'not-compared' }>, key: string): string {
  const which = viewport === FIRST_VIEWPORT ? key : `${key} in the window of ${viewport}`;
  switch (why) {
    case 'no-before':
      return `no picture is kept of ${which}, as it should look: --update writes it`;
    case 'no-after':
      return `missing screenshot: the crawl took none of ${which}`;
    case 'too-large':
      return `the screenshot of ${which}, or the one that is expected, is too large to be compared`;
    case 'unreadable':
      return `the screenshot of ${which}, or the one that is expected, cannot be read`;
  }
}

async function writePicture(folder: string, name: string, content: Uint8Array): Promise<void> {
  await mkdir(folder, { recursive: true }).catch((error: unknown) => {
    throw diskError(error, folder);
  });
  await writeWholeFile(join(folder, name), content);
}
