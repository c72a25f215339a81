import { describe, expect, it } from 'vitest';
import { cookiesSetBy, recognisesVisitors, testTargetOf } from '../../../../src/core/cookies/cookie-test.ts';
import { cookieHeader, HostCookies } from '../../../../src/core/cookies/host-cookies.ts';
import { storedCanonicalUrl as url } from '../../../../src/model/url/canonical-url.ts';

describe('the cookies that an answer sets', () => {
  it('are read without their attributes, the last of a name counts, and a deleted one is known as such', () => {
    const cookies = cookiesSetBy([
      ['Set-Cookie', 'a=1; Path=/; HttpOnly'],
      ['server', 'x=1'],
      ['set-cookie', 'b="two, three" ; Secure\nc=3; Max-Age=0'],
      ['set-cookie', 'd=4; expires=Thu, 01 Jan 1970 00:00:00 GMT'],
      ['set-cookie', 'a=5'],
      ['set-cookie', 'e='],
    ]);
    expect([...cookies]).toEqual([
      ['a', '5'],
      ['b', '"two, three"'],
      ['c', null],
      ['d', null],
      ['e', ''],
    ]);
  });

  it('are none where they could not be sent as a header', () => {
    const lines = ['=1', 'no cookie', 'a=\u00e4', 'b=1\r', `c=${'x'.repeat(5000)}`, 'd=\u0001'];
    expect([...cookiesSetBy(lines.map((line) => ['set-cookie', line] as const)).keys()]).toEqual(['b']);
    expect(cookiesSetBy([['set-cookie', 'b=1\r']]).get('b')).toBe('1');
    const many = Array.from({ length: 80 }, (_, index) => ['set-cookie', `n${index}=1`] as const);
    expect(cookiesSetBy(many).size).toBe(50);
  });
});

describe('a visitor is known again', () => {
  const isKnown = (...lines: readonly string[]): boolean =>
    recognisesVisitors(lines.map((line) => ['set-cookie', line] as const));

  it.each([
    'visitor=7; path=/',
    'lang=en',
    'PHPSESSID=q1w2e3; HttpOnly',
    'adult=1',
    'contest=7',
    'cookies=a1',
    'a=\u00e4',
  ])('by %s', (line) => expect(isKnown(line)).toBe(true));

  it.each([
    'wordpress_test_cookie=WP%20Cookie%20check; path=/',
    'testcookie=1',
    'cookie_test=please_accept_for_session',
    'cookieCheck=1',
    'cookies-enabled=true',
    'DWf3337b=deleted; expires=Thu, 01 Jan 1970 00:00:01 GMT; Max-Age=0; path=/; HttpOnly',
  ])('not by %s', (line) => expect(isKnown(line)).toBe(false));

  it('by one of several, and by none', () => {
    expect(isKnown('testcookie=1', 'sid=a1')).toBe(true);
    expect(recognisesVisitors([['server', 'x']])).toBe(false);
  });
});

describe('the target of a redirect', () => {
  const kindOf = (asked: string, location: string): string | null => testTargetOf(url(asked), location)?.kind ?? null;

  it.each([
    ['https://a.example/x?q=1', '/x?q=1', 'same'],
    ['https://a.example/x', 'https://a.example/x#top', 'same'],
    ['https://a.example/x', '/x?cookieSet=1', 'extended'],
    ['https://a.example/x?q=1&r=2', '/x?r=2&q=1&cookieSet=1', 'extended'],
    ['https://a.example/x?q=1', '/check?back=%2Fx%3Fq%3D1', 'naming'],
    ['https://a.example/x', '/check?u=https%3A%2F%2Fa.example%2Fx&n=1', 'naming'],
  ])('of %s to %s may be a test', (asked, location, kind) => {
    expect(kindOf(asked, location)).toBe(kind);
  });

  it.each([
    ['https://a.example/x', '/y'],
    ['https://a.example/x', '/y?q=x'],
    ['https://a.example/x?q=1', '/x?q=2'],
    ['https://a.example/x?q=1', '/x'],
    ['https://a.example/x', 'https://b.example/x?cookieSet=1'],
    ['https://a.example/x', 'https://a.example:8443/x'],
    ['https://a.example/x', 'http://a.example/x?cookieSet=1'],
    ['https://a.example/x', 'mailto:x@a.example'],
    ['https://a.example/x', 'https://['],
  ])('of %s to %s is none', (asked, location) => {
    expect(kindOf(asked, location)).toBeNull();
  });
});

it('the cookies of a host are brought to all its ports, later ones in place of earlier ones, and to no other host', () => {
  const cookies = new HostCookies();
  cookies.add(url('https://a.example/x'), new Map([['a', '1']]));
  cookies.add(url('https://a.example:8443/y'), new Map([...[['a', '2'] as const], ['b', '3']]));
  expect(cookieHeader(cookies.of(url('http://a.example/z')))).toBe('a=2; b=3');
  expect(cookieHeader(cookies.of(url('https://www.a.example/')))).toBeNull();
});
