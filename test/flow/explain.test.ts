import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startCrawl } from '../../src/crawl/start-crawl.ts';
import { explainUrl } from '../../src/inspect/explain-url.ts';
import type { CrawlOptions } from '../../src/options/options.ts';
import { urlOfKey } from '../../src/compare/expected-site.ts';
import { openFixture } from '../support/fixture-sites.ts';

async function crawled(site: string, options: Partial<CrawlOptions>) {
  const fixture = await openFixture(site);
  const output = await mkdtemp(join(tmpdir(), 'orbweaver-explain-'));
  await using crawl = await startCrawl({
    seeds: [fixture.url],
    output,
    overwrite: true,
    delay: 0,
    render: 'never',
    ...options,
  });
  await crawl.report();
  return {
    fixture,
    explain: (key: string) => explainUrl(output, urlOfKey(key, fixture.origins)),
    [Symbol.asyncDispose]: async () => {
      await fixture[Symbol.asyncDispose]();
      await rm(output, { recursive: true, force: true });
    },
  };
}

test('a finished crawl explains every URL that its fixture expects, visited or skipped', async () => {
  await using site = await crawled('robots-rules', {});
  for (const [key, { outcome }] of Object.entries(site.fixture.expected.pages)) {
    const history = await site.explain(key);
    expect({ key, standing: history.standing, accepted: history.scope?.accepted }).toEqual({
      key,
      standing: outcome === 'http-error' ? 'failed' : 'visited',
      accepted: true,
    });
    expect(history.isSeed || history.inLinks.total > 0).toBe(true);
    expect(history.robots).toMatch(/^(?:no rule matches|Allow: .* \(line \d+\))$/);
    expect(history.notes).toEqual([]);
  }
  for (const [key, { reason }] of Object.entries(site.fixture.expected.skipped)) {
    const history = await site.explain(key);
    expect({ key, standing: history.standing, reason: history.skipped?.reason }).toEqual({
      key,
      standing: 'skipped',
      reason,
    });
    expect(history.robots).toMatch(/^Disallow: .* \(line \d+\)$/);
  }
  expect(await site.explain('/nobody-names-this')).toMatchObject({ standing: 'unknown', scope: { accepted: true } });
});

test('a crawl that ended at its limit explains what was still queued', async () => {
  await using site = await crawled('robots-rules', { limit: 1 });
  expect(await site.explain('/')).toMatchObject({ standing: 'visited', isSeed: true });
  expect(await site.explain('/private-parts')).toMatchObject({
    standing: 'queued',
    scope: { accepted: true, depth: 1 },
  });
});

test('a page that was tried again is explained with its earlier try', async () => {
  await using site = await crawled('errors', { include: ['busy-once'] });
  const { page, events } = await site.explain('/busy-once');
  expect(page).toMatchObject({ outcome: 'captured', attempt: 2 });
  expect(events).toMatchObject([{ event: 'tried in vain', attempt: 1, outcome: 'throttled', status: 503 }]);
});
