import type { PlannedAction } from './planned-action.ts';

/** What earlier pages have taught about actions. */
export interface LearntActions {
  /** Takes note of an action that this page offers. */
  revealed(planned: PlannedAction): void;
  /** Has it led to the same places, or nowhere, on earlier pages? */
  isVain(planned: PlannedAction): boolean;
  /** Takes note of an action that is not done for that reason. */
  leftOut(planned: PlannedAction): void;
}

/** For the first page of all. */
export const NOTHING_LEARNT: LearntActions = { revealed: () => {}, isVain: () => false, leftOut: () => {} };
