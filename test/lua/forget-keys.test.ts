import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crawlId } from '../../src/model/crawl-id.ts';
import { forgetKeys } from '../../src/redis/forget-keys.ts';
import { keySpace } from '../../src/redis/key-space.ts';
import { startTestRedis, type TestRedis } from '../support/redis.ts';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startTestRedis();
});
afterAll(() => redis[Symbol.asyncDispose]());

describe('forgetting the keys of a crawl', () => {
  it('takes all of them, thousands too, and none of another crawl or program', async () => {
    const { client } = redis;
    const mine = keySpace(crawlId('c-0123456789ab'));
    const longer = keySpace(crawlId('c-0123456789abc'));
    const others = [longer.key('f', 'meta'), 'orbweaver:c-0123456789ab:f:meta', 'somebody', 'c-0123456789ab'];
    const names = Array.from({ length: 3000 }, (_, index) => mine.key('f', `queue:${index}`));
    await client.mset([...names, ...others].flatMap((name) => [name, '1']));
    await client.zadd(mine.key('f', 'due'), 1, 'host');
    expect(await forgetKeys(client, mine.prefix)).toBe(3001);
    expect((await client.keys('*')).toSorted()).toEqual(others.toSorted());
    expect(await forgetKeys(client, mine.prefix)).toBe(0);
  });

  it.each(['a*', 'a?', '[ab]', 'a\\', 'a[^b]', '[a-c]'])('takes %j as it is written', async (prefix) => {
    const { client } = redis;
    await client.flushall();
    await client.mset(`${prefix}:key`, '1', 'ab:key', '1', 'ac:key', '1', 'a:key', '1', 'b:key', '1');
    expect(await forgetKeys(client, prefix)).toBe(1);
    expect(await client.exists(`${prefix}:key`)).toBe(0);
  });
});
