/** Finds the pages of a crawl that only guesses led to: a page that a link of high confidence names, found early or late, is none. */
import { leadsToPage } from '../../core/links/page-link.ts';
import { storedLinks, storedPages, type Unread } from '../../crawl-folder/stored-lines.ts';

/**
 * URLs of pages that no chain of links of high confidence leads to from a page that was no guess. Reads pages.jsonl, and links.jsonl only
 * where a page was visited by a guess. Memory grows with the guessed pages, and the lines that name them.
 */
export async function guessedPages(folder: string, unread: Unread, signal: AbortSignal): Promise<ReadonlySet<string>> {
  const guessed = new Set<string>();
  for await (const { url, confidence } of storedPages(folder, '"confidence":"low"', unread)) {
    signal.throwIfAborted();
    if (confidence === 'low') guessed.add(url);
  }
  if (guessed.size === 0) return guessed;
  const ways = new Map<string, Set<string>>();
  const named: string[] = [];
  for await (const link of storedLinks(folder, '', unread)) {
    signal.throwIfAborted();
    // a redirect leads on from a page that is no guess, whatever its own link's confidence
    if (!guessed.has(link.to) || !leadsToPage(link) || (link.confidence === 'low' && link.kind !== 'redirect'))
      continue;
    if (!guessed.has(link.from)) named.push(link.to);
    else ways.set(link.from, (ways.get(link.from) ?? new Set()).add(link.to));
  }
  for (let url = named.pop(); url !== undefined; url = named.pop()) {
    if (guessed.delete(url)) for (const next of ways.get(url) ?? []) named.push(next);
  }
  return guessed;
}
