/** Compares a page as a browser showed it with its markup. */
import { parsedUrl } from '../../base/parsed-url.ts';
import type { FoundLink } from '../../model/link.ts';
import type { Page } from '../../model/page.ts';

/** A browser may show more words than the markup holds before the page counts as written by its scripts: one in ten, and a few. */
const MORE_WORDS = 1.1;
const FEW_WORDS = 20;

/**
 * The first difference of a browser's reading, in words; null where it is the same.
 * @param plain the same document, read without a browser
 */
export function renderDifference(rendered: Page, plain: Page): string | null {
  if (withoutFragment(rendered.finalUrl) !== withoutFragment(plain.finalUrl)) return `URL ${rendered.finalUrl}`;
  if (rendered.title !== plain.title) return `title ${rendered.title}`;
  if (rendered.canonical !== plain.canonical) return `canonical ${rendered.canonical}`;
  if (rendered.robots.join() !== plain.robots.join()) return `robots ${rendered.robots.join()}`;
  const leading = rendered.foundLinks.filter((foundLink) => !leadsToItself(foundLink, rendered));
  const [more] = missing(leading, plain.foundLinks);
  if (more !== undefined) return `a link more: ${shown(more)}`;
  const [less] = missing(plain.foundLinks, rendered.foundLinks);
  if (less !== undefined) return `a link less: ${shown(less)}`;
  const words = wordsOf(rendered);
  return words > wordsOf(plain) * MORE_WORDS + FEW_WORDS ? `${words - wordsOf(plain)} words more` : null;
}

/** Links of one reading that the other has not. */
function missing(found: readonly FoundLink[], elsewhere: readonly FoundLink[]): readonly FoundLink[] {
  const known = new Set(elsewhere.map(keyOf));
  return found.filter((foundLink) => !isOfFile(foundLink) && !known.has(keyOf(foundLink)));
}

/** Is it of a script file? A text in a script counts for the first page of the crawl that loads the script, whichever that is. */
function isOfFile({ confidence, context }: FoundLink): boolean {
  return confidence === 'low' && (context === 'literal' || context === 'script comment');
}

/** Where it leads and how it was found; how it is written does not matter, for scripts may write it anew. */
function keyOf({ href, base, resolved, kind, context, frame, confidence }: FoundLink): string {
  const written = resolved ?? href;
  const to = parsedUrl(written, base)?.href ?? written;
  return [kind, context, to, frame ?? '', confidence].join('\n');
}

/** Scripts write the page's own address into its history, and load it again. */
function leadsToItself({ kind, href, base }: FoundLink, { url, finalUrl }: Page): boolean {
  if (kind !== 'history' && kind !== 'navigation') return false;
  const to = parsedUrl(href, base)?.href;
  return to === url || to === finalUrl;
}

function shown({ kind, context, href }: FoundLink): string {
  return `${kind} ${context} ${href.slice(0, 200)}`;
}

function withoutFragment(url: string): string {
  return url.replace(/#.*$/s, '');
}

function wordsOf({ text }: Page): number {
  return text === null ? 0 : (text.match(/\S+/g)?.length ?? 0);
}
