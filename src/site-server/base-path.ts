/**
 * Finds the path below which a built site is to be published: `base` of Vite, Astro and VitePress, `baseUrl` of Docusaurus, a project of GitHub
 * Pages. Its index.html loads `/guide/assets/app.js`, which lies in `assets/app.js` of the folder.
 *
 * The rule errs on the side of the root, as a wrong path makes all pages missing. Only scripts, sheets, icons and pictures count, for a link may
 * be wrong: none of them lies where its address says from the root, and more than half of them lie there without the path.
 */
import { open } from 'node:fs/promises';

import { lookUpFile } from './file-lookup.ts';

/** Bytes of index.html that are read, its parts that are looked up, and the longest path. Arbitrary. */
const MOST_BYTES = 256 * 1024;
const MOST_PARTS = 50;
const MOST_SEGMENTS = 4;

const COMMENT = /<!--[^]*?(?:-->|$)/g;
const TAG = /<(base|script|link|img)\s([^>]{0,2000})>/gi;
/** Links to parts; others name pages, as `canonical` does. */
const PART = /\brel\s*=\s*["']?[^"'>]*\b(?:stylesheet|icon|preload|modulepreload|manifest)\b/i;
const CANONICAL = /<link\s(?=[^>]{0,2000}\brel\s*=\s*["']?canonical\b)[^>]{0,2000}>/i;
const ADDRESS = /(?:^|[\s"'])(?:src|href)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;

/** @returns `/guide`; empty where the folder is to be served at the root */
export async function detectBase(root: string): Promise<string> {
  const index = await lookUpFile(root, '/');
  const parts = index.kind === 'file' ? partsOf(await beginning(index.path)) : [];
  const votes = new Map<string, number>();
  for (const path of parts) {
    if ((await lookUpFile(root, path)).kind !== 'none') return '';
    const base = await baseOf(root, path);
    if (base !== null) votes.set(base, (votes.get(base) ?? 0) + 1);
  }
  const [best] = [...votes].toSorted(([, one], [, other]) => other - one);
  return best !== undefined && best[1] * 2 > parts.length ? best[0] : '';
}

/** The shortest beginning of a path without which it leads to a file of the folder. */
async function baseOf(root: string, path: string): Promise<string | null> {
  const segments = path.split('/');
  for (let length = 2; length < Math.min(segments.length, MOST_SEGMENTS + 2); length += 1) {
    const found = await lookUpFile(root, `/${segments.slice(length).join('/')}`);
    if (found.kind === 'file') return segments.slice(0, length).join('/');
  }
  return null;
}

/** The paths of the parts that a document names from the root of its host, or with the host of its canonical address. */
function partsOf(markup: string): readonly string[] {
  const shown = markup.replaceAll(COMMENT, '');
  const host = /^https?:\/\/[^/?#]+/.exec(addressOf(CANONICAL.exec(shown)?.[0] ?? ''))?.[0] ?? null;
  const paths = new Set<string>();
  let base = '';
  for (const [, name = '', attributes = ''] of shown.matchAll(TAG)) {
    const whole = addressOf(attributes);
    const address = host !== null && whole.startsWith(`${host}/`) ? whole.slice(host.length) : whole;
    if (name.toLowerCase() === 'base') base = /^\/(?!\/)/.test(address) ? address.replace(/[^/]*$/, '') : '';
    else if (name.toLowerCase() === 'link' && !PART.test(attributes)) continue;
    else if (/^\/(?!\/)/.test(address)) paths.add(address);
    else if (base !== '' && /^[^/:]+(?:\/[^:]*)?$/.test(address)) paths.add(base + address);
    if (paths.size >= MOST_PARTS) break;
  }
  return [...paths];
}

/** Without query and fragment. */
function addressOf(attributes: string): string {
  const [, double, single, bare] = ADDRESS.exec(attributes) ?? [];
  return (double ?? single ?? bare ?? '').trim().replace(/[?#][^]*$/, '');
}

async function beginning(path: string): Promise<string> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(MOST_BYTES), 0, MOST_BYTES, 0);
  return buffer.toString('utf8', 0, bytesRead);
}
