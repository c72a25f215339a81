/**
 * What actions on earlier pages of a host brought. A menu that stands on every page brings the same links on each: it is used on the first
 * pages, and the others have its time for the rest. Pages of an application often share nothing but their host, so the yield of pages
 * with similar addresses (template-memory.ts) does not tell. Pure.
 */
import { hash64 } from '../../base/hash.ts';
import { LruMap } from '../../base/lru-map.ts';
import { parsedUrl } from '../../base/parsed-url.ts';
import type { LearntActions } from './learnt-actions.ts';
import { actionKind, type PlannedAction } from './planned-action.ts';

/** Pages in a row on which an action led nowhere but where it had led before, after which it is left out. */
const VAIN_PAGES = 3;
/** The same for an action that never brought anything. */
const BARREN_PAGES = 5;
/** Pages on which an action is left out before it is used again, with all that it reveals. */
const LOOK_AGAIN = 10;
/** Elements of one kind with the same words are many things ("Show", in each row): so many of them are used on each page. */
const SHARED_SAMPLE = 2;
/** Uses of one kind of element that brought nothing, on the pages so far; of such a kind only one is used on each page. */
const BARREN_USES = 12;
/** Actions remembered of all hosts, kinds of elements, and targets of each action; a menu of 200 links has some 400. */
const ACTIONS = 20_000;
const KINDS = 10_000;
const TARGETS = 100_000;

interface Known {
  /** Has it ever brought anything? */
  fruitful: boolean;
  /** Pages in a row on which it led nowhere else. */
  vain: number;
  /** Pages since it was used last. */
  passed: number;
  /** The page that it was used on last: to come to that one again shows nothing of others. */
  last: string;
}

interface Kept {
  readonly actions: LruMap<string, Known>;
  /** Uses without any yield since the last one that had some. */
  readonly kinds: LruMap<string, number>;
  readonly targets: LruMap<string, true>;
}

export class ActionMemory {
  readonly #kept: Kept = {
    actions: new LruMap(ACTIONS),
    kinds: new LruMap(KINDS),
    targets: new LruMap(TARGETS),
  };

  /** @param url of a page that is to be used */
  onPage(url: string): PageActions {
    return new PageActions(this.#kept, url);
  }
}

/** The actions on one page, with what is known of them. */
export class PageActions implements LearntActions {
  readonly #kept: Kept;
  /** The page's address, as a hash. */
  readonly #page: string;
  readonly #host: string;
  /** Names of the actions done here, each with the targets that it, or one after it, led to. */
  readonly #brought = new Map<string, Set<string>>();
  readonly #leftOut = new Set<string>();
  /** Names of actions that led somewhere else here. */
  readonly #fresh = new Set<string>();
  /** Elements here with that name. */
  readonly #there = new Map<string, number>();
  /** Actions done here, by name and by kind. */
  readonly #uses = new Map<string, number>();

  constructor(kept: Kept, url: string) {
    this.#kept = kept;
    this.#page = hash64(url);
    this.#host = parsedUrl(url)?.host ?? '';
  }

  revealed({ name }: PlannedAction): void {
    count(this.#there, name);
  }

  isVain(planned: PlannedAction): boolean {
    const { name, via, turn } = planned;
    if (turn > 0) return false; // it goes on with what brought something here
    // what led here is used again though it brought nothing lately: so is this
    if (via.some((step) => isSpent(this.#known(step.name)))) return false;
    const kind = actionKind(planned);
    if ((this.#kept.kinds.peek(this.#key(kind)) ?? 0) >= BARREN_USES && this.#uses.has(kind)) return true;
    const known = this.#known(name);
    if (!isSpent(known) || known.passed >= LOOK_AGAIN || this.#fresh.has(name)) return false;
    return (this.#there.get(name) ?? 0) <= 1 || (this.#uses.get(name) ?? 0) >= SHARED_SAMPLE;
  }

  leftOut({ name }: PlannedAction): void {
    this.#leftOut.add(name);
  }

  /** @param targets that the action led to, whether or not they were known */
  done(planned: PlannedAction, targets: readonly string[]): void {
    for (const text of [planned.name, actionKind(planned)]) count(this.#uses, text);
    for (const step of [...planned.via, planned]) {
      this.#learnKind(step, step === planned && targets.length === 0, targets.length > 0);
      if (step.name === '') continue;
      const brought = this.#brought.get(step.name) ?? new Set();
      this.#brought.set(step.name, brought);
      for (const target of targets) brought.add(target);
      if (targets.some((target) => this.#isNew(step.name, target))) this.#fresh.add(step.name);
    }
  }

  /** Called when the page was used. @param pending actions that there was no time for: what they would have brought is not known */
  end(pending: readonly PlannedAction[]): void {
    const open = new Set(pending.flatMap(({ name, via }) => [...via.map((step) => step.name), name]));
    for (const [name, targets] of this.#brought) this.#learn(name, targets, open.has(name));
    for (const name of this.#leftOut) {
      const known = this.#known(name);
      if (known !== undefined && !this.#brought.has(name)) known.passed += 1;
    }
  }

  #learn(name: string, targets: ReadonlySet<string>, isOpen: boolean): void {
    const first = { fruitful: false, vain: 0, passed: 0, last: '' };
    const known = this.#kept.actions.getOrMake(this.#key(name), () => first);
    const isOther = known.last !== this.#page;
    known.last = this.#page;
    known.fruitful ||= targets.size > 0;
    known.passed = 0;
    if ([...targets].some((target) => this.#isNew(name, target))) known.vain = 0;
    else if (!isOpen && isOther) known.vain += 1;
    for (const target of targets) this.#kept.targets.set(this.#key(`${name} ${target}`), true);
  }

  #learnKind(step: PlannedAction, isBarren: boolean, isFruitful: boolean): void {
    const key = this.#key(actionKind(step));
    if (isFruitful) this.#kept.kinds.set(key, 0);
    else if (isBarren) this.#kept.kinds.set(key, (this.#kept.kinds.peek(key) ?? 0) + 1);
  }

  #known(name: string): Known | undefined {
    return name === '' ? undefined : this.#kept.actions.get(this.#key(name));
  }

  /** Has the action not led there on an earlier page? Others may have: the orders of this customer stand in a list of all, too. */
  #isNew(name: string, target: string): boolean {
    return !this.#kept.targets.has(this.#key(`${name} ${target}`));
  }

  /** Short, whatever the page has put into its texts. */
  #key(text: string): string {
    return hash64(`${this.#host} ${text}`);
  }
}

function isSpent(known: Known | undefined): known is Known {
  return known !== undefined && known.vain >= (known.fruitful ? VAIN_PAGES : BARREN_PAGES);
}

function count(counts: Map<string, number>, text: string): void {
  counts.set(text, (counts.get(text) ?? 0) + 1);
}
