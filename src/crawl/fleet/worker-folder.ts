/** The folder that a worker writes to: its own, which `gather` merges with the crawl folder, or the crawl folder where machines share it. */
import { join, resolve } from 'node:path';
import { CrawlError } from '../../base/errors.ts';
import { readCrawlFile } from '../../crawl-folder/crawl-folder.ts';
import { diskError } from '../../crawl-folder/disk-error.ts';
import { makeFolders } from '../../crawl-folder/make-folders.ts';
import { writeWholeFile } from '../../crawl-folder/whole-file.ts';
import { WORKER_FILE } from '../../inspect/gather-files.ts';
import { VERSION } from '../../options/identity.ts';

interface WorkerFolder {
  readonly path: string;
  /** The log's place in it. */
  readonly log: string;
}

/**
 * @param shared the crawl folder, where this machine sees it; null: a folder of the worker's own is made in the working folder
 * @throws {CrawlError} NOTHING_TO_RESUME, CRAWL_UNREADABLE, USAGE where the shared folder holds another crawl; OUTPUT_UNUSABLE, DISK_FULL
 */
export async function openWorkerFolder(
  shared: string | null,
  { crawl, worker, workingFolder }: { readonly crawl: string; readonly worker: string; readonly workingFolder: string },
): Promise<WorkerFolder> {
  if (shared !== null) {
    const path = resolve(workingFolder, shared);
    const { id } = await readCrawlFile(path);
    if (id !== crawl) throw new CrawlError('USAGE', `crawlFolder: ${path} holds the crawl ${id}, not ${crawl}`);
    return { path, log: join(path, `log-${worker}.jsonl`) };
  }
  const path = join(workingFolder, `orbweaver-worker-${crawl}-${worker}`);
  await makeFolders(path).catch((error: unknown) => {
    throw diskError(error, path);
  });
  await writeWholeFile(join(path, WORKER_FILE), `${JSON.stringify({ crawl, worker, version: VERSION }, null, 2)}\n`);
  return { path, log: join(path, 'log.jsonl') };
}
