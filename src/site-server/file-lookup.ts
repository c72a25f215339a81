import type { Stats } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';

/** The meaning of a path in a folder. */
type FileLookup =
  | { readonly kind: 'file'; readonly path: string; readonly stats: Stats }
  /** A folder was requested without its slash; relative links of its index would go wrong. */
  | { readonly kind: 'add-slash' }
  | { readonly kind: 'none' };

const NONE: FileLookup = { kind: 'none' };

/**
 * Finds the file that a path stands for: itself, `index.html` of a folder, or the path with `.html`. Never leaves the
 * folder: dots, escaped slashes, hidden names (but `.well-known`) and links that lead out are not there.
 * @param root absolute folder
 * @param path raw path of a request, without query; begins with a slash
 */
export async function lookUpFile(root: string, path: string): Promise<FileLookup> {
  const segments = decodedSegments(path);
  if (segments === null) return NONE;
  const wantsFolder = path.endsWith('/');
  const target = join(root, ...segments);
  const found = await statWithin(root, target);
  if (found?.stats.isDirectory() === true) {
    const index = await statWithin(root, join(target, 'index.html'));
    if (index?.stats.isFile() === true) return wantsFolder ? { kind: 'file', ...index } : { kind: 'add-slash' };
  }
  if (wantsFolder) return NONE;
  if (found?.stats.isFile() === true) return { kind: 'file', ...found };
  const page = await statWithin(root, `${target}.html`);
  return page?.stats.isFile() === true ? { kind: 'file', ...page } : NONE;
}

/** Percent-decodes a path for comparison; leaves it as it is where the escapes are no UTF-8. */
export function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** null where a segment could lead elsewhere than its name says. */
function decodedSegments(path: string): readonly string[] | null {
  const raw = path.slice(1).split('/');
  if (raw.at(-1) === '') raw.pop();
  const segments = raw.map(decodedPath);
  return segments.every(isPlainName) ? segments : null;
}

function isPlainName(segment: string): boolean {
  if (segment === '' || /[/\\\0]/.test(segment)) return false;
  return !segment.startsWith('.') || segment === '.well-known';
}

/** What is at a path; null where nothing is, or a link leads out of the root. */
export async function statWithin(root: string, path: string): Promise<{ path: string; stats: Stats } | null> {
  try {
    const [base, real] = await Promise.all([realpath(root), realpath(path)]);
    if (real !== base && !real.startsWith(base.endsWith(sep) ? base : base + sep)) return null;
    return { path: real, stats: await stat(real) };
  } catch {
    return null; // absent, unreadable or too long a name: visitors find none
  }
}
