import type { CandidateList, FrameworkListeners } from '../../../src/model/page-actions.ts';
import { findCandidates } from '../candidates.ts';
import { composedElements, EXPLORED_ELEMENTS } from '../composed-tree.ts';
import { listenersOf } from '../listeners.ts';
import { pageState } from '../page-state.ts';

export function run(framework: FrameworkListeners): string {
  const elements = composedElements(EXPLORED_ELEMENTS);
  const candidates = findCandidates(elements, listenersOf(elements, framework));
  const list: CandidateList = { state: pageState(elements), candidates, forms: [] };
  return JSON.stringify(list);
}
