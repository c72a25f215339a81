/** A site that scripts make, rendered in a worker process: the controller has no browser page of its own. */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { PageRecord } from '../../src/model/record.ts';
import { runCommand, type RunningCommand } from '../support/command.ts';
import { linesOf } from '../support/crawl-run.ts';
import { foundIn } from '../support/found-crawl.ts';
import { startUserRedis, type UserRedis } from '../support/redis-server.ts';

const PAGES = 9;
let base = '';
let redis: UserRedis;
let origin = '';
const running: RunningCommand[] = [];

/** All links of a page come by a request of its script; without it the page is empty. */
const server: Server = createServer(({ url = '/' }, response) => {
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
  return answer('text/html', `<!doctype html><title>empty</title><body><script>${script}</script>`);
});

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'orbweaver-rendered-'));
  redis = await startUserRedis();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/`;
});
afterEach(async () => {
  for (const { child } of running) child.kill('SIGKILL');
  await Promise.all(running.splice(0).map(({ ended }) => ended));
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await redis[Symbol.asyncDispose]();
  await rm(base, { recursive: true, force: true });
});

function run(...args: readonly string[]): RunningCommand {
  const command = runCommand(args, base);
  running.push(command);
  return command;
}

it('comes out as one process renders it: pages, links, skips and titles', async () => {
  const crawl = ['crawl', origin, '--delay', '50ms', '--no-progress'];
  expect(await run(...crawl, '-o', 'alone', '-w', '2').ended).toMatchObject({ code: 0 });

  const controller = run(...crawl, '-o', 'together', '-w', '0', '--redis', redis.url);
  const worker = run('worker', '--redis', redis.url, '--crawl', '*', '-w', '2');
  expect(await controller.ended).toMatchObject({ code: 0, output: expect.stringContaining('Finished') });
  worker.child.kill('SIGTERM');
  expect(await worker.ended).toMatchObject({
    code: 0,
    output: expect.stringMatching(/after \d+ visits: it has ended/),
  });

  expect(await foundIn(join(base, 'together'))).toEqual(await foundIn(join(base, 'alone')));
  const pages = await linesOf<PageRecord>(join(base, 'together'), 'pages.jsonl');
  expect(pages.map(({ title, rendered }) => `${title} ${rendered}`).toSorted()).toEqual(
    Array.from({ length: PAGES }, (_, number) => `page ${number} true`),
  );
}, 300_000);
