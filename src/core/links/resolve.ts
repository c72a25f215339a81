import { parsedUrl } from '../../base/parsed-url.ts';
import type { Link, FoundLink } from '../../model/link.ts';
import type { SkipReason } from '../../model/record.ts';
import { canonicalise, isHashRoute, type CanonicalisedUrl, type UrlPolicy } from '../../model/url/canonical-url.ts';

type ResolvedLink =
  | { readonly kind: 'link'; readonly link: Link }
  /** `href` is the text for the record: shortened where it is long. */
  | { readonly kind: 'skipped'; readonly reason: SkipReason; readonly rule: string; readonly href: string }
  /** A fragment of the page itself, or empty: it leads to no other page. */
  | { readonly kind: 'same-page' };

/** Documents without an address of their own. */
const BLANK: ReadonlySet<string> = new Set(['about:blank', 'about:srcdoc']);

/** References in the records are cut to this: a data: URL would put a whole picture there. */
const HREF_LIMIT = 256;

/**
 * Gives the target of a found link, or the reason why it has none that can be visited.
 * @param page URL of the page that was visited
 */
export function resolveLink(foundLink: FoundLink, policy: UrlPolicy, page: string): ResolvedLink {
  const href = trimmed(foundLink.href);
  if (BLANK.has(href)) return { kind: 'same-page' };
  if (foundLink.isRoute === true && policy.keepHashRoutes) return resolveRoute(foundLink, policy);
  if (staysOnPage(href, foundLink, policy) && isOwnBase(foundLink, policy, page)) return { kind: 'same-page' };
  const target = targetOf(foundLink.resolved ?? href, foundLink.base, policy);
  if (target.kind === 'canonical') {
    // the only known address of a frame is the one that its scripts have led it to
    const isOwn = OF_SCRIPTS.has(foundLink.kind) && foundLink.frame === null && isPage(target.url, policy, page);
    if (isOwn) return { kind: 'same-page' };
    return { kind: 'link', link: { ...foundLink, to: target.url } };
  }
  const shown = href.slice(0, HREF_LIMIT);
  const base = usable(foundLink.base);
  switch (target.reason) {
    case 'too-long':
      return { kind: 'skipped', reason: 'too-long', rule: `URL of ${href.length} characters`, href: shown };
    case 'unsupported-scheme':
      return { kind: 'skipped', reason: 'unsupported-scheme', rule: `scheme ${schemeOf(href, base)}`, href: shown };
    case 'malformed':
      return { kind: 'skipped', reason: 'unsupported-scheme', rule: 'not a URL', href: shown };
  }
}

/** A base that is no URL counts as none. It is only checked when a link fails: a page has hundreds of links, and one base. */
function targetOf(href: string, base: string, policy: UrlPolicy): CanonicalisedUrl {
  const target = canonicalise(href, base, policy);
  if (target.kind === 'canonical' || usable(base) !== undefined) return target;
  return canonicalise(href, undefined, policy);
}

function usable(base: string): string | undefined {
  return parsedUrl(base) === null ? undefined : base;
}

/** The fragment of a route is kept, whatever it looks like. */
function resolveRoute(foundLink: FoundLink, policy: UrlPolicy): ResolvedLink {
  const target = canonicalise(trimmed(foundLink.href), foundLink.base, { ...policy, keepFragment: true });
  return target.kind === 'canonical' ? { kind: 'link', link: { ...foundLink, to: target.url } } : { kind: 'same-page' };
}

/** Scripts write the page's own address into its history, and load it again: that leads nowhere. */
const OF_SCRIPTS: ReadonlySet<string> = new Set<FoundLink['kind']>(['history', 'navigation']);

function isPage(target: string, policy: UrlPolicy, page: string): boolean {
  const own = canonicalise(page, undefined, policy);
  return own.kind === 'canonical' && own.url === target;
}

/** A frame without an address and `<a href="">` are no links; `<form action="">` and a redirect to itself are. */
function staysOnPage(href: string, { kind }: FoundLink, policy: UrlPolicy): boolean {
  if (href === '') return kind !== 'form';
  if (!href.startsWith('#')) return false;
  return !(policy.keepHashRoutes && isHashRoute(href));
}

/** A fragment is relative to the base, and a `base` element may have put that elsewhere. */
function isOwnBase({ base, frame }: FoundLink, policy: UrlPolicy, page: string): boolean {
  const own = canonicalise(frame ?? page, undefined, policy);
  const origin = canonicalise(base, undefined, policy);
  return origin.kind === 'refused' || (own.kind === 'canonical' && own.url === origin.url);
}

/** As the URL parser does it: control characters and spaces at both ends do not count. */
function trimmed(href: string): string {
  let start = 0;
  let end = href.length;
  while (start < end && href.charCodeAt(start) <= 0x20) start += 1;
  while (end > start && href.charCodeAt(end - 1) <= 0x20) end -= 1;
  return href.slice(start, end);
}

function schemeOf(href: string, base: string | undefined): string {
  return (parsedUrl(href, base)?.protocol ?? href.slice(0, href.indexOf(':') + 1)).slice(0, 64);
}
