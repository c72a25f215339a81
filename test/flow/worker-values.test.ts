/** Workers of a crawl with a header, a password and a proxy: each worker is given its own, and none passes through Redis. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { FixtureServer } from '../render/fixture-server.ts';
import { runHere } from '../support/command-here.ts';
import { linesOf } from '../support/crawl-run.ts';
import { userProxy, type UserProxy } from '../support/forward-proxies.ts';
import { postedCrawl } from '../support/posted-crawl.ts';
import { startUserRedis, type UserRedis } from '../support/redis-server.ts';
import type { PageRecord } from '../../src/model/record.ts';

const KEY = 'value-of-a-header';
const PASSWORD = 'value-of-a-password';
const PAGES = 12;

let base = '';
let redis: UserRedis;
let proxy: UserProxy;
let site: FixtureServer;
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'orbweaver-worker-values-'));
  redis = await startUserRedis();
  proxy = await userProxy('http');
  site = await FixtureServer.open({});
  const wanted = `Basic ${Buffer.from(`me:${PASSWORD}`).toString('base64')}`;
  for (let number = 0; number < PAGES; number += 1) {
    site.add({
      [number === 0 ? '/' : `/${number}`]: ({ headers }, response) => {
        const isLetIn = headers['x-key'] === KEY && headers.authorization === wanted;
        response.writeHead(isLetIn ? 200 : 401, { 'content-type': 'text/html' });
        response.end(
          isLetIn ? `<title>${number}</title><a href=/${2 * number + 1}>a</a><a href=/${2 * number + 2}>b</a>` : '',
        );
      },
    });
  }
});
afterEach(() => redis.client.flushall());
afterAll(async () => {
  await site[Symbol.asyncDispose]();
  await proxy[Symbol.asyncDispose]();
  await redis[Symbol.asyncDispose]();
  await rm(base, { recursive: true, force: true });
});

test.each(['never', 'always'])(
  'the pages are found by a worker that has the values, and one without them is refused (--render %s)',
  async (render) => {
    const origin = new URL(site.url('/')).origin;
    const values = ['--header', `X-Key: ${KEY}`, '--http-auth', `me:${PASSWORD}@${origin}`, '--proxy', proxy.url];
    const shared = ['--redis', redis.url];
    const crawl = [
      'crawl',
      site.url('/'),
      ...shared,
      ...values,
      '-o',
      render,
      '--render',
      render,
      '--delay',
      '0',
      '--no-progress',
    ];
    const crawling = runHere([...crawl, '--workers', '0', '--limit', '8'], base);
    const id = await postedCrawl(redis.client);
    const posting = (await redis.client.get(`orbweaver:{${id}}:w:posting`)) ?? '';
    expect(posting).toContain('X-Key: (redacted)');
    const worker = ['worker', ...shared, '--crawl', id];
    const refused = await runHere(worker, base);
    expect(refused).toMatchObject({
      code: 2,
      output: expect.stringContaining('whose values stay on each machine: X-Key'),
    });
    const working = await runHere([...worker, ...values], base);
    expect(working).toMatchObject({ code: 0, output: expect.stringContaining('it has ended') });
    const { code, output } = await crawling;
    expect([code, output.match(/nobody makes visits here/g)]).toEqual([0, ['nobody makes visits here']]); // it was true, and is over
    expect(output).toMatch(/\nFinished[^]*\nnote {2}workers keep what they store .*: orbweaver gather brings it/);
    const pages = await linesOf<PageRecord>(join(base, render), 'pages.jsonl');
    expect(pages.filter(({ outcome }) => outcome === 'captured')).toHaveLength(8);
    expect(pages.filter(({ rendered }) => rendered)).toHaveLength(render === 'always' ? 8 : 0);
    expect(new Set(proxy.asked)).toEqual(new Set([new URL(origin).host]));
    expect(proxy.asked.length).toBeGreaterThan(0);
    const [, own = ''] = /files in (.*)$/m.exec(working.output) ?? [];
    const logs = [join(base, render, 'log.jsonl'), join(own, 'log.jsonl')].map((file) => readFile(file, 'utf8'));
    const texts = [posting, working.output, ...(await Promise.all(logs))].join('\n');
    expect(texts).not.toContain(KEY);
    expect(texts).not.toContain(PASSWORD);
  },
);
