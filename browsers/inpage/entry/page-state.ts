import { escape } from '../act.ts';
import { pageState } from '../page-state.ts';

/** @param before the action to do first */
export function run(before: 'nothing' | 'escape' | 'back'): string {
  if (before === 'escape') escape();
  if (before === 'back') history.back();
  return JSON.stringify(pageState());
}
