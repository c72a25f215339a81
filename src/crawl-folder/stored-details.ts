/** Reads lines of details.jsonl one by one, by the URL of their page: a crawl may have hundreds of thousands of up to 64 KiB. */
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { parsedJson } from '../base/safe-json.ts';
import { AXE_ENDS, AXE_IMPACTS } from '../model/accessibility.ts';
import { PARTIES, type PageDetails, type Sample } from '../model/page-details.ts';
import { systemCode } from './disk-error.ts';
import { wholeLines } from './crawl-lines.ts';
import { linePlaces } from './earlier-lines.ts';
import type { Unread } from './stored-lines.ts';

const count = z.number().nonnegative();
const text = z.string().max(4000);
const listed = <Item>(item: z.ZodType<Item>): z.ZodType<Sample<Item>> =>
  z.object({ count, first: z.array(item).max(500) });
const message = z.object({ text, source: text.nullable() });
const file = z.object({ url: text, type: text, wire: count, decoded: count });
const party = z.enum(PARTIES);

/** The schema of a line of details.jsonl. */
export const DETAILS_SCHEMA: z.ZodType<PageDetails> = z.object({
  url: z.string(),
  rendered: z.boolean(),
  headers: z.array(z.tuple([text, text])).max(100),
  received: z
    .object({ title: text, canonical: z.string().nullable(), robots: z.array(z.string()), words: count, links: count })
    .nullable(),
  behaviour: z
    .object({
      exceptions: listed(message),
      consoleErrors: listed(message),
      consoleWarnings: listed(message),
      failed: listed(
        z.object({
          ...{ url: text, method: text, type: text, status: z.number().nullable() },
          ...{ error: text.nullable(), party, initiator: text.nullable() },
        }),
      ),
      cspViolations: listed(
        z.object({ directive: text, blocked: text, reportOnly: z.boolean(), source: text.nullable() }),
      ),
      deprecations: listed(message),
      requests: z.record(z.string().max(100), z.object({ count, wire: count, decoded: count })),
      largest: z.array(file).max(100),
      uncompressed: listed(file),
      uncached: listed(file),
      scripts: listed(file),
      thirdParties: listed(z.object({ host: text, requests: count, wire: count, chain: z.array(text).max(20) })),
      images: listed(
        z.object({
          url: text,
          width: count,
          height: count,
          shownWidth: count,
          shownHeight: count,
          bytes: count,
          party,
        }),
      ),
      // older crawls have none
      steadyImages: z.array(text).max(200).default([]),
      steadyImagesCut: z.boolean().optional(),
      fonts: z.array(text).max(200),
      cookies: listed(
        z.object({
          ...{ name: text, domain: text, secure: z.boolean(), httpOnly: z.boolean() },
          ...{ sameSite: z.enum(['Strict', 'Lax', 'None']).nullable(), party },
        }),
      ),
      // older crawls have none
      beforeConsent: z
        .object({ hosts: z.array(text).max(500), cookies: z.array(text).max(500) })
        .nullable()
        .default(null),
      storage: z.object({ local: count, session: count }).nullable(),
      tls: z.object({ protocol: text, issuer: text, daysLeft: z.number(), lifetime: z.number().optional() }).nullable(),
    })
    .nullable(),
  axe: z
    .object({
      end: z.enum(AXE_ENDS),
      violations: z
        .array(
          z.object({
            rule: z.string().max(100),
            impact: z.enum(AXE_IMPACTS),
            nodes: listed(z.object({ selector: text, snippet: text, why: text })),
          }),
        )
        .max(500),
      undecided: count,
    })
    .nullable()
    .default(null),
});

export interface StoredDetails extends AsyncDisposable {
  /** The details of a page; null where there are none. */
  of(url: string): Promise<PageDetails | null>;
}

interface Place {
  readonly offset: number;
  readonly length: number;
}

/** Null where the crawl recorded none. @throws the error of a file that cannot be read */
export async function openStoredDetails(folder: string, unread: Unread): Promise<StoredDetails | null> {
  const path = join(folder, 'details.jsonl');
  const handle = await open(path, 'r').catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  });
  if (handle === null) return null;
  const places = await placesIn(path, unread);
  return {
    of: async (url) => {
      const place = places.get(url);
      if (place === undefined) return null;
      const read = DETAILS_SCHEMA.safeParse(parsedJson(await lineAt(handle, place)));
      if (!read.success) unread.damaged('details.jsonl');
      return read.data ?? null;
    },
    [Symbol.asyncDispose]: () => handle.close(),
  };
}

/** The place of each page's line; of a page that was visited several times, of the last one. */
async function placesIn(path: string, unread: Unread): Promise<ReadonlyMap<string, Place>> {
  const places = new Map<string, Place>();
  let offset = 0;
  for await (const { lines, torn } of wholeLines(path)) {
    if (torn) {
      unread.torn('details.jsonl');
      break;
    }
    for (const { start, end, url } of linePlaces(lines)) {
      if (url === null) unread.damaged('details.jsonl');
      else places.set(url, { offset: offset + start, length: end - start });
    }
    offset += lines.length;
  }
  return places;
}

async function lineAt(handle: FileHandle, { offset, length }: Place): Promise<string> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, offset);
  return buffer.toString('utf8', 0, bytesRead);
}
