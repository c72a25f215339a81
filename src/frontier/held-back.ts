/** Reads URLs that the crawl holds back, without changing them: another link or a later run may still lead to a visit. */
import type { SkippedRecord, SuspectedTrap } from '../model/record.ts';
import type { RedisClient } from '../redis/client.ts';
import { replyText, wholeOf } from '../redis/reply.ts';
import * as scripts from './scripts.ts';

/** Lines of `deferred` per call (arbitrary). */
const SCAN_CHUNK = 500;

/** Names of the frontier's keys. */
interface Keys {
  readonly meta: string;
  readonly deferred: string;
  readonly usedUp: string;
}

/** URLs skipped so far because of their links. Nothing may change meanwhile, or a URL may come twice. */
export async function* deferredRecords(
  client: RedisClient,
  { deferred }: Keys,
): AsyncGenerator<readonly SkippedRecord[]> {
  let cursor = '0';
  do {
    const [next, entries] = await client.hscan(deferred, cursor, 'COUNT', SCAN_CHUNK);
    yield entries.filter((_, index) => index % 2 === 1).map(readSkipped);
    cursor = next;
  } while (cursor !== '0');
}

/** Queued URLs that are not leased: those of patterns over budget, and of hosts that have used up the host limit. */
export async function* withheldRecords(client: RedisClient, keys: Keys): AsyncGenerator<readonly SkippedRecord[]> {
  for (const { host, queue } of await overBudget(client, keys))
    yield* recordsOfQueue(client, keys, { host, queue, why: 'trap' });
  for (const host of await client.zrange(keys.usedUp, '0', '-1')) {
    const { queues } = await readShard(client, keys, { host, queue: 0, shard: 0, why: 'host-limit' });
    for (let queue = 0; queue <= queues; queue += 1)
      yield* recordsOfQueue(client, keys, { host, queue, why: 'host-limit' });
  }
}

/** The queues of patterns over budget, each with its number of entries. */
export async function overBudget(
  client: RedisClient,
  { meta }: Pick<Keys, 'meta'>,
): Promise<readonly { readonly host: string; readonly queue: number; readonly size: number }[]> {
  const rows = await scripts.OVER_BUDGET.run(client, { meta }, {});
  return rows.map((row) => ({ host: replyText(row[0]), size: wholeOf(row[6]), queue: Number(replyText(row[7])) }));
}

async function* recordsOfQueue(
  client: RedisClient,
  keys: Keys,
  held: { readonly host: string; readonly queue: number; readonly why: 'trap' | 'host-limit' },
): AsyncGenerator<readonly SkippedRecord[]> {
  for (let shard = 0, shards = 1; shard < shards; shard += 1) {
    const read = await readShard(client, keys, { ...held, shard });
    shards = read.shards;
    yield read.lines.map(readSkipped);
  }
}

function readShard(
  client: RedisClient,
  { meta }: Keys,
  place: { readonly host: string; readonly queue: number; readonly shard: number; readonly why: string },
): ReturnType<typeof scripts.HELD_BACK.run> {
  return scripts.HELD_BACK.run(client, { meta }, place);
}

/** A line for skipped.jsonl, as made when the URL was skipped. */
function readSkipped(line: string): SkippedRecord {
  const { url, reason, rule, referrer }: SkippedRecord = JSON.parse(line);
  return { url, reason, rule, referrer };
}

/** A URL pattern over budget, from a row of over-budget.lua. */
export function suspectedTrapOf([host, pattern, rule, fetched, held, brought]: readonly unknown[]): SuspectedTrap {
  return {
    pattern: replyText(host) + replyText(pattern),
    rule: replyText(rule),
    fetched: wholeOf(fetched),
    held: wholeOf(held),
    why: `${wholeOf(brought)} of the last 25 were not like pages known before`,
  };
}
