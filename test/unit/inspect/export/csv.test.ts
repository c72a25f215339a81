import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exportCrawl } from '../../../../src/inspect/export-crawl.ts';
import { csvLine } from '../../../../src/inspect/export/csv-text.ts';
import { csvRecords, parseCsv } from '../../../support/csv.ts';
import { linkRecord } from '../../../support/frontier-nouns.ts';
import { storeCrawl } from '../../../support/stored-crawl.ts';
import { pageOf } from '../../cli/fake-crawl.ts';

describe('a line of CSV', () => {
  test.each([
    [['a', 'b'], 'a,b\r\n'],
    [['a,b', 'say "x"', 'two\nlines', ' apart '], '"a,b","say ""x""","two\nlines"," apart "\r\n'],
    [[null, undefined, [], ''], ',,,\r\n'],
    [[-1, 0.5, true, false], '-1,0.5,true,false\r\n'],
    [[['a', 'b'], [{ url: 'x', status: 301 }]], '"[""a"",""b""]","[{""url"":""x"",""status"":301}]"\r\n'],
  ])('holds %j as RFC 4180 has it', (cells, line) => {
    expect(csvLine(cells)).toBe(line);
  });

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '\nx', '\uff1d1+1', '=HYPERLINK("http://a.test","x")'])(
    'runs no formula in a spreadsheet: %j stands behind an apostrophe',
    (text) => {
      expect(parseCsv(csvLine([text]))).toEqual([[`'${text}`]]);
    },
  );

  test('gives any text back to a reader that knows the RFC alone', () => {
    const text = fc.string({ unit: 'grapheme' }).filter((each) => !/^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(each));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1 }), (cells) => {
        expect(parseCsv(csvLine(cells))).toEqual([cells]);
      }),
    );
  });
});

describe('an export to CSV', () => {
  test('has a file for each kind of line, nested fields under names with dots', async () => {
    await using crawl = await storeCrawl({
      pages: [pageOf({ title: '=cmd|x', h1: ['One', 'Two'], redirects: [{ url: 'https://a.test/', status: 301 }] })],
      links: [{ ...linkRecord('https://example.org/', 'https://example.org/a'), new: true }],
      skipped: [{ url: 'mailto:a@b.test', reason: 'unsupported-scheme', rule: 'mailto', referrer: null }],
    });
    const csv = join(crawl.base, 'csv');
    const { exported, notes } = await exportCrawl(crawl.folder, { csv });
    expect((await readdir(csv)).toSorted()).toEqual(['links.csv', 'pages.csv', 'skipped.csv']);
    expect(exported).toEqual([
      {
        format: 'csv',
        files: ['pages.csv', 'links.csv', 'skipped.csv'].map((name) => join(csv, name)),
        counts: { pages: 1, links: 1, skipped: 1 },
      },
    ]);
    expect(notes).toEqual([]);
    const [page] = csvRecords(await readFile(join(csv, 'pages.csv'), 'utf8'));
    expect(page).toMatchObject({
      url: 'https://example.org/a',
      title: "'=cmd|x",
      h1: '["One","Two"]',
      status: '200',
      rendered: 'true',
      'timing.ttfb': '41',
      'settle.reason': 'quiet',
      'links.new': '12',
      'snapshot.html': '',
      redirects: '[{"url":"https://a.test/","status":301}]',
    });
    const [link] = csvRecords(await readFile(join(csv, 'links.csv'), 'utf8'));
    expect(link).toMatchObject({ from: 'https://example.org/', to: 'https://example.org/a', kind: 'anchor' });
    const [skipped] = csvRecords(await readFile(join(csv, 'skipped.csv'), 'utf8'));
    expect(skipped).toEqual({ url: 'mailto:a@b.test', reason: 'unsupported-scheme', rule: 'mailto', referrer: '' });
  });

  test('has what an audit found, where there was one', async () => {
    const finding = {
      id: '0123456789abcdef',
      rule: 'missing-title',
      severity: 'error',
      confidence: 'high',
      url: 'https://example.org/',
      message: 'No title.',
      group: 'missing-title /',
    };
    const sources = { count: 2, first: [{ url: 'https://example.org/' }] };
    await using crawl = await storeCrawl({
      findings: [{ ...finding, target: null, evidence: { snippet: 'a' }, sources }],
    });
    const [csv, sqlite] = [join(crawl.base, 'csv'), join(crawl.base, 'crawl.sqlite')];
    const { exported } = await exportCrawl(crawl.folder, { csv, sqlite });
    expect(csvRecords(await readFile(join(csv, 'findings.csv'), 'utf8'))).toEqual([
      {
        ...finding,
        target: '',
        evidence: '{"snippet":"a"}',
        'sources.count': '2',
        'sources.first': '[{"url":"https://example.org/"}]',
      },
    ]);
    expect(exported.map(({ counts }) => counts['findings'])).toEqual([1, 1]);
  });

  test('leaves out lines that cannot be read, and says how many', async () => {
    await using crawl = await storeCrawl({ pages: [pageOf()], torn: 'no json\n{"url":1}\n{"url":"https://exa' });
    const csv = join(crawl.base, 'csv');
    const { exported, notes } = await exportCrawl(crawl.folder, { csv });
    expect(exported[0]?.counts).toMatchObject({ pages: 1 });
    expect(notes).toEqual([
      expect.stringMatching(/^pages\.jsonl ends within a line/),
      '2 of the lines in pages.jsonl cannot be read; left out',
    ]);
    expect(csvRecords(await readFile(join(csv, 'pages.csv'), 'utf8'))).toHaveLength(1);
  });
});
