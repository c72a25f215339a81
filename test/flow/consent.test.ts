/** A crawl that answers consent dialogs: the records in its folder, and that a resume keeps its setting. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { auditCrawl } from '../../src/audit/audit-crawl.ts';
import { resumeCrawl, startCrawl } from '../../src/crawl/start-crawl.ts';
import type { PageRecord } from '../../src/model/record.ts';
import { linesOf } from '../support/crawl-run.ts';
import { openFixture } from '../support/fixture-sites.ts';
import { httpOrigin } from '../support/origin.ts';

test('a crawl says of each page what became of its dialog, and in crawl.json by which rules, before and after it was resumed', async () => {
  await using site = await openFixture('consent');
  const output = await mkdtemp(join(tmpdir(), 'orbweaver-consent-'));
  const quiet = { logLevel: 'warn', snapshot: [], workers: 1 } as const;
  try {
    {
      const options = {
        ...quiet,
        seeds: [site.url],
        consent: 'accept',
        render: 'auto',
        limit: 3,
        overwrite: true,
        output,
      } as const;
      await using crawl = await startCrawl(options);
      await crawl.report();
    }
    await expect(resumeCrawl(output, { consent: 'reject' })).rejects.toMatchObject({
      code: 'USAGE',
      data: { option: 'consent' },
      message: expect.stringContaining('started with consent "accept"'),
    });
    await using crawl = await resumeCrawl(output, { limit: 100 });
    await crawl.report();
    const pages = await linesOf<PageRecord>(output, 'pages.jsonl');
    const states = Object.fromEntries(pages.map(({ url, consent }) => [new URL(url).pathname, consent]));
    expect(states).toEqual({
      '/': 'none',
      '/words.html': 'shown',
      '/reloads.html': 'accepted',
      '/shadow.html': 'accepted',
      '/frame.html': 'accepted',
      '/only.html': 'accepted',
      '/privacy.html': 'none',
      '/after.html': 'none',
    });
    const crawlJson: unknown = JSON.parse(await readFile(join(output, 'crawl.json'), 'utf8'));
    expect(crawlJson).toMatchObject({
      options: { consent: 'accept' },
      versions: { autoconsent: expect.stringMatching(/^\d+\.\d+\.\d+$/) },
    });
  } finally {
    await rm(output, { recursive: true, force: true });
  }
});

test('an audit says which hosts were asked and which cookies were held before the dialog was answered', async () => {
  const output = await mkdtemp(join(tmpdir(), 'orbweaver-consent-audit-'));
  const page = `<!doctype html><title>shop</title><p>A shop.</p><img src="http://early.localhost:PORT/pixel">
    <script>
      document.cookie = 'visit=1';
      const dialog = '<div id="adroll_consent_container" style="position:fixed;inset:0"><p>May we?</p>' +
        '<button id="adroll_consent_accept" onclick="answer()">Yes</button><button id="adroll_consent_reject">No</button></div>';
      document.body.insertAdjacentHTML('beforeend', dialog);
      function answer() {
        document.getElementById('adroll_consent_container').remove();
        document.cookie = 'profile=1';
        document.body.append(Object.assign(new Image(), { src: 'http://late.localhost:PORT/pixel' }));
      }
    </script>`;
  await using site = await httpOrigin(({ url, headers }, response) => {
    const port = headers.host?.split(':')[1] ?? '';
    if (url === '/') response.setHeader('content-type', 'text/html').end(page.replaceAll('PORT', port));
    else response.writeHead(404).end();
  });
  try {
    const seeds = [site.url.replace('127.0.0.1', 'shop.localhost')];
    const allowPrivate = [`127.0.0.1:${new URL(site.url).port}`];
    {
      const options = { snapshot: ['html'], logLevel: 'warn', workers: 1, overwrite: true, output } as const;
      await using crawl = await startCrawl({ ...options, seeds, allowPrivate, consent: 'accept', audit: true });
      await crawl.report();
    }
    const { inventory = [] } = await auditCrawl(output);
    const found = inventory.map(({ kind, name, beforeConsent }) => [kind, name.split('.')[0], beforeConsent]);
    expect(found.toSorted()).toEqual([
      ['cookie', 'profile', 0],
      ['cookie', 'visit', 1],
      ['host', 'early', 1],
      ['host', 'late', 0],
    ]);
  } finally {
    await rm(output, { recursive: true, force: true });
  }
});
