/**
 * The lines of text that a host shows on many of its pages: menus, headings, notices. They show the site of a page and not its content;
 * left in, they would make pages alike that differ in all that matters (Henzinger 2006: pairs of one site
 * are where every method fails).
 *
 * The memory of a host is bounded: the lines of its last page, those that came again, and some others, at most BLOCK_LIMIT, by
 * their hashes, each with the number of pages that had it. All numbers are halved from time to time, so that the lines of a site's
 * present pages count more than those of long ago. A page that repeats another's text exactly is not counted: a
 * thousand copies of one article do not make it a menu.
 */
import { fnv1a, mixed } from '../../base/hash.ts';

export interface BoilerplateCounts {
  /** Pages that were counted, halved as the others. */
  readonly pages: number;
  /** Hash of a line → pages that had it. */
  readonly counts: ReadonlyMap<number, number>;
}

export const NO_BOILERPLATE: BoilerplateCounts = { pages: 0, counts: new Map() };

/** A line on more of a host's pages is part of its template (design/duplicates-and-traps, "What is compared"). */
const TEMPLATE_SHARE = 0.2;
/** On fewer pages nothing is a template yet: two pages that are alike would be each other's. */
const LEAST_PAGES = 5;
/** So many pages of a host are counted all, later ones one in eight: what they share is known by then. */
const ALL_UP_TO = 50;
/** Lines that are kept of a host. */
export const BLOCK_LIMIT = 2048;
/** More than these only a site with a menu of hundreds of entries has. */
const USUAL_BLOCKS = 512;
/** Lines that are remembered although they came once only, beside those of the last page: what comes again later. */
const SINGLE_LINES = 256;
/** Lines of a page that count, from its beginning and as many from its end: there templates are. */
const EDGE_LINES = 512;
/** Numbers are halved when so many pages were counted; they stay below a byte. */
const MOST_PAGES = 250;

/** The lines of a page's text as they came, without empty ones. */
export function linesOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

/** Hash of a line, in which white space at its ends makes no difference. */
export function lineHash(line: string): number {
  return mixed(fnv1a(line.trim()));
}

/** Whether a page is one of those that are counted. @param digest of its text, hexadecimal: chance that is the same each time */
export function isCounted({ pages }: BoilerplateCounts, digest: string): boolean {
  return pages < ALL_UP_TO || digest.startsWith('0') || digest.startsWith('8');
}

/** The host's counts with one more page. Of the first one no lines are kept: in a wide crawl most hosts have no second. */
export function withPage({ pages, counts }: BoilerplateCounts, lines: readonly string[]): BoilerplateCounts {
  if (pages === 0) return { pages: 1, counts };
  const edges = lines.length <= 2 * EDGE_LINES ? lines : [...lines.slice(0, EDGE_LINES), ...lines.slice(-EDGE_LINES)];
  const newest = new Set(edges.map(lineHash));
  const grown = new Map(counts);
  for (const hash of newest) grown.set(hash, (grown.get(hash) ?? 0) + 1);
  const counted = bounded({ pages: pages + 1, counts: grown }, newest);
  return counted.pages < MOST_PAGES ? counted : halved(counted);
}

/** Lines that so many pages of the host have that they say nothing about one of them. */
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
 * Of the lines that were on one page only the last page's stay, and the latest others; of those that came again, where they are many,
 * those on more than half the share that makes a template; and at most BLOCK_LIMIT of all, the most frequent ones.
 */
function bounded({ pages, counts }: BoilerplateCounts, newest: ReadonlySet<number>): BoilerplateCounts {
  const least = counts.size > USUAL_BLOCKS ? Math.max(1, (pages * TEMPLATE_SHARE) / 2) : 1;
  const single = [...counts.entries()].filter(([, count]) => count <= least).map(([hash]) => hash);
  const dropped = new Set(single.slice(0, -SINGLE_LINES).filter((hash) => !newest.has(hash)));
  const left = [...counts].filter(([hash]) => !dropped.has(hash));
  if (left.length > BLOCK_LIMIT) left.sort(([, one], [, other]) => other - one);
  return { pages, counts: new Map(left.slice(0, BLOCK_LIMIT)) };
}
