import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { storeCrawl, type StoredCrawlFolder } from '../../support/stored-crawl.ts';
import { pageOf } from './fake-crawl.ts';
import { runFake } from './fake-shell.ts';

const run = ({ base, folder }: StoredCrawlFolder, ...flags: readonly string[]) =>
  runFake({ words: ['export', folder, ...flags], workingFolder: base });

describe('orbweaver export', () => {
  test('writes several formats at once and says what each holds', async () => {
    const skipped = {
      url: 'https://example.com/',
      reason: 'out-of-scope',
      rule: 'another host',
      referrer: null,
    } as const;
    await using crawl = await storeCrawl({
      pages: [pageOf(), pageOf({ url: 'https://example.org/b', finalUrl: 'https://example.org/b' })],
      skipped: Array.from({ length: 1000 }, () => skipped),
    });
    const { code, shell } = await run(crawl, '--csv', 'tables', '--sitemap', 'sitemap.xml', '--sqlite', 'crawl.sqlite');
    expect(code).toBe(0);
    expect(shell.outputText).toBe(
      'csv      ./tables/pages.csv, ./tables/links.csv, ./tables/skipped.csv: 2 pages, 0 links, 1,000 skipped\n' +
        'sitemap  ./sitemap.xml: 2 urls\n' +
        'sqlite   ./crawl.sqlite: 2 pages, 0 links, 1,000 skipped\n',
    );
    expect(shell.errorText).toBe('');
  });

  test('writes none where one of them fails', async () => {
    await using crawl = await storeCrawl({ pages: [pageOf()] });
    const { code, shell } = await run(crawl, '--csv', 'tables', '--sitemap', 'sitemap.xml', '--wacz', 'a.wacz');
    expect({ code, output: shell.outputText }).toEqual({ code: 2, output: '' });
    expect(shell.errorText).toMatch(/has no archive.*\[NOT_STORED\]\n.*--snapshot warc/);
    expect(await readdir(crawl.base)).toHaveLength(1);
  });

  test('does not replace what is there, unless --overwrite says so', async () => {
    await using crawl = await storeCrawl({ pages: [pageOf()] });
    const sitemap = join(crawl.base, 'sitemap.xml');
    await writeFile(sitemap, 'mine');
    const refused = await run(crawl, '--sitemap', 'sitemap.xml', '--csv', 'tables');
    expect(refused.code).toBe(2);
    expect(refused.shell.errorText).toMatch(/sitemap\.xml is there already; nothing was written.*\[OUTPUT_EXISTS\]/);
    expect(await readFile(sitemap, 'utf8')).toBe('mine');
    expect(await readdir(crawl.base)).not.toContain('tables');
    expect((await run(crawl, '--sitemap', 'sitemap.xml', '--overwrite')).code).toBe(0);
    expect(await readFile(sitemap, 'utf8')).toContain('https://example.org/a');
  });

  test.each([
    [[], /nothing to write: no format was named.*\n.*--csv, --sitemap, --sqlite, --wacz/],
    [['--sitemap', 'x', '--sqlite', 'x'], /two formats are to be written to .*x/],
    [['--csv', '-'], /--csv takes a folder, for it writes several files; it does not write to standard output/],
    [['--sitemap', '-'], /--sitemap takes a file; it does not write to standard output/],
    [['--csv'], /argument missing|a value is missing/],
    [['--pdf', 'x'], /unknown option/],
  ])('with %j says what is wrong, code 2', async (flags, words) => {
    await using crawl = await storeCrawl();
    const { code, shell } = await run(crawl, ...flags);
    expect(code).toBe(2);
    expect(shell.errorText).toMatch(words);
    expect(await readdir(crawl.base)).toHaveLength(1);
  });

  test.each([
    ['interrupted', /the crawl was interrupted and can be resumed/],
    ['running', /the crawl is still running, or was killed/],
    ['failed', /the crawl ended early \(broken\)/],
  ])('of a crawl that is %s writes what there is and says so', async (state, words) => {
    await using crawl = await storeCrawl({ crawl: { state, end: 'broken' }, pages: [pageOf()] });
    const { code, shell } = await run(crawl, '--csv', 'tables');
    expect(code).toBe(0);
    expect(shell.outputText).toContain('1 page,');
    expect(shell.errorText).toMatch(words);
  });

  test('of a crawl that ended at a limit says that more was queued', async () => {
    const left = { end: 'page-limit', resumable: true, totals: { queued: 19_500 } };
    await using crawl = await storeCrawl({ crawl: left, pages: [pageOf()] });
    const { code, shell } = await run(crawl, '--sitemap', 'sitemap.xml');
    expect([code, shell.errorText]).toEqual([
      0,
      'note  the crawl ended at a limit with 19,500 URLs still queued: what it had recorded until then is exported\n',
    ]);
  });

  test('of a crawl of a later format, or of no crawl, writes nothing', async () => {
    await using later = await storeCrawl({ crawl: { format: 2 } });
    for (const folder of [later.folder, later.base, join(later.base, 'none')]) {
      const { code, shell } = await runFake({ words: ['export', folder, '--csv', 'x'], workingFolder: later.base });
      expect(code).toBe(2);
      expect(shell.errorText).toContain('CRAWL_UNREADABLE');
    }
    expect(await readdir(later.base)).toHaveLength(1);
  });

  test('that is interrupted by Ctrl-C leaves nothing and ends with code 130', async () => {
    const pages = Array.from({ length: 20_000 }, (_, n) => pageOf({ url: `https://example.org/${n}` }));
    await using crawl = await storeCrawl({ pages });
    const { FakeShell } = await import('./fake-shell.ts');
    const { run: runShell } = await import('../../../src/cli/run.ts');
    const shell = new FakeShell({ words: ['export', crawl.folder, '--csv', 'tables'], workingFolder: crawl.base });
    const running = runShell(shell);
    await expect.poll(async () => readdir(crawl.base), { interval: 1 }).toContain('tables');
    shell.signals.emit('SIGINT');
    expect(await running).toBe(130);
    expect(shell.errorText).toBe('interrupted: nothing was written\n');
    expect(await readdir(crawl.base)).toHaveLength(1);
  });
});
