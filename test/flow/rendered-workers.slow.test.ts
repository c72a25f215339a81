/** Script-built sites, rendered by four worker processes: the controller has no browser of its own. */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { argumentsOf, processTree } from '../../src/base/process/process-memory.ts';
import type { PageRecord } from '../../src/model/record.ts';
import { FixtureServer } from '../render/fixture-server.ts';
import { PRODUCTS, shop } from '../support/api-shop.ts';
import { runHere } from '../support/command-here.ts';
import { runCommand, runOnOneCore, type RunningCommand } from '../support/command.ts';
import { linesOf } from '../support/crawl-run.ts';
import { foundIn } from '../support/found-crawl.ts';
import { until } from '../support/until.ts';
import { startUserRedis, type UserRedis } from '../support/redis-server.ts';

const HOSTS = ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4'];
/** Pages of each host. */
const PAGES = 5;
let base = '';
let redis: UserRedis;
let seeds: readonly string[] = [];
const running: RunningCommand[] = [];
/** Pages are answered when this promise resolves. */
let opened: Promise<unknown> = Promise.resolve();

/** A request of the page's script brings all its links; without it the page is empty. */
function serve({ url = '/' }: IncomingMessage, response: ServerResponse): unknown {
  const answer = (type: string, body: string): unknown => response.writeHead(200, { 'content-type': type }).end(body);
  if (url === '/robots.txt') return answer('text/plain', 'User-agent: *\nDisallow: /private\n');
  const number = Number(/\d+/.exec(url)?.[0] ?? 0);
  if (url.startsWith('/api/')) {
    const own = [2 * number + 1, 2 * number + 2].filter((n) => n < PAGES).map((n) => `/p${n}`);
    return answer('application/json', JSON.stringify([...own, '/', '/private/x', 'http://elsewhere.test/']));
  }
  const script = `fetch('/api/${number}').then((a) => a.json()).then((links) => {
    for (const href of links) document.body.append(Object.assign(document.createElement('a'), { href, textContent: 'words of ${number} to ' + href }));
    document.title = 'page ${number}';
  })`;
  return void opened.then(() =>
    answer('text/html', `<!doctype html><title>empty</title><body><script>${script}</script>`),
  );
}

const servers: readonly Server[] = HOSTS.map(() => createServer((request, response) => void serve(request, response)));

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'orbweaver-rendered-'));
  redis = await startUserRedis();
  seeds = await Promise.all(
    servers.map(async (server, index) => {
      server.listen(0, HOSTS[index]);
      await once(server, 'listening');
      const address = server.address();
      return `http://${HOSTS[index]}:${typeof address === 'object' && address !== null ? address.port : 0}/`;
    }),
  );
});
afterEach(async () => {
  for (const { child } of running) child.kill('SIGKILL');
  await Promise.all(running.splice(0).map(({ ended }) => ended));
});
afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  await redis[Symbol.asyncDispose]();
  await rm(base, { recursive: true, force: true });
});

function run(...args: readonly string[]): RunningCommand {
  const command = runCommand(args, base);
  running.push(command);
  return command;
}

/** Running browser processes of a command. */
async function browserProcesses({ child }: RunningCommand): Promise<readonly string[]> {
  const programs = await Promise.all(processTree(child.pid ?? 0, () => false).map(argumentsOf));
  return programs.flatMap((line) => /^\S*chrom\S*/.exec(line)?.[0] ?? []);
}

it('comes out of four workers as one process renders it: pages, links, skips and titles', async () => {
  const crawl = ['crawl', ...seeds, '--delay', '50ms', '--no-progress'];
  expect(await runHere([...crawl, '-o', 'alone', '-w', '2'], base)).toMatchObject({ code: 0 });

  let open = (): void => {};
  opened = new Promise<void>((done) => (open = done));
  const controller = run(...crawl, '-o', 'together', '-w', '0', '--redis', redis.url);
  const workers = Array.from({ length: 4 }, () => run('worker', '--redis', redis.url, '--crawl', '*', '-w', '1'));
  await until(() => workers.every(({ output }) => output().includes('working for')), 'four workers');
  const [own = [], ...lent] = await Promise.all([controller, ...workers].map(browserProcesses));
  expect(lent.filter((each) => each.length === 0)).toEqual([]);
  expect(own).toEqual([]);
  open();
  expect(await controller.ended).toMatchObject({ code: 0, output: expect.stringContaining('Finished') });
  for (const { child } of workers) child.kill('SIGTERM');
  const ends = await Promise.all(workers.map(({ ended }) => ended));
  expect(ends.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  const visits = ends.map(({ output }) => Number(/after (\d+) visits?/.exec(output)?.[1] ?? 0));
  expect(visits.filter((count) => count > 0).length).toBeGreaterThan(1);

  expect(await foundIn(join(base, 'together'))).toEqual(await foundIn(join(base, 'alone')));
  const pages = await linesOf<PageRecord>(join(base, 'together'), 'pages.jsonl');
  expect(pages.map(({ title, rendered }) => `${title} ${rendered}`).toSorted()).toEqual(
    HOSTS.flatMap(() => Array.from({ length: PAGES }, (_, number) => `page ${number} true`)).toSorted(),
  );
}, 300_000);

it('tell each other what pages take from an API: together they render hardly more of a shop than one process', async () => {
  await using site = await FixtureServer.open(shop({}));
  const crawl = ['crawl', site.url('/'), '--delay', '0', '--host-concurrency', '2', '--no-progress'];
  expect(await runHere([...crawl, '-o', 'shop-alone', '-w', '2'], base)).toMatchObject({ code: 0 });
  const controller = run(...crawl, '-o', 'shop-together', '-w', '0', '--redis', redis.url);
  const workers = Array.from({ length: 2 }, () => run('worker', '--redis', redis.url, '--crawl', '*', '-w', '1'));
  expect(await controller.ended).toMatchObject({ code: 0, output: expect.stringContaining('Finished') });
  for (const { child } of workers) child.kill('SIGTERM');
  const ends = await Promise.all(workers.map(({ ended }) => ended));
  const visits = ends.map(({ output }) => Number(/after (\d+) visits?/.exec(output)?.[1] ?? 0));
  expect(Math.min(...visits)).toBeGreaterThan(PRODUCTS / 4);
  const read = async (folder: string) => {
    const { pages, links } = await foundIn(join(base, folder));
    const records = await linesOf<PageRecord>(join(base, folder), 'pages.jsonl');
    return { found: { pages, links }, rendered: records.filter(({ rendered }) => rendered).length };
  };
  const [alone, together] = [await read('shop-alone'), await read('shop-together')];
  expect(together.found).toEqual(alone.found);
  // without sharing, each worker would render the first fourteen pages
  expect(together.rendered).toBeLessThan(alone.rendered * 1.5);
}, 300_000);

it('has one browser on one core: a second worker waits until the first one has died', async () => {
  const onOneCore = (...args: readonly string[]): RunningCommand => {
    const command = runOnOneCore(args, base);
    running.push(command);
    return command;
  };
  let open = (): void => {};
  opened = new Promise<void>((done) => (open = done));
  const [seed = ''] = seeds;
  const crawl = ['crawl', seed, '--delay', '50ms', '--no-progress', '-w', '0', '--redis', redis.url];
  const controller = onOneCore(...crawl, '-o', 'one-core');
  const worker = ['worker', '--redis', redis.url, '--crawl', '*'];
  const first = onOneCore(...worker);
  await until(() => first.output().includes('working for'), 'the first worker');
  const second = onOneCore(...worker);
  await until(() => second.output().includes('waiting to work for'), 'the second worker');
  expect(second.output()).toContain('1 process renders its pages on the only core of this machine already');
  expect(await browserProcesses(second)).toEqual([]);
  const named = onOneCore(...worker, '-w', '1');
  await until(() => named.output().includes('working for'), 'a worker that is told to work');
  named.child.kill('SIGTERM');
  expect(await named.ended).toMatchObject({ code: 0 });
  expect(second.output()).not.toContain('working for');

  first.child.kill('SIGKILL');
  await until(() => second.output().includes('working for'), 'the second worker at work');
  open();
  expect(await controller.ended).toMatchObject({ code: 0, output: expect.stringContaining('Finished') });
  second.child.kill('SIGTERM');
  expect(await second.ended).toMatchObject({ code: 0, output: expect.stringMatching(/after [1-9]\d* visits/) });
  expect((await foundIn(join(base, 'one-core'))).pages).toHaveLength(PAGES);
  expect(await redis.client.keys('*')).toEqual([]);
}, 300_000);
