import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { diskError } from './disk-error.ts';
import { boxesText } from './element-boxes-file.ts';
import { viewportName } from '../model/page-pictures.ts';
import { pictureEnding } from '../model/picture-type.ts';
import { snapshotStem } from './snapshot-layout.ts';
import { writeWholeFile } from './whole-file.ts';
import type { SnapshotContent, SnapshotPaths, SnapshotWriter } from './writer.ts';

type StoredPictures = Pick<SnapshotPaths, 'screenshot' | 'screenshots' | 'boxes'>;
const NO_PICTURES: StoredPictures = { screenshot: null };

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
    const pictures = options.screenshot ? storePictures(stem, page) : NO_PICTURES;
    const [htmlPath, textPath, stored] = await Promise.all([html, text, pictures]);
    return { html: htmlPath, text: textPath, ...stored, warc: null };
  }

  async function storePictures(stem: string, page: SnapshotContent): Promise<StoredPictures> {
    const { screenshot, pictures = [] } = page;
    if (screenshot === null) return NO_PICTURES;
    const further = pictures.slice(1).map(async ({ viewport, picture }) => {
      const name = viewportName(viewport);
      return [name, await store(`${stem}.${name}.${pictureEnding(picture)}`, picture)] as const;
    });
    const hasBoxes = pictures.some(({ boxes }) => boxes.length > 0);
    const [first, boxes, ...others] = await Promise.all([
      store(`${stem}.${pictureEnding(screenshot)}`, screenshot),
      hasBoxes ? store(`${stem}.boxes.json`, boxesText(pictures)) : null,
      ...further,
    ]);
    return {
      screenshot: first,
      ...(others.length === 0 ? {} : { screenshots: Object.fromEntries(others) }),
      ...(boxes === null ? {} : { boxes }),
    };
  }

  return { write, seal: async () => {}, [Symbol.asyncDispose]: async () => {} };
}
