/** The bytes of a WARC 1.1 record (ISO 28500:2017), before compression. */
import { createHash, randomUUID } from 'node:crypto';
import type { EpochMs } from '../base/units.ts';

const WARC_TYPES = ['warcinfo', 'response', 'request', 'resource', 'revisit'] as const;
type WarcType = (typeof WARC_TYPES)[number];

/** Reason why a block is shorter than the server's answer (section 5.13 of the standard). */
export type WarcTruncation = 'length' | 'time' | 'disconnect' | 'unspecified';

/** Profiles of revisit records (sections 6.7.2 and 6.7.3). */
export const IDENTICAL_PAYLOAD = 'http://netpreserve.org/warc/1.1/revisit/identical-payload-digest';
export const NOT_MODIFIED = 'http://netpreserve.org/warc/1.1/revisit/server-not-modified';

export type WarcFields = readonly (readonly [name: string, value: string])[];

/** The head of a record, without the length of its block. */
export interface WarcHead {
  readonly type: WarcType;
  /** `<urn:uuid:…>` */
  readonly id: string;
  readonly date: EpochMs;
  /** null for a warcinfo. */
  readonly targetUri: string | null;
  readonly contentType: string;
  /** Further fields, in this order. */
  readonly fields: WarcFields;
}

/** Bytes behind the block of every record. */
export const RECORD_END: Buffer = Buffer.from('\r\n\r\n');
const VERSION = 'WARC/1.1';

export function newRecordId(): string {
  return `<urn:uuid:${randomUUID()}>`;
}

/** The form of WARC-Date and crawl records: with milliseconds, which 1.1 allows. */
export function warcDate(date: EpochMs): string {
  return new Date(date).toISOString();
}

/** The digest of a block or a payload, with its label. @param hex from a Hash */
export function digestLabel(hex: string): string {
  return `sha256:${hex}`;
}

export function digestOf(pieces: readonly Uint8Array[]): string {
  const hash = createHash('sha256');
  for (const piece of pieces) hash.update(piece);
  return digestLabel(hash.digest('hex'));
}

/** @param length of the block, in bytes */
export function warcHeadBytes({ type, id, date, targetUri, contentType, fields }: WarcHead, length: number): Buffer {
  const all: WarcFields = [
    ['WARC-Type', type],
    ['WARC-Record-ID', id],
    ['WARC-Date', warcDate(date)],
    ...(targetUri === null ? [] : [['WARC-Target-URI', safeUri(targetUri)] as const]),
    ...fields,
    ['Content-Type', contentType],
    ['Content-Length', String(length)],
  ];
  const lines = all.map(([name, value]) => `${name}: ${oneLine(value)}\r\n`);
  return Buffer.from(`${VERSION}\r\n${lines.join('')}\r\n`);
}

/** Removes line breaks and control characters: a value with a line break would start another field. */
export function oneLine(value: string): string {
  // they must not be there
  return value.replace(/[\0-\x08\n-\x1f\x7f]+/g, ' ');
}

/** Encodes blanks and control characters of a URI from any source: a URI ends where its line does. */
export function safeUri(uri: string): string {
  // they must not be there
  return uri.replace(/[\0-\x20\x7f]/g, (character) => encodeURIComponent(character));
}
