import { once } from 'node:events';
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { briefClient } from '../../src/redis/stale-server.ts';
import type { LinkRecord, PageRecord, SkippedRecord } from '../../src/model/record.ts';
import { runCommand, runInTerminal } from '../support/command.ts';
import { writeGraphSite, type GraphSite } from '../support/graph-site.ts';
import { until } from '../support/until.ts';
import { expectWhole } from '../support/whole-crawl.ts';

const PAGES = 60;
let base = '';
let graph: GraphSite;

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'orbweaver-durability-'));
  graph = await writeGraphSite(join(base, 'site'), PAGES, 8, 11);
});
afterAll(() => rm(base, { recursive: true, force: true }));

async function linesOf<Line>(folder: string, name: string): Promise<readonly Line[]> {
  const text = await readFile(join(folder, name), 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}

/** Counts complete lines; the last one may be half written. */
const countPages = async (folder: string): Promise<number> =>
  (await readFile(join(folder, 'pages.jsonl'), 'utf8').catch(() => '')).split('\n').length - 1;

/** Warnings and errors of the log, for the message of a failed test. */
async function problemsOf(folder: string): Promise<string> {
  const lines = (await readFile(join(folder, 'log.jsonl'), 'utf8')).split('\n');
  return lines.filter((line) => /"level":"(?:warn|error)"/.test(line)).join('\n');
}

async function expectWholeCrawl(folder: string): Promise<void> {
  const pages = await linesOf<PageRecord>(folder, 'pages.jsonl');
  const paths = pages.map(({ url }) => new URL(url).pathname);
  expect(paths.toSorted()).toEqual([...graph.paths].toSorted()); // none lost, none twice, none invented
  const links = await linesOf<LinkRecord>(folder, 'links.jsonl');
  expect(links.filter((link) => link.new)).toHaveLength(PAGES - 1);
  const { state, totals } = JSON.parse(await readFile(join(folder, 'crawl.json'), 'utf8')) as {
    state: string;
    totals: Record<string, number>;
  };
  // the pages are similar, so the crawler may probe whether the site is endless
  const skipped = await linesOf<SkippedRecord>(folder, 'skipped.jsonl');
  expect(skipped.filter(({ reason }) => reason !== 'probe')).toEqual([]);
  const probes = skipped.length;
  expect({ state, totals }).toEqual({
    state: 'finished',
    totals: { discovered: PAGES + probes, visited: PAGES, failed: 0, skipped: probes, queued: 0 },
  });
  for (const { snapshot } of pages)
    expect(await readFile(join(folder, snapshot.html ?? ''), 'utf8')).toContain('<h1>Page');
  await expectWhole(folder);
}

describe('a crawl that is killed', () => {
  it('loses no page and writes none twice when it is resumed, however often it was killed', async () => {
    const folder = join(base, 'killed');
    let command = runCommand(['crawl', join(base, 'site'), '-o', folder], base);
    for (const enough of [5, 25]) {
      await until(async () => (await countPages(folder)) >= enough, `${enough} pages: ${command.output()}`);
      command.child.kill('SIGKILL');
      await command.ended;
      command = runCommand(['resume', folder], base);
    }
    const { code, output } = await command.ended;
    expect(code, output).toBe(0);
    await expectWholeCrawl(folder);
  });

  it('keeps its page limit, pages counted that were committed and not yet in the folder', async () => {
    const folder = join(base, 'limited');
    const limit = 20;
    const args = ['crawl', join(base, 'site'), '-o', folder, '--limit', String(limit), '--render', 'never'];
    const killed = runCommand(args, base);
    await until(async () => (await countPages(folder)) >= 1, `a page: ${killed.output()}`);
    killed.child.kill('SIGKILL');
    await killed.ended;
    const resumed = runCommand(['resume', folder], base);
    const { code, output } = await resumed.ended;
    expect(code, output).toBe(0);
    expect(await countPages(folder)).toBe(limit);
  });

  it('leaves neither its Redis nor its browser behind', async () => {
    const folder = join(base, 'orphans');
    const command = runCommand(['crawl', join(base, 'site'), '-o', folder], base);
    await until(async () => (await countPages(folder)) >= 3, `pages: ${command.output()}`);
    const children = await descendants(command.child.pid ?? 0);
    expect(children.length).toBeGreaterThanOrEqual(2);
    command.child.kill('SIGKILL');
    await command.ended;
    await until(
      async () => (await Promise.all(children.map(isRunning))).every((running) => !running),
      'the end of all children',
    );
    expect((await Promise.all(children.map(isRunning))).filter(Boolean)).toEqual([]);
  });
});

describe('a crawl whose Redis is killed', () => {
  it('has it started again and goes on, without losing or doubling a page', async () => {
    const folder = join(base, 'redis-killed');
    const command = runCommand(['crawl', join(base, 'site'), '-o', folder, '--render', 'never'], base);
    await until(async () => (await countPages(folder)) >= 10, `pages: ${command.output()}`);
    const note = JSON.parse(await readFile(join(folder, 'state', 'server.json'), 'utf8')) as { pid: number };
    process.kill(note.pid, 'SIGKILL');
    const { code, output } = await command.ended;
    expect(code, `${output}${await problemsOf(folder)}`).toBe(0);
    await expectWholeCrawl(folder);
  });
});

/** Gets between a crawl and its Redis, which from then on runs every third commit of a page and its answer is lost. */
async function loseAnswers(folder: string, lost: { count: number }): Promise<Server> {
  const socket = join(folder, 'state', 'redis.sock');
  const moved = join(folder, 'state', 'moved.sock');
  await rename(socket, moved);
  let commits = 0;
  const server = createServer((near) => {
    const far = connect(moved);
    let isLost = false;
    near.on('data', (data) => {
      if (data.includes('"outcome":"captured"') && (commits += 1) % 3 === 0) isLost = true;
      far.write(data);
    });
    far.on('data', (data) => {
      if (!isLost) return near.write(data);
      lost.count += 1;
      return near.destroy();
    });
    near.on('error', () => {}).on('close', () => far.destroy());
    far.on('error', () => {}).on('close', () => near.destroy());
  }).listen(socket);
  await once(server, 'listening');
  const client = briefClient(moved);
  await client.connect();
  await client.call('CLIENT', 'KILL', 'TYPE', 'NORMAL', 'SKIPME', 'YES'); // its client connects anew, to this server
  client.disconnect();
  return server;
}

describe('a crawl whose Redis runs commits and loses its answers', () => {
  it('keeps its page limit, and counts those pages as visits of its run', async () => {
    const folder = join(base, 'answers-lost');
    const limit = 40;
    const args = ['crawl', join(base, 'site'), '-o', folder, '--limit', String(limit), '--render', 'never'];
    const command = runCommand([...args, '--host-concurrency', '1', '--delay', '20ms'], base);
    await until(async () => (await countPages(folder)) >= 1, `a page: ${command.output()}`);
    const lost = { count: 0 };
    const way = await loseAnswers(folder, lost);
    const { code, output } = await command.ended;
    way.close();
    expect(code, `${output}${await problemsOf(folder)}`).toBe(0);
    expect(lost.count).toBeGreaterThanOrEqual(3);
    expect(output).not.toContain('this run made');
    expect(await countPages(folder)).toBe(limit);
    const resumed = await runCommand(['resume', folder, '--limit', '1000'], base).ended;
    expect(resumed.code, resumed.output).toBe(0);
    await expectWholeCrawl(folder);
  });
});

describe('a crawl whose browser is killed', () => {
  it('has another one started and goes on', async () => {
    const folder = join(base, 'browser-killed');
    const command = runCommand(['crawl', join(base, 'site'), '-o', folder], base);
    await until(async () => (await countPages(folder)) >= 10, `pages: ${command.output()}`);
    const children = await descendants(command.child.pid ?? 0);
    const names = await Promise.all(children.map((pid) => readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')));
    const browser = children.find(
      (_pid, index) => names[index]?.startsWith('chrom') || names[index]?.startsWith('headless'),
    );
    process.kill(browser ?? 0, 'SIGKILL');
    const { code, output } = await command.ended;
    expect(code, output).toBe(0);
    await expectWholeCrawl(folder);
  });
});

describe('a crawl that is interrupted', () => {
  it.each([
    ['SIGINT', 130, 'auto'],
    ['SIGTERM', 143, 'never'],
  ] as const)('saves on %s, ends with %i, says how to go on, and goes on', async (signal, exitCode, render) => {
    const folder = join(base, `interrupted-${signal}`);
    const command = runCommand(['crawl', join(base, 'site'), '-o', folder, '--render', render], base);
    await until(async () => (await countPages(folder)) >= 5, `pages: ${command.output()}`);
    command.child.kill(signal);
    const { code, output } = await command.ended;
    expect({ code, output }).toMatchObject({ code: exitCode });
    expect(output).toContain(`resume ./interrupted-${signal}`);
    const { state, totals } = JSON.parse(await readFile(join(folder, 'crawl.json'), 'utf8')) as {
      state: string;
      totals: Record<string, number>;
    };
    expect(state).toBe('interrupted');
    expect(totals['visited']).toBe((await linesOf(folder, 'pages.jsonl')).length);
    const ended = (totals['visited'] ?? 0) + (totals['skipped'] ?? 0);
    expect(ended + (totals['queued'] ?? 0)).toBe(totals['discovered']);
    await expectWhole(folder);

    expect(await runCommand(['resume', folder], base).ended).toMatchObject({ code: 0 });
    await expectWholeCrawl(folder);
  });

  it('saves when its terminal goes away, and goes on', async () => {
    const folder = join(base, 'hung-up');
    const terminal = runInTerminal(['crawl', join(base, 'site'), '-o', folder, '--render', 'never'], base);
    await until(async () => (await countPages(folder)) >= 5, `pages: ${terminal.output()}`);
    const [pid = 0] = await descendants(terminal.child.pid ?? 0);
    terminal.child.kill('SIGKILL');
    await until(async () => !(await isRunning(pid)), 'the end of the crawl');
    expect(JSON.parse(await readFile(join(folder, 'crawl.json'), 'utf8'))).toMatchObject({ state: 'interrupted' });
    expect(await runCommand(['resume', folder], base).ended).toMatchObject({ code: 0 });
    await expectWholeCrawl(folder);
  });

  it('stops at once on the second signal, and loses nothing', async () => {
    const folder = join(base, 'twice');
    const command = runCommand(['crawl', join(base, 'site'), '-o', folder, '--render', 'never'], base);
    await until(async () => (await countPages(folder)) >= 5, `pages: ${command.output()}`);
    command.child.kill('SIGINT');
    await until(() => command.output().includes('Stopping'), 'the word that it stops');
    command.child.kill('SIGINT');
    expect(await command.ended).toMatchObject({ code: 130 });
    expect(await runCommand(['resume', folder], base).ended).toMatchObject({ code: 0 });
    await expectWholeCrawl(folder);
  });
});

/** Pids of all descendants of a process, by /proc. */
async function descendants(pid: number): Promise<readonly number[]> {
  const below = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => ''))
    .split(' ')
    .filter(Boolean)
    .map(Number);
  return [...below, ...(await Promise.all(below.map(descendants))).flat()];
}

/** A zombie has ended; it only waits for its parent to reap it. */
async function isRunning(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat !== '' && stat.slice(stat.lastIndexOf(')') + 2)[0] !== 'Z';
}
