/** All lines of links.jsonl and pages.jsonl, as far as the link graph needs them, with their places. */
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { parsedJson } from '../base/safe-json.ts';
import { LINK_KINDS, type LinkKind } from '../model/link-kinds.ts';
import { LINK_CONFIDENCES, type LinkConfidence } from '../model/link.ts';
import { RECORD_OUTCOMES, type RecordOutcome } from '../model/record.ts';
import { wholeLines } from './crawl-lines.ts';
import { earlierTest } from './earlier-lines.ts';
import { systemCode } from './disk-error.ts';
import type { Unread } from './stored-lines.ts';

interface LinkLine {
  readonly from: string;
  readonly to: string;
  readonly kind: LinkKind;
  readonly confidence: LinkConfidence;
  readonly context: string;
  readonly rel: readonly string[];
  /** Empty where the line has none. */
  readonly text: string;
  /** Offset of the line in the file. */
  readonly offset: number;
  /** Length with the line feed. */
  readonly length: number;
}

interface PageLine {
  readonly url: string;
  readonly finalUrl: string;
  readonly outcome: RecordOutcome;
  readonly robots: readonly string[];
  readonly again: boolean;
}

const LINE_FEED = 0x0a;

/** The links, in stretches. There may be tens of millions, so fields are looked at by hand and not by a schema. */
export async function* linkLines(folder: string, unread: Unread): AsyncGenerator<readonly LinkLine[]> {
  for await (const lines of parsedLines(folder, 'links.jsonl', unread)) {
    yield lines.flatMap(({ value, offset, length }) => {
      const line = linkLineOf(value, offset, length);
      if (line === null) unread.damaged('links.jsonl');
      return line === null ? [] : [line];
    });
  }
}

/** The pages, in stretches; of one that was visited again its last line. */
export async function* pageLines(folder: string, unread: Unread): AsyncGenerator<readonly PageLine[]> {
  const isEarlier = await earlierTest(join(folder, 'pages.jsonl'));
  for await (const lines of parsedLines(folder, 'pages.jsonl', unread)) {
    yield lines.flatMap(({ value }) => {
      const line = pageLineOf(value);
      if (line === null) unread.damaged('pages.jsonl');
      return line === null || isEarlier(line) ? [] : [line];
    });
  }
}

interface ParsedLine {
  readonly value: unknown;
  readonly offset: number;
  readonly length: number;
}

async function* parsedLines(folder: string, name: string, unread: Unread): AsyncGenerator<readonly ParsedLine[]> {
  let offset = 0;
  for await (const { lines, torn } of wholeLines(join(folder, name))) {
    if (torn) unread.torn(name);
    else yield parse(lines, offset);
    offset += lines.length;
  }
}

function parse(lines: Buffer, offset: number): readonly ParsedLine[] {
  const parsed: ParsedLine[] = [];
  for (let start = 0; start < lines.length;) {
    const end = lines.indexOf(LINE_FEED, start) + 1;
    parsed.push({ value: parsedJson(lines.toString('utf8', start, end)), offset: offset + start, length: end - start });
    start = end;
  }
  return parsed;
}

function linkLineOf(value: unknown, offset: number, length: number): LinkLine | null {
  if (typeof value !== 'object' || value === null) return null;
  if (!('from' in value) || !('to' in value) || !('kind' in value) || !('confidence' in value)) return null;
  if (!('context' in value) || !('rel' in value)) return null;
  const { from, to, context, rel } = value;
  const kind = LINK_KINDS.find((name) => name === value.kind);
  const confidence = LINK_CONFIDENCES.find((name) => name === value.confidence);
  if (typeof from !== 'string' || typeof to !== 'string' || typeof context !== 'string') return null;
  if (kind === undefined || confidence === undefined || !isTexts(rel)) return null;
  const text = 'text' in value && typeof value.text === 'string' ? value.text : '';
  return { from, to, kind, confidence, context, rel, text, offset, length };
}

function pageLineOf(value: unknown): PageLine | null {
  if (typeof value !== 'object' || value === null) return null;
  if (!('url' in value) || !('finalUrl' in value) || !('outcome' in value)) return null;
  const { url, finalUrl } = value;
  const outcome = RECORD_OUTCOMES.find((name) => name === value.outcome);
  if (typeof url !== 'string' || typeof finalUrl !== 'string' || outcome === undefined) return null;
  const robots = 'robots' in value && isTexts(value.robots) ? value.robots : [];
  return { url, finalUrl, outcome, robots, again: 'again' in value && value.again === true };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

/** Bytes at the end of a file that identify it. */
const END = 2 ** 16;

/** The length of a growing file and the checksum of its end: the same for a copy of it, another one when it has grown. */
export async function fileState(path: string): Promise<{ readonly bytes: number; readonly end: number }> {
  const file = await open(path, 'r').catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  });
  if (file === null) return { bytes: 0, end: 0 };
  await using _closing = { [Symbol.asyncDispose]: () => file.close() };
  const { size } = await file.stat();
  const length = Math.min(size, END);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
  return { bytes: size, end: crc32(buffer.subarray(0, bytesRead)) };
}
