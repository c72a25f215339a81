import type { Observation } from '../../model/audit-rule.ts';
import { differenceRule, shownValues, type PageFacet } from './facet.ts';
import { wordChange } from './word-change.ts';

/** Description, language and first headings. */
export const META: PageFacet = {
  name: 'meta',
  rule: differenceRule({
    id: 'changed-meta',
    severity: 'warning',
    category: 'documents',
    about: 'element',
    title: 'Page with another description, language or first heading',
    why: 'Search results, screen readers and previews go by them.',
  }),
  *compare({ page: old }, { page: now }, steady) {
    if (old.outcome !== 'captured' || now.outcome !== 'captured') return;
    const change = (what: string, before: string | null, after: string | null): Iterable<Observation> =>
      changed(what, { before, after }, steady);
    yield* change('description', old.description, now.description);
    yield* change('language', old.lang, now.lang);
    yield* change('first heading', old.h1.join(' | ') || null, now.h1.join(' | ') || null);
  },
};

function* changed(
  what: string,
  { before: old, after: now }: { readonly before: string | null; readonly after: string | null },
  steady: (line: string) => string,
): Generator<Observation> {
  const [before, after] = [steady(old ?? ''), steady(now ?? '')];
  if (before === after) return;
  const { shown, key } = wordChange(before, after);
  const [was, is] = shownValues(old, now);
  yield {
    message: `The ${what} was ${was}, and is ${is}`,
    thing: `${what}\n${key}`,
    evidence: { change: shown },
  };
}
