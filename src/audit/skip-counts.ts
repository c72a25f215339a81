/** Counts what the crawl saw and did not visit, by the reasons. */
import { isNamedAsFile } from '../core/audit-rules/named-file.ts';
import { storedSkips, type Unread } from '../crawl-folder/stored-lines.ts';
import type { SkipReason } from '../model/record.ts';
import type { AuditRecord } from './crawl-records.ts';
import type { PageNames } from './page-names.ts';
import type { AuditedSite } from './site-origins.ts';

interface SkipCounts {
  readonly all: ReadonlyMap<SkipReason, number>;
  /** Of URLs that may be pages of the site: more than a guess names them, and not as files. */
  readonly named: ReadonlyMap<SkipReason, number>;
  /** Addresses of the site where it is published, of pages that were not seen. */
  readonly published: number;
  /** URLs that robots.txt forbids; of very many, the first ones. */
  readonly disallowed: ReadonlySet<string>;
}

/** Forbidden URLs that are kept. Arbitrary. */
const MOST_DISALLOWED = 100_000;

interface SkipSources {
  readonly folder: string;
  readonly names: PageNames;
  readonly unread: Unread;
  readonly site: AuditedSite;
  readonly records: ReadonlyMap<string, AuditRecord>;
}

export async function countSkips({ folder, names, unread, site, records }: SkipSources): Promise<SkipCounts> {
  const [all, named] = [new Map<SkipReason, number>(), new Map<SkipReason, number>()];
  const disallowed = new Set<string>();
  let published = 0;
  for await (const { url, reason } of storedSkips(folder, '', unread)) {
    const isGuess = names.isMereGuess(url);
    const crawled = site.crawled(url);
    if (crawled !== url && !records.has(crawled) && !isGuess) published += 1;
    if (reason === 'disallowed-by-robots' && disallowed.size < MOST_DISALLOWED) disallowed.add(url);
    all.set(reason, (all.get(reason) ?? 0) + 1);
    // a sitemap may name pages of other sites, in vain
    if (isGuess || crawled !== url || isNamedAsFile(url) || (reason === 'nofollow' && !site.isOwn(url))) continue;
    named.set(reason, (named.get(reason) ?? 0) + 1);
  }
  return { all, named, published, disallowed };
}
