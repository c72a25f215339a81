/** The facets of findings and of accessibility: compares the findings of audits before and now. */
import { counted } from '../base/count-words.ts';
import { AUDIT_RULES } from '../core/audit-rules/rules.ts';
import { fixedFinding, newFinding } from '../core/diff/facets.ts';
import { ruleInfo } from '../core/findings/finding-book.ts';
import type { AuditRule } from '../model/audit-rule.ts';
import type { Finding, RuleInfo } from '../model/finding.ts';
import type { ComparedSite } from './compared-site.ts';
import type { DifferenceBook } from './difference-book.ts';
import { EXTERNAL_SETTING } from './settings.ts';

/** Pages of before, as the new crawl knows them. */
interface EarlierPages {
  /** The present address of an earlier one: a finding that moved with its page is neither new nor fixed. */
  readonly addressNow: (address: string) => string;
  /** Addresses that the new crawl does not know: their findings may be fixed or not. */
  readonly unknown: ReadonlySet<string>;
  /** Addresses that the earlier crawl does not know: their findings may be new or not. */
  readonly unknownBefore: ReadonlySet<string>;
  /** Addresses of removed pages: their findings went with them, and nobody has fixed anything. */
  readonly removed: ReadonlySet<string>;
}

/** @returns notes: why findings were not compared, where they were not, and how many went or came with their pages */
export function compareFindings(
  old: ComparedSite,
  now: ComparedSite,
  { addressNow, unknown, unknownBefore, removed }: EarlierPages,
  book: DifferenceBook,
): readonly string[] {
  if (old.findings === null || now.findings === null) {
    if (old.findings === null && now.findings === null) return [];
    const which = old.findings === null ? 'before' : 'now';
    return [`the crawl of ${which} was not audited: findings are not compared`];
  }
  const rules = new Map(auditRules(old, now).map((rule) => [rule.id, rule]));
  const skips = incomparable(old, now);
  const placeOf = (rule: string, address: string): string => `${rule} ${address}`;
  const hereNow = new Set(
    [...now.findings.values()].map(({ rule, url }) => placeOf(rule, now.addresses.relative(url))),
  );
  const stillFails = failingTargets(old, now);
  let [left, unsure] = [0, 0];
  const taken = new Set<string>();
  for (const { id, rule, url } of old.findings.values()) {
    const address = old.addresses.relative(url);
    const place = addressNow(address);
    if (place !== address && !now.findings.has(id) && hereNow.has(placeOf(rule, place)))
      taken.add(placeOf(rule, address)).add(placeOf(rule, place));
  }
  for (const finding of now.findings.values()) {
    if (
      old.findings.has(finding.id) ||
      skips(finding.rule) ||
      taken.has(placeOf(finding.rule, now.addresses.relative(finding.url)))
    )
      continue;
    if (isOnlyOn(unknownBefore, finding, now)) {
      unsure += 1;
      continue;
    }
    const rule = rules.get(finding.rule) ?? strangeRule(finding);
    tell(book, newFinding(rule), finding, now.addresses.relative(finding.url), finding.url);
  }
  for (const finding of old.findings.values()) {
    const address = old.addresses.relative(finding.url);
    if (
      now.findings.has(finding.id) ||
      skips(finding.rule) ||
      isUncertain(finding, now) ||
      stillFails(finding) ||
      unknown.has(address) ||
      taken.has(placeOf(finding.rule, address))
    )
      continue;
    if (isOnlyOn(removed, finding, old)) {
      left += 1;
      continue;
    }
    const rule = rules.get(finding.rule) ?? strangeRule(finding);
    tell(book, fixedFinding(rule), finding, address, now.urlOf(address));
  }
  return [
    ...countNote(left, (is, their) => `of before went with ${their} removed pages, and ${is} not called fixed`),
    ...countNote(
      unsure,
      (is) => `of now ${is} on pages that the crawl of before did not see, and ${is} not called new`,
    ),
  ];
}

/** All rules that found something, or might have; those of axe-core as the later crawl has them. */
export function auditRules(...sites: readonly Pick<ComparedSite, 'axeRules'>[]): readonly RuleInfo[] {
  const axe = new Map(sites.flatMap(({ axeRules }) => axeRules).map((rule) => [rule.id, rule]));
  return [...AUDIT_RULES, ...axe.values()].map(ruleInfo);
}

function countNote(count: number, words: (is: string, their: string) => string): readonly string[] {
  if (count === 0) return [];
  return [`${counted(count, 'finding')} ${count === 1 ? words('is', 'its') : words('are', 'their')}`];
}

/** Was it found on these pages alone, as far as they were listed? */
function isOnlyOn(pages: ReadonlySet<string>, { sources }: Finding, { addresses }: ComparedSite): boolean {
  const { count, first } = sources;
  return count === first.length && count > 0 && first.every(({ url }) => pages.has(addresses.relative(url)));
}

/** Rules that only one of both crawls could apply, or on other pages: their findings are no change. */
export function incomparable(old: AuditedSide, now: AuditedSide): (rule: string) => boolean {
  const differs = (flag: string): boolean => old.settings.get(flag) !== now.settings.get(flag);
  const skipped = new Set([
    ...(differs('--measure') ? idsOf((rule) => rule.needsMeasurements === true) : []),
    ...(differs(EXTERNAL_SETTING) ? EXTERNAL_RULES : []),
    ...(old.isWhole && now.isWhole ? [] : WHOLE_RULES),
  ]);
  const axe = differs('--axe');
  return (rule) => skipped.has(rule) || (axe && rule.startsWith(AXE));
}

type AuditedSide = Pick<ComparedSite, 'settings' | 'isWhole'>;

function idsOf(has: (rule: AuditRule) => boolean): readonly string[] {
  return AUDIT_RULES.filter(has).map(({ id }) => id);
}

/** Rules on links to other sites. */
const EXTERNAL_RULES: ReadonlySet<string> = new Set(
  idsOf((rule) => 'checkSite' in rule && rule.needsExternal === true),
);
/** Rules that are silent where the crawl was cut. */
export const WHOLE_RULES: ReadonlySet<string> = new Set(
  idsOf((rule) => 'checkSite' in rule && rule.needsWholeCrawl === true),
);

/** May the link to another site be as it was? */
function isUncertain({ rule, target, message }: Finding, { uncertain }: ComparedSite): boolean {
  return EXTERNAL_RULES.has(rule) && uncertain.has(target ?? addressIn(message));
}

/** Rules on links whose target fails in one way or another. */
const FAILED_LINK = ['broken-link', 'link-target-failed', 'redirect-loop'] as const;
/** Rules whose finding is not fixed where one of these rules has another on the same target now. */
const FAILING: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...[...FAILED_LINK, 'redirect-chain'].map((rule) => [rule, FAILED_LINK] as const),
  ['sitemap-entry-redirects', ['sitemap-entry-failed']],
]);

/** Does the target of an earlier finding still fail, whatever failed before? */
function failingTargets(old: ComparedSite, now: ComparedSite): (finding: Finding) => boolean {
  const placeOf = (rule: string, finding: Finding, site: ComparedSite): string => `${rule} ${targetOf(finding, site)}`;
  const failing = new Set([...(now.findings?.values() ?? [])].map((finding) => placeOf(finding.rule, finding, now)));
  return (finding) => FAILING.get(finding.rule)?.some((rule) => failing.has(placeOf(rule, finding, old))) ?? false;
}

function targetOf({ target, message }: Finding, { addresses }: ComparedSite): string {
  return addresses.relative(target ?? addressIn(message));
}

/** The first address in a message: a baseline has a finding's target nowhere else. */
function addressIn(message: string): string {
  return (/(?<!\S)(?:https?:\/)?\/\S+/.exec(message)?.[0] ?? '').replace(/[,:]$/, '');
}

/** Prefix of axe-core's rules: only a crawl knows which there are. */
const AXE = 'axe-';

/** The facet that a rule's findings belong to. */
export function findingFacet(rule: string): 'accessibility' | 'findings' {
  const isKnown = AUDIT_RULES.some(({ id, category }) => id === rule && category === 'accessibility');
  return isKnown || rule.startsWith(AXE) ? 'accessibility' : 'findings';
}

function tell(
  book: DifferenceBook,
  rule: ReturnType<typeof newFinding>,
  { id, rule: audited, severity, message, evidence, sources }: Finding,
  address: string,
  url: string,
): void {
  const facet = findingFacet(audited);
  const isNew = rule.id.startsWith('new-');
  book.add(facet, rule, {
    ...{ url, address, message, evidence, thing: id, passage: id },
    ...(isNew ? { severity, sources } : { sources: { count: sources.count, first: [{ url }] } }),
  });
}

/** A rule of an extension, or of another version. */
function strangeRule({ rule: id, severity }: Finding): RuleInfo {
  return {
    id,
    severity,
    category: id.startsWith(AXE) ? 'accessibility' : 'site',
    title: id,
    why: '',
    fix: '',
    source: { name: '', url: '' },
  };
}
