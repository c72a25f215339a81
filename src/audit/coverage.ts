/** The coverage of an audit: the pages that it looked at, and those that it did not. */
import type { StoredCrawl } from '../crawl-folder/stored-crawl.ts';
import type { AuditCoverage, AuditedPage, NotJudgedReason, PaintCoverage } from '../model/finding.ts';
import type { Measurements } from '../model/paint.ts';
import type { SkipReason } from '../model/record.ts';
import type { AxeCount } from './axe-count.ts';
import type { AuditRecord } from './crawl-records.ts';

interface CoverageSources {
  readonly crawl: StoredCrawl;
  readonly records: Iterable<AuditRecord>;
  /** All pages but redirects and files. */
  readonly pages: readonly AuditedPage[];
  /** URLs that were seen and not visited, but for those that only guesses name. */
  readonly skipped: ReadonlyMap<SkipReason, number>;
  /** Null where the crawl did not ask axe-core. */
  readonly axe: AxeCount | null;
  /** Null where nothing was measured. */
  readonly measurements: Measurements | null;
}

/** Pages that are named as examples of each reason. */
const EXAMPLES = 5;

/** Why URLs of the site were not visited, in words; other reasons to skip concern no pages of the site, or pages by another address. */
const UNSEEN: Readonly<Partial<Record<SkipReason, (count: number) => string>>> = {
  'disallowed-by-robots': (count) => `robots.txt forbids ${urls(count)}`,
  depth: (count) => `${urls(count)} beyond --depth`,
  limit: (count) => `${urls(count)} beyond what is read of sitemaps`,
  'host-limit': (count) => `${urls(count)} beyond --host-limit`,
  trap: (count) => `${urls(count)} in what looks like a space without end`,
  nofollow: (count) => `${urls(count)} linked with nofollow only`,
  duplicate: (count) => `${urls(count)} linked from duplicates only`,
};
/** Skips that cut a crawl: the pages behind them are unknown. */
const CUTS: readonly SkipReason[] = ['depth', 'limit', 'host-limit', 'trap'];

export function coverageOf({ crawl, records, pages, skipped, axe, measurements }: CoverageSources): AuditCoverage {
  let [seen, redirected, files] = [0, 0, 0];
  for (const record of records) {
    if (!isNamed(record)) continue;
    seen += 1;
    if (record.outcome === 'redirected') redirected += 1;
    if (record.outcome === 'not-html') files += 1;
  }
  const notJudged: Partial<Record<NotJudgedReason, number>> = {};
  const examples: { readonly url: string; readonly reason: NotJudgedReason }[] = [];
  for (const { url, judged: reason } of pages) {
    if (reason === true) continue;
    const count = notJudged[reason] ?? 0;
    notJudged[reason] = count + 1;
    if (count < EXAMPLES) examples.push({ url, reason });
  }
  const unseen = [...skipped].filter(([reason]) => UNSEEN[reason] !== undefined);
  const queued = crawl.totals?.queued ?? 0;
  return {
    expected: seen + queued + unseen.reduce((sum, [, count]) => sum + count, 0),
    seen,
    redirected,
    files,
    judged: pages.filter(({ judged }) => judged === true).length,
    notJudged,
    notJudgedPages: examples,
    limits: [...endWords(crawl, queued), ...unseen.map(([reason, count]) => UNSEEN[reason]?.(count) ?? '')],
    ...(axe === null ? {} : { accessibility: axe.coverage() }),
    ...(measurements === null ? {} : { paint: paintCoverage(measurements) }),
  };
}

function paintCoverage({ loads, machine, pages, left }: Measurements): PaintCoverage {
  const measured = pages.filter(({ median }) => median !== null).length;
  return { measured, failed: pages.length - measured, left, loads, cores: machine.cores, load: machine.load };
}

/** Is the address named, or a page? An address that only a guess named, and that is no page, is not missing from the site. */
export function isNamed({ confidence, outcome }: AuditRecord): boolean {
  return confidence === 'high' || outcome === 'captured' || outcome === 'not-html';
}

/** Has the crawl seen the whole site? */
export function isWhole({ state, end }: StoredCrawl, skipped: ReadonlyMap<SkipReason, number>): boolean {
  return state === 'finished' && end === 'all-visited' && !CUTS.some((reason) => skipped.has(reason));
}

function endWords({ state, end }: StoredCrawl, queued: number): readonly string[] {
  if (state === 'finished' && end === 'all-visited') return [];
  const left = queued === 0 ? '' : `: ${urls(queued)} ${queued === 1 ? 'was' : 'were'} not visited`;
  if (state === 'running') return ['the crawl is still running, or was killed'];
  return [`the crawl ended early (${end ?? state})${left}`];
}

function urls(count: number): string {
  return count === 1 ? '1 URL' : `${count} URLs`;
}
