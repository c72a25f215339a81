/** Two sites against each other: what became of each page, then facet by facet. Contents are read a few pages at a time and let go again. */
import { counted, grouped } from '../base/count-words.ts';
import { movedPages, type MovingPage } from '../core/diff/moved-pages.ts';
import type { NoiseBook } from '../core/diff/noise.ts';
import { ADDED_PAGE, FAILED_PAGE, MOVED_PAGE, REMOVED_PAGE, unseenWords } from '../core/diff/pages.ts';
import { isPage, standingsOf, type Unseen } from '../core/diff/standings.ts';
import { answerWords } from '../core/diff/status.ts';
import type { PageVersion } from '../model/page-version.ts';
import type { AuditCoverage, Finding, NotJudgedReason } from '../model/finding.ts';
import { reasonWords } from '../report/coverage-words.ts';
import type { ComparedSite } from './compared-site.ts';
import { DifferenceBook } from './difference-book.ts';
import { compareFindings } from './finding-comparison.ts';
import { moveCandidates } from './move-candidates.ts';
import { comparePair, isRewritten, readPair, type ComparedPair } from './page-comparison.ts';
import { settingsNotes } from './settings.ts';

export interface SiteComparison {
  readonly findings: readonly Finding[];
  readonly coverage: AuditCoverage;
  /** Pages of the new crawl that were compared. */
  readonly pages: readonly PageVersion[];
  readonly notes: readonly string[];
}

/** Pairs whose contents are read at the same time: files of a disk, and some megabytes. */
const AT_ONCE = 16;

type Standings = ReturnType<typeof standingsOf>;

interface Move extends ComparedPair {
  readonly similarity: number | null;
  readonly redirects: boolean;
}

/** @param learning takes all differences as noise; null to tell them. @throws the signal's reason */
export async function compareSites(
  old: ComparedSite,
  now: ComparedSite,
  learning: NoiseBook | null,
  signal: AbortSignal,
): Promise<SiteComparison> {
  const { notes, sameReach } = settingsNotes(old.settings, now.settings);
  const book = new DifferenceBook(old, now, learning);
  const standings = standingsOf(old, now, sameReach && haveSameSeeds(old, now));
  const { moves, pairs, gone, come } = await moved(standings, { old, now }, signal);
  tellPages({ gone, come, moves, failed: standings.failed }, now, book);
  const places = new Map(moves.map((move) => [move.old.address, move.now.address]));
  const addressNow = (address: string): string => places.get(address) ?? address;
  const counts = await comparePairs([...pairs, ...moves], { old, now, addressNow, standings }, book, signal);
  const findingNotes = compareFindings(old, now, unknownAddresses(standings), addressNow, book);
  const findings = book.findings();
  return {
    findings,
    coverage: coverageOf({ old, now, standings, changed: book.changed.size, counts }),
    pages: [...pairs, ...moves].map((pair) => pair.now).filter(isPage),
    notes: [...notes, ...counts.notes, ...findingNotes, ...sideNotes(old, now), ...book.notes()],
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

/** Which of the pages that are gone are at another address; an address that redirects now may be one of them. */
async function moved(
  { pairs, gone, come }: Standings,
  { old, now }: { readonly old: ComparedSite; readonly now: ComparedSite },
  signal: AbortSignal,
): Promise<{
  readonly moves: readonly Move[];
  readonly pairs: readonly ComparedPair[];
  readonly gone: Standings['gone'];
  readonly come: readonly PageVersion[];
}> {
  const asPairs = pairs.map(([before, after]) => ({ old: before, now: after }));
  const redirected = asPairs.filter((pair) => isPage(pair.old) && pair.now.outcome === 'redirected');
  const redirects = new Map(redirected.map((pair) => [pair.old.address, lastTarget(pair.now, now)]));
  const leaving = [...gone.map(({ page }) => page), ...redirected.map((pair) => pair.old)];
  if (leaving.length === 0 || come.length === 0) return { moves: [], pairs: asPairs, gone, come };
  const candidates: readonly MovingPage[] = await moveCandidates(old, leaving, redirects, signal);
  const places = await moveCandidates(now, come, new Map(), signal);
  const moves = movedPages(candidates, places).flatMap(({ from, to, similarity }): Move[] => {
    const [page, place] = [old.pages.get(from), now.pages.get(to)];
    if (page === undefined || place === undefined) return [];
    return [{ old: page, now: place, similarity, redirects: redirects.get(from) === to }];
  });
  const [left, taken] = [
    new Set(moves.map((move) => move.old.address)),
    new Set(moves.map((move) => move.now.address)),
  ];
  return {
    moves,
    pairs: asPairs.filter((pair) => !left.has(pair.old.address)),
    gone: gone.filter(({ page }) => !left.has(page.address)),
    come: come.filter(({ address }) => !taken.has(address)),
  };
}

const MOST_HOPS = 10;

function lastTarget({ redirect }: PageVersion, { pages }: ComparedSite): string {
  let at = redirect ?? '';
  for (let hops = 0; hops < MOST_HOPS; hops += 1) {
    const next = pages.get(at)?.redirect ?? null;
    if (next === null) return at;
    at = next;
  }
  return at;
}

interface Told {
  readonly gone: Standings['gone'];
  readonly come: readonly PageVersion[];
  readonly moves: readonly Move[];
  readonly failed: Standings['failed'];
}

function tellPages({ gone, come, moves, failed }: Told, now: ComparedSite, book: DifferenceBook): void {
  const { urlOf } = now;
  for (const { page, answer } of gone) {
    const why = answer === null ? 'no page links to it any more' : `it answers with ${answerWords(answer)}`;
    book.add('pages', REMOVED_PAGE, {
      ...placeOf(page),
      url: urlOf(page.address),
      message: `${page.address} is not there any more: ${why}`,
    });
  }
  for (const page of come)
    book.add('pages', ADDED_PAGE, { ...placeOf(page), message: `${page.address} is new${titleWords(page)}` });
  for (const { old: page, now: place, similarity, redirects } of moves) {
    const share =
      similarity === null || similarity > 0.995 ? '' : `, with ${Math.round(similarity * 100)} % of its text`;
    const way = redirects ? 'and redirects there' : 'and does not redirect there';
    book.add('pages', MOVED_PAGE, {
      ...placeOf(place),
      message: `${page.address} is at ${place.address} now${share}; the old address ${way.slice(4)}`,
      target: urlOf(page.address),
      thing: page.address,
      ...(redirects ? { severity: 'notice' as const } : {}),
    });
  }
  for (const [page, answer] of failed)
    book.add('pages', FAILED_PAGE, {
      ...placeOf(page),
      url: answer.url,
      message: `${page.address} was a page, and answered with ${answerWords(answer)} this time`,
    });
}

function placeOf({ url, address }: PageVersion): { readonly url: string; readonly address: string } {
  return { url, address };
}

function titleWords({ title }: PageVersion): string {
  return title === null || title === '' ? '' : `: “${title.slice(0, 100)}”`;
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
}

async function comparePairs(
  pairs: readonly ComparedPair[],
  { old, now, addressNow, standings }: PairFrame,
  book: DifferenceBook,
  signal: AbortSignal,
): Promise<PairCounts> {
  // links to what came and went say nothing that the pages themselves do not say
  const implied = new Set([
    ...standings.gone.map(({ page }) => page.address),
    ...standings.come.map(({ address }) => address),
  ]);
  const sites = { old, now, implied, addressNow };
  const comparable = pairs.filter((pair) => !isOtherVisitor(pair));
  let [both, halfRendered, textless] = [0, 0, 0];
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
      if (!isPage(pair.old) || !isPage(pair.now)) continue;
      both += 1;
      if (pair.old.rendered !== pair.now.rendered) halfRendered += 1;
      const differs = pair.old.digest !== pair.now.digest;
      if (differs && pair.now.outcome === 'captured' && (held.old.text === null || held.now.text === null))
        textless += 1;
    }
  }
  const strangers = pairs.length - comparable.length;
  return {
    both,
    notes: [
      ...(strangers === 0
        ? []
        : [
            `${counted(strangers, 'page')} were seen signed in by one crawl and signed out by the other: their contents are not compared`,
          ]),
      ...(halfRendered === 0
        ? []
        : [
            `${counted(halfRendered, 'page')} were rendered by one of both crawls alone: texts may differ by what style sheets hide; crawl both sides with --render always, or never`,
          ]),
      ...(textless === 0
        ? []
        : [
            `the texts of ${counted(textless, 'page')} differ, and no passages are shown: crawls keep texts with --snapshot html,text`,
          ]),
    ],
  };
}

/** What stands in place of a page now, and did not before. */
async function newWall(pair: ComparedPair, old: ComparedSite, now: ComparedSite): Promise<NotJudgedReason | null> {
  const wall = await now.wallOf(pair.now);
  return wall === null || (await old.wallOf(pair.old)) === wall ? null : wall;
}

function tellWall(page: PageVersion, wall: NotJudgedReason, book: DifferenceBook): void {
  const what = reasonWords(wall, 1).replace(/^1 /, '');
  book.add('pages', FAILED_PAGE, {
    ...placeOf(page),
    message: `${page.address} shows something else in its place: ${what}`,
  });
}

/** One of both was signed in. */
function isOtherVisitor({ old, now }: ComparedPair): boolean {
  return old.signedIn !== null && now.signedIn !== null && old.signedIn !== now.signedIn;
}

/** Addresses of which the new crawl knows nothing. */
function unknownAddresses({ unseenNow, failed }: Standings): ReadonlySet<string> {
  return new Set([...unseenNow.keys(), ...failed.map(([page]) => page.address)]);
}

interface CoverageSources {
  readonly old: ComparedSite;
  readonly now: ComparedSite;
  readonly standings: Standings;
  readonly changed: number;
  readonly counts: PairCounts;
}

function coverageOf({ old, now, standings, changed, counts }: CoverageSources): AuditCoverage {
  const { unseenNow, unseenBefore, failed } = standings;
  const pagesOf = ({ pages }: ComparedSite): number => [...pages.values()].filter(isPage).length;
  const addresses = new Set(
    [...old.pages.values(), ...now.pages.values()].filter(isPage).map(({ address }) => address),
  );
  const known = addresses.size - unseenNow.size - unseenBefore.size - failed.length;
  return {
    expected: addresses.size,
    seen: addresses.size - unseenNow.size - unseenBefore.size,
    judged: Math.max(0, known),
    notJudged: {},
    notJudgedPages: [],
    compared: { before: pagesOf(old), now: pagesOf(now), both: counts.both, changed },
    limits: [...reasonsOf(unseenNow, 'of before'), ...reasonsOf(unseenBefore, 'of now')],
  };
}

/** `12 pages of before (they lie beyond --depth)`. */
function reasonsOf(unseen: ReadonlyMap<string, Unseen>, whose: string): readonly string[] {
  const byReason = new Map<Unseen, string[]>();
  for (const [address, reason] of unseen) byReason.set(reason, [...(byReason.get(reason) ?? []), address]);
  return [...byReason].map(([reason, addresses]) => {
    const noun = addresses.length === 1 ? 'page' : 'pages';
    return `${grouped(addresses.length)} ${noun} ${whose} such as ${addresses[0] ?? ''}: ${unseenWords(reason)}`;
  });
}

function sideNotes(old: ComparedSite, now: ComparedSite): readonly string[] {
  return [
    ...cutNotes(old, 'before'),
    ...old.notes().map((note) => `before: ${note}`),
    ...cutNotes(now, 'now'),
    ...now.notes().map((note) => `now: ${note}`),
  ];
}

/** Half a crawl says nothing of the other half. */
function cutNotes({ isWhole, cut }: ComparedSite, whose: string): readonly string[] {
  return isWhole ? [] : [`${whose}: the crawl did not see the whole site (${cut})`];
}
