/** The head of a gzip member, as any tool may have written it (RFC 1952, section 2.3). */

export const GZIP_MAGIC: Buffer = Buffer.from([0x1f, 0x8b, 8]);
/** The shortest head. */
export const GZIP_HEAD = 10;
/** Parts of a gzip head beyond its first ten bytes (RFC 1952, section 2.3.1). */
const [HAS_CHECK, HAS_EXTRA, HAS_NAME, HAS_COMMENT] = [2, 4, 8, 16];
/** Most bytes of a gzip head (arbitrary): a name, and what some tools keep beside it. */
export const LONGEST_GZIP_HEAD = 70_000;

/** Null where the head is none, or does not end. */
export function gzipHeadLength(bytes: Buffer): number | null {
  if (!bytes.subarray(0, GZIP_MAGIC.length).equals(GZIP_MAGIC)) return null;
  const flags = bytes[3] ?? 0;
  let at = GZIP_HEAD;
  if ((flags & HAS_EXTRA) !== 0) at += bytes.length < at + 2 ? bytes.length : 2 + bytes.readUInt16LE(at);
  for (const part of [HAS_NAME, HAS_COMMENT]) {
    if ((flags & part) === 0) continue;
    const end = bytes.indexOf(0, at);
    if (end === -1) return null;
    at = end + 1;
  }
  if ((flags & HAS_CHECK) !== 0) at += 2;
  return at < bytes.length ? at : null;
}
