import { describe, expect, test } from 'vitest';
import { answerHead, failureOfProxyWord, judgeAnswer } from '../../../../src/core/answers/judge-answer.ts';
import { failureOfErrorText } from '../../../../src/render/page/browser-failure.ts';

const judged = (status: number, headers: Record<string, string> = {}): ReturnType<typeof judgeAnswer> =>
  judgeAnswer(
    answerHead(
      status,
      Object.entries(headers).map(([name, value]) => ({ name, value })),
    ),
  );

describe('an answer', () => {
  test.each([
    [200, { 'Content-Type': 'text/html; charset=utf-8' }, { kind: 'render' }],
    [200, { 'content-type': 'application/xhtml+xml' }, { kind: 'render' }],
    [200, {}, { kind: 'render' }],
    [200, { 'content-type': 'text/plain' }, { kind: 'not-html' }],
    [200, { 'content-type': 'application/xml' }, { kind: 'not-html' }],
    [200, { 'content-type': 'text/html', 'content-disposition': ' Attachment; filename=a' }, { kind: 'not-html' }],
    [200, { 'content-type': 'text/html', 'content-disposition': 'inline' }, { kind: 'render' }],
    [203, { 'content-type': 'text/html' }, { kind: 'render' }],
    [204, {}, { kind: 'empty' }],
    [205, {}, { kind: 'empty' }],
    [301, { location: '/a b' }, { kind: 'redirected', location: '/a b' }],
    [308, { Location: 'https://other.example/' }, { kind: 'redirected', location: 'https://other.example/' }],
    [302, { location: ' ', 'content-type': 'text/html' }, { kind: 'render' }],
    [304, {}, { kind: 'empty' }],
    [200, { 'content-disposition': 'other' }, { kind: 'not-html' }],
    [200, { 'content-disposition': 'filename=a.html' }, { kind: 'render' }],
    [200, { 'content-disposition': '"attachment"' }, { kind: 'render' }],
    [200, { 'x-content-type-options': 'nosniff' }, { kind: 'not-html' }],
    [200, { 'content-type': 'text/html', 'x-content-type-options': 'nosniff' }, { kind: 'render' }],
    [401, {}, { kind: 'http-error' }],
    [404, { 'content-type': 'application/pdf' }, { kind: 'http-error' }],
    [429, { 'retry-after': '7' }, { kind: 'throttled', retryAfter: '7' }],
    [403, { 'retry-after': '7' }, { kind: 'throttled', retryAfter: '7' }],
    [
      403,
      { 'Retry-After': 'Wed, 21 Oct 2026 07:28:00 GMT' },
      { kind: 'throttled', retryAfter: 'Wed, 21 Oct 2026 07:28:00 GMT' },
    ],
    [403, { 'retry-after': 'never' }, { kind: 'http-error' }],
    [403, {}, { kind: 'http-error' }],
    [404, { 'retry-after': '7' }, { kind: 'http-error' }],
    [503, {}, { kind: 'throttled', retryAfter: null }],
    [502, {}, { kind: 'http-error' }],
    [
      200,
      { 'content-type': 'text/html', 'content-length': '15728641' },
      { kind: 'too-large', detail: 'content-length 15728641' },
    ],
    [200, { 'content-type': 'text/html', 'content-length': '15728640' }, { kind: 'render' }],
    [200, { 'content-type': 'text/html charset=utf-8' }, { kind: 'render' }],
    [403, { 'x-orbweaver-refused': 'loopback' }, { kind: 'blocked-address', detail: 'loopback' }],
    [504, { 'x-orbweaver-error': 'timeout' }, { kind: 'unreachable', failure: 'timeout', detail: 'timeout' }],
  ])('of status %i with %j means %j', (status, headers, verdict) => {
    expect(judged(status, headers)).toEqual(verdict);
  });

  test.each([
    ['location', 'redirected'],
    ['content-disposition', 'not-html'],
  ])('with two fields %s is none where they differ, as in browsers', (name, kind) => {
    const judgedTwice = (...values: readonly string[]): string =>
      judgeAnswer(
        answerHead(
          name === 'location' ? 302 : 200,
          values.map((value) => ({ name, value })),
        ),
      ).kind;
    expect([judgedTwice('a', 'a'), judgedTwice('a', 'b')]).toEqual([kind, 'unreachable']);
  });

  test('has its headers in lower case, cut, and no more than 64 KiB of them', () => {
    const many = Array.from({ length: 3000 }, (_, n) => ({ name: `X-${n}`, value: 'v' }));
    expect(answerHead(200, many).headers).toHaveLength(3000);
    expect(answerHead(200, [{ name: 'X-Long', value: 'v'.repeat(10_000) }]).headers).toEqual([
      ['x-long', 'v'.repeat(8192)],
    ]);
    const large = Array.from({ length: 20 }, (_, n) => ({ name: `x-${n}`, value: 'v'.repeat(8000) }));
    expect(answerHead(200, large).headers).toHaveLength(8);
  });

  test('says its media type without parameters', () => {
    expect(answerHead(200, [{ name: 'Content-Type', value: ' Text/HTML ;charset=x' }]).contentType).toBe('text/html');
    expect(answerHead(200, [{ name: 'Content-Type', value: 'text/html charset=utf-8' }]).contentType).toBe('text/html');
    const twice = 'text/html, text/html; charset=x';
    expect(answerHead(200, [{ name: 'Content-Type', value: twice }]).contentType).toBe('text/html');
    expect(answerHead(200, []).contentType).toBe('');
  });

  // nginx' `add_header Content-Type` adds a second one to its default
  test.each([
    [['application/octet-stream', 'text/html; charset=utf-8'], 'text/html'],
    [['text/plain, text/html'], 'text/html'],
    [['text/html', '*/*'], 'text/html'],
    [['text/html', 'utf-8'], 'text/html'],
    [['html'], ''],
    [['unknown/unknown'], ''],
    [['Application/Unknown; charset=utf-8'], ''],
    [['text/html', 'unknown/unknown'], ''],
    [['application/xhtml+xml; profile="http://a.example/x, http://b.example/y"'], 'application/xhtml+xml'],
  ])('has the media type that browsers make of %j', (types, type) => {
    const headers = types.map((value) => ({ name: 'Content-Type', value }));
    expect(answerHead(200, headers).contentType).toBe(type);
  });
});

describe('an error of the browser', () => {
  test.each([
    ['net::ERR_NAME_NOT_RESOLVED', 'dns'],
    ['net::ERR_CONNECTION_REFUSED', 'refused'],
    ['net::ERR_ADDRESS_UNREACHABLE', 'refused'],
    ['net::ERR_CONNECTION_RESET', 'reset'],
    ['net::ERR_EMPTY_RESPONSE', 'reset'],
    ['net::ERR_HTTP2_PROTOCOL_ERROR', 'reset'],
    ['net::ERR_CERT_AUTHORITY_INVALID', 'tls'],
    ['net::ERR_SSL_PROTOCOL_ERROR', 'tls'],
    ['net::ERR_CONNECTION_TIMED_OUT', 'timeout'],
    ['net::ERR_TUNNEL_CONNECTION_FAILED', 'proxy'],
    ['net::ERR_PROXY_CONNECTION_FAILED', 'proxy'],
    ['net::ERR_INVALID_HTTP_RESPONSE', 'bad-response'],
    ['net::ERR_UNEXPECTED_PROXY_AUTH', 'bad-response'],
    ['net::ERR_CONTENT_DECODING_FAILED', 'bad-response'],
    ['net::ERR_UNSAFE_PORT', 'other'],
  ])('%s is %s', (text, failure) => {
    expect(failureOfErrorText(text)).toBe(failure);
  });

  test('a word of the proxy is taken as it is, an unknown one is the proxy', () => {
    expect(failureOfProxyWord(' Reset ')).toBe('reset');
    expect(failureOfProxyWord('__proto__')).toBe('proxy');
  });
});
