/**
 * Sitemaps are read as pages are needed: with `--limit` until enough URLs wait to fill it several times, without until a good supply
 * waits, and whenever nothing else can be visited. pipeline/sitemap-book.ts holds the sitemaps back; this file queues them, and counts in the
 * summary those that were left out.
 */
import type { Clock } from '../base/clock.ts';
import type { Frontier } from '../frontier/frontier.ts';
import { storedCanonicalUrl } from '../model/url/canonical-url.ts';
import { hostKeyOf, hostWithPortOf } from '../model/url/host-key.ts';
import { createSitemapBook, HELD_RULE, type SitemapBook } from '../pipeline/sitemap-book.ts';

/** Waiting URLs for each page that the limit leaves: some will be forbidden, or redirect. */
export const URLS_FOR_A_PAGE = 4;
/** Waiting URLs without a limit: hours of work for one machine, 7 MB of Redis. */
const SUPPLY = 100_000;
/** Unread files at a time with a limit: two files name more pages than most limits allow. */
const UNREAD_WITH_LIMIT = 2;

/** @param limit of pages; undefined: none */
export function emptySitemapBook(limit: number | undefined): SitemapBook {
  return createSitemapBook(limit === undefined ? {} : { unreadAtATime: UNREAD_WITH_LIMIT });
}

/** The sitemaps of a crawl. A resumed one takes up those that were held back; the hosts that named them are not known any more. */
export async function openSitemaps(
  limit: number | undefined,
  frontier: Pick<Frontier, 'skippedSoFar'>,
): Promise<SitemapBook> {
  const book = emptySitemapBook(limit);
  const way = { depth: 0, redirects: 0, hops: 0, kind: 'sitemap', confidence: 'high' } as const;
  for (const { url, referrer } of await frontier.skippedSoFar(HELD_RULE)) {
    const canonical = storedCanonicalUrl(url);
    book.note(canonical, { depth: 1, hosts: [hostWithPortOf(canonical)] });
    book.hold({ ...way, url: canonical, referrer: referrer === null ? null : storedCanonicalUrl(referrer) });
  }
  return book;
}

interface SitemapFeed {
  readonly frontier: Pick<Frontier, 'admit' | 'totals'>;
  readonly sitemaps: SitemapBook;
  readonly clock: Clock;
}

/** Queues held sitemaps where pages are needed. @param pagesLeft that the limit leaves; null without one */
export async function feedSitemaps(
  { frontier, sitemaps, clock }: SitemapFeed,
  pagesLeft: number | null,
): Promise<void> {
  if (sitemaps.held === 0) return;
  const enough = pagesLeft === null ? SUPPLY : Math.min(SUPPLY, pagesLeft * URLS_FOR_A_PAGE);
  const { queued, withheld } = await frontier.totals();
  for (let waiting = queued - withheld; waiting < enough; waiting += 1) {
    const next = sitemaps.takeHeld();
    if (next === null) return;
    // oxlint-disable-next-line no-await-in-loop -- a handful, and in their order
    await frontier.admit([next], [], clock.now());
  }
}

/**
 * Queues a held sitemap when nothing that is queued can be visited, whatever is queued and unread: the rest belongs to patterns over budget, to hosts
 * that have had their pages, or to hosts that were given up. Those that cannot be visited either are passed over.
 * @returns false where no other is held
 */
export async function feedLastSitemap({
  frontier,
  sitemaps,
  clock,
}: SitemapFeed & { readonly frontier: Pick<Frontier, 'openCircuits'> }): Promise<boolean> {
  if (sitemaps.held === 0) return false;
  const givenUp = new Set((await frontier.openCircuits()).map(({ host }) => host));
  const visitable = async (): Promise<number> => {
    const { queued, withheld } = await frontier.totals();
    return queued - withheld;
  };
  for (;;) {
    const next = sitemaps.takeLeft((url) => !givenUp.has(hostKeyOf(url)));
    if (next === null) return false;
    /* oxlint-disable no-await-in-loop -- in their order, as long as none can be visited */
    const before = await visitable();
    await frontier.admit([next], [], clock.now());
    if ((await visitable()) > before) return true;
    /* oxlint-enable no-await-in-loop */
  }
}

/** The sitemaps that were left out, in words for the summary; null where none was. */
export function sitemapNote({ budget, held, counts }: SitemapBook): string | null {
  const entries = budget.refused.files + budget.refused.pages;
  if (held === 0 && entries === 0) return null;
  const { named, read } = counts();
  const leftOut = entries === 0 ? '' : `; ${grouped(entries)} of their entries were left out`;
  return `sitemaps: ${grouped(read)} of ${grouped(named)} read${leftOut}`;
}

function grouped(count: number): string {
  return count.toLocaleString('en-US');
}
