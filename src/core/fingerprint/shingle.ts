/**
 * Shingles: the set of all runs of five tokens of a text (Broder 1997), as 32-bit hashes. Tokens are words; in scripts
 * without spaces between words (Chinese, Japanese, Thai, …) every character is one.
 */
import { FNV_BASIS, FNV_PRIME, mixed } from '../../base/hash.ts';
import { APART, classOf, classOfUnit, HALF, KNOWN_CLASSES, MARK, PIECE, WHOLE } from './token.ts';

/** Tokens in a shingle (design/duplicates-and-traps, "Shingles"). */
const SHINGLE_TOKENS = 5;

/** Odd, so that no bit of a token is lost by it. */
const ROLL = 0x9e3779b1;
/** ROLL to the power of SHINGLE_TOKENS: it takes the oldest token out of the rolling hash. */
const ROLL_OUT = Array.from({ length: SHINGLE_TOKENS }).reduce<number>((power) => Math.imul(power, ROLL), 1);

/**
 * The set of shingle hashes of a text in normal form, as signed numbers, which V8 keeps off its heap. A text of fewer than
 * five tokens has one shingle of all of them; an empty text has none.
 */
export function shinglesOf(text: string): ReadonlySet<number> {
  const tokens = tokenHashes(text);
  const shingles = new Set<number>();
  let rolling = 0;
  for (let index = 0; index < tokens.length; index += 1) {
    rolling = (Math.imul(rolling, ROLL) + (tokens[index] ?? 0)) | 0;
    const left = index >= SHINGLE_TOKENS ? (tokens[index - SHINGLE_TOKENS] ?? 0) : 0;
    rolling = (rolling - Math.imul(left, ROLL_OUT)) | 0;
    if (index >= SHINGLE_TOKENS - 1) shingles.add(mixed(rolling) | 0);
  }
  if (shingles.size === 0 && tokens.length > 0) shingles.add(mixed(rolling) | 0);
  return shingles;
}

/** One hash for each token, in order: a word, or one character of a script without spaces between words. */
export function tokenHashes(text: string): readonly number[] {
  const hashes: number[] = [];
  let hash = FNV_BASIS;
  /** The state of the hash: empty, within a word that may go on, or at a character that only marks belong to. */
  let open: number = APART;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    const known = KNOWN_CLASSES[unit];
    if (known === PIECE && open === PIECE) {
      hash = Math.imul(hash ^ unit, FNV_PRIME);
      continue;
    }
    const low = known === HALF ? secondHalf(text, index) : 0;
    const found = known === HALF ? classOfPair(unit, low) : classOfUnit(unit);
    const belongs = found === MARK && open !== APART;
    if (open !== APART && !belongs && (found !== PIECE || open === WHOLE)) {
      hashes.push(mixed(hash));
      hash = FNV_BASIS;
    }
    if (!belongs) open = found === MARK ? PIECE : found;
    if (open === APART) continue;
    hash = Math.imul(hash ^ unit, FNV_PRIME);
    if (low === 0) continue;
    hash = Math.imul(hash ^ low, FNV_PRIME);
    index += 1;
  }
  if (open !== APART) hashes.push(mixed(hash));
  return hashes;
}

/** 0 where no character begins here: half of one alone is no text. */
function secondHalf(text: string, index: number): number {
  if (text.charCodeAt(index) > 0xdbff) return 0;
  const low = text.charCodeAt(index + 1);
  return low >= 0xdc00 && low <= 0xdfff ? low : 0;
}

function classOfPair(high: number, low: number): number {
  return low === 0 ? APART : classOf(((high - 0xd800) << 10) + (low - 0xdc00) + 0x1_0000);
}
