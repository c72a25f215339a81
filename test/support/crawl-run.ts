/** A whole crawl within the test's own process, and the results from its folder. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CrawlReport } from '../../src/crawl/crawl.ts';
import { startCrawl, type StartOptions } from '../../src/crawl/start-crawl.ts';
import type { LinkRecord, PageRecord, SkippedRecord } from '../../src/model/record.ts';
import { expectWhole } from './whole-crawl.ts';

export interface CrawlRun {
  readonly report: CrawlReport;
  readonly pages: readonly PageRecord[];
  readonly links: readonly LinkRecord[];
  /** URL → why it was skipped. */
  readonly skipped: ReadonlyMap<string, SkippedRecord>;
}

/** Crawls to the end, and expects a whole folder. Defaults: no snapshots, two pages at a time, one of a host. */
export async function runCrawl(options: StartOptions): Promise<CrawlRun> {
  const output = await mkdtemp(join(tmpdir(), 'orbweaver-run-'));
  try {
    await using crawl = await startCrawl({
      snapshot: [],
      workers: 2,
      hostConcurrency: 1,
      logLevel: 'warn',
      overwrite: true,
      output,
      ...options,
    });
    const report = await crawl.report();
    await expectWhole(report.folder);
    const skipped = await linesOf<SkippedRecord>(report.folder, 'skipped.jsonl');
    return {
      report,
      pages: await linesOf<PageRecord>(report.folder, 'pages.jsonl'),
      links: await linesOf<LinkRecord>(report.folder, 'links.jsonl'),
      skipped: new Map(skipped.map((record) => [record.url, record])),
    };
  } finally {
    await rm(output, { recursive: true, force: true });
  }
}

/** The lines of a file in a crawl folder; empty if the file is missing. */
export async function linesOf<Line>(folder: string, name: string): Promise<readonly Line[]> {
  const text = await readFile(join(folder, name), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}

/** Paths of the pages with this outcome, sorted. */
export function pathsOf({ pages }: CrawlRun, outcome: PageRecord['outcome'] = 'captured'): readonly string[] {
  return pages
    .filter((page) => page.outcome === outcome)
    .map(({ url }) => new URL(url).pathname)
    .toSorted();
}
