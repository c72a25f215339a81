/** The facets of findings and of accessibility: compares the findings of audits before and now. */
import { AUDIT_RULES } from '../core/audit-rules/rules.ts';
import { fixedFinding, newFinding } from '../core/diff/facets.ts';
import { ruleInfo } from '../core/findings/finding-book.ts';
import type { AuditRule } from '../model/audit-rule.ts';
import type { Finding, RuleInfo } from '../model/finding.ts';
import type { ComparedSite } from './compared-site.ts';
import type { DifferenceBook } from './difference-book.ts';
import { EXTERNAL_SETTING } from './settings.ts';

/**
 * @param addressNow the present address of an earlier one: a finding that moved with its page is neither new nor fixed
 * @param unknown addresses that the new crawl does not know: their findings may be fixed or not
 * @returns why findings were not compared, where they were not
 */
export function compareFindings(
  old: ComparedSite,
  now: ComparedSite,
  unknown: ReadonlySet<string>,
  addressNow: (address: string) => string,
  book: DifferenceBook,
): readonly string[] {
  if (old.findings === null || now.findings === null) {
    if (old.findings === null && now.findings === null) return [];
    const which = old.findings === null ? 'before' : 'now';
    return [`the crawl of ${which} was not audited: findings are not compared`];
  }
  const rules = new Map(AUDIT_RULES.map((rule) => [rule.id, ruleInfo(rule)]));
  const skips = incomparable(old, now);
  const placeOf = (rule: string, address: string): string => `${rule} ${address}`;
  const hereNow = new Set(
    [...now.findings.values()].map(({ rule, url }) => placeOf(rule, now.addresses.relative(url))),
  );
  const failing = failingTargets(now);
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
    const rule = rules.get(finding.rule) ?? strangeRule(finding);
    tell(book, newFinding(rule), finding, now.addresses.relative(finding.url), finding.url);
  }
  for (const finding of old.findings.values()) {
    const address = old.addresses.relative(finding.url);
    if (
      now.findings.has(finding.id) ||
      skips(finding.rule) ||
      isUncertain(finding, now) ||
      (FAILING.has(finding.rule) && failing.has(targetOf(finding, old))) ||
      unknown.has(address) ||
      taken.has(placeOf(finding.rule, address))
    )
      continue;
    const rule = rules.get(finding.rule) ?? strangeRule(finding);
    tell(book, fixedFinding(rule), finding, address, now.urlOf(address));
  }
  return [];
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
const FAILING: ReadonlySet<string> = new Set(['broken-link', 'link-target-failed', 'redirect-loop']);

/** Addresses that links lead to and that fail: a link to one of them is not fixed, whatever failed before. */
function failingTargets(now: ComparedSite): ReadonlySet<string> {
  const failing = [...(now.findings?.values() ?? [])].filter(({ rule }) => FAILING.has(rule));
  return new Set(failing.map((finding) => targetOf(finding, now)));
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
