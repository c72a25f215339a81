import { describe, expect, it } from 'vitest';
import { replayedHeaders } from '../../../src/replay/answer-headers.ts';
import { recordedOrigins } from '../../../src/replay/recorded-origins.ts';

const origins = recordedOrigins(
  [
    'https://example.org',
    'http://example.org',
    'https://docs.example.org',
    'https://cdn.net:8443',
    'http://127.0.0.1:81',
  ],
  4000,
);

describe('recorded origins', () => {
  it('get a name each, and what belongs to one domain still does', () => {
    expect([...origins.all.values()]).toEqual([
      'http://example-org.localhost:4000',
      'http://http.example-org.localhost:4000',
      'http://docs.example-org.localhost:4000',
      'http://cdn-net.localhost:4000',
      'http://127-0-0-1.localhost:4000',
    ]);
    expect(origins.originOf('Docs.Example-org.localhost:4000')).toBe('https://docs.example.org');
    expect(origins.originOf('127.0.0.1:4000')).toBeNull();
  });

  it.each([
    ['<a href="https://example.org/a?b">', '<a href="http://example-org.localhost:4000/a?b">'],
    ['<a href="https://EXAMPLE.org:443">', '<a href="http://example-org.localhost:4000">'],
    ['<script src="//docs.example.org/x.js">', '<script src="//docs.example-org.localhost:4000/x.js">'],
    [String.raw`{"u":"https:\/\/cdn.net:8443\/x"}`, String.raw`{"u":"http:\/\/cdn-net.localhost:4000\/x"}`],
    ['url(//example.org/p.png)', 'url(//example-org.localhost:4000/p.png)'],
    ['//docs.example.org/moved', '//docs.example-org.localhost:4000/moved'],
    ['<//docs.example.org/a>; rel=next', '<//docs.example-org.localhost:4000/a>; rel=next'],
    [
      String.raw`{u:"https:\u002F\u002Fdocs.example.org\u002Fa"}`,
      String.raw`{u:"http:\u002F\u002Fdocs.example-org.localhost:4000\u002Fa"}`,
    ],
    [
      '<a href="https:&#x2F;&#x2F;example.org&#x2F;a">',
      '<a href="http:&#x2F;&#x2F;example-org.localhost:4000&#x2F;a">',
    ],
  ])('%s is rewritten', (text, served) => {
    expect(origins.served(text)).toBe(served);
  });

  it.each([
    'https://example.org.evil.test/',
    'https://cdn.net/',
    'https://myexample.org/',
    'a // example.org',
    '<a href="/a">//example.org/a</a>',
    'mailto:a@example.org',
    'http%3A%2F%2Fexample.org%2F',
  ])('%s stays as it is', (text) => {
    expect(origins.served(text)).toBe(text);
  });

  it('are known by an international name in its own letters, whatever their encoding in text', () => {
    const named = recordedOrigins(['https://xn--bcher-kva.example', 'https://xn--e1afmkfd.xn--p1ai'], 4000);
    const served = (text: string, encoding: BufferEncoding = 'utf8'): string =>
      Buffer.from(named.served(Buffer.from(text, encoding).toString('latin1')), 'latin1').toString(encoding);
    const [books = '', example = ''] = named.all.values();
    expect(served('<a href="https://bücher.example/größe">ä</a>')).toBe(`<a href="${books}/größe">ä</a>`);
    expect(served('<a href="https://BÜCHER.example">')).toBe(`<a href="${books}">`);
    expect(served('url(//пример.рф/a.png)')).toBe(`url(${example.replace('http:', '')}/a.png)`);
    for (const other of ['https://größe.example/', 'https://bücher.example.evil.test/', 'https://büche', '"//ä"'])
      expect(served(other)).toBe(other);
    expect(served('https://bücher.example/', 'latin1')).toBe(`${books}/`);
    expect(served('https://b\u00fc\u00a0cher.example/\u00ff', 'latin1')).toBe(
      'https://b\u00fc\u00a0cher.example/\u00ff',
    );
  });

  it('are known where letters of the text follow at once', () => {
    const text = Buffer.from('见https://example.org。 und https://example.org\u00a0').toString('latin1');
    const served = text.replaceAll('https://example.org', 'http://example-org.localhost:4000');
    expect(origins.served(text)).toBe(served);
  });

  it('are found again in what a page asks for', () => {
    const asked = '/login?next=http://docs.example-org.localhost:4000/a';
    expect(origins.recorded(asked)).toBe('/login?next=https://docs.example.org/a');
    expect(origins.recorded('/plain?x=1')).toBe('/plain?x=1');
  });

  it.each([
    ['/share?u=http%3A%2F%2Fdocs.example-org.localhost%3A4000%2Fa', '/share?u=https%3A%2F%2Fdocs.example.org%2Fa'],
    ['/s?u=http%3a%2f%2fcdn-net.localhost%3a4000', '/s?u=https%3a%2f%2fcdn.net%3a8443'],
    [
      '/in?to=%2Fout%3Fu%3Dhttp%253A%252F%252Fcdn-net.localhost%253A4000%252F',
      '/in?to=%2Fout%3Fu%3Dhttps%253A%252F%252Fcdn.net%253A8443%252F',
    ],
    ['{"at":"http:\\/\\/cdn-net.localhost:4000\\/a"}', '{"at":"https:\\/\\/cdn.net:8443\\/a"}'],
    ['/count?host=cdn-net.localhost:4000&name=cdn-net.localhost', '/count?host=cdn.net:8443&name=cdn.net'],
    ['/count?u=http://cdn-net.localhost:4000.', '/count?u=https://cdn.net:8443.'],
  ])('are found again in %s, where a script put its own address', (asked, recorded) => {
    expect(origins.recorded(asked)).toBe(recorded);
  });

  it.each([
    'http%3A%2F%2Fcdn-net.localhost%3A40001',
    'mycdn-net.localhost:4000',
    'cdn-net.localhost.test',
    'localhost:4000',
  ])('are not seen in %s', (asked) => {
    expect(origins.recorded(asked)).toBe(asked);
  });

  it('say where a recorded URL is served', () => {
    expect(origins.servedUrl('https://example.org/a#b')).toBe('http://example-org.localhost:4000/a#b');
    expect(origins.servedUrl('https://elsewhere.test/')).toBeNull();
  });
});

describe('headers of a recorded answer', () => {
  it('are sent again without those of the connection, of codings and of https', () => {
    const headers = [
      ['content-type', 'text/html; charset=latin1'],
      ['content-encoding', 'br'],
      ['content-length', '12'],
      ['transfer-encoding', 'chunked'],
      ['strict-transport-security', 'max-age=9'],
      ['location', 'https://docs.example.org/x'],
      ['set-cookie', 'a=b; Path=/; Domain=example.org; Secure; HttpOnly'],
      ['content-security-policy', 'upgrade-insecure-requests; img-src https://cdn.net:8443'],
      ['x-odd', 'a\u0001b'],
      ['etag', '"1"'],
    ] as const;
    expect(replayedHeaders(headers, origins)).toEqual([
      ...['content-type', 'text/html; charset=latin1'],
      ...['location', 'http://docs.example-org.localhost:4000/x'],
      ...['set-cookie', 'a=b; Path=/; HttpOnly'],
      ...['content-security-policy', ' img-src http://cdn-net.localhost:4000'],
    ]);
  });

  it.each([
    ['a=b; Domain=example.org; Secure; SameSite=Lax', 'a=b; SameSite=Lax'],
    ['a=b; Secure; Domain=example.org; SameSite=None', 'a=b; Secure; SameSite=None'],
    ['__Host-a=b; Path=/; Secure', '__Host-a=b; Path=/; Secure'],
    ['__secure-a=b; secure; domain=example.org', '__secure-a=b; secure'],
  ])('set the cookie %s as one that browsers take over http', (cookie, served) => {
    expect(replayedHeaders([['set-cookie', cookie]], origins)).toEqual(['set-cookie', served]);
  });

  it.each([
    ['script-src docs.example.org', 'script-src http://docs.example-org.localhost:4000'],
    ['script-src https://docs.example.org/a/', 'script-src http://docs.example-org.localhost:4000/a/'],
    ['img-src *.example.org data:', 'img-src http://docs.example-org.localhost:4000 data:'],
    [
      "default-src 'self' example.org",
      "default-src 'self' http://example-org.localhost:4000 http://http.example-org.localhost:4000",
    ],
    ['font-src https://example.org', 'font-src http://example-org.localhost:4000'],
    ['font-src cdn.net; img-src cdn.net:8443', 'font-src cdn.net; img-src http://cdn-net.localhost:4000'],
    ['font-src CDN.net:*', 'font-src http://cdn-net.localhost:4000'],
    ['img-src https: blob:', 'img-src https: http: blob:'],
    ["script-src * 'unsafe-inline' evil.test", "script-src * 'unsafe-inline' evil.test"],
    ['sandbox allow-scripts; frame-ancestors', 'sandbox allow-scripts; frame-ancestors'],
  ])('allow what the policy %s allowed', (policy, served) => {
    expect(replayedHeaders([['content-security-policy', policy]], origins)).toEqual([
      'content-security-policy',
      served,
    ]);
  });

  it('allow all recorded origins where a policy means many', () => {
    const names = Array.from({ length: 30 }, (_, index) => `https://s${index}.cdn.net`);
    const [, served] = replayedHeaders(
      [['content-security-policy', 'img-src *.cdn.net']],
      recordedOrigins(names, 4000),
    );
    expect(served).toBe('img-src http://*.localhost:4000');
  });

  it('name the codings that the body still has', () => {
    const headers = [
      ['content-encoding', 'gzip'],
      ['x', 'y'],
    ] as const;
    expect(replayedHeaders(headers, origins, 'zstd')).toEqual(['x', 'y', 'content-encoding', 'zstd']);
  });
});
