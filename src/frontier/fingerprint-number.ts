import { createHash } from 'node:crypto';

/**
 * 63 bits of the SHA-1 of a URL as a decimal number, under which the frontier knows it. Text, because a double would
 * round it; 63 bits, because Redis packs signed 64-bit integers. Two of a million URLs share one with a probability of
 * 5e-8 (birthday bound), and then the second is taken for the first.
 * @param url in its canonical form; what has none (`mailto:`) as it was written
 */
export function fingerprintNumber(url: string): string {
  const digest = createHash('sha1').update(url).digest();
  return (digest.readBigUInt64BE(0) & 0x7fff_ffff_ffff_ffffn).toString();
}
