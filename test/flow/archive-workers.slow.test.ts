/** An archive that several processes write: workers with their own folders, and one that has access to the crawl folder. */
import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import type { PageRecord } from '../../src/model/record.ts';
import { openReplayServer } from '../../src/replay/open-replay-server.ts';
import { archiveNames, expectDigests, otherIndex, ownIndex, readArchive } from '../support/archive.ts';
import { runCommand, type RunningCommand } from '../support/command.ts';
import { linesOf } from '../support/crawl-run.ts';
import { startUserRedis, type UserRedis } from '../support/redis-server.ts';
import { secureOrigin, type SecureOrigin } from '../support/secure-origin.ts';
import { until } from '../support/until.ts';
import { readWacz } from '../support/wacz.ts';

const HOSTS = ['127.0.0.1', '127.0.0.2', '127.0.0.3'] as const;
const PAGES = 9;
/** Longer than the payloads that are stored again each time. */
const STYLE = `body { color: #123 } ${'/* rules */ '.repeat(80)}`;
const running: RunningCommand[] = [];
const servers: Server[] = [];
let base = '';
let port = 0;
let redis: UserRedis;
let secure: SecureOrigin;
let opened = Promise.resolve();

/** Pages of a host link to each other, and load the same sheet, which browsers may not cache. */
function answer(path: string): readonly [status: number, type: string, body: string] {
  if (path === '/style.css') return [200, 'text/css', STYLE];
  const number = path === '/' ? 0 : Number(/^\/p(\d+)$/.exec(path)?.[1] ?? Number.NaN);
  if (Number.isNaN(number)) return [404, 'text/plain', ''];
  const links = [2 * number + 1, 2 * number + 2].filter((n) => n < PAGES).map((n) => `<a href="/p${n}">p${n}</a>`);
  const sheet = '<link rel=stylesheet href=/style.css>';
  return [
    200,
    'text/html',
    `<!doctype html><title>page ${number}</title>${sheet}<p>words of ${number}</p>${links.join('')}`,
  ];
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  await opened;
  const [status, type, body] = answer(request.url ?? '/');
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
}

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'orbweaver-archive-workers-'));
  redis = await startUserRedis();
  secure = await secureOrigin((request, response) => void respond(request, response));
  await writeFile(join(base, 'authority.pem'), secure.authority);
  for (const host of HOSTS) {
    const server = createServer((request, response) => void respond(request, response));
    server.listen(port, host);
    await once(server, 'listening');
    port = (server.address() as { readonly port: number }).port;
    servers.push(server);
  }
});
afterAll(async () => {
  for (const { child } of running) child.kill('SIGKILL');
  await Promise.all(running.splice(0).map(({ ended }) => ended));
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  await secure[Symbol.asyncDispose]();
  await redis[Symbol.asyncDispose]();
  await rm(base, { recursive: true, force: true });
});

function run(...args: readonly string[]): RunningCommand {
  const command = runCommand(args, base, { NODE_EXTRA_CA_CERTS: join(base, 'authority.pem') });
  running.push(command);
  return command;
}

const ended = async (...args: readonly string[]): Promise<{ readonly code: number | null; readonly output: string }> =>
  run(...args).ended;

const site = (): string => join(base, 'site');
const pagesTold = (): Promise<readonly PageRecord[]> => linesOf<PageRecord>(site(), 'pages.jsonl');
const work = (...more: readonly string[]): RunningCommand =>
  run('worker', '--redis', redis.url, '--crawl', '*', '--workers', '1', ...more);

async function ownFolders(): Promise<readonly string[]> {
  return (await readdir(base)).filter((name) => name.startsWith('orbweaver-worker-'));
}

it('is one archive when it was gathered: whole, exported, and every captured page is served again', async () => {
  const seeds = [...HOSTS.map((host) => `http://${host}:${port}/`), secure.url('/')];
  const flags = ['--redis', redis.url, '--workers', '0', '--snapshot', 'html,text,warc', '--delay', '50ms'];
  const controller = run('crawl', ...seeds, ...flags, '--no-progress', '-o', 'site');
  const [killed, shared] = [work(), work('--crawl-folder', site())];
  await until(async () => (await ownFolders()).length === 1, 'the folder of the first worker');
  const [first = ''] = await ownFolders();
  const worker = /w-[0-9a-f]{8}$/.exec(first)?.[0] ?? '';
  const byWorker = async (isFirst: boolean): Promise<number> =>
    (await pagesTold()).filter(({ snapshot }) => snapshot.warc?.file.includes(worker) === isFirst).length;
  await until(async () => (await byWorker(true)) >= 2 && (await byWorker(false)) >= 2, 'pages of both');
  let release = (): void => {};
  opened = new Promise((resolve) => (release = resolve));
  killed.child.kill('SIGKILL');
  await killed.ended;
  const [open = ''] = (await readdir(join(base, first, 'archive'))).filter((name) => name.endsWith('.warc.gz.open'));
  const begun = (await readFile(join(base, first, 'archive', open))).subarray(0, 200);
  await appendFile(join(base, first, 'archive', open), begun);
  const second = work();
  await until(() => second.output().includes('working for'), 'the other worker');
  release();
  const { code, output } = await controller.ended;
  expect(code, output).toBe(0);
  second.child.kill('SIGTERM');
  shared.child.kill('SIGTERM');
  await Promise.all([second.ended, shared.ended]);

  // records of the worker that has access to the folder are part of the crawl's archive already
  expect((await archiveNames(site())).filter((name) => !name.endsWith('.warc.gz'))).toEqual(['index.cdxj']);
  const captured = (await pagesTold()).filter(({ outcome }) => outcome === 'captured');
  expect(captured).toHaveLength(seeds.length * PAGES);
  const early = await ended('export', 'site', '--wacz', 'early.wacz');
  expect([early.code, early.output]).toEqual([2, expect.stringMatching(/gather \S*site orbweaver-worker-\*/)]);

  const folders = await ownFolders();
  expect(folders).toHaveLength(2);
  expect(await ended('gather', 'site', ...folders)).toMatchObject({ code: 0 });
  await expectDigests(site(), await readArchive(site()));
  expect(await ownIndex(site())).toEqual(await otherIndex(site()));
  expect(await ended('gather', 'site', ...folders)).toMatchObject({
    code: 0,
    output: expect.stringContaining('0 files'),
  });

  const exported = await ended('export', 'site', '--wacz', 'site.wacz');
  expect(exported.code, exported.output).toBe(0);
  const { pages } = await readWacz(join(base, 'site.wacz'));
  expect(pages.map(({ url }) => url).toSorted()).toEqual(captured.map(({ url }) => url).toSorted());
  for (const folder of [site(), join(base, 'site.wacz')]) await expectServed(folder, captured);
  const page = captured.find(({ snapshot }) => snapshot.warc?.file.includes(worker));
  const shown = await ended('show', 'site', page?.url ?? '', '--headers');
  expect([shown.code, shown.output]).toEqual([0, expect.stringContaining('cache-control: no-store')]);
}, 300_000);

async function expectServed(folder: string, captured: readonly PageRecord[]): Promise<void> {
  await using replay = await openReplayServer(folder, { port: 0 }, silentLog);
  for (const { url, title } of captured) {
    const { origin, pathname } = new URL(url);
    const there = new URL(replay.origins.get(origin) ?? '');
    const read = async (path: string): Promise<string> => {
      const [response] = await once(
        get({ host: '127.0.0.1', port: replay.port, path, headers: { host: there.host } }),
        'response',
      );
      expect([url, path, (response as IncomingMessage).statusCode]).toEqual([url, path, 200]);
      return textOf(response as IncomingMessage);
    };
    expect(await read(pathname)).toContain(`<title>${title}</title>`);
    expect(await read('/style.css')).toBe(STYLE);
  }
  expect(replay.missing).toBe(0);
}
