/** The body of an answer with the addresses at which its site is served. */
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { mebibytes, type Bytes } from '../base/units.ts';
import { VAGUE_TYPES } from '../base/vague-types.ts';

/** Bytes of the longest text that is searched for addresses; longer ones are sent unchanged. */
export const REWRITTEN: Bytes = mebibytes(20);
const TEXT =
  /^(?:text\/|application\/(?:(?:x-)?javascript|ecmascript|json|xml|[\w.-]+\+(?:xml|json))|image\/svg\+xml)/i;
/** How markup and lists of addresses begin, behind a mark of UTF-8 if there is one. */
const START = /^(?:\xef\xbb\xbf)?\s{0,100}(?:<[?!a-z]|https?:\/\/)/i;
const START_LENGTH = 128;

/** @param served replaces the addresses in a text; bytes are preserved, whatever characters they belong to */
export async function rewrittenBody(
  body: Uint8Array,
  contentType: string,
  served: (text: string) => string,
): Promise<Uint8Array> {
  if (body.length > REWRITTEN) return body;
  if (TEXT.test(contentType.trim())) return rewritten(body, served);
  // servers give such types to sitemaps, packed or not, and some answers have none
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type !== '' && !VAGUE_TYPES.has(type)) return body;
  const isPacked = body[0] === 0x1f && body[1] === 0x8b;
  const plain = isPacked ? await unpacked(body) : body;
  if (plain === null || !START.test(latin1(plain.subarray(0, START_LENGTH)))) return body;
  const content = rewritten(plain, served);
  if (content.equals(plain)) return body;
  return isPacked ? promisify(gzip)(content) : content;
}

/** In UTF-16, letters of ASCII have two bytes each. Such documents begin with its mark, as hardly any server names it. */
function rewritten(text: Uint8Array, served: (text: string) => string): Buffer {
  const [first, second] = text;
  if (first === 0xff && second === 0xfe) return Buffer.from(served(Buffer.from(text).toString('utf16le')), 'utf16le');
  if (first !== 0xfe || second !== 0xff) return Buffer.from(served(latin1(text)), 'latin1');
  const whole = Buffer.from(text.subarray(0, text.length - (text.length % 2)));
  return Buffer.from(served(whole.swap16().toString('utf16le')), 'utf16le').swap16();
}

/** Null where that is no gzip, or too long. */
async function unpacked(body: Uint8Array): Promise<Uint8Array | null> {
  return promisify(gunzip)(body, { maxOutputLength: REWRITTEN }).catch(() => null);
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
