/** expected.json beside a site, and the comparison of a crawl folder with it (docs/regression.md, "A site as a test"). */
import { z } from 'zod';
import { CrawlError } from '../base/errors.ts';
import { expectationOf, unexpected, type Expected, type FoundSite } from '../core/diff/expectation.ts';
import { storedFindings, storedLinks, storedPages, storedSkips } from '../crawl-folder/stored-lines.ts';
import { createUnread } from '../inspect/unread-lines.ts';
import { LINK_KINDS } from '../model/link-kinds.ts';
import { RECORD_OUTCOMES, SKIP_REASONS } from '../model/record.ts';
import { canonicalise, DEFAULT_URL_POLICY, withAllParameters } from '../model/url/canonical-url.ts';

const outcome = z.enum(RECORD_OUTCOMES);
const key = z.string().min(1);
const OUTCOME_FAULT = `must be one of ${RECORD_OUTCOMES.join(', ')}, or a list of them`;

/** schemas/expected.schema.json is generated from it. */
export const EXPECTED_SCHEMA: z.ZodType<Expected> = z.strictObject({
  $schema: z.string().optional(),
  options: z
    .record(
      z.string().regex(/^[a-z-]+$/, { error: 'a flag is named as the command line has it, without its dashes' }),
      z.union([z.string(), z.literal(true), z.array(z.string())], {
        error: 'must be a text, as in "5", true for a switch, or a list of texts',
      }),
    )
    .describe(
      'flags of orbweaver crawl, by their names; true for a switch, a list for one that is given several times',
    ),
  pages: z
    .record(
      key,
      z.strictObject({
        outcome: z
          .union([outcome, z.array(outcome)], { error: OUTCOME_FAULT })
          .describe('how the visit ends; of a list any will do'),
        status: z.number().int().optional(),
        title: z.string().optional(),
        redirect: key.optional().describe('where it redirects to'),
      }),
    )
    .describe('all addresses that a crawl visits: /path, name:/path on a host of site.json, or a whole URL'),
  skipped: z
    .record(key, z.strictObject({ reason: z.enum(SKIP_REASONS) }))
    .default({})
    .describe('addresses that it sees and does not visit; others may be skipped, too'),
  links: z
    .array(z.strictObject({ from: key, to: key, kind: z.enum(LINK_KINDS) }))
    .default([])
    .describe('links that it finds; others may be there, too'),
  findings: z
    .array(z.strictObject({ rule: z.string(), page: key }))
    .optional()
    .describe('all findings of an audit, an entry for each; left out, nothing is audited'),
  screenshots: z
    .strictObject({
      threshold: z.number().min(0).max(1).optional().describe('share of the pixels that may differ, 0 to 1'),
      region: z.number().int().min(0).optional().describe('pixels of one region that may differ'),
      masks: z
        .array(
          z.strictObject({
            page: key.optional().describe('a key with * for anything; left out, all pages'),
            selector: key.optional().describe('an element, with all that it contains; left out, all of the page'),
          }),
        )
        .default([])
        .describe('what is not compared'),
      pages: z
        .record(
          key,
          z.record(z.string().regex(/^(?:first|\d{1,5}x\d{1,5})$/), z.string().regex(/^[a-z0-9][\w.-]*\.png$/i)),
        )
        .default({})
        .describe('PNGs in the folder expected/, by page and window (first, 375x812)'),
    })
    .optional()
    .describe('screenshots of all pages; left out, none are taken'),
  exit: z.number().int().default(0).describe('exit code of the crawl'),
});

/** @param path for messages @throws {CrawlError} SITE_INVALID */
export function parseExpected(text: string, path = 'expected.json'): Expected {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new CrawlError('SITE_INVALID', `${path} is not valid JSON: ${String(cause)}`, { cause });
  }
  const read = EXPECTED_SCHEMA.safeParse(value);
  if (read.success) return read.data;
  throw new CrawlError('SITE_INVALID', `${path}: ${faultWords(read.error, value)}`, { cause: read.error });
}

/** The place of the first fault, the value there, and what would be accepted. */
function faultWords({ issues: [issue] }: z.ZodError, value: unknown): string {
  if (issue === undefined) return 'not valid';
  if (issue.code === 'unrecognized_keys')
    return `${[...issue.path, issue.keys[0]].map(String).join(' → ')}: no such key; docs/regression.md has all`;
  const found = issue.path.reduce<unknown>(
    (part, name) =>
      typeof part === 'object' && part !== null
        ? Object.entries(part).find(([own]) => own === String(name))?.[1]
        : undefined,
    value,
  );
  const shown = found === undefined ? 'missing' : JSON.stringify(found).slice(0, 200);
  const [ofKey] = issue.code === 'invalid_key' ? issue.issues : [];
  return `${issue.path.map(String).join(' → ') || 'the whole'} is ${shown}: ${ofKey?.message ?? issue.message}`;
}

/** An entry on each line, for reviews. */
export function expectedText({
  $schema,
  options,
  pages,
  skipped,
  links,
  findings,
  screenshots,
  exit,
}: Expected): string {
  const list = (lines: readonly string[], [open, close]: readonly [string, string]): string =>
    lines.length === 0 ? `${open}${close}` : `${open}\n    ${lines.join(',\n    ')}\n  ${close}`;
  const entries = (value: Readonly<Record<string, unknown>>): string =>
    list(
      Object.entries(value).map(([name, entry]) => `${JSON.stringify(name)}: ${spaced(entry)}`),
      ['{', '}'],
    );
  const items = (value: readonly unknown[]): string => list(value.map(spaced), ['[', ']']);
  const parts = [
    ...($schema === undefined ? [] : [`"$schema": ${JSON.stringify($schema)}`]),
    `"options": ${spaced(options)}`,
    `"pages": ${entries(pages)}`,
    `"skipped": ${entries(skipped)}`,
    `"links": ${items(links)}`,
    ...(findings === undefined ? [] : [`"findings": ${items(findings)}`]),
    ...(screenshots === undefined ? [] : [`"screenshots": ${picturesText(screenshots)}`]),
    `"exit": ${exit}`,
  ];
  return `{\n  ${parts.join(',\n  ')}\n}\n`;
}

function picturesText({ pages, ...ways }: NonNullable<Expected['screenshots']>): string {
  const entries = Object.entries(pages).map(([name, windows]) => `      ${JSON.stringify(name)}: ${spaced(windows)}`);
  const lines = [
    ...Object.entries(ways).map(([name, value]) => `    ${JSON.stringify(name)}: ${spaced(value)}`),
    `    "pages": {${entries.length === 0 ? '' : `\n${entries.join(',\n')}\n    `}}`,
  ];
  return `{\n${lines.join(',\n')}\n  }`;
}

/** JSON on one line, with blanks. */
function spaced(value: unknown): string {
  return JSON.stringify(value, null, 1)
    .replaceAll(/\n\s*/g, ' ')
    .replace(/^\{ \}$/, '{}');
}

/**
 * The URL that a key of expected.json stands for, canonical where it is one of http.
 * @param origins host name → origin, the first one for keys without a host
 * @throws {CrawlError} SITE_INVALID for a host that the site does not have
 */
export function urlOfKey(text: string, origins: ReadonlyMap<string, string>): string {
  const [, name, path] = /^(?:([a-z0-9.-]+):)?(\/(?!\/).*|\/)$/s.exec(text) ?? [];
  const [first] = origins.values();
  const origin = name === undefined ? first : origins.get(name);
  if (path === undefined) return canonicalForm(text);
  if (origin === undefined) throw new CrawlError('SITE_INVALID', `expected.json names no host of the site: ${text}`);
  return canonicalForm(origin + path);
}

/** The key of a URL: the inverse of {@link urlOfKey}. */
export function keyOfUrl(url: string, origins: ReadonlyMap<string, string>): string {
  for (const [index, [name, origin]] of [...origins].entries())
    if (url.startsWith(`${origin}/`)) return `${index === 0 ? '' : `${name}:`}${url.slice(origin.length)}`;
  return url;
}

/** Canonicalises with every parameter of the key: parameters that a site or an option keeps must be expected as they are. */
function canonicalForm(text: string): string {
  const result = canonicalise(text, undefined, withAllParameters(DEFAULT_URL_POLICY));
  return result.kind === 'canonical' ? result.url : text;
}

/** @param audited whether its findings are wanted. @throws the error of a file that cannot be read */
export async function foundSite(folder: string, audited: boolean): Promise<FoundSite> {
  const unread = createUnread();
  return {
    pages: await all(storedPages(folder, '', unread)),
    skipped: await all(storedSkips(folder, '', unread)),
    links: await all(storedLinks(folder, '', unread)),
    findings: audited ? await all(storedFindings(folder, unread)) : null,
  };
}

async function all<Line>(lines: AsyncIterable<Line>): Promise<readonly Line[]> {
  const list: Line[] = [];
  for await (const line of lines) list.push(line);
  return list;
}

/** The differences from expected.json. */
export function unexpectedIn(
  found: FoundSite,
  expected: Expected,
  origins: ReadonlyMap<string, string>,
): ReturnType<typeof unexpected> {
  return unexpected(found, expected, (text) => urlOfKey(text, origins));
}

/** expected.json as the crawl would have it. */
export function updatedExpected(
  found: FoundSite,
  before: Expected,
  exit: number,
  origins: ReadonlyMap<string, string>,
): Expected {
  return expectationOf(found, before, exit, {
    keyOf: (url) => keyOfUrl(url, origins),
    urlOf: (text) => urlOfKey(text, origins),
  });
}
