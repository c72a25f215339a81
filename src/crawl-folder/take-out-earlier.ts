/**
 * Takes the earlier lines of pages that were visited again out of a growing file, so that each URL has one. The other lines are written to
 * a file beside it, which replaces it when whole and on the disk: a program killed at any time leaves the one or the other.
 */
import { randomUUID } from 'node:crypto';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { parsedJson } from '../base/safe-json.ts';
import { countLines, linePlaces } from './earlier-lines.ts';
import { wholeLines } from './crawl-lines.ts';

/** A file that is to take the place of another. */
export interface Draft {
  readonly path: string;
  /** Bytes. */
  readonly length: number;
}

/**
 * Writes the lines that stay. Of a page the last line stays, with the sums of its visits: credit and links.
 * @param urls of pages that were visited again
 * @returns null where no line is to be taken out; then nothing was written @throws the error of a file that cannot be read or written
 */
export async function writeWhatStays(path: string, urls: ReadonlyMap<string, unknown>): Promise<Draft | null> {
  const left = new Map([...(await countLines(path, urls))].filter(([, count]) => count > 1));
  if (left.size === 0) return null;
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    await using file = await open(draft, 'wx', 0o600);
    const earlier = new Map<string, readonly Brought[]>();
    let length = 0;
    for await (const { lines, torn } of wholeLines(path)) {
      if (torn) break;
      length += await writeStretch(file, lines, { left, earlier });
    }
    await file.sync();
    return { path: draft, length };
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Figures of one visit alone, from its line. */
interface Brought {
  readonly cash: number;
  readonly history: number;
  readonly importance: number;
  readonly found: number;
  readonly parts: number;
  readonly new: number;
}

interface Counted {
  /** Lines that each page has left; pages with one line are not in it. */
  readonly left: Map<string, number>;
  readonly earlier: Map<string, readonly Brought[]>;
}

/** @returns how many bytes were written */
async function writeStretch(file: FileHandle, lines: Buffer, { left, earlier }: Counted): Promise<number> {
  const kept: Buffer[] = [];
  let from = 0;
  for (const { start, end, url } of linePlaces(lines)) {
    const count = url === null ? undefined : left.get(url);
    if (url === null || count === undefined) continue;
    kept.push(lines.subarray(from, start));
    from = end;
    const line = lines.toString('utf8', start, end);
    if (count > 1) {
      left.set(url, count - 1);
      earlier.set(url, [...(earlier.get(url) ?? []), broughtBy(parsedJson(line))]);
    } else kept.push(Buffer.from(together(line, earlier.get(url) ?? [])));
  }
  kept.push(lines.subarray(from));
  const bytes = Buffer.concat(kept);
  await file.appendFile(bytes);
  return bytes.length;
}

/** @param line with its line feed */
function together(line: string, earlier: readonly Brought[]): string {
  const page = parsedJson(line);
  if (!hasFigures(page)) return line;
  const all = [...earlier, broughtBy(page)];
  const sum = (field: keyof Brought): number => all.reduce((total, each) => total + each[field], 0);
  const credit = { ...page.credit, cash: sum('cash'), history: sum('history'), importance: sum('importance') };
  const links = { ...page.links, found: sum('found'), parts: sum('parts'), new: sum('new') };
  return `${JSON.stringify({ ...page, credit, links })}\n`;
}

function broughtBy(page: unknown): Brought {
  if (!hasFigures(page)) return { cash: 0, history: 0, importance: 0, found: 0, parts: 0, new: 0 };
  return {
    cash: numberOf(page.credit, 'cash'),
    history: numberOf(page.credit, 'history'),
    importance: numberOf(page.credit, 'importance'),
    found: numberOf(page.links, 'found'),
    parts: numberOf(page.links, 'parts'),
    new: numberOf(page.links, 'new'),
  };
}

/** False for lines of details.jsonl. */
function hasFigures(value: unknown): value is { readonly credit: object; readonly links: object } {
  if (typeof value !== 'object' || value === null || !('credit' in value) || !('links' in value)) return false;
  return (
    typeof value.credit === 'object' && value.credit !== null && typeof value.links === 'object' && value.links !== null
  );
}

function numberOf(value: object, field: string): number {
  const found: unknown = Object.entries(value).find(([name]) => name === field)?.[1];
  return typeof found === 'number' ? found : 0;
}
