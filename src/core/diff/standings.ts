/**
 * The fate of each address between two crawls. A page is removed only if the new crawl would have seen it: a page that a limit, robots.txt,
 * a failure or the end of the crawl kept back is `unseen`, with the reason.
 */
import type { PageVersion } from '../../model/page-version.ts';
import type { SkipReason } from '../../model/record.ts';

/** A crawl's knowledge of the site's addresses. */
export interface SiteAddressBook {
  readonly pages: ReadonlyMap<string, PageVersion>;
  readonly skipped: ReadonlyMap<string, SkipReason>;
  /** Links of a page that lead to pages, hints among them; null where unknown. */
  linksOf(address: string): readonly string[] | null;
  /** Does any page name it? */
  isNamed(address: string): boolean;
  /** The crawl finished, and held nothing back. */
  readonly isWhole: boolean;
  /** Why it did not see everything, in words. */
  readonly cut: string;
}

/** Reason why it is unknown whether an address still exists. */
export type Unseen = SkipReason | 'failed' | 'cut' | 'beyond';

interface Standings {
  /** Addresses that both crawls visited. */
  readonly pairs: readonly (readonly [old: PageVersion, now: PageVersion])[];
  /** Pages that the other crawl would have seen, but did not; with its answer where it asked. */
  readonly gone: readonly { readonly page: PageVersion; readonly answer: PageVersion | null }[];
  readonly come: readonly PageVersion[];
  /** Pages that could not be fetched this time. */
  readonly failed: readonly (readonly [old: PageVersion, now: PageVersion])[];
  /** Unseen addresses: of the old crawl in the new one, and the reverse. */
  readonly unseenNow: ReadonlyMap<string, Unseen>;
  readonly unseenBefore: ReadonlyMap<string, Unseen>;
}

/** @param sameReach both crawls could find the same pages: no option of theirs says otherwise */
export function standingsOf(old: SiteAddressBook, now: SiteAddressBook, sameReach: boolean): Standings {
  const pairs: (readonly [PageVersion, PageVersion])[] = [];
  const gone: { page: PageVersion; answer: PageVersion | null }[] = [];
  const failed: (readonly [PageVersion, PageVersion])[] = [];
  const missingNow = new Set<string>();
  for (const [address, page] of old.pages) {
    const answer = now.pages.get(address);
    if (answer === undefined) missingNow.add(address);
    else if (isPage(page) && isRemoved(answer)) gone.push({ page, answer });
    else if (isPage(page) && isFailed(answer)) failed.push([page, answer]);
    else pairs.push([page, answer]);
  }
  const missingBefore = new Set([...now.pages.keys()].filter((address) => !old.pages.has(address)));
  const unseenNow = unseenOf(missingNow, old, now, sameReach);
  const unseenBefore = unseenOf(missingBefore, now, old, sameReach);
  for (const page of pagesOf(missingNow, old)) if (!unseenNow.has(page.address)) gone.push({ page, answer: null });
  const come = pagesOf(missingBefore, now).filter(({ address }) => !unseenBefore.has(address));
  return { pairs, gone, come, failed, unseenNow, unseenBefore };
}

export function isPage({ outcome }: Pick<PageVersion, 'outcome'>): boolean {
  return outcome === 'captured' || outcome === 'not-html';
}

/** The server says that the page does not exist. */
export function isRemoved({ outcome, status }: Pick<PageVersion, 'outcome' | 'status'>): boolean {
  return outcome === 'http-error' && (status === 404 || status === 410);
}

export function isFailed({ outcome }: PageVersion): boolean {
  return outcome !== 'captured' && outcome !== 'not-html' && outcome !== 'redirected';
}

function pagesOf(addresses: ReadonlySet<string>, { pages }: SiteAddressBook): readonly PageVersion[] {
  return [...pages.values()].filter((page) => addresses.has(page.address) && isPage(page));
}

/**
 * Missing pages that the other crawl says nothing about, with the reason.
 *
 * @param missing redirects among them: one that only its target names, such as a short link, goes with it
 */
function unseenOf(
  missing: ReadonlySet<string>,
  present: SiteAddressBook,
  other: SiteAddressBook,
  sameReach: boolean,
): ReadonlyMap<string, Unseen> {
  const unseen = new Map<string, Unseen>();
  const named = referrersOf(missing, present);
  for (const address of missing) {
    const reason = other.skipped.get(address);
    const referrers = named.get(address) ?? [];
    if (reason !== undefined) unseen.set(address, reason);
    else if (other.isNamed(address) && !other.isWhole) unseen.set(address, 'cut'); // it was still queued
    else if (!sameReach) unseen.set(address, 'beyond');
    else if (referrers.length === 0) {
      if (!other.isWhole) unseen.set(address, 'cut');
    } else if (referrers.some((from) => isUnknown(from, other))) unseen.set(address, 'failed');
  }
  // a page that only unseen pages lead to is unseen, too
  const waiting = [...unseen.keys()];
  for (let from = waiting.pop(); from !== undefined; from = waiting.pop()) {
    for (const to of present.linksOf(from) ?? []) {
      if (!missing.has(to) || unseen.has(to)) continue;
      unseen.set(to, 'beyond');
      waiting.push(to);
    }
  }
  for (const address of missing) {
    const page = present.pages.get(address);
    if (page !== undefined && !isPage(page)) unseen.delete(address);
  }
  return unseen;
}

/** Pages of a crawl that link to each missing page, without that page itself. */
function referrersOf(missing: ReadonlySet<string>, present: SiteAddressBook): ReadonlyMap<string, readonly string[]> {
  const referrers = new Map<string, string[]>();
  if (missing.size === 0) return referrers;
  for (const from of present.pages.keys()) {
    for (const to of present.linksOf(from) ?? []) {
      if (to === from || !missing.has(to)) continue;
      const known = referrers.get(to);
      if (known === undefined) referrers.set(to, [from]);
      else known.push(from);
    }
  }
  return referrers;
}

/** Did the other crawl fail to look at this page, which names an address? */
function isUnknown(from: string, other: SiteAddressBook): boolean {
  const page = other.pages.get(from);
  if (page === undefined) return other.skipped.has(from);
  return isFailed(page) && !isRemoved(page);
}
