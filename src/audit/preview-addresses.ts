/** Addresses in a page for the previews that others show of it (Open Graph, Twitter cards). */
import { parsedUrl } from '../base/parsed-url.ts';
import type { HtmlElement } from '../core/html/tree.ts';
import type { PreviewAddress } from '../model/audit-facts.ts';
import { placeOf } from './element-place.ts';

/** Properties whose value is a URL (The Open Graph protocol, "Structured Properties"), and those of Twitter cards. */
const NAMES = /^(?:og:(?:url|(?:image|video|audio)(?::(?:secure_)?url)?)|twitter:(?:image(?::src)?|player))$/;
/** More are the fault of one template. */
const LISTED = 20;
const HREF = 200;

/** Those without a scheme, in the order of the page. */
export function relativePreviews(metas: readonly HtmlElement[]): readonly PreviewAddress[] {
  const found: PreviewAddress[] = [];
  for (const element of metas) {
    const { attributes } = element;
    const name = (attributes.get('property') ?? attributes.get('name') ?? '').trim().toLowerCase();
    const href = attributes.get('content')?.trim() ?? '';
    if (href === '' || found.length >= LISTED || !NAMES.test(name) || parsedUrl(href) !== null) continue;
    found.push({ name, href: href.slice(0, HREF), ...placeOf(element) });
  }
  return found;
}
