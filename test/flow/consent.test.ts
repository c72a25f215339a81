/** A crawl that deals with consent dialogs: what its folder says, and that it goes on as it began. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { resumeCrawl, startCrawl } from '../../src/crawl/start-crawl.ts';
import type { PageRecord } from '../../src/model/record.ts';
import { linesOf } from '../support/crawl-run.ts';
import { openFixture } from '../support/fixture-sites.ts';

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
