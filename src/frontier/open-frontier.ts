/** Creates or opens the state of a crawl in Redis, in the layout of this version of the program. */
import { CrawlError } from '../base/errors.ts';
import { TOTAL_CREDIT } from '../base/units.ts';
import type { RedisClient } from '../redis/client.ts';
import type { KeySpace } from '../redis/key-space.ts';
import type { Frontier } from './frontier.ts';
import type { FrontierState } from './frontier-state.ts';
import { FRONTIER_NAMESPACE } from './keys.ts';
import { leaderScripts, superseded } from './leader-scripts.ts';
import { partOfUrl } from './parts/part-of-url.ts';
import { chooseParts, frontierSpaces } from './parts/part-tags.ts';
import { Parts } from './parts/part.ts';
import { PartedFrontier } from './parts/parted-frontier.ts';
import { RedisFrontier } from './redis-frontier.ts';
import * as scripts from './scripts.ts';
import { createKnownUrls } from './url-groups.ts';

/** Version of the key layout; state of another version is not touched. */
const SCHEMA = '15';
/** Hosts per call of set-host-limit (arbitrary). */
const LIMIT_CHUNK = 500;

interface FrontierOptions {
  readonly client: RedisClient;
  readonly keys: KeySpace;
  /**
   * `new` creates the crawl's state where there is none; `existing` is a resume and requires it; `shared` belongs to another process's crawl and
   * is not changed.
   */
  readonly state: 'new' | 'existing' | 'shared';
  /**
   * For a new crawl: `awaited` where no host is visited before `resolved` gave its address, `unused` (the default) where
   * names are not looked up. A resumed crawl keeps its value.
   */
  readonly addresses?: 'awaited' | 'unused';
  /**
   * For a new crawl: `apart` where politeness counts per egress address of its processes; `together` by default. A resumed crawl
   * keeps its value.
   */
  readonly egresses?: 'apart' | 'together';
  /** For a new crawl: `off` where URL patterns have no budget. `on` by default. */
  readonly budgets?: 'on' | 'off';
  /** Most pages per host; null (the default) for no limit. A resumed crawl may set another limit than before. */
  readonly hostLimit?: number | null;
  /** For a new crawl: number of hash tags that its hosts are split over; 1 by default. A resumed crawl keeps its value. */
  readonly parts?: number;
  /** Epoch under which the caller leads the crawl; null (the default) where no other process can lead, and for workers. */
  readonly epoch?: number | null;
}

/**
 * Opens the frontier of a crawl. The caller keeps ownership of the client.
 * @throws {CrawlError} STATE_LOST where Redis lacks the expected state or has that of another version; CRAWL_LED where a later epoch has begun
 */
export async function openFrontier({ client, keys, state, parts = 1, ...options }: FrontierOptions): Promise<Frontier> {
  if (state === 'new' && parts > 1) await chooseParts(client, keys, parts);
  const spaces = await frontierSpaces(client, keys);
  const states: FrontierState[] = [];
  for (const [number, space] of spaces.entries()) {
    const credit = Math.floor(TOTAL_CREDIT / spaces.length) + (number === 0 ? TOTAL_CREDIT % spaces.length : 0);
    states.push(await openState({ client, keys: space, state, credit, ...options }));
  }
  const [only] = states;
  if (states.length === 1 && only !== undefined) return new RedisFrontier(only);
  const all = states.map((each, number) => ({ ...each, number, frontier: new RedisFrontier(each) }));
  return new PartedFrontier(new Parts(all, partOfUrl(all.length)));
}

/** @param credit initial credit of a new state */
async function openState({
  client,
  keys,
  state,
  credit,
  ...options
}: Omit<FrontierOptions, 'parts'> & { readonly credit: number }): Promise<FrontierState> {
  const meta = keys.key(FRONTIER_NAMESPACE, 'meta');
  if (state === 'new') {
    const { addresses = 'unused', budgets = 'on', egresses = 'together' } = options;
    const first = { schema: SCHEMA, credit, addresses, budgets, egresses };
    const making = client.multi();
    for (const [field, value] of Object.entries(first)) making.hsetnx(meta, field, value);
    await making.exec();
  }
  const schema = await client.hget(meta, 'schema');
  if (schema === SCHEMA) {
    const { epoch = null, hostLimit } = options;
    if (epoch !== null) await lead(client, meta, epoch);
    if (state !== 'shared') await setHostLimit(client, meta, { limit: hostLimit ?? 0, epoch });
    return { client, keys: { meta }, leader: leaderScripts(epoch), known: createKnownUrls() };
  }
  throw new CrawlError(
    'STATE_LOST',
    schema === null
      ? `Redis does not know the crawl ${keys.crawl}.\nCrawl again with --overwrite, or name the Redis server that holds it.`
      : `The crawl ${keys.crawl} was begun by another version of the program (state ${schema}, this one writes ${SCHEMA}).\nResume it with that version, or crawl again with --overwrite.`,
    { data: { crawl: keys.crawl } },
  );
}

/** Takes the lead: from now on other processes are refused the leader's scripts. */
async function lead(client: RedisClient, meta: string, epoch: number): Promise<void> {
  if (await scripts.LEAD.run(client, { meta }, { epoch })) return;
  throw superseded(epoch, Number(await client.hget(meta, 'leader')));
}

async function setHostLimit(
  client: RedisClient,
  meta: string,
  { limit, epoch }: { readonly limit: number; readonly epoch: number | null },
): Promise<void> {
  const { setHostLimit: set } = leaderScripts(epoch);
  while ((await set(client, { meta }, { limit, count: LIMIT_CHUNK })) > 0);
}
