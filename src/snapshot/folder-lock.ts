/**
 * One process writes to a crawl folder at a time. The lock is a file that names the process and when it started, so that
 * a number that the system gave to another process later is not taken for it.
 */
import { open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CrawlError } from '../base/errors.ts';
import { diskError, systemCode } from './disk-error.ts';

const LOCK_FILE = '.lock';
/** A dead owner's lock is removed and the creation tried again; two others may do so at the same time. */
const TRIES = 5;

/**
 * Takes the lock of a folder; disposing gives it back.
 * @throws {CrawlError} OUTPUT_IN_USE where a living process holds it
 */
export async function lockFolder(folder: string): Promise<AsyncDisposable> {
  const path = join(folder, LOCK_FILE);
  const own = `${process.pid} ${await startTime(process.pid)}\n`;
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    try {
      const file = await open(path, 'wx', 0o600);
      await file.writeFile(own);
      await file.close();
      return { [Symbol.asyncDispose]: () => rm(path, { force: true }) };
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw diskError(error, path);
    }
    const owner = await readFile(path, 'utf8').catch(() => '');
    if (await isAlive(owner)) {
      const pid = owner.split(' ', 1)[0] ?? '';
      throw new CrawlError(
        'OUTPUT_IN_USE',
        `another crawl (process ${pid}) is writing to ${folder}\nWait for it, stop it, or choose another folder with --output.`,
        { data: { folder, pid } },
      );
    }
    await rm(path, { force: true });
  }
  throw new CrawlError('OUTPUT_IN_USE', `the lock of ${folder} could not be taken: others are trying, too`, {
    data: { folder },
  });
}

/** Whether the process that a lock names still runs; an unreadable lock (a crash while it was written) is nobody's. */
async function isAlive(owner: string): Promise<boolean> {
  const [pidText, start] = owner.trim().split(' ');
  const pid = Number(pidText);
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (systemCode(error) !== 'EPERM') return false;
  }
  const now = await startTime(pid);
  return now === '' || start === undefined || start === now;
}

/** Field 22 of /proc/<pid>/stat, the start in ticks since boot; empty where the system has no /proc. */
async function startTime(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}
