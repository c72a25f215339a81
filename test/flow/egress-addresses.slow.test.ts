/** Workers with several egress addresses on one machine: how often each address visits a host, by the log of its server. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { crawlId } from '../../src/model/crawl-id.ts';
import { keySpace } from '../../src/redis/key-space.ts';
import { runHere } from '../support/command-here.ts';
import { runCommand, type RunningCommand } from '../support/command.ts';
import { linesOf } from '../support/crawl-run.ts';
import { foundIn, type Found } from '../support/found-crawl.ts';
import { postedCrawl } from '../support/posted-crawl.ts';
import { startUserRedis, type UserRedis } from '../support/redis-server.ts';
import { HOSTS, SpreadSite } from '../support/spread-site.ts';
import { until } from '../support/until.ts';

const DELAY = 250;
/** Tolerance for the timers of two processes and the way of a request, in milliseconds. */
const CLOCKS = 15;
/** The egress address of each worker: the last two share one. */
const ADDRESSES = ['127.0.0.2', '127.0.0.3', '127.0.0.3'] as const;

let base = '';
let redis: UserRedis;
const site = new SpreadSite();
const running: RunningCommand[] = [];
/** The findings of one process. */
let expected: Found;

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'orbweaver-egresses-'));
  redis = await startUserRedis();
  await site.open();
  const alone = ['crawl', ...site.seeds, '-o', 'alone', '-w', '3', ...CRAWL.slice(2)];
  expect(await runHere(alone, base)).toMatchObject({ code: 0 });
  expected = await foundIn(join(base, 'alone'));
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

function run(args: readonly string[], variables: Readonly<Record<string, string>> = {}): RunningCommand {
  const command = runCommand(args, base, variables);
  running.push(command);
  return command;
}

const CRAWL = ['--delay', `${DELAY}ms`, '--render', 'never', '--snapshot', 'none', '--no-progress'];

const control = (output: string, ...more: readonly string[]): RunningCommand =>
  run(['crawl', ...site.seeds, '--redis', redis.url, '-w', '0', '-o', output, ...CRAWL, ...more]);

/** Starts workers on all addresses; the last one gets its address from the environment. */
async function lendAll(): Promise<{ readonly id: string; readonly workers: readonly RunningCommand[] }> {
  const id = await postedCrawl(redis.client);
  const words = ['worker', '--redis', redis.url, '--crawl', id, '--workers', '3'];
  const workers = ADDRESSES.map((address, index) =>
    index === 2 ? run(words, { ORBWEAVER_EGRESS_ADDRESS: address }) : run([...words, '--egress-address', address]),
  );
  return { id, workers };
}

/** Times between successive requests; robots.txt counts, as it is a request, too. */
function pauses(keyOf: (request: (typeof site.requests)[number]) => string): readonly number[] {
  const last = new Map<string, number>();
  return site.requests.flatMap((request) => {
    const [key, before] = [keyOf(request), last.get(keyOf(request))];
    last.set(key, request.at);
    return before === undefined ? [] : [request.at - before];
  });
}

/** A link from robots.txt has the host's first page as source, and each of two addresses may have a first page of its own. */
function withoutNamers(found: Found): Found {
  const links = found.links.map((line) => line.replace(/^robots \S+ /, 'robots '));
  return { ...found, links: [...new Set(links)].toSorted() };
}

const ofHost = (): readonly number[] => pauses(({ host }) => host);
const ofHostAndAddress = (): readonly number[] => pauses(({ host, from }) => `${host} ${from}`);
const addressesThatVisited = (host: string): readonly string[] =>
  [...new Set(site.requests.filter((request) => request.host === host).map(({ from }) => from))].toSorted();

describe('a crawl by three workers that go out by two addresses', () => {
  it('has one delay of a host for all of them', async () => {
    site.requests.length = 0;
    const controller = control('together');
    await lendAll();
    expect(await controller.ended).toMatchObject({ code: 0 });
    expect(await foundIn(join(base, 'together'))).toEqual(expected);
    expect(site.requests.every(({ from }) => (ADDRESSES as readonly string[]).includes(from))).toBe(true);
    expect(Math.min(...ofHost())).toBeGreaterThan(DELAY - CLOCKS);
  });

  it('has one for each address with --per-egress-address, and finds the same', async () => {
    site.requests.length = 0;
    const controller = control('apart', '--per-egress-address');
    const { workers } = await lendAll();
    expect(await controller.ended).toMatchObject({ code: 0 });
    expect(withoutNamers(await foundIn(join(base, 'apart')))).toEqual(withoutNamers(expected));
    for (const host of HOSTS) expect(addressesThatVisited(host)).toEqual(['127.0.0.2', '127.0.0.3']);
    expect(Math.min(...ofHostAndAddress())).toBeGreaterThan(DELAY - CLOCKS);
    // two addresses that each keep the delay interleave; with one address there was no pause that short
    const short = ofHost().filter((pause) => pause < DELAY - CLOCKS);
    expect(short.length).toBeGreaterThan(site.requests.length / 3);
    for (const worker of workers) expect(await worker.ended).toMatchObject({ code: 0 });
    expect(await redis.client.keys('*')).toEqual([]);
  });

  it('loses and doubles nothing then, and asks nobody sooner, where a worker is killed', async () => {
    site.requests.length = 0;
    const controller = control('killed', '--per-egress-address');
    const { id, workers } = await lendAll();
    await until(async () => (await linesOf(join(base, 'killed'), 'pages.jsonl')).length >= 6, 'some pages');
    const release = site.hold();
    const leases = keySpace(crawlId(id)).key('f', 'leases');
    await until(
      async () => (await redis.client.hlen(leases)) === 2 * HOSTS.length,
      'visits by each address of each host',
    );
    workers[1]?.child.kill('SIGKILL');
    release();
    const { code, output } = await controller.ended;
    expect([code, output]).toEqual([0, expect.stringContaining('Finished')]);
    const found = await foundIn(join(base, 'killed'));
    expect(withoutNamers(found)).toEqual(withoutNamers(expected));
    expect(found.pages.length).toBe(new Set(found.pages).size);
    expect(Math.min(...ofHostAndAddress())).toBeGreaterThan(DELAY - CLOCKS);
  });
});

describe('an egress address that the machine does not have', () => {
  it.each([
    ['a crawl', (): readonly string[] => ['crawl', ...site.seeds, '-o', 'none', '--egress-address', '192.0.2.77']],
    [
      'a worker',
      (): readonly string[] => ['worker', '--redis', redis.url, '--crawl', '*', '--egress-address', '192.0.2.77'],
    ],
  ])('is refused to %s, with those that it has', async (_, words) => {
    const { code, output } = await runHere(words(), base);
    expect(code).toBe(2);
    expect(output).toMatch(/--egress-address: nothing can go out by 192\.0\.2\.77/);
    expect(output).toContain('127.0.0.1');
  });
});
