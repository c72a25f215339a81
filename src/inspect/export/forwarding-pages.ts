/** Finds the pages of a crawl that say hardly anything but where to go on: search engines take their `meta refresh` for a redirect. */
import { storedLinks, storedPages, type Unread } from '../../crawl-folder/stored-lines.ts';

/** A page with fewer words says at most that it leads on, as in core/page-verdict. */
const SENTENCE = 20;

/** Reads links.jsonl, and pages.jsonl only where a page has a `meta refresh`. Memory grows with these pages. */
export async function forwardingPages(
  folder: string,
  unread: Unread,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const leading = new Set<string>();
  for await (const { from, to, kind, context, stage } of storedLinks(folder, '"kind":"meta-refresh"', unread)) {
    signal.throwIfAborted();
    // one within noscript is for readers without scripts alone; one to the page itself loads it again
    const isSeen = kind === 'meta-refresh' && stage === 'load' && !context.startsWith('noscript:');
    if (isSeen && withoutFragment(to) !== withoutFragment(from)) leading.add(from);
  }
  const forwarding = new Set<string>();
  if (leading.size === 0) return forwarding;
  for await (const { url, words } of storedPages(folder, '', unread)) {
    signal.throwIfAborted();
    if (leading.has(url) && words !== null && words < SENTENCE) forwarding.add(url);
  }
  return forwarding;
}

function withoutFragment(url: string): string {
  return url.split('#', 1)[0] ?? '';
}
