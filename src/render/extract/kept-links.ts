/**
 * Chooses the found links of a page that are kept where there are too many: a way to each page, further places of these pages, parts, and
 * speculative links, in this order.
 * Links of one page are made distinct three times, each for a reason that holds in that place alone:
 *
 *   - in the document (browsers/inpage/link-list.ts), because its report is bounded;
 *   - here, for frames, answers, sheets and interactions have links in common, and the limit is one for all of them: if the same
 *     link counted twice, others would be cut;
 *   - in the pipeline (pipeline/outgoing-links.ts), where it is known that two addresses are one, and for the findings of extensions.
 *
 * Behind that, URLs are made distinct: the best way to each (frontier/url-groups.ts), and new ones (frontier/lua).
 */
import { leadsToPage, pageOfReference } from '../../core/links/page-link.ts';
import type { FoundLink } from '../../model/link.ts';
import { foundLinkKey } from './found-links.ts';

/** Keeps each link once (the first of equal ones), in order, at most `limit`. A link that has a text in one place alone is kept with the text. */
export function keptLinks(found: readonly FoundLink[], limit: number): readonly FoundLink[] {
  const known = new Map<string, FoundLink>();
  for (const foundLink of found) {
    const key =
      foundLink.rel.length === 0 ? foundLinkKey(foundLink) : `${foundLinkKey(foundLink)}\n${foundLink.rel.join(' ')}`;
    const before = known.get(key);
    if (before === undefined) known.set(key, foundLink);
    else if (before.text === '' && foundLink.text !== '') known.set(key, { ...before, text: foundLink.text });
  }
  const all = [...known.values()];
  if (all.length <= limit) return all;
  const ranks = ranksOf(all);
  const kept = [0, 1, 2, 3]
    .flatMap((rank) => all.flatMap((_link, index) => (ranks[index] === rank ? [index] : [])))
    .slice(0, limit);
  return kept.toSorted((one, other) => one - other).flatMap((index) => all[index] ?? []);
}

function ranksOf(links: readonly FoundLink[]): readonly number[] {
  const pages = new Set<string>();
  return links.map((link) => {
    if (link.confidence === 'low') return 3;
    if (!leadsToPage(link)) return 2;
    const page = `${link.rel.join(' ')}\n${link.base}\n${pageOfReference(link.href)}`;
    if (pages.has(page)) return 1;
    pages.add(page);
    return 0;
  });
}
