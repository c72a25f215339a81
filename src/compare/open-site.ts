/** Opens whatever can be compared: a crawl folder, or a baseline. */
import { access } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { BASELINE_FILE, openBaselineSite } from './baseline-site.ts';
import type { ComparedSite } from './compared-site.ts';
import { openCrawlSite } from './crawl-site.ts';

/** @throws {CrawlError} CRAWL_UNREADABLE, BASELINE_INVALID, USAGE; the signal's reason */
export async function openSite(folder: string, map: readonly string[], signal: AbortSignal): Promise<ComparedSite> {
  return (await isBaseline(folder)) ? openBaselineSite(resolve(folder), map) : openCrawlSite(folder, map, signal);
}

export async function isBaseline(folder: string): Promise<boolean> {
  return access(join(folder, BASELINE_FILE)).then(
    () => true,
    () => false,
  );
}
