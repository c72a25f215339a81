// A one-line stamp of the sources of dist/: it changes when a source is added, removed, edited or checked out again.
import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

const SOURCES = ['src', 'browsers', 'scripts', 'package.json', 'package-lock.json', 'tsconfig.json'];
/** Name of the folders that the build itself writes. */
const GENERATED = 'generated';

export function sourcesStamp(root) {
  const hash = createHash('sha256');
  const visit = (path) => {
    if (basename(path) === GENERATED) return;
    const state = statSync(join(root, path));
    if (state.isDirectory()) {
      for (const name of readdirSync(join(root, path)).sort()) visit(join(path, name));
    } else {
      hash.update(`${path}\0${state.size}\0${state.mtimeMs}\n`);
    }
  };
  for (const path of SOURCES) visit(path);
  return hash.digest('hex');
}

/** Inside dist/, so that it disappears with dist/. */
export const STAMP_FILE = join('dist', '.built-from');
