/** Links that the network shows: what the page asked for, and what stands in the answers. */
import { parsedUrl } from '../../base/parsed-url.ts';
import type { FoundLink } from '../../model/link.ts';
import type { WarmPage } from '../page/warm-page.ts';
import { BODIES_TIME } from '../limits/reading-limits.ts';
import { requestLinks, type AskedOn } from './request-links.ts';

/** Clusters of what a page is made of. */
const PARTS: ReadonlySet<FoundLink['kind']> = new Set(['resource', 'link-element', 'css']);

/** What is to be known of the page before. */
interface NetworkPlace extends Pick<AskedOn, 'where' | 'frames'> {
  readonly pageUrl: string;
  /** All that was seen on the page. */
  readonly links: readonly FoundLink[];
}

/** Everything of the visit so far, the newest last. @throws the signal's reason, or why the page has ended */
export async function networkLinks(
  page: WarmPage,
  place: NetworkPlace,
  signal: AbortSignal,
): Promise<readonly FoundLink[]> {
  const { watch, bodies, frameId } = page;
  const { requests } = watch;
  const { stage } = place.where;
  const waiting = bodies.waiting(requests, (url) => page.isOfDomain(url));
  if (waiting.length > 0) {
    const fetched: Parameters<typeof bodies.read>[0][number][] = [];
    try {
      const fetching = bodies.fetch(waiting, (...answer) => fetched.push(answer));
      await page.within(fetching, 'the answers', signal, BODIES_TIME);
    } catch {
      signal.throwIfAborted();
      page.gone.throwIfAborted();
    }
    await bodies.read([...fetched], requests, { base: baseOfRoutes(place), stage }, signal);
  }
  const sheets = bodies.sheetLinks(requests, { ...place, frameId });
  const isKnown = knownIn(sheets.length === 0 ? place.links : [...place.links, ...sheets]);
  return [...sheets, ...requestLinks(requests, { ...place, frameId, isKnown }), ...bodies.links];
}

/** The base of the page; with a fragment that is a route where the page keeps its routes there. */
function baseOfRoutes({ where: { base }, pageUrl, links }: NetworkPlace): string {
  const inUse = [pageUrl, ...links.map(({ href }) => href)].find((href) => /^(?:[^#]*)#!?\//.test(href));
  const [plain = base] = base.split('#', 1);
  return inUse === undefined ? base : plain + inUse.slice(inUse.indexOf('#'));
}

/** Tells whether one of these links, parts of a page most of all, leads to a URL. Costs nothing until it is asked. */
function knownIn(links: readonly FoundLink[]): (url: string) => boolean {
  let known: ReadonlySet<string> | null = null;
  return (url) => {
    known ??= new Set(links.filter(({ kind }) => PARTS.has(kind)).map(absolute));
    return known.has(url);
  };
}

/** Where a link leads; of one that is no URL what is written. */
function absolute({ href, base, resolved }: FoundLink): string {
  if (resolved !== null) return resolved;
  if (/^https?:\/\/[^\s]+$/.test(href)) return href;
  return parsedUrl(href, base)?.href ?? href;
}
