import type { PageSummary } from '../../model/audit-facts.ts';
import { hidingDirective } from './hiding-directive.ts';

/** May search engines list the page under its own address? */
export function isIndexable({ judged, robots, canonicals, url, shownAs }: PageSummary): boolean {
  if (judged !== true || shownAs !== null || hidingDirective(robots) !== null) return false;
  return canonicals.every((canonical) => canonical.url === null || canonical.url === url);
}

/** Pages by a text that they have in common, in their order; those without one are left out. */
export function pagesBy(
  pages: readonly PageSummary[],
  textOf: (page: PageSummary) => string,
): ReadonlyMap<string, readonly PageSummary[]> {
  const groups = new Map<string, PageSummary[]>();
  for (const page of pages) {
    const text = textOf(page);
    if (text === '' || !isIndexable(page)) continue;
    const group = groups.get(text);
    if (group === undefined) groups.set(text, [page]);
    else group.push(page);
  }
  return groups;
}

/** Number of sources that are listed. */
const LISTED = 20;

export function referrersOf(pages: readonly PageSummary[]): {
  readonly count: number;
  readonly first: readonly { readonly url: string }[];
} {
  return { count: pages.length, first: pages.slice(0, LISTED).map(({ url }) => ({ url })) };
}
