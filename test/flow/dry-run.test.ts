import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { currentEnvironment } from '../../src/crawl/crawl-environment.ts';
import { forecastCrawl } from '../../src/crawl/forecast/forecast-crawl.ts';
import { httpOrigin } from '../support/origin.ts';
import { openFixture } from '../support/fixture-sites.ts';
import { BUCKET, startS3 } from '../support/s3-server.ts';
import { temporarySite } from '../support/temporary-site.ts';
import { openTrapSite } from '../support/trap-sites.ts';

test('a forecast of a site visits a sample by its rules and leaves nothing behind', async () => {
  await using site = await openFixture('robots-rules');
  const output = await mkdtemp(join(tmpdir(), 'orbweaver-dry-run-'));
  const forecast = await forecastCrawl({ seeds: [site.url], output, delay: 0 });
  expect(await readdir(output)).toEqual([]);
  await rm(output, { recursive: true });
  expect(forecast.seeds).toEqual([
    { url: site.url, allowed: true, robots: 'no rule matches', crawlDelay: null, delay: 0 },
  ]);
  expect(forecast.sitemaps).toMatchObject({ files: 1, truncated: false });
  expect(forecast.sitemaps.pages).toBeGreaterThan(0);
  // all pages expected of a crawl, without the sitemap, which is no page
  const pages = Object.keys(site.expected.pages).length - 1;
  expect(forecast.pages.count).toBeGreaterThanOrEqual(pages - 1);
  expect(forecast.sample.pageBytes).toBeGreaterThan(100);
  expect(forecast.disk).toBe(forecast.pages.count * forecast.sample.pageBytes);
  expect(forecast.sample.visitTime).toBeGreaterThan(0);
  const forbidden = Object.keys(site.expected.skipped).map((key) => key.split('?')[0]);
  const asked = site.requests().map(({ path }) => path);
  expect(asked.filter((path) => path !== '/search?page=2' && forbidden.includes(path.split('?')[0]))).toEqual([]);
});

test('a forecast of a site without an end visits ten pages and says that there are more', async () => {
  await using site = await openTrapSite('link-farm');
  const forecast = await forecastCrawl({ seeds: [site.server.url], render: 'never' });
  expect(forecast.sample.visited).toBe(10);
  expect(forecast.pages).toMatchObject({ basis: 'links', atLeast: true, limited: false, limitedBy: null });
  const limited = await forecastCrawl({ seeds: [site.server.url], render: 'never', limit: 12 });
  expect(limited.pages).toMatchObject({ count: 12, limited: true, limitedBy: 'limit' });
});

test('a Crawl-delay is in force in the forecast and between the visits of its sample', async () => {
  await using site = await openFixture('crawl-delay');
  const { seeds, duration, pages } = await forecastCrawl({ seeds: [site.url], render: 'never' });
  expect(seeds).toMatchObject([{ crawlDelay: 1000, delay: 1000 }]);
  expect(pages).toEqual({ count: 4, basis: 'complete', atLeast: false, limited: false, limitedBy: null });
  expect(duration.boundBy).toBe('delay');
  expect(duration.time).toBeGreaterThanOrEqual(4000);
  const visits = site.requests().filter(({ path }) => path !== '/robots.txt');
  const gaps = visits.slice(1).map(({ at }, index) => at - (visits[index]?.at ?? Number.NaN));
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1000);
});

test('a forecast of a site that does not answer says why there is none', async () => {
  const { sample, pages } = await forecastCrawl({ seeds: ['http://127.0.0.1:1/'], render: 'never', retries: 0 });
  expect(sample.cause).toMatch(/^http:\/\/127\.0\.0\.1:1\/: .*ECONNREFUSED/);
  expect(pages).toEqual({ count: 0, basis: 'nothing', atLeast: false, limited: false, limitedBy: null });
});

test('a forecast counts pages and no redirects, and makes ten visits at the most, those of redirects included', async () => {
  const numbers = Array.from({ length: 30 }, (_, index) => index);
  const links = (names: readonly string[]): string => names.map((name) => `<p><a href="${name}">${name}</a>`).join('');
  await using site = await temporarySite({
    'site.json': JSON.stringify({
      routes: {
        '/old': { redirect: '/new' },
        ...Object.fromEntries(numbers.map((index) => [`/r${index}`, { redirect: `/p${index}` }])),
      },
    }),
    'www/index.html': links(['/old', '/a']),
    'www/new.html': '<p>new',
    'www/a.html': '<p>a',
    'www/many.html': links(numbers.map((index) => `/r${index}`)),
    ...Object.fromEntries(numbers.map((index) => [`www/p${index}.html`, `<p>${index}`])),
  });
  const whole = await forecastCrawl({ seeds: [site.server.url], render: 'never' });
  expect(whole.sample).toMatchObject({ visited: 3, known: 3, complete: true });
  expect(whole.pages).toMatchObject({ count: 3, basis: 'complete', atLeast: false });
  const before = site.server.requests().length;
  const { sample } = await forecastCrawl({ seeds: [`${site.server.url}many`], render: 'never', workers: 4 });
  const asked = site.server
    .requests()
    .slice(before)
    .filter(({ path }) => path !== '/robots.txt' && path !== '/sitemap.xml');
  expect(asked.length).toBeLessThanOrEqual(10);
  expect(sample.visited).toBe(asked.filter(({ path }) => !path.startsWith('/r')).length);
  expect(sample.known).toBeGreaterThanOrEqual(30 - 9);
});

test('a forecast counts the pages of sitemaps also where the seed redirects to another host', async () => {
  const numbers = Array.from({ length: 40 }, (_, index) => index);
  const sitemapOf = (home: string): string => {
    const names = [...numbers.map((index) => `p${index}`), 'private/a'];
    return `<urlset>${names.map((name) => `<url><loc>${home}/${name}</loc></url>`).join('')}</urlset>`;
  };
  await using site = await httpOrigin((request, response) => {
    const { host = '', port = '' } = /^(?<host>.*?):(?<port>\d+)$/.exec(request.headers.host ?? '')?.groups ?? {};
    const home = `http://www.named.localhost:${port}`;
    if (host !== 'www.named.localhost') {
      response.writeHead(301, { location: `${home}${request.url ?? ''}` }).end();
      return;
    }
    const texts = {
      '/robots.txt': ['text/plain', 'User-agent: *\nDisallow: /private/\n'],
      '/sitemap.xml': ['text/xml', sitemapOf(home)],
      '/': ['text/html', '<title>Home</title><a href="/p0">p0</a>'],
    } as const;
    const [type, text] = Object.entries(texts).find(([path]) => path === request.url)?.[1] ?? ['text/html', '<p>page'];
    response.writeHead(200, { 'content-type': type }).end(text);
  });
  const seeds = [`http://named.localhost:${site.port}/`];
  const { sitemaps, pages } = await forecastCrawl({ seeds, render: 'never', delay: 0 });
  expect(sitemaps).toEqual({ files: 1, named: 41, pages: 40, truncated: false });
  expect(pages).toMatchObject({ count: 40, basis: 'sitemap', atLeast: true });
});

test('a forecast puts nothing into the storage of snapshots, and counts none of them as bytes of the disk', async () => {
  const html = `<title>Home</title><!-- ${'x'.repeat(50_000)} -->`;
  await using site = await temporarySite({ 'site.json': '{}', 'www/index.html': html });
  await using storage = await startS3();
  const options = { seeds: [site.server.url], render: 'never', snapshot: ['html'] } as const;
  const environment = currentEnvironment({ ...process.env, ...storage.variables });
  const { sample } = await forecastCrawl({ ...options, snapshotStorage: `s3://${BUCKET}/sites` }, environment);
  expect(storage.log).toEqual([]);
  expect(sample).toMatchObject({ visited: 1, complete: true });
  expect(sample.pageBytes).toBeLessThan(10_000);
  const { sample: here } = await forecastCrawl(options, environment);
  expect(here.pageBytes).toBeGreaterThan(50_000);
});

test('a forecast of a crawl that measures its pages visits each page of the sample once', async () => {
  await using site = await temporarySite({
    'site.json': '{}',
    'www/index.html': '<title>Home</title><p><a href="/a">a</a>',
    'www/a.html': '<title>A</title><p>a',
  });
  const { sample } = await forecastCrawl({ seeds: [site.server.url], render: 'always', audit: true, measure: true });
  expect(sample).toMatchObject({ visited: 2, complete: true });
  const asked = site.server.requests().map(({ path }) => path);
  expect(asked.filter((path) => path === '/' || path === '/a')).toEqual(['/', '/a']);
});
