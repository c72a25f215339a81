import { describe, expect, test } from 'vitest';

import { compareWithExpected, parseExpected, urlOfKey } from '../../support/expected.ts';
import { temporaryFolder } from './temporary-site.ts';

const ORIGINS = new Map([
  ['one', 'http://one.localhost:81'],
  ['docs.one', 'http://docs.one.localhost:81'],
]);

describe('a key of expected.json', () => {
  test.each([
    ['/', 'http://one.localhost:81/'],
    ['/a?b=é#/route', 'http://one.localhost:81/a?b=%C3%A9#/route'],
    ['docs.one:/guide', 'http://docs.one.localhost:81/guide'],
    ['http://elsewhere.invalid', 'http://elsewhere.invalid/'],
    ['mailto:a@b.invalid', 'mailto:a@b.invalid'],
  ])('%s stands for %s', (key, url) => {
    expect(urlOfKey(key, ORIGINS)).toBe(url);
  });

  test('that names no host of the site is an error', () => {
    expect(() => urlOfKey('two:/', ORIGINS)).toThrow('two:/');
  });
});

describe('a comparison', () => {
  const expected = parseExpected(
    JSON.stringify({
      options: {},
      pages: {
        '/': { outcome: 'captured', status: 200, title: 'Home' },
        '/late': { outcome: ['captured', 'timed-out'] },
      },
      skipped: { 'mailto:a@b.invalid': { reason: 'unsupported-scheme' } },
      links: [{ from: '/', to: '/late', kind: 'anchor' }],
      exit: 0,
    }),
  );
  const home = {
    url: 'http://one.localhost:81/',
    outcome: 'captured',
    status: 200,
    title: 'Home',
    detail: null,
    referrer: null,
  };
  const late = { ...home, url: 'http://one.localhost:81/late', outcome: 'timed-out', status: null };
  const mail = { url: 'mailto:a@b.invalid', reason: 'unsupported-scheme' };
  const link = { from: home.url, to: late.url, kind: 'anchor' };
  const lines = (...records: readonly unknown[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('');

  test('finds nothing where all is there', async () => {
    await using folder = await temporaryFolder({
      'pages.jsonl': lines(home, late),
      'skipped.jsonl': lines(mail),
      'links.jsonl': lines(link),
    });
    expect(await compareWithExpected(folder.path, expected, ORIGINS)).toEqual([]);
  });

  test('says what is missing', async () => {
    await using folder = await temporaryFolder({});
    expect(await compareWithExpected(folder.path, expected, ORIGINS)).toEqual([
      'missing page: /',
      'missing page: /late',
      'missing skipped: mailto:a@b.invalid (unsupported-scheme)',
      'missing link: / → /late (anchor)',
    ]);
  });

  test('says what is wrong, invented or there twice', async () => {
    const ghost = { ...home, url: 'http://one.localhost:81/ghost', referrer: home.url };
    const wrong = { ...home, status: 404, outcome: 'http-error', title: 'Oh', detail: 'status 404' };
    await using folder = await temporaryFolder({
      'pages.jsonl': lines(wrong, late, late, ghost),
      'skipped.jsonl': lines({ ...mail, reason: 'out-of-scope' }, { url: late.url, reason: 'depth' }),
      'links.jsonl': lines({ ...link, kind: 'area' }),
    });
    expect(await compareWithExpected(folder.path, expected, ORIGINS)).toEqual([
      'recorded twice: http://one.localhost:81/late',
      'wrong outcome of /: http-error (status 404) instead of captured',
      'wrong status of /: 404 instead of 200',
      'wrong title of /: "Oh" instead of "Home"',
      'invented page: http://one.localhost:81/ghost (captured, from http://one.localhost:81/)',
      'wrong reason for skipping mailto:a@b.invalid: out-of-scope instead of unsupported-scheme',
      'both visited and skipped: http://one.localhost:81/late',
      'missing link: / → /late (anchor)',
    ]);
  });
});
