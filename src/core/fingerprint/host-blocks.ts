/**
 * Which lines of text a host shows on many of its pages: menus, headings, notices. They say what site a page is of, and
 * not what it says; left in, they would make pages alike that differ in all that matters (Henzinger 2006: pairs of one site
 * are where every method fails).
 *
 * What is kept of a host is bounded: at most BLOCK_LIMIT lines by their hashes, each with the number of pages that had it.
 * Where there is no place for more, the rare ones go; and all numbers are halved from time to time, so that what a site has
 * on its pages now counts more than what it had long ago. A page that repeats another's text exactly is not counted: a
 * thousand copies of one article do not make it a menu.
 */
import { mixed } from './shingle.ts';

export interface HostBlocks {
  /** Pages that were counted, halved as the others. */
  readonly pages: number;
  /** Hash of a line → pages that had it. */
  readonly counts: ReadonlyMap<number, number>;
}

export const NO_BLOCKS: HostBlocks = { pages: 0, counts: new Map() };

/** A line on more of a host's pages is part of its template (algorithms A3.3). */
export const TEMPLATE_SHARE = 0.2;
/** On fewer pages nothing is a template yet: two pages that are alike would be each other's. */
export const LEAST_PAGES = 5;
/** Lines that are kept of a host. */
export const BLOCK_LIMIT = 512;
/** Lines of a page that count, from its beginning and as many from its end: there templates are. */
const EDGE_LINES = 128;
/** Numbers are halved when so many pages were counted; they stay below a byte. */
const MOST_PAGES = 250;

const FNV_BASIS = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** The lines of a page's text as they came; empty ones are none. */
export function linesOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

/** Hash of a line, in which white space at its ends makes no difference. */
export function blockHash(line: string): number {
  const trimmed = line.trim();
  let hash = FNV_BASIS;
  for (let index = 0; index < trimmed.length; index += 1) {
    hash = Math.imul(hash ^ trimmed.charCodeAt(index), FNV_PRIME);
  }
  return mixed(hash);
}

/** The host's blocks with one more page. */
export function withPage({ pages, counts }: HostBlocks, lines: readonly string[]): HostBlocks {
  const edges = lines.length <= 2 * EDGE_LINES ? lines : [...lines.slice(0, EDGE_LINES), ...lines.slice(-EDGE_LINES)];
  const grown = new Map(counts);
  for (const hash of new Set(edges.map(blockHash))) grown.set(hash, (grown.get(hash) ?? 0) + 1);
  const counted = { pages: pages + 1, counts: grown };
  return bounded(counted.pages < MOST_PAGES ? counted : halved(counted));
}

/** Lines that so many pages of the host have that they say nothing about one of them. */
export function isTemplate({ pages, counts }: HostBlocks, hash: number): boolean {
  const count = counts.get(hash) ?? 0;
  return count >= LEAST_PAGES && count > pages * TEMPLATE_SHARE;
}

/** What of a page's lines is its own. */
export function ownLines(blocks: HostBlocks, lines: readonly string[]): readonly string[] {
  if (blocks.pages < LEAST_PAGES) return lines;
  return lines.filter((line) => !isTemplate(blocks, blockHash(line)));
}

function halved({ pages, counts }: HostBlocks): HostBlocks {
  const left = [...counts].map(([hash, count]) => [hash, count >> 1] as const);
  return { pages: pages >> 1, counts: new Map(left.filter(([, count]) => count > 0)) };
}

/** The most frequent ones stay; of equally frequent ones those that were there first. */
function bounded({ pages, counts }: HostBlocks): HostBlocks {
  if (counts.size <= BLOCK_LIMIT) return { pages, counts };
  const byCount = [...counts].sort(([, one], [, other]) => other - one);
  return { pages, counts: new Map(byCount.slice(0, BLOCK_LIMIT / 2)) };
}
