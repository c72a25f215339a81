/**
 * Shingles: the set of all runs of five tokens of a text (Broder 1997), as 32-bit hashes. Tokens are words; of writing
 * without spaces between words (Chinese, Japanese, Thai, …) every character is one.
 */

/** Tokens in a shingle (algorithms A3.3). */
export const SHINGLE_TOKENS = 5;

/** A word, or one character of a script that does not part its words. Marks and digits belong to words. */
const TOKEN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\uE000]\p{M}*|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\uE000])[\p{L}\p{N}\p{M}])+/gu;

/** FNV-1a's offset basis and prime, 32 bits. */
const FNV_BASIS = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
/** Odd, so that no bit of a token is lost by it. */
const ROLL = 0x9e3779b1;
/** ROLL to the power of SHINGLE_TOKENS: what takes the oldest token out of the rolling hash. */
const ROLL_OUT = Array.from({ length: SHINGLE_TOKENS }).reduce<number>((power) => Math.imul(power, ROLL), 1);

/**
 * The set of shingle hashes of a text in normal form. A text of fewer than five tokens has one shingle of all it has;
 * an empty text has none.
 */
export function shinglesOf(text: string): ReadonlySet<number> {
  const tokens = tokenHashes(text);
  const shingles = new Set<number>();
  let rolling = 0;
  for (const [index, token] of tokens.entries()) {
    rolling = (Math.imul(rolling, ROLL) + token) | 0;
    const left = index >= SHINGLE_TOKENS ? (tokens[index - SHINGLE_TOKENS] ?? 0) : 0;
    rolling = (rolling - Math.imul(left, ROLL_OUT)) | 0;
    if (index >= SHINGLE_TOKENS - 1) shingles.add(mixed(rolling));
  }
  if (shingles.size === 0 && tokens.length > 0) shingles.add(mixed(rolling));
  return shingles;
}

/** One hash for each token, in order. */
export function tokenHashes(text: string): readonly number[] {
  const hashes: number[] = [];
  for (const [token] of text.matchAll(TOKEN)) {
    let hash = FNV_BASIS;
    for (let index = 0; index < token.length; index += 1) hash = Math.imul(hash ^ token.charCodeAt(index), FNV_PRIME);
    hashes.push(mixed(hash));
  }
  return hashes;
}

/** The finalizer of MurmurHash3: every bit of the input reaches every bit of the result. */
export function mixed(hash: number): number {
  let value = hash;
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
