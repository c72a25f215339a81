/**
 * The folder of one crawl (docs/crawl-folder.md, "The crawl folder"). This file decides whether a folder may be written to, and
 * owns crawl.json; it removes only files that a crawl has made.
 */
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { CrawlError } from '../base/errors.ts';
import { lockFile, type HeldLock } from '../base/process/lock-file.ts';
import { isCrawlId } from '../model/crawl-id.ts';
import { diskError, systemCode } from './disk-error.ts';
import { KeptRoom } from './kept-room.ts';
import { makeFolders, removeEmptyFolders } from './make-folders.ts';
import { refuseLinks } from './no-links.ts';
import {
  endReplacement,
  isFree,
  LOGIN_PICTURE,
  OWN_NAMES,
  putAside,
  REMOVE_ALL,
  removeOwn,
  REPLACEMENT_FOLDERS,
} from './replacement.ts';
import { refuseLaterFormat } from './stored-crawl.ts';
import { writeLastingFile } from './whole-file.ts';

/** crawl.json as far as the program reads it back. */
export interface CrawlFile {
  readonly id: string;
  readonly state: 'running' | 'interrupted' | 'finished' | 'failed';
  /** Why it ended; missing or null while it runs. */
  readonly end?: string | null | undefined;
  /** Can it go on? Missing in folders of earlier versions. */
  readonly resumable?: boolean | undefined;
  readonly seeds: readonly string[];
  /** As given, secrets redacted; durations in milliseconds. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly started: string;
  /** Folders that were served, with the port that is part of their URLs. */
  readonly served?: readonly { readonly folder: string; readonly port: number }[] | undefined;
}

const crawlFileSchema: z.ZodType<CrawlFile> = z.looseObject({
  id: z.string().refine(isCrawlId),
  state: z.enum(['running', 'interrupted', 'finished', 'failed']),
  end: z.string().nullish(),
  resumable: z.boolean().optional(),
  seeds: z.array(z.string()),
  options: z.record(z.string(), z.unknown()),
  started: z.string().max(40),
  served: z.array(z.object({ folder: z.string(), port: z.int().min(1).max(65_535) })).optional(),
});

/** Names the process that writes to the folder. */
const LOCK_FILE = '.lock';

/**
 * Keeps other processes from writing to a crawl folder while its files are changed after the crawl.
 * @param elsewhere as in {@link lockFile}
 * @throws {CrawlError} OUTPUT_IN_USE, OUTPUT_UNUSABLE, DISK_FULL
 */
export function lockCrawlFolder(path: string, elsewhere: 'watched' | 'dead' = 'watched'): Promise<HeldLock> {
  return lockFile(join(path, LOCK_FILE), { elsewhere }).catch((error: unknown) => {
    throw diskError(error, path);
  });
}

export type FolderIntent = 'new' | 'overwrite' | 'resume';

export interface CrawlFolder extends AsyncDisposable {
  readonly path: string;
  /** crawl.json as it was found, of the crawl that is resumed or replaced; null in a new folder. */
  readonly found: CrawlFile | null;
  /**
   * Takes the folder for this crawl: files of an earlier crawl are put aside where that was asked for, and removed with
   * the first crawl.json. Without one, disposing leaves the folder as it was found.
   */
  claim(): Promise<void>;
  /** Creates and returns the folder for the private Redis. */
  stateFolder(): Promise<string>;
  removeState(): Promise<void>;
  /** @throws {CrawlError} DISK_FULL, OUTPUT_UNUSABLE; OUTPUT_IN_USE where another process has taken the folder, as one that stood still finds */
  writeCrawlFile(content: Readonly<Record<string, unknown>>): Promise<void>;
  /** Writes crawl.json for the last time: into the room that was kept for it, where the disk is full. @throws as writeCrawlFile */
  writeLastCrawlFile(content: Readonly<Record<string, unknown>>): Promise<void>;
}

/**
 * Opens a folder for a crawl and locks it.
 * @param elsewhere as in {@link lockFile}
 * @throws {CrawlError} OUTPUT_EXISTS, OUTPUT_IN_USE, OUTPUT_UNUSABLE, DISK_FULL, NOTHING_TO_RESUME
 */
export async function openCrawlFolder(
  path: string,
  intent: FolderIntent,
  elsewhere: 'watched' | 'dead' = 'watched',
): Promise<CrawlFolder> {
  await checkUse(path, intent);
  const made = await makeFolders(path).catch((error: unknown) => {
    throw diskError(error, path);
  });
  const lock = await lockCrawlFolder(path, elsewhere);
  try {
    if (intent === 'resume') await refuseLinks(path, [...OWN_NAMES, ...REPLACEMENT_FOLDERS]);
    await endReplacement(path);
    const found = await findCrawl(path, intent);
    const before = await namesIn(path);
    return new OpenFolder({ path, found, intent, lock, before, made });
  } catch (error) {
    await lock[Symbol.asyncDispose]();
    throw error;
  }
}

async function findCrawl(path: string, intent: FolderIntent): Promise<CrawlFile | null> {
  if (intent === 'resume') return readCrawlFile(path);
  return intent === 'overwrite' ? readCrawlFile(path).catch(() => null) : null; // whatever is replaced
}

/**
 * Says whether {@link openCrawlFolder} would accept the folder, without writing anything.
 * @throws {CrawlError} OUTPUT_EXISTS, OUTPUT_UNUSABLE, NOTHING_TO_RESUME
 */
export async function checkUse(path: string, intent: FolderIntent): Promise<void> {
  const names = await namesIn(path);
  const holdsCrawl = ['crawl.json', ...REPLACEMENT_FOLDERS].some((name) => names.includes(name));
  if (intent === 'resume') {
    if (!holdsCrawl) {
      throw new CrawlError('NOTHING_TO_RESUME', `${path} holds no crawl: there is no crawl.json in it`, {
        data: { folder: path },
      });
    }
    return;
  }
  if (holdsCrawl && intent === 'new') {
    const found = await readCrawlFile(path).catch(() => null);
    const isOver = found?.state === 'finished' && found.resumable !== true;
    const words = isOver
      ? 'holds a crawl that has finished\nReplace it by --overwrite, or choose another folder with --output.'
      : 'holds another crawl\nGo on with it by --resume, replace it by --overwrite, or choose another folder with --output.';
    throw new CrawlError('OUTPUT_EXISTS', `${path} ${words}`, { data: { folder: path } });
  }
  if (!holdsCrawl && !isFree(names, LOCK_FILE)) {
    throw new CrawlError(
      'OUTPUT_EXISTS',
      `${path} is not empty and holds no crawl; nothing in it was touched\nChoose another folder with --output.`,
      { data: { folder: path } },
    );
  }
}

/**
 * @throws {CrawlError} NOTHING_TO_RESUME where it is missing or not a crawl.json of ours, CRAWL_UNREADABLE where it is one of a later
 * format
 */
export async function readCrawlFile(folder: string): Promise<CrawlFile> {
  const path = join(folder, 'crawl.json');
  try {
    const places = [path, ...REPLACEMENT_FOLDERS.map((name) => join(folder, name, 'crawl.json'))];
    const content: unknown = JSON.parse(await readFirst(places));
    refuseLaterFormat(content, folder);
    return crawlFileSchema.parse(content);
  } catch (error) {
    if (error instanceof CrawlError) throw error;
    if (systemCode(error) === 'ENOENT') {
      const what = `there is no crawl in ${folder}: it holds no crawl.json`;
      const cure = 'Give the folder that a crawl has written.';
      throw new CrawlError('NOTHING_TO_RESUME', `${what}\n${cure}`, { cause: error });
    }
    throw new CrawlError('NOTHING_TO_RESUME', `${path} cannot be read as the description of a crawl`, { cause: error });
  }
}

/** The first of these files that is there. */
async function readFirst([path, ...others]: readonly string[]): Promise<string> {
  try {
    return await readFile(path ?? '', 'utf8');
  } catch (error) {
    if (systemCode(error) !== 'ENOENT' || others.length === 0) throw error;
    return readFirst(others);
  }
}

class OpenFolder implements CrawlFolder {
  readonly path: string;
  readonly found: CrawlFile | null;
  readonly #intent: FolderIntent;
  readonly #lock: HeldLock;
  /** The entries of the folder when it was opened. */
  readonly #before: readonly string[];
  /** The uppermost folder that was made for the crawl; null where all were there. */
  readonly #made: string | null;
  #claimed = false;
  #described = false;
  #writing: Promise<void> = Promise.resolve();
  #room: KeptRoom | null = null;

  constructor(parts: {
    readonly path: string;
    readonly found: CrawlFile | null;
    readonly intent: FolderIntent;
    readonly lock: HeldLock;
    readonly before: readonly string[];
    readonly made: string | null;
  }) {
    this.path = parts.path;
    this.found = parts.found;
    this.#intent = parts.intent;
    this.#lock = parts.lock;
    this.#before = parts.before;
    this.#made = parts.made;
  }

  async claim(): Promise<void> {
    await rm(join(this.path, LOGIN_PICTURE), { force: true });
    if (this.#intent === 'resume') return;
    await putAside(this.path);
    this.#claimed = true;
  }

  async stateFolder(): Promise<string> {
    const state = join(this.path, 'state');
    await mkdir(state, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
      throw diskError(error, state);
    });
    return state;
  }

  async removeState(): Promise<void> {
    await rm(join(this.path, 'state'), REMOVE_ALL);
  }

  async writeCrawlFile(content: Readonly<Record<string, unknown>>): Promise<void> {
    const path = join(this.path, 'crawl.json');
    const text = crawlText(content);
    await this.#inTurn(async () => {
      await writeLastingFile(path, text);
      this.#room ??= await KeptRoom.keepFor(path, text);
    });
    if (this.#claimed && !this.#described) await endReplacement(this.path);
    this.#described = true;
  }

  async writeLastCrawlFile(content: Readonly<Record<string, unknown>>): Promise<void> {
    try {
      await this.writeCrawlFile(content);
    } catch (error) {
      const room = this.#room;
      if (room === null || (error instanceof CrawlError && error.code === 'OUTPUT_IN_USE')) throw error;
      await this.#inTurn(() => room.fill(crawlText(content)));
    }
  }

  /** One after the other: on a slow disk the file of the end could be replaced by one from before. */
  async #inTurn(write: () => Promise<void>): Promise<void> {
    const written = this.#writing.then(() => this.#requireLock()).then(write);
    this.#writing = written.catch(() => {});
    await written;
  }

  async #requireLock(): Promise<void> {
    if (!(await this.#lock.isLost())) return;
    const what = `another process has taken ${this.path} meanwhile`;
    throw new CrawlError('OUTPUT_IN_USE', `${what}; this one has stopped\nThe crawl goes on there.`, {
      data: { folder: this.path },
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#room?.giveBack();
    if (!this.#described) {
      await removeOwn(this.path, this.#claimed ? [] : this.#before);
      await endReplacement(this.path);
    }
    await this.#lock[Symbol.asyncDispose]();
    if (this.#made !== null && !this.#described) await removeEmptyFolders(resolve(this.path), resolve(this.#made));
  }
}

function crawlText(content: Readonly<Record<string, unknown>>): string {
  return `${JSON.stringify(content, undefined, 2)}\n`;
}

async function namesIn(path: string): Promise<readonly string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    if (systemCode(error) === 'ENOTDIR') {
      throw new CrawlError('OUTPUT_UNUSABLE', `${path} is no folder: it, or a part of its path, is a file`, {
        cause: error,
        data: { folder: path },
      });
    }
    throw diskError(error, path);
  }
}
