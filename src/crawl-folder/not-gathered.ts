/** Errors for files that a crawl has kept and its folder lacks: a worker has them, or a storage. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { CrawlError } from '../base/errors.ts';
import { parsedJson } from '../base/safe-json.ts';

/** @param file as the crawl names it; null where the worker left it in the crawl folder, as its own */
export function notGathered(folder: string, worker: string, file: string | null): CrawlError {
  const what =
    file === null ? `left an archive of its own in ${folder}` : `kept ${file}, and nobody brought it to ${folder}`;
  const command = `orbweaver gather ${folder}${file === null ? '' : ' orbweaver-worker-*'}`;
  return new CrawlError('NOT_GATHERED', `the worker ${worker} ${what}\nBring all together: ${command}`, {
    data: { folder, worker },
  });
}

export function inStorage(folder: string, place: string): CrawlError {
  return new CrawlError(
    'NOT_GATHERED',
    `the crawl kept it in ${place}, and nobody brought it to ${folder}\nBring all of it there: orbweaver gather ${folder}`,
    { data: { folder, place } },
  );
}

const crawlFile = z.looseObject({ storage: z.string().max(1000) });
const crawlOfWorkers = z.looseObject({ options: z.looseObject({ redis: z.string() }) });

/** The storage of a crawl's snapshots, as `s3://bucket/prefix`; null where they are files of the folder. */
export async function storageOf(folder: string): Promise<string | null> {
  return crawlFile.safeParse(await crawlJson(folder)).data?.storage ?? null;
}

/** May workers have made visits of the crawl, and kept their files? Not where its Redis server was its own. */
export async function mayHaveWorkers(folder: string): Promise<boolean> {
  return crawlOfWorkers.safeParse(await crawlJson(folder)).success;
}

async function crawlJson(folder: string): Promise<unknown> {
  return parsedJson(await readFile(join(folder, 'crawl.json'), 'utf8').catch(() => ''));
}
