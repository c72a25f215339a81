/** Brings snapshots from the storage of a crawl into its folder, where pages.jsonl names them. */
import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { CrawlError } from '../base/errors.ts';
import { lockCrawlFolder } from '../crawl-folder/crawl-folder.ts';
import { diskError } from '../crawl-folder/disk-error.ts';
import { refuseLinks } from '../crawl-folder/no-links.ts';
import { storageOf } from '../crawl-folder/not-gathered.ts';
import { storedPages, type StoredPage } from '../crawl-folder/stored-lines.ts';
import { writeWholeFile } from '../crawl-folder/whole-file.ts';
import { openStorage, type SnapshotStorage } from '../storage/open-storage.ts';
import { readStoragePlace } from '../storage/storage-place.ts';
import { isSnapshotName } from './snapshot-name.ts';
import { createUnread, type UnreadLines } from './unread-lines.ts';

/** Requests at a time: they mostly wait. */
const AT_ONCE = 8;

interface Fetched {
  /** `s3://bucket/prefix` */
  readonly storage: string;
  /** Files that were fetched, and their bytes. */
  readonly copied: number;
  readonly bytes: number;
  /** Files that were already in the folder. */
  readonly there: number;
  /** Files that the crawl names and the storage does not have. */
  readonly missing: number;
  readonly notes: readonly string[];
}

/**
 * Fetches missing files. A second call fetches nothing.
 * @param variables of the environment, which name the storage's server and the key
 * @returns null where the crawl keeps its snapshots in its folder
 * @throws {CrawlError} PACKAGE_MISSING, STORAGE_UNUSABLE, STORAGE_FAILED, CRAWL_UNREADABLE, OUTPUT_IN_USE, OUTPUT_UNUSABLE, DISK_FULL
 */
export async function fetchStored(
  folder: string,
  variables: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<Fetched | null> {
  const name = await storageOf(folder);
  if (name === null) return null;
  const place = readStoragePlace(name);
  if (place === null) throw new CrawlError('CRAWL_UNREADABLE', `crawl.json in ${folder} names no storage: ${name}`);
  const storage = await openStorage(place, { variables, clock: systemClock });
  await using _lock = await lockCrawlFolder(folder);
  await refuseLinks(folder, ['snapshots']);
  const unread = createUnread();
  const counts = new Fetching(folder, storage);
  await counts.run(unread, signal);
  const { copied, bytes, there, missing } = counts;
  return { storage: name, copied, bytes, there, missing, notes: unread.notes() };
}

class Fetching {
  readonly #folder: string;
  readonly #storage: SnapshotStorage;
  copied = 0;
  bytes = 0;
  there = 0;
  missing = 0;

  constructor(folder: string, storage: SnapshotStorage) {
    this.#folder = folder;
    this.#storage = storage;
  }

  /** Fetches all; the first failure ends it. */
  async run(unread: UnreadLines, signal: AbortSignal): Promise<void> {
    const names = namesOf(this.#folder, unread);
    const fetchOn = async (): Promise<void> => {
      for (let next = await names.next(); next.done !== true; next = await names.next())
        await this.#fetch(next.value, signal);
    };
    try {
      await Promise.all(Array.from({ length: AT_ONCE }, fetchOn));
    } finally {
      await names.return();
    }
  }

  async #fetch(name: string, signal: AbortSignal): Promise<void> {
    const path = join(this.#folder, name);
    if (await isThere(path)) {
      this.there += 1;
      return;
    }
    const content = await this.#storage.get(name, signal);
    if (content === null) {
      this.missing += 1;
      return;
    }
    await mkdir(dirname(path), { recursive: true, mode: 0o700 }).catch((error: unknown) => {
      throw diskError(error, path);
    });
    await writeWholeFile(path, content);
    this.copied += 1;
    this.bytes += content.length;
  }
}

/** Names of the form that this program makes: a folder may come from elsewhere, and name any file. */
async function* namesOf(folder: string, unread: UnreadLines): AsyncGenerator<string, void, void> {
  for await (const { snapshot } of storedPages(folder, '"snapshots/', unread))
    for (const name of filesOf(snapshot)) if (isSnapshotName(name)) yield name;
}

function filesOf({ html, text, screenshot, screenshots = {}, boxes }: StoredPage['snapshot']): readonly string[] {
  const all = [html, text, screenshot, boxes ?? null, ...Object.values(screenshots)];
  return all.filter((name) => name !== null);
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
