/** A crawl folder that a question is about: the content of crawl.json, in the words of this version. */
import { resolve } from 'node:path';
import { CrawlError } from '../base/errors.ts';
import { refuseMissingLines } from '../crawl-folder/missing-lines.ts';
import { readStoredCrawl, type StoredCrawl } from '../crawl-folder/stored-crawl.ts';
import { VERSION } from '../options/identity.ts';
import { parseOptions, type ParsedOptions } from '../options/options.ts';

export interface InspectedCrawl {
  /** Absolute. */
  readonly path: string;
  readonly crawl: StoredCrawl;
  readonly options: ParsedOptions;
}

/** @throws {CrawlError} CRAWL_UNREADABLE */
export async function openInspectedCrawl(folder: string): Promise<InspectedCrawl> {
  const path = resolve(folder);
  const crawl = await readStoredCrawl(path, VERSION);
  await refuseMissingLines(path, crawl);
  return { path, crawl, options: optionsOf(crawl, path) };
}

/** @throws {CrawlError} CRAWL_UNREADABLE where this version does not know an option */
function optionsOf({ options, seeds }: StoredCrawl, folder: string): ParsedOptions {
  try {
    // settings that a reader does not use may be invalid in this version
    const unused = { headers: undefined, headerOrigins: undefined, httpAuth: undefined };
    return parseOptions({ ...options, ...unused, seeds: seeds.length === 0 ? ['-'] : seeds });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const message = `the options in ${folder}/crawl.json are not those of this version: ${why}`;
    throw new CrawlError('CRAWL_UNREADABLE', message, { cause, data: { folder } });
  }
}
