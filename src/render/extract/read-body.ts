/** Reads the body of an answer that the browser holds back, piece by piece: a body that is too long is cut as it comes. */
import { promisify } from 'node:util';
import { constants, gunzip } from 'node:zlib';
import type { DevToolsSession } from '../../../browsers/protocol/session.ts';
import { withDeadline } from '../../base/deadline.ts';
import { bytes, type Bytes, type Milliseconds } from '../../base/units.ts';
import { valueOf, type AnswerHead } from '../../core/answers/judge-answer.ts';
import type { Truncation } from '../../model/truncation.ts';
import type { FileBody } from '../../model/visit-outcome.ts';
import { BODY_PIECE, UNPACKED_LIMIT, WHOLE_TIME } from '../limits/reading-limits.ts';

interface PausedBody {
  readonly requestId: string;
  readonly limit: Bytes;
  /** Bytes to load for the archive. Default: no more than `limit`. */
  readonly whole?: Bytes | null;
  /** Bytes on the wire that its head announces, where they are those of the body; null where it announces none. */
  readonly announced: Bytes | null;
  /** Real time for it, unless the whole body is wanted. */
  readonly time: Milliseconds;
}

/**
 * Reads a paused answer, which can only be failed afterwards, not rendered. Never rejects.
 * @param paused the request that is paused at its answer, the size that is wanted of its body, and the size to load all the same, for the
 * archive
 * @param signal ends the reading; the body is then the part that came
 * @returns null where nothing could be read
 */
export async function readPausedBody(
  session: Pick<DevToolsSession, 'send'>,
  { requestId, limit, whole: wanted = null, announced, time }: PausedBody,
  signal: AbortSignal,
): Promise<FileBody | null> {
  const pieces: Buffer[] = [];
  let size = 0;
  let ended = false;
  try {
    const { stream } = await session.send('Fetch.takeResponseBodyAsStream', { requestId });
    const reading = (async () => {
      while (size <= Math.max(limit, wanted ?? 0) && !signal.aborted) {
        const { data, base64Encoded, eof } = await session.send('IO.read', { handle: stream, size: BODY_PIECE });
        const piece = Buffer.from(data, base64Encoded === true ? 'base64' : 'utf8');
        if (size <= limit) pieces.push(piece);
        size += piece.length;
        if (eof) {
          ended = true;
          return;
        }
      }
    })();
    await withDeadline(reading, 'the body of a file', wanted === null ? time : WHOLE_TIME, signal).catch(() => {});
    reading.catch(() => {}); // the page may be gone meanwhile
    session.send('IO.close', { handle: stream }).catch(() => {});
  } catch {
    return null;
  }
  const bytes = Buffer.concat(pieces).subarray(0, limit);
  return await unpacked({ bytes, truncated: truncationOf({ size, limit, ended, announced }) });
}

/** The browser reports a broken connection as the end of the body: only the announced length distinguishes the two. */
function truncationOf(read: {
  readonly size: number;
  readonly limit: Bytes;
  readonly ended: boolean;
  readonly announced: Bytes | null;
}): Truncation | null {
  if (read.ended && read.announced !== null && read.size < read.announced) return 'disconnect';
  if (read.size > read.limit) return 'length';
  return read.ended ? null : 'time';
}

const gunzipped = promisify(gunzip);

/** Unpacks a gzip file: sitemaps are packed as files (`sitemap.xml.gz`), not for the transfer. */
export async function unpacked(body: FileBody): Promise<FileBody | null> {
  if (body.bytes[0] !== 0x1f || body.bytes[1] !== 0x8b) return body;
  try {
    // unpacks the available part of a file that was cut
    const options = { maxOutputLength: UNPACKED_LIMIT, finishFlush: constants.Z_SYNC_FLUSH };
    return { ...body, bytes: await gunzipped(body.bytes, options) };
  } catch {
    return null;
  }
}

/** The Content-Length of a body that is sent as it is; null where there is none, or the body is encoded. */
export function announcedLength(head: AnswerHead | undefined): Bytes | null {
  if (head === undefined || valueOf(head.headers, 'content-encoding') !== null) return null;
  const length = valueOf(head.headers, 'content-length');
  return length !== null && /^\d{1,15}$/.test(length) ? bytes(Number(length)) : null;
}
