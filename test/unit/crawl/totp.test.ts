import { describe, expect, it } from 'vitest';
import { epochMs } from '../../../src/base/units.ts';
import { hotp, nextTotp, readTotpSecret, totp } from '../../../src/crawl/sign-in/totp.ts';

const SEED = '12345678901234567890';
const keyOf = (length: number): Uint8Array => Buffer.from(SEED.repeat(4).slice(0, length), 'ascii');

describe('one-time passwords', () => {
  it.each(['755224', '287082', '359152', '969429', '338314', '254676', '287922', '162583', '399871', '520489'])(
    'are those of RFC 4226, appendix D: %s',
    (password) => {
      const all = Array.from({ length: 10 }, (_, count) =>
        hotp({ key: keyOf(20), algorithm: 'sha1', digits: 6 }, count),
      );
      expect(all).toContain(password);
      expect(all.indexOf(password)).toBe(RFC_4226.indexOf(password));
    },
  );

  it.each([
    [59, '94287082', '46119246', '90693936'],
    [1_111_111_109, '07081804', '68084774', '25091201'],
    [1_111_111_111, '14050471', '67062674', '99943326'],
    [1_234_567_890, '89005924', '91819424', '93441116'],
    [2_000_000_000, '69279037', '90698825', '38618901'],
    [20_000_000_000, '65353130', '77737706', '47863826'],
  ])('are those of RFC 6238, appendix B, at %i s', (seconds, ...passwords) => {
    const at = epochMs(seconds * 1000);
    const rows = [
      { key: keyOf(20), algorithm: 'sha1' },
      { key: keyOf(32), algorithm: 'sha256' },
      { key: keyOf(64), algorithm: 'sha512' },
    ] as const;
    expect(rows.map((row) => totp({ ...row, digits: 8, period: 30 }, at))).toEqual(passwords);
  });

  it('follow each other every 30 seconds', () => {
    const secret = readTotpSecret('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
    if (secret === null) throw new Error('not read');
    expect(nextTotp(secret, epochMs(59_000))).toBe(60_000);
    expect(nextTotp(secret, epochMs(60_000))).toBe(90_000);
  });
});

const RFC_4226 = ['755224', '287082', '359152', '969429', '338314', '254676', '287922', '162583', '399871', '520489'];

describe('a secret', () => {
  it.each([
    'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
    'gezd gnbv gy3t qojq gezd gnbv gy3t qojq',
    'otpauth://totp/Site:alice?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Site',
  ])('is read from %s', (text) => {
    expect(readTotpSecret(text)).toEqual({ key: Uint8Array.from(keyOf(20)), algorithm: 'sha1', digits: 6, period: 30 });
  });

  it('says how its passwords are made', () => {
    const text = 'otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ&algorithm=SHA256&digits=8&period=60';
    expect(readTotpSecret(text)).toMatchObject({ algorithm: 'sha256', digits: 8, period: 60 });
  });

  it.each([
    '',
    'GEZD',
    '123456',
    'otpauth://hotp/x?secret=GEZDGNBVGY3TQOJQ',
    'otpauth://totp/x',
    'otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ&digits=40',
    'otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ&algorithm=MD5',
  ])('is not %j', (text) => expect(readTotpSecret(text)).toBeNull());
});
