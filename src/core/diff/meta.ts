import type { Observation } from '../../model/audit-rule.ts';
import { differenceRule, shownValue, type PageFacet } from './facet.ts';
import { steadyText } from './volatile.ts';
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
  *compare({ page: old }, { page: now }) {
    if (old.outcome !== 'captured' || now.outcome !== 'captured') return;
    yield* changed('description', old.description, now.description);
    yield* changed('language', old.lang, now.lang);
    yield* changed('first heading', old.h1.join(' | ') || null, now.h1.join(' | ') || null);
  },
};

function* changed(what: string, old: string | null, now: string | null): Generator<Observation> {
  const [before, after] = [steadyText(old ?? ''), steadyText(now ?? '')];
  if (before === after) return;
  const { shown, key } = wordChange(before, after);
  yield {
    message: `The ${what} was ${shownValue(old)}, and is ${shownValue(now)}`,
    thing: `${what}\n${key}`,
    evidence: { change: shown },
  };
}
