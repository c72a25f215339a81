import { describe, expect, it } from 'vitest';
import { redactedText, redactor } from '../../../src/base/redaction.ts';

const NAMES = [
  'token',
  'key',
  'secret',
  'password',
  'passwd',
  'pwd',
  'sig',
  'signature',
  'access_token',
  'id_token',
  'refresh_token',
  'api_key',
  'apikey',
  'api-key',
  'auth',
  'code',
  'session',
  'sid',
  'jwt',
  'X-Amz-Signature',
  'X-Amz-Security-Token',
  'X-Amz-Credential',
  'X-Goog-Signature',
  'Access_Token',
  'CSRF-TOKEN',
  'client_secret',
  'user[password]',
  'user%5Bpassword%5D',
  'subscription-key',
  'PHPSESSID',
  'SAMLResponse',
  'oauth_token',
  'AWSAccessKeyId',
];

describe('redacted text', () => {
  it.each(NAMES)('has no value of %s, in a query or a fragment', (name) => {
    expect(redactedText(`https://a.test/p?${name}=s3same&page=2`)).toBe(`https://a.test/p?${name}=REDACTED&page=2`);
    expect(redactedText(`GET /p?a=1&${name}=s3same failed`)).toBe(`GET /p?a=1&${name}=REDACTED failed`);
    expect(redactedText(`https://a.test/#${name}=s3same`)).toBe(`https://a.test/#${name}=REDACTED`);
    expect(redactedText(`https://a.test/#/in?${name}=s3same"`)).toBe(`https://a.test/#/in?${name}=REDACTED"`);
  });

  it.each([
    ['https://me:s3same@a.test/', 'https://REDACTED@a.test/'],
    ['redis://:s3same@h:6379/1', 'redis://REDACTED@h:6379/1'],
    ['https://s3same@a.test/?x=1', 'https://REDACTED@a.test/?x=1'],
    [
      'https://a.test/?next=https%3A%2F%2Fb.test%2F%3Ftoken%3Ds3same%26x%3D1',
      'https://a.test/?next=https%3A%2F%2Fb.test%2F%3Ftoken%3DREDACTED%26x%3D1',
    ],
    ['https://a.test/p;jsessionid=s3same?x=1', 'https://a.test/p;jsessionid=REDACTED'],
    ['two: http://a/?sig=s3same and http://b/?sig=s3same', 'two: http://a/?sig=REDACTED and http://b/?sig=REDACTED'],
    ['\u001b[2mhttp://a/?sig=s3same\u001b[22m', '\u001b[2mhttp://a/?sig=REDACTED\u001b[22m'],
    ['"https://a.test/?key=s3same"', '"https://a.test/?key=REDACTED"'],
  ])('of %s is %s', (text, redacted) => {
    expect(redactedText(text)).toBe(redacted);
    expect(redactedText(redacted)).toBe(redacted);
  });

  it.each([
    'https://a.test/?page=2&q=token&keyboard=dvorak&sort=code',
    'https://a.test/token=1/key',
    'status code=404',
    'mail me@a.test',
    'https://a.test/@user/path',
    '?token=',
    '',
  ])('leaves %j as it is', (text) => {
    expect(redactedText(text)).toBe(text);
  });

  it.each([
    ['&'],
    ['?a'],
    ['&token='],
    ['?' + 'a'.repeat(63)],
    ['a://'],
    ['x:y@'],
    ['a://b'],
    ['%3f'],
    ['%3ftoken%3d'],
    ['&token%3d%26'],
    ['%3d%'],
    ['a@b://'],
    ['a.'],
  ])('of %j again and again takes time in proportion', (piece) => {
    // quadratic growth would take minutes for 400,000 characters; CPU time, because other processes prolong the clock time
    const text = piece.repeat(Math.ceil(400_000 / piece.length));
    const before = process.cpuUsage();
    redactedText(text);
    const { user } = process.cpuUsage(before);
    expect(user).toBeLessThan(2_000_000);
  });
});

describe('a redactor', () => {
  const hide = redactor(['Bearer s3same-long', 'id=first-part; other=second-part', 'x', 'a b/c=d']);

  it.each([
    ['said Bearer s3same-long.', 'said REDACTED.'],
    ['only s3same-long', 'only REDACTED'],
    ['first-part and second-part', 'REDACTED and REDACTED'],
    ['/?q=a%20b%2Fc%3Dd', '/?q=REDACTED'],
    ['a fox and an id', 'a fox and an id'],
    ['http://a/?token=1', 'http://a/?token=REDACTED'],
  ])('of %j makes %j', (text, hidden) => {
    expect(hide(text)).toBe(hidden);
  });
});
