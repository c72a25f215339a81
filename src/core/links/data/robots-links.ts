/** Lines of robots.txt as links: Sitemap lines, and the paths of rules. */
import type { FoundLink } from '../../../model/link.ts';

/** `context` of a Sitemap line. */
export const SITEMAP_LINE = 'robots.txt';
/** `context` of the path of a rule. */
export const RULE_LINE = { allow: 'robots.txt Allow', disallow: 'robots.txt Disallow' } as const;

/** Is the link a Sitemap line of robots.txt? */
export function isSitemapLine({ kind, context }: Pick<FoundLink, 'kind' | 'context'>): boolean {
  return kind === 'robots' && context === SITEMAP_LINE;
}

/** Does the address read like that of a sitemap? */
export function readsLikeSitemap(url: string): boolean {
  return /sitemap|\.xml(?:\.gz)?(?:[?#]|$)/i.test(url.replace(/^https?:\/\/[^/]*/, ''));
}
