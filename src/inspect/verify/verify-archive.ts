/** Checks that each record of the archive is whole, that the index names them all, and that pages lead to theirs. */
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { makeTemporaryFolder } from '../../base/process/temporary-folder.ts';
import { CrawlError } from '../../base/errors.ts';
import type { StoredCrawl } from '../../crawl-folder/stored-crawl.ts';
import type { StoredPage } from '../../crawl-folder/stored-lines.ts';
import { readWarcName } from '../../warc/archive-names.ts';
import { checkArchive, type CheckedArchive } from '../export/archive-integrity.ts';
import { isStillWritten, openArchiveFiles } from '../export/crawl-archive.ts';
import type { ProblemList } from './verification.ts';

/** Errors about an archive itself; others are those of the disk. */
const FAULTS: ReadonlySet<string> = new Set(['ARCHIVE_DAMAGED', 'CRAWL_UNREADABLE', 'NOT_GATHERED']);

export class ArchiveCheck {
  readonly #problems: ProblemList;
  /** Null where there is none, or it is damaged. */
  #archive: CheckedArchive | null = null;
  #isDamaged = false;
  /** Is nothing checked, as the crawl still writes to it, or was killed? */
  isUnfinished = false;
  /** Records that lie with a worker. */
  elsewhere = 0;

  constructor(problems: ProblemList) {
    this.#problems = problems;
  }

  /** Reads the whole archive. */
  async open(folder: string, crawl: StoredCrawl, signal: AbortSignal): Promise<void> {
    // the archive of an interrupted crawl is made whole in a copy, as the crawl may go on with its own
    const scratch = await makeTemporaryFolder('orbweaver-verify-');
    try {
      this.isUnfinished = await isStillWritten(folder, crawl);
      if (this.isUnfinished) return;
      this.#archive = await checkArchive(await openArchiveFiles(folder, crawl, join(scratch, 'archive')), signal);
      this.#problems.looked = this.#archive.records;
    } catch (error) {
      if (!(error instanceof CrawlError)) throw error;
      if (error.code === 'NOT_STORED') return;
      if (!FAULTS.has(error.code)) throw error;
      this.#isDamaged = true;
      this.#problems.add(error.message);
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  }

  /** Checks that the records named by a page's line are there. */
  add({ url, snapshot: { warc } }: StoredPage): void {
    if (warc === null || this.#isDamaged || this.isUnfinished) return;
    for (const record of [warc, warc.html, warc.text, warc.screenshot])
      if (record !== undefined) this.#look(record, url);
  }

  #look({ file, offset }: { readonly file: string; readonly offset: number }, url: string): void {
    const name = basename(file);
    if (this.#archive?.hasFile(name) === true) {
      if (this.#archive.recordAt(name, offset) === null)
        this.#problems.add(`no record of the index begins at byte ${offset}`, { file, url });
    } else if (typeof readWarcName(file)?.worker === 'string') this.elsewhere += 1;
    else this.#problems.add('there is no such file in the archive', { file, url });
  }
}
