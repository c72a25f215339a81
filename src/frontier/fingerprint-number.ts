import { hash } from 'node:crypto';

/** Hexadecimal digits of 64 bits; the lower half holds the slot. */
const DIGITS = 16;
const SLOTS = 2 ** 26;

/**
 * 63 bits of the SHA-1 of a URL as a decimal number: the URL's key in the frontier. Text, because a double would
 * round it; 63 bits, because Redis packs signed 64-bit integers. Two of a million URLs share one with a probability of
 * 5e-8 (birthday bound); then the second is taken for the first.
 * @param url in its canonical form; a URL without one (`mailto:`) as written
 */
export function fingerprintNumber(url: string): string {
  return numberOf(digitsOf(url));
}

/** The fingerprint with the slot, which gives a URL's place in its queue (lua/includes/shards.lua). */
export function fingerprintAndSlot(url: string): readonly [fingerprint: string, slot: string] {
  const digits = digitsOf(url);
  return [numberOf(digits), String(Number.parseInt(digits.slice(DIGITS / 2), 16) % SLOTS)];
}

function digitsOf(url: string): string {
  // in one call: a page has hundreds of links, and a hash object per digest costs four times as much
  return hash('sha1', url, 'hex').slice(0, DIGITS);
}

function numberOf(digits: string): string {
  return (BigInt(`0x${digits}`) & 0x7fff_ffff_ffff_ffffn).toString();
}
