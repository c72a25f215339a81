/** Reads the page and all its frames: links, recorded navigations and facts; of the page itself also HTML and text. */
import type { DevToolsSession } from '../../../browsers/protocol/session.ts';
import { droppedReferences, type SourceReference } from '../../core/links/markup/dropped-markup.ts';
import { mayHaveRoutes } from '../../core/links/markup/fragment-places.ts';
import { withoutRequestedTexts } from '../../core/links/data/requested-data.ts';
import type { FoundLink, LinkStage } from '../../model/link.ts';
import type { CollectInput, FrameCollection, RawLink, ResolveInput } from '../../model/page-facts.ts';
import { SOURCE as COLLECT } from '../generated/collect.ts';
import { SOURCE as RESOLVE } from '../generated/resolve.ts';
import { FRAME_LIMIT, HTML_LIMIT, LINK_LIMIT, TEXT_LIMIT } from '../page-limits.ts';
import { parseCollection, parseResolved, runInWorld, type FrameAddress } from '../page/isolated-world.ts';
import type { WarmPage } from '../page/warm-page.ts';
import { handOverTrees } from './closed-texts.ts';
import { CLOSED_LINKS, snapshotOf, snapshotSize, tagCount, type ClosedLinks } from './closed-roots.ts';
import { bareLink, droppedLink, foundLinkOf, foundLinksOf, type FoundIn } from './found-links.ts';
import { keptLinks } from './kept-links.ts';
import { networkLinks } from './network-links.ts';
import { windowEvents } from '../page/window-events.ts';

export interface Collected {
  /** The collection of the page itself. */
  readonly main: FrameCollection;
  readonly foundLinks: readonly FoundLink[];
  /** Number of links before the cut. */
  readonly total: number;
}

type Wanted = Omit<CollectInput, 'select' | 'rules' | 'scrolls'>;

const OF_THE_PAGE: Wanted = { links: LINK_LIMIT, html: HTML_LIMIT, text: TEXT_LIMIT };
const OF_A_FRAME: Wanted = { links: LINK_LIMIT, html: 0, text: 0 };

/** @throws as {@link runInWorld} where the page itself cannot be read; a frame that cannot be is left out */
export function collect(page: WarmPage, stage: LinkStage, signal: AbortSignal): Promise<Collected> {
  return collectPage(page, stage, OF_THE_PAGE, signal);
}

/** Links alone, without HTML and text: for the states of a page during interaction. @throws as {@link collect} */
export function collectLinksOnly(page: WarmPage, stage: LinkStage, signal: AbortSignal): Promise<Collected> {
  return collectPage(page, stage, OF_A_FRAME, signal);
}

async function collectPage(page: WarmPage, stage: LinkStage, wanted: Wanted, signal: AbortSignal): Promise<Collected> {
  const used = stage === 'click' || stage === 'submit';
  const main = await collectFrame(page, mainAddress(page), { ...wanted, used }, signal);
  const here = { frame: null, base: main.base, stage, listens: await listensToFragment(page, main, signal) };
  const found: FoundLink[] = [...foundLinksOf(main, here)];
  let total = main.links.total + main.navigations.kept.length;
  const seen = new Map([[page.session, main.tags]]);
  const frames = new Map<string, string>();
  for (const address of page.watch.frameCount > 1 ? await childAddresses(page, signal) : []) {
    const collection = await orNothing(collectFrame(page, address, OF_A_FRAME, signal), page, signal);
    if (address.url !== null) frames.set(address.frameId, address.url);
    if (collection === null) continue;
    found.push(...foundLinksOf(collection, { frame: address.url, base: collection.base, stage }));
    total += collection.links.total + collection.navigations.kept.length;
    seen.set(address.session, (seen.get(address.session) ?? 0) + collection.tags);
  }
  const requested = { where: here, frames, pageUrl: main.facts.url, links: found };
  const asked = [...askedOutside(page, main, stage), ...(await networkLinks(page, requested, signal))];
  const closed: number[] = [];
  for (const [session, tags] of seen) {
    const { links, inside } = await closedTrees(page, { session, tags }, stage, signal);
    asked.push(...links);
    closed.push(...inside);
  }
  found.push(...asked);
  // now that all links with a node are known
  const dropped = droppedLinks(page.bodies.references, found, here);
  found.push(...dropped);
  const foundLinks = keptLinks(withoutRequestedTexts(found, requestedUrls(page)), LINK_LIMIT);
  const isCut = foundLinks.length >= LINK_LIMIT;
  return {
    main: closed.length > 0 && wanted.text > 0 ? await withClosedTexts(page, main, closed, signal) : main,
    foundLinks,
    total: isCut ? total + asked.length + dropped.length : foundLinks.length,
  };
}

/** The page's own words again, now with those in its closed trees. */
async function withClosedTexts(
  page: WarmPage,
  main: FrameCollection,
  inside: readonly number[],
  signal: AbortSignal,
): Promise<FrameCollection> {
  const read = async (): Promise<FrameCollection> => {
    await handOverTrees(page, inside, signal);
    return collectFrame(page, mainAddress(page), { ...OF_THE_PAGE, links: 0 }, signal);
  };
  const { facts, html, text } = (await orNothing(read(), page, signal)) ?? main;
  return { ...main, facts, html, text };
}

export function mainAddress(page: WarmPage): FrameAddress {
  return { session: page.session, frameId: page.frameId, url: null };
}

function collectFrame(
  page: WarmPage,
  address: FrameAddress,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<FrameCollection> {
  const scripted = page.watch.loadsScripts ? 'always' : 'scripted';
  const scrolls = wanted.html > 0 ? scripted : 'never';
  const rules = address.session !== page.session;
  const input: CollectInput = { ...wanted, rules, select: page.selectLinks, scrolls };
  return runInWorld(page, address, { source: COLLECT, input, parse: parseCollection }, signal);
}

/** URLs that the page's scripts have asked for so far. */
function requestedUrls({ watch }: WarmPage): readonly string[] {
  return watch.requests.filter(({ type }) => type === 'fetch' || type === 'xhr').map(({ url }) => url);
}

/** References in the received document that stand in no node of it. Empty where not all its links are known. */
function droppedLinks(
  references: readonly SourceReference[],
  found: readonly FoundLink[],
  here: FoundIn,
): readonly FoundLink[] {
  if (found.length >= LINK_LIMIT) return [];
  return droppedReferences(references, found, here.base).map((reference) => droppedLink(reference, here));
}

/** Do scripts listen for fragments? Asked only where one may be a route: on most pages none may. */
async function listensToFragment(
  page: WarmPage,
  { links, navigations }: FrameCollection,
  signal: AbortSignal,
): Promise<boolean> {
  if (!mayHaveRoutes(links.kept) && !navigations.kept.some(isNowhere)) return false;
  const events = await orNothing(windowEvents(page, signal), page, signal);
  return events?.includes('hashchange') ?? false;
}

function isNowhere({ nowhere }: { readonly nowhere?: true | undefined }): boolean {
  return nowhere === true;
}

/** Navigations that scripts of ours could not record: windows, and navigations stopped on their way. */
function askedOutside(page: WarmPage, { base, navigations }: FrameCollection, stage: LinkStage): readonly FoundLink[] {
  const where = { frame: null, base, stage };
  const recorded = new Set(navigations.kept.map(({ url }) => url));
  const stopped = page.interceptor.stopped.filter((url) => !recorded.has(url));
  return [
    ...page.watch.windows.map((url) => bareLink(url, { kind: 'window-open', context: 'window.open' }, where)),
    ...page.watch.frames.map((url) => bareLink(url, { kind: 'navigation', context: 'frame' }, where)),
    ...stopped.map((url) => bareLink(url, { kind: 'navigation', context: 'location' }, where)),
  ];
}

interface ClosedTrees {
  readonly links: readonly FoundLink[];
  /** Backend ids of nodes in those of the main document. */
  readonly inside: readonly number[];
}

const NO_TREES: ClosedTrees = { links: [], inside: [] };

/** @param seen number of elements that the page script has seen in the documents of a session */
async function closedTrees(
  page: WarmPage,
  seen: { readonly session: DevToolsSession; readonly tags: number },
  stage: LinkStage,
  signal: AbortSignal,
): Promise<ClosedTrees> {
  const { session, tags } = seen;
  const counted = orNothing(page.within(tagCount(session), 'a count of elements', signal), page, signal);
  if ((await counted) === tags) return NO_TREES;
  const snapshot = await orNothing(page.within(snapshotOf(session), 'a DOM snapshot', signal), page, signal);
  if (snapshot === null) return NO_TREES;
  const links: FoundLink[] = [];
  const inside: number[] = [];
  const text = { url: page.shows, size: snapshotSize(snapshot) };
  const read = await page.offload.run(CLOSED_LINKS, snapshot, text, signal);
  for (const closed of read.kind === 'done' ? read.value : []) {
    const { documentUrl, base, frameId } = closed;
    const frame = frameId === page.frameId ? null : documentUrl;
    if (frame === null) inside.push(...closed.inside);
    for (const link of await resolvedLinks(page, { session, closed }, signal))
      links.push(foundLinkOf(link, { frame, base, stage }));
  }
  return { links, inside };
}

/** Lets the document itself resolve its closed links: only it knows how it encodes a query. */
async function resolvedLinks(
  page: WarmPage,
  { session, closed: { frameId, links } }: { readonly session: DevToolsSession; readonly closed: ClosedLinks },
  signal: AbortSignal,
): Promise<readonly RawLink[]> {
  const special = links.filter(({ href }) => /[\u0080-\uffff]/.test(href)).slice(0, LINK_LIMIT);
  if (special.length === 0) return links;
  const input: ResolveInput = { hrefs: special.map(({ href }) => href) };
  const address = { session, frameId, url: null };
  const asked = runInWorld(page, address, { source: RESOLVE, input, parse: parseResolved }, signal);
  const answers = (await orNothing(asked, page, signal)) ?? [];
  const known = new Map(special.map(({ href }, index) => [href, answers[index] ?? null]));
  return links.map((link) => {
    const resolved = known.get(link.href) ?? null;
    return resolved === null ? link : { ...link, resolved };
  });
}

/** Frames below the main one: those of its process in one tree, those of other processes each by a session of its own. */
export async function childAddresses(page: WarmPage, signal: AbortSignal): Promise<readonly FrameAddress[]> {
  const local = (await addressesOf(page, page.session, signal)).slice(1);
  if (local.length >= page.watch.frameCount - 1) return local.slice(0, FRAME_LIMIT - 1);
  const remote: FrameAddress[] = [];
  const sessions = (await orNothing(page.within(page.remoteFrames(), 'its frames', signal), page, signal)) ?? [];
  for (const session of sessions) {
    remote.push(...((await orNothing(addressesOf(page, session, signal), page, signal)) ?? []));
  }
  return [...local, ...remote].slice(0, FRAME_LIMIT - 1);
}

interface FrameTree {
  readonly frame: { readonly id: string; readonly url: string };
  readonly childFrames?: FrameTree[];
}

async function addressesOf(
  page: WarmPage,
  session: DevToolsSession,
  signal: AbortSignal,
): Promise<readonly FrameAddress[]> {
  const { frameTree } = await page.within(session.send('Page.getFrameTree'), 'the frame tree', signal);
  const flat = ({ frame, childFrames = [] }: FrameTree): FrameAddress[] => [
    { session, frameId: frame.id, url: frame.url },
    ...childFrames.flatMap(flat),
  ];
  return flat(frameTree);
}

/** Awaits a result that a page can do without: null where the call fails, unless the visit itself is over. */
export async function orNothing<Result>(
  work: Promise<Result>,
  page: WarmPage,
  signal: AbortSignal,
): Promise<Result | null> {
  try {
    return await work;
  } catch {
    signal.throwIfAborted();
    page.gone.throwIfAborted();
    return null;
  }
}
