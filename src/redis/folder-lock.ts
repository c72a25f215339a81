import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { CrawlError } from '../base/errors.ts';
import { identityOf, isAlive, isErrorWithCode, type ProcessIdentity } from './process-identity.ts';

/**
 * Takes a lock file, for one process at a time; a lock whose process has ended is taken over. Disposing gives it back.
 * The file appears whole, by a hard link to a finished one, so that nobody reads half of it.
 * @throws {CrawlError} OUTPUT_IN_USE where a living process holds it (this one included)
 */
export async function lockFile(path: string): Promise<AsyncDisposable> {
  const own = JSON.stringify({ ...(await identityOf(process.pid)), lock: randomUUID() });
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, own);
  try {
    while (!(await linked(draft, path))) await removeDeadLock(path);
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

async function removeDeadLock(path: string): Promise<void> {
  const text = await readOrNull(path);
  if (text === null) return;
  const holder = holderOf(text);
  if (holder !== null && (await isAlive(holder))) {
    throw new CrawlError(
      'OUTPUT_IN_USE',
      `Process ${holder.pid} is writing to this folder (${path}).\nWait until it has ended, or choose another folder.`,
      { data: { pid: holder.pid } },
    );
  }
  // Two may find the same dead lock. Whoever moves away what is not the dead one any more puts it back.
  const moved = `${path}.${randomUUID()}`;
  try {
    await rename(path, moved);
  } catch (error) {
    if (isErrorWithCode(error, 'ENOENT')) return;
    throw error;
  }
  if ((await readOrNull(moved)) !== text) await linked(moved, path);
  await rm(moved, { force: true });
}

async function readOrNull(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch(() => null);
}

/** null where the file is no lock of ours: nobody can be asked, so it is dead. */
function holderOf(text: string): ProcessIdentity | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || !('pid' in value) || !('started' in value)) return null;
    if (typeof value.pid !== 'number' || typeof value.started !== 'string') return null;
    return { pid: value.pid, started: value.started };
  } catch {
    return null;
  }
}
