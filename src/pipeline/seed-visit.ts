import type { Scope } from '../core/scope/decide.ts';
import type { CanonicalUrl } from '../model/url/canonical-url.ts';
import type { Visit } from '../model/visit.ts';
import type { SitemapBook } from './sitemap-book.ts';

/** Is it the visit of a seed, or of a URL to which redirects led from one? A sitemap that redirects makes no seed. */
export function isSeedVisit(
  { depth, kind, url }: Pick<Visit, 'depth' | 'kind' | 'url'>,
  sitemaps: Pick<SitemapBook, 'placeOf'>,
): boolean {
  return depth === 0 && (kind === 'seed' || kind === 'redirect') && sitemaps.placeOf(url) === null;
}

/** The same options with a wider scope: what a seed's redirect itself makes known is judged by where it leads. */
export function withNewSeeds<Options extends { readonly scope: Scope }>(
  options: Options,
  newSeeds: readonly CanonicalUrl[],
): Options {
  return newSeeds.length === 0 ? options : { ...options, scope: options.scope.withSeeds(newSeeds) };
}
