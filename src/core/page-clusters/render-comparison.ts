/** Compares a page as a browser showed it with its markup. */
import { hash64 } from '../../base/hash.ts';
import { parsedUrl } from '../../base/parsed-url.ts';
import { wordCount } from '../../base/word-count.ts';
import type { FoundLink } from '../../model/link.ts';
import type { Page } from '../../model/page.ts';
import { withFinalSlashes } from './final-slashes.ts';
import { isHint, prefetchTest } from './loaded-ahead.ts';

/** A browser may show more words than the markup holds before the page counts as written by its scripts: one in ten, and a few. */
const MORE_WORDS = 1.1;
const FEW_WORDS = 20;

/**
 * A browser's reading of a page compared with that of its markup:
 *
 * - `alike`: the same but for links that only scripts brought. `added`: if every page of a cluster has the same ones, they need no browser.
 *   `code`: files of code that scripts load by themselves, a part of the application for each page; a page that is not rendered goes
 *   without its own, and also without files that scripts load ahead (loaded-ahead.ts). `isClear`: false where the texts
 *   of such a file name targets that the page itself does not name: then other pages have to show what those files bring.
 *   `namesUnread`: its markup names sheets or scripts that were not read before. `isRespelled`: only with the final slashes that
 *   its scripts write (final-slashes.ts).
 * - `differs`: in something else, which `how` describes.
 */
export type RenderComparison =
  | {
      readonly kind: 'alike';
      readonly added: readonly FoundLink[];
      readonly code: readonly FoundLink[];
      readonly isClear: boolean;
      readonly namesUnread: boolean;
      readonly isRespelled?: true;
    }
  | { readonly kind: 'differs'; readonly how: string };

/** @param markup the same document, read without a browser */
export function compareRendering(
  rendered: Page,
  markup: Page,
  { namesUnread }: { readonly namesUnread: boolean },
): RenderComparison {
  const respelled = rendered.canonical === markup.canonical ? null : withFinalSlashes(markup);
  const plain = respelled ?? markup;
  const how = differenceOf(rendered, plain);
  if (how !== null) return { kind: 'differs', how };
  const isPrefetch = prefetchTest(plain.foundLinks);
  const leading = rendered.foundLinks.filter(
    (each) => !leadsToItself(each, rendered) && !isHint(each) && !isPrefetch(each),
  );
  const brought = missing(leading, plain.foundLinks).map((each) => wordsOfNoPage(each, rendered.finalUrl));
  const [added, code] = [brought.filter((each) => !isCode(each)), brought.filter(isCode)];
  const isClear = code.length === 0 || namesNothingElse(rendered, plain);
  return { kind: 'alike', added, code, isClear, namesUnread, ...(respelled === null ? {} : { isRespelled: true }) };
}

/** An audit observes more: a page differs if scripts add anything to it. */
export function observedDifference(seen: RenderComparison): RenderComparison {
  if (seen.kind !== 'alike' || seen.added.length + seen.code.length === 0) return exactDifference(seen);
  return { kind: 'differs', how: `${seen.added.length + seen.code.length} links more` };
}

/** Final slashes that scripts write are a difference, too. */
export function exactDifference(seen: RenderComparison): RenderComparison {
  return seen.kind === 'alike' && seen.isRespelled ? { kind: 'differs', how: 'final slashes in its head' } : seen;
}

/** Equal for pages to which scripts add the same links, in heads that they spell in the same way. */
export function addedKeyOf({ added, isRespelled }: RenderComparison & { readonly kind: 'alike' }): string {
  return `${isRespelled === true ? '/' : ''}${added.map(addedLinkKey).toSorted().join('\n\n')}`;
}

export function addedLinkKey(link: FoundLink): string {
  return [renderedLinkKey(link), link.rel.join(' '), link.text].join('\n');
}

/** The comparison in a form for the log. */
export function shownComparison(comparison: RenderComparison): Readonly<Record<string, unknown>> {
  if (comparison.kind === 'differs') return { difference: comparison.how };
  const shown = (links: readonly FoundLink[]): readonly string[] =>
    links.slice(0, 5).map(({ kind, context, href }) => `${kind} ${context} ${href}`);
  const { added, code, isClear } = comparison;
  return { difference: isClear ? null : 'texts of further scripts', added: shown(added), code: shown(code) };
}

/** A script that no markup names, whichever way a script had it loaded. */
function isCode({ kind, context }: FoundLink): boolean {
  return (kind === 'request' && context === 'import') || (kind === 'resource' && context === 'script/@src');
}

/** Do the texts of its script files name only what the page names itself? */
function namesNothingElse(rendered: Page, plain: Page): boolean {
  const named = new Set([rendered.url, rendered.finalUrl, ...plain.foundLinks.map(targetOf)].map(withoutEnding));
  return rendered.foundLinks.every((each) => !isOfFile(each) || named.has(withoutEnding(targetOf(each))));
}

function withoutEnding(url: string): string {
  return withoutFragment(url).replace(/\/$/, '');
}

/** The first difference other than an additional link, in words. */
function differenceOf(rendered: Page, plain: Page): string | null {
  // the shell of an application that failed, which says nothing of the next page
  if (rendered.empty) return 'nothing shown';
  if (withoutFragment(rendered.finalUrl) !== withoutFragment(plain.finalUrl)) return `URL ${rendered.finalUrl}`;
  if (rendered.title !== plain.title) return `title ${rendered.title}`;
  if (rendered.canonical !== plain.canonical) return `canonical ${rendered.canonical}`;
  if (rendered.robots.join() !== plain.robots.join()) return `robots ${rendered.robots.join()}`;
  if (rendered.description !== plain.description) return `description ${rendered.description}`;
  if (rendered.lang !== plain.lang) return `lang ${rendered.lang}`;
  if (rendered.h1.join('\n') !== plain.h1.join('\n')) return `h1 ${rendered.h1.join()}`;
  const [less] = missing(plain.foundLinks, rendered.foundLinks).filter((each) => !isHint(each));
  if (less !== undefined) return `a link less: ${less.kind} ${less.context} ${less.href.slice(0, 200)}`;
  const words = wordsOf(rendered);
  return words > wordsOf(plain) * MORE_WORDS + FEW_WORDS ? `${words - wordsOf(plain)} words more` : null;
}

/** Links of one reading that the other has not. */
function missing(found: readonly FoundLink[], elsewhere: readonly FoundLink[]): readonly FoundLink[] {
  const known = new Set(elsewhere.map(renderedLinkKey));
  return found.filter((foundLink) => !isOfFile(foundLink) && !known.has(renderedLinkKey(foundLink)));
}

/** Does it come from a script file? A text in a script counts for the first page of the crawl that loads the script, whichever that is. */
function isOfFile({ confidence, context }: FoundLink): boolean {
  return confidence === 'low' && (context === 'literal' || context === 'script comment');
}

/** Key of a link by its target and the way it was found; its spelling does not matter, for scripts may write it anew. */
export function renderedLinkKey(foundLink: FoundLink): string {
  const { kind, context, frame, confidence } = foundLink;
  return [kind, context, targetOf(foundLink), frame ?? '', confidence].join('\n');
}

/** Hash by which a second visit recognizes a recorded link: a number of 52 bits. */
export function recordedHash(foundLink: FoundLink): number {
  return Number.parseInt(hash64(renderedLinkKey(foundLink)).slice(0, 13), 16);
}

function targetOf({ href, base, resolved }: FoundLink): string {
  const written = resolved ?? href;
  return parsedUrl(written, base)?.href ?? written;
}

/** A link that scripts add, made independent of its page: absolute, or only the fragment, without a base, if it leads to the page itself. */
function wordsOfNoPage(foundLink: FoundLink, pageUrl: string): FoundLink {
  const to = targetOf(foundLink);
  const [place, fragment] = [withoutFragment(to), to.slice(withoutFragment(to).length)];
  if (fragment !== '' && place === withoutFragment(pageUrl))
    return { ...foundLink, href: fragment, base: '', resolved: null };
  return { ...foundLink, href: to, resolved: null };
}

/** A link that scripts add to each page of a cluster, as one of this page. */
export function addedLinkOf(foundLink: FoundLink, pageUrl: string): FoundLink {
  return foundLink.base === '' ? { ...foundLink, base: pageUrl } : foundLink;
}

/** Does a script only go to the page itself? Scripts write its own address into its history, and load it again. */
function leadsToItself({ kind, href, base }: FoundLink, { url, finalUrl }: Page): boolean {
  if (kind !== 'history' && kind !== 'navigation') return false;
  const to = parsedUrl(href, base)?.href;
  return to === url || to === finalUrl;
}

function withoutFragment(url: string): string {
  return url.replace(/#.*$/s, '');
}

function wordsOf({ text }: Page): number {
  return wordCount(text ?? '');
}
