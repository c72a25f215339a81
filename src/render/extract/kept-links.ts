/**
 * Which found links of a page are kept where there are more than can be: ways to pages before parts, the sure before speculative links. Links of one page are made distinct three times, each for what only that place knows:
 *
 *   - in the document (browsers/inpage/link-list.ts), because what it sends home is bounded;
 *   - here, for frames, answers, sheets and what interaction brought have links in common, and the limit is one for all of them: if the same
 *     link counted twice, others would be cut;
 *   - in the pipeline (pipeline/outgoing-links.ts), where it is known that two addresses are one, and for what extensions find.
 *
 * Behind that it is URLs that are told once: the best way to each (frontier/url-groups.ts), and new ones (frontier/lua).
 */
import { leadsToPage } from '../../core/links/page-link.ts';
import type { FoundLink } from '../../model/link.ts';
import { foundLinkKey } from './found-links.ts';

/** Each once, the first of equal ones, in order, and at most `limit`. Where a link is called something in one place and nothing in another, by its name. */
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
  const ranks = all.map(rankOf);
  const kept = [0, 1, 2]
    .flatMap((rank) => all.flatMap((_link, index) => (ranks[index] === rank ? [index] : [])))
    .slice(0, limit);
  return kept.toSorted((one, other) => one - other).flatMap((index) => all[index] ?? []);
}

function rankOf(foundLink: FoundLink): number {
  if (foundLink.confidence === 'low') return 2;
  return leadsToPage(foundLink) ? 0 : 1;
}
