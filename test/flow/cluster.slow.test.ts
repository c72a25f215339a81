/** A crawl by several processes on a Redis Cluster, whose node is killed meanwhile. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { announcedCrawls } from '../../src/fleet/posting.ts';
import { crawlId } from '../../src/model/crawl-id.ts';
import { keySpace } from '../../src/redis/key-space.ts';
import { runCommand, type RunningCommand } from '../support/command.ts';
import { linesOf } from '../support/crawl-run.ts';
import { foundIn } from '../support/found-crawl.ts';
import { startTestCluster, type TestCluster } from '../support/redis-cluster.ts';
import { SpreadSite } from '../support/spread-site.ts';
import { until } from '../support/until.ts';

let base = '';
let cluster: TestCluster;
const site = new SpreadSite();
const running: RunningCommand[] = [];

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'orbweaver-cluster-'));
  cluster = await startTestCluster(3, 3);
  await site.open();
});
afterEach(async () => {
  for (const { child } of running) child.kill('SIGKILL');
  await Promise.all(running.splice(0).map(({ ended }) => ended));
});
afterAll(async () => {
  await site.close();
  await cluster[Symbol.asyncDispose]();
  await rm(base, { recursive: true, force: true });
});

function run(...args: readonly string[]): RunningCommand {
  const command = runCommand(args, base);
  running.push(command);
  return command;
}

const CRAWL = ['--render', 'never', '--delay', '100ms', '--no-progress'];

it('finds what one process on a Redis of its own finds, though the node of its keys is killed', async () => {
  const alone = run('crawl', ...site.seeds, '-o', 'alone', '-w', '3', ...CRAWL);
  expect(await alone.ended).toMatchObject({ code: 0 });

  const there = ['--redis', cluster.url, '--redis-cluster'];
  const controller = run('crawl', ...site.seeds, ...there, '-o', 'together', '--workers', '0', ...CRAWL);
  const workers = [0, 1].map(() => run('worker', ...there, '--crawl', '*', '--workers', '2'));
  await until(async () => (await linesOf(join(base, 'together'), 'pages.jsonl')).length >= 10, 'ten pages');
  const [id = ''] = await announcedCrawls(cluster.client);
  const node = await cluster.masterOf(keySpace(crawlId(id)).key('f', 'meta'));
  await node.kill();
  expect(await controller.ended).toMatchObject({ code: 0, output: expect.stringContaining('Finished') });
  expect(await foundIn(join(base, 'together'))).toEqual(await foundIn(join(base, 'alone')));

  for (const { child } of workers) child.kill('SIGTERM');
  for (const { ended } of workers)
    expect(await ended).toMatchObject({ code: 0, output: expect.stringContaining('it has ended') });
  for (const { client } of cluster.nodes) if (client !== node.client) expect(await client.dbsize()).toBe(0);
});
