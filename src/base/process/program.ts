import { access, constants, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/**
 * The first file on a search path that can be run and has one of the names; null where there is none.
 * @param searchPath folders as in PATH
 */
export async function findProgram(names: readonly string[], searchPath: string): Promise<string | null> {
  for (const folder of searchPath.split(delimiter).filter((entry) => entry !== '')) {
    for (const name of names) {
      const path = join(folder, name);
      if (await canRun(path)) return path;
    }
  }
  return null;
}

async function canRun(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
