/** Truncated bodies: retried as a temporary failure, reported in the record and the summary, never taken for whole. */
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { PageRecord } from '../../src/model/record.ts';
import type { CrawlOptions } from '../../src/options/options.ts';
import { runCrawl, type CrawlRun } from '../support/crawl-run.ts';
import { rawOrigin } from '../support/origin.ts';

const HTML = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n';
const PAGE = '<!doctype html><title>begun</title><a href="/beyond">beyond</a>';
const LINKS = [
  'zero',
  'half',
  'closed',
  'chunked',
  'packed',
  'once',
  'text',
  'unsized',
  'whole',
  'stopped',
  'mislabelled',
];
const packed = gzipSync(PAGE.padEnd(20_000, '<p>words of a long page</p>')).subarray(0, 60);

/** The bytes sent, then the connection is reset, ended or left open; a second answer is for the second try. */
type Disposition = 'reset' | 'end' | 'open';
const ANSWERS: Readonly<Record<string, readonly (readonly [answer: string | Buffer, ending: Disposition])[]>> = {
  '/zero': [[`${HTML}Content-Length: 1000\r\n\r\n`, 'reset']],
  '/half': [[`${HTML}Content-Length: 1000\r\n\r\n${PAGE}`, 'reset']],
  '/closed': [[`${HTML}Content-Length: 1000\r\n\r\n${PAGE}`, 'end']],
  '/chunked': [[`${HTML}Transfer-Encoding: chunked\r\n\r\n3f\r\n${PAGE}\r\n`, 'end']],
  '/packed': [
    [Buffer.concat([Buffer.from(`${HTML}Content-Encoding: gzip\r\nContent-Length: 9000\r\n\r\n`), packed]), 'reset'],
  ],
  '/once': [
    [`${HTML}Content-Length: 1000\r\n\r\n${PAGE}`, 'reset'],
    [`${HTML}Content-Length: 63\r\nConnection: close\r\n\r\n${PAGE}`, 'end'],
  ],
  '/text': [['HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 1000\r\n\r\nhello', 'reset']],
  '/unsized': [[`${HTML}Connection: close\r\n\r\n${PAGE}`, 'reset']],
  '/whole': [[`${HTML}Connection: close\r\n\r\n${PAGE}`, 'end']],
  '/mislabelled': [[`${HTML}Content-Encoding: gzip\r\nConnection: close\r\n\r\n${PAGE}`, 'end']],
  '/stopped': [[`${HTML}Content-Length: 1000\r\n\r\n${PAGE}<script>stop()</script>`, 'open']],
};

function respond(socket: Socket, asked: Map<string, number>): void {
  socket.once('data', (head) => {
    const path = /^GET (\S+)/.exec(head.toString('latin1'))?.[1] ?? '';
    const times = (asked.get(path) ?? 0) + 1;
    asked.set(path, times);
    if (path === '/') {
      const body = LINKS.map((name) => `<a href="/${name}">${name}</a>`).join(' ');
      return void socket.end(`${HTML}Connection: close\r\n\r\n<title>seed</title>${body}`);
    }
    const answers = ANSWERS[path];
    const [answer, ending] = answers?.[Math.min(times, answers.length) - 1] ?? [];
    if (answer === undefined) return void socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
    socket.write(answer, () => {
      // the bytes must arrive before a reset, because it discards those that have not
      if (ending === 'reset') socket.setTimeout(150, () => void socket.resetAndDestroy());
      else if (ending === 'end') socket.end();
    });
  });
}

interface Crawled {
  readonly run: CrawlRun;
  /** Path → how often it was asked for. */
  readonly asked: ReadonlyMap<string, number>;
}

const crawls = new Map<CrawlOptions['render'], Promise<Crawled>>();

/** The crawl of the site; two tests read the rendered one. */
function crawlOf(render: CrawlOptions['render']): Promise<Crawled> {
  const crawl = crawls.get(render) ?? newCrawl(render);
  crawls.set(render, crawl);
  return crawl;
}

async function newCrawl(render: CrawlOptions['render']): Promise<Crawled> {
  const asked = new Map<string, number>();
  await using origin = await rawOrigin((socket) => respond(socket, asked));
  const run = await runCrawl({
    seeds: [`http://127.0.0.1:${origin.port}/`],
    render,
    depth: 1,
    delay: 0,
    settleTimeout: 4000,
    hostConcurrency: 2,
  });
  return { run, asked };
}

describe.each(['always', 'never'] as const)('--render %s', (render) => {
  it('a body that breaks off is tried again, and told of where it breaks off each time', async () => {
    const { run, asked } = await crawlOf(render);
    const page = (path: string): PageRecord | undefined => run.pages.find(({ url }) => new URL(url).pathname === path);
    const outcome = (path: string): unknown[] => {
      const { outcome: ended, truncated, attempt, title } = page(path) ?? {};
      return [ended, truncated, attempt, title];
    };
    expect(outcome('/half')).toEqual(['captured', 'disconnect', 3, 'begun']);
    expect(outcome('/closed')).toEqual(['captured', 'disconnect', 3, 'begun']);
    expect(outcome('/chunked')).toEqual(['captured', 'disconnect', 3, 'begun']);
    expect(outcome('/unsized')).toEqual(['captured', 'disconnect', 3, 'begun']);
    // a truncated compressed body may be unreadable; it is not reported as whole
    expect(page('/packed')).toMatchObject({ truncated: 'disconnect', attempt: 3 });
    expect(outcome('/zero')).toEqual(['unreachable', 'disconnect', 3, null]);
    expect(page('/zero')?.detail).toBe('the connection ended before any of the body came');
    expect(page('/mislabelled')?.outcome).toBe('unreachable');
    expect(page('/mislabelled')?.detail).toMatch(/^the body (?:does not fit|is not in) its content encoding/);
    expect(outcome('/text')).toEqual(['not-html', 'disconnect', 3, null]);
    expect(outcome('/once')).toEqual(['captured', null, 2, 'begun']);
    expect(outcome('/whole')).toEqual(['captured', null, 1, 'begun']);
    expect(['/half', '/zero', '/once', '/whole'].map((path) => asked.get(path))).toEqual([3, 3, 2, 1]);
    // the truncated page is read nevertheless: the last try loses no link
    expect(run.links.filter(({ to }) => to.endsWith('/beyond')).map(({ from }) => new URL(from).pathname)).toContain(
      '/half',
    );
    const paths = run.report.truncated.first.map(({ url }) => new URL(url).pathname);
    expect(paths).toEqual(expect.arrayContaining(['/half', '/closed', '/chunked', '/zero', '/text', '/packed']));
    expect(paths).not.toContain('/whole');
    expect(run.report.truncated.count).toBe(run.report.truncated.first.length);
  });
});

it('a page that stops its own loading is not told of as broken off', async () => {
  const { run, asked } = await crawlOf('always');
  const stopped = run.pages.find(({ url }) => url.endsWith('/stopped'));
  expect(stopped).toMatchObject({ outcome: 'captured', truncated: null, attempt: 1 });
  expect(asked.get('/stopped')).toBe(1);
});
