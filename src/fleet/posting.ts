/**
 * The controller's posting for workers: everything that a visit of the crawl depends on. It never contains secrets: it names headers and passwords
 * without their values, which each worker is given.
 */
import { z } from 'zod';
import { CrawlError } from '../base/errors.ts';
import { nearest } from '../base/nearest.ts';
import { parsedJson } from '../base/safe-json.ts';
import { databaseOf, serversOf, type RedisClient } from '../redis/client.ts';
import { keySpace, type KeySpace } from '../redis/key-space.ts';
import { crawlId, isCrawlId } from '../model/crawl-id.ts';
import { FLEET_NAMESPACE } from './keys.ts';

export interface Posting {
  /** Version of the program: a worker of another version would judge links differently. */
  readonly version: string;
  /** Epoch of the controller that posted it. */
  readonly epoch: number;
  /** Reason why the crawl takes no workers; null where it takes them. */
  readonly refused: string | null;
  /** Options as the controller parsed them, without secrets and without those for the controller alone. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly seeds: readonly string[];
  readonly identity: { readonly userAgent: string; readonly robotsAgent: string };
  readonly hostConcurrency: number;
  /** The local address that the controller goes out by; empty where it is not reported. */
  readonly egress: string;
}

const posting: z.ZodType<Posting> = z.object({
  version: z.string(),
  epoch: z.int().min(1),
  refused: z.string().nullable(),
  options: z.record(z.string(), z.unknown()),
  seeds: z.array(z.string()),
  identity: z.object({ userAgent: z.string(), robotsAgent: z.string() }),
  hostConcurrency: z.int().min(1),
  egress: z.string().max(45),
});
const versioned = z.object({ version: z.string() });
const ofEpoch = z.object({ epoch: z.int() });

const postingKey = (keys: KeySpace): string => keys.key(FLEET_NAMESPACE, 'posting');

/** A led crawl announces itself by subscribing to a channel: the channel ends with its process, and no key is left. */
const CHANNEL = 'orbweaver:crawl:';

export async function post(client: RedisClient, keys: KeySpace, content: Posting): Promise<void> {
  await client.set(postingKey(keys), JSON.stringify(content));
}

/** Makes the crawl visible to workers that search for crawls. @param listener a connection of its own */
export async function announce(listener: RedisClient, keys: KeySpace): Promise<void> {
  await listener.subscribe(CHANNEL + keys.crawl);
}

/**
 * Finds out whether the user of the server may announce a crawl, before anything of it is begun: `ACL SETUSER` gives a user no channels.
 * @param listener that of the later announcement @throws what the server answers
 */
export async function tryAnnouncing(listener: RedisClient): Promise<void> {
  await listener.subscribe(CHANNEL); // names no crawl: workers leave it out
  await listener.unsubscribe(CHANNEL);
}

/** Ids of all crawls that are led now. */
export async function announcedCrawls(client: RedisClient): Promise<readonly string[]> {
  // each server knows only its own listeners; listeners of a lost server move to another
  const asked = serversOf(client).map((server) => server.pubsub('CHANNELS', `${CHANNEL}*`));
  const answers = (await Promise.allSettled(asked)).map((answer) => {
    if (answer.status === 'rejected' && asked.length === 1) throw answer.reason;
    return answer.status === 'fulfilled' ? answer.value : [];
  });
  const names = answers.flat().filter((name) => typeof name === 'string');
  return [...new Set(names.map((name) => name.slice(CHANNEL.length)))].filter(isCrawlId);
}

/** The epoch of a crawl's posting; null where there is none, or an earlier version posted it. */
export async function postedEpoch(client: RedisClient, id: string): Promise<number | null> {
  const read = ofEpoch.safeParse(parsedJson((await postedText(client, id)) ?? ''));
  return read.success ? read.data.epoch : null;
}

async function postedText(client: RedisClient, id: string): Promise<string | null> {
  return isCrawlId(id) ? client.get(postingKey(keySpace(crawlId(id)))) : null;
}

/**
 * Reads the data that a worker of this version needs to make visits of a crawl.
 * @throws {CrawlError} CRAWL_UNKNOWN, WORKER_REFUSED
 */
export async function readPosting(client: RedisClient, id: string, version: string): Promise<Posting> {
  const text = await postedText(client, id);
  if (text === null) throw unknownCrawl(id, await announcedCrawls(client), databaseOf(client));
  const content = parsedJson(text);
  const written = versioned.safeParse(content);
  const by = written.success ? written.data.version : 'unknown';
  if (by !== version) {
    throw new CrawlError(
      'WORKER_REFUSED',
      `The crawl ${id} is made by version ${by} of the program, and this worker is version ${version}.\nUse the same version on every machine.`,
      { data: { crawl: id, controller: by, worker: version } },
    );
  }
  const read = posting.parse(content);
  if (read.refused === null) return read;
  throw new CrawlError('WORKER_REFUSED', `The crawl ${id} takes no workers: ${read.refused}.`, { data: { crawl: id } });
}

/** The cure for a crawl whose process listens on the server and has no posting in the worker's database: channels belong to the server, keys to a database. */
function notHere(database: number | null): string {
  const ended = 'has just ended, or has lost its data';
  return database === null
    ? `Its process is still connected: the crawl ${ended}.`
    : `Its process is connected to this server, but database ${database} does not hold it.\nName the database of the crawl in --redis (the number at the end of redis://host:port/${database}). If it is the same one, the crawl ${ended}.`;
}

function unknownCrawl(id: string, there: readonly string[], database: number | null): CrawlError {
  const near = nearest(id, there);
  const cure = there.includes(id)
    ? notHere(database)
    : there.length === 0
      ? 'No crawl runs on this Redis server: start one with crawl --redis, or name the server that it runs on.'
      : near === null
        ? `Crawls on this server: ${there.slice(0, 5).join(', ')}.`
        : `Did you mean: ${near}`;
  return new CrawlError(
    'CRAWL_UNKNOWN',
    `No crawl ${JSON.stringify(id.slice(0, 60))} is on this Redis server.\n${cure}`,
    {
      data: { crawl: id.slice(0, 60) },
    },
  );
}
