/** The links of a piece of HTML in data: in JSON, in a feed's entry. */
import { parsedUrl } from '../../../base/parsed-url.ts';
import { readMarkup } from '../../../base/markup-events.ts';
import type { FoundLink } from '../../../model/link.ts';
import { fileLink } from '../discoverer.ts';
import { relTokens } from '../page-link.ts';
import { isSentByScript } from './link-method.ts';

/** Characters read of one piece, and links kept of it. */
const LENGTH = 262_144;
const LINK_LIMIT = 500;

/** Elements that lead to pages: anchors, areas and frames. */
const ADDRESSES: ReadonlyMap<string, readonly [attribute: string, kind: FoundLink['kind']]> = new Map([
  ['a', ['href', 'anchor']],
  ['area', ['href', 'area']],
  ['iframe', ['src', 'frame']],
  ['frame', ['src', 'frame']],
] as const);

/** @param base of the references, unless the piece is a document that names one */
export function fragmentLinks(html: string, base: string): readonly FoundLink[] {
  if (!/<(?:a|area|iframe|frame)[\s/]/i.test(html)) return [];
  const links: FoundLink[] = [];
  let named: string | null = null;
  const reader = {
    open: (name: string, attributes: Readonly<Record<string, string>>) => {
      if (name === 'base' && attributes['href'] !== undefined)
        named ??= parsedUrl(attributes['href'], base)?.href ?? null;
      const [attribute, kind] = ADDRESSES.get(name) ?? [null, null];
      const href = attribute === null ? undefined : attributes[attribute]?.trim();
      if (href === undefined || kind === null || href === '' || href.startsWith('#') || links.length >= LINK_LIMIT)
        return;
      if (isSentByScript((wanted) => attributes[wanted])) return;
      links.push(
        fileLink(href, named ?? base, { kind, context: `${name}/@${attribute}`, rel: relTokens(attributes['rel']) }),
      );
    },
  };
  readMarkup(html.slice(0, LENGTH), reader, { xml: false, lowerCase: true });
  return links;
}
