/**
 * What of an audit's findings is accepted: a file that is written by `--update-baseline`, reviewed by people and edited by them (docs/audit-gates.md,
 * "Baselines"). Suppressions are entries of the same file.
 */
import type { ExternalVerdict } from '../../model/external-record.ts';
import type { AuditResult, Finding } from '../../model/finding.ts';
import { isThisMachine, siteAddresses, siteHosts } from './site-address.ts';
import { matchesWildcard } from './wildcard.ts';

/** One accepted finding; without an id all findings of the rule on the addresses that match. */
export interface AcceptedFinding {
  readonly id: string | null;
  readonly rule: string;
  /** Path and query of the page ({@link siteAddresses}); without an id `*` stands for any characters. */
  readonly address: string;
  /** For people. */
  readonly message: string | null;
  readonly reason: string;
  /** The last day on which it is accepted, `2027-01-31`; null for good. */
  readonly until: string | null;
}

export interface Baseline {
  /** Hosts of the site, `*` for any characters; empty where nobody says. */
  readonly site: readonly string[];
  readonly accepted: readonly AcceptedFinding[];
}

/** What became of the entries of a baseline. */
export interface BaselineComparison {
  /** False in a first run: there is no such file yet. */
  readonly found: boolean;
  /** Entries whose end has come, with their findings still there: those are new again. */
  readonly expired: readonly AcceptedFinding[];
  /** Entries without a finding, though their pages were judged. */
  readonly stale: readonly AcceptedFinding[];
  /** Entries without a finding whose pages, or rules, were not looked at: nothing is known of them. */
  readonly unseen: readonly AcceptedFinding[];
}

/** Whether a finding is accepted, and by which entry; `expired` counts as new. */
export type Standing =
  | { readonly kind: 'new' }
  | { readonly kind: 'accepted' | 'expired'; readonly entry: AcceptedFinding };

/** Verdicts on a link to another site after which a finding of before may still be true. */
const UNCERTAIN: ReadonlySet<string> = new Set<ExternalVerdict>(['blocked', 'unsure', 'not-asked']);

const NEW: Standing = { kind: 'new' };

/**
 * Holds findings against a baseline.
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

/** Of several entries for a finding, one that holds still. */
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

/** Whether an entry's rule was applied, and its page judged: only then its finding is gone. */
function lookedAt(
  { rules, pages, coverage, external = [] }: AuditResult,
  addressOf: (url: string) => string,
): (entry: AcceptedFinding) => boolean {
  const categories = new Map(rules.map(({ id, category }) => [id, category]));
  const judged = new Set(pages.filter((page) => page.judged === true).map(({ url }) => addressOf(url)));
  const uncertain = new Set(
    external
      .filter(({ verdict }) => UNCERTAIN.has(verdict))
      .flatMap(({ sources }) => sources.first.map(({ url }) => addressOf(url))),
  );
  return ({ id, rule, address }) => {
    if (rule === 'broken-external-link' && uncertain.has(address)) return false;
    const category = categories.get(rule);
    if (category === undefined) return false;
    // findings about a site as a whole (its robots.txt) lie on no page
    if (category === 'site') return coverage.judged > 0;
    if (id !== null) return judged.has(address);
    return [...judged].some((each) => matchesWildcard(address, each));
  };
}

/** The hosts of an audit that a baseline is not of; this machine stands for any site. */
export function strangeHosts({ site }: Baseline, seeds: readonly string[]): readonly string[] {
  if (site.length === 0) return [];
  return siteHosts(seeds).filter(
    (host) => !isThisMachine(host) && !site.some((pattern) => matchesWildcard(pattern, host)),
  );
}

/**
 * The baseline that accepts these findings too, sorted by rule, address and id. What is stale is left out; what was not looked at, and what has
 * expired, stays as it is: an end is moved by hand.
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
