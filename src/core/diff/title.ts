import { differenceRule, shownValues, type PageFacet } from './facet.ts';
import { wordChange } from './word-change.ts';

export const TITLE: PageFacet = {
  name: 'title',
  rule: differenceRule({
    id: 'changed-title',
    severity: 'warning',
    category: 'documents',
    about: 'element',
    title: 'Page with another title',
    why: 'Tabs, bookmarks and search results name the page by its title.',
  }),
  *compare({ page: old }, { page: now }, steady) {
    if (old.title === null || now.title === null) return;
    const [before, after] = [steady(old.title), steady(now.title)];
    if (before === after) return;
    const { shown, key } = wordChange(before, after);
    const [was, is] = shownValues(old.title, now.title);
    yield {
      message: `The title was ${was}, and is ${is}`,
      thing: key,
      evidence: { change: shown },
    };
  },
};
