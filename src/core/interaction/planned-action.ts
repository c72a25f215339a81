/** An action on an element of a page, and what it has in common with others. Pure. */
import { hash64 } from '../../base/hash.ts';
import type { ActionCandidate, ActionKind } from '../../model/page-actions.ts';

/** An action on an element, to be done or done already. */
export interface PlannedAction {
  readonly candidate: ActionCandidate;
  readonly action: ActionKind;
  /** Number of the choice or key; for a repetition the number of uses before. */
  readonly turn: number;
  /** Actions that revealed the element, outermost first. */
  readonly via: readonly PlannedAction[];
  /** Signature of the state that a repetition goes on from; null where any will do. */
  readonly from: string | null;
  /** Must the state that its `via` leads to be restored first, though the element may be there? */
  readonly restores: boolean;
  /** Does it, or an action that led to it, seem harmful? Nothing of it may leave the browser. */
  readonly isDestructive: boolean;
  /** The same for the same action on another page, by the kinds and words of the elements that lead to it; empty where it has none. */
  readonly name: string;
}

/** Actions on the way to one that has a name; with more, no two pages have it in common. */
const NAMED_STEPS = 6;
/** Characters of an element's words in its name. */
const NAME_WORDS = 100;

/** The name of an action: {@link PlannedAction.name}. @param via actions that reveal the element, outermost first */
export function actionName(candidate: ActionCandidate, action: ActionKind, via: readonly PlannedAction[]): string {
  const before = via.at(-1)?.name;
  const own = candidate.words === '' ? candidate.marks : candidate.words;
  // an element without words or marks, such as the page itself, may be anything on the next page
  if (before === '' || own === '' || via.length > NAMED_STEPS) return '';
  return hash64(`${before ?? ''} ${action} ${candidate.template} ${own.slice(0, NAME_WORDS)}`);
}

/** What elements of one kind have in common, used in the same way. */
export function actionKind({ action, candidate }: Pick<PlannedAction, 'action' | 'candidate'>): string {
  return `${action} ${candidate.template}`;
}

/** What elements of one kind have in common whose words differ at most in figures. */
export function likenessOf({ template, words }: ActionCandidate): string {
  return `${template} ${words.replace(/\d+/g, '#')}`;
}
