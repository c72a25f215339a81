import { decodedKorean } from './decode-korean.ts';

/** The signs of windows-1252 at 0x80 to 0x9F, where Latin-1 has control characters; five places have none. */
const SIGNS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/**
 * Decodes a text by the Encoding Standard. TextDecoder alone would not: that of Node.js 20 takes windows-1252, which is also the meaning of
 * `iso-8859-1`, for Latin-1, so that quotes, dashes and the euro became control characters; it lacks most of the syllables of EUC-KR, and has
 * private signs in GBK, which is read as gb18030 is.
 * @throws {RangeError} for an unknown encoding
 */
export function decodedText(octets: Uint8Array, encoding: string): string {
  const decoder = new TextDecoder(encoding);
  if (decoder.encoding === 'euc-kr') return decodedKorean(octets);
  if (decoder.encoding === 'gbk') return new TextDecoder('gb18030').decode(octets);
  const text = decoder.decode(octets);
  if (decoder.encoding !== 'windows-1252') return text;
  return text.replaceAll(/[\u0080-\u009f]/g, (sign) => SIGNS.charAt(sign.charCodeAt(0) - 0x80));
}
