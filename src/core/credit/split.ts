/**
 * How one page's cash is divided (Abiteboul, Preda & Cobena, WWW 2003). Integers only: no credit is created or lost. This
 * is the readable form of what the frontier's script does in one step with the rest of a commit.
 */
import { credits, type Credits } from '../../base/units.ts';

/**
 * The lambda page takes a tenth of what every page pays: a chain of traps keeps 0.9^k of its credit (design/scheduling,
 * "Credit").
 */
const TAX_DIVISOR = 10;

interface CashSplit {
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
  // Exact: below 2^53 a quotient that is not whole lies further from the next whole number than rounding reaches.
  const perLink = credits(Math.floor((cash - Math.floor(cash / TAX_DIVISOR)) / links));
  return { perLink, lambda: credits(cash - perLink * links) };
}
