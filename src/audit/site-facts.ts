/** The facts of a site as a whole, for the rules about it: its links, its surveys, and what other sites answered. */
import { storedLinks } from '../crawl-folder/stored-lines.ts';
import type { InspectedCrawl } from '../inspect/inspected-crawl.ts';
import { withLinkIndex } from '../inspect/link-index.ts';
import { deadEnds, orphanPages, pageDepths } from '../inspect/link-surveys.ts';
import type { UnreadLines } from '../inspect/unread-lines.ts';
import type { SiteFacts } from '../model/audit-facts.ts';
import { inPageOrder, type AuditRecord } from './crawl-records.ts';
import { externalVerdicts, type ExternalWay } from './external-verdicts.ts';
import { LinkBook } from './link-book.ts';
import type { PageNames } from './page-names.ts';
import type { PagePass } from './page-pass.ts';
import type { AuditedSite } from './site-origins.ts';

interface FactSources {
  readonly opened: InspectedCrawl;
  readonly records: ReadonlyMap<string, AuditRecord>;
  readonly site: AuditedSite;
  readonly names: PageNames;
  readonly pass: PagePass;
  readonly whole: boolean;
  readonly disallowed: ReadonlySet<string>;
  readonly unread: UnreadLines;
  readonly way: ExternalWay;
  /** May the results be written into the folder? */
  readonly keeps: boolean;
}

export async function siteFacts(
  sources: FactSources,
  signal: AbortSignal,
): Promise<{ readonly facts: SiteFacts; readonly notes: readonly string[] }> {
  const { opened, records, site, names, pass, whole, disallowed, unread, way, keeps } = sources;
  const pageOf = (url: string): ReturnType<SiteFacts['page']> => pass.summaries.get(url) ?? null;
  const links = new LinkBook({
    records,
    pageOf,
    placeOf: (from, to) => pass.placeOf(from, to),
    isOwn: site.isOwn,
    isUnnamed: (url) => pass.unnamed.has(url),
  });
  for await (const link of storedLinks(opened.path, '', unread)) links.add(link);
  signal.throwIfAborted();
  const needs = { folder: opened.path, seeds: opened.crawl.seeds };
  const surveys = await withLinkIndex(
    needs,
    async (graph) => {
      const clicks = new Map<string, number>();
      for await (const page of (await pageDepths(graph)).each())
        if (page.clicks !== null) clicks.set(page.url, page.clicks);
      return { orphans: (await orphanPages(graph)).pages, deadEnds: await deadEnds(graph), clicks };
    },
    signal,
  );
  const asker = {
    userAgent: opened.crawl.effective?.userAgent ?? null,
    throughProxy: 'proxy' in opened.crawl.options,
    withoutBrowser: opened.crawl.options['render'] === 'never',
  };
  const asked = await externalVerdicts({ folder: opened.path, way, keeps, links, unread, ...asker }, signal);
  const facts: SiteFacts = {
    pages: [...pass.summaries.values()],
    isWhole: whole,
    isOwn: site.isOwn,
    page: pageOf,
    target: (url) => records.get(url) ?? null,
    unreachable: [...records.values()].filter(({ outcome }) => outcome === 'unreachable').toSorted(inPageOrder),
    linked: links.linked(),
    related: links.related(),
    clickOnly: links.clickOnly(opened.crawl.seeds),
    fragments: pass.fragments.broken(pageOf),
    mixed: links.mixed(),
    sitemapEntries: links.sitemapEntries,
    isSitemapAlternate: (url) => names.isSitemapAlternate(url),
    isDisallowed: (url) => disallowed.has(url),
    external: asked.facts,
    ...surveys,
  };
  return { facts, notes: asked.notes };
}
