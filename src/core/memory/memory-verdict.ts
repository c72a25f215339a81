/** Decides from the memory of a browser's processes whether one of them is to be ended. */
import { bytes, mebibytes, type Bytes } from '../../base/units.ts';

export interface MemoryLimits {
  /** Limit for the processes of one page. */
  readonly page: Bytes;
  /** Limit for all processes of a browser, with all its pages. */
  readonly tree: Bytes;
  /** The tree's limit is for this process and the browser together: the process is the crawl's own. */
  readonly withProgram?: boolean;
}

export interface ProcessMemory {
  readonly pid: number;
  /** Does it show pages? Ending it costs its page; ending another process may cost all pages. */
  readonly renderer: boolean;
  /** Memory of its own. */
  readonly own: Bytes;
  /** Memory that it shares with other processes of the browser: pictures, canvases, buffers. */
  readonly shared: Bytes;
  /** Processor time since the last look, in any unit. */
  readonly busy: number;
}

export type MemoryVerdict =
  | { readonly kind: 'fine' }
  /** Ends the process `pid`, because it (or, with `all`, the whole browser) has passed the limit. */
  | { readonly kind: 'end'; readonly pid: number; readonly limit: Bytes; readonly all: boolean }
  /** No page can be named, and there is no time left to find one. */
  | { readonly kind: 'end-browser'; readonly limit: Bytes };

/** The hostile fixtures allow a browser 1.5 GiB, which is enough for four pages; each further one adds its share. */
const TREE_LEAST = mebibytes(1536);
const TREE_ROOT = mebibytes(512);
const TREE_SHARE = mebibytes(256);
/** Twice the heap that scripts may fill: their drawings and other data have as much again. */
const PAGE_MOST = mebibytes(1024);
/** The browser's share of the tree's limit: a page can take the rest before the next look. */
const WATCHED_SHARE = 0.85;
/** The same share for the browser and this process together: 1,352 MiB of 1,536, of which an empty crawl takes 170 outside of the browser. */
const WHOLE_SHARE = 0.88;

/**
 * Memory beside the browser: the program takes 165 to 190 MiB on nearly all hostile fixtures, and the kernel may have charged the
 * browser's files to another group that read them first.
 */
const BESIDE_BROWSER = mebibytes(320);

/** Limits for a browser in which `workers` pages are at work. */
export function memoryLimits(workers: number): MemoryLimits {
  return { page: PAGE_MOST, tree: bytes(Math.max(TREE_LEAST, TREE_ROOT + workers * TREE_SHARE)) };
}

/** Memory limit to give the kernel for the browser: the tree's limit, less what this process takes beside it. */
export function browserLimit({ tree, withProgram = false }: MemoryLimits): Bytes {
  return withProgram ? bytes(tree - BESIDE_BROWSER) : tree;
}

/** Memory of all processes; memory that a page and the process that draws it share counts once. */
export function treeMemory(processes: readonly ProcessMemory[]): Bytes {
  const sum = (of: readonly ProcessMemory[], field: 'own' | 'shared'): number =>
    of.reduce((total, process) => total + process[field], 0);
  const renderers = processes.filter(({ renderer }) => renderer);
  const others = processes.filter(({ renderer }) => !renderer);
  return bytes(sum(processes, 'own') + Math.max(sum(renderers, 'shared'), sum(others, 'shared')));
}

/**
 * Ends a page beyond its limit. Where all processes together are beyond theirs, it ends the largest page, or, where most of the memory
 * lies in the browser's own processes (which hold the data that a page stores or sends), the busiest page.
 * @param used memory of all processes of the browser, where that is known better than by their sum, and of this process; 0 where it does not count
 */
export function memoryVerdict(
  processes: readonly ProcessMemory[],
  limits: MemoryLimits,
  used: { readonly tree: Bytes; readonly program: Bytes } = { tree: treeMemory(processes), program: bytes(0) },
): MemoryVerdict {
  const { tree, program } = used;
  const size = ({ own, shared }: ProcessMemory): number => own + shared;
  const renderers = processes.filter(({ renderer }) => renderer);
  const largest = most(renderers, size);
  if (largest !== null && size(largest) > limits.page) {
    return { kind: 'end', pid: largest.pid, limit: limits.page, all: false };
  }
  const isWhole = program > 0 && tree + program > limits.tree * WHOLE_SHARE;
  if (tree <= limits.tree * WATCHED_SHARE && !isWhole) return { kind: 'fine' };
  const inPages = renderers.reduce((total, process) => total + size(process), 0);
  const guilty = inPages > tree / 2 ? largest : most(renderers, ({ busy }) => busy);
  if (guilty === null) return { kind: 'end-browser', limit: limits.tree };
  return { kind: 'end', pid: guilty.pid, limit: limits.tree, all: true };
}

function most(processes: readonly ProcessMemory[], of: (process: ProcessMemory) => number): ProcessMemory | null {
  return processes.reduce<ProcessMemory | null>(
    (best, process) => (best === null || of(process) > of(best) ? process : best),
    null,
  );
}

/** Words of a record for a page that took too much: `memory: the page's processes took more than 1 GiB`. */
export function memoryReason(whose: 'page' | 'browser' | 'heap' | 'answer', limit: Bytes): string {
  return `memory: ${SUBJECTS[whose]} more than ${sizeText(limit)}`;
}

const SUBJECTS = {
  page: "the page's processes took",
  browser: 'the processes of the browser took',
  heap: 'the scripts of the page filled',
  answer: 'one answer of the browser about the page is',
} as const;

function sizeText(size: Bytes): string {
  const gibibytes = size / 1024 ** 3;
  return gibibytes >= 1 ? `${Number(gibibytes.toFixed(2))} GiB` : `${Math.round(size / 1024 ** 2)} MiB`;
}
