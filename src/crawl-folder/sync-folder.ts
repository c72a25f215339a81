import { open } from 'node:fs/promises';

/** A new name in a folder must outlive a loss of power as well. Not every file system lets a folder be synced. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => null);
  await folder?.sync().catch(() => {});
  await folder?.close();
}
