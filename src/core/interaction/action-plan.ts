/** Which element is used next, and how. Pure: what is known of the page comes in, the next action goes out. */
import type { ActionKind, ActionCandidate } from '../../model/page-actions.ts';
import { destructionOf } from './destructive-action.ts';

/** An action on an element, to be done or done already. */
export interface PlannedAction {
  readonly candidate: ActionCandidate;
  readonly action: ActionKind;
  /** Which choice, which key; how often before for what is repeated. */
  readonly turn: number;
  /** Actions that revealed the element, outermost first. */
  readonly via: readonly PlannedAction[];
}

/** How an action went. */
export interface Yield {
  /** Links that were not there before. */
  readonly links: number;
  /** Did the page change at all? */
  readonly changed: boolean;
}

/** Actions within what actions revealed: a menu in a menu in a menu. */
const DEPTH_LIMIT = 4;
/** Elements of one kind that are tried before any of them has brought something. */
const SAMPLE = 6;
/** The same for those that only look as if they could be used. */
const GUESSED_SAMPLE = 3;
/** Choices of a select, pages of a list: as long as they yield. */
const REPEATS = 30;
/** Choices without anything new, one after the other, after which the rest is left. */
const BARREN_CHOICES = 4;

interface TemplateCount {
  tried: number;
  barren: number;
}

/** The actions of one page: which are to come, and which are not worth it. */
export class ActionPlan {
  readonly #submits: boolean;
  readonly #known = new Set<string>();
  readonly #templates = new Map<string, TemplateCount>();
  /** Those revealed last come first; within one revelation in rounds, so that every kind is tried before any is tried often. */
  #levels: PlannedAction[][] = [];
  /** Has the last action revealed something to use? */
  #revealed = false;

  constructor(submits: boolean) {
    this.#submits = submits;
  }

  /** Takes in what is there now. @returns how many elements were not known */
  reveal(candidates: readonly ActionCandidate[], via: readonly PlannedAction[]): number {
    if (via.length > DEPTH_LIMIT) return 0;
    const fresh = candidates.filter((candidate) => !this.#known.has(candidate.key));
    for (const { key } of fresh) this.#known.add(key);
    const usable = fresh.filter((candidate) => isHarmless(candidate, this.#submits));
    const actions = usable.flatMap((candidate) =>
      candidate.actions.map((action): PlannedAction => ({ candidate, action, turn: 0, via })),
    );
    if (actions.length > 0) this.#levels.push(inRounds(actions));
    this.#revealed = actions.length > 0;
    return fresh.length;
  }

  next(): PlannedAction | null {
    this.#revealed = false;
    for (let level = this.#levels.at(-1); level !== undefined; level = this.#levels.at(-1)) {
      const planned = level.shift();
      if (planned === undefined) this.#levels.pop();
      else if (this.#isWorth(planned)) return planned;
    }
    return null;
  }

  /** Learns from an action, and plans its repetition where that promises something. */
  ended(planned: PlannedAction, { links, changed }: Yield): void {
    const { candidate, action, turn, via } = planned;
    const count = this.#countOf(planned);
    count.tried += 1;
    count.barren = links > 0 ? 0 : count.barren + 1;
    const again = (): void => {
      const level = [{ candidate, action, turn: turn + 1, via }];
      // what the action revealed comes first; where it is nothing, the repetition, before the way back undoes it
      this.#levels.splice(Math.max(0, this.#levels.length - (this.#revealed ? 1 : 0)), 0, level);
    };
    if (action === 'select' || action === 'enter') {
      if (turn + 1 < Math.min(candidate.options, REPEATS) && count.barren < BARREN_CHOICES)
        this.#levels.push([{ candidate, action, turn: turn + 1, via }]);
      return;
    }
    if (action === 'key') {
      if ((!changed || candidate.guessed) && turn < 2) this.#levels.push([{ candidate, action, turn: turn + 1, via }]);
      return;
    }
    if (action === 'click' && links > 0 && turn < REPEATS) again();
  }

  /** Is it worth going a long way back for? */
  isPromising(planned: PlannedAction): boolean {
    const { tried, barren } = this.#countOf(planned);
    return tried === 0 || barren === 0;
  }

  #isWorth(planned: PlannedAction): boolean {
    if (planned.turn > 0) return true;
    return this.#countOf(planned).barren < (planned.candidate.guessed ? GUESSED_SAMPLE : SAMPLE);
  }

  #countOf({ candidate, action }: PlannedAction): TemplateCount {
    const name = action === 'select' || action === 'enter' ? candidate.key : `${action} ${candidate.template}`;
    const known = this.#templates.get(name);
    if (known !== undefined) return known;
    const fresh = { tried: 0, barren: 0 };
    this.#templates.set(name, fresh);
    return fresh;
  }
}

/** Is it to be touched at all? */
function isHarmless(candidate: ActionCandidate, submits: boolean): boolean {
  if (candidate.sends && !submits && !candidate.listens) return false;
  const harm = destructionOf(candidate);
  return harm === null || (harm === 'commits' && submits);
}

/** What listens and is seen first; of each kind one, then of each kind a second one, and so on. */
function inRounds(actions: readonly PlannedAction[]): PlannedAction[] {
  const times = new Map<string, number>();
  const ranked = actions.map((planned, order) => {
    const { candidate, action } = planned;
    const name = `${action} ${candidate.template}`;
    const time = times.get(name) ?? 0;
    times.set(name, time + 1);
    const doubt = (candidate.guessed ? 4 : 0) + (candidate.visible ? 0 : 2) + (candidate.listens ? 0 : 1);
    return { planned, round: Math.floor(time / 3), doubt, order };
  });
  ranked.sort((one, other) => one.round - other.round || one.doubt - other.doubt || one.order - other.order);
  return ranked.map(({ planned }) => planned);
}
