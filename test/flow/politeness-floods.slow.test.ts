/** Politeness under floods and slow hosts: tests that take tens of seconds. */
import { describe, expect, it, vi } from 'vitest';
import { pathsOf, runCrawl } from '../support/crawl-run.ts';
import { openFixture } from '../support/fixture-sites.ts';
import { temporaryFixture, type TemporarySite } from '../support/temporary-site.ts';

// refusing twenty thousand requests takes a minute on a shared machine
vi.setConfig({ testTimeout: 300_000 });

const DELAY = 300;

const page = (...hrefs: readonly string[]): string =>
  `<!doctype html><title>Page</title>${hrefs.map((href) => `<p><a href="${href}">${href}</a></p>`).join('')}`;

function siteOf(
  routes: Readonly<Record<string, unknown>>,
  files: Readonly<Record<string, string>>,
): Promise<TemporarySite> {
  return temporaryFixture({ 'site.json': JSON.stringify({ routes }), ...files });
}

it('a host that takes two seconds for each answer does not hold up one that answers at once', async () => {
  await using site = await openFixture('slow-host-beside-fast-host');
  const run = await runCrawl({ seeds: [site.url], scope: 'any', render: 'never', delay: 50 });
  expect(pathsOf(run)).toHaveLength(14);
  const moments = (host: string): readonly number[] =>
    site
      .requests()
      .filter((request) => request.host.startsWith(host) && request.path.startsWith('/page/'))
      .map(({ at }) => at);
  const [fast, slow] = [moments('fast'), moments('slow')];
  expect([fast.length, slow.length]).toEqual([10, 3]);
  // the fast host is asked for all its pages before the slow one answers its second
  expect(fast.at(-1)).toBeLessThan((slow[1] ?? 0) + 2000);
});

describe('the requests of a page itself', () => {
  it('are at most a hundred at once and twenty a second, though it asks for twenty thousand (F36)', async () => {
    const flood = '<script>for (let n = 0; n < 20000; n++) fetch("/api?" + n).catch(() => {})</script>';
    await using site = await siteOf(
      { '/api': { json: {} } },
      { 'www/index.html': page('/flood', '/a'), 'www/flood.html': `${page('/b')}${flood}`, 'www/a.html': page() },
    );
    const options = { delay: DELAY, pageTimeout: 120_000, render: 'always', retries: 0 } as const;
    const run = await runCrawl({ seeds: [site.server.url], ...options });
    expect(pathsOf(run)).toContain('/a');
    // each request takes 60 KB of the browser before it can be stopped: all of them may exceed the memory of a page
    const ended = run.pages.find(({ url }) => url.endsWith('/flood'));
    if (ended?.outcome === 'crashed') expect(ended.detail).toMatch(/memory: .* took more than/);
    else expect(ended).toMatchObject({ outcome: 'captured' });
    const moments = site.server.requests().map(({ at }) => at);
    expect(moments.length).toBeLessThanOrEqual(500);
    const excess = moments.flatMap((from, index) =>
      moments.slice(index).map((to, more) => more + 1 - (100 + ((to - from) * 20) / 1000)),
    );
    // the server may log one request in a hundred late, and the next one at once
    expect(Math.max(...excess)).toBeLessThanOrEqual(5);
  });

  it('cost it no link, though it asks for six thousand', async () => {
    const flood = '<script>for (let n = 0; n < 6000; n++) fetch("/api?" + n).catch(() => {})</script>';
    await using site = await siteOf(
      { '/api': { json: {} } },
      { 'www/index.html': `${page('/a')}${flood}`, 'www/a.html': page() },
    );
    const run = await runCrawl({ seeds: [site.server.url], delay: DELAY, pageTimeout: 120_000, render: 'always' });
    expect(pathsOf(run)).toContain('/a');
  });
});
