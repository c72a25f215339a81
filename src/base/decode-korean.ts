/**
 * Decodes EUC-KR by the Encoding Standard, where that name means Windows' code page 949, with all 11,172 syllables. TextDecoder of Node.js knows
 * the 2,350 of KS X 1001 alone, so that each other one became a control character and a letter. The others have their places in the order of
 * Unicode, so no table of them is needed.
 */
const [FIRST_SYLLABLE, LAST_SYLLABLE] = [0xac00, 0xd7a3];
/** Bytes that begin a pair; the second bytes; the pairs of KS X 1001 have both bytes from 0xA1 on. */
const [FIRST_LEAD, LAST_LEAD] = [0x81, 0xfe];
const STANDARD = 0xa1;
/** The last byte that begins a further syllable, and the second bytes there. */
const LAST_FURTHER_LEAD = 0xc6;
const FURTHER_TRAILS: readonly number[] = Array.from({ length: 0xff - 0x41 }, (_, index) => 0x41 + index).filter(
  (trail) => trail <= 0x5a || (trail >= 0x61 && trail <= 0x7a) || trail >= 0x81,
);
const UNKNOWN = 0xfffd;

/** The sign of each pair, by both of its bytes; 0 where there is none. */
let signs: Uint16Array | null = null;

export function decodedKorean(octets: Uint8Array): string {
  const known = (signs ??= pairSigns());
  const units = new Uint16Array(octets.length + 1);
  let length = 0;
  let lead = 0;
  for (const octet of octets) {
    const sign = known[lead * 256 + octet] ?? 0;
    const isPlain = octet < 0x80;
    if (lead === 0 && octet >= FIRST_LEAD && octet <= LAST_LEAD) {
      lead = octet;
      continue;
    }
    if (sign !== 0) units[length++] = sign;
    else if (lead !== 0 || !isPlain) units[length++] = UNKNOWN;
    // an ASCII character is not taken away by a broken pair
    if (sign === 0 && isPlain) {
      units[length] = octet;
      length += 1;
    }
    lead = 0;
  }
  if (lead !== 0) units[length++] = UNKNOWN;
  return new TextDecoder('utf-16le').decode(units.subarray(0, length));
}

function pairSigns(): Uint16Array {
  const found = new Uint16Array(65_536);
  const standard = new TextDecoder('euc-kr');
  const known = new Set<number>();
  for (let lead = STANDARD; lead <= LAST_LEAD; lead += 1) {
    for (let trail = STANDARD; trail <= LAST_LEAD; trail += 1) {
      const sign = standard.decode(Uint8Array.of(lead, trail));
      if (sign.length !== 1 || /[\ufffd\ue000-\uf8ff]/.test(sign)) continue;
      found[lead * 256 + trail] = sign.charCodeAt(0);
      known.add(sign.charCodeAt(0));
    }
  }
  // later additions to the standard
  found[0xa2e6] = 0x20ac;
  found[0xa2e7] = 0xae;
  let syllable = FIRST_SYLLABLE;
  for (let lead = FIRST_LEAD; lead <= LAST_FURTHER_LEAD; lead += 1) {
    for (const trail of FURTHER_TRAILS) {
      if (lead >= STANDARD && trail >= STANDARD) continue;
      while (known.has(syllable)) syllable += 1;
      if (syllable <= LAST_SYLLABLE) found[lead * 256 + trail] = syllable;
      syllable += 1;
    }
  }
  return found;
}
