import { differenceRule, shownAddress, shownValue, type PageFacet } from './facet.ts';
import { steadyAddress } from '../../model/url/steady-address.ts';

export const CANONICAL: PageFacet = {
  name: 'canonical',
  rule: differenceRule({
    id: 'changed-canonical',
    severity: 'error',
    category: 'documents',
    about: 'page',
    title: 'Page that names another canonical address',
    why: 'Search engines list the address that it names, and may leave this one out.',
  }),
  *compare({ page: old }, { page: now }) {
    if (old.outcome !== 'captured' || now.outcome !== 'captured') return;
    if (steadyAddress(old.canonical ?? '') === steadyAddress(now.canonical ?? '')) return;
    // a page that moved names its new address
    if (old.canonical === old.address && now.canonical === now.address) return;
    const [before, after] = [old, now].map(({ canonical }) => shownValue(shownAddress(canonical)));
    yield { message: `The canonical address was ${before}, and is ${after}` };
  },
};
