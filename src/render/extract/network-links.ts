/** Links that the network shows: requests of the page, and links in the answers. */
import { parsedUrl } from '../../base/parsed-url.ts';
import { linkedPaths } from '../../core/links/application-base.ts';
import type { FoundLink } from '../../model/link.ts';
import type { WarmPage } from '../page/warm-page.ts';
import { BODIES_TIME, BODIES_WAITS } from '../limits/reading-limits.ts';
import { requestLinks, type AskedOn } from './request-links.ts';

/** Kinds of subresources. */
const PARTS: ReadonlySet<FoundLink['kind']> = new Set(['resource', 'link-element', 'css']);

/** Facts of the page that are needed beforehand. */
interface NetworkPlace extends Pick<AskedOn, 'where' | 'frames'> {
  readonly pageUrl: string;
  /** All links found on the page. */
  readonly links: readonly FoundLink[];
}

/** All links of the visit so far, the newest last. @throws the signal's reason, or why the page has ended */
export async function networkLinks(
  page: WarmPage,
  place: NetworkPlace,
  signal: AbortSignal,
): Promise<readonly FoundLink[]> {
  const { watch, bodies, frameId } = page;
  const { requests } = watch;
  const { stage } = place.where;
  const waiting = bodies.waiting(requests, { isOfSite: (url) => page.isOfDomain(url), frameId });
  if (waiting.length > 0) {
    const fetched = await fetchBodies(page, waiting, signal);
    // only the routes of scripts need them
    const linked = waiting.some(([, name]) => name === 'script') ? linkedPaths(place.links, place.pageUrl) : [];
    const from = { base: baseOfRoutes(place), stage, isBaseSaid: isBaseSaid(place), linked, pageUrl: place.pageUrl };
    await bodies.read(fetched, requests, from, signal);
  }
  const sheets = bodies.sheetLinks(requests, { ...place, frameId });
  const isKnown = knownIn(sheets.length === 0 ? place.links : [...place.links, ...sheets]);
  const asked = requestLinks(requests, { ...place, frameId, isKnown });
  return [...sheets, ...asked, ...bodies.links];
}

type Waiting = ReturnType<WarmPage['bodies']['waiting']>;
type Fetched = Parameters<WarmPage['bodies']['read']>[0];

/** The bodies of answers; where many are large, they come one after the other. @throws the signal's reason, or why the page has ended */
async function fetchBodies(page: WarmPage, waiting: Waiting, signal: AbortSignal): Promise<Fetched> {
  const { bodies } = page;
  const fetched: Fetched[number][] = [];
  const answered = new Set<unknown>();
  const fetching = bodies.fetch(waiting, (request, name, text) => {
    answered.add(request);
    if (text !== null) fetched.push([request, name, text]);
  });
  for (let wait = 0, before = -1; answered.size > before && wait < BODIES_WAITS; wait++) {
    before = answered.size;
    const isDone = await page.within(fetching, 'the answers', signal, BODIES_TIME).then(
      () => true,
      () => false,
    );
    signal.throwIfAborted();
    page.gone.throwIfAborted();
    if (isDone) return fetched;
  }
  for (const [request] of waiting) if (!answered.has(request)) bodies.noteLate(request);
  return [...fetched]; // others may come yet
}

/** Does the document name its base? Without a base element the base is the document's own address. */
function isBaseSaid({ where: { base }, pageUrl }: NetworkPlace): boolean {
  return base.replace(/#.*$/s, '') !== pageUrl.replace(/#.*$/s, '');
}

/** The base of the page; with a fragment that is a route where the page keeps its routes there. */
function baseOfRoutes({ where: { base }, pageUrl, links }: NetworkPlace): string {
  const inUse = [pageUrl, ...links.map(({ href }) => href)].find((href) => /^(?:[^#]*)#!?\//.test(href));
  const [plain = base] = base.split('#', 1);
  return inUse === undefined ? base : plain + inUse.slice(inUse.indexOf('#'));
}

/** Makes a test whether one of these links to parts of a page leads to a URL. Costs nothing until it is called. */
function knownIn(links: readonly FoundLink[]): (url: string) => boolean {
  let known: ReadonlySet<string> | null = null;
  return (url) => {
    known ??= new Set(links.filter(({ kind }) => PARTS.has(kind)).map(absolute));
    return known.has(url);
  };
}

/** The target of a link; for one that is no URL, its text. */
function absolute({ href, base, resolved }: FoundLink): string {
  if (resolved !== null) return resolved;
  if (/^https?:\/\/[^\s]+$/.test(href)) return href;
  return parsedUrl(href, base)?.href ?? href;
}
