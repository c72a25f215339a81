import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Database } from 'node-sqlite3-wasm';
import { describe, expect, test } from 'vitest';
import { exportCrawl } from '../../../../src/inspect/export-crawl.ts';
import { prepareSqlite } from '../../../../src/inspect/export/sqlite-export.ts';
import { linkRecord } from '../../../support/frontier-nouns.ts';
import { storeCrawl } from '../../../support/stored-crawl.ts';
import { pageOf } from '../../cli/fake-crawl.ts';

function query(path: string, sql: string): readonly unknown[] {
  const database = new Database(path, { readOnly: true, fileMustExist: true });
  try {
    return database.all(sql);
  } finally {
    database.close();
  }
}

describe('an export to SQLite', () => {
  test('has tables of pages, links and skipped URLs, and the crawl itself', async () => {
    const hostile = `'); DROP TABLE pages; -- "x" \u0000 \ud83d\ude00`;
    await using crawl = await storeCrawl({
      pages: [
        pageOf({
          title: hostile,
          h1: ['One', 'Two'],
          credit: { cash: 2 ** 52, history: 3e9, importance: 0.25 },
          status: null,
        }),
        pageOf({ url: 'https://example.org/b', duplicateOf: 'https://example.org/a', similarity: 0.97 }),
      ],
      links: [{ ...linkRecord('https://example.org/', 'https://example.org/a'), new: true, rel: ['nofollow'] }],
      skipped: [{ url: 'mailto:a@b.test', reason: 'unsupported-scheme', rule: 'mailto', referrer: null }],
    });
    const sqlite = join(crawl.base, 'crawl.sqlite');
    const { exported } = await exportCrawl(crawl.folder, { sqlite });
    expect(exported).toEqual([{ format: 'sqlite', files: [sqlite], counts: { pages: 2, links: 1, skipped: 1 } }]);
    expect(query(sqlite, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    expect(
      query(
        sqlite,
        'SELECT id, url, title, status, h1, credit_cash, credit_history, timing_ttfb, rendered FROM pages WHERE id = 1',
      ),
    ).toEqual([
      {
        id: 1,
        url: 'https://example.org/a',
        title: hostile.replace('\0', '\ufffd'),
        status: null,
        h1: '["One","Two"]',
        credit_cash: 2 ** 52,
        credit_history: 3e9,
        timing_ttfb: 41,
        rendered: 1,
      },
    ]);
    expect(query(sqlite, 'SELECT p.url, similarity FROM pages p WHERE duplicate_of IS NOT NULL')).toEqual([
      { url: 'https://example.org/b', similarity: 0.97 },
    ]);
    expect(query(sqlite, 'SELECT from_url, to_url, kind, is_new, j.value AS rel FROM links, json_each(rel) j')).toEqual(
      [
        {
          from_url: 'https://example.org/',
          to_url: 'https://example.org/a',
          kind: 'anchor',
          is_new: 1,
          rel: 'nofollow',
        },
      ],
    );
    expect(query(sqlite, 'SELECT reason, count(*) AS n FROM skipped GROUP BY reason')).toEqual([
      { reason: 'unsupported-scheme', n: 1 },
    ]);
    expect(query(sqlite, `SELECT value FROM crawl WHERE name = 'state'`)).toEqual([{ value: 'finished' }]);
    const plan = query(sqlite, `EXPLAIN QUERY PLAN SELECT * FROM links WHERE to_url = 'x'`);
    expect(JSON.stringify(plan)).toContain('links_by_to_url');
    expect((await readdir(crawl.base)).toSorted()).toEqual([expect.stringMatching(/^crawl-/), 'crawl.sqlite']);
  });

  test('says how to install the package that writes it where that is missing, and leaves nothing', async () => {
    await using crawl = await storeCrawl();
    const rules = { crawlFolder: crawl.folder, overwrite: false };
    const load = () => import('no-such-package' as string) as Promise<never>;
    const preparing = prepareSqlite(
      join(crawl.base, 'x.sqlite'),
      { folder: crawl.folder, rules, load },
      { torn: () => {}, damaged: () => {} },
      new AbortController().signal,
    );
    await expect(preparing).rejects.toMatchObject({
      code: 'PACKAGE_MISSING',
      message: expect.stringContaining('npm install node-sqlite3-wasm'),
    });
    expect(await readdir(crawl.base)).toHaveLength(1);
  });
});
