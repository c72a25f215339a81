/** The bytes that a crawl folder keeps of its pages: records, snapshots and archive. `--size-limit` bounds them, and forecasts estimate them. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SnapshotPaths } from '../../crawl-folder/writer.ts';

const RECORDS = ['pages.jsonl', 'links.jsonl', 'skipped.jsonl', 'details.jsonl'] as const;

/** A limit on the bytes that the folder of a running crawl keeps. */
export interface SizeLimit {
  /** Once reached it stays so, for the pages in flight are still stored. */
  readonly isReached: boolean;
  /** Counts a page that was stored under these paths. Never rejects: files that cannot be read count as empty. */
  stored(paths: SnapshotPaths): Promise<void>;
}

/** @param limit bytes; null for no limit, then nothing is looked at */
export async function openSizeLimit(folder: string, limit: number | null): Promise<SizeLimit> {
  if (limit === null) return { isReached: false, stored: async () => {} };
  // walked once: a crawl may have a million snapshots, and of the growing files only a few
  let snapshots = await bytesBelow(join(folder, 'snapshots'));
  let isReached = snapshots + (await growing(folder)) >= limit;
  return {
    get isReached() {
      return isReached;
    },
    stored: async (paths) => {
      if (isReached) return;
      snapshots += await bytesOf(filesOf(paths).map((path) => join(folder, path)));
      isReached ||= snapshots + (await growing(folder)) >= limit;
    },
  };
}

/** The files of a page. The archive is not among them: it grows, and is looked at as a whole. */
function filesOf({ html, text, screenshot, screenshots = {}, boxes, extra = {} }: SnapshotPaths): readonly string[] {
  const own = [html, text, screenshot, boxes].filter((path) => typeof path === 'string');
  return [...own, ...Object.values(screenshots), ...Object.values(extra)];
}

/** The bytes that a crawl folder keeps of its pages. @param which `without-snapshots` for a crawl that keeps those in a storage elsewhere */
export async function storedBytes(folder: string, which: 'all' | 'without-snapshots' = 'all'): Promise<number> {
  return (which === 'all' ? await bytesBelow(join(folder, 'snapshots')) : 0) + (await growing(folder));
}

async function growing(folder: string): Promise<number> {
  return (await bytesOf(RECORDS.map((name) => join(folder, name)))) + (await bytesBelow(join(folder, 'archive')));
}

async function bytesBelow(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return bytesOf(names.map((name) => join(folder, name)));
}

async function bytesOf(files: readonly string[]): Promise<number> {
  let sum = 0;
  for (let start = 0; start < files.length; start += STATS_AT_A_TIME) {
    const some = files.slice(start, start + STATS_AT_A_TIME);
    // oxlint-disable-next-line no-await-in-loop -- some at a time
    const sizes = await Promise.all(some.map((file) => stat(file).catch(() => null)));
    for (const found of sizes) sum += found?.isFile() === true ? found.size : 0;
  }
  return sum;
}

const STATS_AT_A_TIME = 256;
