/**
 * Final slashes that scripts write into a page's head. A generator names its pages without one, the server adds it, and then the scripts
 * write the canonical address, the alternates and `og:url` as the page's own address ends (Docusaurus without `trailingSlash`).
 */
import { parsedUrl } from '../../base/parsed-url.ts';
import type { FoundLink } from '../../model/link.ts';
import type { Page } from '../../model/page.ts';

/** The page as such scripts leave it. Null where they would change nothing: its markup names its very address, or another page. */
export function withFinalSlashes(page: Page): Page | null {
  const { canonical, finalUrl } = page;
  if (canonical === null || lastName(canonical) === '') return null;
  // the published site may be at another origin
  const [own, named] = [parsedUrl(finalUrl), parsedUrl(canonical, finalUrl)];
  if (named === null || own?.pathname !== `${named.pathname}/`) return null;
  const name = lastName(canonical);
  const foundLinks = page.foundLinks.map((each) =>
    isInHead(each) && lastName(each.href) === name ? { ...each, href: `${each.href}/`, resolved: null } : each,
  );
  return { ...page, canonical: `${canonical}/`, foundLinks };
}

function isInHead({ kind, context, rel }: FoundLink): boolean {
  if (context === 'meta[og:url]/@content') return true;
  return kind === 'link-element' && rel.some((each) => each === 'canonical' || each === 'alternate');
}

/** Empty where the address ends with a slash, or has more than a path. */
function lastName(address: string): string {
  return /[?#]/.test(address) ? '' : address.slice(address.lastIndexOf('/') + 1);
}
