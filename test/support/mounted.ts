import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../dist/bin/orbweaver.js', import.meta.url));

function unshare(mount: string, folder: string, command: readonly string[]): SpawnSyncReturns<string> {
  const words = ['--map-root-user', '--mount', 'sh', '-c', `${mount} && exec "$@"`, folder, ...command];
  return spawnSync('unshare', words, { encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } });
}

const SMALL = 'mount -t tmpfs -o size=64k tmpfs "$0"';
const READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0"';

/** May this user mount something for one command alone? */
export const MOUNTS = unshare(SMALL, tmpdir(), ['true']).status === 0;

/** Runs the built command line to its end with a folder as a disk of 64 KiB. */
export function onSmallDisk(folder: string, args: readonly string[]): SpawnSyncReturns<string> {
  return unshare(SMALL, folder, [process.execPath, MAIN, ...args]);
}

/** The same with a folder that is on a read-only disk. */
export function onReadOnlyDisk(folder: string, args: readonly string[]): SpawnSyncReturns<string> {
  return unshare(READ_ONLY, folder, [process.execPath, MAIN, ...args]);
}
