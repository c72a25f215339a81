import { createHash } from 'node:crypto';
import { createReadStream, type Stats } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';

/** Headers of an answer, names in lower case. */
export type AnswerHeaders = Readonly<Record<string, string | string[]>>;

/** The content of an answer, before conditions and ranges are looked at. */
export interface Content {
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** Bytes at hand, or a file that is streamed. */
  readonly source: Buffer | { readonly path: string; readonly stats: Stats };
}

interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** Answers with a content: HEAD, 304 and single ranges (RFC 9110, sections 13 and 14) where the status is 200. */
export async function sendContent(request: IncomingMessage, response: ServerResponse, content: Content): Promise<void> {
  const { status, source } = content;
  const headers: AnswerHeaders = { ...validators(source), ...content.headers };
  if (status !== 200) {
    await send(request, response, { status, headers, source });
    return;
  }
  if (isFresh(request, headers)) {
    response.writeHead(304, withoutContentType(headers));
    response.end();
    return;
  }
  const size = sizeOf(source);
  const range = requestedRange(request, headers, size);
  if (range === 'unsatisfiable') {
    response.writeHead(416, { 'content-range': `bytes */${size}`, 'content-length': 0 });
    response.end();
  } else if (range === null) {
    await send(request, response, { status, headers: { ...headers, 'accept-ranges': 'bytes' }, source });
  } else {
    const partial = { ...headers, 'content-range': `bytes ${range.first}-${range.last}/${size}` };
    await send(request, response, { status: 206, headers: partial, source }, range);
  }
}

async function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, source }: Content,
  range: ByteRange = { first: 0, last: sizeOf(source) - 1 },
): Promise<void> {
  const length = range.last - range.first + 1;
  response.writeHead(status, { ...headers, 'content-length': length });
  if (request.method === 'HEAD' || length === 0) response.end();
  else if (Buffer.isBuffer(source)) response.end(source.subarray(range.first, range.last + 1));
  else await pipeline(createReadStream(source.path, { start: range.first, end: range.last }), response);
}

function sizeOf(source: Content['source']): number {
  return Buffer.isBuffer(source) ? source.length : source.stats.size;
}

function validators(source: Content['source']): Record<string, string> {
  if (Buffer.isBuffer(source)) {
    return { etag: `"${createHash('sha256').update(source).digest('base64url').slice(0, 22)}"` };
  }
  const { size, mtimeMs, mtime } = source.stats;
  return {
    etag: `"${size.toString(16)}-${Math.floor(mtimeMs).toString(16)}"`,
    'last-modified': mtime.toUTCString(),
  };
}

/** If-None-Match decides where it is given; If-Modified-Since otherwise. */
function isFresh(request: IncomingMessage, headers: AnswerHeaders): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  const tags = request.headers['if-none-match'];
  if (tags !== undefined) {
    const own = headers['etag'];
    return tags.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === own);
  }
  const since = Date.parse(request.headers['if-modified-since'] ?? '');
  const modified = headers['last-modified'];
  return typeof modified === 'string' && Date.parse(modified) <= since;
}

/** null: the whole. Several ranges at once are answered with the whole, as RFC 9110 allows. */
function requestedRange(
  request: IncomingMessage,
  headers: AnswerHeaders,
  size: number,
): ByteRange | 'unsatisfiable' | null {
  const match = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? '');
  const condition = request.headers['if-range'];
  if (match === null || request.method !== 'GET') return null;
  if (condition !== undefined && condition !== headers['etag'] && condition !== headers['last-modified']) return null;
  const [from, to] = [match[1] ?? '', match[2] ?? ''];
  if (from === '' && to === '') return null;
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== '' && to !== '' && Number(to) < first) return null;
  return first > last ? 'unsatisfiable' : { first, last };
}

function withoutContentType(headers: AnswerHeaders): AnswerHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'content-type'));
}
