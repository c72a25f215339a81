/**
 * Chooses the next element to use, and the action. Pure: facts of the page come in, the next action goes out. The page goes from state to
 * state: elements that an action revealed are used before the rest, and those that brought links are used again in other states.
 */
import type { ActionKind, ActionCandidate } from '../../model/page-actions.ts';
import { NOTHING_LEARNT, type LearntActions } from './learnt-actions.ts';
import { PageTurns } from './page-turns.ts';
import { actionKind, likenessOf, actionName, type PlannedAction } from './planned-action.ts';
import { timeForUse } from './time-for-use.ts';

/** Result of an action. */
export interface Yield {
  /** Links that were not there before. */
  readonly links: number;
  /** Did the page change at all? */
  readonly changed: boolean;
  /** Signature of the state after it. */
  readonly state: string | null;
}

/** Most kinds of element on the way to one: a menu in a menu in a menu. */
const DEPTH_LIMIT = 4;
/** Most actions on the way to one, however alike. */
const VIA_LIMIT = 200;
/** Elements of one kind that are tried while none of them has brought anything. */
const SAMPLE = 6;
/** The same for elements that only look usable, and for actions that seldom bring anything. */
const GUESSED_SAMPLE = 3;
/** Actions that seldom bring anything. */
const QUIET: ReadonlySet<ActionKind> = new Set(['leave', 'blur', 'wheel', 'drag']);
/** Actions that bring less than clicks: libraries of components listen to them on each button for its looks. */
const SECONDARY: ReadonlySet<ActionKind> = new Set(['focus', 'key', 'press', 'double']);
/** Elements of a revealed kind that are used at once while none of them brings anything; the others wait until all else is done. */
const AT_ONCE = 3;
/** Most choices of a select, or texts for a field, as long as they yield. */
const REPEATS = 30;
/** Most clicks on one element, if each brings something: the pages of a list. */
const CLICK_REPEATS = 300;
/** Choices in a row without anything new, after which the rest is skipped. */
const BARREN_CHOICES = 4;
/** Repetitions without anything new after which similar elements are not repeated, and not used again in other states. */
const FRUITLESS = 2;
/** Barren uses of a kind from which on even a short way back is not worth it. */
const SHORT_WAYS = 3;
/** Most states remembered in which an element may be used again. */
const STATES = 50;
/** A bare number (page 7, not "Chapter 7"): a repetition leads to the same place. */
const NUMBER_ONLY = /^[^\p{L}\d]*\d+[^\p{L}\d]*$/u;

interface TemplateCount {
  tried: number;
  barren: number;
}

/** A state of the page that brought links, and the elements that could be used in it. */
interface UsableState {
  readonly via: readonly PlannedAction[];
  readonly keys: ReadonlySet<string>;
  /** Keys of elements used, or to be used, in this state. */
  readonly used: Set<string>;
}

/** The actions of one page: plans them, and drops those that are not worth it. */
export class ActionPlan {
  readonly #submits: boolean;
  readonly #learnt: LearntActions;
  readonly #known = new Set<string>();
  readonly #templates = new Map<string, TemplateCount>();
  /** Keys of elements that brought links, with the number of vain uses since. */
  readonly #fruitful = new Map<string, number>();
  /** The same for repetitions of elements whose names differ at most in figures. */
  readonly #repeated = new Map<string, number>();
  readonly #states: UsableState[] = [];
  readonly #pageTurns = new PageTurns<PlannedAction>();
  /** Actions revealed last come first; within one revelation in rounds, so that every kind is tried before any is tried often. */
  #levels: PlannedAction[][] = [];
  /** Actions that seem harmful: they come after all others. */
  #last: PlannedAction[] = [];
  /** Revealed actions that wait until all else but the harmful ones is done. */
  readonly #waiting = new Set<PlannedAction>();
  /** Has the last action revealed unknown elements? */
  #revealed = false;
  /** The state in which the current action began. */
  #begunIn: UsableState | undefined;

  constructor(submits: boolean, learnt: LearntActions = NOTHING_LEARNT) {
    this.#submits = submits;
    this.#learnt = learnt;
  }

  /** Actions that are still to be done, without those that wait for the end since they promise little. */
  get pending(): readonly PlannedAction[] {
    return [...this.#levels.flat(), ...this.#last].filter(
      (planned) => !this.#waiting.has(planned) && this.#isWorth(planned) && !this.#learnt.isVain(planned),
    );
  }

  /**
   * Takes in the elements that are there now.
   * @param via actions that led here, outermost first
   * @param links number of links that the last of them brought
   * @returns number of elements that were not known
   */
  reveal(candidates: readonly ActionCandidate[], via: readonly PlannedAction[], links = 0): number {
    if (via.length > VIA_LIMIT || new Set(via.map(actionKind)).size > DEPTH_LIMIT) return 0;
    const fresh = candidates.filter(({ key }) => !this.#known.has(key));
    for (const { key } of fresh) this.#known.add(key);
    const isDestructive = via.some((step) => step.isDestructive);
    const planned = (candidate: ActionCandidate, action: ActionKind): PlannedAction => ({
      ...{ candidate, action, turn: 0, via, from: null, restores: false },
      ...{ isDestructive, name: actionName(candidate, action, via) },
    });
    const now: PlannedAction[] = [];
    for (const candidate of fresh) {
      const time = timeForUse(candidate, this.#submits);
      if (time === 'now') now.push(...candidate.actions.map((action) => planned(candidate, action)));
      if (time === 'last') this.#last.push({ ...planned(candidate, 'click'), isDestructive: true });
    }
    for (const one of now) this.#learnt.revealed(one);
    const again = via.length === 0 || links > 0 ? this.#usableAgain(candidates, via) : [];
    this.#levels.push(...[again, inRounds(now)].filter((level) => level.length > 0));
    this.#revealed = now.length > 0;
    return fresh.length;
  }

  next(): PlannedAction | null {
    this.#revealed = false;
    this.#begunIn = this.#states.at(-1);
    for (let level = this.#levels.at(-1); level !== undefined; level = this.#levels.at(-1)) {
      const planned = level.shift();
      if (planned === undefined) this.#levels.pop();
      else if (!this.#isWorth(planned)) this.#waiting.delete(planned);
      else if (this.#learnt.isVain(planned)) this.#leaveOut(planned);
      else if (this.#mayWait(planned)) this.#waiting.add(planned);
      else return planned;
      if (this.#levels.length === 0 && this.#waiting.size > 0) this.#levels.push([...this.#waiting]);
    }
    return null;
  }

  /** A table that each click draws anew reveals its cells again and again: they would spend the budget of the page. */
  #mayWait(planned: PlannedAction): boolean {
    const { via, turn, action, candidate } = planned;
    if (via.length === 0 || turn > 0 || this.#waiting.delete(planned)) return false;
    const isDoubtful = candidate.guessed || QUIET.has(action) || SECONDARY.has(action);
    return isDoubtful || this.#countOf(planned).barren >= AT_ONCE;
  }

  /** When all else is done: plans the actions that seem harmful and were put off. @returns whether there are any */
  takeLast(): boolean {
    const last = inRounds(this.#last);
    this.#last = [];
    if (last.length > 0) this.#levels.push(last);
    return last.length > 0;
  }

  /** Learns from an action, and plans its repetition where that promises something. */
  ended(planned: PlannedAction, how: Yield): void {
    const { links, changed } = how;
    const { candidate, action, turn } = planned;
    const count = this.#countOf(planned);
    const isRepetition = (action === 'click' || action === 'key') && turn > 0;
    count.tried += 1;
    if (links > 0) count.barren = 0;
    else if (!isRepetition) count.barren += 1; // an element that brought something and is at its end says nothing of its kind
    const repetition = { ...planned, turn: turn + 1, from: null, restores: false };
    if (action === 'select' || action === 'enter') {
      if (turn + 1 < Math.min(candidate.options, REPEATS) && count.barren < BARREN_CHOICES) this.#again(repetition);
    } else if (action === 'key') {
      if ((!changed || candidate.guessed) && turn + 1 < candidate.keyTurns) this.#again(repetition);
    } else if (action === 'click') {
      if (isRepetition) this.#learnRepetition(candidate, links);
      // an element that leads away, or to a fixed address, would lead there again
      const onward = { ...repetition, from: how.state };
      if (links > 0 && changed && how.state !== null) this.#goOn(onward, planned);
      else if (this.#revealed && how.state !== null) this.#pageTurns.revealed(planned, onward);
    }
    const turns = links > 0 ? this.#pageTurns.learn(actionKind(planned), planned.via.at(-1) ?? null) : [];
    for (const [turn, onward] of turns) this.#turn(turn, onward);
  }

  /** Plans to turn a list's pages further, after the rest of the page that the last turn revealed. */
  #turn(by: PlannedAction, onward: PlannedAction): void {
    if (onward.turn > CLICK_REPEATS || NUMBER_ONLY.test(onward.candidate.words)) return;
    this.#repeated.set(likenessOf(onward.candidate), Number.NEGATIVE_INFINITY);
    const rest = this.#levels.findIndex((level) => level.some(({ via }) => via.at(-1) === by));
    this.#levels.splice(rest === -1 ? this.#levels.length : rest, 0, [onward]);
  }

  #goOn(repetition: PlannedAction, planned: PlannedAction): void {
    this.#useInOtherStates(planned);
    const { candidate, turn } = repetition;
    if (turn <= CLICK_REPEATS && this.#mayRepeat(candidate)) this.#again(repetition);
  }

  /** Is it worth going back for? A long way is one that loads the document again. */
  isPromising(planned: PlannedAction, way: 'short' | 'long'): boolean {
    const { tried, barren } = this.#countOf(planned);
    return tried === 0 || barren === 0 || (way === 'short' && barren < SHORT_WAYS);
  }

  /** Puts the repetition behind the elements that the action revealed; without any it comes first, before the way back undoes it. */
  #again(repetition: PlannedAction): void {
    this.#levels.splice(Math.max(0, this.#levels.length - (this.#revealed ? 1 : 0)), 0, [repetition]);
  }

  #mayRepeat(candidate: ActionCandidate): boolean {
    return !NUMBER_ONLY.test(candidate.words) && (this.#repeated.get(likenessOf(candidate)) ?? 0) < FRUITLESS;
  }

  #learnRepetition(candidate: ActionCandidate, links: number): void {
    const likeness = likenessOf(candidate);
    // a repetition that once paid stays worth it: it has only come to an end in this state
    this.#repeated.set(likeness, links > 0 ? Number.NEGATIVE_INFINITY : (this.#repeated.get(likeness) ?? 0) + 1);
    const vain = this.#fruitful.get(candidate.key);
    if (vain !== undefined) this.#fruitful.set(candidate.key, links > 0 ? 0 : vain + 1);
  }

  /** In a state that another kind of element brought about, elements that brought links may bring others. */
  #usableAgain(candidates: readonly ActionCandidate[], via: readonly PlannedAction[]): PlannedAction[] {
    const by = via.at(-1)?.candidate;
    const isElse = (candidate: ActionCandidate): boolean => by === undefined || candidate.template !== by.template;
    const others = candidates.filter(isElse);
    const again = others.filter(({ key }) => (this.#fruitful.get(key) ?? FRUITLESS) < FRUITLESS);
    if (this.#states.length < STATES) {
      const keys = new Set(others.map(({ key }) => key));
      this.#states.push({ via, keys, used: new Set(again.map(({ key }) => key)) });
    }
    return again.map((candidate) => ({
      ...{ candidate, action: 'click', turn: 1, via, from: null, restores: false },
      name: actionName(candidate, 'click', via),
      isDestructive: via.some(({ isDestructive }) => isDestructive),
    }));
  }

  /** An element that brings links for the first time is used in earlier states that had it, when all else is done. */
  #useInOtherStates(planned: PlannedAction): void {
    const { candidate } = planned;
    const isFirst = !this.#fruitful.has(candidate.key);
    if (isFirst) this.#fruitful.set(candidate.key, 0);
    for (const state of [this.#begunIn, this.#states.at(-1)]) state?.used.add(candidate.key);
    if (!isFirst || planned.isDestructive) return;
    for (const { via, keys, used } of this.#states) {
      if (
        !keys.has(candidate.key) ||
        used.has(candidate.key) ||
        via.some((step) => actionKind(step) === actionKind(planned))
      )
        continue;
      used.add(candidate.key);
      const name = actionName(candidate, planned.action, via);
      this.#levels.unshift([{ ...planned, turn: 1, via, from: null, restores: true, name }]);
    }
  }

  #isWorth(planned: PlannedAction): boolean {
    const { candidate, turn, restores } = planned;
    if (restores) return (this.#fruitful.get(candidate.key) ?? 0) < FRUITLESS;
    if (turn > 0) return true;
    const sample = candidate.guessed || QUIET.has(planned.action) ? GUESSED_SAMPLE : SAMPLE;
    return this.#countOf(planned).barren < sample;
  }

  #leaveOut(planned: PlannedAction): void {
    this.#waiting.delete(planned);
    this.#learnt.leftOut(planned);
  }

  #countOf(planned: PlannedAction): TemplateCount {
    const { candidate, action } = planned;
    const name = action === 'select' || action === 'enter' ? candidate.key : actionKind(planned);
    const known = this.#templates.get(name);
    if (known !== undefined) return known;
    const fresh = { tried: 0, barren: 0 };
    this.#templates.set(name, fresh);
    return fresh;
  }
}

/** Elements with listeners that can be seen first, and their clicks before the rest; in rounds, each with up to three of each kind. */
function inRounds(actions: readonly PlannedAction[]): PlannedAction[] {
  const times = new Map<string, number>();
  const ranked = actions.map((planned, order) => {
    const { candidate } = planned;
    const name = actionKind(planned);
    const time = times.get(name) ?? 0;
    times.set(name, time + 1);
    const doubt =
      (candidate.guessed || QUIET.has(planned.action) ? 4 : 0) +
      (candidate.visible ? 0 : 2) +
      (candidate.listens ? 0 : 1);
    return { planned, round: Math.floor(time / 3), doubt, turn: SECONDARY.has(planned.action) ? 1 : 0, order };
  });
  ranked.sort(
    (one, other) =>
      one.round - other.round || one.doubt - other.doubt || one.turn - other.turn || one.order - other.order,
  );
  return ranked.map(({ planned }) => planned);
}
