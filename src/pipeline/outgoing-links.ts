/** Judges the links of a page: some are offered to the frontier, some skipped with a reason, some are parts of the page. */
import { setImmediate } from 'node:timers/promises';
import { decodedText } from '../base/decode-text.ts';
import type { KnownTargets } from '../core/links/known-targets.ts';
import { leadsToPage } from '../core/links/page-link.ts';
import { resolveLink } from '../core/links/resolve.ts';
import { isSitemapLine, readsLikeSitemap } from '../core/links/data/robots-links.ts';
import { resolveSubresource } from '../core/links/subresource.ts';
import type { Scope } from '../core/scope/decide.ts';
import { actingRule } from '../core/sign-in/acting-link.ts';
import { signOutRule } from '../core/sign-in/sign-out-link.ts';
import type { FoundLink } from '../model/link.ts';
import type { LinkRecord, SkippedRecord } from '../model/record.ts';
import type { CanonicalUrl, UrlPolicy } from '../model/url/canonical-url.ts';
import type { CommittedLink } from '../model/visit-commit.ts';
import type { Visit } from '../model/visit.ts';
import { isSeedVisit } from './seed-visit.ts';
import { HELD_RULE, refusalOfEntry, type SitemapBook } from './sitemap-book.ts';

export interface LinkJudgement {
  /** URL of the page with the links, after its scripts ran. */
  readonly page: string;
  readonly scope: Scope;
  readonly urlPolicy: UrlPolicy;
  /** The page or its server forbids following its links. */
  readonly pageNofollow: boolean;
  /** Are rel=nofollow and the page's nofollow respected? */
  readonly respectNofollow: boolean;
  /** Are links that sign out, or that change something by a visit, not followed? Left out: they are followed. */
  readonly visitsAsUser?: boolean;
  /** The crawl's sitemaps, and what each may name. */
  readonly sitemaps: SitemapBook;
  /** Cache of targets of earlier pages; left out for none. */
  readonly knownTargets?: KnownTargets;
}

/**
 * Judgement parameters for the links of one page. The fields are named one by one: the caller has many more, and copying them all per page costs
 * more than judging a link.
 */
export function judgementOf(
  page: Pick<LinkJudgement, 'page' | 'pageNofollow'>,
  known: Omit<LinkJudgement, 'page' | 'pageNofollow'>,
): LinkJudgement {
  const { scope, urlPolicy, respectNofollow, visitsAsUser = false, sitemaps, knownTargets } = known;
  const { page: url, pageNofollow } = page;
  const judgement = { page: url, pageNofollow, scope, urlPolicy, respectNofollow, visitsAsUser, sitemaps };
  return knownTargets === undefined ? judgement : { ...judgement, knownTargets };
}

/** Rules shown for links that the site asks not to follow: the link itself, or its page. */
export const NOFOLLOW_RULES = {
  link: 'rel=nofollow',
  page: 'the page forbids to follow its links (robots nofollow)',
} as const;

/** Links judged before the event loop gets a turn: a sitemap names 50,000, and one link costs up to 50 µs. */
const AT_ONCE = 500;

/** Judges the found links of one visit; of links that are equal once their targets are known, one is kept. */
export async function outgoingLinks(
  visit: Visit,
  foundLinks: readonly FoundLink[],
  judgement: LinkJudgement,
): Promise<readonly CommittedLink[]> {
  const distinct = new DistinctLinks();
  for (const [index, foundLink] of foundLinks.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await setImmediate();
    const link = leadsToPage(foundLink) ? judge(visit, foundLink, judgement) : part(visit, foundLink, judgement);
    if (link !== null) distinct.add(link);
  }
  return judgement.visitsAsUser === true ? withoutSignOuts(distinct.links) : distinct.links;
}

/** Keeps the first of equal links. If that is not followed because of nofollow, the first one that is followed takes its place. */
class DistinctLinks {
  readonly links: CommittedLink[] = [];
  /** Place of the first link to each URL; null where the identities of all links to it are known. */
  readonly #first = new Map<string, number | null>();
  readonly #places = new Map<string, number>();

  add(link: CommittedLink): void {
    const place = this.#placeOf(link.record);
    const kept = this.links[place];
    if (kept === undefined) this.links.push(link);
    else if (isNofollow(kept.target) && link.target.kind === 'candidate') this.links[place] = link;
  }

  /**
   * The place of the link that equals it; the next place where none does. Most targets are linked once per page: full identities
   * are compared only for the others.
   */
  #placeOf(record: CommittedLink['record']): number {
    const next = this.links.length;
    const before = this.#first.get(record.to);
    if (before === undefined) {
      this.#first.set(record.to, next);
      return next;
    }
    const first = before === null ? undefined : this.links[before];
    if (before !== null && first !== undefined) {
      this.#places.set(identityOf(first.record), before);
      this.#first.set(record.to, null);
    }
    const identity = identityOf(record);
    const known = this.#places.get(identity);
    if (known === undefined) this.#places.set(identity, next);
    return known ?? next;
  }
}

function isNofollow(target: CommittedLink['target']): boolean {
  return target.kind === 'skipped' && target.record.reason === 'nofollow';
}

/** If one of several links to a URL says that it signs out, the others do not lead to a visit either. */
function withoutSignOuts(links: readonly CommittedLink[]): readonly CommittedLink[] {
  const signOuts = new Map<string, CommittedLink['target']>();
  for (const { record, target } of links)
    if (target.kind === 'skipped' && target.record.reason === 'signs-out') signOuts.set(record.to, target);
  if (signOuts.size === 0) return links;
  return links.map((link) =>
    link.target.kind === 'candidate' ? { ...link, target: signOuts.get(link.record.to) ?? link.target } : link,
  );
}

/** U+0000 separates the fields: URLs cannot contain it, and in other texts it could only merge two similar lines. */
function identityOf({ to, kind, context, stage, frame, text }: CommittedLink['record']): string {
  return `${to}\0${kind}\0${context}\0${stage}\0${frame ?? ''}\0${text}`;
}

function part(visit: Visit, foundLink: FoundLink, { urlPolicy, page }: LinkJudgement): CommittedLink | null {
  const to = resolveSubresource(foundLink, urlPolicy, page);
  return to === null ? null : { record: recordOf(visit, foundLink, to), target: { kind: 'subresource' } };
}

function judge(visit: Visit, foundLink: FoundLink, judgement: LinkJudgement): CommittedLink | null {
  // an address written into the history by a script becomes the page's own, and still leads somewhere
  const page = foundLink.kind === 'history' || foundLink.kind === 'navigation' ? visit.url : judgement.page;
  const { knownTargets, urlPolicy } = judgement;
  const known = knownTargets?.get(foundLink, urlPolicy);
  if (known !== undefined) return leading(visit, foundLink, known, judgement);
  const resolved = resolveLink(foundLink, urlPolicy, page);
  switch (resolved.kind) {
    case 'same-page':
      return null;
    case 'skipped':
      return {
        record: recordOf(visit, foundLink, resolved.href),
        target: skipped(visit, { url: resolved.href, reason: resolved.reason, rule: resolved.rule }),
      };
    case 'link': {
      const { to } = resolved.link;
      knownTargets?.keep(foundLink, to, urlPolicy);
      return leading(visit, foundLink, to, judgement);
    }
  }
}

function leading(visit: Visit, foundLink: FoundLink, to: CanonicalUrl, judgement: LinkJudgement): CommittedLink | null {
  const isHere = foundLink.kind !== 'redirect' && isSamePlace(to, visit.url);
  if (isHere && foundLink.kind === 'history') return null; // the page only recorded its own address
  if (foundLink.kind === 'text' && foundLink.confidence === 'low' && isOwnPath(to, visit.url)) return null;
  // `<a href="#/">` is an edge, but leads to no other page
  const target = targetOf(visit, foundLink, isHere ? visit.url : to, judgement);
  return target === null ? null : { record: recordOf(visit, foundLink, to), target };
}

/** @returns null for a sitemap entry beyond all limits: it is only counted */
function targetOf(
  visit: Visit,
  foundLink: FoundLink,
  to: CanonicalUrl,
  judgement: LinkJudgement,
): CommittedLink['target'] | null {
  const refusal = refusalOfEntry(visit, foundLink, to, judgement.sitemaps);
  if (refusal?.isUnlisted === true) return null;
  if (refusal !== null) return skipped(visit, { url: to, reason: refusal.reason, rule: refusal.rule });
  const candidate = {
    url: to,
    depth: isOfHost(foundLink) ? visit.depth : visit.depth + 1,
    redirects: foundLink.kind === 'redirect' ? visit.redirects + 1 : 0,
    hops: judgement.scope.contains(to) ? 0 : Math.max(1, visit.hops + (foundLink.kind === 'redirect' ? 0 : 1)),
    referrer: visit.url,
    kind: foundLink.kind,
    confidence: isGuess(visit, foundLink) ? 'low' : 'high',
  } as const;
  const leadsToSitemap = isSitemap(foundLink) || isMovedSitemap(visit, foundLink, to, judgement.sitemaps);
  const verdict = judgement.scope.judge(leadsToSitemap ? { ...candidate, isSitemap: true } : candidate);
  if (verdict.kind === 'accepted' && judgement.visitsAsUser === true) {
    const rule = signOutRule({ url: to, text: foundLink.text });
    if (rule !== null) return skipped(visit, { url: to, reason: 'signs-out', rule });
    const act = actingRule(to);
    if (act !== null) return skipped(visit, { url: to, reason: 'acts', rule: act });
  }
  // links out of scope are not followed anyway
  if (verdict.kind === 'accepted' && judgement.respectNofollow) {
    if (judgement.pageNofollow) return skipped(visit, { url: to, reason: 'nofollow', rule: NOFOLLOW_RULES.page });
    if (foundLink.rel.includes('nofollow'))
      return skipped(visit, { url: to, reason: 'nofollow', rule: NOFOLLOW_RULES.link });
  }
  if (verdict.kind === 'accepted' && isSitemap(foundLink) && !judgement.sitemaps.admits(candidate)) {
    return { ...skipped(visit, { url: to, reason: 'limit', rule: HELD_RULE }), soFar: true };
  }
  if (verdict.kind === 'accepted') return { kind: 'candidate', candidate };
  const unfollowed = skipped(visit, { url: to, reason: verdict.reason, rule: verdict.rule });
  // the redirect of another seed may still bring it into the scope
  const mayComeIn = verdict.reason === 'out-of-scope' && candidate.hops > 0 && isSeedVisit(visit, judgement.sitemaps);
  return mayComeIn ? { ...unfollowed, soFar: true } : unfollowed;
}

/**
 * Is a link a guess? All links of a guessed page are, except sitemap and robots entries: a host that answers any address with a page of links
 * would otherwise turn all of them into real ones. A sitemap is its site's own list, however it was found.
 */
function isGuess(visit: Visit, { kind, confidence }: FoundLink): boolean {
  if (confidence === 'low') return true;
  return visit.confidence === 'low' && kind !== 'sitemap' && kind !== 'robots';
}

/** Redirects and lists of a host's pages add no depth: the pages count from where the host was found. */
function isOfHost(foundLink: FoundLink): boolean {
  return foundLink.kind === 'redirect' || isSitemap(foundLink);
}

function isSitemap(foundLink: FoundLink): boolean {
  return isSitemapLine(foundLink) || foundLink.context === 'sitemapindex/loc';
}

/** Does a sitemap redirect to what may be one, too? */
function isMovedSitemap(visit: Visit, { kind }: FoundLink, to: CanonicalUrl, sitemaps: SitemapBook): boolean {
  return kind === 'redirect' && sitemaps.placeOf(visit.url) !== null && readsLikeSitemap(to);
}

function skipped(
  visit: Visit,
  record: Omit<SkippedRecord, 'referrer'>,
): Extract<CommittedLink['target'], { readonly kind: 'skipped' }> {
  return { kind: 'skipped', record: { ...record, referrer: visit.url } };
}

function recordOf(visit: Visit, foundLink: FoundLink, to: string): Omit<LinkRecord, 'new'> {
  return {
    from: visit.url,
    to,
    href: foundLink.href,
    kind: foundLink.kind,
    confidence: foundLink.confidence,
    context: foundLink.context,
    stage: foundLink.stage,
    frame: foundLink.frame,
    text: foundLink.text,
    rel: foundLink.rel,
  };
}

/** What stands in a path behind the end of a path that was read in a text: the closing slash, or a sign at which readers end it. */
const CUT = /^(?:\/?$|%(?:20|22|27|3[CE]|5[CE]|60|7[BCD])|['(){};])/;

/** Is a path in a text the page's own, as "Index of /files/a" above the listing of `/files/a/` or of `/files/a b/`? */
function isOwnPath(to: CanonicalUrl, page: CanonicalUrl): boolean {
  const [own = ''] = page.split(/[?#]/, 1);
  return isBeginningOf(to, own) || isMisread(to, own);
}

function isBeginningOf(to: string, own: string): boolean {
  return own.length > to.length && own.startsWith(to) && CUT.test(own.slice(to.length));
}

/** "Index of /files/Ã¼ber": listings of servers that name no encoding show the octets of a name, and readers take them for windows-1252. */
function isMisread(to: string, own: string): boolean {
  const misread = own.replaceAll(/(?:%[89A-F][0-9A-F])+/g, (octets) =>
    encodeURIComponent(decodedText(Buffer.from(octets.replaceAll('%', ''), 'hex'), 'windows-1252')),
  );
  return misread !== own && (misread === to || isBeginningOf(to, misread));
}

/** Do two URLs name the same page? A hash router's start `#/` is the page without a fragment. */
function isSamePlace(one: string, other: string): boolean {
  const place = (url: string): string => (url.includes('#') ? url.replace(/#!?\/?$/, '') : url);
  return place(one) === place(other);
}
