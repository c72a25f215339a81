/**
 * Finds the way to an element that the page does not show now: by the actions that led to it, from the present state of the page;
 * if that does not help, after Escape; last, after loading the document again.
 */
import type { ActionPlan } from '../../core/interaction/action-plan.ts';
import type { PlannedAction } from '../../core/interaction/planned-action.ts';
import { StateMap } from '../../core/interaction/state-map.ts';
import type { ActResult } from '../../model/page-actions.ts';
import { WAY_STEPS } from '../limits/interaction-limits.ts';
import type { UsedPage } from './used-page.ts';

type Step<Result> = (signal: AbortSignal) => Promise<Result>;

interface WaySteps {
  readonly act: (planned: PlannedAction, signal: AbortSignal) => Promise<ActResult['end']>;
  readonly list: Step<unknown>;
  readonly escape: Step<void>;
  readonly loadAgain: Step<boolean>;
  readonly mayGoOn: () => boolean;
}

export class WayBack {
  readonly #page: UsedPage;
  readonly #plan: ActionPlan;
  readonly #steps: WaySteps;
  readonly #map = new StateMap();
  /** The last action by each key. */
  readonly #controls = new Map<string, PlannedAction>();

  constructor(page: UsedPage, plan: ActionPlan, steps: WaySteps) {
    this.#page = page;
    this.#plan = plan;
    this.#steps = steps;
  }

  /** Called when an action was done, and the page listed since. */
  learn(planned: PlannedAction): void {
    if (planned.action !== 'click') return;
    const { key } = planned.candidate;
    this.#controls.set(key, planned);
    this.#map.learn(key, this.#page.there);
  }

  /** Does an action where its element is, by the cheapest way that works. @returns whether it was done */
  async reach(planned: PlannedAction, signal: AbortSignal): Promise<boolean> {
    const { act, list, escape, loadAgain } = this.#steps;
    if (planned.restores && !(await this.#restore(planned, signal))) return false;
    const end = await act(planned, signal);
    if (end !== 'gone') return end === 'done';
    await list(signal); // the element may have been drawn anew
    const walked = async (): Promise<boolean> => await this.#walk(planned, signal);
    const isNear = this.#page.there.has(planned.candidate.key) || this.#plan.isPromising(planned, 'short');
    if (isNear && (await walked())) return (await act(planned, signal)) === 'done';
    if (!this.#plan.isPromising(planned, 'long')) return false;
    if (await this.#byMap(planned, signal)) return (await act(planned, signal)) === 'done';
    await escape(signal);
    await list(signal);
    if (await walked()) return (await act(planned, signal)) === 'done';
    return (await loadAgain(signal)) && (await walked()) && (await act(planned, signal)) === 'done';
  }

  /** Does an action where its element is, or was drawn anew. @returns whether it was done */
  async repeat(planned: PlannedAction, signal: AbortSignal): Promise<boolean> {
    const { act, list } = this.#steps;
    const end = await act(planned, signal);
    if (end !== 'gone') return end === 'done';
    await list(signal);
    return (await act(planned, signal)) === 'done';
  }

  /** Restores the state in which an element was found, though the present state may have the element, too. */
  async #restore({ via }: PlannedAction, signal: AbortSignal): Promise<boolean> {
    const { act, list, loadAgain } = this.#steps;
    const last = via.at(-1);
    if (last === undefined) return loadAgain(signal);
    if (!(await this.#walk(last, signal)) || (await act(last, signal)) !== 'done') return false;
    await list(signal);
    return true;
  }

  /**
   * Repeats the actions that led to the element, from the last one that is possible now; repeated actions as often as before.
   * @returns whether the element is there
   */
  async #walk({ candidate, via }: PlannedAction, signal: AbortSignal): Promise<boolean> {
    const { act, list, mayGoOn } = this.#steps;
    const page = this.#page;
    let from = 0;
    let last = -1;
    let times = 0;
    for (let steps = 0; steps < WAY_STEPS && !page.there.has(candidate.key); steps++) {
      const at = via.findLastIndex((step, index) => index >= from && page.there.has(step.candidate.key));
      const step = via[at];
      if (step === undefined || !mayGoOn()) return false;
      const before = page.state?.signature;
      const end = await act(step, signal);
      await list(signal);
      if (end === 'done') this.learn(step);
      times = at === last ? times + 1 : 1;
      last = at;
      const isOn = end === 'done' && page.state?.signature !== before && times <= step.turn;
      from = isOn && step.action === 'click' ? at : at + 1;
    }
    return page.there.has(candidate.key);
  }
  /** Goes from state to state by other controls, as in a list whose pages have come close to the one that is wanted. */
  async #byMap({ candidate }: PlannedAction, signal: AbortSignal): Promise<boolean> {
    const { act, list, mayGoOn } = this.#steps;
    for (const key of this.#map.wayTo(candidate.key, this.#page.there) ?? []) {
      const step = this.#controls.get(key);
      if (step === undefined || !mayGoOn() || (await act(step, signal)) !== 'done') return false;
      await list(signal);
      this.learn(step);
    }
    return this.#page.there.has(candidate.key);
  }
}
