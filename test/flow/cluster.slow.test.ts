/** Several processes make one crawl whose hosts are split over the nodes of a Redis Cluster; controller and nodes are killed meanwhile. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { LinkRecord } from '../../src/model/record.ts';
import { announcedCrawls } from '../../src/fleet/posting.ts';
import { partOfUrl } from '../../src/frontier/parts/part-of-url.ts';
import { frontierSpaces } from '../../src/frontier/parts/part-tags.ts';
import { crawlId } from '../../src/model/crawl-id.ts';
import { keySpace, type KeySpace } from '../../src/redis/key-space.ts';
import { runHere } from '../support/command-here.ts';
import { runCommand, type RunningCommand } from '../support/command.ts';
import { linesOf } from '../support/crawl-run.ts';
import { foundIn } from '../support/found-crawl.ts';
import { startTestCluster, type ClusterNode, type TestCluster } from '../support/redis-cluster.ts';
import { SpreadSite } from '../support/spread-site.ts';
import { until } from '../support/until.ts';

let base = '';
let cluster: TestCluster;
/** Hosts for all parts. */
const HOSTS = ['127.0.0.1', '127.0.0.2', '127.0.0.4', '127.0.0.5', '127.0.0.9'];
const site = new SpreadSite(HOSTS);
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

/** URLs that became known by a link. */
async function madeKnown(folder: string): Promise<readonly string[]> {
  const links = await linesOf<LinkRecord>(join(base, folder), 'links.jsonl');
  return links.flatMap(({ to, new: isNew }) => (isNew ? [to] : [])).toSorted();
}

async function expectAsAlone(folder: string): Promise<void> {
  expect(await foundIn(join(base, folder))).toEqual(await foundIn(join(base, 'alone')));
  expect(await madeKnown(folder)).toEqual(await madeKnown('alone'));
}

/** The keys of the running crawl's parts, and the node of each. */
async function partsOfCrawl(): Promise<{
  readonly spaces: readonly KeySpace[];
  readonly nodes: readonly ClusterNode[];
}> {
  const [id = ''] = await announcedCrawls(cluster.client);
  const spaces = await frontierSpaces(cluster.client, keySpace(crawlId(id)));
  const nodes = await Promise.all(spaces.map((space) => cluster.masterOf(space.key('f', 'meta'))));
  return { spaces, nodes };
}

const pagesIn = async (folder: string): Promise<number> => (await linesOf(join(base, folder), 'pages.jsonl')).length;

async function expectEnded(workers: readonly RunningCommand[]): Promise<void> {
  for (const { child } of workers) child.kill('SIGTERM');
  for (const { ended } of workers)
    expect(await ended).toMatchObject({ code: 0, output: expect.stringContaining('it has ended') });
}

beforeAll(async () => {
  const alone = ['crawl', ...site.seeds, '-o', 'alone', '-w', '3', ...CRAWL];
  expect(await runHere(alone, base)).toMatchObject({ code: 0 });
});

it('finds what one process on a Redis of its own finds, with hosts on every node, though the controller is killed', async () => {
  expect(new Set(HOSTS.map((host) => partOfUrl(3)(`http://${host}/`))).size).toBe(3);
  const there = ['--redis', cluster.url, '--redis-cluster'];
  const controller = run('crawl', ...site.seeds, ...there, '-o', 'parts', '-w', '2', ...CRAWL);
  await until(async () => (await pagesIn('parts')) >= 20, 'twenty pages');
  const { spaces, nodes } = await partsOfCrawl();
  expect(new Set(nodes.map(({ id }) => id)).size).toBe(3);
  for (const space of spaces) expect(await cluster.client.exists(space.key('f', 'state'))).toBe(1);
  controller.child.kill('SIGKILL');
  await controller.ended;
  const resumed = run('resume', 'parts', ...there, '-w', '2', '--no-progress');
  expect(await resumed.ended).toMatchObject({ code: 0, output: expect.stringContaining('Finished') });
  await expectAsAlone('parts');
  for (const { client } of cluster.nodes) expect(await client.dbsize()).toBe(0);
});

it('goes on with workers, though the node of a part is killed', async () => {
  const there = ['--redis', cluster.url, '--redis-cluster'];
  const controller = run('crawl', ...site.seeds, ...there, '-o', 'together', '--workers', '0', ...CRAWL);
  const workers = [0, 1].map(() => run('worker', ...there, '--crawl', '*', '--workers', '2'));
  await until(async () => (await pagesIn('together')) >= 10, 'ten pages');
  const [node] = (await partsOfCrawl()).nodes;
  if (node === undefined) throw new Error('no node');
  await node.kill();
  expect(await controller.ended).toMatchObject({ code: 0, output: expect.stringContaining('Finished') });
  await expectAsAlone('together');
  await expectEnded(workers);
  for (const { client } of cluster.nodes) if (client !== node.client) expect(await client.dbsize()).toBe(0);
});
