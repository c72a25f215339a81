/** Screenshots of a baseline: PNGs in its folder `snapshots`, named by their contents, so that pages that look alike share one. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CrawlError } from '../base/errors.ts';
import { diskError } from '../crawl-folder/disk-error.ts';
import { writeWholeFile } from '../crawl-folder/whole-file.ts';
import type { PageScreenshot } from '../inspect/pictures/page-screenshots.ts';
import { isPng } from '../model/picture-type.ts';
import type { BaselinePage } from './baseline-site.ts';
import type { ComparedSite } from './compared-site.ts';

/** The same as in crawl folders, so that readers of their pictures read these, too. */
export const PICTURES_FOLDER = 'snapshots';
const NAME = /^[\da-f]{20}\.png$/;
const WINDOW = /^(?:first|\d{1,5}x\d{1,5})$/;

export class BaselinePictures {
  readonly #site: ComparedSite;
  readonly #folder: string;
  #copied = 0;
  #others = 0;

  /** @param folder the baseline @throws {CrawlError} CRAWL_UNREADABLE where the crawl has none */
  constructor(site: ComparedSite, folder: string) {
    if (!site.hasPictures) throw withoutPictures(site, 'has no screenshots');
    this.#site = site;
    this.#folder = folder;
  }

  /** Copies the pictures of a page; null where none is without loss. @throws {CrawlError} CRAWL_UNREADABLE, OUTPUT_UNUSABLE, DISK_FULL */
  async copy(address: string): Promise<BaselinePage['pictures']> {
    const stored = this.#site.pictures(address);
    if (stored === null) return null;
    const kept: (readonly [string, string])[] = [];
    for (const [window, picture] of [...stored.windows].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
      const content = WINDOW.test(window) ? await this.#read(picture) : null;
      if (content === null) continue;
      kept.push([window, await this.#keep(content)]);
      this.#copied += 1;
    }
    return kept.length === 0 ? null : Object.fromEntries(kept);
  }

  /** @throws {CrawlError} CRAWL_UNREADABLE where all pictures have losses, which are never twice the same */
  check(): void {
    if (this.#copied === 0 && this.#others > 0) throw withoutPictures(this.#site, 'has screenshots as JPEG alone');
  }

  async #read(picture: PageScreenshot): Promise<Uint8Array | null> {
    const content = await picture.read();
    if (content === null || isPng(content)) return content;
    this.#others += 1;
    return null;
  }

  async #keep(content: Uint8Array): Promise<string> {
    const folder = join(this.#folder, PICTURES_FOLDER);
    const name = `${createHash('sha256').update(content).digest('hex').slice(0, 20)}.png`;
    await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
      throw diskError(error, folder);
    });
    await writeWholeFile(join(folder, name), content);
    return `${PICTURES_FOLDER}/${name}`;
  }
}

/** Removes pictures that no page of a baseline has any more. @returns bytes of the remaining ones */
export async function tidyPictures(folder: string, pages: Iterable<BaselinePage>): Promise<number> {
  const used = new Set([...pages].flatMap(({ pictures }) => Object.values(pictures ?? {})));
  let bytes = 0;
  for (const name of await readdir(join(folder, PICTURES_FOLDER)).catch(() => [])) {
    const path = join(folder, PICTURES_FOLDER, name);
    if (used.has(`${PICTURES_FOLDER}/${name}`)) bytes += (await stat(path)).size;
    else if (NAME.test(name)) await rm(path, { force: true });
  }
  return bytes;
}

function withoutPictures({ folder }: ComparedSite, what: string): CrawlError {
  return new CrawlError(
    'CRAWL_UNREADABLE',
    `${folder} ${what}, and a baseline keeps pictures without loss\n` +
      'Crawl with --snapshot html,text,screenshot --deterministic, or approve without pictures: --no-pictures.',
  );
}
