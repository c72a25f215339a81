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
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** A value that goes on in the next line (ISO 28500, section 4; RFC 9112, section 5.2). */
const FOLD = /\r?\n[ \t]+/g;

/** @param encoding UTF-8 for a WARC head, Latin-1 for an HTTP head */
export function parseHead(bytes: Buffer, from: number, encoding: 'utf8' | 'latin1'): ParsedHead | null {
  const window = bytes.subarray(0, from + HEAD_LIMIT);
  // some servers end lines by a line feed alone, and recorders keep it (RFC 9112, section 2.2)
  const lineEnd = window[window.indexOf(LINE_FEED, from) - 1] === CARRIAGE_RETURN ? '\r\n' : '\n';
  const blankLine = lineEnd + lineEnd;
  const blank = window.indexOf(blankLine, from, 'latin1');
  if (blank === -1) return null;
  const [start = '', ...lines] = bytes.toString(encoding, from, blank).replace(FOLD, ' ').split(lineEnd);
  const fields = lines.map((line): readonly [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, Math.max(0, colon)).trim().toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { start, fields, end: blank + blankLine.length };
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
  const status = /^HTTP\/\d(?:\.\d)? (\d{3})(?: |$)/.exec(start)?.[1];
  return status === undefined ? null : Number(status);
}
