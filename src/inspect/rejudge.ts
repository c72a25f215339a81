/** The scope's verdict about a URL, decided anew from the options, seeds and links that a crawl folder records. */
import { leadsToPage } from '../core/links/page-link.ts';
import { isSitemapLine, readsLikeSitemap } from '../core/links/data/robots-links.ts';
import { buildScope, type Scope } from '../core/scope/decide.ts';
import { actingRule } from '../core/sign-in/acting-link.ts';
import { signOutRule } from '../core/sign-in/sign-out-link.ts';
import type { StoredCrawl } from '../crawl-folder/stored-crawl.ts';
import { storedPages, type StoredPage, type Unread } from '../crawl-folder/stored-lines.ts';
import type { LinkRecord } from '../model/record.ts';
import { canonicalUrl, storedCanonicalUrl, type CanonicalUrl } from '../model/url/canonical-url.ts';
import { visitsAsUser, type ParsedOptions } from '../options/options.ts';
import { scopeOptionsOf } from '../options/url-options.ts';
import type { JudgedAgain } from './url-history.ts';

/** The known ways to a URL. */
interface Ways {
  readonly page: StoredPage | null;
  readonly links: readonly LinkRecord[];
}

interface Rejudge {
  /** A seed, or the target of a seed's redirect. */
  isSeed(url: string): boolean;
  judge(url: CanonicalUrl, ways: Ways): Promise<JudgedAgain>;
}

interface RejudgeNeeds {
  readonly folder: string;
  readonly crawl: StoredCrawl;
  readonly options: ParsedOptions;
  readonly unread: Unread;
}

export async function createRejudge({ folder, crawl, options, unread }: RejudgeNeeds): Promise<Rejudge> {
  const seeds = await seedsOf(folder, crawl, unread);
  const scope = buildScope(scopeOptionsOf(options), [...seeds].map(storedCanonicalUrl));
  return {
    isSeed: (url) => seeds.has(url),
    judge: async (url, { page, links }) => {
      const ways = links.filter(leadsToPage);
      const depth = seeds.has(url) ? 0 : (page?.depth ?? (await shortestWay(folder, ways, unread)));
      const candidate = {
        url,
        depth: depth ?? 1,
        redirects: 0,
        hops: scope.contains(url) ? 0 : hopsOf(ways, scope),
        isSitemap: ways.some(
          (link) => isSitemapLine(link) || link.context === 'sitemapindex/loc' || isMovedSitemap(link),
        ),
      };
      const verdict = scope.judge(candidate);
      if (verdict.kind === 'skipped') return { accepted: false, rule: verdict.rule, depth };
      const harm = visitsAsUser(options) && !seeds.has(url) ? (signOutOf(url, ways) ?? actingRule(url)) : null;
      if (harm !== null) return { accepted: false, rule: harm, depth };
      return { accepted: true, rule: whyAccepted(url, { seeds, scope, options, hops: candidate.hops }), depth };
    },
  };
}

/** The reason why a URL signs out, by its address or by the text of a link; null where there is none. */
function signOutOf(url: CanonicalUrl, links: readonly LinkRecord[]): string | null {
  for (const text of ['', ...links.map((link) => link.text)]) {
    const rule = signOutRule({ url, text });
    if (rule !== null) return rule;
  }
  return null;
}

/** The seeds, and their redirects' targets. */
async function seedsOf(folder: string, { seeds }: StoredCrawl, unread: Unread): Promise<ReadonlySet<string>> {
  const all = new Set(seeds);
  const leads = new Map<string, string>();
  for await (const page of storedPages(folder, '"outcome":"redirected"', unread)) {
    if (page.outcome === 'redirected' && page.depth === 0) leads.set(page.url, page.finalUrl);
  }
  for (const seed of all) {
    const target = canonicalUrl(leads.get(seed) ?? '');
    if (target !== null) all.add(target);
  }
  return all;
}

/** The fewest links from a seed; null where no page that links to it was recorded. */
async function shortestWay(folder: string, ways: readonly LinkRecord[], unread: Unread): Promise<number | null> {
  const steps = new Map<string, number>();
  for (const link of ways) steps.set(link.from, Math.min(steps.get(link.from) ?? 1, isNoStep(link) ? 0 : 1));
  if (steps.size === 0) return null;
  let least: number | null = null;
  for await (const page of storedPages(folder, '', unread)) {
    const step = steps.get(page.url);
    if (step !== undefined) least = Math.min(least ?? Number.POSITIVE_INFINITY, page.depth + step);
  }
  return least;
}

/** Does the link add no step? A redirect does not, nor a sitemap that a host's robots.txt names. */
function isNoStep(link: LinkRecord): boolean {
  return link.kind === 'redirect' || isSitemapLine(link);
}

/** As the crawl judged it, as far as the line shows. */
function isMovedSitemap({ kind, from, to }: LinkRecord): boolean {
  return kind === 'redirect' && readsLikeSitemap(from) && readsLikeSitemap(to);
}

/** Links beyond the scope: 1 where a page in scope links to it, or no page does; 2 or more otherwise, as far as lines show. */
function hopsOf(ways: readonly LinkRecord[], scope: Scope): number {
  if (ways.length === 0) return 1;
  const fromWithin = ways.some(({ from }) => {
    const url = canonicalUrl(from);
    return url !== null && scope.contains(url);
  });
  return fromWithin ? 1 : 2;
}

interface Accepted {
  readonly seeds: ReadonlySet<string>;
  readonly scope: Scope;
  readonly options: ParsedOptions;
  readonly hops: number;
}

function whyAccepted(url: CanonicalUrl, { seeds, scope, options, hops }: Accepted): string {
  if (seeds.has(url)) return 'it is a seed, or a seed redirects to it';
  const { include, extraHops } = options;
  const matches = include.length === 0 ? '' : ` and matches an --include`;
  if (scope.contains(url)) return `it lies in the scope (${options.scope})${matches}`;
  return `${hops === 1 ? '1 link' : `${hops} links`} beyond the scope, of ${extraHops} that --extra-hops allows${matches}`;
}
