/** Parses the heads of records and of HTTP messages. Anything malformed gives null, never a partial result. */
import { epochMs, type EpochMs } from '../base/units.ts';
import type { Headers } from '../model/page.ts';

interface ParsedHead {
  /** `WARC/1.1`, `HTTP/1.1 200 OK`, `GET / HTTP/1.1` */
  readonly start: string;
  /** Names in lower case. */
  readonly fields: Headers;
  /** Offset behind the head. */
  readonly end: number;
}

/** Longest head. Our own are far shorter; longer text is not a head. */
export const HEAD_LIMIT: number = 1024 * 1024;

/** A value that goes on in the next line (ISO 28500, section 4; RFC 9112, section 5.2). */
const FOLD = /\r?\n[ \t]+/g;

/** @param encoding UTF-8 for a WARC head, Latin-1 for an HTTP head */
export function parseHead(bytes: Buffer, from: number, encoding: 'utf8' | 'latin1'): ParsedHead | null {
  const blank = blankLine(bytes.subarray(0, from + HEAD_LIMIT), from);
  if (blank === null) return null;
  const text = bytes.toString(encoding, from, blank.start).replace(/\r$/, '').replace(FOLD, ' ');
  const [start = '', ...lines] = text.split(/\r?\n/);
  const fields = lines.map((line): readonly [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, Math.max(0, colon)).trim().toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { start, fields, end: blank.end };
}

/**
 * The first blank line. Some servers end lines by a line feed alone, or those of their scripts, and recorders keep it (RFC 9112, section 2.2).
 * @returns the places of the line feed before it, and behind it
 */
function blankLine(window: Buffer, from: number): { readonly start: number; readonly end: number } | null {
  const usual = window.indexOf('\n\r\n', from, 'latin1');
  const bare = (usual === -1 ? window : window.subarray(0, usual)).indexOf('\n\n', from, 'latin1');
  if (bare !== -1) return { start: bare, end: bare + 2 };
  return usual === -1 ? null : { start: usual, end: usual + 3 };
}

/** The first value of a field, or null. @param name lower case */
export function fieldOf({ fields }: ParsedHead, name: string): string | null {
  return fields.find(([known]) => known === name)?.[1] ?? null;
}

/** The URI in a field, or null. Some tools write it in angle brackets, as the standard's grammar had it. */
export function uriOf(head: ParsedHead, name: string): string | null {
  const text = fieldOf(head, name);
  return text === null ? null : (/^<(.*)>$/.exec(text)?.[1] ?? text);
}

/** The time in a field of a record, or null. Tools that convert older formats keep their 14 digits. */
export function dateOf(head: ParsedHead, name: string): EpochMs | null {
  const text = fieldOf(head, name)?.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3T$4:$5:$6Z') ?? '';
  const date = Date.parse(text);
  return Number.isFinite(date) ? epochMs(date) : null;
}

export interface ParsedRecord {
  readonly head: ParsedHead;
  readonly type: string;
  /** Length of the block in bytes. */
  readonly length: number;
}

/** The drafts 0.17 and 0.18, which early crawlers wrote, have the fields of 1.0, and later versions would have them as well. */
const VERSIONS = /^WARC\/(?:1\.\d{1,3}|0\.1[78])$/;

/** Parses the head of a record at the start of these bytes. */
export function parseRecord(bytes: Buffer): ParsedRecord | null {
  const head = parseHead(bytes, 0, 'utf8');
  if (head === null || !VERSIONS.test(head.start)) return null;
  const length = fieldOf(head, 'content-length') ?? '';
  const type = fieldOf(head, 'warc-type');
  return type === null || !/^\d{1,15}$/.test(length) ? null : { head, type, length: Number(length) };
}

/** The status of an HTTP answer; null where its first line is not a status line. */
export function statusOf({ start }: ParsedHead): number | null {
  const status = /^HTTP\/\d(?:\.\d)?[ \t]+(\d{3})(?:\s|$)/i.exec(start)?.[1];
  return status === undefined ? null : Number(status);
}

/** A first line with a status, of whatever protocol. */
const STATUS_LINE = /^(?:[\w./-]{1,20}[ \t]+)?\d{3}(?:\s|$)/;
const STATUS_LINE_LIMIT = 64;

/**
 * The head of the HTTP answer in a record. An answer without a status line is one of HTTP/0.9, which had no head: all of it is the document.
 * @param from where the block begins
 */
export function parseAnswer({ head, length }: ParsedRecord, bytes: Buffer, from: number): ParsedHead | null {
  const first = bytes.toString('latin1', from, from + Math.min(length, STATUS_LINE_LIMIT));
  const isHttp = /^application\/http(?:[\s;]|$)/i.test(fieldOf(head, 'content-type') ?? '');
  if (!isHttp || first === '' || STATUS_LINE.test(first)) return parseHead(bytes, from, 'latin1');
  const fields: Headers = /^\s*</.test(first) ? [['content-type', 'text/html']] : [];
  return { start: 'HTTP/0.9 200', fields, end: from };
}
