import { randomBytes } from 'node:crypto';
import { appendFileSync, existsSync } from 'node:fs';
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkArchive } from '../../../src/inspect/export/archive-integrity.ts';
import { openArchiveFiles } from '../../../src/inspect/export/crawl-archive.ts';
import { openInspectedCrawl } from '../../../src/inspect/inspected-crawl.ts';
import { verifyCrawl } from '../../../src/inspect/verify/verify-crawl.ts';
import type { CrawlVerification } from '../../../src/inspect/verify/verification.ts';
import type { LinkRecord, PageRecord } from '../../../src/model/record.ts';
import { openTestArchive, pass } from '../../support/archive.ts';
import { storeCrawl, type StoredCrawlParts } from '../../support/stored-crawl.ts';
import { pageOf } from '../cli/fake-crawl.ts';

const URL_OF_PAGE = 'http://a.test/';
const NO_SNAPSHOT = { html: null, text: null, screenshot: null, warc: null };

/** Verifies a crawl in this state, whose archive is not closed, and whose only page names a record. */
async function verifyOpenArchive(state: string, offset: number): Promise<CrawlVerification> {
  const warc = { file: 'archive/c-test-00000.warc.gz', offset, length: 100 };
  const snapshot = { html: null, text: null, screenshot: null, warc };
  const page = pageOf({ url: URL_OF_PAGE, finalUrl: URL_OF_PAGE, snapshot, links: { found: 0, new: 0, parts: 0 } });
  await using stored = await storeCrawl({ crawl: { state, seeds: [URL_OF_PAGE] }, pages: [page] });
  await using archive = await openTestArchive(stored.folder);
  pass(archive, { url: URL_OF_PAGE, body: '<h1>Home</h1>' });
  await archive.sync();
  return await verifyCrawl(stored.folder);
}

test('the archive of a crawl that runs or was killed is no fault, and a note says that it was not looked at', async () => {
  const { checks, whole, notes } = await verifyOpenArchive('running', 0);
  expect(checks.flatMap(({ first }) => first)).toEqual([]);
  expect(checks.map(({ part }) => part)).not.toContain('archive');
  expect(whole).toBe(true);
  expect(notes).toContain('its archive was not looked at: it is closed when the crawl ends');
});

const pageWith = (url: string, found: number): PageRecord =>
  pageOf({ url, finalUrl: url, links: { found, new: 0, parts: 0 }, snapshot: NO_SNAPSHOT });
const linkOf = (from: string): LinkRecord => ({
  ...{ from, to: URL_OF_PAGE, href: '/', kind: 'anchor', confidence: 'high', context: 'a@href', stage: 'load' },
  ...{ frame: null, text: 'Home', rel: [], new: false },
});

/** Verifies a crawl of two pages that writes a third one, and links that the second one lacks, at a look into its lines. */
async function verifyGrowing(at: number, harm: Partial<StoredCrawlParts> = {}): Promise<CrawlVerification> {
  const [one, two, three] = [`${URL_OF_PAGE}1`, `${URL_OF_PAGE}2`, `${URL_OF_PAGE}3`] as const;
  const pages = [pageWith(one, 1), pageWith(two, 2)];
  await using stored = await storeCrawl({ crawl: { state: 'running' }, pages, links: [one, two].map(linkOf), ...harm });
  const signal = new AbortController().signal;
  let asked = 0;
  signal.throwIfAborted = () => {
    asked += 1;
    if (asked !== at) return;
    for (const [file, record] of [
      ['pages.jsonl', pageWith(three, 1)],
      ['links.jsonl', linkOf(two)],
      ['links.jsonl', linkOf(three)],
    ] as const)
      appendFileSync(join(stored.folder, file), `${JSON.stringify(record)}\n`);
  };
  const verified = await verifyCrawl(stored.folder, { signal });
  expect(asked).toBeGreaterThanOrEqual(at);
  return verified;
}

test.each([
  ['while its pages are read', 1],
  ['while its links are read', 2],
])('what a crawl writes %s is no fault', async (_when, at) => {
  const { checks, whole } = await verifyGrowing(at);
  expect(checks.flatMap(({ first }) => first)).toEqual([]);
  expect(whole).toBe(true);
});

test('of a crawl that runs, too, links without their page and pages without their links are reported', async () => {
  const links = [`${URL_OF_PAGE}2`, `${URL_OF_PAGE}4`].map(linkOf);
  const { checks } = await verifyGrowing(2, { links });
  expect(checks.flatMap(({ first }) => first)).toMatchObject([
    { file: 'pages.jsonl', line: 1, message: 'links.jsonl has 1 fewer line that lead to pages than it says' },
    { file: 'links.jsonl', line: 2, message: expect.stringContaining('no line of pages.jsonl is of the page') },
  ]);
});

test('the archive of an interrupted crawl is checked, and whether its pages lead to records', async () => {
  const { checks } = await verifyOpenArchive('interrupted', 7);
  expect(checks.find(({ part }) => part === 'archive')).toMatchObject({
    looked: 3,
    first: [{ message: 'no record of the index begins at byte 7', url: URL_OF_PAGE }],
  });
});

test.skipIf(!existsSync('/dev/shm'))(
  'the closed files of an archive are read where they are, also from a folder on another disk',
  async () => {
    await using stored = await storeCrawl({ crawl: { state: 'interrupted', seeds: [URL_OF_PAGE] } });
    await using archive = await openTestArchive(stored.folder, { fileLimit: 1000 });
    for (const path of ['1', '2']) {
      pass(archive, { url: `${URL_OF_PAGE}${path}`, body: randomBytes(2000) });
      await archive.sync();
    }
    const scratch = await mkdtemp('/dev/shm/orbweaver-verify-test-');
    try {
      const { crawl } = await openInspectedCrawl(stored.folder);
      const files = await openArchiveFiles(stored.folder, crawl, join(scratch, 'archive'));
      const copied = await Promise.all(
        files.warcs.map(async (name) => (await lstat(join(files.folder, name))).isFile()),
      );
      expect(copied).toEqual([false, true]);
      expect(await checkArchive(files, new AbortController().signal)).toMatchObject({ records: 6 });
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
    expect(await readdir(join(stored.folder, 'archive'))).toContain('c-test-00000.warc.gz');
  },
);
