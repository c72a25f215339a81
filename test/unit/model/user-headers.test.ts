import { describe, expect, it } from 'vitest';
import { headerFault, headersFor, userHeaders, webOrigin } from '../../../src/model/user-headers.ts';

describe('an origin', () => {
  it.each([
    ['https://Example.ORG', 'https://example.org'],
    ['https://example.org:443/a?b#c', 'https://example.org'],
    ['http://example.org:80', 'http://example.org'],
    ['http://me:sesame@example.org/', 'http://example.org'],
    ['http://0x7f.1:8080/', 'http://127.0.0.1:8080'],
    ['http://[::FFFF:127.0.0.1]/', 'http://[::ffff:7f00:1]'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['ws://example.org/', null],
    ['file:///etc/passwd', null],
    ['blob:https://example.org/1', null],
    ['data:text/html,x', null],
    ['example.org', null],
  ])('of %s is %s', (text, origin) => {
    expect(webOrigin(text)).toBe(origin);
  });
});

describe('headers of a user', () => {
  const secret = userHeaders(
    ['Authorization: Bearer 1', 'X-Key:2'],
    ['https://example.org/start', 'http://a.test:8080'],
  );

  it.each(['https://example.org/', 'https://EXAMPLE.org:443/x', 'https://u:p@example.org/', 'http://a.test:8080/y'])(
    'go to %s',
    (url) => {
      expect(headersFor(url, secret)).toEqual({ Authorization: 'Bearer 1', 'X-Key': '2' });
    },
  );

  it.each([
    'http://example.org/',
    'https://example.org:8443/',
    'https://www.example.org/',
    'https://example.org.evil.test/',
    'https://example.org@evil.test/',
    'https://example.org./',
    'wss://example.org/',
    'http://a.test/',
    'no URL',
  ])('do not go to %s', (url) => {
    expect(headersFor(url, secret)).toEqual({});
  });

  it.each([
    'Host: evil.test',
    'content-length: 0',
    'Transfer-Encoding: chunked',
    'Proxy-Authorization: Basic x',
    'Sec-Fetch-Site: none',
    'User-Agent: x',
    'Connection: close',
    'Accept-Encoding: zstd',
    'X-Empty:',
    'no colon',
    'X: a\r\nY: b',
    'Ä: 1',
  ])('may not be %j', (line) => {
    expect(headerFault(line)).toMatch(/header/);
  });

  it.each([
    'Authorization: Bearer 1',
    'Cookie: a=1; b=2',
    'X-Vault-Token: a:b',
    'Accept-Language: de',
    'Referer: https://a.test/',
  ])('may be %j', (line) => {
    expect(headerFault(line)).toBeNull();
  });

  it('are refused without a word of their value', () => {
    expect(headerFault('Host: sesame')).not.toContain('sesame');
  });
});
