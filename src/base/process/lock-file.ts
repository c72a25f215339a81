import { randomUUID } from 'node:crypto';
import { access, link, open, readFile, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { CrawlError } from '../errors.ts';
import { parsedJson } from '../safe-json.ts';
import { milliseconds, seconds, type Milliseconds } from '../units.ts';
import { processIdentity, processPlace, isAlive, isErrorWithCode, type ProcessIdentity } from './process-identity.ts';

/** A holder touches its lock so often, and counts as dead elsewhere where it has not done so for the term. */
const TOUCH_EVERY = seconds(1);
const TERM: Milliseconds = seconds(5);
/** Interval between two looks at a lock from elsewhere. */
const LOOK_EVERY: Milliseconds = milliseconds(100);

interface LockOptions {
  /**
   * What counts of a lock of another container or machine, where the number of its process says nothing: `watched`, the default, whether its holder
   * touches it; `dead` where something else decides which process may write.
   */
  readonly elsewhere?: 'watched' | 'dead';
  readonly term?: Milliseconds;
}

interface Holder extends ProcessIdentity {
  /** {@link processPlace}; empty in locks of earlier versions. */
  readonly place: string;
}

export interface HeldLock extends AsyncDisposable {
  /**
   * Is it lost: taken over by a process that found this one dead, and may be gone again? A process that stood still may learn that late. One whose
   * whole folder is away is not lost.
   */
  isLost(): Promise<boolean>;
}

/**
 * Takes a lock file, for one process at a time; a lock whose process has ended is taken over. Disposing gives it back.
 * The file appears whole, by a hard link to a finished one, so that nobody reads half of it.
 * @throws {CrawlError} OUTPUT_IN_USE where a living process holds it (this one included)
 */
export async function lockFile(path: string, options: LockOptions = {}): Promise<HeldLock> {
  const identity: Holder = { ...(await processIdentity(process.pid)), place: await processPlace() };
  const own = JSON.stringify({ ...identity, lock: randomUUID() });
  const draft = `${path}.${randomUUID()}`;
  // the handle stays with this lock, whatever gets its name
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(own);
    while (!(await linked(draft, path)) && !(await replacedDead(draft, path, { ...options, here: identity.place })));
  } catch (error) {
    await file.close();
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
  const touching = setInterval(() => touch(file), TOUCH_EVERY).unref();
  return {
    isLost: async () => {
      const text = await readOrNull(path);
      return text === null ? (await isThere(dirname(path))) && !(await isThere(path)) : text !== own;
    },
    [Symbol.asyncDispose]: async () => {
      clearInterval(touching);
      await file.close();
      // where nothing can be removed any more (read-only), it is dead once this process has ended
      if ((await readOrNull(path)) === own) await rm(path, { force: true }).catch(() => {});
    },
  };
}

/** Where that cannot be known, it is there. */
async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    (error: unknown) => !isErrorWithCode(error, 'ENOENT'),
  );
}

function touch(file: FileHandle): void {
  const now = new Date();
  file.utimes(now, now).catch(() => {}); // of a disk that is away; at worst another process finds the lock dead
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

interface Look extends LockOptions {
  /** The place of this process. */
  readonly here: string;
}

/**
 * Puts the draft in the place of a lock whose process has ended; false where the lock has changed meanwhile. Several may
 * find the same dead lock, so a second lock decides who replaces it; it may have been left by a crash in its turn.
 */
async function replacedDead(draft: string, path: string, look: Look): Promise<boolean> {
  const dead = await deadLock(path, look);
  if (dead === null) return false;
  await using _turn = await lockFile(`${path}.turn`, look);
  if ((await readOrNull(path)) !== dead) return false;
  await rename(draft, path);
  return true;
}

/** The text of a dead lock; null where there is none. @throws {CrawlError} OUTPUT_IN_USE where it is alive */
async function deadLock(path: string, look: Look): Promise<string | null> {
  const text = await readOrNull(path);
  const holder = text === null ? null : holderOf(text);
  if (holder === null) return text;
  const isHere = holder.place === '' || look.here === '' || holder.place === look.here;
  if (!(await (isHere ? isAlive(holder) : isTouched(path, look)))) return text;
  const who = isHere ? `process ${holder.pid}` : 'a process of another container or machine';
  throw new CrawlError(
    'OUTPUT_IN_USE',
    `${who} is writing to ${dirname(path)}\nWait until it has ended, or stop it; a new crawl can take another folder (--output).`,
    { data: { pid: holder.pid } },
  );
}

/** No clocks are compared: one of another machine may be wrong. */
async function isTouched(path: string, { elsewhere = 'watched', term = TERM }: LockOptions): Promise<boolean> {
  if (elsewhere === 'dead') return false;
  const first = await touchedAt(path);
  for (const end = performance.now() + term; performance.now() < end;) {
    await wait(LOOK_EVERY);
    if ((await touchedAt(path)) !== first) return true;
  }
  return false;
}

/** Opens the file, because a network file system asks its server then. */
async function touchedAt(path: string): Promise<number> {
  const file = await open(path, 'r').catch(() => null);
  if (file === null) return 0;
  await using _closing = { [Symbol.asyncDispose]: () => file.close() };
  return (await file.stat()).mtimeMs;
}

async function readOrNull(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch(() => null);
}

/** Null where the file is no lock of ours: its holder cannot be checked, so the lock is dead. */
function holderOf(text: string): Holder | null {
  const value = parsedJson(text);
  if (typeof value !== 'object' || value === null || !('pid' in value) || !('started' in value)) return null;
  if (typeof value.pid !== 'number' || typeof value.started !== 'string') return null;
  const place = 'place' in value && typeof value.place === 'string' ? value.place : '';
  return { pid: value.pid, started: value.started, place };
}
