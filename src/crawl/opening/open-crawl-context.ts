/** Opens every module of a crawl in the order of their layers, and says what a user should know of them. */
import { join } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import { createDisposal, type Disposal } from '../../base/disposal.ts';
import { Gauge } from '../../base/gauge.ts';
import type { Log } from '../../base/log.ts';
import { steadyClock } from '../../base/steady-clock.ts';
import type { Milliseconds } from '../../base/units.ts';
import { buildScope } from '../../core/scope/decide.ts';
import { openCrawlFolder } from '../../crawl-folder/crawl-folder.ts';
import { CRAWL_FORMAT } from '../../crawl-folder/stored-crawl.ts';
import { openSimilarityIndex } from '../../dedup/redis-similarity-index.ts';
import { openChangeLog } from '../../fleet/change-log.ts';
import type { SeenLeader } from '../../fleet/epoch.ts';
import { frontierFigures } from '../../frontier/frontier-figures.ts';
import { openFrontier } from '../../frontier/open-frontier.ts';
import { frontierSpaces } from '../../frontier/parts/part-tags.ts';
import { crawlId } from '../../model/crawl-id.ts';
import type { HostKey } from '../../model/url/host-key.ts';
import { scopeOptionsOf } from '../../options/url-options.ts';
import { withExtensionWriters } from '../../pipeline/extension-writers.ts';
import type { Extension } from '../../pipeline/extension.ts';
import { createProcessors } from '../../pipeline/processors.ts';
import { mastersOf } from '../../redis/client.ts';
import { userTarget } from '../../redis/connect.ts';
import { keySpace } from '../../redis/key-space.ts';
import { sentHeaders } from './sent-headers.ts';
import { serveFolders } from './serve-folders.ts';
import { openParameterMemory } from '../../traps/redis-parameter-memory.ts';
import { openTrapMemory } from '../../traps/redis-trap-memory.ts';
import type { ContextParts } from './context-parts.ts';
import type { CrawlContext } from '../crawl-context.ts';
import type { CrawlEnvironment } from '../crawl-environment.ts';
import { openFleet, type CrawlFleet } from '../fleet/crawl-fleet.ts';
import { gatherWhatWorkersLeft } from '../fleet/gather-left.ts';
import { postingOf, whyNoWorkers } from '../fleet/post-crawl.ts';
import { ownKnowledge, sharedKnowledge } from '../fleet/shared-knowledge.ts';
import { newCrawlId, redactedOptions, secretsOf, versions } from '../folder/crawl-json.ts';
import type { CrawlPlan } from '../crawl-plan.ts';
import { createDeferredRecorder } from './deferred-recorder.ts';
import { takeBackOfRunBefore } from '../summary/folded-parameters.ts';
import { noteHeadersLeft, notePasswordRefused, noteWhereHeadersGo } from '../summary/header-notes.ts';
import { createSharedLog, openLog } from '../folder/log-file.ts';
import { openLoopWatch } from '../loop-watch.ts';
import { createNotes } from '../summary/notes.ts';
import { openBooks, startBooks } from '../folder/open-books.ts';
import { grantSeeds, namedSitemaps, openGateway, openRobotsChecker } from './open-network.ts';
import { openPageLoader } from './open-page-loader.ts';
import { connectShared, startPrivate } from './open-redis.ts';
import { openSnapshotStorage } from './open-snapshot-storage.ts';
import { openSnapshots } from './open-snapshots.ts';
import { openSizeLimit } from '../folder/stored-size.ts';
import { tryProxy, userProxyOf } from './user-proxy.ts';
import { createPolitenessPolicy, ownEgress, type RequestShare } from './politeness-policy.ts';
import { openSitemaps } from '../sitemap-feed.ts';
import { openSignIn } from '../sign-in/open-session.ts';
import { openTaskThreads } from '../task-threads.ts';
import { ownLearning, shareLearning } from '../fleet/page-learning.ts';
import { HostCookies } from '../../core/cookies/host-cookies.ts';
import { openCapacity } from '../capacity/capacity.ts';
import { passingCookieTests } from './pass-cookie-tests.ts';
import { visitQueue } from './visit-queue.ts';

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
    throw error;
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
  const log = createSharedLog();
  if (outerLog !== null) log.add(outerLog);
  const offload = disposal.use(openTaskThreads(environment, log));
  const parts: ContextParts = {
    environment,
    disposal,
    clock: systemClock,
    log,
    notes: createNotes(),
    extensions,
    offload,
  };
  const { clock, notes } = parts;
  const frontierClock = steadyClock(clock);

  // steps that can fail for reasons of the machine come before the folder is touched
  const sites = await serveFolders(plan, parts);
  const share: RequestShare = { parts: 1 };
  const recorder = options.snapshot.includes('warc') ? createDeferredRecorder(frontierClock.now) : null;
  const egress = disposal.use(await openGateway(plan, { served: sites, recorder, share }, log));
  await grantSeeds(egress, [...sites.seeds, ...namedSitemaps(plan, sites.seeds)], signal);
  const proxy = userProxyOf(options);
  if (proxy !== null) await tryProxy(proxy, { egress, seeds: sites.remote }, signal);
  const { httpAuth, extraHeaders } = sentHeaders(options, sites.seeds);
  if (plan.resumed !== null) noteWhereHeadersGo(extraHeaders, notes);
  const signIn = disposal.use(await openSignIn(options, { ...parts, seeds: sites.seeds }));
  const { signIns } = signIn;
  log.hide(signIn.secrets);
  const cookies = new HostCookies();
  const network = { egress, extraHeaders, cookies, signIns };
  const waitingPages = new Gauge();
  const learning = ownLearning({ isAudit: options.audit });
  const capacity = disposal.use(openCapacity(plan, { ...parts, waiting: waitingPages }));
  const opened = await openPageLoader(plan, { ...network, waitingPages, learning }, parts, signal);
  const { identity, browserVersion } = opened;
  capacity.onChange(() => opened.renderer?.resize(capacity.pages));
  const shared = await connectShared(plan, parts, signal);
  const id = plan.resumed === null ? newCrawlId() : crawlId(plan.resumed.id);
  const storage = await openSnapshotStorage(options, { crawl: id, environment, clock }, signal);

  await folder.claim();
  const secrets = [...secretsOf(options), ...(storage?.secrets ?? [])];
  log.add(disposal.use(openLog(join(folder.path, 'log.jsonl'), options.logLevel, secrets)));
  capacity.tell();
  const politeness = createPolitenessPolicy(options, plan.hostConcurrency, notes.say);
  const delayOf = (host: HostKey): Milliseconds => politeness.delayOf(host, null);
  const session = signIn.guard({ ...opened, folder: folder.path, recorder, delayOf });
  await session.start(signal);
  const watch = disposal.use(await openLoopWatch(folder.path, parts));
  const redis = shared ?? (await startPrivate(folder, parts, signal));
  const keys = keySpace(id);
  const { client } = redis;
  // a state that is lost fails here, before anything is written
  if (plan.resumed !== null) await openFrontier({ client, keys, state: 'shared' });
  let fleet: CrawlFleet | null = null;
  disposal.defer(() => gatherWhatWorkersLeft({ folder: folder.path, fleet, log }));
  fleet =
    options.redis === undefined
      ? null
      : disposal.use(
          await openFleet(
            {
              ...parts,
              clock: frontierClock,
              client,
              target: userTarget(options.redis, options.redisCluster),
              keys,
              share,
              makesVisits: plan.workers > 0,
              rendersOn: plan.workers > 0 && plan.browser !== null ? environment.processors : null,
              egress: ownEgress(options),
              leader,
            },
            signal,
          ),
        );
  const state = plan.resumed === null ? 'new' : 'existing';
  const { hostLimit = null } = options;
  const lead = { hostLimit, epoch: fleet?.epoch ?? null };
  const egresses = options.perEgressAddress ? 'apart' : 'together';
  // parts keep one spacing for each address of a server
  const nodes = options.perEgressAddress ? 1 : mastersOf(client).length;
  const frontier = await openFrontier({ client, keys, state, addresses: 'awaited', egresses, parts: nodes, ...lead });
  frontierClock.catchUp(await frontier.latest());
  const spaces = await frontierSpaces(client, keys);
  const robots = openRobotsChecker(options, {
    egress,
    identity,
    httpAuth,
    client,
    prefix: keys.key('r', ''),
    ...parts,
  });
  const past = await openBooks(plan, frontier, folder, parts);
  const book = await openSitemaps(options.limit, frontier);
  const knowledge =
    fleet === null ? ownKnowledge(book) : sharedKnowledge(book, openChangeLog(client, keys), shareLearning(learning));
  await knowledge.learn(); // of a resumed crawl; its seeds are the frontier's
  const named = namedSitemaps(plan, sites.seeds);
  for (const url of named) knowledge.sitemaps.note(url, { depth: 1, hosts: null });
  await knowledge.publish([]);
  await startBooks(plan, frontier, { seeds: sites.seeds, sitemaps: named }, { clock: frontierClock, notes });
  const seeds = await frontier.seeds();
  const parameterMemory = openParameterMemory({ client, keys, ...plan.urlPolicy });
  await takeBackOfRunBefore({ frontier, parameterMemory, clock: frontierClock, log });
  const load = passingCookieTests(options, (visit, stop) => session.load(visit, stop), {
    documents: opened.documents,
    cookies,
    robots,
    log,
  });
  if (plan.workers === 0) notes.say(`nobody makes visits here: orbweaver worker --redis <url> --crawl ${id}`);
  fleet?.prepare(postingOf(plan, identity, sites.seeds, whyNoWorkers(options, extensions.length, sites.served.length)));

  return {
    plan,
    identity,
    folder,
    frontier,
    egress,
    robots,
    waitingPages,
    capacity,
    readPages: learning.readPages,
    loadPage: capacity.learning(async (visit, stop) => {
      const outcome = await load(visit, stop);
      if (outcome === null) return null;
      if (visit.kind === 'seed' && outcome.kind === 'redirected')
        noteHeadersLeft(visit.url, outcome.location, extraHeaders, notes);
      notePasswordRefused(visit.url, outcome, httpAuth, notes);
      return outcome;
    }),
    openMeasuringBrowser: opened.openMeasuringBrowser,
    similar: await openSimilarityIndex({ client, keys, threshold: options.nearDuplicates }),
    trapMemory: openTrapMemory({ client, keys }),
    parameterMemory,
    size: await openSizeLimit(folder.path, options.sizeLimit ?? null),
    snapshots: disposal.use(
      await withExtensionWriters(
        await openSnapshots(options, { folder: folder.path, id, identity, recorder, storage, clock }),
        {
          extensions,
          folder: folder.path,
          log,
        },
      ),
    ),
    ...past,
    politeness,
    notes,
    scope: buildScope(scopeOptionsOf(options), seeds),
    sitemaps: knowledge.sitemaps,
    knowledge,
    fleet,
    extensions,
    processors: createProcessors(extensions, log),
    watch,
    offload,
    clock: frontierClock,
    log,
    figures: () => frontierFigures(client, spaces),
    openQueue: visitQueue({ client, keys, capacity, log }),
    description: {
      id,
      format: CRAWL_FORMAT,
      seeds,
      served: sites.served,
      ...(storage === null ? {} : { storage: storage.name }),
      options: redactedOptions(options),
      effective: { workers: plan.workers, hostConcurrency: plan.hostConcurrency, ...identity },
      versions: versions(browserVersion, redis.version, plan.consent?.engine.version ?? null),
      started: plan.resumed?.started ?? new Date(clock.now()).toISOString(),
      suspectedTraps: [],
      hostsGivenUp: [],
      foldedParameters: [],
    },
    lost: redis.lost,
    signedOut: session.signedOut,
    httpAuth,
    settleState: (fate) => redis.settle(fate, [...new Set([keys, ...spaces].map(({ prefix }) => prefix))]),
    disposal,
  };
}
