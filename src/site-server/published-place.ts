/**
 * Finds the place whose addresses a built site writes out in its links: `.Permalink` of Hugo, `SITEURL` of Pelican, `absolute_url` of Jekyll, a
 * mirror of a site that rewrites no link. Such links lead out of the folder, to pages of another time, though it has the files.
 *
 * The rule errs on the side of leaving all as it is: the first page or sitemap.xml names the place, and of the addresses below it on the first page
 * more than half lead to files of the folder; or nothing names one, and so do at least three.
 */
import { lookUpFile } from './file-lookup.ts';
import { linkedAddress, linkedOrigin, type IndexPage } from './index-page.ts';

export interface ServedPlace {
  /** `https://example.org`, `https://me.github.io/guide`; without a slash at its end. */
  readonly there: string;
  /** Path at which the folder answers for it; empty at the root. */
  readonly path: string;
}

/** Addresses that are looked up, and the longest path. Arbitrary. */
const MOST_ADDRESSES = 50;
const MOST_SEGMENTS = 4;
/** Addresses that must lead to files where only links name the place. Arbitrary. */
const LEAST_UNSAID = 3;

const TAG = /<(?:a|area|link|script|img|iframe)\s([^>]{0,2000})>/gi;

/** @param base the path below which the folder is served, `/guide`; empty at the root */
export async function findPublishedPlace(root: string, index: IndexPage, base: string): Promise<ServedPlace | null> {
  const addresses = namedAddresses(index.markup);
  const said = linkedOrigin(index.address ?? '');
  const origin = said ?? mostFrequent(addresses.flatMap((each) => linkedOrigin(each) ?? []));
  if (origin === null) return null;
  const named = addresses.filter((each) => each.startsWith(`${origin}/`));
  const [shortest = origin] = named.toSorted((one, other) => one.length - other.length);
  let best: ServedPlace | null = null;
  let most = said === null ? LEAST_UNSAID - 1 : 0;
  for (const there of new Set([origin + base, ...foldersOf(index.address ?? shortest, origin)])) {
    const paths = named.flatMap((each) => (each.startsWith(`${there}/`) ? [each.slice(there.length)] : []));
    const further = paths.filter((path) => path !== '/');
    const found = await countFiles(root, further);
    if (found > most && found * 2 > further.length) [best, most] = [{ there, path: base }, found];
  }
  return best;
}

function mostFrequent(texts: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0] ?? null;
}

/** The folders that an address is in, beginning with its origin. */
function foldersOf(address: string, origin: string): readonly string[] {
  const names = address.slice(origin.length).split('/').slice(1, -1).slice(0, MOST_SEGMENTS);
  return [origin, ...names.map((_name, index) => [origin, ...names.slice(0, index + 1)].join('/'))];
}

/** Whole addresses on the page. */
function namedAddresses(markup: string): readonly string[] {
  const addresses = new Set<string>();
  for (const [, attributes = ''] of markup.matchAll(TAG)) {
    const address = linkedAddress(attributes);
    if (/^https?:\/\/[^/]+\//.test(address)) addresses.add(address);
    if (addresses.size >= MOST_ADDRESSES) break;
  }
  return [...addresses];
}

/** How many of the paths lead to a file of the folder? */
async function countFiles(root: string, paths: readonly string[]): Promise<number> {
  let count = 0;
  for (const path of paths) if ((await lookUpFile(root, path)).kind !== 'none') count += 1;
  return count;
}

/** A slash as it stands in markup and in scripts. */
const SLASH = String.raw`(?:\\?/|\\u002f|&#x2f;|&#47;)`;

/**
 * Replaces the addresses of a place in any text by those at which it is served. Texts are bytes, one for each character.
 *
 * @param origin where the folder is served, `http://127.0.0.1:8080`
 */
export function servedTexts({ there, path }: ServedPlace, origin: string): (text: string) => string {
  const [scheme = '', , ...names] = Buffer.from(there).toString('latin1').split('/');
  const [host = '', ...folders] = names.map((name) => name.replaceAll(/\W/g, String.raw`\$&`));
  const place = [host, ...folders].join(SLASH);
  // without a scheme it must be at a place where an address can begin; a name that goes on is another host, or another folder
  const start = String.raw`(?:(${scheme})|(?<=["'\x60(=<\s,]))(${SLASH})${SLASH}`;
  const address = new RegExp(String.raw`${start}${place}(?![\w.:@%~-])`, 'gi');
  const [served = '', , own = ''] = origin.split('/');
  const steps = path.split('/').slice(1);
  return (text) =>
    text.replace(
      address,
      (_whole, written: string | undefined, slash: string) =>
        `${written === undefined ? '' : served}${slash}${slash}${[own, ...steps].join(slash)}`,
    );
}
