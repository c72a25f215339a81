/**
 * How one page's cash is divided (Abiteboul, Preda & Cobena, WWW 2003). Integers only: no credit is created or lost. This
 * is the readable form of what the frontier's script does in one step with the rest of a settlement.
 */
import { credits, type Credits } from '../../base/units.ts';

/** Tax that every page pays to the lambda page, in percent: a chain of traps keeps 0.9^k of its credit (A1.5, A1.9). */
export const LAMBDA_PERCENT = 10;

export interface CashSplit {
  /** What each link gets. */
  readonly perLink: Credits;
  /** What the lambda page gets: its tax, and the remainder of the division. */
  readonly lambda: Credits;
}

/**
 * Divides the cash of a page among its links in equal shares.
 * @param links different targets that take part, 0 or more; a page without any pays all to the lambda page
 */
export function splitCash(cash: Credits, links: number): CashSplit {
  if (links === 0) return { perLink: credits(0), lambda: cash };
  // The tax first and by itself, so that the product stays below 2^53: 2^52 · 0.9 as a double would be rounded.
  const tax = Math.floor(cash / 100) * LAMBDA_PERCENT + Math.floor(((cash % 100) * LAMBDA_PERCENT) / 100);
  const perLink = credits(Math.floor((cash - tax) / links));
  return { perLink, lambda: credits(cash - perLink * links) };
}
