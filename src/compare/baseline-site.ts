/** A baseline folder (docs/regression.md, "Baselines"): the compared parts of a crawl, as text to commit. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { readMapping, withMapped } from '../audit/site-origins.ts';
import { CrawlError } from '../base/errors.ts';
import { parsedJson } from '../base/safe-json.ts';
import { originOf, SiteAddresses } from '../core/findings/site-address.ts';
import { FIRST_VIEWPORT } from '../crawl-folder/element-boxes-file.ts';
import { systemCode } from '../crawl-folder/disk-error.ts';
import { steadyAddress } from '../model/url/steady-address.ts';
import type { PageVersion, PageContent } from '../model/page-version.ts';
import { FINDING_CONFIDENCES, SEVERITIES, type Finding } from '../model/finding.ts';
import { RECORD_OUTCOMES, SKIP_REASONS, type SkipReason } from '../model/record.ts';
import { pageScreenshots, type PageScreenshots } from '../inspect/pictures/page-screenshots.ts';
import { urlMaker, type ComparedSite } from './compared-site.ts';
import { readNoise } from './noise-file.ts';

export const BASELINE_FILE = 'baseline.json';
export const PAGES_FILE = 'pages.jsonl';
/** Rises when an older reader would read a baseline wrongly. */
export const BASELINE_FORMAT = 1;

const text: z.ZodType<string> = z.string().max(20_000);
/** Most texts that the head shares between pages, and most lines of a page (page-reading.ts keeps no more). */
export const MOST_TEXTS = 50_000;
const texts = z.array(text).max(MOST_TEXTS);
/** Most links or files of a page (arbitrary): a sitemap names 50,000 URLs, each with its versions in other languages. */
const references = z.array(text).max(1_000_000);

/** A line of a baseline: a page with all its compared parts. */
export interface BaselinePage extends Omit<PageVersion, 'url' | 'words'>, PageContent {
  /** Links that readers follow, and links for machines. */
  readonly links: readonly string[];
  readonly hints: readonly string[];
  readonly files: readonly string[];
  /** Paths of its screenshots in the baseline, by window; null where it has none. */
  readonly pictures: Readonly<Record<string, string>> | null;
}

const pageSchema: z.ZodType<BaselinePage> = z.object({
  address: z.string().min(1).max(4000),
  outcome: z.enum(RECORD_OUTCOMES),
  status: z.number().nullable().default(null),
  redirect: text.nullable().default(null),
  depth: z.number().default(0),
  rendered: z.boolean().default(false),
  signedIn: z.boolean().nullable().default(null),
  title: text.nullable().default(null),
  description: text.nullable().default(null),
  lang: text.nullable().default(null),
  h1: texts.default([]),
  canonical: text.nullable().default(null),
  robots: texts.default([]),
  bytes: z.number().nullable().default(null),
  digest: text.nullable().default(null),
  text: texts.nullable().default(null),
  structured: texts.nullable().default(null),
  alternates: texts.nullable().default(null),
  errors: texts.nullable().default(null),
  weight: z.number().nullable().default(null),
  links: references.default([]),
  hints: references.default([]),
  files: references.default([]),
  pictures: z.record(z.string().max(20), z.string().max(200)).nullable().default(null),
});

/** An accepted finding: only what identifies a finding of an audit. */
export interface BaselineFinding extends Pick<Finding, 'id' | 'rule' | 'severity' | 'confidence' | 'message'> {
  readonly address: string;
}

const findingSchema: z.ZodType<BaselineFinding> = z.object({
  id: z.string().regex(/^[\da-f]{16}$/),
  rule: z.string().max(100),
  severity: z.enum(SEVERITIES),
  confidence: z.enum(FINDING_CONFIDENCES),
  address: text,
  message: text,
});

/** baseline.json. */
export interface BaselineHead {
  readonly format: number;
  /** The version of the program that wrote it. */
  readonly orbweaver: string;
  readonly seeds: readonly string[];
  readonly started: string;
  readonly isWhole: boolean;
  readonly settings: Readonly<Record<string, string>>;
  readonly skipped: Readonly<Record<string, SkipReason>>;
  /** Lines, links and files that many pages have: pages name them by number. */
  readonly shared: readonly string[];
  readonly findings: readonly BaselineFinding[] | null;
}

const schema: z.ZodType<BaselineHead> = z.object({
  format: z.number(),
  orbweaver: z.string(),
  seeds: z.array(z.string()).min(1),
  started: z.string(),
  isWhole: z.boolean(),
  settings: z.record(z.string(), z.string()),
  skipped: z.record(z.string(), z.enum(SKIP_REASONS)).default({}),
  shared: texts.default([]),
  findings: z.array(findingSchema).nullable().default(null),
});

export interface StoredBaseline {
  readonly head: BaselineHead;
  readonly pages: ReadonlyMap<string, BaselinePage>;
}

/** @throws {CrawlError} BASELINE_INVALID */
export async function readApproved(folder: string): Promise<StoredBaseline> {
  const path = join(folder, BASELINE_FILE);
  const content = parsedJson(await textOf(path));
  const known = z.object({ format: z.number() }).safeParse(content);
  if (known.success && known.data.format > BASELINE_FORMAT) {
    throw invalid(
      `${folder} is a baseline of format ${known.data.format}, and this version reads formats up to ${BASELINE_FORMAT}`,
      'Read it with the version that wrote it, or a later one.',
    );
  }
  const read = schema.safeParse(content);
  if (!read.success)
    throw invalid(`${path} is no baseline${issueWords(read.error)}`, 'Approve all of a crawl again, without --only.');
  const pages = new Map<string, BaselinePage>();
  const lines = (await textOf(join(folder, PAGES_FILE))).split('\n');
  for (const [index, line] of lines.entries()) {
    if (line === '') continue;
    const page = pageSchema.safeParse(unshared(parsedJson(line), read.data.shared));
    if (!page.success)
      throw invalid(
        `${join(folder, PAGES_FILE)}, line ${index + 1} is no page${issueWords(page.error)}`,
        'Where it was merged by hand, see that each line is one JSON object; or approve all of a crawl again, without --only.',
      );
    pages.set(page.data.address, page.data);
  }
  return { head: read.data, pages };
}

/** Lists of a page may name shared texts by number. */
function unshared(page: unknown, shared: readonly string[]): unknown {
  if (typeof page !== 'object' || page === null) return page;
  return Object.fromEntries(
    Object.entries(page).map(([key, value]: [string, unknown]) => [
      key,
      Array.isArray(value)
        ? (value as readonly unknown[]).map((item) => (typeof item === 'number' ? (shared[item] ?? item) : item))
        : value,
    ]),
  );
}

/** @throws {CrawlError} BASELINE_INVALID, CRAWL_UNREADABLE for its noise, USAGE for a malformed mapping */
export async function openBaselineSite(folder: string, map: readonly string[]): Promise<ComparedSite> {
  const { head, pages: approved } = await readApproved(folder);
  const mappings = map.map(readMapping);
  const addresses = new SiteAddresses(withMapped(new Set(ownOrigins(head, approved)), mappings), mappings);
  const urlOf = urlMaker(head.seeds);
  const placed = (address: string): string => addresses.relative(urlOf(address));
  const stored = mappings.length === 0 ? approved : mappedPages(approved, placed, addresses);
  const pages = new Map<string, PageVersion>();
  const named = new Set<string>();
  for (const page of stored.values()) {
    pages.set(page.address, { ...page, url: urlOf(page.address), words: null });
    for (const address of [...page.links, ...page.hints]) named.add(address);
  }
  const nothing: PageContent = { text: null, structured: null, alternates: null, errors: null, weight: null };
  return {
    ...{ kind: 'baseline', folder, seeds: head.seeds, started: head.started, pages, urlOf },
    skipped: new Map(Object.entries(head.skipped).map(([address, reason]) => [placed(address), reason])),
    forbidden: new Map(Object.keys(head.skipped).map((address) => [placed(address), ''])),
    addresses,
    guessedErrors: new Set(),
    settings: new Map(Object.entries(head.settings)),
    isWhole: head.isWhole,
    cut: 'approved',
    linksOf: (address) => {
      const page = stored.get(address);
      return page === undefined ? null : [...page.links, ...page.hints];
    },
    readersLinks: (address) => stored.get(address)?.links ?? null,
    linkText: () => '',
    // an earlier version may have known fewer hashes
    files: (address) => stored.get(address)?.files.map(steadyAddress) ?? null,
    isNamed: (address) => named.has(address),
    content: async ({ address }) => Promise.resolve(stored.get(address) ?? nothing),
    pictures: (address) => picturesIn(folder, stored.get(address)),
    hasPictures: [...stored.values()].some(({ pictures }) => pictures !== null),
    wallOf: () => Promise.resolve(null),
    findings: head.findings === null ? null : new Map(head.findings.map((each) => [each.id, findingOf(each, urlOf)])),
    axeRules: [],
    uncertain: new Set(),
    noise: await readNoise(folder),
    notes: () => [],
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** Origins of seeds that are the site itself: of another one the baseline names the host in the addresses. */
function ownOrigins({ seeds, skipped }: BaselineHead, pages: StoredBaseline['pages']): readonly string[] {
  const addresses = [...pages.keys(), ...Object.keys(skipped)].filter((address) => address.startsWith('//'));
  const others = new Set(addresses.map((address) => /^\/\/[^/?#]*/.exec(address)?.[0]));
  return seeds.flatMap((seed, index) => {
    const origin = originOf(seed);
    return origin === null || (index > 0 && others.has(origin.replace(/^https?:/, ''))) ? [] : [origin];
  });
}

/** The pages with their addresses as the mapping has them: the crawl was approved without one. @param placed the address of an address */
function mappedPages(
  pages: StoredBaseline['pages'],
  placed: (address: string) => string,
  addresses: SiteAddresses,
): StoredBaseline['pages'] {
  const orNone = (address: string | null): string | null => (address === null ? null : placed(address));
  const mapped = [...pages.values()].map((page): BaselinePage => {
    const { address, redirect, canonical, links, hints, files, structured, alternates, errors } = page;
    return {
      ...page,
      ...{ address: placed(address), redirect: orNone(redirect), canonical: orNone(canonical) },
      ...{ links: links.map(placed), hints: hints.map(placed), files: files.map(placed) },
      alternates: alternates?.map((line) => line.replace(/(?<=^[^:]*: ).*$/s, placed)) ?? null,
      structured: structured?.map((line) => addresses.relativeText(line)) ?? null,
      // `GET //example.org/a.js: 404`
      errors: errors?.map((line) => addresses.relativeText(line).replaceAll(/(?<= )\/\/\S+/g, placed)) ?? null,
    };
  });
  return new Map(mapped.map((page) => [page.address, page]));
}

function picturesIn(folder: string, page: BaselinePage | undefined): PageScreenshots | null {
  const { [FIRST_VIEWPORT]: screenshot = null, ...screenshots } = page?.pictures ?? {};
  return pageScreenshots(folder, { screenshot, screenshots });
}

function findingOf({ address, ...finding }: BaselineFinding, urlOf: (address: string) => string): Finding {
  const url = urlOf(address);
  return { ...finding, url, target: null, evidence: {}, group: finding.rule, sources: { count: 1, first: [{ url }] } };
}

async function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    throw invalid(`${path} cannot be read: ${systemCode(error)}`, 'A baseline has a baseline.json and a pages.jsonl.');
  });
}

function invalid(what: string, cure: string): CrawlError {
  return new CrawlError('BASELINE_INVALID', `${what}\n${cure}`);
}

function issueWords({ issues: [issue] }: z.ZodError): string {
  return issue === undefined ? '' : ` (${issue.path.join('.')}: ${issue.message})`;
}
