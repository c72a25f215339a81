/** All lines of a growing file of a crawl folder with their numbers, each checked against its schema. */
import { join } from 'node:path';
import type { z } from 'zod';
import { parsedJson } from '../../base/safe-json.ts';
import { wholeLines } from '../../crawl-folder/crawl-lines.ts';
import type { ProblemList } from './verification.ts';

const LINE_FEED = 0x0a;

interface NumberedLine<Line> {
  readonly line: number;
  readonly value: Line;
}

interface WantedLines<Line> {
  readonly file: string;
  readonly schema: z.ZodType<Line>;
  /** Lines that begin at this byte or behind it are left out: they were written after others that were read. */
  readonly before?: number;
}

/** @param problems get the lines that do not match the schema, and a torn last line */
export async function* numberedLines<Line>(
  folder: string,
  { file, schema, before = Number.POSITIVE_INFINITY }: WantedLines<Line>,
  problems: ProblemList,
  signal: AbortSignal,
): AsyncGenerator<NumberedLine<Line>> {
  let line = 0;
  let offset = 0;
  for await (const { lines, torn } of wholeLines(join(folder, file))) {
    signal.throwIfAborted();
    if (offset >= before) return;
    if (torn) {
      problems.add('the file ends within this line, as when a crawl is killed while it writes; resume takes it out', {
        line: line + 1,
      });
      return;
    }
    for (let start = 0; start < lines.length && offset + start < before;) {
      const end = lines.indexOf(LINE_FEED, start);
      line += 1;
      problems.looked += 1;
      const read = schema.safeParse(parsedJson(lines.toString('utf8', start, end)));
      if (read.success) yield { line, value: read.data };
      else problems.add(whyNot(read.error), { line });
      start = end + 1;
    }
    offset += lines.length;
  }
}

function whyNot({ issues }: z.ZodError): string {
  const [issue] = issues;
  if (issue === undefined || issue.path.length === 0) return 'this is no JSON object';
  return `its field ${issue.path.join('.')} is not as it should be: ${issue.message}`;
}
