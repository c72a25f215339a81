/**
 * A line of an archive's index (CDXJ): sort key, time, and place of the record. During the crawl lines are
 * appended to a journal, each with the milliseconds that the time lacks; the sorted index has no milliseconds.
 */
import { z } from 'zod';
import { parsedJson } from '../base/safe-json.ts';
import { type EpochMs, epochMs } from '../base/units.ts';
import { warcDate } from './warc-record.ts';

/** The fields of an index line, without the place of the record. */
export interface IndexedRecord {
  readonly urlKey: string;
  readonly date: EpochMs;
  readonly url: string;
  readonly mime: string | null;
  readonly status: number | null;
  /** Digest of the payload, with its algorithm's label. */
  readonly digest: string | null;
  /** Method other than GET, and the part of the key beyond the URL. */
  readonly method?: string | undefined;
  readonly requestBody?: string | undefined;
}

/** `filename` is the name of the finished file, without folder. */
interface IndexPlace {
  readonly filename: string;
  readonly offset: number;
  readonly length: number;
}

export const REVISIT_MIME = 'warc/revisit';

/** Builds a line for the journal, without a line feed. */
export function journalLine(record: IndexedRecord, place: IndexPlace): string {
  const fields = {
    url: record.url,
    ...(record.mime === null ? {} : { mime: record.mime }),
    ...(record.status === null ? {} : { status: String(record.status) }),
    ...(record.digest === null ? {} : { digest: record.digest }),
    length: String(place.length),
    offset: String(place.offset),
    filename: place.filename,
    ...(record.method === undefined ? {} : { method: record.method }),
    ...(record.requestBody === undefined ? {} : { requestBody: record.requestBody }),
  };
  const date = warcDate(record.date);
  const timestamp = date.replace(/[-:T]/g, '').slice(0, 14);
  return `${date.slice(-4, -1)} ${onePiece(record.urlKey)} ${timestamp} ${ascii(JSON.stringify(fields))}`;
}

/** A line of the sorted index, from one of the journal. */
export function indexLine(line: string): string {
  return isJournalLine(line) ? line.slice(4) : line;
}

/** Does the line have milliseconds? */
export function isJournalLine(line: string): boolean {
  return /^\d{3} /.test(line);
}

export type StoredIndexLine = IndexedRecord & IndexPlace;

/** Some tools write numbers, which the specification wants as strings. */
const count = z.union([
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
  z.int().nonnegative(),
]);
const schema = z.looseObject({
  url: z.string(),
  mime: z.string().nullable().default(null),
  // `-` in lines of records without one
  status: count.nullable().catch(null).default(null),
  digest: z.string().nullable().default(null),
  length: count,
  offset: count,
  filename: z.string(),
  method: z.string().optional(),
  requestBody: z.string().optional(),
});

/** @returns null where it is not an index line; from the sorted index, the date is in whole seconds. Some tools add the milliseconds to the time */
export function readIndexLine(line: string): StoredIndexLine | null {
  const match = /^(?:(\d{3}) )?(\S+) (\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d{3})? (\{.*\})$/s.exec(line);
  if (match === null) return null;
  const [, before, urlKey = '', year, month, day, hour, minute, second, behind, json = ''] = match;
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${before ?? behind ?? '000'}Z`);
  const read = schema.safeParse(parsedJson(json));
  if (!read.success || !Number.isFinite(time)) return null;
  return { ...read.data, urlKey, date: epochMs(time) };
}

/** Escapes all but ASCII, so that sorting by bytes and by characters gives the same order. */
function ascii(json: string): string {
  return json.replace(/[\x7f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function onePiece(key: string): string {
  if (/^[\x21-\x7e]*$/.test(key)) return key;
  const wellFormed = Buffer.from(key).toString(); // half a surrogate pair cannot be encoded
  return wellFormed.replace(/[^\x21-\x7e]/gu, (character) => encodeURIComponent(character));
}
