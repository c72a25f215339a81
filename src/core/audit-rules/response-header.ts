import type { PageFacts } from '../../model/audit-facts.ts';

/** A header of the page's document; null where it has none of that name. */
export function responseHeader({ details }: Pick<PageFacts, 'details'>, name: string): string | null {
  return details?.headers.find(([known]) => known === name)?.[1] ?? null;
}

/** Are the headers of the page known, and those of the site's own server? */
export function hasServerHeaders({ details, isFromServer }: Pick<PageFacts, 'details' | 'isFromServer'>): boolean {
  return isFromServer && details !== null && details.headers.length > 0;
}
