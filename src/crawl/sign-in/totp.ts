/** One-time passwords by time (TOTP, RFC 6238), as authenticator apps show them. */
import { createHmac } from 'node:crypto';
import { parsedUrl } from '../../base/parsed-url.ts';
import { epochMs, type EpochMs } from '../../base/units.ts';

export interface TotpSecret {
  readonly key: Uint8Array;
  readonly algorithm: 'sha1' | 'sha256' | 'sha512';
  readonly digits: number;
  /** Seconds for which a password holds. */
  readonly period: number;
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** RFC 4226 section 4 asks for 128 bits; sites sometimes hand out 80. */
const LEAST_BYTES = 8;

/**
 * Reads a secret as a site shows it beside its QR code: base32, in groups or not; or the content of that code, `otpauth://totp/…`.
 * @returns null where it is neither
 */
export function readTotpSecret(text: string): TotpSecret | null {
  const trimmed = text.trim();
  if (!/^otpauth:/i.test(trimmed)) return withKey(trimmed, { algorithm: 'sha1', digits: 6, period: 30 });
  const url = parsedUrl(trimmed);
  if (url?.host !== 'totp') return null;
  const given = url.searchParams;
  const algorithm = ALGORITHMS.find((name) => name === (given.get('algorithm') ?? 'SHA1').toLowerCase());
  const digits = Number(given.get('digits') ?? 6);
  const period = Number(given.get('period') ?? 30);
  const isSound = Number.isInteger(digits) && digits >= 6 && digits <= 8 && Number.isInteger(period) && period >= 1;
  return algorithm === undefined || !isSound ? null : withKey(given.get('secret') ?? '', { algorithm, digits, period });
}

const ALGORITHMS = ['sha1', 'sha256', 'sha512'] as const;

/** The password at a time. */
export function totp(secret: TotpSecret, at: EpochMs): string {
  return hotp(secret, Math.floor(at / 1000 / secret.period));
}

/** When the next password begins to hold. */
export function nextTotp({ period }: TotpSecret, at: EpochMs): EpochMs {
  const length = period * 1000;
  return epochMs((Math.floor(at / length) + 1) * length);
}

/** The password of a counter (HOTP, RFC 4226 section 5.3). */
export function hotp({ key, algorithm, digits }: Omit<TotpSecret, 'period'>, counter: number): string {
  const message = Buffer.alloc(8);
  message.writeBigUInt64BE(BigInt(counter));
  const digest = createHmac(algorithm, key).update(message).digest();
  const offset = (digest.at(-1) ?? 0) & 0xf;
  const number = digest.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

function withKey(text: string, traits: Omit<TotpSecret, 'key'>): TotpSecret | null {
  const key = fromBase32(text);
  return key === null || key.length < LEAST_BYTES ? null : { key, ...traits };
}

/** RFC 4648 section 6, without regard to case, blanks and padding. */
function fromBase32(text: string): Uint8Array | null {
  const letters = text.toUpperCase().replace(/[\s-]/g, '').replace(/=+$/, '');
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  for (const letter of letters) {
    const value = BASE32.indexOf(letter);
    if (value < 0) return null;
    held = ((held << 5) | value) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((held >> bits) & 0xff);
  }
  return Uint8Array.from(bytes);
}
