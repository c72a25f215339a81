import { differenceRule, shownAddress, type PageFacet } from './facet.ts';
import { steadyAddress } from '../../model/url/steady-address.ts';

export const REDIRECTS: PageFacet = {
  name: 'redirects',
  rule: differenceRule({
    id: 'changed-redirects',
    severity: 'warning',
    category: 'links',
    about: 'page',
    title: 'Redirect that leads elsewhere, or in another way',
    why: 'Readers and search engines who have the address come to another page.',
  }),
  *compare({ page: old }, { page: now }) {
    if (old.outcome !== 'redirected' || now.outcome !== 'redirected') return;
    const sameTarget = steadyAddress(old.redirect ?? '') === steadyAddress(now.redirect ?? '');
    if (sameTarget && old.status === now.status) return;
    const words = ({ status, redirect }: typeof old): string =>
      `${shownAddress(redirect) ?? 'nowhere'} (status ${status ?? 'unknown'})`;
    yield { message: `It redirected to ${words(old)}, and now to ${words(now)}` };
  },
};
