/** A page that stores cookies until no server takes a request with them: it costs its site a try, never a page. */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startCrawl } from '../../src/crawl/start-crawl.ts';
import type { PageRecord } from '../../src/model/record.ts';
import { linesOf } from '../support/crawl-run.ts';
import { started } from '../support/origin.ts';

const PAGES = ['/bomb', '/a', '/b'];
/** Stores `count` cookies of 4,000 characters. */
const bomb = (count: number): string =>
  `<title>bomb</title><a href=/a>a</a><a href=/b>b</a><script>for (let n = 0; n < ${count}; n += 1) document.cookie = 'c' + n + '=' + 'x'.repeat(4000)</script>`;

interface LogLine {
  readonly event: string;
  readonly url?: string;
  readonly detail?: string;
}

/** @param taken how much of a request's head the server takes */
async function crawlBombed(
  count: number,
  taken: number,
): Promise<{ pages: readonly PageRecord[]; log: readonly LogLine[]; cookies: readonly number[] }> {
  const cookies: number[] = [];
  const answer = ({ url, headers }: IncomingMessage, response: ServerResponse): void => {
    if (url !== '/robots.txt') cookies.push(headers.cookie?.length ?? 0);
    response.writeHead(url === '/robots.txt' ? 404 : 200, { 'content-type': 'text/html' });
    response.end(url === '/bomb' ? bomb(count) : `<title>${url}</title>${url === '/' ? '<a href=/bomb>x</a>' : ''}`);
  };
  await using origin = await started(createServer({ maxHeaderSize: taken }, answer));
  const output = await mkdtemp(join(tmpdir(), 'orbweaver-cookies-'));
  try {
    await using crawl = await startCrawl({
      seeds: [`http://127.0.0.1:${origin.port}/`],
      render: 'always',
      snapshot: [],
      delay: 0,
      workers: 1,
      logLevel: 'info',
      overwrite: true,
      output,
    });
    const { folder } = await crawl.report();
    return {
      pages: await linesOf<PageRecord>(folder, 'pages.jsonl'),
      log: await linesOf<LogLine>(folder, 'log.jsonl'),
      cookies,
    };
  } finally {
    await rm(output, { recursive: true, force: true });
  }
}

it.each([
  ['our proxy', 100, 1024 * 1024],
  ['the server', 12, 16 * 1024],
])(
  'cookies that %s does not take are the reason of a vain try, and the next one has none',
  async (_who, count, taken) => {
    const { pages, log, cookies } = await crawlBombed(count, taken);
    const ends = pages.map(({ url, outcome, status }) => [new URL(url).pathname, outcome, status]);
    expect(ends.toSorted()).toEqual(['/', ...PAGES].map((path) => [path, 'captured', 200]).toSorted());
    const vain = log.filter(({ event }) => event === 'tried in vain');
    expect(vain.length).toBeGreaterThan(0);
    for (const { detail } of vain) expect(detail).toMatch(/^the site has stored \d+ KiB of cookies/);
    // nothing of the bomb reaches a page that is captured
    expect(Math.max(...cookies)).toBeLessThan(taken);
  },
);
