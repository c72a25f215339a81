/**
 * The lines of text on many pages of a host: menus, headings, notices. They show the site of a page and not its content;
 * left in, they would make pages alike that differ in all that matters (Henzinger 2006: every method fails on pairs
 * of one site).
 *
 * The memory of a host is bounded: it has the hashes of at most BLOCK_LIMIT lines, each with the number of pages that had it. It keeps the
 * lines of the last page, those that came again, and some others. All numbers are halved from time to time, so that the lines of
 * a site's present pages count more than old ones. A page that repeats another's text exactly is not counted: a
 * thousand copies of one article do not make it a menu.
 */
import { fnv1a, mixed } from '../../base/hash.ts';

export interface BoilerplateCounts {
  /** Pages that were counted; halved like the other numbers. */
  readonly pages: number;
  /** Hash of a line → pages that had it. */
  readonly counts: ReadonlyMap<number, number>;
}

export const NO_BOILERPLATE: BoilerplateCounts = { pages: 0, counts: new Map() };

/** A line on more of a host's pages is part of its template (design/duplicates-and-traps, "What is compared"). */
const TEMPLATE_SHARE = 0.2;
/** Fewer pages have no template yet: two pages that are alike would be each other's. */
const LEAST_PAGES = 5;
/** The first pages of a host are all counted, later ones one in eight: the lines that they share are known by then. */
const ALL_UP_TO = 50;
/** Lines that are kept of a host. */
export const BLOCK_LIMIT = 2048;
/** Only a site with a menu of hundreds of entries has more. */
const USUAL_BLOCKS = 512;
/** Lines seen once that are remembered beside those of the last page: they may come again later. */
const SINGLE_LINES = 256;
/** Lines of a page that count at its beginning, and as many at its end: templates are there. */
const EDGE_LINES = 512;
/** Counted pages at which the numbers are halved, so that each fits into a byte. */
const MOST_PAGES = 250;

/** The lines of a page's text as they came, without empty ones. */
export function linesOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

/** Hash of a line, in which white space at its ends makes no difference. */
export function lineHash(line: string): number {
  return mixed(fnv1a(line.trim()));
}

/** Is the page to be counted? @param digest of its text, hexadecimal: a random choice that is the same each time */
export function isCounted({ pages }: BoilerplateCounts, digest: string): boolean {
  return pages < ALL_UP_TO || digest.startsWith('0') || digest.startsWith('8');
}

/** The host's counts with one more page. No lines are kept of the first page: in a wide crawl most hosts have no second. */
export function withPage({ pages, counts }: BoilerplateCounts, lines: readonly string[]): BoilerplateCounts {
  if (pages === 0) return { pages: 1, counts };
  const edges = lines.length <= 2 * EDGE_LINES ? lines : [...lines.slice(0, EDGE_LINES), ...lines.slice(-EDGE_LINES)];
  const newest = new Set(edges.map(lineHash));
  const grown = new Map(counts);
  for (const hash of newest) grown.set(hash, (grown.get(hash) ?? 0) + 1);
  const counted = bounded({ pages: pages + 1, counts: grown }, newest);
  return counted.pages < MOST_PAGES ? counted : halved(counted);
}

/** Is the line on so many pages of the host that it says nothing about one of them? */
function isBoilerplate({ pages, counts }: BoilerplateCounts, hash: number): boolean {
  const count = counts.get(hash) ?? 0;
  return count >= LEAST_PAGES && count > pages * TEMPLATE_SHARE;
}

/** The lines of a page that are its own. */
export function ownLines(boilerplate: BoilerplateCounts, lines: readonly string[]): readonly string[] {
  if (boilerplate.pages < LEAST_PAGES) return lines;
  return lines.filter((line) => !isBoilerplate(boilerplate, lineHash(line)));
}

function halved({ pages, counts }: BoilerplateCounts): BoilerplateCounts {
  const left = [...counts].map(([hash, count]) => [hash, count >> 1] as const);
  return { pages: pages >> 1, counts: new Map(left.filter(([, count]) => count > 0)) };
}

/**
 * Drops lines of one page, but for the last page's and the latest others. With more than USUAL_BLOCKS lines, it drops in the same way
 * lines of up to half the share that makes a template. At most BLOCK_LIMIT of all stay, the most frequent ones.
 */
function bounded({ pages, counts }: BoilerplateCounts, newest: ReadonlySet<number>): BoilerplateCounts {
  const least = counts.size > USUAL_BLOCKS ? Math.max(1, (pages * TEMPLATE_SHARE) / 2) : 1;
  const single = [...counts.entries()].filter(([, count]) => count <= least).map(([hash]) => hash);
  const dropped = new Set(single.slice(0, -SINGLE_LINES).filter((hash) => !newest.has(hash)));
  const left = [...counts].filter(([hash]) => !dropped.has(hash));
  if (left.length > BLOCK_LIMIT) left.sort(([, one], [, other]) => other - one);
  return { pages, counts: new Map(left.slice(0, BLOCK_LIMIT)) };
}
