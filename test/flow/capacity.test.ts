/** How many visits one process makes at a time if nothing is rendered and politeness allows it. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startCrawl } from '../../src/crawl/start-crawl.ts';
import type { PageRecord } from '../../src/model/record.ts';
import { linesOf } from '../support/crawl-run.ts';

const HOSTS = 240;
const ENOUGH = 100;

let base = '';
beforeAll(async () => void (base = await mkdtemp(join(tmpdir(), 'orbweaver-capacity-'))));
afterAll(() => rm(base, { recursive: true, force: true }));

/** Many hosts that answer only after `release()`; the first host answers at once with links to all of them. */
async function openHosts() {
  let port = 0;
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const open = { now: 0, most: 0, hosts: new Set<string>() };
  const addressOf = (number: number): string => `127.0.${3 + Math.floor(number / 200)}.${1 + (number % 200)}`;
  const links = (): string =>
    Array.from({ length: HOSTS }, (_, number) => `<a href="http://${addressOf(number)}:${port}/">host</a>`).join('');
  const server = createServer((request, response) => {
    const host = request.headers.host ?? '';
    const isFirst = host === `${addressOf(0)}:${port}`;
    open.now += 1;
    open.most = Math.max(open.most, open.now);
    open.hosts.add(host);
    response.once('close', () => (open.now -= 1));
    void (isFirst ? Promise.resolve() : released).then(() => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(`<!doctype html><title>${host}</title><p>${host}</p>${isFirst ? links() : ''}`);
    });
  });
  server.listen(0, '0.0.0.0', HOSTS);
  await once(server, 'listening');
  const address = server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    seed: `http://${addressOf(0)}:${port}/`,
    open,
    release,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const common = { render: 'never', scope: 'any', allowPrivate: ['127.0.0.0/8'], robots: false, snapshot: [] } as const;

it('a crawl that renders nothing keeps a hundred connections to slow hosts open, each to another host', async () => {
  await using hosts = await openHosts();
  const output = join(base, 'many');
  await using crawl = await startCrawl({ ...common, seeds: [hosts.seed], output, sitemap: false });
  await expect.poll(() => hosts.open.now, { timeout: 30_000 }).toBeGreaterThanOrEqual(ENOUGH);
  expect(hosts.open.hosts.size).toBeGreaterThanOrEqual(hosts.open.now);
  hosts.release();
  expect(await crawl.report()).toMatchObject({ state: 'finished', totals: { visited: HOSTS } });
  const pages: readonly PageRecord[] = await linesOf(output, 'pages.jsonl');
  expect(new Set(pages.map(({ url }) => url)).size).toBe(HOSTS);
});

it('a crawl with a number of workers makes that many visits at a time and no more', async () => {
  await using hosts = await openHosts();
  const output = join(base, 'few');
  await using crawl = await startCrawl({ ...common, seeds: [hosts.seed], output, sitemap: false, workers: 7 });
  await expect.poll(() => hosts.open.now, { timeout: 30_000 }).toBe(7);
  hosts.release();
  expect(await crawl.report()).toMatchObject({ state: 'finished', totals: { visited: HOSTS } });
  expect(hosts.open.most).toBe(7);
});
