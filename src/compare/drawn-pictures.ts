/** Pictures of differences, with the earlier pictures, in the folder of the new crawl: its report shows them, wherever the old crawl goes. */
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { refuseLinks } from '../crawl-folder/no-links.ts';
import { diskError } from '../crawl-folder/disk-error.ts';
import { writeWholeFile } from '../crawl-folder/whole-file.ts';
import { pictureEnding } from '../model/picture-type.ts';

const FOLDER = 'report/diff/pictures';
/** The most windows of pages, and bytes of all their pictures (arbitrary): more than a person looks through. */
const MOST_PAIRS = 100;
const MOST_BYTES = 100_000_000;
/** The most windows that differ alike, so that one header does not crowd out the others. */
const MOST_ALIKE = 3;

interface DrawnPair {
  /** Paths in the crawl folder. */
  readonly before: string;
  readonly after: string;
  readonly difference: string;
}

interface PictureFiles {
  readonly before: Uint8Array;
  readonly after: Uint8Array;
  /** Path of the later picture in the crawl folder; null where it must be written, too. */
  readonly afterPath: string | null;
  /** Equal where two windows differ alike. */
  readonly mark: string;
}

export class DrawnPictures {
  readonly #folder: string;
  #pairs = 0;
  #bytes = 0;
  #left = 0;
  #alike = 0;
  /** Pairs by mark. */
  readonly #drawn = new Map<string, number>();

  /** @param folder of the crawl */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Removes the pictures of an earlier comparison. @throws {CrawlError} OUTPUT_UNUSABLE, DISK_FULL */
  async clear(): Promise<void> {
    await refuseLinks(this.#folder, ['report']);
    const path = join(this.#folder, FOLDER);
    const names = await readdir(path).catch(() => []);
    const own = names.filter((name) => /^\d+-(?:before|after|difference)\.(?:png|jpg)$/.test(name));
    await Promise.all(own.map((name) => rm(join(path, name), { force: true }))).catch((error: unknown) => {
      throw diskError(error, path);
    });
  }

  /** @returns null where there are enough pairs, or enough alike. @throws {CrawlError} OUTPUT_UNUSABLE, DISK_FULL */
  async add({ before, after, afterPath, mark }: PictureFiles, draw: () => Uint8Array): Promise<DrawnPair | null> {
    const alike = this.#drawn.get(mark) ?? 0;
    if (alike >= MOST_ALIKE) {
      this.#alike += 1;
      return null;
    }
    if (this.#pairs >= MOST_PAIRS || this.#bytes >= MOST_BYTES) {
      this.#left += 1;
      return null;
    }
    this.#drawn.set(mark, alike + 1);
    const folder = join(this.#folder, FOLDER);
    await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
      throw diskError(error, folder);
    });
    const name = `${FOLDER}/${(this.#pairs += 1)}`;
    return {
      before: await this.#write(`${name}-before`, before),
      after: afterPath ?? (await this.#write(`${name}-after`, after)),
      difference: await this.#write(`${name}-difference`, draw()),
    };
  }

  async #write(name: string, picture: Uint8Array): Promise<string> {
    const path = `${name}.${pictureEnding(picture)}`;
    this.#bytes += picture.length;
    await writeWholeFile(join(this.#folder, path), picture);
    return path;
  }

  notes(): readonly string[] {
    const first = `pictures of differences are drawn for the first`;
    return [
      ...(this.#left === 0 ? [] : [`${first} ${this.#pairs} that were found; ${this.#left} more differ`]),
      ...(this.#alike === 0 ? [] : [`${first} ${MOST_ALIKE} that differ alike; ${this.#alike} more do`]),
    ];
  }
}
