import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { auditCrawl } from '../../../src/audit/audit-crawl.ts';
import { openInspectedCrawl } from '../../../src/inspect/inspected-crawl.ts';
import { pageOf } from '../cli/fake-crawl.ts';

const SEED = 'https://example.org/';
const PAGES = `${JSON.stringify(pageOf({ url: SEED, finalUrl: SEED, depth: 0, referrer: null }))}\n`;
const SKIPPED = `${JSON.stringify({ url: `${SEED}a`, reason: 'depth', rule: '1', referrer: SEED })}\n`;
const WHOLE = { 'pages.jsonl': PAGES, 'links.jsonl': '', 'skipped.jsonl': SKIPPED };
const TOTALS = { discovered: 2, visited: 1, failed: 0, skipped: 1, queued: 0 };

async function inFolder<T>(
  files: Readonly<Record<string, string | undefined>>,
  totals: object | null,
  use: (folder: string) => Promise<T>,
  state = totals === null ? 'running' : 'finished',
): Promise<T> {
  const path = await mkdtemp(join(tmpdir(), 'orbweaver-missing-'));
  try {
    const crawl = {
      id: 'c-1',
      state,
      seeds: [SEED],
      options: { seeds: [SEED] },
      versions: { orbweaver: '0.1.0' },
      started: '2026-01-02T03:04:05.678Z',
      totals,
    };
    await writeFile(join(path, 'crawl.json'), JSON.stringify(crawl));
    for (const [name, text] of Object.entries(files)) if (text !== undefined) await writeFile(join(path, name), text);
    return await use(path);
  } finally {
    await rm(path, { recursive: true, force: true });
  }
}

describe('a crawl that has ended', () => {
  test.each<[string, Readonly<Record<string, string | undefined>>, RegExp]>([
    ['pages.jsonl', { 'pages.jsonl': undefined }, /^pages\.jsonl is missing in .*nothing is known of the pages/],
    ['links.jsonl', { 'links.jsonl': undefined }, /^links\.jsonl is missing in .*nothing is known of the links/],
    ['skipped.jsonl', { 'skipped.jsonl': undefined }, /^skipped\.jsonl is missing .*nothing is known of the skipped/],
    ['the lines of pages.jsonl', { 'pages.jsonl': '' }, /^pages\.jsonl in .* is empty.*\n.*`orbweaver verify`/],
    ['the lines of skipped.jsonl', { 'skipped.jsonl': '' }, /^skipped\.jsonl in .* is empty/],
  ])('is not judged without %s: nothing would be found in what is not there', async (_what, lack, message) => {
    await inFolder({ ...WHOLE, ...lack }, TOTALS, async (folder) => {
      await expect(auditCrawl(folder)).rejects.toMatchObject({
        code: 'CRAWL_UNREADABLE',
        message: expect.stringMatching(message) as unknown,
      });
    });
  });

  test('may have no links, no skipped URLs and no pages', async () => {
    const opens = (folder: string): Promise<unknown> => openInspectedCrawl(folder);
    await expect(inFolder(WHOLE, TOTALS, opens)).resolves.toMatchObject({ crawl: { totals: TOTALS } });
    const bare = { 'pages.jsonl': PAGES, 'links.jsonl': '', 'skipped.jsonl': '' };
    await expect(inFolder(bare, { ...TOTALS, skipped: 0 }, opens)).resolves.toBeDefined();
    // what may yet be visited is not written
    await expect(inFolder(bare, TOTALS, opens, 'interrupted')).resolves.toBeDefined();
    await expect(inFolder({}, { ...TOTALS, visited: 0, skipped: 0 }, opens)).resolves.toBeDefined();
  });
});

test('a crawl that runs may have written nothing yet', async () => {
  await expect(inFolder({}, null, openInspectedCrawl)).resolves.toMatchObject({ crawl: { state: 'running' } });
});
