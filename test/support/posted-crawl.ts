import type { RedisClient } from '../../src/redis/client.ts';
import { until } from './until.ts';

/** Waits for the posting of the only crawl on a server. @returns the id of the crawl */
export async function postedCrawl(client: RedisClient): Promise<string> {
  let id = '';
  await until(async () => {
    const [key = ''] = await client.keys('orbweaver:*:w:posting');
    id = /\{(.+)\}/.exec(key)?.[1] ?? '';
    return id !== '';
  }, 'the crawl');
  return id;
}
