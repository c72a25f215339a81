/** A page stores cookies until every server refuses a request with them: it costs its site one try at most, never a page. */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startCrawl } from '../../src/crawl/start-crawl.ts';
import type { PageRecord } from '../../src/model/record.ts';
import { linesOf } from '../support/crawl-run.ts';
import { started } from '../support/origin.ts';

const PAGES = ['/', '/bomb', '/a', '/b'];
const VALUE = 'x'.repeat(4000);
/** Cookies of an answer: with more of them its head would be refused. */
const COOKIES = 12;
const LINKS = '<title>bomb</title><a href=/a>a</a><a href=/b>b</a>';

interface LogLine {
  readonly event: string;
  readonly detail?: string;
}

interface Bombed {
  readonly pages: readonly PageRecord[];
  /** Failed tries. */
  readonly vain: readonly LogLine[];
  /** Lengths of the cookies that the server accepted. */
  readonly cookies: readonly number[];
}

/** @param taken bytes of a request's head that the server accepts */
async function crawlBombed(bomb: string, taken: number, retries: number): Promise<Bombed> {
  const cookies: number[] = [];
  const answer = ({ url = '', headers }: IncomingMessage, response: ServerResponse): void => {
    if (url !== '/robots.txt') cookies.push(headers.cookie?.length ?? 0);
    if (url.startsWith('/part')) {
      const set = Array.from({ length: COOKIES }, (_, n) => `${url.slice(1)}-${n}=${VALUE}; HttpOnly; Path=/`);
      return void response.writeHead(200, { 'content-type': 'image/gif', 'set-cookie': set }).end();
    }
    response.writeHead(url === '/robots.txt' ? 404 : 200, { 'content-type': 'text/html' });
    response.end(url === '/bomb' ? bomb : `<title>${url}</title>${url === '/' ? '<a href=/bomb>x</a>' : ''}`);
  };
  await using origin = await started(createServer({ maxHeaderSize: taken }, answer));
  const output = await mkdtemp(join(tmpdir(), 'orbweaver-cookies-'));
  try {
    await using crawl = await startCrawl({
      seeds: [`http://127.0.0.1:${origin.port}/`],
      render: 'always',
      snapshot: [],
      delay: 0,
      sitemap: false,
      workers: 1,
      retries,
      logLevel: 'info',
      overwrite: true,
      output,
    });
    const { folder } = await crawl.report();
    const log = await linesOf<LogLine>(folder, 'log.jsonl');
    return {
      pages: await linesOf<PageRecord>(folder, 'pages.jsonl'),
      vain: log.filter(({ event }) => event === 'tried in vain'),
      cookies,
    };
  } finally {
    await rm(output, { recursive: true, force: true });
  }
}

const ends = ({ pages }: Bombed): unknown[] =>
  pages.map(({ url, outcome, status }) => [new URL(url).pathname, outcome, status]).toSorted();
const ALL_CAPTURED = PAGES.map((path) => [path, 'captured', 200]).toSorted();

it('a page whose scripts store too much is not used again, so that no other page of its site is refused', async () => {
  const script = `for (let n = 0; n < 180; n += 1) document.cookie = 'c' + n + '=${VALUE}'`;
  const bombed = await crawlBombed(`${LINKS}<script>${script}</script>`, 16 * 1024, 0);
  expect(ends(bombed)).toEqual(ALL_CAPTURED);
  expect(Math.max(...bombed.cookies)).toBe(0);
});

it.each([
  ['our proxy', 3, 1024 * 1024],
  ['the server', 1, 16 * 1024],
])(
  'cookies of parts that %s does not take are the reason of a vain try, and the next one has none',
  async (_who, parts, taken) => {
    const pictures = Array.from({ length: parts }, (_, n) => `<img src=/part${n}>`).join('');
    const bombed = await crawlBombed(`${LINKS}${pictures}`, taken, 2);
    expect(ends(bombed)).toEqual(ALL_CAPTURED);
    expect(bombed.vain.length).toBeGreaterThan(0);
    for (const { detail } of bombed.vain) expect(detail).toMatch(/^the site has stored \d+ KiB of cookies/);
  },
);
