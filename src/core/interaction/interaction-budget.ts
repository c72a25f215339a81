/** The budget for using a page: actions, loads of its document and time. A page that goes on bringing links earns more, up to a bound. Pure. */
import { milliseconds, type Milliseconds } from '../../base/units.ts';

export interface BudgetLimits {
  /** Actions that may be done before any has brought anything. */
  readonly actions: number;
  /** Actions that may be earned besides. */
  readonly earnedActions: number;
  /** Loads of the document besides the first, and those that may be earned besides. */
  readonly reloads: number;
  readonly earnedReloads: number;
  readonly time: Milliseconds;
  readonly earnedTime: Milliseconds;
}

interface Moment {
  /** On the monotonic clock. */
  readonly now: Milliseconds;
  /** Time since the interaction began, without time in which the page only waited. */
  readonly spent: Milliseconds;
}

/** Earned by an action that brought links: it pays for itself, for a way back and for one that may bring nothing. */
const ACTIONS_EARNED = 3;
/** Earned by an action that brought links. */
const TIME_EARNED: Milliseconds = milliseconds(1000);

export class InteractionBudget {
  readonly #limits: BudgetLimits;
  readonly #until: Milliseconds;
  #actions = 0;
  #reloads = 0;
  #yields = 0;
  #earnedReloads = 0;
  /** Have links come since the last load of the document? */
  #yielded = false;

  /** @param until its latest end, whatever was earned; on the monotonic clock */
  constructor(limits: BudgetLimits, until: Milliseconds) {
    this.#limits = limits;
    this.#until = until;
  }

  /** Time in which actions may begin, with what was earned so far. */
  get time(): Milliseconds {
    const { time, earnedTime } = this.#limits;
    return milliseconds(time + Math.min(earnedTime, this.#yields * TIME_EARNED));
  }

  mayAct(moment: Moment): boolean {
    return this.exhausted(moment) === null;
  }

  /** What has come to its end; null while another action may be done. */
  exhausted({ now, spent }: Moment): 'time' | 'actions' | null {
    const { actions, earnedActions } = this.#limits;
    if (now >= this.#until || spent >= this.time) return 'time';
    return this.#actions < actions + Math.min(earnedActions, this.#yields * ACTIONS_EARNED) ? null : 'actions';
  }

  acted(): void {
    this.#actions += 1;
  }

  /** An action has brought links that were not there before. */
  yielded(): void {
    this.#yields += 1;
    this.#yielded = true;
  }

  /** Books a load of the document; false where there is none left. A load that brought links is given back. */
  reload(): boolean {
    const { reloads, earnedReloads } = this.#limits;
    if (this.#reloads > 0 && this.#yielded && this.#earnedReloads < earnedReloads) this.#earnedReloads += 1;
    this.#yielded = false;
    if (this.#reloads >= reloads + this.#earnedReloads) return false;
    this.#reloads += 1;
    return true;
  }
}
