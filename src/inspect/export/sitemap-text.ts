/** Sitemaps by sitemaps.org: the text, and the pages that belong in. */
import { hidingDirective } from '../../core/audit-rules/hiding-directive.ts';
import type { StoredPage } from '../../crawl-folder/stored-lines.ts';

/** Limits of one file. */
export interface SitemapLimits {
  readonly urls: number;
  readonly bytes: number;
}

/** The protocol's limits. */
export const SITEMAP_LIMITS: SitemapLimits = { urls: 50_000, bytes: 50 * 1024 * 1024 };

const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';
const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
export const URLSET_HEAD: string = `${HEAD}<urlset xmlns="${NAMESPACE}">\n`;
export const URLSET_END = '</urlset>\n';

const HTML_TYPES: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml']);

/** Why a page does not belong in a sitemap; null where it does. */
type SitemapRefusal = 'not-captured' | 'not-html' | 'noindex' | 'canonical-elsewhere' | 'fragment' | 'leads-elsewhere';

/** @param canonical reads a page's canonical link as the crawl reads URLs; null for no URL */
export function sitemapRefusal(
  page: StoredPage,
  canonical: (link: string, base: string) => string | null,
): SitemapRefusal | null {
  if (page.outcome !== 'captured' || page.status !== 200) return 'not-captured';
  if (page.contentType !== null && !HTML_TYPES.has(page.contentType)) return 'not-html';
  if (hidingDirective(page.robots) !== null) return 'noindex';
  if (page.canonical !== null) {
    const named = canonical(page.canonical, page.finalUrl);
    if (named !== null && named !== page.url) return 'canonical-elsewhere';
  }
  if (page.url.includes('#')) return 'fragment'; // a route of a page's scripts; a sitemap names documents
  return placeOf(page.finalUrl) === placeOf(page.url) ? null : 'leads-elsewhere';
}

/** The URL without query and fragment, which scripts write to remember where a reader is, and without a slash at its end. */
function placeOf(url: string): string {
  return url.replace(/[?#][^]*$/, '').replace(/\/$/, '');
}

/** One entry. @param lastModified a date by W3C, or null where it is not known */
export function urlEntry(url: string, lastModified: string | null): string {
  const changed = lastModified === null ? '' : `<lastmod>${escaped(lastModified)}</lastmod>`;
  return `<url><loc>${escaped(url)}</loc>${changed}</url>\n`;
}

/** The index of several sitemaps. @param urls of the sitemaps */
export function sitemapIndex(urls: readonly string[]): string {
  const entries = urls.map((url) => `<sitemap><loc>${escaped(url)}</loc></sitemap>\n`);
  return `${HEAD}<sitemapindex xmlns="${NAMESPACE}">\n${entries.join('')}</sitemapindex>\n`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  "'": '&apos;',
  '"': '&quot;',
  '<': '&lt;',
  '>': '&gt;',
};

function escaped(text: string): string {
  return text.replace(/[&'"<>]/g, (character) => ENTITIES[character] ?? character);
}
