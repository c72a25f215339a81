import { describe, expect, test } from 'vitest';
import { dataDocument } from '../../../../src/core/links/data/data-document.ts';
import { doctypeLink, systemIdOf } from '../../../../src/core/links/markup/doctype-link.ts';
import {
  FragmentPlaces,
  listensToFragment,
  mayBeRoute,
  mayHaveRoutes,
} from '../../../../src/core/links/markup/fragment-places.ts';
import { headerLinks } from '../../../../src/core/links/data/header.ts';

describe('headers that say where reports are sent to', () => {
  const read = (name: string, value: string): readonly string[] =>
    headerLinks([[name, value]], 'https://example.org/').map(({ kind, context, href }) => `${kind} ${context} ${href}`);

  test.each<[string, string, readonly string[]]>([
    [
      'content-security-policy',
      "default-src 'self'; Report-URI /a https://b.example/c; report-to g",
      ['/a', 'https://b.example/c'],
    ],
    ['content-security-policy-report-only', 'report-uri ../up', ['../up']],
    ['content-security-policy', 'img-src https://cdn.example/x/; frame-src /framed; report-to group', []],
    ['content-security-policy', "report-uri 'none'; report-uri group; report-uri", []],
    ['reporting-endpoints', 'main="/a", other="https://b.example/c"', ['/a', 'https://b.example/c']],
    ['reporting-endpoints', 'main=group, broken="', []],
    [
      'report-to',
      '{"group":"a","endpoints":[{"url":"/a"},{"url":"/b"}]}, {"endpoints":[{"url":"https://c.example/d"}]}',
      ['/a', '/b', 'https://c.example/d'],
    ],
    ['report-to', '{"endpoints":[{"url":7},"/x",null]}', []],
    ['report-to', 'not json', []],
    ['nel', '{"report_to":"group","max_age":9}', []],
    ['expect-ct', 'max-age=9, report-uri="/a"', ['/a']],
    ['x-xss-protection', '1; mode=block; report=/a', ['/a']],
    ['x-other', 'report-uri /a', []],
  ])('%s: %s', (name, value, expected) => {
    expect(read(name, value)).toEqual(expected.map((href) => `resource ${name} ${href}`));
  });
});

describe('document types', () => {
  test.each<[string, string | null]>([
    ['!DOCTYPE html SYSTEM "/page.dtd"', '/page.dtd'],
    ["!doctype html public '-//X//Y' '../page.dtd'", '../page.dtd'],
    ['!DOCTYPE html PUBLIC "-//X//Y" "https://example.org/page.dtd"', 'https://example.org/page.dtd'],
    ['!DOCTYPE html', null],
    ['!DOCTYPE html SYSTEM "about:legacy-compat"', null],
    ['!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd"', null],
    ['!DOCTYPE html PUBLIC "-//X//Y"', null],
    ['!DOCTYPE html SYSTEM "a name"', null],
  ])('%s', (declaration, expected) => {
    expect(doctypeLink(systemIdOf(declaration))?.href ?? null).toBe(expected);
  });
});

describe('documents in addresses', () => {
  test.each<[string, string | null]>([
    ['data:text/html,<a href="/b">', '<a href="/b">'],
    ['data:text/html;charset=utf-8,%3Cp%3E%C3%BC', '<p>\u00fc'],
    ['DATA:text/html;base64,PHA+w7w8L3A+', '<p>\u00fc</p>'],
    ['data:text/html,100% <b>', '100% <b>'],
    ['data:image/svg+xml,<svg/>', '<svg/>'],
    ['data:text/plain,<a href="/b">', null],
    ['data:image/png;base64,AAAA', null],
    ['data:,<a href="/b">', null],
    ['data:text/html;base64,!!!', null],
    ['data:text/html', null],
    ['https://example.org/?data:text/html,x', null],
    ['', null],
  ])('%s', (href, expected) => {
    expect(dataDocument(href)).toBe(expected);
  });
});

describe('fragments without a slash', () => {
  test.each(['#inbox', '#user/5', '#page=2', '#%C3%BCber', '#\u00fcber'])('%s may be a route', (href) => {
    expect(mayBeRoute(href)).toBe(true);
    expect(new FragmentPlaces(['other']).lacks(href)).toBe(true);
  });

  test.each(['', '#', '#top', '#!', '#!inbox', '#/inbox', '/a#inbox', '# x', '#:~:text=x', '#-'])(
    '%j is none',
    (href) => {
      expect(new FragmentPlaces([]).lacks(href)).toBe(false);
    },
  );

  test.each<[string, string]>([
    ['#Part', 'part'],
    ['#%C3%BCber', '\u00fcber'],
    ['#install', 'user-content-install'],
    ['#tab', 'tab-panel'],
    ['#two', 'section-two'],
  ])('%s is a place where something is called %s', (href, name) => {
    expect(new FragmentPlaces([name]).lacks(href)).toBe(false);
  });

  test('nothing is said of a document with more places than are looked through', () => {
    const names = Array.from({ length: 30_000 }, (_, index) => `n${index}`);
    expect(new FragmentPlaces(names).lacks('#inbox')).toBe(false);
  });

  test.each<[string, boolean, string, string]>([
    ['a document with a table of contents has broken links to places', false, '#a #b #c #d #e #f', '#gone #lost'],
    ['places that several links name count once', true, '#a #a #a #a #a #a', '#inbox'],
    ['an application has links to the parts of its frame, too', true, '#main #nav #footer', '#inbox'],
    ['as many routes as places are routes', true, '#a #b #c #d #e', '#inbox #sent #spam'],
    ['without a fragment that names nothing there is no route', false, '#a', ''],
    ['a declared route is none of either', false, '#a', '#/inbox #!sent'],
  ])('%s', (_, expected, there, nowhere) => {
    const listed = (text: string): readonly string[] => text.split(' ');
    const links = [
      ...listed(there).map((href) => ({ href })),
      ...listed(nowhere).map((href) => ({ href, nowhere: true as const })),
    ];
    expect(mayHaveRoutes(links)).toBe(expected);
  });

  test('a script that listens says so by the name of the event', () => {
    expect(listensToFragment("addEventListener('hashchange',f)")).toBe(true);
    expect(listensToFragment('window.onhashchange=f')).toBe(true);
    expect(listensToFragment('scrollTo(location.hash)')).toBe(false);
  });
});
