import { parsedUrl } from '../../base/parsed-url.ts';
import type { FoundLink } from '../../model/link.ts';
import type { UrlPolicy } from '../../model/url/canonical-url.ts';
import { resolveLink } from './resolve.ts';

/** An http(s) URL that is too long to be visited may still be a picture's. */
const WEB_LIMIT = 2048;
/** `blob:`, `ws:` and other URLs without a canonical form. */
const OTHER_LIMIT = 256;

/**
 * The address of a part of a page: its canonical URL where it has one, else the resolved URL, cut; a text that is no URL stays as
 * it is written. Null for a part without an address of its own (a `data:` URL, a fragment of the page).
 * @param page URL of the page that was visited
 */
export function resolveSubresource(foundLink: FoundLink, policy: UrlPolicy, page: string): string | null {
  const given = (foundLink.resolved ?? foundLink.href).trimStart();
  if (given === '' || /^data:/i.test(given)) return null;
  const resolved = resolveLink(foundLink, policy, page);
  if (resolved.kind === 'same-page') return null;
  if (resolved.kind === 'link') return resolved.link.to;
  const url = parsed(given, foundLink.base);
  if (url === null) return resolved.href;
  if (url.startsWith('data:')) return null;
  return url.slice(0, /^https?:/.test(url) ? WEB_LIMIT : OTHER_LIMIT);
}

function parsed(href: string, base: string): string | null {
  const from = parsedUrl(base) === null ? undefined : base;
  return parsedUrl(href, from)?.href ?? null;
}
