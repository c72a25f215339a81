/** The screenshots of a page, wherever they are stored: files of a crawl folder, of a baseline, or records of an archive. */
import { CrawlError } from '../../base/errors.ts';
import { FIRST_VIEWPORT, readBoxes } from '../../crawl-folder/element-boxes-file.ts';
import { readStoredFile } from '../../crawl-folder/stored-file.ts';
import type { StoredPage } from '../../crawl-folder/stored-lines.ts';
import type { ElementBox } from '../../model/page-pictures.ts';
import { decodedPayload, readRecord } from '../../warc/warc-reader.ts';

export interface PageScreenshot {
  /** Path in its folder; null for a record of an archive, which is no file of its own. */
  readonly path: string | null;
  /** The picture; null where it is gone. @throws {CrawlError} CRAWL_UNREADABLE, ARCHIVE_DAMAGED */
  read(): Promise<Uint8Array | null>;
}

export interface PageScreenshots {
  /** Screenshots by window: `first` for that of the crawl, `375x812` for a further one. At least one. */
  readonly windows: ReadonlyMap<string, PageScreenshot>;
  /** The places of the page's elements in a window; empty where they are not known. @throws {CrawlError} CRAWL_UNREADABLE */
  boxes(window: string): Promise<readonly ElementBox[]>;
}

type StoredPictures = Pick<StoredPage['snapshot'], 'screenshot' | 'screenshots' | 'boxes'> &
  Partial<Pick<StoredPage['snapshot'], 'warc'>>;

/** Null where the page has no screenshots. @param folder of the crawl, or of the baseline */
export function pageScreenshots(
  folder: string,
  { screenshot, screenshots = {}, boxes, warc = null }: StoredPictures,
): PageScreenshots | null {
  const archived = warc?.screenshot;
  const windows = new Map<string, PageScreenshot>();
  if (screenshot !== null) windows.set(FIRST_VIEWPORT, stored(folder, screenshot));
  else if (archived !== undefined) {
    const read = async (): Promise<Uint8Array> => (await decodedPayload(await readRecord(folder, archived))).bytes;
    windows.set(FIRST_VIEWPORT, { path: null, read: () => unlessGone(read) });
  }
  for (const [window, path] of Object.entries(screenshots)) windows.set(window, stored(folder, path));
  if (windows.size === 0) return null;
  return {
    windows,
    boxes: async (window) => {
      const content = boxes === undefined ? null : await stored(folder, boxes).read();
      return content === null ? [] : readBoxes(Buffer.from(content).toString('utf8'), window);
    },
  };
}

function stored(folder: string, path: string): PageScreenshot {
  return { path, read: () => unlessGone(async () => (await readStoredFile(folder, path)).content) };
}

async function unlessGone(read: () => Promise<Uint8Array>): Promise<Uint8Array | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof CrawlError && error.code === 'NOT_STORED') return null;
    throw error;
  }
}
