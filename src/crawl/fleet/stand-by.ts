/** Stands by while another process leads a crawl, to go on with it when that one has died. */
import { systemClock } from '../../base/clock.ts';
import { CrawlError } from '../../base/errors.ts';
import { silentLog, type Log } from '../../base/log.ts';
import { readCrawlFile } from '../../crawl-folder/crawl-folder.ts';
import { awaitSilence, type SeenLeader } from '../../fleet/epoch.ts';
import { crawlId } from '../../model/crawl-id.ts';
import type { ParsedOptions } from '../../options/options.ts';
import { connectRedis, userTarget } from '../../redis/connect.ts';
import { keySpace } from '../../redis/key-space.ts';

/**
 * @returns the last heartbeat of the dead process; null where there is none to wait for
 * @throws {CrawlError} USAGE without a Redis server, NOTHING_TO_RESUME where the crawl came to an end of its own
 */
export async function standBy(
  { standby, redis, redisCluster, output = '' }: ParsedOptions,
  log: Log | null,
  signal: AbortSignal,
): Promise<SeenLeader | null> {
  if (!standby) return null;
  if (redis === undefined)
    throw new CrawlError('USAGE', 'standby: a crawl with a Redis server of its own is led by nobody else', {
      data: { option: 'standby' },
    });
  const { id } = await readCrawlFile(output);
  await using connection = await connectRedis(userTarget(redis, redisCluster), log ?? silentLog, signal);
  log?.info('standing by', { crawl: id });
  const parts = { client: connection.client, keys: keySpace(crawlId(id)), clock: systemClock };
  const silent = await awaitSilence(parts, signal);
  if (silent !== null) return silent;
  throw new CrawlError(
    'NOTHING_TO_RESUME',
    `nobody leads the crawl ${id}: it has ended, or was stopped\nIf it was stopped, resume it without --standby.`,
  );
}

/** Does another process lead the crawl all the same: a second one that stood by, or the silent one, which is only paused and holds the folder? */
export function isStillLed(error: unknown): error is CrawlError {
  return error instanceof CrawlError && (error.code === 'CRAWL_LED' || error.code === 'OUTPUT_IN_USE');
}
