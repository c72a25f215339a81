/**
 * Hashes of 32 bits that spread well and keep no secret. Stored data is made with them (signatures, sketches, hashes of lines), so none
 * of them may ever give another number.
 */

/** FNV-1a's offset basis and prime, 32 bits: for code that hashes as it reads. */
export const FNV_BASIS = 0x811c9dc5;
export const FNV_PRIME = 0x01000193;

/** FNV-1a over the UTF-16 units of a text, as a signed number. Its low bits alone are weak: see {@link mixed}. */
export function fnv1a(text: string): number {
  let hash = FNV_BASIS | 0;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), FNV_PRIME);
  return hash;
}

/** The finalizer of MurmurHash3: every bit of the input reaches every bit of the result, which has no sign. */
export function mixed(hash: number): number {
  let value = hash;
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

/**
 * A hash of 64 bits as 16 hexadecimal digits, for names that are kept: of a million texts two have the same one with a probability of 3e-8.
 * Two hashes that step in different ways, each with its own finalizer.
 */
export function hash64(text: string): string {
  let one = FNV_BASIS | 0;
  let other = text.length ^ 0x5bd1e995;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    one = Math.imul(one ^ unit, FNV_PRIME);
    other = Math.imul(other ^ unit, 0x5bd1e995);
    other ^= other >>> 15;
  }
  return hexadecimal(mixed(one)) + hexadecimal(mixed(other));
}

function hexadecimal(value: number): string {
  return value.toString(16).padStart(8, '0');
}
