import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CrawlError } from '../errors.ts';
import { parsedJson } from '../safe-json.ts';
import { processIdentity, isAlive, isErrorWithCode, type ProcessIdentity } from './process-identity.ts';

/**
 * Takes a lock file, for one process at a time; a lock whose process has ended is taken over. Disposing gives it back.
 * The file appears whole, by a hard link to a finished one, so that nobody reads half of it.
 * @throws {CrawlError} OUTPUT_IN_USE where a living process holds it (this one included)
 */
export async function lockFile(path: string): Promise<AsyncDisposable> {
  const own = JSON.stringify({ ...(await processIdentity(process.pid)), lock: randomUUID() });
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, own, { mode: 0o600 });
  try {
    while (!(await linked(draft, path)) && !(await replacedDead(draft, path)));
  } finally {
    await rm(draft, { force: true });
  }
  return {
    [Symbol.asyncDispose]: async () => {
      if ((await readOrNull(path)) === own) await rm(path, { force: true });
    },
  };
}

async function linked(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (isErrorWithCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/**
 * Puts the draft in the place of a lock whose process has ended; false where the lock has changed meanwhile. Several may
 * find the same dead lock, so a second lock decides who replaces it; it may have been left by a crash in its turn.
 */
async function replacedDead(draft: string, path: string): Promise<boolean> {
  if (await isFree(path)) return false;
  await using _turn = await lockFile(`${path}.turn`);
  if (await isFree(path)) return false;
  await rename(draft, path);
  return true;
}

/** Is there no lock? Where false, it is a dead one. @throws {CrawlError} OUTPUT_IN_USE where it is alive */
async function isFree(path: string): Promise<boolean> {
  const text = await readOrNull(path);
  if (text === null) return true;
  const holder = holderOf(text);
  if (holder === null || !(await isAlive(holder))) return false;
  throw new CrawlError(
    'OUTPUT_IN_USE',
    `process ${holder.pid} is writing to ${dirname(path)}\nWait until it has ended, stop it, or choose another folder (--output).`,
    { data: { pid: holder.pid } },
  );
}

async function readOrNull(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch(() => null);
}

/** Null where the file is no lock of ours: its holder cannot be checked, so the lock is dead. */
function holderOf(text: string): ProcessIdentity | null {
  const value = parsedJson(text);
  if (typeof value !== 'object' || value === null || !('pid' in value) || !('started' in value)) return null;
  if (typeof value.pid !== 'number' || typeof value.started !== 'string') return null;
  return { pid: value.pid, started: value.started };
}
