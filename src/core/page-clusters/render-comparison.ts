/** Compares a page as a browser showed it with its markup. */
import { hash64 } from '../../base/hash.ts';
import { parsedUrl } from '../../base/parsed-url.ts';
import type { FoundLink } from '../../model/link.ts';
import type { Page } from '../../model/page.ts';
import { isHint, prefetchTest } from './loaded-ahead.ts';

/** A browser may show more words than the markup holds before the page counts as written by its scripts: one in ten, and a few. */
const MORE_WORDS = 1.1;
const FEW_WORDS = 20;

/**
 * What a browser's reading of a page is beside that of its markup:
 *
 * - `alike`: the same but for what only scripts brought. `added`: links; with the same ones on every page of a cluster, they need no browser.
 *   `code`: files of code that scripts load by themselves, a part of the application for each page; a page that is not rendered goes
 *   without its own, and so it does without what scripts load ahead (loaded-ahead.ts). `isClear`: not so where the texts
 *   of such a file name what the page itself does not name: then others have to say what those files bring.
 *   `namesUnread`: its markup names sheets or scripts that nobody had read.
 * - `differs`: in something else, said in words.
 */
export type RenderComparison =
  | {
      readonly kind: 'alike';
      readonly added: readonly FoundLink[];
      readonly code: readonly FoundLink[];
      readonly isClear: boolean;
      readonly namesUnread: boolean;
    }
  | { readonly kind: 'differs'; readonly how: string };

/** @param plain the same document, read without a browser */
export function compareRendering(
  rendered: Page,
  plain: Page,
  { namesUnread }: { readonly namesUnread: boolean },
): RenderComparison {
  const how = differenceOf(rendered, plain);
  if (how !== null) return { kind: 'differs', how };
  const isPrefetch = prefetchTest(plain.foundLinks);
  const leading = rendered.foundLinks.filter(
    (each) => !leadsToItself(each, rendered) && !isHint(each) && !isPrefetch(each),
  );
  const brought = missing(leading, plain.foundLinks).map((each) => wordsOfNoPage(each, rendered.finalUrl));
  const [added, code] = [brought.filter((each) => !isCode(each)), brought.filter(isCode)];
  return { kind: 'alike', added, code, isClear: code.length === 0 || namesNothingElse(rendered, plain), namesUnread };
}

/** In an audit more has to be observed: what scripts add to a page makes it differ. */
export function observedDifference(seen: RenderComparison): RenderComparison {
  if (seen.kind !== 'alike' || seen.added.length + seen.code.length === 0) return seen;
  return { kind: 'differs', how: `${seen.added.length + seen.code.length} links more` };
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

/** The first difference that is no link more, in words. */
function differenceOf(rendered: Page, plain: Page): string | null {
  if (withoutFragment(rendered.finalUrl) !== withoutFragment(plain.finalUrl)) return `URL ${rendered.finalUrl}`;
  if (rendered.title !== plain.title) return `title ${rendered.title}`;
  if (rendered.canonical !== plain.canonical) return `canonical ${rendered.canonical}`;
  if (rendered.robots.join() !== plain.robots.join()) return `robots ${rendered.robots.join()}`;
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

/** Is it of a script file? A text in a script counts for the first page of the crawl that loads the script, whichever that is. */
function isOfFile({ confidence, context }: FoundLink): boolean {
  return confidence === 'low' && (context === 'literal' || context === 'script comment');
}

/** Where it leads and how it was found; how it is written does not matter, for scripts may write it anew. */
export function renderedLinkKey(foundLink: FoundLink): string {
  const { kind, context, frame, confidence } = foundLink;
  return [kind, context, targetOf(foundLink), frame ?? '', confidence].join('\n');
}

/** By which a second visit knows a link that was recorded: a number of 52 bits. */
export function recordedHash(foundLink: FoundLink): number {
  return Number.parseInt(hash64(renderedLinkKey(foundLink)).slice(0, 13), 16);
}

function targetOf({ href, base, resolved }: FoundLink): string {
  const written = resolved ?? href;
  return parsedUrl(written, base)?.href ?? written;
}

/** Where a link leads that scripts add: absolute, and for one that leads to the page itself only its fragment, without a base. */
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

/** Scripts write the page's own address into its history, and load it again. */
function leadsToItself({ kind, href, base }: FoundLink, { url, finalUrl }: Page): boolean {
  if (kind !== 'history' && kind !== 'navigation') return false;
  const to = parsedUrl(href, base)?.href;
  return to === url || to === finalUrl;
}

function withoutFragment(url: string): string {
  return url.replace(/#.*$/s, '');
}

function wordsOf({ text }: Page): number {
  return text === null ? 0 : (text.match(/\S+/g)?.length ?? 0);
}
