/**
 * The accepted findings of an audit: a file that `--update-baseline` writes, and that people review and edit (docs/audit-gates.md,
 * "Baselines"). Suppressions are entries of the same file.
 */
import { UNCERTAIN_VERDICTS } from '../../model/external-record.ts';
import type { AuditResult, Finding } from '../../model/finding.ts';
import { isThisMachine, siteAddresses, siteHosts } from './site-address.ts';
import { matchesWildcard } from './wildcard.ts';

/** One accepted finding; without an id all findings of the rule on the addresses that match. */
export interface AcceptedFinding {
  readonly id: string | null;
  readonly rule: string;
  /** Path and query of the page ({@link siteAddresses}); without an id `*` stands for any characters. */
  readonly address: string;
  /** Message for people. */
  readonly message: string | null;
  readonly reason: string;
  /** The last day on which it is accepted, `2027-01-31`; null for good. */
  readonly until: string | null;
}

export interface Baseline {
  /** Hosts of the site, `*` for any characters; empty where it is not said. */
  readonly site: readonly string[];
  readonly accepted: readonly AcceptedFinding[];
}

/** Outcome of a comparison for the entries of a baseline. */
export interface BaselineComparison {
  /** False in a first run: there is no such file yet. */
  readonly found: boolean;
  /** Expired entries whose findings are still there: those are new again. */
  readonly expired: readonly AcceptedFinding[];
  /** Entries without a finding, though their pages were judged. */
  readonly stale: readonly AcceptedFinding[];
  /** Entries without a finding whose pages, or rules, were not looked at: nothing is known of them. */
  readonly unseen: readonly AcceptedFinding[];
}

/** State of a finding, with the entry that accepts or accepted it; `expired` counts as new. */
export type Standing =
  | { readonly kind: 'new' }
  | { readonly kind: 'accepted' | 'expired'; readonly entry: AcceptedFinding };

const NEW: Standing = { kind: 'new' };

/**
 * Compares findings with a baseline.
 * @param baseline null in a first run
 * @param today `2026-11-23`, in the time zone that entries end in (UTC)
 */
export function compareWithBaseline(
  result: AuditResult,
  baseline: Baseline | null,
  today: string,
): { readonly standings: ReadonlyMap<string, Standing>; readonly comparison: BaselineComparison } {
  const addressOf = siteAddresses(result.seeds);
  const entries = baseline?.accepted ?? [];
  const byId = new Map(entries.flatMap((entry) => (entry.id === null ? [] : [[entry.id, entry] as const])));
  const patterns = entries.filter(({ id }) => id === null);
  const used = new Set<AcceptedFinding>();
  const standings = new Map<string, Standing>();
  for (const finding of result.findings) {
    const standing = standingOf(finding, addressOf(finding.url), { byId, patterns, today });
    if (standing.kind !== 'new') used.add(standing.entry);
    standings.set(finding.id, standing);
  }
  const unused = entries.filter((entry) => !used.has(entry));
  const isSeen = lookedAt(result, addressOf);
  return {
    standings,
    comparison: {
      found: baseline !== null,
      expired: [...used].filter((entry) => isOver(entry, today)),
      stale: unused.filter(isSeen),
      unseen: unused.filter((entry) => !isSeen(entry)),
    },
  };
}

interface Entries {
  readonly byId: ReadonlyMap<string, AcceptedFinding>;
  readonly patterns: readonly AcceptedFinding[];
  readonly today: string;
}

/** Prefers an entry that is still valid, if a finding has several. */
function standingOf(finding: Finding, address: string, { byId, patterns, today }: Entries): Standing {
  const own = byId.get(finding.id);
  const matching = patterns.filter((entry) => entry.rule === finding.rule && matchesWildcard(entry.address, address));
  const all = own === undefined ? matching : [own, ...matching];
  const valid = all.find((entry) => !isOver(entry, today));
  if (valid !== undefined) return { kind: 'accepted', entry: valid };
  const [over] = all;
  return over === undefined ? NEW : { kind: 'expired', entry: over };
}

/** Dates of this form sort as texts. */
function isOver({ until }: AcceptedFinding, today: string): boolean {
  return until !== null && until < today;
}

/** Tests whether an entry's rule was applied, and its page judged: only then a missing finding is gone. */
function lookedAt(
  { rules, silent = [], pages, coverage, external = [] }: AuditResult,
  addressOf: (url: string) => string,
): (entry: AcceptedFinding) => boolean {
  const categories = new Map(rules.map(({ id, category }) => [id, category]));
  const judged = new Set(pages.filter((page) => page.judged === true).map(({ url }) => addressOf(url)));
  const uncertain = new Set(
    external
      .filter(({ verdict }) => UNCERTAIN_VERDICTS.has(verdict))
      .flatMap(({ sources }) => sources.first.map(({ url }) => addressOf(url))),
  );
  return ({ id, rule, address }) => {
    if (rule === 'broken-external-link' && uncertain.has(address)) return false;
    const category = categories.get(rule);
    if (category === undefined || silent.includes(rule)) return false;
    // findings about a site as a whole (its robots.txt) lie on no page
    if (category === 'site') return coverage.judged > 0;
    if (id !== null) return judged.has(address);
    return [...judged].some((each) => matchesWildcard(address, each));
  };
}

/** The hosts of an audit that do not belong to the baseline's site; this machine stands for any site. */
export function strangeHosts({ site }: Baseline, seeds: readonly string[]): readonly string[] {
  if (site.length === 0) return [];
  return siteHosts(seeds).filter(
    (host) => !isThisMachine(host) && !site.some((pattern) => matchesWildcard(pattern, host)),
  );
}

/**
 * The baseline that accepts these findings too, sorted by rule, address and id. Stale entries are left out; unseen and expired ones stay as
 * they are: an end is moved by hand.
 */
export function updatedBaseline(
  before: Baseline | null,
  { seeds }: Pick<AuditResult, 'seeds'>,
  comparison: BaselineComparison,
  added: { readonly findings: readonly Finding[]; readonly reason: string },
): Baseline {
  const addressOf = siteAddresses(seeds);
  const stale = new Set(comparison.stale);
  const kept = (before?.accepted ?? []).filter((entry) => !stale.has(entry));
  const fresh = added.findings.map(({ id, rule, url, message }) => ({
    id,
    rule,
    address: addressOf(url),
    message,
    reason: added.reason,
    until: null,
  }));
  return { site: before?.site ?? siteHosts(seeds), accepted: [...kept, ...fresh].toSorted(byPlace) };
}

function byPlace(one: AcceptedFinding, other: AcceptedFinding): number {
  return (
    compareTexts(one.rule, other.rule) ||
    compareTexts(one.address, other.address) ||
    compareTexts(one.id ?? '', other.id ?? '')
  );
}

/** By code units: the same on every machine. */
function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
