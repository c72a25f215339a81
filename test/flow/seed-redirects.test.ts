/** Seeds that redirect to another host name: what was found before its pages were in the scope. */
import { describe, expect, it } from 'vitest';
import { runCrawl, type CrawlRun } from '../support/crawl-run.ts';
import { httpOrigin, type HttpOrigin } from '../support/origin.ts';

/** Answers of a host by its first label and path: a text that begins with `/` or a host's name and `/` redirects there. */
type Hosts = Readonly<Record<string, (path: string, at: (name: string) => string) => Answer>>;

type Answer = { readonly redirect: string } | { readonly body: string; readonly type?: string } | null;

const open = (hosts: Hosts): Promise<HttpOrigin> =>
  httpOrigin(({ headers: { host = '' }, url = '' }, response) => {
    const [name = '', port = ''] = host.split('.localhost:');
    const answer = hosts[name]?.(url, (other) => `http://${other}.localhost:${port}`) ?? null;
    if (answer === null) response.writeHead(404).end();
    else if ('redirect' in answer) response.writeHead(301, { location: answer.redirect }).end();
    else response.writeHead(200, { 'content-type': answer.type ?? 'text/html' }).end(answer.body);
  });

const seedOf = ({ port }: HttpOrigin, name: string): string => `http://${name}.localhost:${port}/`;

/** What was read, by host and path. */
const readBy = ({ pages }: CrawlRun): readonly string[] =>
  pages
    .filter(({ outcome }) => outcome === 'captured' || outcome === 'not-html')
    .map(({ url }) => url.replace(/^http:\/\/(.*)\.localhost:\d+/, '$1'))
    .toSorted();

const SETTINGS = { render: 'never', delay: 0, workers: 1 } as const;

const all =
  (name: string): Hosts[string] =>
  (path, at) => ({ redirect: at(name) + path });

/** A site whose sitemap names a page that no page names. */
const site =
  (name: string): Hosts[string] =>
  (path, at) => {
    if (path === '/robots.txt') return { body: `Sitemap: ${at(name)}/sitemap.xml\n`, type: 'text/plain' };
    if (path === '/') return { body: '<title>Home</title><p>Welcome' };
    if (path === '/orphan') return { body: '<title>Orphan</title><p>Nobody links here' };
    if (path !== '/sitemap.xml') return null;
    const body = `<?xml version="1.0"?><urlset><url><loc>${at(name)}/orphan</loc></url></urlset>`;
    return { body, type: 'application/xml' };
  };

describe('the sitemap of a site is read', () => {
  const read = ['www.one/', 'www.one/orphan', 'www.one/sitemap.xml'];

  it('where the seed redirects to it, and its robots.txt as well', async () => {
    await using origin = await open({ one: all('www.one'), 'www.one': site('www.one') });
    const run = await runCrawl({ seeds: [seedOf(origin, 'one')], ...SETTINGS });
    expect(readBy(run)).toEqual(read);
    expect(run.skipped.size).toBe(0);
  });

  it('where a chain of redirects leads there, whose first robots.txt names it already', async () => {
    await using origin = await open({
      old: (path, at) => ({ redirect: path === '/robots.txt' ? `${at('www.one')}${path}` : `${at('one')}${path}` }),
      one: all('www.one'),
      'www.one': site('www.one'),
    });
    const run = await runCrawl({ seeds: [seedOf(origin, 'old')], ...SETTINGS });
    expect(readBy(run)).toEqual(read);
    expect(run.skipped.size).toBe(0);
  });
});

it('a page to which a seed redirects is visited, and its pages are, though another seed named them before', async () => {
  await using origin = await open({
    one: (path, at) =>
      path === '/'
        ? {
            body: ['www.two/', 'www.two/more', 'three/']
              .map((place) => place.split('/', 2))
              .map(([name = '', page = '']) => `<a href="${at(name)}/${page}">${name}</a>`)
              .join('\n'),
          }
        : null,
    two: all('www.two'),
    'www.two': (path) => {
      if (path === '/') return { body: '<title>Two</title><a href="/more">more</a>' };
      return path === '/more' ? { body: '<title>More</title><p>More of it' } : null;
    },
  });
  const run = await runCrawl({ seeds: [seedOf(origin, 'one'), seedOf(origin, 'two')], ...SETTINGS });
  expect(readBy(run)).toEqual(['one/', 'www.two/', 'www.two/more']);
  const skipped = [...run.skipped.values()].filter(({ reason }) => reason === 'out-of-scope');
  expect(skipped.map(({ url }) => url)).toEqual([seedOf(origin, 'three')]);
});
