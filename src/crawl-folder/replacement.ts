/**
 * Replaces one crawl in a folder by another, so that the old one is whole until the new one has its crawl.json: the old
 * files are moved to `.replacing`, which is then renamed `.replaced`, and removed with the new crawl.json. While
 * there is a `.replacing`, all files are of the old crawl; beside a `.replaced`, none is.
 */
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { diskError, systemCode } from './disk-error.ts';

/** All that a crawl writes into its folder; `--overwrite` removes these names and no others. */
export const OWN_NAMES = [
  'crawl.json',
  'pages.jsonl',
  'links.jsonl',
  'skipped.jsonl',
  'details.jsonl',
  'axe.json',
  'measurements.json',
  'findings.jsonl',
  'external.jsonl',
  'inventory.json',
  'noise.json',
  'log.jsonl',
  'snapshots',
  'archive',
  'report',
  'graph',
  'state',
] as const;

/** Picture of a failed log-in. It outlives a crawl that could not begin because of it, and does not block a later one. */
export const LOGIN_PICTURE = 'login-failure.png';

/** Names crawls that have left keys in a server of the user's (unbegun.ts); it is of no crawl, and blocks none. */
export const UNBEGUN_NOTE = '.unbegun';

/** What a crawl writes before its first crawl.json. */
const BEGINNINGS: readonly string[] = [
  'log.jsonl',
  'state',
  'pages.jsonl',
  'links.jsonl',
  'skipped.jsonl',
  'details.jsonl',
];

const REPLACED = '.replaced';
const MOVING = '.replacing';

/** Folders that may hold the old crawl; a folder that has one of these holds a crawl. */
export const REPLACEMENT_FOLDERS: readonly string[] = [REPLACED, MOVING];

/** Options of `rm`: a server that is just ending may still write into a folder that is removed. */
export const REMOVE_ALL: { readonly recursive: true; readonly force: true; readonly maxRetries: number } = {
  recursive: true,
  force: true,
  maxRetries: 5,
};

/**
 * Is a folder that holds no crawl empty, but for what a crawl leaves that is killed before its crawl.json? That one has visited nothing.
 * @param lock name of the lock, which such a crawl leaves, too
 */
export function isFree(names: readonly string[], lock: string): boolean {
  const others = names.filter(
    (name) => !name.startsWith(lock) && !name.startsWith(UNBEGUN_NOTE) && name !== LOGIN_PICTURE,
  );
  return others.length === 0 || (names.includes(lock) && others.every((name) => BEGINNINGS.includes(name)));
}

/** Removes what a crawl wrote into its folder, and nothing else; names that are `kept` stay. */
export async function removeOwn(path: string, kept: readonly string[]): Promise<void> {
  for (const name of OWN_NAMES) if (!kept.includes(name)) await rm(join(path, name), REMOVE_ALL);
}

/** Makes room for a new crawl. */
export async function putAside(path: string): Promise<void> {
  const there = await namesIn(path);
  const own = OWN_NAMES.filter((name) => there.includes(name));
  // what a crawl has left that was killed before it began is no crawl, and would pass for one here if this one is killed as well
  if (!own.includes('crawl.json')) return removeOwn(path, []);
  const moving = join(path, MOVING);
  await mkdir(moving, { mode: 0o700 }).catch((error: unknown) => {
    throw diskError(error, moving);
  });
  for (const name of own) await rename(join(path, name), join(moving, name));
  await rename(moving, join(path, REPLACED));
}

/** Brings the moved files back, crawl.json last. */
async function bringBack(path: string): Promise<void> {
  const moving = join(path, MOVING);
  const names = await namesIn(moving);
  for (const name of OWN_NAMES.toReversed()) {
    if (names.includes(name)) await rename(join(moving, name), join(path, name));
  }
  await rm(moving, REMOVE_ALL);
}

/**
 * Ends a replacement, also one that was killed on its way: the new crawl stays where it has its crawl.json, else the old
 * one comes back. Changes nothing where there is none.
 */
export async function endReplacement(path: string): Promise<void> {
  const names = await namesIn(path);
  if (names.includes(REPLACED)) {
    if (names.includes('crawl.json')) return rm(join(path, REPLACED), REMOVE_ALL);
    await removeOwn(path, []);
    await rename(join(path, REPLACED), join(path, MOVING));
  }
  if (names.includes(REPLACED) || names.includes(MOVING)) await bringBack(path);
}

async function namesIn(path: string): Promise<readonly string[]> {
  return readdir(path).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return [];
    throw diskError(error, path);
  });
}
