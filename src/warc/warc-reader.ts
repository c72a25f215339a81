/**
 * Reads one record of a crawl's archive, at a place from a crawl record or the index. Works for a running or
 * interrupted crawl as well. An archive may be foreign: its contents are checked, and no file
 * outside its folder is read.
 */
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { decodeInto, decodersFor, isCodingFault } from '../base/content-coding.ts';
import { CrawlError } from '../base/errors.ts';
import { kibibytes, mebibytes, type EpochMs } from '../base/units.ts';
import { systemCode } from '../crawl-folder/disk-error.ts';
import { notGathered } from '../crawl-folder/not-gathered.ts';
import type { Headers } from '../model/page.ts';
import type { ArchivedRecord } from '../model/record.ts';
import { ARCHIVE_FOLDER, OPEN_SUFFIX, readWarcName } from './archive-names.ts';
import { joinedChunks } from './chunked-body.ts';
import { dateOf, fieldOf, parseAnswer, parseHead, parseRecord, statusOf, uriOf } from './warc-parse.ts';

export interface ReadRecord {
  /** WARC-Type. */
  readonly type: string;
  readonly targetUri: string | null;
  readonly date: EpochMs;
  /** Status of a response or a revisit; null otherwise. */
  readonly httpStatus: number | null;
  /** HTTP headers of a request, a response or a revisit, names in lower case; empty otherwise. */
  readonly httpHeaders: Headers;
  /** Type of the payload: from the HTTP header, or from the record if it holds no HTTP. */
  readonly contentType: string | null;
  /** The payload as stored: without its transfer coding, with its content coding. Empty in a revisit. */
  readonly payload: Uint8Array;
  /** WARC-Truncated. */
  readonly truncated: string | null;
  /** For a revisit: the record with the payload. */
  readonly refersTo: { readonly uri: string; readonly date: EpochMs } | null;
  /** All fields of the record, names in lower case. */
  readonly fields: Headers;
}

/** Most bytes of an unpacked record, and of a decoded payload; larger ones are refused. Twice the longest body that is stored. */
const RECORD_LIMIT = mebibytes(512);
/** Others also write files that are not compressed. */
const FILE_NAME = /^[^/\\\0]+\.warc(?:\.gz)?$/;
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);

/** Types of records whose block is an HTTP message; those of others may only look like one. */
const MESSAGES: ReadonlySet<string> = new Set(['request', 'response', 'revisit']);

/**
 * @param place with its file relative to the crawl folder: `archive/….warc.gz`
 * @throws {CrawlError} ARCHIVE_DAMAGED where there is no record at the place; NOT_GATHERED where a worker has the file
 */
export async function readRecord(crawlFolder: string, place: ArchivedRecord): Promise<ReadRecord> {
  const bytes = await unpacked(crawlFolder, place);
  const record = parseRecord(bytes);
  if (record === null || record.head.end + record.length > bytes.length) throw damaged(place, 'no record begins there');
  const { head, type } = record;
  const block = bytes.subarray(head.end, head.end + record.length);
  const date = dateOf(head, 'warc-date');
  if (date === null) throw damaged(place, 'its record has no date');
  const http =
    type === 'response' ? parseAnswer(record, block, 0) : MESSAGES.has(type) ? parseHead(block, 0, 'latin1') : null;
  const uri = uriOf(head, 'warc-refers-to-target-uri');
  const referred = dateOf(head, 'warc-refers-to-date');
  return {
    type,
    targetUri: uriOf(head, 'warc-target-uri'),
    date,
    httpStatus: http === null ? null : statusOf(http),
    httpHeaders: http?.fields ?? [],
    contentType: fieldOf(http ?? head, 'content-type'),
    payload: http === null ? block : payloadOf(http.fields, block.subarray(http.end)),
    truncated: fieldOf(head, 'warc-truncated'),
    refersTo: uri === null || referred === null ? null : { uri, date: referred },
    fields: head.fields,
  };
}

/** A payload without its content coding, as far as that can be undone. */
interface DecodedPayload {
  /** `part`: the coding breaks off. `coded`: the bytes are as stored, as the coding is unknown, or they are of another. */
  readonly kind: 'whole' | 'part' | 'coded';
  readonly bytes: Uint8Array;
}

/** Decodes a payload as the crawl decodes what it receives. */
export async function decodedPayload({
  httpHeaders,
  payload,
}: Pick<ReadRecord, 'httpHeaders' | 'payload'>): Promise<DecodedPayload> {
  const codings = httpHeaders.filter(([name]) => name === 'content-encoding').map(([, value]) => value);
  const decoders = decodersFor(codings.join(','));
  if (decoders === null) return { kind: 'coded', bytes: payload };
  if (decoders.length === 0) return { kind: 'whole', bytes: payload };
  const pieces: Buffer[] = [];
  let size = 0;
  const take = (piece: Buffer): Error | null => {
    pieces.push(piece);
    size += piece.length;
    return size > RECORD_LIMIT ? new RangeError(`more than ${RECORD_LIMIT} bytes`) : null;
  };
  try {
    await decodeInto(Readable.from(inPieces(payload)), decoders, take);
    return { kind: 'whole', bytes: Buffer.concat(pieces) };
  } catch (error) {
    if (!isCodingFault(error) || size === 0) return { kind: 'coded', bytes: payload };
    return { kind: 'part', bytes: Buffer.concat(pieces) };
  }
}

/** Bytes given to a decoder at once. */
const PIECE = kibibytes(64);

function* inPieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
}

const unpackGzip = promisify(gunzip);

async function unpacked(crawlFolder: string, place: ArchivedRecord): Promise<Buffer> {
  const file = await openPlace(crawlFolder, place);
  try {
    const { offset, length } = place;
    const { size } = await file.stat();
    if (!(offset >= 0 && length > 0 && offset + length <= size)) throw damaged(place, 'the file is shorter');
    if (length > RECORD_LIMIT) throw damaged(place, `a record of more than ${RECORD_LIMIT} bytes`);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset);
    const bytes = buffer.subarray(0, bytesRead);
    const isPacked = bytes.subarray(0, GZIP_MAGIC.length).equals(GZIP_MAGIC);
    return isPacked ? await unpackGzip(bytes, { maxOutputLength: RECORD_LIMIT }) : bytes;
  } catch (error) {
    if (error instanceof CrawlError) throw error;
    throw damaged(place, error instanceof Error ? error.message : String(error), error);
  } finally {
    await file.close();
  }
}

/** Opens a file under its final name, or under its name while it grows. */
async function openPlace(crawlFolder: string, place: ArchivedRecord): Promise<FileHandle> {
  const [folder, name = '', ...more] = place.file.split('/');
  if (folder !== ARCHIVE_FOLDER || more.length > 0 || !FILE_NAME.test(name))
    throw damaged(place, 'that is no file of the archive');
  const path = join(crawlFolder, ARCHIVE_FOLDER, name);
  for (const each of [path, `${path}${OPEN_SUFFIX}`, path]) {
    try {
      return await open(each, 'r');
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') throw damaged(place, systemCode(error), error);
    }
  }
  const worker = readWarcName(name)?.worker ?? null;
  if (worker !== null) throw notGathered(crawlFolder, worker, place.file);
  throw damaged(place, 'there is no such file');
}

/** The body of a message: other crawlers keep its chunks. */
function payloadOf(headers: Headers, body: Buffer): Buffer {
  const isChunked = headers.some(([name, value]) => name === 'transfer-encoding' && /\bchunked\b/i.test(value));
  return isChunked ? joinedChunks(body) : body;
}

function damaged({ file, offset }: ArchivedRecord, why: string, cause?: unknown): CrawlError {
  return new CrawlError('ARCHIVE_DAMAGED', `${file} cannot be read at ${offset}: ${why}`, {
    data: { file, offset },
    ...(cause === undefined ? {} : { cause }),
  });
}
