/** Pictures of differences, and those of before beside them, in the folder of the new crawl: its report shows them, wherever the old crawl goes. */
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { refuseLinks } from '../crawl-folder/no-links.ts';
import { diskError } from '../crawl-folder/disk-error.ts';
import { writeWholeFile } from '../crawl-folder/whole-file.ts';

const FOLDER = 'report/diff/pictures';
/** Windows of pages, and bytes of all their pictures (arbitrary): more than anybody looks through. */
const MOST_PAIRS = 100;
const MOST_BYTES = 100_000_000;

interface DrawnPair {
  /** Paths in the crawl folder. */
  readonly before: string;
  readonly difference: string;
}

export class DrawnPictures {
  readonly #folder: string;
  #pairs = 0;
  #bytes = 0;
  #left = 0;

  /** @param folder of the crawl */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Removes those of an earlier comparison. @throws {CrawlError} OUTPUT_UNUSABLE, DISK_FULL */
  async clear(): Promise<void> {
    await refuseLinks(this.#folder, ['report']);
    const path = join(this.#folder, FOLDER);
    const names = await readdir(path).catch(() => []);
    const own = names.filter((name) => /^\d+-(?:before|difference)\.png$/.test(name));
    await Promise.all(own.map((name) => rm(join(path, name), { force: true })));
  }

  /** @returns null where there are enough of them. @throws {CrawlError} OUTPUT_UNUSABLE, DISK_FULL */
  async add(before: Uint8Array, draw: () => Uint8Array): Promise<DrawnPair | null> {
    if (this.#pairs >= MOST_PAIRS || this.#bytes >= MOST_BYTES) {
      this.#left += 1;
      return null;
    }
    const name = `${FOLDER}/${(this.#pairs += 1)}`;
    const pair = { before: `${name}-before.png`, difference: `${name}-difference.png` };
    const drawn = draw();
    this.#bytes += before.length + drawn.length;
    const folder = join(this.#folder, FOLDER);
    await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
      throw diskError(error, folder);
    });
    await writeWholeFile(join(this.#folder, pair.before), before);
    await writeWholeFile(join(this.#folder, pair.difference), drawn);
    return pair;
  }

  notes(): readonly string[] {
    if (this.#left === 0) return [];
    return [
      `pictures of differences are drawn for the first ${this.#pairs} that were found; ${this.#left} more differ`,
    ];
  }
}
