/** A worker's wait for the posting of the process that leads now. One that has taken over posts when it has opened the crawl; until then that of the dead one is there. */
import type { Clock } from '../../base/clock.ts';
import { BEAT_EVERY } from '../../core/fleet/liveness.ts';
import { readController } from '../../fleet/epoch.ts';
import { postedEpoch } from '../../fleet/posting.ts';
import { crawlId } from '../../model/crawl-id.ts';
import type { RedisClient } from '../../redis/client.ts';
import { keySpace } from '../../redis/key-space.ts';

/** @returns false where the signal came first */
export async function awaitPosting(
  { client, crawl, clock }: { readonly client: RedisClient; readonly crawl: string; readonly clock: Clock },
  draining: AbortSignal,
): Promise<boolean> {
  while (!draining.aborted) {
    const posted = await postedEpoch(client, crawl);
    if (posted === null) return true;
    const controller = await readController({ client, keys: keySpace(crawlId(crawl)) }, clock);
    if (controller === null || controller.state === 'left' || controller.epoch === posted) return true;
    await clock.sleep(BEAT_EVERY, draining).catch(() => {});
  }
  return false;
}
