/** A crawl folder as a comparison looks at it. */
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { isWhole } from '../audit/coverage.ts';
import { cutText } from '../base/cut-text.ts';
import { axeRule } from '../core/audit-rules/axe-rule.ts';
import { auditedSite } from '../audit/site-origins.ts';
import { isPage } from '../core/diff/standings.ts';
import type { SiteAddresses } from '../core/findings/site-address.ts';
import { readAxeCatalogue } from '../crawl-folder/stored-axe.ts';
import { openStoredDetails } from '../crawl-folder/stored-details.ts';
import {
  storedExternals,
  storedFindings,
  storedPages,
  storedSkips,
  type StoredPage,
  type Unread,
} from '../crawl-folder/stored-lines.ts';
import { openInspectedCrawl } from '../inspect/inspected-crawl.ts';
import { pageScreenshots, type PageScreenshots } from '../inspect/pictures/page-screenshots.ts';
import { createUnread } from '../inspect/unread-lines.ts';
import type { PageVersion } from '../model/page-version.ts';
import { UNCERTAIN_VERDICTS } from '../model/external-record.ts';
import { FINDING_CONFIDENCES, SEVERITIES, type Finding } from '../model/finding.ts';
import type { SkipReason } from '../model/record.ts';
import { parsedUrl } from '../base/parsed-url.ts';
import { urlMaker, type ComparedSite } from './compared-site.ts';
import { readNoise } from './noise-file.ts';
import { readPageContent } from './page-reading.ts';
import { guessedErrors, unlessLost } from './guessed-errors.ts';
import { wallOn } from './page-wall.ts';
import { provesSignIn } from '../options/options.ts';
import { urlPolicyOf } from '../options/url-options.ts';
import { readReferences } from './reference-table.ts';
import { EXTERNAL_SETTING, settingsOf } from './settings.ts';

interface CrawlRecord {
  readonly url: string;
  readonly outcome: StoredPage['outcome'];
  readonly canonical: string | null;
  readonly redirect: string | null;
  readonly stored: StoredPage;
}

/** @throws {CrawlError} CRAWL_UNREADABLE, USAGE for a malformed mapping; the signal's reason */
export async function openCrawlSite(
  folder: string,
  map: readonly string[],
  signal: AbortSignal,
): Promise<ComparedSite> {
  const { path, crawl, options } = await openInspectedCrawl(folder);
  const unread = createUnread();
  const records = await readCrawlRecords(path, unread);
  const { addresses, notes } = auditedSite(crawl.seeds, records, map);
  const { pages, stored } = pagesByAddress(records, addresses);
  const skipped = new Map<string, SkipReason>();
  const forbidden = new Map<string, string>();
  const counts = new Map<SkipReason, number>();
  for await (const { url, reason, rule } of storedSkips(path, '', unread)) {
    const address = addresses.relative(url);
    skipped.set(address, reason);
    const line = reason === 'disallowed-by-robots' ? ruleIn(rule) : null;
    // the other scheme of its host may have shown it
    if (line !== null && !pages.has(address)) forbidden.set(address, line);
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const settings = new Map(settingsOf(crawl));
  const judging = {
    ...{ folder: path, policy: urlPolicyOf(options), signedIn: settings.get('signing in') === 'yes' },
    marksProve: provesSignIn(options),
  };
  const errors = await guessedErrors(records, crawl.seeds, judging, signal);
  const references = await readReferences(path, addresses, unread, signal);
  const findings = await readFindings(path, unread);
  const catalogue = findings === null ? null : await readAxeCatalogue(path, unread);
  const uncertain = await readUncertain(path, unread);
  const noise = await readNoise(path);
  if (findings !== null)
    settings.set(EXTERNAL_SETTING, (await isThere(join(path, EXTERNAL_FILE))) ? 'asked' : 'not asked');
  const unreadPages: string[] = [];
  const pictures = (address: string): PageScreenshots | null => {
    const snapshot = stored.get(address);
    return snapshot === undefined ? null : pageScreenshots(path, snapshot);
  };
  const details = await openStoredDetails(path, unread); // last: what throws before leaves no file open
  return {
    ...{
      kind: 'crawl',
      folder: path,
      seeds: crawl.seeds,
      started: crawl.started,
      pages,
      skipped,
      forbidden,
      addresses,
    },
    settings,
    isWhole: isWhole(crawl, counts),
    cut: crawl.state !== 'finished' ? crawl.state : crawl.end === 'all-visited' ? HELD : (crawl.end ?? 'finished'),
    linksOf: (address) => [...references.of(address, 'links'), ...references.of(address, 'hints')],
    readersLinks: (address) => references.of(address, 'links'),
    linkText: (address, link) => references.textOf(address, link),
    files: (address) => references.of(address, 'files'),
    isNamed: (address) => references.isNamed(address),
    content: async ({ address, url }, withText) => {
      const snapshot = stored.get(address);
      if (snapshot === undefined) return { text: null, structured: null, alternates: null, errors: null, weight: null };
      const note = (text: string): unknown => unreadPages.push(text);
      return readPageContent({ ...{ folder: path, snapshot, url, details, addresses, note }, withText });
    },
    pictures,
    hasPictures: [...stored.keys()].some((address) => pictures(address) !== null),
    wallOf: async (page) => {
      const record = records.get(page.url);
      return record === undefined ? null : wallOn(record.stored, judging).catch(unlessLost);
    },
    guessedErrors: new Set(errors.map((url) => addresses.relative(url))),
    findings,
    axeRules: (catalogue?.rules ?? []).map(axeRule),
    uncertain,
    noise,
    urlOf: urlMaker(crawl.seeds, references.isSecure),
    notes: () => [...unread.notes(), ...notes, ...unreadPages.slice(0, 20)],
    [Symbol.asyncDispose]: async () => details?.[Symbol.asyncDispose](),
  };
}

/** The rule without its line in the file; null where there is none, as robots.txt could not be read. */
function ruleIn(rule: string): string | null {
  return rule.startsWith('Disallow:') ? cutText(rule.replace(/ \(line \d+\)$/, ''), MOST_RULE) : null;
}

/** Characters of a rule that are shown. Arbitrary. */
const MOST_RULE = 200;

/** Records by URL; of a URL that was visited several times, the last one. */
async function readCrawlRecords(folder: string, unread: Unread): Promise<ReadonlyMap<string, CrawlRecord>> {
  const records = new Map<string, CrawlRecord>();
  for await (const stored of storedPages(folder, '', unread)) {
    const { url, outcome, canonical, finalUrl } = stored;
    const redirect = outcome === 'redirected' && finalUrl !== url ? finalUrl : null;
    records.set(url, { url, outcome, canonical, redirect, stored });
  }
  return records;
}

interface AddressedPages {
  readonly pages: ReadonlyMap<string, PageVersion>;
  readonly stored: ReadonlyMap<string, StoredPage['snapshot']>;
}

/** Pages by address. Both schemes of a host share an address, and so may two hosts: what says most of it counts, whichever was asked last. */
function pagesByAddress(records: ReadonlyMap<string, CrawlRecord>, addresses: SiteAddresses): AddressedPages {
  const pages = new Map<string, PageVersion>();
  const stored = new Map<string, StoredPage['snapshot']>();
  for (const record of records.values()) {
    const page = comparedPage(record, addresses);
    if (record.stored.confidence === 'low' && !isPage(page)) continue;
    const known = pages.get(page.address);
    if (known !== undefined && weightOf(known) > weightOf(page)) continue;
    // what it leads to was not asked: a limit or robots.txt kept it back
    if (leadsToItself(page) && !records.has(record.redirect ?? '')) continue;
    pages.set(page.address, page);
    stored.set(page.address, record.stored.snapshot);
  }
  return { pages, stored };
}

/** What an answer says of its address: most if it is a page, least if it leads to the same address (`http:` to `https:`). */
function weightOf(page: PageVersion): number {
  return isPage(page) ? 2 : leadsToItself(page) ? 0 : 1;
}

function leadsToItself({ outcome, redirect, address }: PageVersion): boolean {
  return outcome === 'redirected' && redirect === address;
}

function comparedPage({ url, outcome, redirect, stored }: CrawlRecord, addresses: SiteAddresses): PageVersion {
  const {
    status,
    depth,
    rendered,
    signedIn = null,
    title,
    description,
    lang,
    h1,
    canonical,
    robots,
    bytes,
    digest,
    words,
  } = stored;
  return {
    ...{ url, outcome, status, depth, rendered, signedIn, title, description, lang, h1, robots, bytes, digest, words },
    address: addresses.relative(url),
    redirect: redirect === null ? null : addresses.relative(redirect),
    canonical: canonical === null ? null : addresses.relative(parsedUrl(canonical, url)?.href ?? canonical),
  };
}

const findingSchema = z.object({
  id: z.string().regex(/^[\da-f]{16}$/),
  rule: z.string().max(100),
  severity: z.enum(SEVERITIES),
  confidence: z.enum(FINDING_CONFIDENCES),
  url: z.string(),
  target: z.string().nullable(),
  message: z.string(),
  evidence: z.record(z.string(), z.unknown()),
  group: z.string(),
  sources: z.object({ count: z.number(), first: z.array(z.object({ url: z.string(), text: z.string().optional() })) }),
});

/** Null where the crawl was not audited. */
async function readFindings(folder: string, unread: Unread): Promise<ReadonlyMap<string, Finding> | null> {
  const findings = new Map<string, Finding>();
  if (!(await isThere(join(folder, 'findings.jsonl')))) return null;
  for await (const line of storedFindings(folder, unread)) {
    const read = findingSchema.safeParse(line);
    if (!read.success) {
      unread.damaged('findings.jsonl');
      continue;
    }
    const { evidence, sources, ...finding } = read.data;
    const { selector, snippet, header, request } = evidence;
    const first = sources.first.map(({ url, text }) => ({ url, ...(text === undefined ? {} : { text }) }));
    findings.set(finding.id, {
      ...finding,
      sources: { count: sources.count, first },
      evidence: Object.fromEntries(
        Object.entries({ selector, snippet, header, request }).filter(([, value]) => typeof value === 'string'),
      ),
    });
  }
  return findings;
}

/** Of a crawl that came to its end: `--depth` or another rule kept pages from it. */
const HELD = 'it held pages back';

const EXTERNAL_FILE = 'external.jsonl';

async function readUncertain(folder: string, unread: Unread): Promise<ReadonlySet<string>> {
  const uncertain = new Set<string>();
  for await (const { url, verdict } of storedExternals(folder, unread))
    if (UNCERTAIN_VERDICTS.has(verdict)) uncertain.add(url);
  return uncertain;
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
