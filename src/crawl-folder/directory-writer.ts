import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { diskError } from './disk-error.ts';
import { boxesText } from './element-boxes-file.ts';
import { madeFolder } from './make-folders.ts';
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

/** Keeps one part of a page whole or not at all. @param name relative to the crawl folder, wherever it is kept */
type KeepFile = (name: string, content: string | Uint8Array, signal: AbortSignal) => Promise<void>;

/** Keeps files below `snapshots/` of a crawl folder. */
function keepInFolder(crawlFolder: string): KeepFile {
  const made = new Set<string>();
  return async (name, content) => {
    const path = join(crawlFolder, name);
    const folder = dirname(path);
    if (!made.has(folder)) {
      try {
        // not the crawl folder: one that was removed meanwhile, and made again, would have a part of the crawl
        for (const each of [dirname(folder), folder]) await madeFolder(each);
      } catch (error) {
        throw diskError(error, folder);
      }
      made.add(folder);
    }
    await writeWholeFile(path, content);
  };
}

/**
 * Writes html, text and screenshot of each page as files, under names below `snapshots/`.
 * @param keep stores the files; left out: in the crawl folder
 */
export function openDirectoryWriter(
  crawlFolder: string,
  options: DirectoryWriterOptions,
  keep: KeepFile = keepInFolder(crawlFolder),
): SnapshotWriter {
  async function write(page: SnapshotContent, signal: AbortSignal): Promise<SnapshotPaths> {
    signal.throwIfAborted();
    const stem = snapshotStem(page.url);
    const digests: Record<string, string> = {};
    const store: Store = async (part, name, content) => {
      // computed before writing, so that a line has the digests in one order, whichever file is written first
      digests[part] = `sha256:${createHash('sha256').update(content).digest('hex')}`;
      await keep(name, content, signal);
      return name;
    };
    const html = options.html && page.html !== null ? store('html', `${stem}.html`, page.html) : null;
    const text = options.text && page.text !== null ? store('text', `${stem}.txt`, page.text) : null;
    const pictures = options.screenshot ? storePictures(stem, page, store) : NO_PICTURES;
    const [htmlPath, textPath, stored] = await Promise.all([html, text, pictures]);
    const known = Object.keys(digests).length === 0 ? {} : { digests };
    return { html: htmlPath, text: textPath, ...stored, ...known, warc: null };
  }

  return { write, seal: async () => {}, [Symbol.asyncDispose]: async () => {} };
}

/** @param part as `snapshot` names it in pages.jsonl; a further screenshot by its window. @returns the name */
type Store = (part: string, name: string, content: string | Uint8Array) => Promise<string>;

async function storePictures(stem: string, page: SnapshotContent, store: Store): Promise<StoredPictures> {
  const { screenshot, pictures = [] } = page;
  if (screenshot === null) return NO_PICTURES;
  const further = pictures.slice(1).map(async ({ viewport, picture }) => {
    const name = viewportName(viewport);
    return [name, await store(name, `${stem}.${name}.${pictureEnding(picture)}`, picture)] as const;
  });
  const hasBoxes = pictures.some(({ boxes }) => boxes.length > 0);
  const [first, boxes, ...others] = await Promise.all([
    store('screenshot', `${stem}.${pictureEnding(screenshot)}`, screenshot),
    hasBoxes ? store('boxes', `${stem}.boxes.json`, boxesText(pictures)) : null,
    ...further,
  ]);
  return {
    screenshot: first,
    ...(others.length === 0 ? {} : { screenshots: Object.fromEntries(others) }),
    ...(boxes === null ? {} : { boxes }),
  };
}
