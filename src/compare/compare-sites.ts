/** Compares two sites: first the standing of each page, then facet by facet. Contents are read a few pages at a time and let go again. */
import { counted } from '../base/count-words.ts';
import type { NoiseBook } from '../core/diff/noise.ts';
import { isFailed, isPage, isRemoved, standingsOf } from '../core/diff/standings.ts';
import type { AuditCoverage, Finding, NotJudgedReason } from '../model/finding.ts';
import type { PageVersion } from '../model/page-version.ts';
import type { ComparedSite } from './compared-site.ts';
import type { PictureTolerance } from '../core/pictures/picture-threshold.ts';
import type { PictureChange } from '../model/picture-change.ts';
import { comparisonCoverage } from './comparison-coverage.ts';
import { DifferenceBook } from './difference-book.ts';
import type { DrawnPictures } from './drawn-pictures.ts';
import { ScreenshotBook } from './screenshot-comparison.ts';
import { compareFindings } from './finding-comparison.ts';
import { comparePair, isRewritten, readPair, type ComparedPair } from './page-comparison.ts';
import { withoutGuessedErrors } from './guessed-errors.ts';
import { settingsNotes } from './settings.ts';
import { moved, type Standings } from './site-moves.ts';
import { tellForbidden, tellPages, tellUnreadText, tellWall } from './told-pages.ts';

export interface SiteComparison {
  readonly findings: readonly Finding[];
  readonly coverage: AuditCoverage;
  /** Pages of the new crawl that were compared. */
  readonly pages: readonly PageVersion[];
  readonly notes: readonly string[];
  /** Screenshots that differ. */
  readonly pictures: readonly PictureChange[];
}

interface ComparisonWays {
  /** Takes all differences as noise; null to report them. */
  readonly learning: NoiseBook | null;
  readonly tolerance: PictureTolerance;
  /** Null where no pictures of differences are drawn. */
  readonly drawn: DrawnPictures | null;
}

/** Pairs whose contents are read at the same time: disk files, and some megabytes. */
const AT_ONCE = 16;

/** @throws the signal's reason; {CrawlError} CRAWL_UNREADABLE, OUTPUT_UNUSABLE, DISK_FULL for pictures */
export async function compareSites(
  before: ComparedSite,
  after: ComparedSite,
  ways: ComparisonWays,
  signal: AbortSignal,
): Promise<SiteComparison> {
  const [old, now] = withoutGuessedErrors(before, after);
  const { notes, sameReach } = settingsNotes(old.settings, now.settings);
  const book = new DifferenceBook(old, now, ways.learning);
  const standings = standingsOf(old, now, sameReach && haveSameSeeds(old, now));
  const { moves, pairs, gone, come } = await moved(standings, { old, now }, signal);
  tellForbidden(old, now, book);
  tellPages({ gone, come, moves, failed: standings.failed }, now, book);
  const places = new Map([...pairs, ...moves].map((pair) => [pair.old.address, pair.now.address]));
  const addressNow = (address: string): string => places.get(address) ?? address;
  const screenshots = new ScreenshotBook(old, now, ways);
  const frame = { old, now, addressNow, standings, screenshots };
  const counts = await comparePairs([...pairs, ...moves], frame, book, signal);
  const removed = new Set(gone.map(({ page }) => page.address));
  const unknownBefore = unknownEarlier(standings);
  const earlier = { addressNow, unknown: unknownAddresses(standings), unknownBefore, removed };
  const findingNotes = compareFindings(old, now, earlier, book);
  const findings = book.findings();
  return {
    findings,
    coverage: comparisonCoverage({ old, now, standings, changed: book.changed, both: counts.both }),
    pages: [...pairs, ...moves].map((pair) => pair.now).filter(isPage),
    notes: [
      ...notes,
      ...counts.notes,
      ...screenshots.notes(),
      ...findingNotes,
      ...sideNotes(old, now),
      ...book.notes(),
    ],
    pictures: screenshots.changes,
  };
}

function haveSameSeeds(old: ComparedSite, now: ComparedSite): boolean {
  const seeds = ({ seeds: urls, addresses }: ComparedSite): string =>
    urls
      .map((url) => addresses.relative(url))
      .toSorted()
      .join('\n');
  return seeds(old) === seeds(now);
}

interface PairCounts {
  /** Pairs of captured pages. */
  readonly both: number;
  readonly notes: readonly string[];
}

interface PairFrame {
  readonly old: ComparedSite;
  readonly now: ComparedSite;
  readonly addressNow: (address: string) => string;
  readonly standings: Standings;
  readonly screenshots: ScreenshotBook;
}

async function comparePairs(
  pairs: readonly ComparedPair[],
  { old, now, addressNow, standings, screenshots }: PairFrame,
  book: DifferenceBook,
  signal: AbortSignal,
): Promise<PairCounts> {
  // links to removed and added pages add nothing to the differences of the pages themselves
  const implied = new Set([
    ...standings.gone.map(({ page }) => page.address),
    ...standings.come.map(({ address }) => address),
  ]);
  const sites = { old, now, implied, addressNow };
  const comparable = pairs.filter((pair) => !isOtherVisitor(pair));
  let [both, halfRendered, textless, unstructured] = [0, 0, 0, 0];
  for (let at = 0; at < comparable.length; at += AT_ONCE) {
    signal.throwIfAborted();
    const some = comparable.slice(at, at + AT_ONCE);
    const contents = await Promise.all(some.map((pair) => readPair(pair, old, now)));
    for (const [index, pair] of some.entries()) {
      const held = contents[index];
      if (held === undefined) continue;
      const wall = isRewritten(held) ? await newWall(pair, old, now) : null;
      if (wall !== null) {
        tellWall(pair.now, wall, book);
        continue;
      }
      comparePair(pair, held, sites, book);
      await screenshots.compare(pair, book); // one after the other: two pictures may take 400 MB
      if (!isPage(pair.old) || !isPage(pair.now)) continue;
      both += 1;
      if (pair.old.rendered !== pair.now.rendered) halfRendered += 1;
      if (isCaptured(pair) && (held.old.structured === null || held.now.structured === null)) unstructured += 1;
      if (pair.old.digest === pair.now.digest || pair.now.outcome !== 'captured') continue;
      if (held.old.text !== null && held.now.text !== null) continue;
      textless += 1;
      if (pair.old.rendered === pair.now.rendered) tellUnreadText(pair.now, book);
    }
  }
  const strangers = pairs.length - comparable.length;
  return {
    both,
    notes: [
      ...(strangers === 0
        ? []
        : [
            `${counted(strangers, 'page')} ${strangers === 1 ? 'was' : 'were'} seen signed in by one crawl and signed out by the other: ${strangers === 1 ? 'its' : 'their'} contents are not compared`,
          ]),
      ...(halfRendered === 0
        ? []
        : [
            `${counted(halfRendered, 'page')} ${halfRendered === 1 ? 'was' : 'were'} rendered by one of both crawls alone: texts may differ by what style sheets hide; crawl both sides with --render always, or never`,
          ]),
      ...(textless === 0
        ? []
        : [
            `the texts of ${counted(textless, 'page')} differ, and no passages are shown: crawls keep texts with --snapshot html,text`,
          ]),
      ...(unstructured === 0
        ? []
        : [
            `the structured data of ${counted(unstructured, 'page')} is not compared: crawls keep HTML with --snapshot html`,
          ]),
    ],
  };
}

function isCaptured({ old, now }: ComparedPair): boolean {
  return old.outcome === 'captured' && now.outcome === 'captured';
}

/** The wall in place of a page now that was not there before. */
async function newWall(pair: ComparedPair, old: ComparedSite, now: ComparedSite): Promise<NotJudgedReason | null> {
  const wall = await now.wallOf(pair.now);
  return wall === null || (await old.wallOf(pair.old)) === wall ? null : wall;
}

/** Was only one of both signed in? */
function isOtherVisitor({ old, now }: ComparedPair): boolean {
  return old.signedIn !== null && now.signedIn !== null && old.signedIn !== now.signedIn;
}

/** Addresses that the new crawl does not know. */
function unknownAddresses({ unseenNow, failed }: Standings): ReadonlySet<string> {
  return new Set([...unseenNow.keys(), ...failed.map(([page]) => page.address)]);
}

/** Addresses that the earlier crawl does not know. */
function unknownEarlier({ unseenBefore, pairs }: Standings): ReadonlySet<string> {
  const failed = pairs.filter(([old, now]) => isFailed(old) && !isRemoved(old) && isPage(now));
  return new Set([...unseenBefore.keys(), ...failed.map(([, now]) => now.address)]);
}

function sideNotes(old: ComparedSite, now: ComparedSite): readonly string[] {
  return [
    ...cutNotes(old, 'before'),
    ...old.notes().map((note) => `before: ${note}`),
    ...cutNotes(now, 'now'),
    ...now.notes().map((note) => `now: ${note}`),
  ];
}

/** Notes for a crawl that was cut: it does not tell of the missing part. */
function cutNotes({ isWhole, cut }: ComparedSite, whose: string): readonly string[] {
  return isWhole ? [] : [`${whose}: the crawl did not see the whole site (${cut})`];
}
