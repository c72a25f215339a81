/** Opens the modules with which a worker makes visits of a crawl that another process leads: those of a crawl, except its books. */
import { createDisposal } from '../../base/disposal.ts';
import type { Log } from '../../base/log.ts';
import { findBrowser } from '../../../browsers/launch/find-browser.ts';
import { openChangeLog } from '../../fleet/change-log.ts';
import type { Posting } from '../../fleet/posting.ts';
import { openFrontier } from '../../frontier/open-frontier.ts';
import type { CrawlId } from '../../model/crawl-id.ts';
import { storedCanonicalUrl } from '../../model/url/canonical-url.ts';
import { parseOptions, type CrawlOptions } from '../../options/options.ts';
import { urlPolicyOf } from '../../options/url-options.ts';
import type { RedisConnection } from '../../redis/connect.ts';
import { keySpace } from '../../redis/key-space.ts';
import { loadConsentEngine } from '../../render/consent/consent-engine.ts';
import type { VisitingContext } from '../crawl-context.ts';
import type { CrawlEnvironment } from '../crawl-environment.ts';
import type { CrawlPlan } from '../crawl-plan.ts';
import { secretsOf } from '../folder/crawl-json.ts';
import { createSharedLog, openLog } from '../folder/log-file.ts';
import { openLoopWatch } from '../loop-watch.ts';
import type { ContextParts } from '../opening/context-parts.ts';
import { openLoading } from '../opening/open-loading.ts';
import { openSnapshotStorage } from '../opening/open-snapshot-storage.ts';
import { openSnapshots } from '../opening/open-snapshots.ts';
import { openVisiting, type VisitingNeeds } from '../opening/open-visiting.ts';
import { createPolitenessPolicy, type RequestShare } from '../opening/politeness-policy.ts';
import { readPrivateGrants } from '../opening/private-grant.ts';
import { createNotes } from '../summary/notes.ts';
import { emptySitemapBook } from '../sitemap-feed.ts';
import { openTaskThreads } from '../task-threads.ts';
import type { FleetClock } from './fleet-clock.ts';
import { shareLearning } from './page-learning.ts';
import { sharedKnowledge } from './shared-knowledge.ts';
import { openWorkerFolder } from './worker-folder.ts';
import { workerOptions, type OwnValues } from './worker-options.ts';
import { MOST_RENDERED_WORKERS } from '../../options/rendering-options.ts';
import { rangesFor } from '../capacity/capacity.ts';

/** How this machine works for a crawl; the crawl's own options come from its controller. */
export interface WorkerSettings extends Pick<
  CrawlOptions,
  'browser' | 'workers' | 'logLevel' | 'metrics' | 'egressAddress' | keyof OwnValues
> {
  readonly redis: string;
  /** Is the Redis server a node of a cluster? */
  readonly redisCluster: boolean;
  /** The crawl folder, where this machine sees it; null: the worker keeps its files in a folder of its own. */
  readonly crawlFolder: string | null;
}

interface WorkerNeeds {
  readonly settings: WorkerSettings;
  readonly posting: Posting;
  readonly crawl: CrawlId;
  /** Name of the worker in keys and files. */
  readonly worker: string;
  readonly client: RedisConnection['client'];
  readonly clock: FleetClock;
  readonly share: RequestShare;
  readonly environment: CrawlEnvironment;
  readonly outerLog: Log | null;
}

/** @throws {CrawlError} whatever keeps the worker from starting; nothing is left open then */
export async function openWorkerContext(needs: WorkerNeeds, signal: AbortSignal): Promise<VisitingContext> {
  const disposal = createDisposal();
  try {
    return await open(needs, disposal, signal);
  } catch (error) {
    try {
      await disposal[Symbol.asyncDispose]();
    } catch (second) {
      needs.outerLog?.error('worker context was not closed', { error: String(second) });
    }
    throw error;
  }
}

async function open(
  needs: WorkerNeeds,
  disposal: ContextParts['disposal'],
  signal: AbortSignal,
): Promise<VisitingContext> {
  const { settings, posting, crawl, worker, client, clock, share, environment } = needs;
  const log = createSharedLog();
  if (needs.outerLog !== null) log.add(needs.outerLog);
  const { workingFolder } = environment;
  const given = workerOptions(posting.options, settings, crawl);
  const folder = await openWorkerFolder(settings.crawlFolder, { crawl, worker, workingFolder });
  const plan = await workerPlan(needs, given, folder.path, signal);
  const { options } = plan;
  const storage = await openSnapshotStorage(options, { crawl, environment, clock }, signal);
  const secrets = [...secretsOf(options), ...(storage?.secrets ?? [])];
  log.add(disposal.use(openLog(folder.log, options.logLevel, secrets)));
  const offload = disposal.use(openTaskThreads(environment, log));
  const parts: ContextParts = { environment, disposal, clock, log, notes: createNotes(), extensions: [], offload };
  const seeds = posting.seeds.map(storedCanonicalUrl);

  const sites = { seeds, remote: seeds, served: [], grants: [] };
  const loading = await openLoading(plan, { sites, sitemaps: [], share, now: clock.now, log }, parts, signal);
  loading.capacity.tell();
  const politeness = createPolitenessPolicy(options, plan.hostConcurrency, parts.notes.say);
  const watch = disposal.use(await openLoopWatch(folder.path, parts));
  const keys = keySpace(crawl);
  const frontier = await openFrontier({ client, keys, state: 'shared' });
  const changes = openChangeLog(client, keys);
  const knowledge = sharedKnowledge(emptySitemapBook(options.limit), changes, shareLearning(loading.learning));
  await knowledge.learn(); // the seeds are the frontier's
  const load: VisitingNeeds['load'] = (visit, stop) => loading.loader.load(visit, stop);
  const visiting = { loading, client, keys, worker, frontier, knowledge, politeness, watch, clock, load };
  const { identity, recorder } = loading;
  const snapshots = { folder: folder.path, id: crawl, worker, identity, recorder, storage, clock };
  return {
    ...(await openVisiting(plan, visiting, parts)),
    size: { isReached: false, stored: async () => {} },
    snapshots: disposal.use(await openSnapshots(options, snapshots)),
    pagesBefore: 0,
  };
}

/** The plan of the crawl, with this machine's own settings. The User-Agent is the controller's: sites see one crawler. */
async function workerPlan(
  { settings, posting, environment }: WorkerNeeds,
  given: ReturnType<typeof workerOptions>,
  folder: string,
  signal: AbortSignal,
): Promise<CrawlPlan> {
  const { browser, workers, logLevel, redis, metrics, egressAddress } = settings;
  const { userAgent, robotsAgent } = posting.identity;
  const options = parseOptions({
    ...given,
    seeds: posting.seeds,
    userAgent,
    userAgentSuffix: undefined,
    robotsAgent,
    browser,
    logLevel,
    redis,
    metrics,
    egressAddress,
  });
  const isStatic = options.render === 'never';
  const most = isStatic ? workers : workers && Math.min(workers, MOST_RENDERED_WORKERS);
  const slots = rangesFor(most, environment.cores);
  const asked = { asked: browser ?? null, environment: environment.browsers };
  return {
    options,
    folder,
    intent: 'new',
    resumed: null,
    seeds: [],
    urlPolicy: urlPolicyOf(options),
    limitCountsRedirects: false,
    workers: slots.pages.start,
    slots,
    hostConcurrency: posting.hostConcurrency,
    grants: options.allowPrivate.flatMap(readPrivateGrants),
    browser: isStatic ? null : await findBrowser(asked, signal),
    axe: null,
    consent: options.consent === 'leave' ? null : { mode: options.consent, engine: await loadConsentEngine() },
  };
}
