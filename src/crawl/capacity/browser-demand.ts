/** The share of visits that need a page of the browser, by the last ones. */
import { assertNever } from '../../base/assert-never.ts';
import type { VisitOutcome } from '../../model/visit-outcome.ts';

/** The last visits count, each older one a little less: some fifty of them in all. */
const NEWEST = 0.02;

export class BrowserDemand {
  #share: number;
  readonly #varies: boolean;

  /** Until visits have shown something else, all are expected to need a page; with `never` none. */
  constructor(rendering: 'always' | 'auto' | 'never') {
    this.#share = rendering === 'never' ? 0 : 1;
    this.#varies = rendering === 'auto';
  }

  /** 0 to 1 */
  get share(): number {
    return this.#share;
  }

  /** Call it with the outcome of each visit; null: the visit was given back. */
  note(outcome: VisitOutcome | null): void {
    if (!this.#varies || outcome === null) return;
    this.#share += ((neededPage(outcome) ? 1 : 0) - this.#share) * NEWEST;
  }
}

function neededPage(outcome: VisitOutcome): boolean {
  switch (outcome.kind) {
    case 'captured':
      return outcome.page.rendered;
    case 'timed-out':
    case 'crashed':
      return true; // whatever the page was, it held a slot for long
    case 'redirected':
    case 'not-html':
    case 'http-error':
    case 'throttled':
    case 'unreachable':
    case 'disallowed':
    case 'blocked-address':
    case 'too-large':
    case 'signs-out':
      return false;
    default:
      return assertNever(outcome);
  }
}
