import { describe, expect, it } from 'vitest';
import { pageRobots } from '../../../../src/core/robots/page-robots.ts';

const asked = (meta: readonly string[], ...headers: readonly string[]) =>
  pageRobots(
    meta,
    headers.map((value) => ['x-robots-tag', value] as const),
    'Orbweaver',
  );

describe('pageRobots', () => {
  it('asks for nothing where nothing is said', () => {
    const nothing = { nofollow: false, noindex: false, noarchive: false, directives: [], forOthers: [] };
    expect(asked([])).toEqual(nothing);
  });

  it('unites meta elements and headers, each directive once', () => {
    expect(asked(['noindex', 'NoArchive'], 'nofollow, noindex')).toEqual({
      nofollow: true,
      noindex: true,
      noarchive: true,
      directives: ['noindex', 'noarchive', 'nofollow'],
      forOthers: [],
    });
  });

  it('lets the stricter one win', () => {
    const { nofollow, noindex } = asked(['index', 'follow'], 'none');
    expect([nofollow, noindex]).toEqual([true, true]);
  });

  it('passes over what is meant for another agent, up to the next name', () => {
    expect(asked([], 'otherbot: nofollow, noindex', 'googlebot: noindex, orbweaver: nofollow').directives).toEqual([
      'nofollow',
    ]);
  });

  it('takes a meta element that names it for itself, and passes over those that name others', () => {
    const { nofollow, noindex, directives } = asked(['otherbot: noindex', 'ORBWEAVER: nofollow', 'noarchive']);
    expect([nofollow, noindex, directives]).toEqual([true, false, ['nofollow', 'noarchive']]);
  });

  it('keeps what is meant for others behind their names', () => {
    const { noindex, forOthers } = asked(['googlebot: noindex', 'max-snippet: 20'], 'BingBot: none, nofollow, *: all');
    expect([noindex, forOthers]).toEqual([false, ['googlebot: noindex', 'bingbot: none', 'bingbot: nofollow']]);
  });

  it.each([
    ['img2dataset: noindex, nofollow', []],
    ['360Spider: none', []],
    ['*: noarchive, bot-2: nofollow', ['noarchive']],
    ['img2dataset: noindex, orbweaver: nofollow', ['nofollow']],
    [
      'unavailable_after: Tue, 2026-08-25T15:00:00Z, nofollow',
      ['unavailable_after: tue', '2026-08-25t15:00:00z', 'nofollow'],
    ],
  ])('reads the names in %j, with digits as well', (header, directives) => {
    expect(asked([], header).directives).toEqual(directives);
  });

  it.each([
    ['NOINDEX NOFOLLOW', ['noindex', 'nofollow']],
    ['noindex;nofollow; noarchive', ['noindex', 'nofollow', 'noarchive']],
    ['noindex follow, max-snippet: 20', ['noindex', 'follow', 'max-snippet: 20']],
    ['no follow', ['no follow']],
    [' ; ', []],
  ])('reads the directives of %j, whose commas are missing', (text, directives) => {
    expect(asked([text]).directives).toEqual(directives);
    expect(asked([], text).directives).toEqual(directives);
  });

  it('takes a directive with a value for no agent', () => {
    expect(asked([], 'max-snippet: 20, nofollow', 'unavailable_after: 25 Jun 2026 15:00:00 PST').directives).toEqual([
      'max-snippet: 20',
      'nofollow',
      'unavailable_after: 25 jun 2026 15:00:00 pst',
    ]);
  });
});
