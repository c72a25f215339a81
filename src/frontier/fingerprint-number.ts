import { hash } from 'node:crypto';

/** Of 64 bits in hexadecimal; in half of them is the slot. */
const DIGITS = 16;
const SLOTS = 2 ** 26;

/**
 * 63 bits of the SHA-1 of a URL as a decimal number, under which the frontier knows it. Text, because a double would
 * round it; 63 bits, because Redis packs signed 64-bit integers. Two of a million URLs share one with a probability of
 * 5e-8 (birthday bound), and then the second is taken for the first.
 * @param url in its canonical form; what has none (`mailto:`) as it was written
 */
export function fingerprintNumber(url: string): string {
  return numberOf(digitsOf(url));
}

/** Beside the fingerprint the slot: the part of it that says where in its queue a URL stands (lua/includes/shards.lua). */
export function fingerprintAndSlot(url: string): readonly [fingerprint: string, slot: string] {
  const digits = digitsOf(url);
  return [numberOf(digits), String(Number.parseInt(digits.slice(DIGITS / 2), 16) % SLOTS)];
}

function digitsOf(url: string): string {
  // in one call, for a page has hundreds of links: an object for each digest costs four times as much
  return hash('sha1', url, 'hex').slice(0, DIGITS);
}

function numberOf(digits: string): string {
  return (BigInt(`0x${digits}`) & 0x7fff_ffff_ffff_ffffn).toString();
}
