/** A crawl folder made by hand, for code that reads one. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LinkRecord, PageRecord, SkippedRecord } from '../../src/model/record.ts';

export interface StoredCrawlParts {
  /** Fields of crawl.json besides the usual ones. */
  readonly crawl?: Readonly<Record<string, unknown>>;
  readonly pages?: readonly PageRecord[];
  readonly links?: readonly LinkRecord[];
  readonly skipped?: readonly SkippedRecord[];
  readonly findings?: readonly object[];
  /** Text after the last line of pages.jsonl. */
  readonly torn?: string;
}

export interface StoredCrawlFolder extends AsyncDisposable {
  /** Contains the crawl folder, and may contain exports. */
  readonly base: string;
  readonly folder: string;
}

const SEED = 'https://example.org/';

export async function storeCrawl(parts: StoredCrawlParts = {}): Promise<StoredCrawlFolder> {
  const base = await mkdtemp(join(tmpdir(), 'orbweaver-stored-'));
  const folder = await mkdtemp(join(base, 'crawl-'));
  const crawl = {
    id: 'c-1',
    format: 1,
    state: 'finished',
    end: 'all-visited',
    seeds: [SEED],
    options: { seeds: [SEED] },
    versions: { orbweaver: '0.1.0' },
    started: '2026-01-02T03:04:05.678Z',
    finished: '2026-01-02T04:04:05.678Z',
    suspectedTraps: [],
    ...parts.crawl,
  };
  await writeFile(join(folder, 'crawl.json'), JSON.stringify(crawl));
  await writeFile(join(folder, 'pages.jsonl'), lines(parts.pages) + (parts.torn ?? ''));
  await writeFile(join(folder, 'links.jsonl'), lines(parts.links));
  await writeFile(join(folder, 'skipped.jsonl'), lines(parts.skipped));
  if (parts.findings !== undefined) await writeFile(join(folder, 'findings.jsonl'), lines(parts.findings));
  return { base, folder, [Symbol.asyncDispose]: () => rm(base, { recursive: true, force: true }) };
}

function lines(records: readonly object[] = []): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}
