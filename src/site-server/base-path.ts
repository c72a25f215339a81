/**
 * Finds the path below which a built site is to be published: `base` of Vite, Astro and VitePress, `baseUrl` of Docusaurus, a project of GitHub
 * Pages. Its index.html loads `/guide/assets/app.js`, which lies in `assets/app.js` of the folder.
 *
 * The rule errs on the side of the root, as a wrong path makes all pages missing. Only scripts, sheets, icons and pictures count, for a link may
 * be wrong: none of them lies where its address says from the root, and more than half of them lie there without the path.
 */
import { lookUpFile } from './file-lookup.ts';
import { linkedAddress, linkedOrigin, type IndexPage } from './index-page.ts';

/** Parts that are looked up, and the longest path. Arbitrary. */
const MOST_PARTS = 50;
const MOST_SEGMENTS = 4;

const TAG = /<(base|script|link|img)\s([^>]{0,2000})>/gi;
/** Links to parts; others name pages, as `canonical` does. */
const PART = /\brel\s*=\s*["']?[^"'>]*\b(?:stylesheet|icon|preload|modulepreload|manifest)\b/i;

/** @returns `/guide`; empty where the folder is to be served at the root */
export async function detectBase(root: string, index: IndexPage): Promise<string> {
  const parts = partsOf(index);
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

/** The paths of the parts that a document names from the root of its host, or with the host of its own address. */
function partsOf({ markup, address: own }: IndexPage): readonly string[] {
  const host = linkedOrigin(own ?? '');
  const paths = new Set<string>();
  let base = '';
  for (const [, name = '', attributes = ''] of markup.matchAll(TAG)) {
    const whole = linkedAddress(attributes);
    const address = host !== null && whole.startsWith(`${host}/`) ? whole.slice(host.length) : whole;
    if (name.toLowerCase() === 'base') base = /^\/(?!\/)/.test(address) ? address.replace(/[^/]*$/, '') : '';
    else if (name.toLowerCase() === 'link' && !PART.test(attributes)) continue;
    else if (/^\/(?!\/)/.test(address)) paths.add(address);
    else if (base !== '' && /^[^/:]+(?:\/[^:]*)?$/.test(address)) paths.add(base + address);
    if (paths.size >= MOST_PARTS) break;
  }
  return [...paths];
}
