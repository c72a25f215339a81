import type { CandidateInput, CandidateList } from '../../../src/model/page-actions.ts';
import { findCandidates } from '../candidates.ts';
import { composedElements, EXPLORED_ELEMENTS } from '../composed-tree.ts';
import { findForms } from '../forms.ts';
import { listenersOf } from '../listeners.ts';
import { pageState } from '../page-state.ts';

export function run({ forms, keys, ...framework }: CandidateInput): string {
  const elements = composedElements(EXPLORED_ELEMENTS);
  const candidates = findCandidates(elements, listenersOf(elements, framework), keys);
  const list: CandidateList = { state: pageState(elements), candidates, forms: forms ? findForms() : [] };
  return JSON.stringify(list);
}
