/**
 * Which element is used next, and how. Pure: what is known of the page comes in, the next action goes out. The page goes from
 * state to state: what an action revealed is used before the rest, and what brought links is used again where it stands in
 * another state.
 */
import type { ActionKind, ActionCandidate } from '../../model/page-actions.ts';
import { timeForUse } from './time-for-use.ts';

/** An action on an element, to be done or done already. */
export interface PlannedAction {
  readonly candidate: ActionCandidate;
  readonly action: ActionKind;
  /** Which choice, which key; how often before for what is repeated. */
  readonly turn: number;
  /** Actions that revealed the element, outermost first. */
  readonly via: readonly PlannedAction[];
  /** Signature of the state that a repetition goes on from; null where any will do. */
  readonly from: string | null;
  /** Is the state that its `via` leads to to be brought about first, though the element may be there? */
  readonly restores: boolean;
  /** Does it, or what led to it, read as if it did harm? Nothing of it may leave the browser. */
  readonly isDestructive: boolean;
}

/** How an action went. */
export interface Yield {
  /** Links that were not there before. */
  readonly links: number;
  /** Did the page change at all? */
  readonly changed: boolean;
  /** Signature of the state that it left. */
  readonly state: string | null;
}

/** Kinds of element on the way to one: a menu in a menu in a menu. */
const DEPTH_LIMIT = 4;
/** Actions on the way to one, however alike. */
const VIA_LIMIT = 200;
/** Elements of one kind that are tried before any of them has brought something. */
const SAMPLE = 6;
/** The same for those that only look as if they could be used, and for what seldom brings anything. */
const GUESSED_SAMPLE = 3;
/** What seldom brings anything. */
const QUIET: ReadonlySet<ActionKind> = new Set(['leave', 'blur', 'wheel', 'drag']);
/** Choices of a select, what is written into a field: as long as they yield. */
const REPEATS = 30;
/** Clicks on one element, each of which brought something: the pages of a list. */
const CLICK_REPEATS = 300;
/** Choices without anything new, one after the other, after which the rest is left. */
const BARREN_CHOICES = 4;
/** Repetitions without anything new after which the like is not repeated, and not used again in other states. */
const FRUITLESS = 2;
/** Of a kind that has brought nothing lately: elements for which a short way back is gone. */
const SHORT_WAYS = 3;
/** States remembered in which something may be used again. */
const STATES = 50;
/** Page 7, and not "Chapter 7": where it leads it has led. */
const NUMBER_ONLY = /^[^\p{L}\d]*\d+[^\p{L}\d]*$/u;

interface TemplateCount {
  tried: number;
  barren: number;
}

/** A state of the page that brought links, and what could be used in it. */
interface UsableState {
  readonly via: readonly PlannedAction[];
  readonly keys: ReadonlySet<string>;
  /** Used, or to be used, in this state. */
  readonly used: Set<string>;
}

/** The actions of one page: which are to come, and which are not worth it. */
export class ActionPlan {
  readonly #submits: boolean;
  readonly #known = new Set<string>();
  readonly #templates = new Map<string, TemplateCount>();
  /** Keys of what has brought links, with how often since it was used in vain. */
  readonly #fruitful = new Map<string, number>();
  /** The same for repetitions of what is called alike but for figures. */
  readonly #repeated = new Map<string, number>();
  readonly #states: UsableState[] = [];
  /** Those revealed last come first; within one revelation in rounds, so that every kind is tried before any is tried often. */
  #levels: PlannedAction[][] = [];
  /** What reads as if it did harm: after all else. */
  #last: PlannedAction[] = [];
  /** Has the last action revealed something that was not known? */
  #revealed = false;
  /** The state in which the action that is under way began. */
  #begunIn: UsableState | undefined;

  constructor(submits: boolean) {
    this.#submits = submits;
  }

  /**
   * Takes in what is there now.
   * @param via what led here, outermost first
   * @param links how many links the last of it brought
   * @returns how many elements were not known
   */
  reveal(candidates: readonly ActionCandidate[], via: readonly PlannedAction[], links = 0): number {
    if (via.length > VIA_LIMIT || new Set(via.map(kindOf)).size > DEPTH_LIMIT) return 0;
    const fresh = candidates.filter(({ key }) => !this.#known.has(key));
    for (const { key } of fresh) this.#known.add(key);
    const isDestructive = via.some((step) => step.isDestructive);
    const planned = (candidate: ActionCandidate, action: ActionKind): PlannedAction => ({
      ...{ candidate, action, turn: 0, via, from: null, restores: false },
      isDestructive,
    });
    const now: PlannedAction[] = [];
    for (const candidate of fresh) {
      const time = timeForUse(candidate, this.#submits);
      if (time === 'now') now.push(...candidate.actions.map((action) => planned(candidate, action)));
      if (time === 'last') this.#last.push({ ...planned(candidate, 'click'), isDestructive: true });
    }
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
      else if (this.#isWorth(planned)) return planned;
    }
    return null;
  }

  /** When all else is done: plans what reads as if it did harm, and was put off. @returns whether there is any */
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
    else if (!isRepetition) count.barren += 1; // what has brought something and is at its end says nothing of its kind
    const repetition = { ...planned, turn: turn + 1, from: null, restores: false };
    if (action === 'select' || action === 'enter') {
      if (turn + 1 < Math.min(candidate.options, REPEATS) && count.barren < BARREN_CHOICES) this.#again(repetition);
    } else if (action === 'key') {
      if ((!changed || candidate.guessed) && turn + 1 < candidate.keyTurns) this.#again(repetition);
    } else if (action === 'click') {
      if (isRepetition) this.#learnRepetition(candidate, links);
      // what leads away, or to one place by its address, leads there again
      if (links > 0 && changed && how.state !== null) this.#goOn({ ...repetition, from: how.state }, planned);
    }
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

  /** What the action revealed comes first; where it is nothing, the repetition, before the way back undoes it. */
  #again(repetition: PlannedAction): void {
    this.#levels.splice(Math.max(0, this.#levels.length - (this.#revealed ? 1 : 0)), 0, [repetition]);
  }

  #mayRepeat(candidate: ActionCandidate): boolean {
    return !NUMBER_ONLY.test(candidate.words) && (this.#repeated.get(likenessOf(candidate)) ?? 0) < FRUITLESS;
  }

  #learnRepetition(candidate: ActionCandidate, links: number): void {
    const likeness = likenessOf(candidate);
    const known = this.#repeated.get(likeness);
    // one that was worth it once is worth it: it has come to an end, in this state
    if (links > 0) this.#repeated.set(likeness, Number.NEGATIVE_INFINITY);
    else this.#repeated.set(likeness, (known ?? 0) + 1);
    if (this.#fruitful.has(candidate.key)) {
      this.#fruitful.set(candidate.key, links > 0 ? 0 : (this.#fruitful.get(candidate.key) ?? 0) + 1);
    }
  }

  /** In a state that another kind of element brought about, what has brought links may bring others. */
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
      isDestructive: via.some(({ isDestructive }) => isDestructive),
    }));
  }

  /** What brings links for the first time was there in earlier states: it is used in them when all else is done. */
  #useInOtherStates(planned: PlannedAction): void {
    const { candidate } = planned;
    const isFirst = !this.#fruitful.has(candidate.key);
    if (isFirst) this.#fruitful.set(candidate.key, 0);
    for (const state of [this.#begunIn, this.#states.at(-1)]) state?.used.add(candidate.key);
    if (!isFirst || planned.isDestructive) return;
    for (const { via, keys, used } of this.#states) {
      if (!keys.has(candidate.key) || used.has(candidate.key) || via.some((step) => kindOf(step) === kindOf(planned)))
        continue;
      used.add(candidate.key);
      this.#levels.unshift([{ ...planned, turn: 1, via, from: null, restores: true }]);
    }
  }

  #isWorth(planned: PlannedAction): boolean {
    const { candidate, turn, restores } = planned;
    if (restores) return (this.#fruitful.get(candidate.key) ?? 0) < FRUITLESS;
    if (turn > 0) return true;
    const sample = candidate.guessed || QUIET.has(planned.action) ? GUESSED_SAMPLE : SAMPLE;
    return this.#countOf(planned).barren < sample;
  }

  #countOf(planned: PlannedAction): TemplateCount {
    const { candidate, action } = planned;
    const name = action === 'select' || action === 'enter' ? candidate.key : kindOf(planned);
    const known = this.#templates.get(name);
    if (known !== undefined) return known;
    const fresh = { tried: 0, barren: 0 };
    this.#templates.set(name, fresh);
    return fresh;
  }
}

function kindOf({ action, candidate }: Pick<PlannedAction, 'action' | 'candidate'>): string {
  return `${action} ${candidate.template}`;
}

function likenessOf({ template, words }: ActionCandidate): string {
  return `${template} ${words.replace(/\d+/g, '#')}`;
}

/** Elements with listeners that can be seen first; of each kind one, then of each kind a second one, and so on. */
function inRounds(actions: readonly PlannedAction[]): PlannedAction[] {
  const times = new Map<string, number>();
  const ranked = actions.map((planned, order) => {
    const { candidate } = planned;
    const name = kindOf(planned);
    const time = times.get(name) ?? 0;
    times.set(name, time + 1);
    const doubt =
      (candidate.guessed || QUIET.has(planned.action) ? 4 : 0) +
      (candidate.visible ? 0 : 2) +
      (candidate.listens ? 0 : 1);
    return { planned, round: Math.floor(time / 3), doubt, order };
  });
  ranked.sort((one, other) => one.round - other.round || one.doubt - other.doubt || one.order - other.order);
  return ranked.map(({ planned }) => planned);
}
