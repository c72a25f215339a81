/**
 * Crawls that may have left keys in a server of the user's and never began. A crawl notes its id in the folder before it writes its first key, and takes
 * the note back when its crawl.json is there, by which it can be resumed or replaced. So the next start in the folder knows the keys of one that was
 * killed in between, which nothing else names.
 */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { parsedJson } from '../base/safe-json.ts';
import { isCrawlId } from '../model/crawl-id.ts';
import { UNBEGUN_NOTE } from './replacement.ts';
import { writeLastingFile } from './whole-file.ts';

export interface UnbegunCrawl {
  readonly id: string;
  /** Its server, without a password. */
  readonly redis: string;
}

/** Most crawls that are kept in mind; arbitrary, each is a start that was killed within a moment. */
const MOST = 100;

const noteSchema: z.ZodType<UnbegunCrawl[]> = z.array(
  z.object({ id: z.string().refine(isCrawlId), redis: z.string().max(2000) }),
);

/** Those noted in a folder; none where the note is missing or damaged. */
export async function readUnbegun(folder: string): Promise<readonly UnbegunCrawl[]> {
  const text = await readFile(join(folder, UNBEGUN_NOTE), 'utf8').catch(() => '');
  const read = noteSchema.safeParse(parsedJson(text));
  return read.success ? read.data.slice(-MOST) : [];
}

/** Replaces the note; without crawls there is none. @throws {CrawlError} DISK_FULL, OUTPUT_UNUSABLE */
export async function noteUnbegun(folder: string, crawls: readonly UnbegunCrawl[]): Promise<void> {
  const path = join(folder, UNBEGUN_NOTE);
  if (crawls.length === 0) await rm(path, { force: true });
  else await writeLastingFile(path, `${JSON.stringify(crawls)}\n`);
}
