/** The parts of a crawl: their hash tags are chosen once, each for a different node of a cluster, and stored. */
import { Cluster } from 'ioredis';
import { mastersOf, type RedisClient } from '../../redis/client.ts';
import { partSpace, type KeySpace } from '../../redis/key-space.ts';
import { listOf, replyText, wholeOf } from '../../redis/reply.ts';
import { FRONTIER_NAMESPACE } from '../keys.ts';

/** Field of the crawl's `meta` that holds the tags, separated by spaces. */
const FIELD = 'parts';
/** Tags tried for each part before two parts share a node (arbitrary). */
const TRIES = 64;

/** Chooses the parts of a new crawl, unless they were chosen before. @param count 2 or more */
export async function chooseParts(client: RedisClient, keys: KeySpace, count: number): Promise<void> {
  const tags = await spreadTags(client, keys, count);
  await client.hsetnx(metaOf(keys), FIELD, tags.join(' '));
}

/** The keys of each part of a crawl's frontier, in order; for an undivided crawl those of the crawl. */
export async function frontierSpaces(client: RedisClient, keys: KeySpace): Promise<readonly KeySpace[]> {
  const tags = await client.hget(metaOf(keys), FIELD);
  return tags === null ? [keys] : tags.split(' ').map((tag) => partSpace(keys, Number(tag)));
}

function metaOf(keys: KeySpace): string {
  return keys.key(FRONTIER_NAMESPACE, 'meta');
}

/** One tag per part, spread over as many nodes as possible. */
async function spreadTags(client: RedisClient, keys: KeySpace, count: number): Promise<readonly number[]> {
  const tags: number[] = [];
  if (client instanceof Cluster) {
    const nodeOf = await slotOwners(client);
    const uses = new Map<string, number>();
    const [node] = mastersOf(client);
    for (let tag = 0; node !== undefined && tags.length < count && tag < count * TRIES; tag += 1) {
      const slot = wholeOf(await node.call('CLUSTER', 'KEYSLOT', partSpace(keys, tag).prefix));
      const owner = nodeOf(slot);
      const used = uses.get(owner) ?? 0;
      // the first parts of all nodes, then the second ones
      if (used > Math.floor(tags.length / mastersOf(client).length)) continue;
      uses.set(owner, used + 1);
      tags.push(tag);
    }
  }
  for (let tag = 0; tags.length < count; tag += 1) if (!tags.includes(tag)) tags.push(tag);
  return tags;
}

/** Looks up the node of a slot at this moment. */
async function slotOwners(client: Cluster): Promise<(slot: number) => string> {
  const ranges = listOf(await client.cluster('SLOTS')).map((range) => {
    const [from, to, master] = listOf(range);
    return { from: wholeOf(from), to: wholeOf(to), node: replyText(listOf(master)[2]) };
  });
  return (slot) => ranges.find(({ from, to }) => from <= slot && slot <= to)?.node ?? '';
}
