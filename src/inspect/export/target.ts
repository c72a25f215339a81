/**
 * The target of an export. Existing files are replaced only where the caller asks for it, the crawl folder is never written into, and a target
 * is whole or absent: it is written under another name beside its own, and renamed at the end.
 */
import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, realpath, rename, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { CrawlError } from '../../base/errors.ts';
import { hours, type Milliseconds } from '../../base/units.ts';
import { systemCode } from '../../crawl-folder/disk-error.ts';
import { targetError } from './target-error.ts';

/** The mode of the crawl folder's files: pages behind a log-in are for the owner of the log-in. */
export const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

export interface TargetRules {
  /** Absolute; a file in this folder would be taken for a part of the crawl. */
  readonly crawlFolder: string;
  readonly overwrite: boolean;
}

/** A file that is being written under another name. */
export interface FileTarget {
  /** Its final path. */
  readonly path: string;
  /** Its path until then. */
  readonly temporary: string;
}

/** Files that are written elsewhere first, and put in their places together. */
export interface Staging extends AsyncDisposable {
  /** @param name within the target folder, or beside the target file */
  file(name: string): FileTarget;
  /** A temporary file or folder of this name: it is removed, and never put in place. */
  scratch(name: string): string;
  /** Puts the files made by `file` in place. @throws {CrawlError} OUTPUT_EXISTS, and then nothing was moved */
  commit(): Promise<void>;
}

/**
 * A single file.
 * @throws {CrawlError} OUTPUT_EXISTS, OUTPUT_UNUSABLE, USAGE
 */
export async function stageFile(path: string, rules: TargetRules): Promise<Staging> {
  const target = await placeOf(path, rules);
  await checkFile(target, rules.overwrite);
  await removeForsaken(dirname(target), (name) => name.startsWith(`.${basename(target)}.`));
  return staging(
    { folder: dirname(target), temporary: (name) => join(dirname(target), `.${name}.${randomUUID()}.tmp`) },
    rules,
  );
}

/**
 * A folder of files; if it exists it must be empty, or only files of the same names are replaced in it.
 * @throws {CrawlError} OUTPUT_EXISTS, OUTPUT_UNUSABLE, USAGE
 */
export async function stageFolder(path: string, rules: TargetRules): Promise<Staging> {
  const target = await placeOf(path, rules);
  const found = await namesIn(target);
  if (found !== null && found.some((name) => !UNFINISHED_FOLDER.test(name)) && !rules.overwrite) {
    throw exists(
      `${target} is not empty`,
      'Choose another folder, or replace the files of an earlier export in it by --overwrite.',
    );
  }
  const made = found === null ? await mkdirWhole(target) : null;
  await removeForsaken(target, (name) => UNFINISHED_FOLDER.test(name));
  const inner = join(target, `.${randomUUID()}.tmp`);
  try {
    await mkdir(inner, { mode: FOLDER_MODE });
  } catch (error) {
    if (made !== null) await rmdir(made).catch(() => {});
    throw targetError(error, target);
  }
  return staging({ folder: target, temporary: (name) => join(inner, name), inner, made }, rules);
}

/** The end of a temporary name as made above, also of SQLite's lock beside it. */
const UNFINISHED = /\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp(?:\.lock)?$/;
/** The folder for the temporary files of a target folder. */
const UNFINISHED_FOLDER = new RegExp(`^${UNFINISHED.source}`);
/** A temporary file that nobody has touched for so long is that of a killed program, and not of one that writes there now (arbitrary). */
const FORSAKEN: Milliseconds = hours(24);

/** Removes temporary files that killed programs have left. Never rejects: a file that stays harms no export. */
async function removeForsaken(folder: string, isOfTarget: (name: string) => boolean): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    if (!UNFINISHED.test(name) || !isOfTarget(name)) continue;
    const path = join(folder, name);
    const found = await lstat(path).catch(() => null);
    if (found === null || Date.now() - found.mtimeMs < FORSAKEN) continue;
    await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}

interface Layout {
  readonly folder: string;
  readonly temporary: (name: string) => string;
  /** A folder that holds only temporary files. */
  readonly inner?: string;
  /** The target, where it was not there before. */
  readonly made?: string | null;
}

function staging({ folder, temporary, inner, made = null }: Layout, { overwrite }: TargetRules): Staging {
  const files: FileTarget[] = [];
  const scratches: string[] = [];
  let committed = false;
  return {
    file(name) {
      const file = { path: join(folder, name), temporary: temporary(name) };
      files.push(file);
      return file;
    },
    scratch(name) {
      const path = temporary(name);
      scratches.push(path);
      return path;
    },
    async commit() {
      for (const { path } of files) await checkFile(path, overwrite);
      for (const file of files) {
        await rename(file.temporary, file.path).catch((error: unknown) => {
          throw targetError(error, file.path);
        });
      }
      committed = true;
    },
    async [Symbol.asyncDispose]() {
      for (const file of files) await rm(file.temporary, { force: true });
      for (const path of scratches) await rm(path, { recursive: true, force: true });
      if (inner !== undefined) await rm(inner, { recursive: true, force: true });
      if (made !== null && !committed) await rmdir(made).catch(() => {}); // another program may have put a file there
    },
  };
}

/** The target with its folder's real path. */
async function placeOf(path: string, { crawlFolder }: TargetRules): Promise<string> {
  const absolute = resolve(path);
  const parent = await realpath(dirname(absolute)).catch((error: unknown) => {
    throw targetError(error, absolute);
  });
  const target = join(parent, basename(absolute));
  const way = relative(await realpath(crawlFolder), target);
  if (way === '' || (way !== '..' && !way.startsWith(`..${sep}`))) {
    const message = `${absolute} lies in the crawl folder, which holds the crawl alone\nChoose a place outside of ${crawlFolder}.`;
    throw new CrawlError('USAGE', message, { data: { target: absolute } });
  }
  return target;
}

/** Names in a folder; null where there is none. */
async function namesIn(path: string): Promise<readonly string[] | null> {
  try {
    return await readdir(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    if (systemCode(error) !== 'ENOTDIR') throw targetError(error, path);
    throw new CrawlError('OUTPUT_UNUSABLE', `${path} is a file, not a folder\nName a folder, as in ./export.`, {
      cause: error,
    });
  }
}

async function mkdirWhole(path: string): Promise<string> {
  await mkdir(path, { mode: FOLDER_MODE }).catch((error: unknown) => {
    throw targetError(error, path);
  });
  return path;
}

/** Checks that a file may be put there. */
async function checkFile(path: string, overwrite: boolean): Promise<void> {
  const found = await lstat(path).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return null;
    throw targetError(error, path);
  });
  if (found === null) return;
  if (!found.isFile() && !found.isSymbolicLink()) {
    const what = found.isDirectory() ? 'a folder' : 'no ordinary file';
    throw new CrawlError('OUTPUT_UNUSABLE', `${path} is ${what}\nName a file that is to be written.`);
  }
  if (!overwrite) throw exists(`${path} is there already`, 'Choose another name, or replace it by --overwrite.');
}

function exists(what: string, cure: string): CrawlError {
  return new CrawlError('OUTPUT_EXISTS', `${what}; nothing was written\n${cure}`);
}
