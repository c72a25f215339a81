import { expect, test } from 'vitest';
import { historyText } from '../../../src/cli/text/history-text.ts';
import { COLOURED, PLAIN } from '../../../src/cli/terminal/paint.ts';
import { fold, rowsText } from '../../../src/cli/terminal/rows.ts';
import { safeText } from '../../../src/cli/terminal/safe-text.ts';
import type { UrlHistory } from '../../../src/inspect/url-history.ts';
import type { LinkRecord } from '../../../src/model/record.ts';
import { pageOf } from './fake-crawl.ts';

const frame = { paint: PLAIN, width: 80, folder: './out', resumeCommand: 'orbweaver resume ./out' };
const link: LinkRecord = {
  from: 'https://example.org/',
  to: 'https://example.org/a',
  href: '/a',
  kind: 'anchor',
  confidence: 'high',
  context: 'a/@href',
  stage: 'click',
  frame: null,
  text: 'About us',
  rel: [],
  new: true,
};

function historyOf(changes: Partial<UrlHistory> = {}): UrlHistory {
  return {
    asked: 'https://example.org/a',
    url: 'https://example.org/a',
    crawl: { folder: '/somewhere/out', id: 'c-1', state: 'finished', end: 'all-visited' },
    standing: 'unknown',
    near: [],
    isSeed: false,
    scope: { accepted: true, rule: 'it lies in the scope (host)', depth: null },
    robots: null,
    page: null,
    skipped: null,
    inLinks: { total: 0, pages: 0, byKind: {}, first: [] },
    trap: null,
    events: [],
    notes: [],
    ...changes,
  };
}

const text = (changes: Partial<UrlHistory>) => historyText(historyOf(changes), frame);

test('the history of a page that was visited is told from those who link to it to its snapshot', () => {
  const page = pageOf({
    snapshot: { html: 'snapshots/a.html', text: null, screenshot: null, warc: null },
    credit: { cash: 2 ** 51, history: 2 ** 50, importance: 0.125 },
  });
  const inLinks = { total: 12, pages: 9, byKind: { anchor: 11, sitemap: 1 }, first: [link] };
  expect(text({ standing: 'visited', page, inLinks, robots: 'no rule matches', asked: '/a' }))
    .toBe(`https://example.org/a
asked for as /a

State      captured, status 200, at the first try, 1 link from a seed
Linked     12 times on 9 pages: 11 anchor, 1 sitemap
             https://example.org/
               anchor, a/@href, at click, "About us", made it known
           and 11 more
Scope      accepted: it lies in the scope (host)
Robots     no rule matches
Visit      2026-01-02 03:04:05 UTC, rendered
           waited 0 ms, first byte 41 ms, load 230 ms, settling 65 ms, 371 ms in
             all
           settled: quiet
Content    "A"
           text/html, 1,000 bytes, 10 words
Links      60 found, 12 of them new; 70 parts
Credit     50 % of all when it was visited, 25 % given on; importance 12.5 %
Duplicate  none known
Snapshot   ./out/snapshots/a.html`);
});

test('a sitemap that the robots.txt of a seed names is no seed, though no link is between them', () => {
  const page = pageOf({ depth: 0, outcome: 'not-html' });
  expect(text({ standing: 'visited', page, isSeed: true })).toContain('at the first try, as a seed\n');
  expect(text({ standing: 'visited', page })).toContain('at the first try, 0 links from a seed\n');
});

test('a page that ended while it waited is said to have waited for what', () => {
  const settle = { reason: 'timeout', pending: ['fetch https://example.org/api', 'image https://example.org/x.png'] };
  expect(text({ standing: 'visited', page: pageOf({ settle }) }).replaceAll(/\s+/g, ' ')).toContain(
    'ended while waiting for https://example.org/api (--settle-timeout)',
  );
});

test('the history of a URL that is queued ends with the command that goes on', () => {
  const crawl = { folder: '/somewhere/out', id: 'c-1', state: 'interrupted', end: 'interrupted' } as const;
  expect(
    text({ standing: 'queued', crawl, inLinks: { total: 1, pages: 1, byKind: { anchor: 1 }, first: [link] } }),
  ).toContain('it goes on with: orbweaver resume ./out');
});

test('the history of a URL of a crawl that runs, or was killed, says both, and how it goes on', () => {
  const crawl = { folder: '/somewhere/out', id: 'c-1', state: 'running', end: null } as const;
  const inLinks = { total: 1, pages: 1, byKind: { anchor: 1 }, first: [link] };
  expect(text({ standing: 'queued', crawl, inLinks }).replaceAll(/\s+/g, ' ')).toContain(
    'the crawl is running, or was killed; then it goes on with: orbweaver resume ./out',
  );
});

test('a URL that nobody named is said to be unknown, with what would decide about it', () => {
  const told = text({ scope: { accepted: false, rule: 'host a is not b', depth: null } });
  expect(told).toContain('State   unknown: nothing that the crawl has seen names it');
  expect(told).toContain('Scope   refused: host a is not b (if a page in scope linked to it)');
});

test('earlier tries are told with what they failed for and when the next one came', () => {
  const event = { time: '2026-01-02T03:04:05.678Z', level: 'info', event: 'tried in vain' };
  const events = [{ ...event, url: 'https://example.org/a', attempt: 1, status: 503, wait: 4200 }];
  expect(text({ events })).toContain('2026-01-02 03:04:05  tried in vain, try 1, status 503, next try in 4.2 s');
});

test('nothing reaches the terminal that a page made up', () => {
  const evil = '\u001b]0;owned\u0007\u202e\nerror';
  const page = pageOf({ title: evil, detail: evil, contentType: evil, settle: { reason: evil, pending: [evil] } });
  const first = [{ ...link, from: evil, context: evil, text: evil, rel: [evil], frame: evil }];
  const event = { time: evil, level: 'warn', event: evil, detail: evil };
  const told = text({
    standing: 'visited',
    page,
    inLinks: { total: 1, pages: 1, byKind: {}, first },
    events: [event],
    notes: [evil],
  });
  expect(told.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(told).not.toMatch(/^error/m);
});

test('with colours it is the same text', () => {
  const history = historyOf({ standing: 'visited', page: pageOf() });
  const plain = (each: string) => each.split('\n').map(safeText);
  expect(plain(historyText(history, { ...frame, paint: COLOURED }))).toEqual(plain(historyText(history, frame)));
});

test('on a narrow terminal titles stand on lines of their own, and no line is longer than it but by one word', () => {
  const told = historyText(historyOf({ standing: 'visited', page: pageOf() }), { ...frame, width: 40 });
  expect(told).toContain('\nState\n  captured, status 200, at the first\n');
  for (const line of told.split('\n')) expect(line.length <= 40 || !line.trim().includes(' ')).toBe(true);
});

test.each([
  [
    'a word that is too long',
    'https://example.org/a/very/long/address',
    10,
    ['https://example.org/a/very/long/address'],
  ],
  ['words', 'one two three', 8, ['one two', '  three']],
  ['blanks at the start', '    one two three', 11, ['    one two', '      three']],
  [
    'colours',
    '\u001b[2m  one two\u001b[22m',
    5,
    ['\u001b[2m  one', '    two\u001b[22m'].map((line) => line.replace('\u001b[2m', '')),
  ],
])('folding keeps %s', (_what, line, width, lines) => {
  expect(fold(line, width).map((each) => each.replace('\u001b[2m', ''))).toEqual(lines);
});

test('rows without lines are left out', () => {
  const rows = [
    { title: 'One', lines: [] },
    { title: 'Two', lines: ['x'] },
  ];
  expect(rowsText(rows, { paint: PLAIN, width: 80 })).toBe('Two  x');
});

test('says of the target of a form that posts that it is no part of a page', () => {
  const standing = 'subresource';
  const inLinks = { total: 2, pages: 1, byKind: { form: 1, resource: 1 }, first: [link] };
  expect(text({ standing, inLinks: { ...inLinks, total: 1, byKind: { form: 1 } } })).toContain(
    'not visited: only forms that send data lead to it',
  );
  expect(text({ standing, inLinks })).toContain('not visited: it is a part of pages that load it, and no page');
});
