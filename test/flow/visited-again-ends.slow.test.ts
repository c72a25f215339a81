/** `--render auto`: crawls that end while pages are visited again, and resume. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storedPages } from '../../src/crawl-folder/stored-lines.ts';
import type { PageRecord } from '../../src/model/record.ts';
import { FixtureServer, type Route } from '../render/fixture-server.ts';
import {
  againSite,
  askedAgain,
  EARLY,
  edgesOf,
  everythingOf,
  EVERYTHING,
  expectBalance,
  numbersOf,
  runIn,
  urlsOf,
} from '../support/again-site.ts';
import { runHere } from '../support/command-here.ts';
import { runCommand } from '../support/command.ts';
import { linesOf } from '../support/crawl-run.ts';
import { startUserRedis } from '../support/redis-server.ts';
import { until } from '../support/until.ts';

let base = '';
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'orbweaver-again-'));
});
afterAll(() => rm(base, { recursive: true, force: true }));

test('workers have the pages visited again that any of them has only read', async () => {
  // each worker compares one of its own pages now and then: one of the two has to reach that after the page from which on all differ
  const pages = 64;
  await using server = await FixtureServer.open(againSite(pages));
  await using redis = await startUserRedis();
  const folder = join(base, 'workers');
  const start = ['--delay', '0', '--render', 'auto', '--snapshot', 'none', '--no-progress'];
  const controller = runCommand(
    ['crawl', server.url('/'), ...start, '-w', '0', '--redis', redis.url, '-o', folder],
    base,
  );
  const workers = [1, 2].map(() => runCommand(['worker', '--redis', redis.url, '--crawl', '*', '-w', '1'], base));
  try {
    expect(await controller.ended).toMatchObject({ code: 0 });
  } finally {
    for (const { child } of workers) child.kill('SIGTERM');
    await Promise.all(workers.map(({ ended }) => ended));
  }
  const run = await runIn(folder);
  expect(urlsOf(run)).toEqual(everythingOf(pages));
  expectBalance(run);
  expect(numbersOf(run.pages, (page) => page.again === true)).toEqual(expect.arrayContaining(EARLY));
  const edges = edgesOf(run);
  expect(edges.filter((edge, index) => edges.indexOf(edge) < index)).toEqual([]);
}, 300_000);

describe('a crawl that ends while pages are visited again', () => {
  const START = ['--delay', '100ms', '--workers', '1', '--render', 'auto', '--snapshot', 'none', '--no-progress'];

  test('goes on where it was killed, with one line for each page, and keeps the delay of the host', async () => {
    const times: number[] = [];
    const routes = Object.entries(againSite()).map(([path, route]): [string, Route] => {
      if (typeof route !== 'string') return [path, route];
      const answer: Route = (_request, response) => {
        times.push(performance.now());
        response.setHeader('content-type', 'text/html; charset=utf-8');
        response.end(route);
      };
      return [path, answer];
    });
    await using server = await FixtureServer.open(Object.fromEntries(routes));
    const folder = join(base, 'killed');
    const killed = runCommand(['crawl', server.url('/'), ...START, '-o', folder], base);
    await until(() => askedAgain(server).length >= 6, 'second visits', 120_000);
    killed.child.kill('SIGKILL');
    await killed.ended;
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThan(95);

    // some pages have two lines now; the last one is valid
    const lines = (await linesOf<PageRecord>(folder, 'pages.jsonl')).map(({ url }) => url);
    expect(new Set(lines).size).toBeLessThan(lines.length);
    const read: PageRecord['url'][] = [];
    for await (const { url, again, rendered } of storedPages(folder, '', { torn: () => {}, damaged: () => {} })) {
      read.push(url);
      if (again === true) expect(rendered).toBe(true);
    }
    expect(read.toSorted()).toEqual([...new Set(lines)].toSorted());

    const { code, output } = await runHere(['resume', folder, '--no-progress'], base);
    expect(code, output).toBe(0);
    const run = await runIn(folder);
    expect(urlsOf(run)).toEqual(EVERYTHING);
    expectBalance(run);
    const edges = edgesOf(run);
    expect(edges.filter((edge, index) => edges.indexOf(edge) < index)).toEqual([]);
    expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    expect(output).not.toContain('are lost');
  }, 300_000);

  test('has one line for each page where it is interrupted or comes to its limit, and goes on from there', async () => {
    await using server = await FixtureServer.open(againSite());
    const folder = join(base, 'limited');
    const limited = await runHere(['crawl', server.url('/'), ...START, '--limit', '34', '-o', folder], base);
    expect(limited.code, limited.output).toBe(0);
    const atLimit = await runIn(folder);
    expectBalance(atLimit);
    expect(atLimit.pages).toHaveLength(34);
    const before = askedAgain(server).length;

    const interrupted = runCommand(['resume', folder, '--limit', '1000', '--no-progress'], base);
    await until(() => askedAgain(server).length >= before + 4, 'second visits', 120_000);
    interrupted.child.kill('SIGINT');
    expect((await interrupted.ended).code, interrupted.output()).toBe(130);
    expectBalance(await runIn(folder));

    const { code, output } = await runHere(['resume', folder, '--no-progress'], base);
    expect(code, output).toBe(0);
    expect(output).not.toContain('are lost');
    const run = await runIn(folder);
    expect(urlsOf(run)).toEqual(EVERYTHING);
    expectBalance(run);
    expect(numbersOf(run.pages, (page) => page.again === true)).toEqual(expect.arrayContaining(EARLY));
  }, 300_000);
});
