import type { SiteRule } from '../../model/audit-rule.ts';
import { isIndexable } from './indexable.ts';

export const missingCanonical: SiteRule = {
  id: 'missing-canonical',
  severity: 'notice',
  category: 'documents',
  about: 'page',
  title: 'Page without a canonical link, on a site that has them',
  why: 'Most pages of the site name the address by which they want to be known, and this one leaves it to guessing.',
  fix: 'Give the page a link element with rel=canonical, as the others have.',
  source: { name: 'RFC 6596: The Canonical Link Relation', url: 'https://www.rfc-editor.org/rfc/rfc6596.html' },
  *checkSite({ pages }) {
    const indexable = pages.filter(isIndexable);
    const without = indexable.filter(({ canonicals }) => canonicals.length === 0);
    if (without.length * 2 >= indexable.length) return;
    for (const { url } of without) yield { url, message: 'The page names no canonical address, as most others do' };
  },
};
