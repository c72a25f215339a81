/** The lines of a crawl folder about one URL. Lines that are torn or not ours are passed over and counted. */
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { parsedJson } from '../base/safe-json.ts';
import { EXTERNAL_VERDICTS, type ExternalRecord } from '../model/external-record.ts';
import { LINK_KINDS } from '../model/link-kinds.ts';
import { LINK_CONFIDENCES, LINK_STAGES } from '../model/link.ts';
import {
  RECORD_OUTCOMES,
  SKIP_REASONS,
  type LinkRecord,
  type PageRecord,
  type SkippedRecord,
} from '../model/record.ts';
import { TRUNCATION_CAUSES } from '../model/truncation.ts';
import { jsonFieldText, linesHolding, linesWithin } from './crawl-lines.ts';
import { earlierTest } from './earlier-lines.ts';

/** The fields of a page's line that this version shows; other fields are kept as they stand. */
export type StoredPage = Pick<
  PageRecord,
  | 'url'
  | 'finalUrl'
  | 'outcome'
  | 'status'
  | 'contentType'
  | 'bytes'
  | 'truncated'
  | 'depth'
  | 'referrer'
  | 'attempt'
  | 'confidence'
  | 'startedAt'
  | 'rendered'
  | 'timing'
  | 'settle'
  | 'empty'
  | 'title'
  | 'description'
  | 'canonical'
  | 'lang'
  | 'h1'
  | 'digest'
  | 'robots'
  | 'words'
  | 'duplicateOf'
  | 'similarity'
  | 'credit'
  | 'links'
  | 'snapshot'
  | 'detail'
  | 'robotsRule'
  | 'lastModified'
  | 'signedIn'
  | 'again'
>;

/** A line of log.jsonl. */
export interface StoredEvent {
  readonly time: string;
  readonly level: string;
  readonly event: string;
  readonly [field: string]: unknown;
}

/** A line of findings.jsonl. */
interface StoredFinding {
  readonly rule: string;
  readonly severity: string;
  readonly url: string;
  readonly message: string;
}

const number = z.number();
const text = z.string().nullable();

const place = { file: z.string(), offset: z.int().min(0), length: z.int().min(1) };
const archived = z.looseObject(place);

const pageSchema: z.ZodType<StoredPage> = z.looseObject({
  url: z.string(),
  finalUrl: z.string(),
  outcome: z.enum(RECORD_OUTCOMES),
  status: number.nullable(),
  contentType: text,
  bytes: number.nullable(),
  truncated: z.enum(TRUNCATION_CAUSES).nullable().default(null), // missing in lines of earlier versions
  depth: number,
  referrer: text,
  attempt: number,
  confidence: z.enum(LINK_CONFIDENCES),
  startedAt: z.string(),
  rendered: z.boolean(),
  timing: z.looseObject({ wait: number, ttfb: number, load: number, settle: number, total: number }).nullable(),
  settle: z.looseObject({ reason: z.string(), pending: z.array(z.string()) }),
  empty: z.boolean().default(false),
  title: text,
  description: text.default(null),
  canonical: text.default(null),
  lang: text.default(null),
  h1: z.array(z.string()).default([]),
  digest: text.default(null),
  robots: z.array(z.string()).default([]),
  words: number.nullable(),
  duplicateOf: text,
  similarity: number.nullable(),
  credit: z.looseObject({ cash: number, history: number, importance: number }),
  links: z.looseObject({ found: number, new: number, parts: number }),
  snapshot: z.looseObject({
    html: text,
    text,
    screenshot: text,
    screenshots: z.record(z.string(), z.string()).optional(),
    boxes: z.string().optional(),
    digests: z.record(z.string(), z.string()).optional(), // missing in lines of earlier versions
    extra: z.record(z.string(), z.string()).optional(),
    warc: z
      .looseObject({
        ...place,
        html: archived.optional(),
        text: archived.optional(),
        screenshot: archived.optional(),
      })
      .nullable(),
  }),
  detail: text,
  robotsRule: text.default(null), // this and the next are missing in lines of earlier versions
  lastModified: text.default(null),
  signedIn: z.boolean().optional(),
  again: z.literal(true).optional(),
});

const linkSchema: z.ZodType<LinkRecord> = z.looseObject({
  from: z.string(),
  to: z.string(),
  href: z.string(),
  kind: z.enum(LINK_KINDS),
  confidence: z.enum(LINK_CONFIDENCES),
  context: z.string(),
  stage: z.enum(LINK_STAGES),
  frame: text,
  text: z.string(),
  rel: z.array(z.string()),
  new: z.boolean(),
});

const skippedSchema: z.ZodType<SkippedRecord> = z.looseObject({
  url: z.string(),
  reason: z.enum(SKIP_REASONS),
  rule: z.string(),
  referrer: text,
});

const eventSchema: z.ZodType<StoredEvent> = z.looseObject({ time: z.string(), level: z.string(), event: z.string() });

const findingSchema: z.ZodType<StoredFinding> = z.looseObject({
  rule: z.string(),
  severity: z.string(),
  url: z.string(),
  message: z.string(),
});

const externalSchema: z.ZodType<ExternalRecord> = z.looseObject({
  url: z.string(),
  verdict: z.enum(EXTERNAL_VERDICTS),
  status: number.nullable(),
  chain: z.array(z.string()),
  permanent: z.boolean(),
  looks: z.array(
    z.looseObject({
      time: z.string(),
      method: z.enum(['HEAD', 'GET', 'browser']),
      status: number.nullable(),
      detail: text,
    }),
  ),
  detail: text,
});

/** The schema of each file's lines, by the file's name. */
export const LINE_SCHEMAS: {
  readonly 'pages.jsonl': z.ZodType<StoredPage>;
  readonly 'links.jsonl': z.ZodType<LinkRecord>;
  readonly 'skipped.jsonl': z.ZodType<SkippedRecord>;
  readonly 'findings.jsonl': z.ZodType<StoredFinding>;
  readonly 'external.jsonl': z.ZodType<ExternalRecord>;
  readonly 'log.jsonl': z.ZodType<StoredEvent>;
} = {
  'pages.jsonl': pageSchema,
  'links.jsonl': linkSchema,
  'skipped.jsonl': skippedSchema,
  'findings.jsonl': findingSchema,
  'external.jsonl': externalSchema,
  'log.jsonl': eventSchema,
};

/** Counts lines that could not be read. */
export interface Unread {
  torn(file: string): void;
  damaged(file: string): void;
}

/** Pages whose line holds a text, in order; of one that was visited again its last line. @param needle see `linesHolding` */
export function storedPages(folder: string, needle: string, unread: Unread): AsyncGenerator<StoredPage> {
  return lastLines(folder, needle, unread);
}

async function* lastLines(folder: string, needle: string, unread: Unread): AsyncGenerator<StoredPage> {
  const isEarlier = await earlierTest(join(folder, 'pages.jsonl'));
  for await (const page of records(folder, { file: 'pages.jsonl', needle, schema: pageSchema }, unread))
    if (!isEarlier(page)) yield page;
}

/** The links whose line holds a text, in the order in which they were found. */
export function storedLinks(folder: string, needle: string, unread: Unread): AsyncGenerator<LinkRecord> {
  return records(folder, { file: 'links.jsonl', needle, schema: linkSchema }, unread);
}

/** The skipped URLs whose line holds a text. */
export function storedSkips(folder: string, needle: string, unread: Unread): AsyncGenerator<SkippedRecord> {
  return records(folder, { file: 'skipped.jsonl', needle, schema: skippedSchema }, unread);
}

/** All findings of an audit. */
export function storedFindings(folder: string, unread: Unread): AsyncGenerator<StoredFinding> {
  return records(folder, { file: 'findings.jsonl', needle: '', schema: findingSchema }, unread);
}

/** Results of checking links to other sites. */
export function storedExternals(folder: string, unread: Unread): AsyncGenerator<ExternalRecord> {
  return records(folder, { file: 'external.jsonl', needle: '', schema: externalSchema }, unread);
}

/** The links to a URL, in the order in which they were found. */
export function linksTo(folder: string, url: string, unread: Unread): AsyncGenerator<LinkRecord> {
  return storedLinks(folder, jsonFieldText('to', url), unread);
}

/**
 * The links in a stretch of links.jsonl. If the file is another one by now, lines that cannot be read are counted, never invented.
 * @param needle see `linesHolding`; empty for all
 */
export async function* linksWithin(
  file: FileHandle,
  stretch: { readonly offset: number; readonly length: number },
  needle: string,
  unread: Unread,
): AsyncGenerator<LinkRecord> {
  for await (const line of linesWithin(file, stretch, needle)) {
    const read = linkSchema.safeParse(parsedJson(line));
    if (read.success) yield read.data;
    else unread.damaged('links.jsonl');
  }
}

export function skippedLines(folder: string, url: string, unread: Unread): AsyncGenerator<SkippedRecord> {
  return storedSkips(folder, jsonFieldText('url', url), unread);
}

/** The events of the log about a URL. */
export function eventsOf(folder: string, url: string, unread: Unread): AsyncGenerator<StoredEvent> {
  return records(folder, { file: 'log.jsonl', needle: jsonFieldText('url', url), schema: eventSchema }, unread);
}

interface Wanted<Line> {
  readonly file: string;
  readonly needle: string;
  readonly schema: z.ZodType<Line>;
}

async function* records<Line>(
  folder: string,
  { file, needle, schema }: Wanted<Line>,
  unread: Unread,
): AsyncGenerator<Line> {
  for await (const { text: line, torn } of linesHolding(join(folder, file), needle)) {
    const read = schema.safeParse(parsedJson(line));
    if (read.success) yield* torn && !line.includes(needle) ? [] : [read.data];
    else if (torn) unread.torn(file);
    else unread.damaged(file);
  }
}
