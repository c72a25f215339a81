/** Opens the state of a crawl in Redis: the server, the lead of its workers, and the frontier. */
import type { SteadyClock } from '../../base/steady-clock.ts';
import type { CrawlFolder } from '../../crawl-folder/crawl-folder.ts';
import type { SeenLeader } from '../../fleet/epoch.ts';
import type { Frontier } from '../../frontier/frontier.ts';
import { openFrontier } from '../../frontier/open-frontier.ts';
import { mastersOf } from '../../redis/client.ts';
import { userTarget } from '../../redis/connect.ts';
import type { KeySpace } from '../../redis/key-space.ts';
import type { CrawlPlan } from '../crawl-plan.ts';
import { openFleet, type CrawlFleet } from '../fleet/crawl-fleet.ts';
import { gatherWhatWorkersLeft } from '../fleet/gather-left.ts';
import type { ContextParts } from './context-parts.ts';
import { startPrivate, type OpenedRedis } from './open-redis.ts';
import { ownEgress, type RequestShare } from './politeness-policy.ts';

interface StateNeeds {
  readonly folder: CrawlFolder;
  readonly keys: KeySpace;
  /** The user's server; null where the crawl gets one of its own. */
  readonly shared: OpenedRedis | null;
  readonly share: RequestShare;
  readonly leader: SeenLeader | null;
  /** The time of the crawl: it catches up with what the frontier has recorded. */
  readonly clock: SteadyClock;
}

export interface CrawlState {
  readonly redis: OpenedRedis;
  /** The workers of the crawl; null where the server is its own. */
  readonly fleet: CrawlFleet | null;
  readonly frontier: Frontier;
}

/** @throws {CrawlError} STATE_LOST before anything is written, CRAWL_LED */
export async function openState(
  plan: CrawlPlan,
  { folder, keys, shared, share, leader, clock }: StateNeeds,
  parts: ContextParts,
  signal: AbortSignal,
): Promise<CrawlState> {
  const { options } = plan;
  const { disposal, log } = parts;
  const redis = shared ?? (await startPrivate(folder, parts, signal));
  const { client } = redis;
  // a state that is lost fails here, before anything is written
  if (plan.resumed !== null) await openFrontier({ client, keys, state: 'shared' });
  let fleet: CrawlFleet | null = null;
  disposal.defer(() => gatherWhatWorkersLeft({ folder: folder.path, fleet, log }));
  if (options.redis !== undefined) {
    const target = userTarget(options.redis, options.redisCluster);
    const needs = { ...parts, ...slotsHere(plan, parts), egress: ownEgress(options) };
    fleet = disposal.use(await openFleet({ ...needs, clock, client, target, keys, share, leader }, signal));
  }
  const frontier = await openFrontier({
    client,
    keys,
    state: plan.resumed === null ? 'new' : 'existing',
    addresses: 'awaited',
    egresses: options.perEgressAddress ? 'apart' : 'together',
    // parts keep one spacing for each address of a server
    parts: options.perEgressAddress ? 1 : mastersOf(client).length,
    hostLimit: options.hostLimit ?? null,
    epoch: fleet?.epoch ?? null,
  });
  clock.catchUp(await frontier.latest());
  return { redis, fleet, frontier };
}

function slotsHere(
  { workers, browser }: CrawlPlan,
  { environment }: ContextParts,
): { readonly makesVisits: boolean; readonly rendersOn: string | null } {
  const makesVisits = workers > 0;
  return { makesVisits, rendersOn: makesVisits && browser !== null ? environment.processors : null };
}
