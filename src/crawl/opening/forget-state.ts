/** Takes the state of crawls out of the user's Redis server. A state that stays there harms no crawl: the user is told. */
import { hostname } from 'node:os';
import { CrawlError } from '../../base/errors.ts';
import { minutes } from '../../base/units.ts';
import { untilAborted } from '../../base/until-aborted.ts';
import type { CrawlFile } from '../../crawl-folder/crawl-folder.ts';
import type { UnbegunCrawl } from '../../crawl-folder/unbegun.ts';
import { hasController, takeEpoch } from '../../fleet/epoch.ts';
import { hasJournal } from '../../frontier/journal-position.ts';
import { frontierSpaces } from '../../frontier/parts/part-tags.ts';
import { crawlId, type CrawlId } from '../../model/crawl-id.ts';
import type { RedisClient } from '../../redis/client.ts';
import { forgetKeys } from '../../redis/forget-keys.ts';
import type { KeySpace } from '../../redis/key-space.ts';
import { withoutPassword } from '../folder/crawl-json.ts';
import type { Notes } from '../summary/notes.ts';
import type { ContextParts } from './context-parts.ts';

/** The longest that a server may take to forget a crawl; then its keys are left (arbitrary). */
const FORGET_TIME = minutes(1);

interface Forgetting extends Pick<ContextParts, 'clock' | 'log' | 'notes'> {
  readonly client: RedisClient;
  /** Keys of the crawl. */
  readonly keys: KeySpace;
}

/** Removes the keys of a crawl that nobody leads. Never rejects. */
export async function forgetState(state: Forgetting, signal: AbortSignal): Promise<void> {
  await told(state, () => forget(state), signal);
}

/**
 * Removes what was written after a server had lost the data of a crawl, such as the settings of a queue: nothing can go on with it. A server with
 * older data of the crawl keeps them. Never rejects.
 */
export async function forgetLost(state: Forgetting, signal: AbortSignal): Promise<void> {
  const take = async (): Promise<void> => {
    if (!(await hasController(state))) await forgetKeys(state.client, state.keys.prefix);
  };
  await told(state, take, signal);
}

/**
 * Removes the keys of the crawl that another one has replaced in its folder: it may be led elsewhere, or with a copy of the folder. Never rejects.
 * @returns false where this server knows no such crawl
 */
export async function forgetReplaced(state: Forgetting, signal: AbortSignal): Promise<boolean> {
  const owner = `process ${process.pid} on ${hostname()}`;
  let isKnown = true;
  const take = async (stop: AbortSignal): Promise<void> => {
    isKnown = await hasController(state);
    if (!isKnown) return;
    await takeEpoch({ ...state, owner }, null, stop);
    await forget(state);
  };
  await told(state, take, signal);
  return isKnown;
}

/**
 * Removes the keys of a crawl that was killed before it began. A crawl that has begun keeps them: a folder from somebody else may name any. Never
 * rejects.
 * @returns false where this server knows no such crawl
 */
export async function forgetUnbegun(state: Forgetting, signal: AbortSignal): Promise<boolean> {
  const spaces = await frontierSpaces(state.client, state.keys).catch(() => []);
  for (const space of spaces) if (await hasJournal(state.client, space).catch(() => true)) return true;
  return forgetReplaced(state, signal);
}

/**
 * Says that the state of a replaced crawl stays in a server that the new crawl does not use. Nothing connects to that server: a
 * folder from somebody else must not choose one, and its password is not kept.
 * @param used server of the new crawl
 */
export function noteStateElsewhere(
  { id, state, resumable, options }: CrawlFile,
  used: string | undefined,
  notes: Notes,
): void {
  const { redis, keepState } = options;
  if (typeof redis !== 'string' || (used !== undefined && withoutPassword(used) === redis)) return;
  if (state === 'finished' && !resumable && keepState !== true) return; // its state was removed
  const crawl = crawlId(id);
  const cure = `To remove it there: ${removal(crawl)}`;
  notes.say(`The state of the replaced crawl ${crawl} stays in ${redis}, which this crawl does not use. ${cure}`);
}

/** Says the same of a crawl that was killed before it began: nobody knows whether it had written a key. */
export function noteUnbegunElsewhere({ id, redis }: UnbegunCrawl, used: string | undefined, notes: Notes): void {
  if (used !== undefined && withoutPassword(used) === redis) return;
  const crawl = crawlId(id);
  const what = `Keys of the crawl ${crawl}, which was killed as it began, may be left in ${redis}`;
  notes.say(`${what}, which this crawl does not use. To remove them there: ${removal(crawl)}`);
}

function removal(crawl: CrawlId): string {
  return `redis-cli --scan --pattern 'orbweaver:{${crawl}*' | xargs redis-cli unlink`;
}

async function forget({ client, keys }: Forgetting): Promise<void> {
  const spaces = await frontierSpaces(client, keys);
  // the crawl's own keys name the parts
  const prefixes = [...spaces, keys].map(({ prefix }) => prefix);
  for (const prefix of new Set(prefixes)) await forgetKeys(client, prefix);
}

async function told(
  { keys: { crawl }, log, notes }: Forgetting,
  act: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const time = AbortSignal.any([signal, AbortSignal.timeout(FORGET_TIME)]);
  await untilAborted(act(time), time).catch((error: unknown) => {
    const [why = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    const isLed = error instanceof CrawlError && error.code === 'CRAWL_LED';
    const cure = isLed ? '' : ` To remove it: ${removal(crawl)}`;
    log.warn('the state of a crawl stays in Redis', { crawl, error: why });
    notes.say(`The state of the crawl ${crawl} stays in Redis (${why.replace(/\.$/, '')}).${cure}`);
  });
}
