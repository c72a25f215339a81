/** Which pages are duplicates, and which may well have a text in common. */
import type { PageSummary, SiteFacts } from '../../model/audit-facts.ts';
import { isIndexable } from './indexable.ts';

/** Below this similarity, pages with titles of their own share a long list or a menu more often than a text. Arbitrary. */
const ALIKE = 0.98;

/** Is the page a duplicate, and not settled? The rule near-duplicate reports these and no others. */
export function isNearDuplicate(page: PageSummary, site: Pick<SiteFacts, 'page'>): boolean {
  const { url, title, canonicals, duplicateOf, similarity } = page;
  const original = duplicateOf === null ? null : site.page(duplicateOf);
  // search engines ignore routes behind #
  if (original === null || url.includes('#') || areTranslations(page, original)) return false;
  // a page that names another one as canonical, or is not to be listed, has settled it
  if (!isIndexable(page) || !isIndexable(original)) return false;
  const alike = similarity ?? 1;
  // pages that each name themselves are meant to be two, as variants of a product are
  if (canonicals.length > 0) return alike === 1 || title === original.title;
  return alike >= ALIKE || title === '' || title === original.title;
}

/** Does one of both name the other as an alternate, or do both name the same page? Alternates that lead elsewhere say nothing about the two. */
function areTranslations(one: PageSummary, other: PageSummary): boolean {
  const named = new Set(other.alternates.map(({ url }) => url));
  return named.has(one.url) || one.alternates.some(({ url }) => url === other.url || (url !== null && named.has(url)));
}

/**
 * The pages of a group that are to differ: without duplicates, which are findings of their own, and each page once in its translations,
 * which may share the name of a product.
 */
export function withoutDuplicates(
  pages: readonly PageSummary[],
  site: Pick<SiteFacts, 'page'>,
): readonly PageSummary[] {
  return withoutTranslations(pages.filter((page) => !isNearDuplicate(page, site) && !isCopiedRoute(page)));
}

function isCopiedRoute({ url, duplicateOf }: PageSummary): boolean {
  return duplicateOf !== null && url.includes('#');
}

/** Translations name each other as alternates. */
function withoutTranslations(pages: readonly PageSummary[]): readonly PageSummary[] {
  const named = new Set<string>();
  return pages.filter(({ url, alternates }) => {
    const others = alternates.filter((other) => other.url !== url);
    const isTranslation = others.some((other) => named.has(`${other.url} ${url}`));
    for (const other of others) named.add(`${url} ${other.url}`);
    return !isTranslation;
  });
}
