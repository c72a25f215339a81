/**
 * Pages that were visited again (`again` in pages.jsonl) have a line of each visit until the run ends, which takes the earlier ones out
 * (take-out-earlier.ts). Readers before that skip the earlier lines: the last line of a URL counts.
 */
import { parsedJson } from '../base/safe-json.ts';
import { linesHolding, wholeLines } from './crawl-lines.ts';

/** The field of a second visit as its line has it, and no text of a page: quotes are escaped there. */
const AGAIN = '"again":true';
const LINE_FEED = 0x0a;
/** Lines of pages.jsonl and details.jsonl begin with the URL of their page. */
const URL_FIELD = /^\{"url":("(?:[^"\\]|\\.)*")/;
/** More than a URL takes. */
const LONGEST = 9000;

/** How many lines of second visits each URL has. */
export async function linesOfSecondVisits(pagesFile: string): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for await (const { text, torn } of linesHolding(pagesFile, AGAIN)) {
    const url = torn ? null : urlOf(parsedJson(text));
    if (url !== null) counts.set(url, (counts.get(url) ?? 0) + 1);
  }
  return counts;
}

/** Tells whether a line of pages.jsonl has a later one of the same page. Call it for each line, in order. */
type EarlierTest = (page: { readonly url: string; readonly again?: unknown }) => boolean;

/** @throws the error of a file that cannot be read */
export async function earlierTest(pagesFile: string): Promise<EarlierTest> {
  const left = new Map(await linesOfSecondVisits(pagesFile));
  return ({ url, again }) => {
    if (again !== true) return left.has(url);
    // the page may have been visited again since the lines were counted: then its line before has been passed on
    const later = (left.get(url) ?? 0) - 1;
    left.set(url, later);
    return later !== 0;
  };
}

/** A line in a stretch of whole lines. */
interface LinePlace {
  readonly start: number;
  /** Behind its line feed. */
  readonly end: number;
  /** The URL of its page; null where the line is not ours. */
  readonly url: string | null;
}

export function* linePlaces(lines: Buffer): Generator<LinePlace> {
  for (let start = 0; start < lines.length;) {
    const end = lines.indexOf(LINE_FEED, start) + 1;
    const field = URL_FIELD.exec(lines.toString('utf8', start, Math.min(end, start + LONGEST)))?.[1];
    const url = field === undefined ? null : parsedJson(field);
    yield { start, end, url: typeof url === 'string' ? url : null };
    start = end;
  }
}

/** How many lines each of some URLs has in a file. */
export async function countLines(
  path: string,
  urls: ReadonlyMap<string, unknown>,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for await (const { lines, torn } of wholeLines(path)) {
    if (torn) break;
    for (const { url } of linePlaces(lines))
      if (url !== null && urls.has(url)) counts.set(url, (counts.get(url) ?? 0) + 1);
  }
  return counts;
}

function urlOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('url' in value)) return null;
  return typeof value.url === 'string' ? value.url : null;
}
