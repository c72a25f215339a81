/** A development server that listens on one address of localhost is crawled by that name, as a browser opens it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startCrawl } from '../../src/crawl/start-crawl.ts';
import type { PageRecord } from '../../src/model/record.ts';
import { linesOf } from '../support/crawl-run.ts';
import { HAS_IPV6 } from '../support/ipv6.ts';

it.runIf(HAS_IPV6).each([
  ['without a browser', 'never', '::1'],
  ['with one', 'always', '::1'],
  ['with one', 'always', '127.0.0.1'],
] as const)('a server is crawled as localhost %s (--render %s) if it listens on %s', async (_how, render, address) => {
  const folder = await mkdtemp(join(tmpdir(), 'orbweaver-localhost-'));
  const server = createServer(({ url }, response) => {
    response.writeHead(url === '/robots.txt' ? 404 : 200, { 'content-type': 'text/html' });
    response.end(url === '/' ? '<title>Home</title><a href="/next">next</a>' : '<title>Next</title>');
  });
  await new Promise<void>((done) => void server.listen(0, address, done));
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true });
  });
  const seed = `http://localhost:${(server.address() as AddressInfo).port}/`;
  const output = join(folder, 'crawl');
  await using crawl = await startCrawl({ seeds: [seed], output, delay: 0, render });
  await crawl.report();
  const pages = await linesOf<PageRecord>(output, 'pages.jsonl');
  expect(pages.map(({ url, outcome, title }) => [url, outcome, title]).toSorted()).toEqual([
    [seed, 'captured', 'Home'],
    [`${seed}next`, 'captured', 'Next'],
  ]);
});
