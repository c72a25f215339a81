/** The folders among a crawl's seeds, served on loopback. */
import type { AddressGrant } from '../../egress/egress.ts';
import { canonicalUrl, type CanonicalUrl } from '../../model/url/canonical-url.ts';
import { isRecordedCrawl, openReplayServer } from '../../replay/open-replay-server.ts';
import { openSiteServer } from '../../site-server/open-site-server.ts';
import type { ContextParts } from './context-parts.ts';
import type { CrawlPlan } from '../crawl-plan.ts';

const LOOPBACK = '127.0.0.1';

export interface ServedSites {
  /** The URLs of the seeds: the given ones, and those of served folders. */
  readonly seeds: readonly CanonicalUrl[];
  /** The given URLs. */
  readonly remote: readonly CanonicalUrl[];
  readonly served: readonly { readonly folder: string; readonly port: number }[];
  readonly grants: readonly AddressGrant[];
}

/** Serves the folders among the seeds; a resumed crawl on the same ports, for they are part of the URLs. */
export async function serveFolders(plan: CrawlPlan, { disposal, log, notes }: ContextParts): Promise<ServedSites> {
  const before = plan.resumed?.served ?? [];
  const seeds: CanonicalUrl[] = [];
  const remote: CanonicalUrl[] = [];
  const served: { readonly folder: string; readonly port: number }[] = [];
  for (const seed of plan.seeds) {
    if (seed.kind === 'url') {
      seeds.push(seed.url);
      remote.push(seed.url);
      continue;
    }
    const port = before.find(({ folder }) => folder === seed.folder)?.port ?? 0;
    const server = disposal.use(await openFolder(seed.folder, port, { log, notes }));
    served.push({ folder: seed.folder, port: server.port });
    for (const url of server.seeds) {
      const start = canonicalUrl(url);
      if (start !== null) seeds.push(start);
    }
  }
  return { seeds, remote, served, grants: served.map(({ port }) => ({ cidr: LOOPBACK, port })) };
}

/** A site, or a crawl with an archive, which is served again. */
async function openFolder(
  folder: string,
  port: number,
  { log, notes }: Pick<ContextParts, 'log' | 'notes'>,
): Promise<AsyncDisposable & { readonly port: number; readonly seeds: readonly string[] }> {
  if (await isRecordedCrawl(folder)) {
    const noted = new Set<'missing' | 'damaged'>();
    const onMissing = (url: string, fault: string | null): void => {
      const kind = fault === null ? 'missing' : 'damaged';
      const what = fault === null ? 'has not recorded all that was asked for' : 'has records that cannot be read';
      if (!noted.has(kind))
        notes.say(`${folder} ${what} (${url}, for one): it is answered with 404, and log.jsonl names it`);
      noted.add(kind);
    };
    const replay = await openReplayServer(folder, { port, onMissing }, log);
    if (replay.damage !== null) notes.say(`${replay.damage}, and log.jsonl names the places`);
    return replay;
  }
  const server = await openSiteServer(folder, { port, address: LOOPBACK }, log);
  if (server.base !== '') notes.say(`the pages of ${folder} are made for ${server.base}/: they are served there`);
  if (server.published !== null)
    notes.say(
      `the links of ${folder} name ${server.published}/: they, and all addresses below it, are served from the folder`,
    );
  if (server.above !== null)
    notes.say(
      `the first page of ${folder} links to ${server.above.reference}, which is above the folder and not served: ${server.above.folder} has both`,
    );
  return { port: server.port, seeds: [server.url], [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}
