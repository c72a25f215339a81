/** Checks that the files that pages.jsonl names are there, and as they were written. */
import { createHash } from 'node:crypto';
import { CrawlError } from '../../base/errors.ts';
import { readStoredFile } from '../../crawl-folder/stored-file.ts';
import type { StoredPage } from '../../crawl-folder/stored-lines.ts';
import type { ProblemList } from './verification.ts';

export class SnapshotCheck {
  readonly #folder: string;
  readonly #problems: ProblemList;
  /** Files with a digest in their page's line. */
  withDigest = 0;
  /** Files that lie in a storage or with a worker. */
  elsewhere = 0;

  constructor(folder: string, problems: ProblemList) {
    this.#folder = folder;
    this.#problems = problems;
  }

  async add({ url, snapshot }: StoredPage, line: number): Promise<void> {
    const { html, text, screenshot, screenshots = {}, boxes, extra = {}, digests = {} } = snapshot;
    const parts = { html, text, screenshot, boxes, ...screenshots };
    for (const [part, file] of Object.entries(parts))
      if (typeof file === 'string') await this.#look(file, digests[part] ?? null, { line, url });
    for (const file of Object.values(extra)) await this.#look(file, null, { line, url });
  }

  async #look(
    file: string,
    digest: string | null,
    page: { readonly line: number; readonly url: string },
  ): Promise<void> {
    try {
      const { content } = await readStoredFile(this.#folder, file);
      this.#problems.looked += 1;
      if (digest === null) return;
      this.withDigest += 1;
      if (digest !== `sha256:${createHash('sha256').update(content).digest('hex')}`)
        this.#problems.add(`it is not as it was written: its SHA-256 is not the one in pages.jsonl`, {
          file,
          url: page.url,
        });
    } catch (error) {
      if (!(error instanceof CrawlError)) throw error;
      if (error.code === 'NOT_GATHERED') this.elsewhere += 1;
      else this.#problems.add(error.message, { file, url: page.url });
    }
  }
}
