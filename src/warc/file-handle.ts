/** File operations on numeric handles, as in node:fs: complete writes, syncing with the folder. */
import { close, fdatasync, ftruncate, open as openFile, write, writev } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { diskError } from '../crawl-folder/disk-error.ts';

const COPY_PIECE = 1024 * 1024;
/** Most buffers per call on Linux and macOS. */
const IOV_MAX = 1024;

const writeOnce = promisify(write);
const writeSome = promisify(writev);
export const dataSync: (handle: number) => Promise<void> = promisify(fdatasync);
export const closeHandle: (handle: number) => Promise<void> = promisify(close);
export const truncateHandle: (handle: number, length: number) => Promise<void> = promisify(ftruncate);

/** Opens a file for writing. @throws {CrawlError} DISK_FULL, OUTPUT_UNUSABLE */
export async function openToWrite(path: string, flags: 'a' | 'wx'): Promise<number> {
  return new Promise((resolve, reject) => {
    openFile(path, flags, 0o600, (error, handle) => {
      if (error === null) resolve(handle);
      else reject(diskError(error, path));
    });
  });
}

/** Writes all pieces, in one system call if they are few enough. */
export async function writePieces(handle: number, pieces: readonly Uint8Array[]): Promise<void> {
  if (pieces.length === 0) return;
  const [first] = pieces;
  if (pieces.length === 1 && first !== undefined) return writeWhole(handle, first);
  // more pieces than one call takes, or fewer bytes written than given: write the rest piece by piece
  const all = pieces.slice(0, IOV_MAX);
  const { bytesWritten } = await writeSome(handle, all);
  let gone = bytesWritten;
  for (const piece of all) {
    if (gone < piece.length) await writeWhole(handle, piece.subarray(Math.max(0, gone)));
    gone -= piece.length;
  }
  await writePieces(handle, pieces.slice(IOV_MAX));
}

/** Writes all bytes. */
export async function writeWhole(handle: number, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += (await writeOnce(handle, bytes, at, bytes.length - at)).bytesWritten;
}

/** Appends the content of a file to another one, and removes it. */
export async function copyFile(path: string, to: number): Promise<void> {
  const from = await open(path, 'r');
  try {
    const piece = Buffer.allocUnsafe(COPY_PIECE);
    for (;;) {
      const { bytesRead } = await from.read(piece, 0, COPY_PIECE);
      if (bytesRead === 0) break;
      await writeWhole(to, piece.subarray(0, bytesRead));
    }
  } finally {
    await from.close();
  }
  await rm(path, { force: true });
}

/** Syncs a file; creates it if it does not exist. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'a', 0o600);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
