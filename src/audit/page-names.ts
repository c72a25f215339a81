/** How a crawl learnt of pages: a document that only a frame shows, or that only a guess named, may be a piece of a page. */
import { edgeLabel, hasClass } from '../core/graph/edge-label.ts';
import { leadsToPage } from '../core/links/page-link.ts';
import { linkLines } from '../crawl-folder/graph-lines.ts';
import type { Unread } from '../crawl-folder/stored-lines.ts';

export interface PageNames {
  /** Do only frames of other pages lead there? */
  isFramed(url: string): boolean;
  /** Do only guesses lead there? */
  isGuessed(url: string): boolean;
}

/** @param unread another reader counts the same lines, which are reported once */
export async function readPageNames(
  folder: string,
  seeds: readonly string[],
  unread: Unread = { torn: () => {}, damaged: () => {} },
): Promise<PageNames> {
  const named = new Set<string>(seeds);
  const framed = new Set<string>();
  for await (const lines of linkLines(folder, unread)) {
    for (const { to, kind, rel, context, confidence } of lines) {
      if (confidence === 'low' || named.has(to)) continue;
      const label = edgeLabel({ kind, confidence, context, rel, to, leadsToPage: leadsToPage({ kind, rel, context }) });
      if (hasClass(label, 'subresource') || hasClass(label, 'foreign')) continue;
      if (kind === 'frame') framed.add(to);
      else named.add(to);
    }
  }
  return {
    isFramed: (url) => framed.has(url) && !named.has(url),
    isGuessed: (url) => !framed.has(url) && !named.has(url),
  };
}
