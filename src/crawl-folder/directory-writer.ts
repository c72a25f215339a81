import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { diskError } from './disk-error.ts';
import { pictureEnding } from '../model/picture-type.ts';
import { snapshotStem } from './snapshot-layout.ts';
import { writeWholeFile } from './whole-file.ts';
import type { SnapshotContent, SnapshotPaths, SnapshotWriter } from './writer.ts';

interface DirectoryWriterOptions {
  readonly html: boolean;
  readonly text: boolean;
  readonly screenshot: boolean;
}

/** Writes html, text and screenshot of each page as files below `snapshots/` of a crawl folder. */
export function openDirectoryWriter(crawlFolder: string, options: DirectoryWriterOptions): SnapshotWriter {
  const made = new Set<string>();

  async function store(relative: string, content: string | Uint8Array): Promise<string> {
    const path = join(crawlFolder, relative);
    const folder = dirname(path);
    if (!made.has(folder)) {
      await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
        throw diskError(error, folder);
      });
      made.add(folder);
    }
    await writeWholeFile(path, content);
    return relative;
  }

  async function write(page: SnapshotContent, signal: AbortSignal): Promise<SnapshotPaths> {
    signal.throwIfAborted();
    const stem = snapshotStem(page.url);
    const html = options.html && page.html !== null ? store(`${stem}.html`, page.html) : null;
    const text = options.text && page.text !== null ? store(`${stem}.txt`, page.text) : null;
    const picture =
      options.screenshot && page.screenshot !== null
        ? store(`${stem}.${pictureEnding(page.screenshot)}`, page.screenshot)
        : null;
    const [htmlPath, textPath, screenshotPath] = await Promise.all([html, text, picture]);
    return { html: htmlPath, text: textPath, screenshot: screenshotPath, warc: null };
  }

  return { write, seal: async () => {}, [Symbol.asyncDispose]: async () => {} };
}
