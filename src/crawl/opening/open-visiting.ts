/** Opens what visits are made and judged with, on what loads pages and on the frontier: of a crawl and of its workers the same. */
import type { Clock } from '../../base/clock.ts';
import { buildScope } from '../../core/scope/decide.ts';
import { openSimilarityIndex } from '../../dedup/redis-similarity-index.ts';
import { frontierFigures } from '../../frontier/frontier-figures.ts';
import type { Frontier } from '../../frontier/frontier.ts';
import { frontierSpaces } from '../../frontier/parts/part-tags.ts';
import type { Visit } from '../../model/visit.ts';
import type { VisitOutcome } from '../../model/visit-outcome.ts';
import { scopeOptionsOf } from '../../options/url-options.ts';
import { createProcessors } from '../../pipeline/processors.ts';
import type { RedisConnection } from '../../redis/connect.ts';
import type { KeySpace } from '../../redis/key-space.ts';
import { openParameterMemory } from '../../traps/redis-parameter-memory.ts';
import { openTrapMemory } from '../../traps/redis-trap-memory.ts';
import type { VisitingContext } from '../crawl-context.ts';
import type { CrawlPlan } from '../crawl-plan.ts';
import type { SharedKnowledge } from '../fleet/shared-knowledge.ts';
import type { MainLoopWatch } from '../../base/process/main-loop-watch.ts';
import type { ContextParts } from './context-parts.ts';
import type { Loading } from './open-loading.ts';
import { openRobotsChecker } from './open-network.ts';
import { passingCookieTests } from './pass-cookie-tests.ts';
import type { PolitenessPolicy } from './politeness-policy.ts';
import { visitQueue } from './visit-queue.ts';

export interface VisitingNeeds {
  readonly loading: Loading;
  readonly client: RedisConnection['client'];
  readonly keys: KeySpace;
  /** Name of the worker; left out in the process that leads. */
  readonly worker?: string;
  readonly frontier: Frontier;
  readonly knowledge: SharedKnowledge;
  readonly politeness: PolitenessPolicy;
  readonly watch: MainLoopWatch;
  /** The time of the crawl. */
  readonly clock: Clock;
  /** Loads a page; the cookies that hosts test for are not its concern. */
  readonly load: (visit: Visit, signal: AbortSignal) => Promise<VisitOutcome | null>;
}

/** What a process keeps of visits is its own: a folder, or the books of the crawl. */
type Visiting = Omit<VisitingContext, 'snapshots' | 'size' | 'pagesBefore'>;

/** The knowledge has learnt all that is known, and the frontier its seeds. */
export async function openVisiting(plan: CrawlPlan, needs: VisitingNeeds, parts: ContextParts): Promise<Visiting> {
  const { loading, client, keys, frontier, knowledge } = needs;
  const { egress, identity, httpAuth, capacity, documents, cookies } = loading;
  const { options } = plan;
  const { log, extensions } = parts;
  const prefix = keys.key('r', '');
  const robots = openRobotsChecker(options, { ...parts, egress, identity, httpAuth, client, prefix });
  const passing = passingCookieTests(options, needs.load, { documents, cookies, robots, log });
  const load: typeof passing = (visit, signal) =>
    passing(knowledge.sitemaps.placeOf(visit.url) === null ? visit : { ...visit, isSitemap: true }, signal);
  const spaces = await frontierSpaces(client, keys);
  return {
    plan,
    identity,
    frontier,
    egress,
    robots,
    waitingPages: loading.waitingPages,
    capacity,
    loadPage: capacity.learning(load),
    readPages: loading.learning.readPages,
    similar: await openSimilarityIndex({ client, keys, threshold: options.nearDuplicates }),
    trapMemory: openTrapMemory({ client, keys }),
    parameterMemory: openParameterMemory({ client, keys, ...plan.urlPolicy }),
    politeness: needs.politeness,
    notes: parts.notes,
    scope: buildScope(scopeOptionsOf(options), await frontier.seeds()),
    sitemaps: knowledge.sitemaps,
    knowledge,
    extensions,
    processors: createProcessors(extensions, log),
    watch: needs.watch,
    offload: parts.offload,
    clock: needs.clock,
    log,
    figures: () => frontierFigures(client, spaces),
    openQueue: visitQueue({ ...needs, capacity, log }),
    disposal: parts.disposal,
  };
}
