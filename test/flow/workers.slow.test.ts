/** One crawl, made by a controller and workers: several processes on one Redis server. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { takeEpoch } from '../../src/fleet/epoch.ts';
import { keySpace } from '../../src/redis/key-space.ts';
import { crawlId } from '../../src/model/crawl-id.ts';
import { runHere } from '../support/command-here.ts';
import { runCommand, type RunningCommand } from '../support/command.ts';
import { linesOf } from '../support/crawl-run.ts';
import { foundIn, type Found } from '../support/found-crawl.ts';
import { postedCrawl } from '../support/posted-crawl.ts';
import { freePort, startUserRedis, type UserRedis } from '../support/redis-server.ts';
import { HOSTS, PAGES, SpreadSite } from '../support/spread-site.ts';
import { until } from '../support/until.ts';

const DELAY = 100;

let base = '';
let redis: UserRedis;
const site = new SpreadSite();
const running: RunningCommand[] = [];
/** The findings of one process. */
let expected: Found;

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'orbweaver-workers-'));
  redis = await startUserRedis();
  await site.open();
  const alone = ['crawl', ...site.seeds, '-o', 'alone', '-w', '3', ...CRAWL];
  expect(await runHere(alone, base)).toMatchObject({ code: 0 });
  expected = await foundBy('alone');
  expect(expected.pages.length).toBeGreaterThan(HOSTS.length * PAGES);
});
afterEach(async () => {
  for (const { child } of running) child.kill('SIGKILL');
  await Promise.all(running.splice(0).map(({ ended }) => ended));
  await redis.client.flushall();
});
afterAll(async () => {
  await site.close();
  await redis[Symbol.asyncDispose]();
  await rm(base, { recursive: true, force: true });
});

function run(...args: readonly string[]): RunningCommand {
  const command = runCommand(args, base);
  running.push(command);
  return command;
}

const CRAWL = ['--render', 'never', '--delay', `${DELAY}ms`, '--snapshot', 'html', '--no-progress'];

const control = (output: string, ...more: readonly string[]): RunningCommand =>
  run('crawl', ...site.seeds, '--redis', redis.url, '-o', output, ...CRAWL, ...more);
/** Preloaded into the program: sets its clock an hour ahead. */
const AHEAD = `data:text/javascript,${encodeURIComponent('const now = Date.now; Date.now = () => now() + 3600000;')}`;

const wordsOf = (crawl: string): readonly string[] => [
  'worker',
  '--redis',
  redis.url,
  '--crawl',
  crawl,
  '--workers',
  '2',
  '--log-json',
];
const lend = (crawl: string): RunningCommand => run(...wordsOf(crawl));

/** The id of the only controller's crawl. */
const idOfCrawl = (): Promise<string> => postedCrawl(redis.client);

const foundBy = (output: string): Promise<Found> => foundIn(join(base, output));

/** The shortest time between two visits of a host; robots.txt counts, as it is a request, too. */
function shortestPause(): number {
  const pauses = HOSTS.flatMap((host) => {
    const times = site.requests.filter((request) => request.host === host).map(({ at }) => at);
    return times.slice(1).map((at, index) => at - (times[index] ?? 0));
  });
  return Math.min(...pauses);
}

const visitsSaid = (worker: RunningCommand): number => Number(/after (\d+) visits/.exec(worker.output())?.[1] ?? NaN);

describe('a crawl by a controller without slots and workers', () => {
  it('finds what one process finds, and asks no host sooner; workers that die or come cost nothing', async () => {
    site.requests.length = 0;
    const controller = control('together', '--workers', '0');
    const id = await idOfCrawl();
    const [first, second] = [lend(id), lend(id)];
    const pagesBy = async (): Promise<number> => (await linesOf(join(base, 'together'), 'pages.jsonl')).length;
    await until(async () => (await pagesBy()) >= 10, 'ten pages');
    const release = site.hold();
    const keys = keySpace(crawlId(id));
    await until(
      async () => (await redis.client.hlen(keys.key('f', 'leases'))) === HOSTS.length,
      'a visit of each host',
    );
    first.child.kill('SIGKILL');
    const third = runCommand(wordsOf('*'), base, { NODE_OPTIONS: `--import "${AHEAD}"` }); // on a machine whose clock is an hour ahead
    running.push(third);
    await until(() => third.output().includes('working for'), 'the third worker');
    second.child.kill('SIGTERM');
    release();
    const { code, output } = await controller.ended;
    expect([code, output]).toEqual([0, expect.stringContaining('Finished')]);

    const found = await foundBy('together');
    expect(found).toEqual(expected);
    expect(found.pages.length).toBe(new Set(found.pages).size);
    expect(shortestPause()).toBeGreaterThan(DELAY - 15); // tolerance for the timers of two processes and the way of a request

    expect(await second.ended).toMatchObject({ code: 0 });
    third.child.kill('SIGTERM');
    expect(await third.ended).toMatchObject({ code: 0 });
    expect(visitsSaid(second)).toBeGreaterThan(0);
    expect(visitsSaid(third)).toBeGreaterThan(0);
    expect(await redis.client.keys('*')).toEqual([]);
  });

  it('is told of by a worker of every crawl that looks in another database of its server, once', async () => {
    control('elsewhere', '--workers', '0');
    const id = await idOfCrawl();
    const worker = run('worker', '--redis', `${redis.url.replace(/\/\d*$/, '')}/3`, '--crawl', '*');
    await until(() => worker.output().includes('database 3'), 'the words of the worker');
    worker.child.kill('SIGTERM');
    expect(await worker.ended).toMatchObject({ code: 0 });
    expect(worker.output().split(id)).toHaveLength(2);
  });

  it('gets back what a worker has under way when that is stopped, and goes on with another', async () => {
    const port = await freePort();
    const controller = control('drained', '--workers', '0', '--limit', '12', '--metrics', String(port));
    const id = await idOfCrawl();
    const first = lend(id);
    await until(async () => (await linesOf(join(base, 'drained'), 'pages.jsonl')).length >= 3, 'three pages');
    const read = async (path: string): Promise<string> => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
    expect(await read('/healthz')).toBe('ok\n');
    const figures = await read('/metrics');
    expect(figures).toMatch(/^orbweaver_workers 1$/m);
    expect(figures).toMatch(/^orbweaver_visits_total\{outcome="captured"\} [1-9]/m);
    first.child.kill('SIGTERM');
    expect(await first.ended).toMatchObject({ code: 0 });
    expect(first.output()).toContain('stopped');
    const keys = keySpace(crawlId(id));
    expect(await redis.client.hlen(keys.key('w', 'workers'))).toBe(0);
    await until(async () => (await redis.client.hlen(keys.key('f', 'leases'))) === 0, 'the leases to be back');

    const second = lend(id);
    expect(await controller.ended).toMatchObject({ code: 0 });
    expect(await second.ended).toMatchObject({ code: 0 });
    const { pages } = await foundBy('drained');
    expect(pages.filter((page) => !page.startsWith('redirected'))).toHaveLength(12);
  });
});

describe('a crawl whose controller dies', () => {
  it('is led by the process that stands by, and its workers go on: nothing is lost, nothing comes twice', async () => {
    const controller = control('led', '--workers', '0');
    const id = await idOfCrawl();
    const worker = lend(id);
    const standby = run('resume', 'led', '--redis', redis.url, '--standby', '--log-json');
    await until(async () => (await linesOf(join(base, 'led'), 'pages.jsonl')).length >= 5, 'five pages');
    await until(() => standby.output().includes('standing by'), 'the other process to stand by');
    controller.child.kill('SIGSTOP'); // not dead yet: it holds the folder
    await until(() => standby.output().includes('standing by still'), 'the other process to go on standing by');
    controller.child.kill('SIGKILL');
    expect(await standby.ended).toMatchObject({ code: 0, output: expect.stringContaining('Finished') });
    expect(await worker.ended).toMatchObject({
      code: 0,
      output: expect.stringContaining('another process leads it now'),
    });
    expect(await foundBy('led')).toEqual(expected);
  });

  it('is joined by its workers as the next controller posts it, not as the dead one did', async () => {
    const controller = control('reposted', '--workers', '0');
    const id = await idOfCrawl();
    const worker = lend(id);
    await until(() => worker.output().includes('working for'), 'the worker');
    controller.child.kill('SIGKILL');
    const keys = keySpace(crawlId(id));
    const needs = { client: redis.client, keys, clock: systemClock, owner: 'the next' };
    const { number: epoch } = await takeEpoch(needs, null, new AbortController().signal);
    await until(() => worker.output().includes('another process leads it now'), 'the worker to see that');
    const posting = keys.key('w', 'posting');
    const posted = JSON.parse((await redis.client.get(posting)) ?? '') as object;
    await redis.client.set(posting, JSON.stringify({ ...posted, epoch, refused: 'it signs in' }));
    const { code, output } = await worker.ended;
    expect([code, output]).toEqual([2, expect.stringContaining('takes no workers: it signs in')]);
    expect(output.match(/working for/g)).toHaveLength(1);
  });
});

describe('a worker is refused', () => {
  it('where the crawl is unknown, led by nobody or by another version, or keeps a secret', async () => {
    const unknown = lend('c-000000000000');
    expect(await unknown.ended).toMatchObject({
      code: 2,
      output: expect.stringContaining('No crawl runs on this Redis'),
    });

    const secret = run(
      'crawl',
      ...site.seeds,
      '--redis',
      redis.url,
      '-o',
      'secret',
      ...CRAWL,
      '-w',
      '1',
      '-H',
      'X-Key: hush',
      '--delay',
      '5s',
    );
    const id = await idOfCrawl();
    const near = lend(`${id.slice(0, -1)}z`);
    expect(await near.ended).toMatchObject({ code: 2, output: expect.stringContaining(`Did you mean: ${id}`) });
    const refused = lend(id);
    expect(await refused.ended).toMatchObject({
      code: 2,
      output: expect.stringContaining('sends headers whose values stay on each machine: X-Key'),
    });
    const posting = keySpace(crawlId(id)).key('w', 'posting');
    expect(await redis.client.get(posting)).not.toContain('hush');

    const posted = (await redis.client.get(posting)) ?? '';
    await redis.client.set(posting, JSON.stringify({ version: '9.9.9' }));
    const other = lend(id);
    expect(await other.ended).toMatchObject({
      code: 2,
      output: expect.stringContaining('version 9.9.9 of the program, and this worker is version 0.1.0'),
    });
    secret.child.kill('SIGTERM');
    await secret.ended;
    await redis.client.set(posting, posted.replace(/"refused":"[^"]*"/, '"refused":null'));
    const idle = lend(id);
    expect(await idle.ended).toMatchObject({ code: 2, output: expect.stringContaining('Nobody leads the crawl') });
  });
});
