import { differenceRule, shownValue, type PageFacet } from './facet.ts';

export const ROBOTS: PageFacet = {
  name: 'robots',
  rule: differenceRule({
    id: 'changed-robots',
    severity: 'error',
    category: 'documents',
    about: 'element',
    title: 'Page of which robots are told something else',
    why: 'noindex takes a page out of search results, and nofollow its links; what robots.txt forbids is not read at all.',
  }),
  *compare({ page: old }, { page: now }) {
    if (old.outcome !== 'captured' || now.outcome !== 'captured') return;
    const [before, after] = [directives(old.robots), directives(now.robots)];
    if (before === after) return;
    yield {
      message: `Robots were told ${shownValue(before)}, and are told ${shownValue(after)}`,
      thing: `${before}\n${after}`,
    };
  },
};

/** Directives without effect (`index`, `follow`, `all`) are left out. */
function directives(robots: readonly string[]): string {
  const said = robots.map((word) => word.trim().toLowerCase());
  return [...new Set(said)]
    .filter((word) => word !== '' && !/^(?:[^:]*: )?(?:index|follow|all)$/.test(word))
    .toSorted()
    .join(', ');
}
