/** Hosts that ask for a longer pause than a crawl can wait. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCrawl } from '../../src/crawl/start-crawl.ts';
import { explainUrl } from '../../src/inspect/explain-url.ts';
import type { PageRecord, SkippedRecord } from '../../src/model/record.ts';
import { runHere } from '../support/command-here.ts';
import { runCommand } from '../support/command.ts';
import { linesOf } from '../support/crawl-run.ts';
import { httpOrigin, type HttpOrigin } from '../support/origin.ts';
import { until } from '../support/until.ts';

let base = '';
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'orbweaver-retry-after-'));
});
afterAll(() => rm(base, { recursive: true, force: true }));

/** A home page that answers, and refused paths with this wait. */
function openSite(wait: string, isRefused: (path: string) => boolean): Promise<HttpOrigin> {
  return httpOrigin((request, response) => {
    const path = request.url ?? '';
    if (isRefused(path)) {
      response.statusCode = 503;
      response.setHeader('retry-after', wait);
    } else if (path === '/robots.txt') response.statusCode = 404;
    response.setHeader('content-type', 'text/html');
    response.end('<title>Home</title><a href="/busy">busy</a>');
  });
}

const times = ({ requests }: HttpOrigin, path: string): number =>
  requests.filter((line) => line === `GET ${path}`).length;
const CUT = 'the host asked to wait 1000000000 s (Retry-After), of which 1 s are granted (--max-retry-after)';

describe('a host that asks for a longer wait than --max-retry-after', () => {
  it.each(['1000000000', '1e9'])(
    'by %s is asked again after that, and given up by the ordinary rules',
    async (wait) => {
      await using site = await openSite(wait, (path) => path === '/busy');
      const folder = join(base, `cut-${wait}`);
      const options = ['--render', 'never', '--no-sitemap', '--max-retry-after', '1s'];
      const { code, output } = await runHere(['crawl', `${site.url}/`, '-o', folder, ...options], base);
      expect(code, output).toBe(0);
      expect(times(site, '/busy')).toBe(3);
      const busy = (await linesOf<PageRecord>(folder, 'pages.jsonl')).find(({ url }) => url.endsWith('/busy'));
      expect(busy).toMatchObject({ outcome: 'http-error', status: 503, attempt: 3, detail: `status 503; ${CUT}` });
      expect(output).toContain(`status 503; ${CUT}`);
      const { events } = await explainUrl(folder, `${site.url}/busy`);
      expect(events).toMatchObject([
        { event: 'tried in vain', status: 503, retryAfter: '1000000000 s', wait: expect.any(Number) },
        { event: 'tried in vain', status: 503, retryAfter: '1000000000 s', wait: expect.any(Number) },
      ]);
    },
  );

  it('with its robots.txt likewise', async () => {
    await using site = await openSite('1000000000', (path) => path === '/robots.txt');
    const folder = join(base, 'robots');
    const options = ['--render', 'never', '--no-sitemap', '--max-retry-after', '1s'];
    const { code, output } = await runHere(['crawl', `${site.url}/`, '-o', folder, ...options], base);
    expect(code, output).toBe(3);
    expect(times(site, '/robots.txt')).toBe(3);
    expect(await linesOf<SkippedRecord>(folder, 'skipped.jsonl')).toMatchObject([
      { reason: 'disallowed-by-robots', rule: `robots.txt answered with status 503; ${CUT}` },
    ]);
  });
});

describe('a host that refuses for a while by 403', () => {
  it('is left alone for the time that it asks for, and gives all its pages then', async () => {
    let open = 0;
    await using site = await httpOrigin((request, response) => {
      const path = request.url ?? '';
      if (path === '/robots.txt') response.statusCode = 404;
      else if (path !== '/' && (open += 1) === 1) {
        response.statusCode = 403;
        response.setHeader('retry-after', '1');
      }
      response.setHeader('content-type', 'text/html');
      response.end(`<title>${path}</title><a href="/a">a</a><a href="/b">b</a>`);
    });
    const folder = join(base, 'forbidden');
    const options = ['--render', 'never', '--no-sitemap', '--workers', '1'];
    const { code, output } = await runHere(['crawl', `${site.url}/`, '-o', folder, ...options], base);
    expect(code, output).toBe(0);
    const pages = await linesOf<PageRecord>(folder, 'pages.jsonl');
    expect(pages.map(({ outcome }) => outcome)).toEqual(['captured', 'captured', 'captured']);
  });
});

describe('a crawl that waits for a host', () => {
  it('says for whom, until when and why, in its progress and in its report', async () => {
    await using site = await openSite('3600', (path) => path === '/busy');
    const before = Date.now();
    await using crawl = await startCrawl({
      seeds: [`${site.url}/`],
      output: join(base, 'told'),
      render: 'never',
      sitemap: false,
      logLevel: 'warn',
    });
    await until(() => crawl.progress().hostsWaiting.length > 0, 'the host that waits');
    const [waiting] = crawl.progress().hostsWaiting;
    expect(waiting).toMatchObject({ host: site.url, why: 'Retry-After, 503' });
    expect(waiting?.until).toBeGreaterThanOrEqual(before + 3_600_000);
    crawl.stop('drain');
    expect((await crawl.report()).hostsWaiting).toMatchObject([{ host: site.url, why: 'Retry-After, 503' }]);
  });

  it.each([
    ['--time-limit', ['--time-limit', '8s'], null, 0],
    ['SIGINT', [], 'SIGINT', 130],
  ] as const)('ends at once by %s, and its summary names the host', async (_what, flags, signal, expected) => {
    await using site = await openSite('3600', (path) => path === '/busy');
    const options = ['--render', 'never', '--no-sitemap', '-o', join(base, `wait-${expected}`), ...flags];
    const command = runCommand(['crawl', `${site.url}/`, ...options], base);
    await until(() => times(site, '/busy') === 1, `the refusal: ${command.output()}`);
    const logged = async () =>
      (await linesOf<{ event: string }>(join(base, `wait-${expected}`), 'log.jsonl')).some(
        ({ event }) => event === 'host asked to wait',
      );
    await until(logged, 'the wait');
    const began = performance.now();
    if (signal !== null) command.child.kill(signal);
    const { code, output } = await command.ended;
    expect(code, output).toBe(expected);
    expect(performance.now() - began).toBeLessThan(30_000);
    expect(times(site, '/busy')).toBe(1);
    expect(output).toContain('Hosts that asked to wait');
    expect(output).toMatch(/127\.0\.0\.1:\d+ until \d\d:\d\d \(Retry-After, 503\)/);
  });
});
