/** Opens every module of a crawl in the order of their layers, and says what a user should know of them. */
import { join } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import { createDisposal, type Disposal } from '../../base/disposal.ts';
import type { Log } from '../../base/log.ts';
import { steadyClock } from '../../base/steady-clock.ts';
import type { Milliseconds } from '../../base/units.ts';
import { openCrawlFolder } from '../../crawl-folder/crawl-folder.ts';
import { CRAWL_FORMAT } from '../../crawl-folder/stored-crawl.ts';
import { openChangeLog } from '../../fleet/change-log.ts';
import type { SeenLeader } from '../../fleet/epoch.ts';
import { crawlId } from '../../model/crawl-id.ts';
import type { CanonicalUrl } from '../../model/url/canonical-url.ts';
import type { HostKey } from '../../model/url/host-key.ts';
import { withExtensionWriters } from '../../pipeline/extension-writers.ts';
import type { Extension } from '../../pipeline/extension.ts';
import { keySpace, type KeySpace } from '../../redis/key-space.ts';
import { refusedWrite } from '../../redis/refused-write.ts';
import type { CrawlContext } from '../crawl-context.ts';
import type { CrawlEnvironment } from '../crawl-environment.ts';
import type { CrawlPlan } from '../crawl-plan.ts';
import { shareLearning } from '../fleet/page-learning.ts';
import { postingOf, whyNoWorkers } from '../fleet/post-crawl.ts';
import { ownKnowledge, sharedKnowledge, type SharedKnowledge } from '../fleet/shared-knowledge.ts';
import { newCrawlId, redactedOptions, secretsOf, versions } from '../folder/crawl-json.ts';
import { createSharedLog, openLog } from '../folder/log-file.ts';
import { openBooks, startBooks } from '../folder/open-books.ts';
import { openSizeLimit } from '../folder/stored-size.ts';
import { openLoopWatch } from '../loop-watch.ts';
import { openSitemaps } from '../sitemap-feed.ts';
import { takeBackOfRunBefore } from '../summary/folded-parameters.ts';
import { noteHeadersLeft, noteUnauthorised, noteWhereHeadersGo } from '../summary/header-notes.ts';
import { createNotes, type Notes } from '../summary/notes.ts';
import { openTaskThreads } from '../task-threads.ts';
import type { ContextParts } from './context-parts.ts';
import { noteStateElsewhere } from './forget-state.ts';
import { keepUnbegun } from './keep-unbegun.ts';
import { openLoading, type Loading } from './open-loading.ts';
import { namedSitemaps } from './open-network.ts';
import { connectShared } from './open-redis.ts';
import { openSnapshotStorage } from './open-snapshot-storage.ts';
import { openSnapshots } from './open-snapshots.ts';
import { openState, type CrawlState } from './open-state.ts';
import { openVisiting, type VisitingNeeds } from './open-visiting.ts';
import { createPolitenessPolicy, type RequestShare } from './politeness-policy.ts';
import { serveFolders } from './serve-folders.ts';

/** @throws {CrawlError} whatever keeps the crawl from starting; nothing is left open then */
export async function openCrawlContext(
  plan: CrawlPlan,
  environment: CrawlEnvironment,
  { log, ...given }: Pick<Given, 'extensions' | 'leader'> & { readonly log: Log | null },
  signal: AbortSignal,
): Promise<CrawlContext> {
  const disposal = createDisposal();
  try {
    return await open(plan, environment, { disposal, outerLog: log, ...given }, signal);
  } catch (error) {
    try {
      await disposal[Symbol.asyncDispose]();
    } catch (second) {
      log?.error('crawl context was not closed', { error: String(second) });
    }
    throw refusedWrite(error) ?? error;
  }
}

/** Parts that were opened before, or given with the options. */
interface Given {
  readonly disposal: Disposal;
  readonly outerLog: Log | null;
  readonly extensions: readonly Extension[];
  /** The last heartbeat of the process that led the crawl and has died; null, or left out, where none was seen. */
  readonly leader?: SeenLeader | null;
}

async function open(
  plan: CrawlPlan,
  environment: CrawlEnvironment,
  { disposal, outerLog, extensions, leader = null }: Given,
  signal: AbortSignal,
): Promise<CrawlContext> {
  const { options } = plan;
  // the epoch decides which process leads a crawl that is resumed on a shared server, also from another machine
  const elsewhere = plan.intent === 'resume' && options.redis !== undefined ? 'dead' : 'watched';
  const folder = disposal.use(await openCrawlFolder(plan.folder, plan.intent, elsewhere));
  const unbegun = await keepUnbegun(folder.path, plan, disposal);
  const log = createSharedLog();
  if (outerLog !== null) log.add(outerLog);
  const offload = disposal.use(openTaskThreads(environment, log));
  const notes = createNotes();
  const parts: ContextParts = { environment, disposal, clock: systemClock, log, notes, extensions, offload };
  const clock = steadyClock(systemClock);

  // steps that can fail for reasons of the machine come before the folder is touched
  const sites = await serveFolders(plan, parts);
  const { seeds } = sites;
  const sitemaps = namedSitemaps(plan, seeds);
  const share: RequestShare = { parts: 1 };
  const loading = await openLoading(plan, { sites, sitemaps, share, now: clock.now, log }, parts, signal);
  const { identity, loader, renderer, recorder } = loading;
  if (plan.resumed !== null) noteWhereHeadersGo(loading.extraHeaders, notes);
  const shared = await connectShared(plan, parts, signal);
  const id = plan.resumed === null ? newCrawlId() : crawlId(plan.resumed.id);
  const storage = await openSnapshotStorage(options, { crawl: id, environment, clock: systemClock }, signal);

  await folder.claim();
  await unbegun.note(id);
  const secrets = [...secretsOf(options), ...(storage?.secrets ?? [])];
  log.add(disposal.use(openLog(join(folder.path, 'log.jsonl'), options.logLevel, secrets)));
  loading.capacity.tell();
  const politeness = createPolitenessPolicy(options, plan.hostConcurrency, notes.say);
  const delayOf = (host: HostKey): Milliseconds => politeness.delayOf(host, null);
  const session = loading.signIn.guard({ loader, renderer, recorder, folder: folder.path, delayOf });
  await session.start(signal);
  const watch = disposal.use(await openLoopWatch(folder.path, parts));

  const keys = keySpace(id);
  // a start that fails leaves nothing behind; a folder takes the state of a server of its own away itself
  if (plan.resumed === null) await shared?.settle('removed', keys);
  const state = await openState(plan, { folder, keys, shared, share, leader, clock }, parts, signal);
  const { redis, fleet, frontier } = state;
  const { client } = redis;
  const past = await openBooks(plan, frontier, folder, parts);
  const knowledge = await openKnowledge(plan, { ...state, keys, sitemaps }, loading);
  await startBooks(plan, frontier, { seeds, sitemaps }, { clock, notes });
  const load: VisitingNeeds['load'] = (visit, stop) => session.load(visit, stop);
  const needs = { loading, client, keys, frontier, knowledge, politeness, watch, clock, load };
  const visiting = await openVisiting(plan, needs, parts);
  await takeBackOfRunBefore(visiting);
  if (plan.workers === 0) notes.hint(`nobody makes visits here: orbweaver worker --redis <url> --crawl ${id}`);
  const obstacle = whyNoWorkers(options, extensions.length, sites.served.length);
  fleet?.prepare(postingOf(plan, identity, seeds, obstacle));

  return {
    ...visiting,
    loadPage: noting(visiting.loadPage, loading, notes),
    ...past,
    folder,
    openMeasuringBrowser: loading.openMeasuringBrowser,
    size: await openSizeLimit(folder.path, options.sizeLimit ?? null),
    snapshots: disposal.use(
      await withExtensionWriters(
        await openSnapshots(options, { folder: folder.path, id, identity, recorder, storage, clock: systemClock }),
        { extensions, folder: folder.path, log },
      ),
    ),
    fleet,
    description: described(plan, {
      id,
      seeds: await frontier.seeds(),
      served: sites.served,
      ...(storage === null ? {} : { storage: storage.name }),
      effective: { workers: plan.workers, hostConcurrency: plan.hostConcurrency, ...identity },
      versions: versions(loading.browserVersion, redis.version, plan.consent?.engine.version ?? null),
    }),
    lost: redis.lost,
    httpAuth: loading.httpAuth,
    signedOut: session.signedOut,
    settleState: (fate) => redis.settle(fate, keys),
    forgetReplaced: async (stop) => {
      await unbegun.forget(id, redis, notes, stop);
      const replaced = plan.intent === 'overwrite' ? folder.found : null;
      if (replaced === null || (await redis.forgetReplaced(keySpace(crawlId(replaced.id)), stop))) return;
      noteStateElsewhere(replaced, options.redis, notes);
    },
  };
}

/** What crawl.json says of a crawl that has not visited a page yet. */
function described({ options, resumed }: CrawlPlan, opened: OpenedCrawl): CrawlContext['description'] {
  const { id, effective, versions: used, ...begin } = opened;
  return {
    id,
    format: CRAWL_FORMAT,
    ...begin,
    options: redactedOptions(options),
    effective,
    versions: used,
    started: resumed?.started ?? new Date(systemClock.now()).toISOString(),
    suspectedTraps: [],
    hostsGivenUp: [],
    foldedParameters: [],
  };
}

type OpenedCrawl = Pick<CrawlContext['description'], 'id' | 'seeds' | 'served' | 'storage' | 'effective' | 'versions'>;

/** What processes of a crawl tell each other; in a resumed crawl also what they have told. */
async function openKnowledge(
  { options: { limit } }: CrawlPlan,
  { redis: { client }, fleet, frontier, keys, sitemaps }: KnowledgeNeeds,
  { learning }: Loading,
): Promise<SharedKnowledge> {
  const book = await openSitemaps(limit, frontier);
  const knowledge =
    fleet === null ? ownKnowledge(book) : sharedKnowledge(book, openChangeLog(client, keys), shareLearning(learning));
  await knowledge.learn(); // of a resumed crawl; its seeds are the frontier's
  for (const url of sitemaps) knowledge.sitemaps.note(url, { depth: 1, hosts: null });
  await knowledge.publish([]);
  return knowledge;
}

interface KnowledgeNeeds extends CrawlState {
  readonly keys: KeySpace;
  /** Those that the user named. */
  readonly sitemaps: readonly CanonicalUrl[];
}

/** Notes headers that a site does not get, or does not accept. */
function noting(
  load: CrawlContext['loadPage'],
  { extraHeaders, httpAuth }: Loading,
  notes: Notes,
): CrawlContext['loadPage'] {
  return async (visit, signal) => {
    const outcome = await load(visit, signal);
    if (outcome === null) return null;
    if (visit.kind === 'seed' && outcome.kind === 'redirected')
      noteHeadersLeft(visit.url, outcome.location, extraHeaders, notes);
    noteUnauthorised(visit, outcome, httpAuth, notes);
    return outcome;
  };
}
