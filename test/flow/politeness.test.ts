/** A crawl as the site's owner sees it: in the server's own log, with a real browser. */
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { milliseconds } from '../../src/base/units.ts';
import type { ServedRequest, SiteServer } from '../../src/site-server/site-server.ts';
import { pathsOf, runCrawl } from '../support/crawl-run.ts';
import { openFixture } from '../support/fixture-sites.ts';
import { temporaryFixture, type TemporarySite } from '../support/temporary-site.ts';

const DELAY = 300;
/** Milliseconds: timers may fire a little early, and the server logs the arrival of a request, not when it was sent. */
const EARLY = 5;

const page = (...hrefs: readonly string[]): string =>
  `<!doctype html><title>Page</title>${hrefs.map((href) => `<p><a href="${href}">${href}</a></p>`).join('')}`;

/** A site of two hosts, `one` and `two`; paths of routes may name their host. */
function twoHosts(
  routes: Readonly<Record<string, unknown>>,
  files: Readonly<Record<string, string>>,
): Promise<TemporarySite> {
  const site = JSON.stringify({ hosts: { one: 'one', two: 'two' }, routes });
  return temporaryFixture({ 'site.json': site, 'one/empty.txt': '', 'two/empty.txt': '', ...files });
}

function oneHost(
  routes: Readonly<Record<string, unknown>>,
  files: Readonly<Record<string, string>>,
): Promise<TemporarySite> {
  return temporaryFixture({ 'site.json': JSON.stringify({ routes }), ...files });
}

const byPath = ([one = '']: readonly string[], [other = '']: readonly string[]): number => (one < other ? -1 : 1);

const robots = (text: string): object => ({ body: text, headers: { 'content-type': 'text/plain' } });

function requestsTo({ server }: TemporarySite, name: string): readonly ServedRequest[] {
  return server.requests().filter(({ host }) => host.startsWith(name));
}

const pathsIn = (requests: readonly ServedRequest[]): readonly string[] => requests.map(({ path }) => path);

/** Times from the end of each answer to the next request; `took` is the server's delay for a path. */
function pauses(requests: readonly ServedRequest[], took: Readonly<Record<string, number>> = {}): readonly number[] {
  return requests.slice(1).map(({ at }, index) => {
    const before = requests[index];
    return at - (before?.at ?? Number.NaN) - (took[before?.path ?? ''] ?? 0);
  });
}

const originOf = (server: SiteServer, name: string): string => server.origins.get(name) ?? '';

describe('the pause between two visits of a host', () => {
  it('is kept from the end of each request, robots.txt and errors included, while two hosts go side by side', async () => {
    await using site = await twoHosts(
      { 'one:/slow': { body: page(), delay: 250 }, 'one:/gone': { status: 404, body: page() } },
      {
        'one/index.html': page('/a', '/slow', '/gone'),
        'one/a.html': page('/b'),
        'one/b.html': page(),
        'two/index.html': page('/a', '/b'),
        'two/a.html': page(),
        'two/b.html': page(),
      },
    );
    const seeds = [`${originOf(site.server, 'one')}/`, `${originOf(site.server, 'two')}/`];
    const run = await runCrawl({ seeds, delay: DELAY });
    expect(run.report.outcomes).toEqual({ captured: 7, 'http-error': 1 });

    const [one, two] = [requestsTo(site, 'one'), requestsTo(site, 'two')];
    expect(pathsIn(one).toSorted()).toEqual(['/', '/a', '/b', '/gone', '/robots.txt', '/sitemap.xml', '/slow']);
    expect(pathsIn(two).toSorted()).toEqual(['/', '/a', '/b', '/robots.txt', '/sitemap.xml']);
    expect([one[0]?.path, two[0]?.path]).toEqual(['/robots.txt', '/robots.txt']);
    expect(Math.min(...pauses(one, { '/slow': 250 }))).toBeGreaterThanOrEqual(DELAY - EARLY);
    expect(Math.min(...pauses(two))).toBeGreaterThanOrEqual(DELAY - EARLY);
    // side by side: neither host waits for the other to finish
    expect(two[1]?.at).toBeLessThan(one.at(-1)?.at ?? 0);
    expect(one[1]?.at).toBeLessThan(two.at(-1)?.at ?? 0);
  });

  it('holds between the hops of a redirect, and before another try', async () => {
    await using site = await oneHost(
      { '/from': { redirect: '/to' }, '/flaky': { status: 500, body: page(), times: 1 } },
      { 'www/index.html': page('/from', '/flaky'), 'www/to.html': page(), 'www/flaky.html': page() },
    );
    const run = await runCrawl({ seeds: [site.server.url], delay: DELAY, retries: 1 });
    expect(pathsOf(run)).toEqual(['/', '/flaky', '/to']);
    const requests = site.server.requests();
    expect(pathsIn(requests).filter((path) => path === '/flaky')).toHaveLength(2);
    expect(Math.min(...pauses(requests))).toBeGreaterThanOrEqual(DELAY - EARLY);
  });

  it('grows to a Crawl-delay, which is cut to --max-crawl-delay, and the report says so', async () => {
    await using site = await oneHost(
      { '/robots.txt': robots('User-agent: *\nCrawl-delay: 60\n') },
      { 'www/index.html': page('/a'), 'www/a.html': page() },
    );
    const run = await runCrawl({ seeds: [site.server.url], delay: 0, maxCrawlDelay: DELAY, hostConcurrency: 2 });
    expect(pathsOf(run)).toEqual(['/', '/a']);
    expect(Math.min(...pauses(site.server.requests()))).toBeGreaterThanOrEqual(DELAY - EARLY);
    expect(run.report.notes.join('\n')).toMatch(/Crawl-delay of 60 s.*cut to 0\.3 s.*--max-crawl-delay/);
  });
});

describe('a host that asks for patience', () => {
  it('gets the second that it asks for, whatever of it is next, and the least where it asks for less', async () => {
    await using site = await openFixture('retry-after');
    const run = await runCrawl({ seeds: [site.url], delay: 0, retries: 1 });
    expect(pathsOf(run)).toEqual(['/', '/past', '/seconds', '/zero']);
    const requests = site.requests().filter(({ host }) => host.startsWith('one'));
    const refused = requests.filter(({ path }, index) => {
      const again = requests.slice(index + 1).some((later) => later.path === path);
      return again && path !== '/' && path !== '/robots.txt';
    });
    expect(refused).toHaveLength(3);
    for (const { at } of refused) {
      const next = requests.find((later) => later.at > at);
      expect((next?.at ?? 0) - at).toBeGreaterThanOrEqual(1000 - EARLY);
    }
  });

  it('for years, or for nonsense, ends with its answer where nothing is tried again, and the crawl ends', async () => {
    await using site = await openFixture('retry-after', 'once');
    const run = await runCrawl({ seeds: [site.url], delay: 0, retries: 0, scope: 'any' });
    expect(pathsOf(run, 'http-error')).toEqual(['/later', '/later', '/later', '/later', '/past', '/seconds', '/zero']);
    expect(run.report).toMatchObject({ end: 'all-visited', state: 'finished' });
  });
});

describe('robots.txt', () => {
  it('forbids everything of its host while it is answered by 503', async () => {
    await using site = await oneHost(
      { '/robots.txt': { status: 503, body: '' } },
      { 'www/index.html': page('/a'), 'www/a.html': page() },
    );
    const run = await runCrawl({ seeds: [site.server.url], delay: 0, retries: 0 });
    expect(pathsIn(site.server.requests())).toEqual(['/robots.txt']);
    expect([...run.skipped].map(([url, { reason }]) => [url, reason])).toEqual([
      [site.server.url, 'disallowed-by-robots'],
    ]);
    expect(run.report).toMatchObject({ end: 'seeds-failed', outcomes: {} });
  });

  it('makes a host unreachable that resets the connection over it, and nothing else of the host is asked for', async () => {
    await using site = await oneHost(
      { '/robots.txt': { fault: 'reset' } },
      { 'www/index.html': page('/a'), 'www/a.html': page() },
    );
    const run = await runCrawl({ seeds: [site.server.url], delay: 0, retries: 0 });
    expect(new Set(pathsIn(site.server.requests()))).toEqual(new Set(['/robots.txt']));
    expect(pathsOf(run, 'unreachable')).toEqual(['/']);
    expect(run.pages[0]?.detail).toContain('robots.txt');
  });

  it.each<[string, object]>([
    ['a reset connection', { fault: 'reset', times: 1 }],
    ['503', { status: 503, body: '', times: 1 }],
  ])('is asked for again with each try of a page, so that %s costs the page one try', async (_what, once) => {
    await using site = await oneHost(
      { '/robots.txt': once },
      { 'www/robots.txt': 'User-agent: *\nDisallow: /no\n', 'www/index.html': page('/a', '/no'), 'www/a.html': page() },
    );
    const run = await runCrawl({ seeds: [site.server.url], delay: 0, sitemap: false });
    expect(pathsOf(run)).toEqual(['/', '/a']);
    expect(run.report).toMatchObject({ end: 'all-visited', state: 'finished' });
    expect([...run.skipped.keys()].map((url) => new URL(url).pathname)).toEqual(['/no']);
    // the next one came when the wait was over
    const asked = site.server.requests().filter(({ path }) => path === '/robots.txt');
    expect((asked.at(-1)?.at ?? 0) - (asked[0]?.at ?? 0)).toBeGreaterThanOrEqual(1500 - EARLY);
  });

  it('costs a host no time with the links that it forbids, and what it allows keeps its distance', async () => {
    const forbidden = Array.from({ length: 30 }, (_, index) => `/w/${index}`);
    await using site = await oneHost(
      { '/robots.txt': robots('User-agent: *\nDisallow: /w/\n') },
      { 'www/index.html': page(...forbidden, '/x'), 'www/x.html': page('/y'), 'www/y.html': page() },
    );
    const run = await runCrawl({ seeds: [site.server.url], delay: 1000, sitemap: false });
    expect(pathsOf(run)).toEqual(['/', '/x', '/y']);
    // and /w/, which robots.txt names
    expect(run.skipped.size).toBe(31);
    const requests = site.server.requests();
    expect(pathsIn(requests)).toEqual(['/robots.txt', '/', '/x', '/y']);
    expect(Math.min(...pauses(requests))).toBeGreaterThanOrEqual(1000 - EARLY);
    // far less than one delay for each forbidden link
    expect(requests.at(-1)?.at).toBeLessThan((requests[0]?.at ?? 0) + 20_000);
  });

  it('is obeyed by the group that names the crawler, and asked for once', async () => {
    await using site = await oneHost(
      { '/robots.txt': robots('User-agent: *\nDisallow: /\n\nUser-agent: orbweaver\nDisallow: /no\n') },
      { 'www/index.html': page('/yes', '/no', '/no/deeper'), 'www/yes.html': page(), 'www/no.html': page() },
    );
    const run = await runCrawl({ seeds: [site.server.url], delay: 0, sitemap: false });
    expect(pathsIn(site.server.requests()).toSorted()).toEqual(['/', '/robots.txt', '/yes']);
    const refused = [...run.skipped.values()].map(({ url, reason }) => [new URL(url).pathname, reason]);
    expect(refused.toSorted(byPath)).toEqual([
      ['/no', 'disallowed-by-robots'],
      ['/no/deeper', 'disallowed-by-robots'],
    ]);
  });

  it('is not even asked for with --no-robots', async () => {
    await using site = await oneHost(
      { '/robots.txt': robots('User-agent: *\nDisallow: /\n') },
      { 'www/index.html': page('/a'), 'www/a.html': page() },
    );
    const run = await runCrawl({ seeds: [site.server.url], delay: 0, robots: false });
    expect(pathsIn(site.server.requests()).toSorted()).toEqual(['/', '/a']);
    expect(pathsOf(run)).toEqual(['/', '/a']);
  });

  it('of another host holds for redirects and scripts that lead there', async () => {
    await using site = await twoHosts(
      {
        'one:/go': { redirect: '{origin:two}/secret' },
        'one:/script': { body: '<title>Script</title><script>location.href = "{origin:two}/secret?script"</script>' },
        'two:/robots.txt': robots('User-agent: *\nDisallow: /secret\n'),
      },
      { 'one/index.html': page('/go', '/script'), 'two/secret.html': page() },
    );
    const run = await runCrawl({ seeds: [`${originOf(site.server, 'one')}/`], delay: 0, scope: 'any' });
    expect(pathsOf(run, 'redirected')).toContain('/go');
    expect(pathsIn(requestsTo(site, 'two'))).toEqual(['/robots.txt']);
    const secret = `${originOf(site.server, 'two')}/secret`;
    for (const url of [secret, `${secret}?script`])
      expect(run.skipped.get(url)).toMatchObject({ reason: 'disallowed-by-robots' });
  });
});

describe('a crawl', () => {
  it('names itself in every request, with an address to turn to, and sends none after its end', async () => {
    await using site = await oneHost(
      {},
      {
        'www/index.html': `${page('/a')}<script>setInterval(() => fetch('/tick?' + Math.random()), 50)</script>`,
        'www/a.html': `${page()}<script src="/script.js"></script>`,
        'www/script.js': 'document.title = "A";',
      },
    );
    const run = await runCrawl({ seeds: [site.server.url], delay: 0 });
    const after = site.server.requests();
    expect(pathsOf(run)).toEqual(['/', '/a']);
    expect(pathsIn(after)).toContain('/script.js');
    for (const { userAgent } of after) expect(userAgent).toMatch(/\bOrbweaver\/\d+\.\d+\.\d+; \+https:\/\/\S+\)/);
    await systemClock.sleep(milliseconds(500), new AbortController().signal); // ten ticks, if any timer is still running
    expect(site.server.requests()).toHaveLength(after.length);
  });
});
