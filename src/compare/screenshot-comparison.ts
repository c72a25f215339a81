/** The facet of screenshots: what a page looks like, before and now, one pair of pictures after the other. */
import { counted } from '../base/count-words.ts';
import { screenshotObservation } from '../core/diff/screenshot.ts';
import { isWithin, type PictureTolerance } from '../core/pictures/picture-threshold.ts';
import { unmasked } from '../core/pictures/unmasked-difference.ts';
import { readStoredFile } from '../crawl-folder/stored-file.ts';
import {
  compareScreenshots,
  type ScreenshotComparison,
  type StoredPictures,
} from '../inspect/pictures/compare-screenshots.ts';
import type { PictureChange } from '../model/picture-change.ts';
import type { ComparedSite } from './compared-site.ts';
import type { DifferenceBook } from './difference-book.ts';
import type { DrawnPictures } from './drawn-pictures.ts';
import type { ComparedPair } from './page-comparison.ts';

type Different = Extract<ScreenshotComparison, { kind: 'different' }>;
type Why = Extract<ScreenshotComparison, { kind: 'not-compared' }>['why'] | 'other-window';

const WHY_WORDS: Readonly<Record<Why, string>> = {
  missing: 'one of both crawls has none (--snapshot screenshot, in the same windows)',
  jpeg: 'they are JPEG, of a crawl without --deterministic, which differ by chance',
  'too-large': 'they are too large',
  unreadable: 'they cannot be read',
  'other-window': 'they were taken in another window (--viewport, --full-page)',
};

const NONE: StoredPictures = { screenshot: null };
/** Regions that a report lists of a picture. */
const LISTED = 20;
/** Names what only one of the pictures has, as noise. */
const SIZE = { selector: '(size)' };

interface PictureWays {
  readonly tolerance: PictureTolerance;
  /** Null where nothing is to be drawn. */
  readonly drawn: DrawnPictures | null;
}

export class ScreenshotBook {
  readonly #old: ComparedSite;
  readonly #now: ComparedSite;
  readonly #ways: PictureWays;
  readonly #changes: PictureChange[] = [];
  readonly #uncompared = new Map<Why, number>();
  #compared = 0;

  constructor(old: ComparedSite, now: ComparedSite, ways: PictureWays) {
    this.#old = old;
    this.#now = now;
    this.#ways = ways;
  }

  /** Pictures that differ, in the order of their pages. */
  get changes(): readonly PictureChange[] {
    return this.#changes;
  }

  /** @throws {CrawlError} CRAWL_UNREADABLE where a folder names a file outside of it; OUTPUT_UNUSABLE, DISK_FULL of what is drawn */
  async compare({ old, now }: ComparedPair, book: DifferenceBook): Promise<void> {
    if (old.outcome !== 'captured' || now.outcome !== 'captured') return;
    if (!this.#old.hasPictures || !this.#now.hasPictures) return;
    const [before, after] = [this.#old.pictures(old.address) ?? NONE, this.#now.pictures(now.address) ?? NONE];
    const changes: PictureChange[] = [];
    for await (const comparison of this.#comparisons(before, after)) {
      if (comparison.kind === 'not-compared') this.#leave(comparison.why);
      else this.#compared += 1;
      if (comparison.kind !== 'different' || comparison.tolerated) continue;
      const change = await this.#change(comparison, now, book);
      if (change !== null) changes.push(change);
    }
    if (changes.length === 0) return;
    this.#changes.push(...changes);
    book.screenshot({ ...screenshotObservation(changes), url: now.url, address: now.address });
  }

  /** What could not be compared, and why; what may be chance. */
  notes(): readonly string[] {
    const sides = [this.#old, this.#now];
    const without = sides.filter(({ hasPictures }) => !hasPictures);
    const [side] = without;
    if (without.length === 2) return [];
    if (side !== undefined) return [withoutWords(side, side === this.#old ? 'before' : 'now')];
    const chance = this.#compared > 0 && sides.some(({ settings }) => settings.get('--deterministic') !== 'true');
    return [
      ...[...this.#uncompared].map(
        ([why, count]) =>
          `${counted(count, 'screenshot')} ${count === 1 ? 'is' : 'are'} not compared: ${WHY_WORDS[why]}`,
      ),
      ...(chance ? ['a crawl was made without --deterministic: its screenshots may differ by chance'] : []),
      ...(this.#ways.drawn?.notes() ?? []),
    ];
  }

  #leave(why: Why): void {
    this.#uncompared.set(why, (this.#uncompared.get(why) ?? 0) + 1);
  }

  #comparisons(before: StoredPictures, after: StoredPictures): AsyncGenerator<ScreenshotComparison> {
    const isOther = isOtherWindow(this.#old, this.#now);
    if (isOther && before.screenshot !== null && after.screenshot !== null) this.#leave('other-window');
    const side = (folder: string, pictures: StoredPictures): Parameters<typeof compareScreenshots>[0] => ({
      folder,
      page: { snapshot: isOther ? { ...pictures, screenshot: null } : pictures },
    });
    return compareScreenshots(side(this.#old.folder, before), side(this.#now.folder, after), this.#ways.tolerance);
  }

  /** Null where known noise is all that differs. */
  async #change(
    { viewport, difference, before, after, draw }: Different,
    now: ComparedPair['now'],
    book: DifferenceBook,
  ): Promise<PictureChange | null> {
    const { regions, regionsTotal, uncompared } = difference;
    // beyond the listed regions nobody knows the elements: they are noise only where all of the facet is
    if (regionsTotal > regions.length && book.openPlaces(now.address, [{ selector: null }]).length === 0) return null;
    const isSizeNoise = uncompared > 0 && book.openPlaces(now.address, [SIZE]).length === 0;
    const left = unmasked(difference, book.openPlaces(now.address, regions), isSizeNoise);
    if (left.share === 0 || isWithin(left, this.#ways.tolerance)) return null;
    const pair = before === null ? null : await this.#draw(before, draw);
    return {
      ...{ url: now.url, viewport, after, before: pair?.before ?? null, difference: pair?.difference ?? null },
      ...left,
      regions: left.regions.slice(0, LISTED),
      sizes: [difference.before, difference.after],
    };
  }

  async #draw(before: string, draw: () => Uint8Array): ReturnType<DrawnPictures['add']> {
    const { drawn } = this.#ways;
    return drawn === null ? null : drawn.add((await readStoredFile(this.#old.folder, before)).content, draw);
  }
}

function withoutWords({ kind }: ComparedSite, whose: 'before' | 'now'): string {
  return kind === 'baseline'
    ? 'screenshots are not compared: the baseline has none (orbweaver approve --pictures)'
    : `screenshots are not compared: the crawl of ${whose} has none (--snapshot screenshot --deterministic)`;
}

/** Pictures of the crawl's own window lie side by side only if that is the same. Unknown counts as the same. */
function isOtherWindow(old: ComparedSite, now: ComparedSite): boolean {
  const windows = [old, now].map(({ settings }) => {
    const viewport = settings.get('--viewport');
    const own = viewport === undefined ? undefined : /"width":\d+,"height":\d+/.exec(viewport)?.[0];
    return { own, fullPage: settings.get('--full-page') };
  });
  const [one, other] = windows;
  const differs = (key: 'own' | 'fullPage'): boolean =>
    one?.[key] !== undefined && other?.[key] !== undefined && one[key] !== other[key];
  return differs('own') || differs('fullPage');
}
