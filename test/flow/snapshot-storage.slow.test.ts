/** A crawl that keeps its snapshots in S3-compatible storage: the storage refuses, recovers, and is read in the end. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PageRecord } from '../../src/model/record.ts';
import { runHere } from '../support/command-here.ts';
import { runCommand, runLimited, type RunningCommand } from '../support/command.ts';
import { linesOf } from '../support/crawl-run.ts';
import { httpOrigin, type HttpOrigin } from '../support/origin.ts';
import { postedCrawl } from '../support/posted-crawl.ts';
import { startUserRedis, type UserRedis } from '../support/redis-server.ts';
import { BUCKET, KEY, startS3, type S3Server } from '../support/s3-server.ts';
import { until } from '../support/until.ts';

const PAGES = 12;
const PLACE = `s3://${BUCKET}/sites`;
let base = '';
let storage: S3Server;
let origin: HttpOrigin;
const running: RunningCommand[] = [];

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'orbweaver-storage-'));
  storage = await startS3();
  origin = await httpOrigin((request, response) => {
    const number = Number(/^\/p(\d+)$/.exec(request.url ?? '')?.[1] ?? Number.NaN);
    if (Number.isNaN(number)) return void response.writeHead(404).end();
    const next = [2 * number + 1, 2 * number + 2].filter((n) => n < PAGES).map((n) => `<a href="/p${n}">p${n}</a>`);
    const filler = `<!-- ${'x'.repeat(30_000)} -->`;
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<!doctype html><title>page ${number}</title><p>words of ${number}</p>${next.join('')}${filler}`);
  });
});
beforeEach(() => {
  storage.refuse = () => null;
  storage.objects.clear();
  storage.log.length = 0;
});
afterEach(async () => {
  for (const { child } of running) child.kill('SIGKILL');
  await Promise.all(running.splice(0).map(({ ended }) => ended));
});
afterAll(async () => {
  await origin[Symbol.asyncDispose]();
  await storage[Symbol.asyncDispose]();
  await rm(base, { recursive: true, force: true });
});

function run(...args: readonly string[]): RunningCommand {
  const command = runCommand(args, base, storage.variables);
  running.push(command);
  return command;
}

/** A command line in this process, to its end. */
const here = (...words: readonly string[]): ReturnType<typeof runHere> => runHere(words, base, {}, storage.variables);

const flags = ['--render', 'never', '--delay', '20ms', '--no-progress', '--snapshot-storage', PLACE];
const wordsOf = (output: string): readonly string[] => ['crawl', `${origin.url}/p0`, '-o', output, ...flags];
const crawl = (output: string, ...more: readonly string[]): RunningCommand => run(...wordsOf(output), ...more);
const pagesOf = (output: string): Promise<readonly PageRecord[]> =>
  linesOf<PageRecord>(join(base, output), 'pages.jsonl');
const jsonOf = async (output: string): Promise<string> => readFile(join(base, output, 'crawl.json'), 'utf8');

/** Each program of a test takes seconds to start on a busy machine. */
const LONG = { timeout: 300_000 };

/** Expects every page captured once, and all its snapshots in the storage. */
async function expectStored(output: string): Promise<readonly PageRecord[]> {
  const pages = await pagesOf(output);
  expect(pages.map(({ title, outcome }) => `${title} ${outcome}`).toSorted()).toEqual(
    Array.from({ length: PAGES }, (_, number) => `page ${number} captured`).toSorted(),
  );
  const { id } = JSON.parse(await jsonOf(output)) as { readonly id: string };
  for (const { snapshot } of pages)
    for (const name of [snapshot.html, snapshot.text])
      expect([...storage.objects.keys()]).toContain(`sites/${id}/${name}`);
  return pages;
}

describe('a crawl with --snapshot-storage', () => {
  it('leaves no snapshot in its folder, says where they are, and has them when they are gathered', LONG, async () => {
    const { code, output } = await here(...wordsOf('stored'));
    expect(code, output).toBe(0);
    const pages = await expectStored('stored');
    expect(await readdir(join(base, 'stored'))).not.toContain('snapshots');
    const { id, storage: place } = JSON.parse(await jsonOf('stored')) as {
      readonly id: string;
      readonly storage: string;
    };
    expect(place).toBe(`${PLACE}/${id}`);
    for (const name of ['crawl.json', 'log.jsonl'])
      expect(await readFile(join(base, 'stored', name), 'utf8')).not.toContain(KEY.secret);
    const early = await here('show', 'stored', '/p3', '--html');
    expect([early.code, early.output]).toEqual([
      2,
      expect.stringContaining(`${place}/${pages.find(({ url }) => url.endsWith('/p3'))?.snapshot.html}`),
    ]);
    expect(early.output).toMatch(/NOT_GATHERED[^]*orbweaver gather \S*stored/);
    expect(await here('gather', 'stored')).toMatchObject({
      code: 0,
      output: expect.stringContaining(`${2 * PAGES} files of ${place}`),
    });
    expect(await here('show', 'stored', '/p3', '--html')).toMatchObject({
      code: 0,
      output: expect.stringContaining('<title>page 3</title>'),
    });
    expect(await here('gather', 'stored')).toMatchObject({ code: 0, output: expect.stringContaining('0 files') });
    const [gone = ''] = [...storage.objects.keys()];
    storage.objects.delete(gone);
    await rm(join(base, 'stored', gone.split('/').slice(2).join('/')));
    expect(await here('gather', 'stored')).toMatchObject({
      code: 2,
      output: expect.stringContaining('1 files that stored names are not in'),
    });
  });

  it('fetches nothing where the storage refuses from the start', LONG, async () => {
    storage.refuse = () => ({ status: 403, code: 'AccessDenied' });
    const asked = origin.requests.length;
    const { code, output } = await here(...wordsOf('refused'));
    expect([code, output]).toEqual([
      2,
      expect.stringMatching(/s3:\/\/snapshots\/sites\/c-\S+ \(http:\S+\) takes no snapshots: 403 AccessDenied/),
    ]);
    expect(origin.requests).toHaveLength(asked);
    expect(await readdir(join(base, 'refused')).catch(() => [])).toEqual([]);
  });

  it(
    'ends with the cause where it refuses in the middle; what was told is stored, and a resume goes on',
    LONG,
    async () => {
      let puts = 0;
      storage.refuse = (method) =>
        method === 'PUT' && (puts += 1) > 9 ? { status: 507, code: 'XMinioStorageFull' } : null;
      const { code, output } = await here(...wordsOf('full'));
      expect([code, output]).toEqual([
        3,
        expect.stringMatching(/could not be written: 507 XMinioStorageFull: .* \(tried 5 times\)/),
      ]);
      expect(output).toContain(`resume ./full --snapshot-storage ${PLACE}`);
      const told = await pagesOf('full');
      expect(told.length).toBeLessThan(PAGES);
      for (const { snapshot } of told)
        expect([...storage.objects.keys()].some((key) => key.endsWith(snapshot.html ?? '?'))).toBe(true);
      storage.refuse = () => null;
      expect(await here('resume', 'full')).toMatchObject({
        code: 2,
        output: expect.stringContaining('names no storage of others'),
      });
      expect(await here('resume', 'full', '--snapshot-storage', PLACE)).toMatchObject({ code: 0 });
      await expectStored('full');
    },
  );
});

describe('a worker whose storage fails', () => {
  let redis: UserRedis;
  beforeAll(async () => {
    redis = await startUserRedis();
  });
  afterAll(() => redis[Symbol.asyncDispose]());

  it('ends alone and says why at its controller; another one makes its visits', LONG, async () => {
    const controller = crawl('shared', '--workers', '0', '--redis', redis.url);
    const work = (): RunningCommand => run('worker', '--redis', redis.url, '--crawl', '*', '--workers', '1');
    let puts = 0;
    storage.refuse = (method) => (method === 'PUT' && (puts += 1) > 5 ? { status: 403, code: 'AccessDenied' } : null);
    const first = run('worker', '--redis', redis.url, '--crawl', await postedCrawl(redis.client), '--workers', '1');
    const { code, output } = await first.ended;
    expect([code, output]).toEqual([3, expect.stringMatching(/could not be written: 403 AccessDenied/)]);
    await until(() => controller.output().includes('403 AccessDenied'), 'the note at the controller');
    storage.refuse = () => null;
    work();
    expect(await controller.ended).toMatchObject({ code: 0 });
    await expectStored('shared');
    expect(JSON.stringify(await redis.client.keys('*'))).not.toContain(KEY.secret);
  });

  it('leaves where the crawl ends while it joins', LONG, async () => {
    crawl('ended', '--workers', '0', '--redis', redis.url);
    const id = await postedCrawl(redis.client);
    // the worker looks at the storage after the posting, and before the crawl's state
    storage.refuse = () => {
      void redis.client.flushall();
      return null;
    };
    const worker = run('worker', '--redis', redis.url, '--crawl', id, '--workers', '1');
    expect(await worker.ended).toMatchObject({ code: 0, output: expect.stringContaining(`left ${id}: it has ended`) });
  });

  it('tries again by itself where it works for every crawl', LONG, async () => {
    const controller = crawl('again', '--workers', '0', '--redis', redis.url);
    let puts = 0;
    storage.refuse = (method) => (method === 'PUT' && (puts += 1) > 5 ? { status: 403, code: 'AccessDenied' } : null);
    const worker = run('worker', '--redis', redis.url, '--crawl', '*', '--workers', '1');
    await until(() => worker.output().includes('403 AccessDenied'), 'the fault');
    storage.refuse = () => null;
    expect(await controller.ended).toMatchObject({ code: 0 });
    expect(worker.output()).toContain('tried again in 10 s');
    await expectStored('again');
  });

  it('ends alone where its own disk takes no more', LONG, async () => {
    const args = ['crawl', `${origin.url}/p0`, '-o', 'disk', '--render', 'never', '--delay', '20ms', '--no-progress'];
    const controller = run(...args, '--workers', '0', '--redis', redis.url);
    const id = await postedCrawl(redis.client);
    // no file may grow beyond 20 KB: like a full disk, but for this process alone
    const limited = runLimited(20, ['worker', '--redis', redis.url, '--crawl', id, '--workers', '1'], base);
    running.push(limited);
    const { code, output } = await limited.ended;
    expect([code === 0, output]).toEqual([false, expect.stringMatching(/cannot write \S*orbweaver-worker-\S+\.html/)]);
    await until(() => controller.output().includes('breaks off: cannot write'), 'the note at the controller');
    expect(await pagesOf('disk')).toEqual([]);
    run('worker', '--redis', redis.url, '--crawl', id, '--workers', '1', '--crawl-folder', 'disk');
    expect(await controller.ended).toMatchObject({ code: 0 });
    const pages = await pagesOf('disk');
    expect(pages).toHaveLength(PAGES);
    for (const { snapshot } of pages)
      expect(await readFile(join(base, 'disk', snapshot.html ?? ''), 'utf8')).toContain('<title>page');
  });
});
