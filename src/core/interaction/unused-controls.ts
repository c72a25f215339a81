/** Controls of a page that promised something and were not used, as its budget was at its end or its scripts hung. Pure. */
import type { UnusedControls } from '../../model/page-actions.ts';
import type { PlannedAction } from './planned-action.ts';

/** Controls that are named. */
const NAMED = 3;
/** Characters of a name. */
const NAME_LENGTH = 40;

/** Null where nothing was left. @param pending actions that were still to be done @param limit that ended the use of the page */
export function unusedControls(
  pending: readonly PlannedAction[],
  limit: UnusedControls['limit'] | null,
): UnusedControls | null {
  if (limit === null) return null;
  const left = pending.filter(isMissed).map(({ candidate }) => candidate);
  const count = new Set(left.map(({ key }) => key)).size;
  const names = [...new Set(left.map(({ words }) => words.trim().slice(0, NAME_LENGTH)))].filter((name) => name !== '');
  return count === 0 ? null : { count, limit, names: names.slice(0, NAMED) };
}

/** Is it a use that a person would miss? A pointer that passes over an element, or a key, is tried besides. */
function isMissed({ action, candidate, isDestructive }: PlannedAction): boolean {
  const isUse = action === 'click' || action === 'select' || action === 'open' || action === 'enter';
  return isUse && !isDestructive && !candidate.guessed;
}
