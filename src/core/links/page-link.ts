import { classOfKind } from '../../model/link-kinds.ts';
import type { FoundLink } from '../../model/link.ts';

/**
 * The values of `rel` of a `link` element to a part of this page, or to an address for machines (HTML Standard, table
 * of link types; microformats' list of extensions). The element leads to no other page.
 */
const RESOURCE_RELS: ReadonlySet<string> = new Set([
  'apple-touch-icon',
  'apple-touch-icon-precomposed',
  'apple-touch-startup-image',
  'compression-dictionary',
  'dns-prefetch',
  'edituri',
  'expect',
  'fluid-icon',
  'icon',
  'image_src',
  'manifest',
  'mask-icon',
  'modulepreload',
  'pingback',
  'preconnect',
  'prefetch',
  'preload',
  'profile',
  'stylesheet',
  'webmention',
  'wlwmanifest',
]);

/** May a found link lead to another page? A `link` without any rel names nothing at all. */
export function leadsToPage({ kind, rel, context }: Pick<FoundLink, 'kind' | 'rel' | 'context'>): boolean {
  if (classOfKind(kind) === 'subresource') return false;
  // a form that is sent by another method than GET cannot be visited at its address
  if (kind === 'form' && / (?:POST|DIALOG)$/.test(context)) return false;
  if (kind !== 'link-element') return true;
  return rel.length > 0 && !rel.some((token) => RESOURCE_RELS.has(token.toLowerCase()));
}
