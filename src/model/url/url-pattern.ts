/**
 * What addresses made by one template have in common: numbers, ids, hashes and slugs of a path become places, of a query
 * only the names stay. Pages of one pattern mostly behave alike.
 */
import { parsedUrl } from '../../base/parsed-url.ts';

/** Longer words of letters, digits and hyphens are names of things, not of templates. */
const SLUG_HYPHENS = 3;
const ID_LENGTH = 16;
const SEGMENTS = 20;

/** `https://example.org/item/17?ref=home&page=2` → `https://example.org/item/0?page&ref`. */
export function addressPattern(address: string): string {
  const url = parsedUrl(address);
  if (url === null) return '';
  const { protocol, host, pathname, searchParams, hash } = url;
  const names = [...new Set(searchParams.keys())].sort().slice(0, SEGMENTS).map(folded);
  const query = names.length === 0 ? '' : `?${names.join('&')}`;
  // a fragment with a slash is the route of an application
  const route = hash.includes('/') ? foldedPath(hash.split('?', 1)[0] ?? '') : '';
  return `${protocol}//${host}${foldedPath(pathname)}${query}${route}`;
}

function foldedPath(path: string): string {
  return path.split('/').slice(0, SEGMENTS).map(folded).join('/');
}

function folded(segment: string): string {
  const isSlug = segment.split('-').length > SLUG_HYPHENS;
  const isId = segment.length >= ID_LENGTH && (/\d/.test(segment) || /[A-Z]/.test(segment));
  return isSlug || isId ? '*' : segment.replace(/\d+/g, '0').slice(0, ID_LENGTH * 4);
}
