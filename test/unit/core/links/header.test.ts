import { describe, expect, it } from 'vitest';
import { headerLinks, refreshHeaderTarget } from '../../../../src/core/links/data/header.ts';
import { processorTime } from '../../../support/processor-time.ts';

const links = (name: string, value: string) =>
  headerLinks([[name, value]], 'https://example.org/a').map(({ href, context, rel, text }) => [
    href,
    context,
    rel,
    text,
  ]);

describe('headerLinks', () => {
  it('tells the pages that a Link header names from the parts of this one', () => {
    const value =
      '</style.css>; rel=preload; as=style, <b,c;d>; rel="NEXT prefetch"; title="x, \\"y\\";  z", <https://cdn.example>; rel=preconnect, <p> ; rel = prev';
    expect(links('link', value)).toEqual([
      ['/style.css', 'Link;rel=preload', ['preload'], ''],
      ['b,c;d', 'Link;rel=next prefetch', ['next', 'prefetch'], 'x, "y"; z'],
      ['https://cdn.example', 'Link;rel=preconnect', ['preconnect'], ''],
      ['p', 'Link;rel=prev', ['prev'], ''],
    ]);
    expect(headerLinks([['link', value]], 'https://example.org/a').map(({ kind }) => kind)).toEqual([
      'resource',
      'header',
      'resource',
      'header',
    ]);
  });

  it.each([
    ['rel="https://api.w.org/"', 'resource'],
    ['rel=alternate; type="application/json"', 'resource'],
    ['rel=alternate; type="text/xml+oembed"', 'resource'],
    ['rel=search; type="application/opensearchdescription+xml"', 'resource'],
    ['rel="alternate stylesheet"', 'resource'],
    ['rel=hub', 'resource'],
    ['rel=alternate; type="application/rss+xml"', 'header'],
    ['rel=alternate; hreflang=de', 'header'],
    ['rel=shortlink', 'header'],
    ['rel=archives', 'header'],
  ])('takes the target of %s for a %s', (parameters, kind) => {
    expect(headerLinks([['link', `</x>; ${parameters}`]], 'https://example.org/a')).toMatchObject([{ kind }]);
  });

  it('passes over a link from somewhere else, and one without a relation', () => {
    expect(links('link', '<b>; rel=next; anchor="/other", <c>')).toEqual([]);
  });

  it.each(['', '<', '<a', 'a>; rel=next', '<a>; rel="next', ';;;,,,', '<a>;rel=next;'.repeat(3)])(
    'does not break on %j',
    (value) => {
      expect(links('link', value).length).toBeLessThanOrEqual(3);
    },
  );

  it('reads a hostile header in linear time', () => {
    const start = processorTime();
    for (const piece of ['<a>; x="', '<', ', ', '\\"', '; a=b']) links('link', `<a>; rel="${piece.repeat(20_000)}`);
    expect(processorTime() - start).toBeLessThan(500);
  });

  it('finds where Refresh and Content-Location lead', () => {
    expect(links('refresh', '0; url=/next')).toEqual([['/next', 'Refresh', [], '']]);
    expect(links('refresh', '30')).toEqual([]);
    expect(links('content-location', ' /a.en.html ')).toEqual([['/a.en.html', 'Content-Location', [], '']]);
    expect(headerLinks([['content-location', '/a']], 'https://example.org/').map(({ kind }) => kind)).toEqual([
      'header',
    ]);
    expect(headerLinks([['refresh', '0; url=/a']], 'https://example.org/').map(({ kind }) => kind)).toEqual(['header']);
    expect(links('location', '/elsewhere')).toEqual([]);
  });

  it.each([
    ['/b/a.html', 'a.html.en', 'resource'],
    ['/b/a', '/b/a.en.html', 'resource'],
    ['/b/a.html', 'a.en.html', 'resource'],
    ['/b/', 'index.html.de', 'resource'],
    ['/b/', '/index.html', 'header'],
    ['/b/a', '/b/a/other.html', 'header'],
    ['/b/a', '/b/c.html', 'header'],
    ['/b/', '/b/other.html', 'header'],
    ['/b/a.html', 'https://example.com/b/a.html.en', 'header'],
  ])(
    'takes the Content-Location of %s, %s, for a %s: a server that negotiates names the file that it chose',
    (path, location, kind) => {
      const [link] = headerLinks([['content-location', location]], `https://example.org${path}`);
      expect(link?.kind).toBe(kind);
    },
  );
});

describe('refreshTarget', () => {
  it.each([
    ['5;url=/a', '/a'],
    ['5; URL = "/a b" ', '/a b'],
    ["0,url='/a'", '/a'],
    ['0;/a', '/a'],
    ['.5; url=a', 'a'],
    ['0 url=a', 'a'],
    ['5', null],
    ['5;', null],
    ['url=/a', null],
    ['5; url=', null], // the page itself
    ['5; url', 'url'],
    ['5; url=""', null],
  ])('in %j is %s', (content, target) => {
    expect(refreshHeaderTarget(content)).toBe(target);
  });
});
