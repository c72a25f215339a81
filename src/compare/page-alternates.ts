/** The versions of a page in other languages, each as a line `de: /de/`, as its markup names them. */
import { cutText } from '../base/cut-text.ts';
import { readMarkup } from '../base/markup-events.ts';
import { parsedUrl } from '../base/parsed-url.ts';
import type { SiteAddresses } from '../core/findings/site-address.ts';
import { relTokens } from '../core/links/page-link.ts';
import { steadyAddress } from '../model/url/steady-address.ts';

const NAMED = /<link\b[^<>]{0,2000}\bhreflang\b[^<>]{0,2000}>/gi;
/** Alternates of a page, characters of a language and of an address. Arbitrary; there are some 200 languages. */
const MOST = 1000;
const LANGUAGE = 60;
const ADDRESS = 2000;

/** The lines, sorted. */
export function alternateLines(html: string, url: string, addresses: SiteAddresses): readonly string[] {
  let end = 0;
  for (const { index, 0: tag } of html.matchAll(NAMED)) end = index + tag.length;
  const lines = new Set<string>();
  let base: string | null = null;
  if (end === 0) return [];
  const open = (name: string, { rel, hreflang, href }: Readonly<Record<string, string>>): void => {
    if (name === 'base' && href !== undefined) base ??= parsedUrl(href, url)?.href ?? url;
    if (name !== 'link' || hreflang === undefined || href === undefined || lines.size >= MOST) return;
    if (!relTokens(rel).includes('alternate')) return;
    const address = steadyAddress(addresses.relative(parsedUrl(href.trim(), base ?? url)?.href ?? href));
    lines.add(`${cutText(hreflang.trim().toLowerCase(), LANGUAGE)}: ${cutText(address, ADDRESS)}`);
  };
  readMarkup(html.slice(0, end), { open }, { xml: false, lowerCase: true });
  return [...lines].toSorted();
}
