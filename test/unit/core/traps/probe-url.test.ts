import { describe, expect, it } from 'vitest';
import { folderOf, isChoice } from '../../../../src/core/traps/pattern.ts';
import { probeUrlBeside, probeUrl } from '../../../../src/core/traps/probe-url.ts';
import { urlShape } from '../../../../src/model/url/url-shape.ts';
import { canonicalUrl } from '../../../../src/model/url/canonical-url.ts';
import { url } from '../../../support/frontier-nouns.ts';

const of = (path: string): string | null =>
  probeUrl(url(`http://a.test${path}`))?.slice('http://a.test'.length) ?? null;

describe('a probe', () => {
  it.each([
    ['of a date has another year, and all the rest', '/calendar/2026/11/', /^\/calendar\/20[6-9]\d\/11\/$/],
    ['of a date in a query likewise', '/agenda?date=2026-11-22&view=day', /^\/agenda\?date=20[6-9]\d-11-22&view=day$/],
    ['of numbers has the last one far away', '/s3/page-17.html', /^\/s3\/page-[1-9]\d{8}\.html$/],
    ['of a number in a query', '/list?colour=red&page=2', /^\/list\?colour=red&page=[1-9]\d{8}$/],
    ['of a number before the last name', '/offers/12/more', /^\/offers\/[1-9]\d{8}\/more$/],
    ['of a number before an escape', '/list?page=2&q=a%20b', /^\/list\?page=[1-9]\d{8}&q=a%20b$/],
    ['leaves escapes whole', '/find?q=100%25%20brook', /^\/find\?q=[1-9]\d{8}%25%20brook$/],
    ['of escapes alone has another name', '/wiki/K%C3%B6ln', /^\/wiki\/[a-z]{20}$/],
    ['of names has another last one', '/find/chair', /^\/find\/[a-z]{20}$/],
    ['of a folder', '/tag/red/', /^\/tag\/[a-z]{20}\/$/],
    ['of a file keeps its extension', '/doc/start.html', /^\/doc\/[a-z]{20}\.html$/],
    ['of a query has another last value', '/find?lang=en&q=chair', /^\/find\?lang=en&q=[a-z]{20}$/],
    ['of a query that semicolons part', '/git?p=x.git;page=2;a=log', /^\/git\?p=x\.git;page=[1-9]\d{8};a=log$/],
    ['takes a year for one where no month follows', '/photo/1999', /^\/photo\/[1-9]\d{8}$/],
  ])('%s', (_, path, expected) => {
    expect(of(path)).toMatch(expected);
    expect(of(path)).toBe(of(path));
    expect(of(path)).not.toBe(path);
  });

  it('of the home page there is none', () => {
    expect(of('/')).toBeNull();
  });

  it('has the pattern of the URL that it is like, but for names', () => {
    for (const path of ['/calendar/2026/11/', '/s3/page-17.html', '/list?colour=red&page=2', '/find/chair']) {
      const like = canonicalUrl(`http://a.test${of(path)}`);
      expect(like === null ? null : urlShape(like, 'program')).toBe(urlShape(url(`http://a.test${path}`), 'program'));
    }
  });

  it('beside a page is in its first folder, or in none', () => {
    const page = url('http://a.test/find/old/chair?x=1');
    expect(probeUrlBeside(page, 'folder')).toMatch(/^http:\/\/a\.test\/find\/[a-z]{20}$/);
    expect(probeUrlBeside(page, 'host')).toMatch(/^http:\/\/a\.test\/[a-z]{20}$/);
    expect(probeUrlBeside(url('http://a.test/chair'), 'folder')).toMatch(/^http:\/\/a\.test\/[a-z]{20}$/);
  });
});

it.each([
  ['/find/#/*', '/find/'],
  ['/#/*', '/#/'],
  ['/*', '/'],
  ['/*?page', '/'],
])('the folder of %s is %s', (pattern, folder) => {
  expect(folderOf(pattern)).toBe(folder);
});

it.each([
  ['/list?a=1&b=2&c=3', true],
  ['/list?a=1;b=2;c=3', true],
  ['/list?a=1&a=2&a=3', false],
  ['/list?a=1&b=2', false],
  ['/list', false],
])('%s is a choice among filters: %s', (path, expected) => {
  expect(isChoice(url(`http://a.test${path}`))).toBe(expected);
});
