/** Finds pages whose address has another generated value in its query now, as that of a frame with `?cb=0.8215`. */
import type { PageVersion } from '../../model/page-version.ts';
import { queryParts } from '../../model/url/query-parts.ts';
import { steadyAddress, steadyLink } from '../../model/url/steady-address.ts';

/** Made by a program for one request: a fraction, a number with many digits, or digits among letters (lengths are arbitrary). */
const GENERATED = /^(?:0?\.\d{6,30}|\d{8,30}|(?=[\w-]{0,99}\d)(?=[\w-]{0,99}[a-z])[\w-]{8,100})$/i;

/** Pages that are the same ones: their addresses differ in values that name no page, or in generated ones, and then their texts do not. */
export function returnedPages(
  gone: readonly PageVersion[],
  come: readonly PageVersion[],
): readonly (readonly [old: PageVersion, now: PageVersion])[] {
  const free = new Map<string, PageVersion[]>();
  for (const page of come.toReversed()) {
    for (const key of keysOf(page)) {
      const known = free.get(key);
      if (known === undefined) free.set(key, [page]);
      else known.push(page);
    }
  }
  const taken = new Set<PageVersion>();
  const next = (key: string): PageVersion | undefined => {
    const waiting = free.get(key);
    for (let page = waiting?.pop(); page !== undefined; page = waiting?.pop()) if (!taken.has(page)) return page;
    return undefined;
  };
  return gone.flatMap((page) => {
    for (const key of keysOf(page)) {
      const now = next(key);
      if (now === undefined) continue;
      taken.add(now);
      return [[page, now] as const];
    }
    return [];
  });
}

/** Two pages that share one of them are the same. */
function keysOf({ address, digest }: PageVersion): readonly string[] {
  if (!address.includes('?')) return [];
  return [...(digest === null ? [] : [`${digest} ${placeOf(address)}`]), steadyLink(address)];
}

function placeOf(address: string): string {
  const [path = '', query = ''] = steadyAddress(address).split('?');
  const pairs = queryParts(query).map((pair) => {
    const [name = '', value = ''] = pair.split('=');
    return GENERATED.test(value) ? `${name}=*` : pair;
  });
  return `${path}?${pairs.join('&')}`;
}
