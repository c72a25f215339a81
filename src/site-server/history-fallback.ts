/**
 * Decides whether a built site is a single-page application, whose router wants index.html for every path it invents.
 *
 * The rule errs on the side of 404, as a wrong fallback makes a page of every broken link, and a crawl would
 * find pages that do not exist. A folder has the fallback where it says so:
 *   - `200.html` in its root (surge.sh, SvelteKit), or `__spa-fallback.html` (React Router, beside a prerendered `/`): that file
 *     is the fallback;
 *   - a line `/* /index.html 200` in `_redirects` (Netlify, Cloudflare Pages);
 * or where all of this holds:
 *   - `index.html` in the root is the only HTML file of the folder (static generators write one for each page),
 *     which also means that there is no `404.html`;
 *   - it loads a script: without one it could not show another page under another path.
 * A request gets it where it asks for a page: GET or HEAD, `Accept` names text/html, the last segment has no extension.
 */
import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { extname, join } from 'node:path';

/** Files that builders write to be the fallback; the first that is there is it. */
const FALLBACK_FILES = ['200.html', '__spa-fallback.html'];
const NETLIFY_RULE = /^\s*\/\*\s+\/(?:index\.html)?\s+200!?\s*$/m;

/** File, relative to the root, that answers for paths without a file; null where such paths are 404. */
export async function detectFallback(root: string): Promise<string | null> {
  const names = new Set(await readdir(root));
  const written = FALLBACK_FILES.find((name) => names.has(name));
  if (written !== undefined) return written;
  if (!names.has('index.html') || names.has('404.html')) return null;
  if (names.has('_redirects') && NETLIFY_RULE.test(await readFile(join(root, '_redirects'), 'utf8'))) {
    return 'index.html';
  }
  const index = await readFile(join(root, 'index.html'), 'utf8');
  if (!/<script[\s>]/i.test(index)) return null;
  return (await hasOtherPages(root)) ? null : 'index.html';
}

/** Does a request ask for a page of a router, and not for a missing file? */
export function wantsFallback(request: IncomingMessage, path: string): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  if (!(request.headers.accept ?? '').includes('text/html')) return false;
  return extname(path) === '';
}

async function hasOtherPages(root: string): Promise<boolean> {
  const folders = [root];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else if (/\.x?html?$/i.test(entry.name) && path !== join(root, 'index.html')) return true;
    }
  }
  return false;
}
