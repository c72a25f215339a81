/** Audits a crawl folder out of the folder alone: no browser, no Redis, no network (docs/audit.md). */
import { join } from 'node:path';
import { lockCrawlFolder } from '../crawl-folder/crawl-folder.ts';
import { isWriteRefused } from '../crawl-folder/disk-error.ts';
import { refuseLinks } from '../crawl-folder/no-links.ts';
import { readAxeCatalogue } from '../crawl-folder/stored-axe.ts';
import { readMeasurements } from '../crawl-folder/stored-measurements.ts';
import { openStoredDetails } from '../crawl-folder/stored-details.ts';
import { removeUnfinished, writeWholeFile } from '../crawl-folder/whole-file.ts';
import { FindingBook, ruleInfo } from '../core/findings/finding-book.ts';
import { openInspectedCrawl, type InspectedCrawl } from '../inspect/inspected-crawl.ts';
import { createUnread } from '../inspect/unread-lines.ts';
import type { ExternalFacts, SiteFacts } from '../model/audit-facts.ts';
import type { AuditRule, PageRule, SiteRule } from '../model/audit-rule.ts';
import type { AuditResult, ExternalLink } from '../model/finding.ts';
import { provesSignIn } from '../options/options.ts';
import { urlPolicyOf } from '../options/url-options.ts';
import { AxeCount } from './axe-count.ts';
import { coverageOf, isWhole } from './coverage.ts';
import { readRecords } from './crawl-records.ts';
import type { ExternalWay } from './external-verdicts.ts';
import { readPageNames } from './page-names.ts';
import { isOwnPage, PagePass } from './page-pass.ts';
import { chosenRules, type RuleChoice } from './rule-choice.ts';
import { applyRule, type RuleFaults } from './rule-faults.ts';
import { DEAF_RULE, silenceNotes, silentIds } from './silent-rules.ts';
import { siteFacts } from './site-facts.ts';
import { countSkips } from './skip-counts.ts';
import { auditedSite, publishedNotes, readMapping } from './site-origins.ts';

export interface AuditOptions extends RuleChoice {
  /** Origins that stand for each other: `https://staging.example.org=https://example.org`. */
  readonly map?: readonly string[];
  /** The source of verdicts on links to other sites; default `stored`. */
  readonly external?: ExternalWay;
  readonly signal?: AbortSignal;
}

/**
 * Audits a crawl, and writes its findings to findings.jsonl in its folder, in place of those of an earlier audit. A crawl that was cut is
 * audited as far as it came; the coverage says so, and rules about missing pages are silent.
 * @throws {CrawlError} CRAWL_UNREADABLE for the folder, USAGE for a rule that does not exist or a malformed mapping, OUTPUT_IN_USE,
 *   OUTPUT_UNUSABLE, DISK_FULL; the signal's reason
 * @example
 * const { coverage, findings } = await auditCrawl('orbweaver-example.org-20260102-030405');
 */
export async function auditCrawl(folder: string, options: AuditOptions = {}): Promise<AuditResult> {
  const { map = [], signal = new AbortController().signal } = options;
  const opened = await openInspectedCrawl(folder);
  await using lock = await lockUnlessReadOnly(opened.path);
  const keeps = lock !== null;
  await refuseLinks(opened.path, ['findings.jsonl', 'external.jsonl', 'inventory.json', 'report']);
  if (keeps) for (const place of ['.', 'report']) await removeUnfinished(join(opened.path, place));
  const unread = createUnread();
  const catalogue = await readAxeCatalogue(opened.path, unread);
  const measurements = await readMeasurements(opened.path, unread);
  const named = chosenRules({ ...options, axe: catalogue?.rules ?? [] });
  const chosen = named.filter(({ needsMeasurements }) => needsMeasurements !== true || measurements !== null);
  const wantsPaint = opened.crawl.options['measure'] === true || (options.only ?? []).length > 0;
  const unmeasured = wantsPaint ? named.filter((rule) => !chosen.includes(rule)) : [];
  const records = await readRecords(opened.path, unread);
  const site = auditedSite(opened.crawl.seeds, records, map);
  const [book, faults]: [FindingBook, RuleFaults] = [new FindingBook(site.addresses), new Map()];
  await using details = await openStoredDetails(opened.path, unread);
  const blind = details === null ? chosen.filter(({ needsDetails }) => needsDetails === true) : [];
  const axe = catalogue === null ? null : new AxeCount(catalogue, (url) => site.addresses.template(url));
  const { served, suspectedTraps } = opened.crawl;
  const isPage = (url: string): boolean => {
    const record = records.get(url);
    return record !== undefined && isOwnPage(record);
  };
  const names = await readPageNames(opened.path, opened.crawl.seeds, {
    isPage,
    isGuess: (url) => records.get(url)?.confidence === 'low',
  });
  const pass = new PagePass({
    folder: opened.path,
    records,
    site,
    names,
    policy: urlPolicyOf(opened.options),
    rules: chosen.filter(isPageRule),
    signedIn: isSignedIn(opened),
    marksProve: provesSignIn(opened.options),
    details,
    isServed: (url) => served.some(({ port }) => url.startsWith(`http://127.0.0.1:${port}/`)),
    measured: new Map(measurements?.pages.map((page) => [page.url, page])),
    axe,
    book,
    faults,
  });
  await pass.run(signal);
  const isDeaf = !pass.inventory.hasHeardOthers && book.withdraw(DEAF_RULE);
  const skipped = await countSkips({ folder: opened.path, names, unread, site, records });
  const way = chosen.some(isExternalRule) ? (options.external ?? 'stored') : 'none';
  const whole = isWhole(opened.crawl, skipped.all);
  const sources = { opened, records, site, names, pass, whole, disallowed: skipped.disallowed, unread, way, keeps };
  const { facts, notes } = await siteFacts(sources, signal);
  const { external } = facts;
  const rules = external === null ? chosen.filter((rule) => !isExternalRule(rule)) : chosen;
  const partial = applySiteRules(rules, facts, book, faults);
  const serverless = served.length === 0 ? [] : rules.filter(({ needsServer }) => needsServer === true);
  const silence = { partial, blind, serverless, unmeasured, isServed: served.length > 0, isDeaf, faults };
  const silent = silentIds(silence);
  const findings = book.findings();
  if (keeps) await writeFindings(opened.path, findings);
  const inventory = details === null ? null : pass.inventory.items();
  if (keeps && inventory !== null)
    await writeWholeFile(join(opened.path, 'inventory.json'), `${JSON.stringify({ items: inventory }, null, 1)}\n`);
  return {
    folder: opened.path,
    seeds: opened.crawl.seeds,
    started: opened.crawl.started,
    coverage: coverageOf({
      crawl: opened.crawl,
      records: [...records.values()].filter(({ url }) => !pass.unnamed.has(url)),
      pages: pass.audited,
      skipped: skipped.named,
      axe,
      measurements,
    }),
    findings,
    rules: rules.map(ruleInfo),
    ...(silent.length === 0 ? {} : { silent }),
    pages: pass.audited,
    ...(measurements === null ? {} : { measurements }),
    ...(inventory === null ? {} : { inventory }),
    notes: [
      ...(keeps ? [] : [READ_ONLY]),
      ...unread.notes(),
      ...site.notes,
      ...publishedNotes(site.published, skipped.published),
      ...pass.notes,
      ...notes,
      // a site that is down has no details that another crawl would record
      ...silenceNotes({ ...silence, blind: pass.summaries.size === 0 ? [] : blind }),
      ...book.notes(),
    ],
    ...(external === null ? {} : { external: external.map(shownExternal) }),
    ...(suspectedTraps.length === 0 ? {} : { suspectedTraps }),
  };
}

const READ_ONLY =
  'this user may only read the crawl folder: findings.jsonl and the other files of an audit there are as they were';

/** @returns null where this user may only read the folder. @throws as {@link lockCrawlFolder} */
async function lockUnlessReadOnly(folder: string): Promise<AsyncDisposable | null> {
  try {
    return await lockCrawlFolder(folder);
  } catch (error) {
    if (isWriteRefused(error)) return null;
    throw error;
  }
}

/**
 * Checks options without looking at a crawl, so that a slip is reported before a crawl is made.
 * @throws {CrawlError} USAGE
 */
export function checkAudit(options: AuditOptions): void {
  chosenRules(options);
  for (const text of options.map ?? []) readMapping(text);
}

function isPageRule(rule: AuditRule): rule is PageRule {
  return 'checkPage' in rule;
}

/** Is the rule about links to other sites? */
export function isExternalRule(rule: AuditRule): boolean {
  return 'checkSite' in rule && rule.needsExternal === true;
}

function shownExternal({ url, verdict, status, sources }: ExternalFacts): ExternalLink {
  return { url, verdict, status, sources };
}

function isSignedIn({ crawl: { options } }: InspectedCrawl): boolean {
  const headers = Array.isArray(options['headers']) ? options['headers'] : [];
  return (
    options['storageState'] !== undefined ||
    options['login'] !== undefined ||
    headers.some((line) => /^(?:authorization|cookie)\s*:/i.test(String(line)))
  );
}

/** @returns rules that were not applied, because they need the whole site */
function applySiteRules(
  rules: readonly AuditRule[],
  facts: SiteFacts,
  book: FindingBook,
  faults: RuleFaults,
): readonly AuditRule[] {
  const siteRules = rules.filter((rule): rule is SiteRule => 'checkSite' in rule);
  const silent = siteRules.filter(({ needsWholeCrawl }) => needsWholeCrawl === true && !facts.isWhole);
  for (const rule of siteRules) {
    if (silent.includes(rule)) continue;
    applyRule(rule, faults, () => {
      for (const observation of rule.checkSite(facts)) book.add(rule, observation);
    });
  }
  return silent;
}

async function writeFindings(folder: string, findings: AuditResult['findings']): Promise<void> {
  await writeWholeFile(join(folder, 'findings.jsonl'), findings.map((each) => `${JSON.stringify(each)}\n`).join(''));
}
