/**
 * Links from a host's robots.txt: its sitemaps, and the paths of its rules. Those paths are low-confidence links if they may be
 * visited, and skipped if not, or if they are no pages by their names. If it names no sitemap, a probe may look for one at the usual place.
 */
import { fileLink } from '../core/links/discoverer.ts';
import { RULE_LINE, SITEMAP_LINE } from '../core/links/data/robots-links.ts';
import { actsByName } from '../core/links/texts/reference-text.ts';
import { isAssetName } from '../core/links/texts/url-text.ts';
import type { Candidate } from '../model/candidate.ts';
import type { SkippedRecord } from '../model/record.ts';
import type { RobotsNames } from '../model/robots-names.ts';
import { storedCanonicalUrl, type CanonicalUrl } from '../model/url/canonical-url.ts';
import type { CommittedLink } from '../model/visit-commit.ts';
import type { Visit } from '../model/visit.ts';
import { judgementOf, outgoingLinks, type LinkJudgement } from './outgoing-links.ts';
import { HOST_BOUNDS } from './sitemap-budget.ts';

export interface RobotsNaming extends Omit<LinkJudgement, 'page' | 'pageNofollow'> {
  /** Are sitemaps named by robots.txt, and that at the usual place, read? */
  readonly readSitemaps: boolean;
  /** The line of robots.txt that forbids a URL, as far as its host's robots.txt has been read; null where none does. */
  readonly forbiddenBy: (url: CanonicalUrl) => string | null;
  /** Queues a URL that no page names. */
  readonly queueProbe: (probe: Candidate) => Promise<void>;
}

/** Usual path of a sitemap that is not named anywhere (not in sitemaps.org, but common). */
export const USUAL_PLACE = '/sitemap.xml';

/** @param visit the visit for which robots.txt was read: the links are recorded as those of its page */
export async function robotsLinks(
  visit: Visit,
  names: RobotsNames,
  naming: RobotsNaming,
): Promise<readonly CommittedLink[]> {
  const judgement = judgementOf({ page: visit.url, pageNofollow: false }, naming);
  const file = `${visit.host}/robots.txt`;
  const paths = names.paths.map(({ path, allow }) =>
    fileLink(path, file, {
      kind: 'robots',
      context: allow ? RULE_LINE.allow : RULE_LINE.disallow,
      confidence: 'low', // a rule is a path prefix: perhaps a page, perhaps a part of a name
    }),
  );
  const rules = (await outgoingLinks(visit, paths, judgement)).map((link) => unlessNoPage(visit, link, naming));
  if (!naming.readSitemaps) return rules;
  const sitemaps = names.sitemaps
    .slice(0, HOST_BOUNDS.files)
    .map((href) => fileLink(href, file, { kind: 'robots', context: SITEMAP_LINE }));
  return [...rules, ...(await outgoingLinks(visit, sitemaps, judgement))];
}

/** Not what is forbidden, nor what is no page: WordPress' own robots.txt allows `/wp-admin/admin-ajax.php`, for programs. */
function unlessNoPage(visit: Visit, link: CommittedLink, naming: RobotsNaming): CommittedLink {
  if (link.target.kind !== 'candidate') return link;
  const { url } = link.target.candidate;
  const skipped = (reason: SkippedRecord['reason'], rule: string) =>
    ({ kind: 'skipped', record: { url, reason, rule, referrer: visit.url } }) as const;
  const rule = naming.forbiddenBy(url);
  if (rule !== null) return { ...link, target: skipped('disallowed-by-robots', rule) };
  const why = whyNoPage(link.record.href);
  // a link of a page may still lead there
  return why === null ? link : { ...link, target: { ...skipped('low-confidence', why), soFar: true } };
}

function whyNoPage(path: string): string | null {
  if (actsByName(path)) return 'robots.txt names it, and it reads like an action or an address of a program';
  return isAssetName(path) ? 'robots.txt names it, and it reads like a file that pages are made of' : null;
}

/** Queues a probe for a sitemap at the usual place, if sitemaps are read. */
export async function askUsualPlace(visit: Visit, naming: RobotsNaming): Promise<void> {
  if (!naming.readSitemaps) return;
  const url = storedCanonicalUrl(`${visit.host}${USUAL_PLACE}`);
  await askForSitemap({ url, depth: visit.depth, redirects: 0, hops: visit.hops, referrer: visit.url }, naming);
}

/** Queues a probe of a possible sitemap, unless scope or robots.txt forbids it. A known URL stays what it is. */
export async function askForSitemap(
  place: Omit<Candidate, 'kind' | 'confidence'>,
  { scope, forbiddenBy, queueProbe }: Pick<RobotsNaming, 'scope' | 'forbiddenBy' | 'queueProbe'>,
): Promise<boolean> {
  const hops = scope.contains(place.url) ? 0 : Math.max(1, place.hops);
  const candidate = { ...place, hops, kind: 'probe', confidence: 'high' } as const;
  if (scope.judge({ ...candidate, isSitemap: true }).kind !== 'accepted' || forbiddenBy(place.url) !== null)
    return false;
  await queueProbe(candidate);
  return true;
}
