/** Directives by which pages keep out of search results. */

/** The engine by whose results sites are judged; it reports pages of a sitemap that hide from it. */
const ENGINE = 'googlebot';

/**
 * The directive that keeps a page out of search results: one for all robots, or one for Google alone. Null where there is none.
 * @param robots directives as a page's record has them
 */
export function hidingDirective(robots: readonly string[]): string | null {
  return robots.find((each) => /^(?:noindex|none)$/.test(each.replace(`${ENGINE}: `, ''))) ?? null;
}

/** What such a directive says, and to whom: `none` says noindex, too. */
export function hidingWords(directive: string): string {
  return directive.startsWith(ENGINE) ? `noindex to ${ENGINE}` : 'noindex';
}
