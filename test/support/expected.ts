/** What a crawl of a fixture must find (fixtures/sites/README.md), and how a crawl folder differs from it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { z } from 'zod';

import { LINK_KINDS } from '../../src/model/link-kinds.ts';
import {
  RECORD_OUTCOMES,
  SKIP_REASONS,
  type LinkRecord,
  type PageRecord,
  type SkippedRecord,
} from '../../src/model/record.ts';
import { canonicalise, DEFAULT_URL_POLICY, withAllParameters } from '../../src/model/url/canonical-url.ts';

const outcome = z.enum(RECORD_OUTCOMES);

const schema = z.strictObject({
  options: z.record(z.string().regex(/^[a-z-]+$/), z.union([z.string(), z.literal(true)])),
  pages: z.record(
    z.string(),
    z.strictObject({
      outcome: z.union([outcome, z.array(outcome)]),
      status: z.number().int().optional(),
      title: z.string().optional(),
    }),
  ),
  skipped: z.record(z.string(), z.strictObject({ reason: z.enum(SKIP_REASONS) })),
  links: z.array(z.strictObject({ from: z.string(), to: z.string(), kind: z.enum(LINK_KINDS) })).default([]),
  exit: z.number().int(),
});

export type Expected = z.infer<typeof schema>;

/** @throws where the file does not follow the schema. */
export function parseExpected(text: string): Expected {
  return schema.parse(JSON.parse(text));
}

/**
 * The URL that a key of expected.json stands for, canonical where it is one of http.
 * @param origins host name → origin, the first one for keys without a host
 */
export function urlOfKey(key: string, origins: ReadonlyMap<string, string>): string {
  const [, name, path] = /^(?:([a-z0-9.-]+):)?(\/(?!\/).*|\/)$/s.exec(key) ?? [];
  const [first] = origins.values();
  const origin = name === undefined ? first : origins.get(name);
  if (path === undefined) return canonicalForm(key);
  if (origin === undefined) throw new Error(`expected.json names no host of the site: ${key}`);
  return canonicalForm(origin + path);
}

/** With every parameter that the key has: what a site or an option keeps must be expected as it is. */
function canonicalForm(text: string): string {
  const result = canonicalise(text, undefined, withAllParameters(DEFAULT_URL_POLICY));
  return result.kind === 'canonical' ? result.url : text;
}

/**
 * Compares a finished crawl folder with what is expected of it.
 * @returns the differences in words, one each; empty where there are none
 */
export async function compareWithExpected(
  crawlFolder: string,
  expected: Expected,
  origins: ReadonlyMap<string, string>,
): Promise<string[]> {
  const [pages, skipped, links] = await Promise.all([
    readLines<PageRecord>(join(crawlFolder, 'pages.jsonl')),
    readLines<SkippedRecord>(join(crawlFolder, 'skipped.jsonl')),
    readLines<LinkRecord>(join(crawlFolder, 'links.jsonl')),
  ]);
  return [
    ...pageDifferences(pages, expected, origins),
    ...skipDifferences(skipped, pages, expected, origins),
    ...linkDifferences(links, expected, origins),
  ];
}

function pageDifferences(
  pages: readonly PageRecord[],
  expected: Expected,
  origins: ReadonlyMap<string, string>,
): readonly string[] {
  const differences: string[] = [];
  const found = new Map<string, PageRecord>();
  for (const page of pages) {
    if (found.has(page.url)) differences.push(`recorded twice: ${page.url}`);
    found.set(page.url, page);
  }
  for (const [key, wanted] of Object.entries(expected.pages)) {
    const url = urlOfKey(key, origins);
    const page = found.get(url);
    found.delete(url);
    if (page === undefined) {
      differences.push(`missing page: ${key}`);
      continue;
    }
    const outcomes = [wanted.outcome].flat();
    if (!outcomes.includes(page.outcome)) {
      const detail = page.detail === null ? '' : ` (${page.detail})`;
      differences.push(`wrong outcome of ${key}: ${page.outcome}${detail} instead of ${outcomes.join(' or ')}`);
    }
    if (wanted.status !== undefined && page.status !== wanted.status) {
      differences.push(`wrong status of ${key}: ${page.status} instead of ${wanted.status}`);
    }
    if (wanted.title !== undefined && page.title !== wanted.title) {
      differences.push(
        `wrong title of ${key}: ${JSON.stringify(page.title)} instead of ${JSON.stringify(wanted.title)}`,
      );
    }
  }
  for (const page of found.values()) {
    differences.push(`invented page: ${page.url} (${page.outcome}, from ${page.referrer ?? 'nowhere'})`);
  }
  return differences;
}

function skipDifferences(
  skipped: readonly SkippedRecord[],
  pages: readonly PageRecord[],
  expected: Expected,
  origins: ReadonlyMap<string, string>,
): readonly string[] {
  const differences: string[] = [];
  const reasons = new Map(skipped.map(({ url, reason }) => [url, reason]));
  for (const [key, { reason }] of Object.entries(expected.skipped)) {
    const found = reasons.get(urlOfKey(key, origins));
    if (found === undefined) differences.push(`missing skipped: ${key} (${reason})`);
    else if (found !== reason) differences.push(`wrong reason for skipping ${key}: ${found} instead of ${reason}`);
  }
  const visited = new Set(pages.map(({ url }) => url));
  for (const url of reasons.keys()) if (visited.has(url)) differences.push(`both visited and skipped: ${url}`);
  return differences;
}

function linkDifferences(
  links: readonly LinkRecord[],
  expected: Expected,
  origins: ReadonlyMap<string, string>,
): readonly string[] {
  const found = new Set(links.map(({ from, to, kind }) => JSON.stringify([from, to, kind])));
  return expected.links
    .filter(({ from, to, kind }) => !found.has(JSON.stringify([urlOfKey(from, origins), urlOfKey(to, origins), kind])))
    .map(({ from, to, kind }) => `missing link: ${from} → ${to} (${kind})`);
}

/** A file that is not there has no lines: a crawl that skipped nothing need not write one. */
async function readLines<Line>(file: string): Promise<readonly Line[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}
