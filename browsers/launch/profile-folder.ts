/**
 * The folder in which a browser keeps its profile: made for one browser, removed with it, or by a later run where its owner
 * was killed. Its name says whose it is, `orbweaver-browser-<kernel>-<pid>-<start>-<random>`; it belongs to the user who made
 * it, and the profile lies one level below, so that a browser of another user has no power over its name.
 */
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync, rmSync, lstatSync, rmdirSync } from 'node:fs';
import { chmod, lstat, mkdir, readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeTemporaryFolder } from '../../src/base/process/temporary-folder.ts';
import { processIdentity, isAlive } from '../../src/base/process/process-identity.ts';

interface ProfileFolder {
  /** Value of `--user-data-dir`. */
  readonly path: string;
  /** Folder for Playwright's files, beside the profile; only this user's. */
  readonly artifacts: string;
  /** Resolves when it is gone, or cannot be removed. */
  remove(): Promise<void>;
  /** The same without waiting, for the exit of the process. */
  removeAtOnce(): void;
}

const run = promisify(execFile);

const NAME = /^orbweaver-browser-(?<kernel>[0-9a-f]{12})-(?<pid>\d+)-(?<started>\d*)-\w+$/;

/** Makes a folder that is named after this process. @param parent folder for temporary files */
export async function makeProfile(parent: string): Promise<ProfileFolder> {
  const { pid, started } = await processIdentity(process.pid);
  const folder = await makeTemporaryFolder(`orbweaver-browser-${kernel()}-${pid}-${started}-`, parent);
  const path = join(folder, PROFILE);
  const artifacts = join(folder, ARTIFACTS);
  await Promise.all([mkdir(path, { mode: 0o700 }), mkdir(artifacts, { mode: 0o700 })]);
  // root starts the browser as an unprivileged user, who reaches the profile in this folder but cannot list or change the folder
  if (process.getuid?.() === 0) await chmod(folder, 0o711);
  return { path, artifacts, remove: () => remove(folder), removeAtOnce: () => removeAtOnce(folder) };
}

/**
 * Removes profiles that ended processes of this user have left behind. A profile that cannot be judged stays: the process id
 * of another machine, or of another container that shares the folder, says nothing here.
 * @returns how many were removed
 */
export async function removeLeftProfiles(parent: string): Promise<number> {
  const own = kernel();
  let removed = 0;
  for (const name of await readdir(parent).catch(() => [])) {
    const owner = NAME.exec(name)?.groups;
    if (owner === undefined || owner['kernel'] !== own) continue;
    const folder = join(parent, name);
    if (!(await isOurs(folder))) continue;
    if (await isAlive({ pid: Number(owner['pid']), started: owner['started'] ?? '' })) continue;
    await remove(folder);
    removed += 1;
  }
  return removed;
}

const PROFILE = 'profile';
const ARTIFACTS = 'artifacts';

/** Is it a folder of this user, and no link to one? Other users may write to the parent, too. */
async function isOurs(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => null); // somebody else has removed it
  return found !== null && found.isDirectory() && found.uid === (process.getuid?.() ?? found.uid);
}

/** Identifies this boot of the kernel and this namespace of process ids. Empty texts count where there is no /proc. */
function kernel(): string {
  const boot = orEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'));
  const namespace = orEmpty(() => readlinkSync('/proc/self/ns/pid'));
  return createHash('sha256').update(`${boot}\n${namespace}`).digest('hex').slice(0, 12);
}

function orEmpty(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}

/** Retries the removal, as an ending process of the browser may still write. */
const PERSISTENT = { recursive: true, force: true, maxRetries: 5, retryDelay: 20 } as const;

/**
 * Empties a profile of another user as that user, who may replace a folder by a link at any moment: root would follow the
 * link.
 */
async function remove(folder: string): Promise<void> {
  const path = join(folder, PROFILE);
  const profile = await lstat(path).catch(() => null);
  const owner = profile === null ? null : otherOwner(profile);
  if (owner !== null) {
    await run('rm', ['-rf', '--', path], { cwd: '/', ...owner }).catch(() => {}); // all but the folder itself, which is not theirs
    await rmdir(path).catch(() => {});
    await rm(join(folder, ARTIFACTS), PERSISTENT).catch(() => {});
    await rmdir(folder).catch(() => {}); // remains are left for a later run
    return;
  }
  await rm(folder, PERSISTENT).catch(() => {});
}

function removeAtOnce(folder: string): void {
  const path = join(folder, PROFILE);
  try {
    const owner = otherOwner(lstatSync(path));
    if (owner === null) {
      rmSync(folder, { recursive: true, force: true });
      return;
    }
    try {
      execFileSync('rm', ['-rf', '--', path], { cwd: '/', stdio: 'ignore', ...owner });
    } catch {
      // it could not remove the folder itself
    }
    rmdirSync(path);
    rmSync(join(folder, ARTIFACTS), { recursive: true, force: true });
    rmdirSync(folder);
  } catch {
    // left for a later run
  }
}

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** The user to whom root gave the profile; null where it is ours. */
function otherOwner({ uid, gid }: Owner): Owner | null {
  return process.getuid?.() === 0 && uid !== 0 ? { uid, gid } : null;
}
