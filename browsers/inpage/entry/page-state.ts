import { escape } from '../act.ts';
import { pageState } from '../page-state.ts';

/** @param before what is done first */
export function run(before: 'nothing' | 'escape' | 'back'): string {
  if (before === 'escape') escape();
  if (before === 'back') history.back();
  return JSON.stringify(pageState());
}
