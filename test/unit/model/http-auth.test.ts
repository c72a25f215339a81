import { describe, expect, it } from 'vitest';
import { httpAuthFault, httpAuthHeaders, httpAuthSecrets } from '../../../src/model/http-auth.ts';
import { headersFor } from '../../../src/model/user-headers.ts';

const SEEDS = ['https://a.test/start', 'http://b.test:8080/', 'http://[::1]:81/'];
const originsFor = (text: string): readonly string[] =>
  httpAuthHeaders([text], SEEDS).flatMap(({ origins }) => [...origins]);

describe('a user and a password for a host', () => {
  it.each([
    ['me:sesame@a.test', ['https://a.test']],
    ['me:sesame@b.test', ['http://b.test:8080']],
    ['me:sesame@b.test:8080', ['http://b.test:8080']],
    ['me:sesame@b.test:9', ['https://b.test:9']],
    ['me:sesame@[::1]:81', ['http://[::1]:81']],
    ['me:sesame@c.test', ['https://c.test']],
    ['me:sesame@http://a.test', ['http://a.test']],
    ['me:se:s@me@A.test', ['https://a.test']],
  ])('%s is for %s', (text, origins) => {
    expect(httpAuthFault(text)).toBeNull();
    expect(originsFor(text)).toEqual(origins);
  });

  it('are sent as RFC 7617 says, by its own examples', () => {
    const sent = (text: string): unknown => headersFor('https://a.test/x', httpAuthHeaders([text], SEEDS));
    expect(sent('Aladdin:open sesame@a.test')).toEqual({ Authorization: 'Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==' });
    expect(sent('test:123£@a.test')).toEqual({ Authorization: 'Basic dGVzdDoxMjPCow==' });
    expect(httpAuthSecrets(['Aladdin:open sesame@a.test'])).toEqual(['open sesame', 'QWxhZGRpbjpvcGVuIHNlc2FtZQ==']);
  });

  it.each([
    'sesame@a.test',
    'me:sesame',
    ':sesame@a.test',
    'me:sesame@',
    'me:sesame@a.test/path',
    'me:sesame@ftp://a.test',
    'me:sesame@a b',
    'me:ses\name@a.test',
  ])('%j is refused, and not repeated', (text) => {
    expect(httpAuthFault(text)).not.toBeNull();
    expect(httpAuthFault(text)).not.toContain('sesame');
  });
});
