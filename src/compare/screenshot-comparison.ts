/** The facet of screenshots: the looks of a page before and now, one pair of pictures after the other. */
import { counted } from '../base/count-words.ts';
import type { PictureTolerance } from '../core/pictures/picture-threshold.ts';
import { FIRST_VIEWPORT } from '../crawl-folder/element-boxes-file.ts';
import { compareScreenshots, type ScreenshotComparison } from '../inspect/pictures/compare-screenshots.ts';
import type { PageScreenshots } from '../inspect/pictures/page-screenshots.ts';
import type { PictureChange } from '../model/picture-change.ts';
import type { ComparedSite } from './compared-site.ts';
import type { DifferenceBook } from './difference-book.ts';
import type { DrawnPictures } from './drawn-pictures.ts';
import type { ComparedPair } from './page-comparison.ts';
import { pictureChange } from './picture-change.ts';

type Uncompared = Extract<ScreenshotComparison, { kind: 'not-compared' }>['why'];
type Why = Exclude<Uncompared, 'no-before' | 'no-after'> | 'missing' | 'other-window';

const WHY_WORDS: Readonly<Record<Why, string>> = {
  missing: 'one of both crawls has none (--snapshot screenshot, in the same windows)',
  'too-large': 'they are too large',
  unreadable: 'they cannot be read',
  'other-window': 'they were taken in another window (--viewport, --full-page)',
};

interface PictureWays {
  readonly tolerance: PictureTolerance;
  /** Null where nothing is drawn. */
  readonly drawn: DrawnPictures | null;
}

export class ScreenshotBook {
  readonly #old: ComparedSite;
  readonly #now: ComparedSite;
  readonly #ways: PictureWays;
  readonly #changes: PictureChange[] = [];
  readonly #uncompared = new Map<Why, number>();
  #compared = 0;
  #lossy = 0;

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
    const isOther = isOtherWindow(this.#old, this.#now);
    const [before, after] = [this.#old.pictures(old.address), this.#now.pictures(now.address)];
    if (isOther && before?.windows.has(FIRST_VIEWPORT) === true && after?.windows.has(FIRST_VIEWPORT) === true)
      this.#leave('other-window');
    const side = (pictures: PageScreenshots | null): PageScreenshots | null =>
      isOther && pictures !== null ? withoutFirst(pictures) : pictures;
    const changes: PictureChange[] = [];
    const { tolerance, drawn } = this.#ways;
    for await (const comparison of compareScreenshots(side(before), side(after), tolerance)) {
      if (comparison.kind === 'not-compared') this.#leave(comparison.why);
      else this.#compared += 1;
      if (comparison.kind !== 'different' || comparison.tolerated) continue;
      const { viewport, isLossy } = comparison;
      const afterPath = after?.windows.get(viewport)?.path ?? null;
      const change = await pictureChange(comparison, {
        ...{ url: now.url, viewport, afterPath, tolerance, drawn },
        openPlaces: (places) => book.openPlaces(now.address, places),
      });
      if (change === null) continue;
      changes.push(change);
      if (isLossy) this.#lossy += 1;
    }
    if (changes.length === 0) return;
    this.#changes.push(...changes);
    book.screenshot({ url: now.url, address: now.address }, changes);
  }

  /** Notes on pictures that were not compared, and why; and on differences that may be chance. */
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
      ...(this.#lossy === 0
        ? []
        : [
            `${counted(this.#lossy, 'screenshot')} that ${this.#lossy === 1 ? 'differs is' : 'differ are'} JPEG, whose losses differ around what changed: crawl with --deterministic, which takes PNGs, for what must be exact`,
          ]),
      ...(chance ? ['a crawl was made without --deterministic: its screenshots may differ by chance'] : []),
      ...(this.#ways.drawn?.notes() ?? []),
    ];
  }

  #leave(why: Uncompared | Why): void {
    const told = why === 'no-before' || why === 'no-after' ? 'missing' : why;
    this.#uncompared.set(told, (this.#uncompared.get(told) ?? 0) + 1);
  }
}

function withoutFirst({ windows, boxes }: PageScreenshots): PageScreenshots {
  return { windows: new Map([...windows].filter(([window]) => window !== FIRST_VIEWPORT)), boxes };
}

function withoutWords({ kind }: ComparedSite, whose: 'before' | 'now'): string {
  return kind === 'baseline'
    ? 'screenshots are not compared: the baseline has none (orbweaver approve --pictures)'
    : `screenshots are not compared: the crawl of ${whose} has none (--snapshot screenshot --deterministic)`;
}

/** Were the crawls' own windows different? Only pictures of the same window are compared. Unknown counts as the same. */
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
