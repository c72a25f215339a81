import { describe, expect, it } from 'vitest';
import { canonicalUrl, type CanonicalUrl } from '../../../../src/model/url/canonical-url.ts';
import {
  hostKeyOf,
  hostNameOf,
  pathOf,
  registrableDomainOf,
  storedHostKey,
} from '../../../../src/model/url/host-key.ts';

function url(text: string): CanonicalUrl {
  const canonical = canonicalUrl(text);
  if (canonical === null) throw new TypeError(text);
  return canonical;
}

describe('a host key', () => {
  it.each([
    ['http://example.org/a?b', 'http://example.org', '/a?b'],
    ['https://example.org:8443/', 'https://example.org:8443', '/'],
    ['http://[::1]:8080/#/a', 'http://[::1]:8080', '/#/a'],
    ['http://user@example.org:80//a', 'http://example.org', '//a'],
  ])('parts %s into %s and %s', (text, key, path) => {
    expect(hostKeyOf(url(text))).toBe(key);
    expect(pathOf(url(text))).toBe(path);
    expect(hostNameOf(hostKeyOf(url(text)))).toBe(new URL(text).hostname);
    expect(storedHostKey(key)).toBe(key);
  });

  it('is not made of a whole URL', () => {
    expect(() => storedHostKey('http://example.org/')).toThrow(TypeError);
    expect(() => storedHostKey('example.org')).toThrow(TypeError);
  });
});

describe('registrableDomainOf', () => {
  it.each([
    ['http://www.example.co.uk/', 'example.co.uk'],
    ['http://a.b.example.org/', 'example.org'],
    ['http://me.github.io/', 'me.github.io'],
    ['http://you.github.io:8080/', 'you.github.io'],
    ['http://127.0.0.1/', '127.0.0.1'],
    ['http://[::1]/', '[::1]'],
    ['http://localhost/', 'localhost'],
    ['http://www.bücher.de/', 'xn--bcher-kva.de'],
  ])('of %s is %s', (text, domain) => {
    expect(registrableDomainOf(url(text))).toBe(domain);
  });
});
