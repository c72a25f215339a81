/** Addresses that meta elements hold, by their names: Open Graph, Twitter, App Links, Microsoft's tiles, citations. */
import type { RawLink } from '../../../model/page-facts.ts';
import { rawLink } from '../raw-link.ts';
import { beginsAsReference, isWebUrl, readsAsReference } from '../texts/reference-text.ts';
import { isAssetName } from '../texts/url-text.ts';

const PICTURE =
  /(?:^|[:._-])(?:image|images|img|logo|icon|thumbnail|thumbnailurl|photo|picture|video|audio|tileimage|square\d+x\d+logo|wide\d+x\d+logo|config|badge|contenturl|embedurl)(?:$|[:._-])|image$|:stream$/;
const PAGE =
  /(?:^|[:._-])(?:url|uri|link|href|see_also|permalink|canonical|identifier-url|starturl|player|sameas|mainentityofpage|item|discussionurl|target)$|(?:_url|[a-z]url)$|^article:(?:author|publisher)$/;
/** Names of addresses at which scripts ask or send: `action-cable-url` of Rails. */
const PROGRAM =
  /(?:^|[:._-])(?:api|ajax|beacon|cable|collector|csrf|endpoint|graphql|sockets?|tracking|upload|websocket|ws)(?:$|[:._-])/;

/** @param name of the meta element: its `property`, `name` or `itemprop`, lower case */
export function metaLinks(name: string, content: string): readonly RawLink[] {
  if (name === '' || !/[/.]/.test(content)) return [];
  const href = content.trim();
  const context = `meta[${name.slice(0, 80)}]/@content`;
  if (/^msapplication-(?:task|notification|badge)$/.test(name)) return pairs(href, context);
  if (PICTURE.test(name)) return isReference(href) ? [rawLink(href, 'resource', context)] : [];
  if (PROGRAM.test(name)) return isReference(href) ? [rawLink(href, 'resource', context, 'low')] : [];
  if (PAGE.test(name))
    return isReference(href) ? [rawLink(href, isAssetName(href) ? 'resource' : 'attribute', context)] : [];
  return isWebUrl(href) ? [rawLink(href, isAssetName(href) ? 'resource' : 'attribute', context, 'low')] : [];
}

function isReference(text: string): boolean {
  return readsAsReference(text) || (isAssetName(text) && !/[\s,;]/.test(text));
}

/** `name=Shop;action-uri=/shop;icon-uri=/shop.ico` */
function pairs(content: string, context: string): readonly RawLink[] {
  return [...content.matchAll(/(?:^|;)\s*([\w-]+-uri\d*)\s*=\s*([^;]+)/g)].flatMap(([, key = '', value = '']) => {
    const href = value.trim();
    if (!beginsAsReference(href)) return [];
    return [rawLink(href, key === 'action-uri' ? 'attribute' : 'resource', context)];
  });
}

/** Target of a meta refresh (HTML Standard, "shared declarative refresh steps"); null where it reloads the page. */
export function refreshTarget(content: string): string | null {
  const target = /^\s*[\d.]+\s*[;,\s]\s*(?:url\s*=\s*)?(.*)$/is.exec(content)?.[1]?.trim() ?? '';
  const quote = target[0] === '"' || target[0] === "'" ? target[0] : null;
  const href = quote === null ? target : (target.slice(1).split(quote, 1)[0] ?? '');
  return href === '' ? null : href;
}
