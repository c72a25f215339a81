/** Undoes the chunked transfer coding of a recorded body (RFC 9112, section 7.1). */

/** The longest first line of a chunk: its size and its extensions (arbitrary). */
const LINE_LIMIT = 1024;
const LINE_END = Buffer.from('\r\n');

/** The chunks, as far as they go; the body as it is where it does not begin with one: some recorders undo the coding and keep its header. */
export function joinedChunks(body: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; at < body.length;) {
    const start = body.subarray(0, at + LINE_LIMIT).indexOf(LINE_END, at) + LINE_END.length;
    const line = start < LINE_END.length ? '' : body.toString('latin1', at, start);
    const size = /^([0-9a-f]{1,8})[ \t]*(?:;|\r)/i.exec(line)?.[1];
    if (size === undefined) break;
    const end = start + Number.parseInt(size, 16);
    if (end === start) return Buffer.concat(chunks);
    if (end < body.length && !LINE_END.includes(body[end] ?? 0)) break;
    chunks.push(body.subarray(start, end));
    at = end + LINE_END.length;
  }
  return chunks.length === 0 ? body : Buffer.concat(chunks);
}
