/** Decides when an element is used: with the others, after them, or never. Pure. */
import type { ActionCandidate } from '../../model/page-actions.ts';
import { destructionOf } from './destructive-action.ts';

/**
 * An element that seems to change something is used last, and only while nothing leaves the browser; one that signs out or
 * sends a form, never. Where forms are to be sent (`submits`), one that sends is used like the rest.
 */
export function timeForUse(candidate: ActionCandidate, submits: boolean): 'now' | 'last' | 'never' {
  if (candidate.sends && !submits && !candidate.listens) return 'never';
  const destruction = destructionOf(candidate);
  if (destruction === null || (submits && destruction === 'commits')) return 'now';
  return destruction === 'signs out' || candidate.sends || !candidate.actions.includes('click') ? 'never' : 'last';
}
