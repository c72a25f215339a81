/**
 * Uses a page as a person would, and collects the links that this brings. One action after the other: do it, let the page's
 * clock run a little, look whether anything changed, and read the links only where it did. Nothing that could do harm
 * leaves the browser. Ends with its budget of actions and of time, whatever the page does.
 */
import type { Clock } from '../../base/clock.ts';
import type { PageActions } from '../../core/interaction/action-memory.ts';
import { ActionPlan, type Yield } from '../../core/interaction/action-plan.ts';
import type { PlannedForm } from '../../core/interaction/form-plan.ts';
import type { InteractionBudget } from '../../core/interaction/interaction-budget.ts';
import type { PlannedAction } from '../../core/interaction/planned-action.ts';
import type { FoundLink, LinkStage } from '../../model/link.ts';
import type { ActResult, CandidateList, PageState } from '../../model/page-actions.ts';
import { collectLinksOnly, type Collected } from '../extract/collect.ts';
import { bareLink } from '../extract/found-links.ts';
import type { IdleWait } from '../idle/idle-wait.ts';
import { ACTION_TIME, HANGS_LIMIT, HOLD_TIME, REAL_INPUTS, STATES_LIMIT } from '../limits/interaction-limits.ts';
import type { WarmPage } from '../page/warm-page.ts';
import { FormSending, type FormSteps, type SentForm } from './form-sending.ts';
import { RealInput } from './real-input.ts';
import { TakenLinks } from './taken-links.ts';
import { isOfPage, pageOf, UsedPage } from './used-page.ts';
import type { UsedTime } from './used-time.ts';
import { WayBack } from './way-back.ts';

interface InteractionOptions {
  readonly idleWait: IdleWait;
  readonly clock: Clock;
  readonly budget: InteractionBudget;
  /** Time that the page has had since the interaction began. */
  readonly usedTime: Pick<UsedTime, 'beside'>;
  readonly submits: boolean;
  /** What earlier pages have taught about actions; learns from this one. */
  readonly learnt: PageActions;
  /** Requests that were held so far. */
  readonly held: () => readonly FoundLink[];
  /** Loads the document again; false where that did not work. */
  readonly reload: (signal: AbortSignal) => Promise<boolean>;
  /** Lets nothing leave the browser any more; false where that is impossible. */
  readonly beware: (signal: AbortSignal) => Promise<boolean>;
}

/** The effect of an action: does the page look different, has it asked for something? */
interface Effect {
  readonly state: PageState;
  readonly changed: boolean;
  readonly any: boolean;
}

export class PageInteraction {
  readonly #page: WarmPage;
  readonly #options: InteractionOptions;
  readonly #used: UsedPage;
  readonly #plan: ActionPlan;
  readonly #way: WayBack;
  readonly #taken: TakenLinks;
  readonly #states = new Set<string>();
  #home: PageState | null = null;
  #asked = 0;
  /** Does the page show something else than at the start of the interaction? */
  #left = false;
  /** Has anything been done since the links were read? */
  #unread = false;
  /** Was the last action done? */
  #reached = false;
  /** Has anything been used that reads as if it did harm? */
  #isDestructive = false;
  readonly #real: RealInput;
  /** Kinds of elements that were used by real input. */
  readonly #really = new Set<string>();

  constructor(page: WarmPage, first: Collected, options: InteractionOptions) {
    this.#page = page;
    this.#options = options;
    this.#plan = new ActionPlan(options.submits, options.learnt);
    this.#used = new UsedPage(page, options.submits);
    this.#taken = new TakenLinks(first.foundLinks);
    this.#real = new RealInput(page, options.idleWait);
    this.#way = new WayBack(this.#used, this.#plan, {
      act: (planned, signal) => this.#act(planned, signal),
      list: (signal) => this.#list(signal),
      escape: (signal) => this.#escape(signal),
      loadAgain: (signal) => this.#loadAgain(signal),
      mayGoOn: () => this.#mayGoOn(),
    });
  }

  /** Links that actions brought; complete after every action, however the interaction ends. */
  get found(): readonly FoundLink[] {
    return this.#taken.found;
  }

  /** Targets that no earlier state had. */
  get yielded(): ReadonlySet<string> {
    return this.#taken.yielded;
  }

  /** Called once, when it has ended in whatever way. @returns actions that were still to be done, and whether it ended as too many of them hung */
  learn(): { readonly pending: readonly PlannedAction[]; readonly isHung: boolean } {
    this.#options.learnt.end(this.#plan.pending);
    return { pending: this.#plan.pending, isHung: this.#used.hangs >= HANGS_LIMIT };
  }

  async run(signal: AbortSignal): Promise<void> {
    const list = await this.#list(signal);
    this.#home = list.state;
    this.#asked = this.#askedSoFar();
    this.#plan.reveal(list.candidates, []);
    await this.#follow(signal);
    if (this.#options.submits && this.#mayGoOn()) await this.#sendForms(signal);
    while (this.#mayGoOn() && this.#plan.takeLast()) {
      if (this.#left) await this.#loadAgain(signal);
      await this.#follow(signal);
    }
    // a change in a closed tree alone does not show in the state of the page
    if (this.#unread && !this.#options.idleWait.spoiled) await this.#takeIn('', 'click', signal);
    await this.#real.leave(signal);
  }

  async #follow(signal: AbortSignal): Promise<void> {
    while (this.#mayGoOn()) {
      const planned = this.#plan.next();
      if (planned === null) return;
      this.#reached = false;
      const heldBefore = this.#options.held().length;
      this.#plan.ended(planned, await this.#perform(planned, signal));
      const held = this.#options.held().slice(heldBefore);
      const targets = [...this.#taken.takeLast(), ...held.map(({ href }) => href)];
      if (this.#reached) this.#options.learnt.done(planned, targets);
    }
  }

  async #sendForms(signal: AbortSignal): Promise<void> {
    const { idleWait, clock } = this.#options;
    const steps: FormSteps = {
      ...{ idleWait, clock },
      mayGoOn: () => this.#mayGoOn(),
      restore: async (stop) => {
        if (this.#left) await this.#loadAgain(stop);
      },
      forms: async (stop) => (await this.#list(stop)).forms,
      hung: () => this.#used.hung(),
      sent: (form, how, stop) => this.#sent(form, how, stop),
    };
    await new FormSending(this.#page, steps).run(signal);
  }

  async #sent(form: PlannedForm, { location, answered }: SentForm, signal: AbortSignal): Promise<boolean> {
    this.#options.budget.acted();
    this.#left ||= answered;
    if (location !== null) this.#redirected(location);
    const state = await this.#used.lookOn(this.#options.idleWait, signal);
    await this.#takeIn(form.words, 'submit', signal);
    if (this.#isAway(state)) this.#left = true;
    return this.#isNew(state);
  }

  /** Adds the target of a posted form's redirect: a page to visit by itself. */
  #redirected(location: string): void {
    const where = { frame: null, base: this.#home?.url ?? location, stage: 'submit' as const };
    this.#taken.add(bareLink(location, { kind: 'form', context: 'submit()' }, where));
  }

  #mayGoOn(): boolean {
    const { budget, clock, idleWait, usedTime } = this.#options;
    if (idleWait.over || this.#used.hangs >= HANGS_LIMIT) return false;
    return budget.mayAct({ now: clock.monotonic(), spent: usedTime.beside(idleWait.waited) });
  }

  async #perform(planned: PlannedAction, signal: AbortSignal): Promise<Yield> {
    const nothing = { links: 0, changed: false, state: null };
    if (planned.isDestructive && !(await this.#options.beware(signal))) return nothing;
    this.#isDestructive ||= planned.isDestructive;
    const before = this.#used.state;
    const begun = this.#page.watch.begun();
    const { hangs } = this.#used;
    const onTheWay = await this.#goOn(planned, signal);
    this.#reached = await this.#way.reach(planned, signal);
    if (!this.#reached) return { ...nothing, links: onTheWay };
    let effect = await this.#effect(before, signal);
    const silent = !effect.any && this.#page.watch.begun() === begun && this.#used.hangs === hangs;
    if (silent && (await this.#actForReal(planned, signal))) effect = await this.#effect(before, signal);
    const { state, changed } = effect;
    if (!effect.any) return { links: onTheWay, changed, state: state.signature };
    const links = onTheWay + (await this.#takeIn(planned.candidate.words, 'click', signal));
    if (links > 0) this.#options.budget.yielded();
    if (this.#isAway(state)) {
      await this.#comeBack(signal);
      return { links, changed, state: null };
    }
    if (changed && this.#isNew(state)) {
      const list = await this.#list(signal);
      this.#way.learn(planned);
      this.#plan.reveal(list.candidates, [...planned.via, planned], links);
    }
    return { links, changed, state: state.signature };
  }

  /** Brings the page to the state from which a repetition goes on. @returns the number of links that this brought */
  async #goOn(planned: PlannedAction, signal: AbortSignal): Promise<number> {
    const { from, turn } = planned;
    if (from === null) return 0;
    for (let time = 0; time < turn && this.#used.state?.signature !== from && this.#mayGoOn(); time++) {
      if (!(await this.#way.repeat(planned, signal))) return 0;
      if ((await this.#used.look('nothing', signal)).novel === 0) continue;
      const links = await this.#takeIn(planned.candidate.words, 'click', signal);
      if (links > 0) return links;
    }
    return 0;
  }

  async #effect(before: PageState | null, signal: AbortSignal): Promise<Effect> {
    const state = await this.#used.lookOn(this.#options.idleWait, signal);
    const asked = this.#askedSoFar();
    const changed = before === null || state.signature !== before.signature;
    const any = changed || asked !== this.#asked || state.novel > 0 || state.navigations !== before?.navigations;
    this.#asked = asked;
    return { state, changed, any };
  }

  /** Uses real input on an element whose listener did not react: it may trust no other input. @returns whether an action was done */
  async #actForReal({ candidate, action }: PlannedAction, signal: AbortSignal): Promise<boolean> {
    const { listens, visible, guessed, key } = candidate;
    if (!listens || !visible || guessed || (action !== 'click' && action !== 'key') || !isOfPage(key)) return false;
    const kind = `${action} ${candidate.template}`;
    if (this.#really.size >= REAL_INPUTS || this.#really.has(kind) || !this.#mayGoOn()) return false;
    this.#really.add(kind);
    this.#options.budget.acted();
    if (!(await this.#real.use(key, action, signal))) return false;
    await this.#options.idleWait.more(ACTION_TIME, signal);
    return true;
  }

  async #loadAgain(signal: AbortSignal): Promise<boolean> {
    const { budget, reload } = this.#options;
    if (!this.#mayGoOn() || !budget.reload() || !(await reload(signal))) return false;
    this.#used.loadedAgain();
    this.#left = false;
    this.#asked = this.#askedSoFar();
    await this.#list(signal);
    return true;
  }

  async #act({ candidate, action, turn }: PlannedAction, signal: AbortSignal): Promise<ActResult['end']> {
    const { idleWait, budget } = this.#options;
    const { key } = candidate;
    const { end } = await this.#used.act({ key, action, turn: action === 'press' ? 0 : turn }, signal);
    if (end !== 'done') return end;
    budget.acted();
    this.#unread = true;
    if (action === 'press') {
      await idleWait.more(HOLD_TIME, signal);
      await this.#used.act({ key, action, turn: 1 }, signal);
    }
    await idleWait.more(ACTION_TIME, signal);
    return end;
  }

  async #escape(signal: AbortSignal): Promise<void> {
    await this.#used.look('escape', signal);
    await this.#options.idleWait.more(ACTION_TIME, signal);
  }

  async #list(signal: AbortSignal): Promise<CandidateList> {
    const list = await this.#used.list(signal);
    this.#isNew(list.state);
    return list;
  }

  #isNew({ signature }: PageState): boolean {
    if (this.#states.has(signature) || this.#states.size >= STATES_LIMIT) return false;
    this.#states.add(signature);
    return true;
  }

  /** Is this the address of another page, made by `history.pushState`? It will be visited by itself. */
  #isAway({ url }: PageState): boolean {
    return this.#home !== null && pageOf(url) !== pageOf(this.#home.url);
  }

  async #comeBack(signal: AbortSignal): Promise<void> {
    await this.#used.look('back', signal);
    await this.#options.idleWait.more(ACTION_TIME, signal);
    if (this.#isAway(await this.#used.lookOn(this.#options.idleWait, signal))) await this.#loadAgain(signal);
  }

  /** @returns the number of links to new targets */
  async #takeIn(words: string, stage: LinkStage, signal: AbortSignal): Promise<number> {
    const { foundLinks } = await collectLinksOnly(this.#page, stage, signal);
    this.#unread = false;
    return this.#taken.takeIn(foundLinks, { words, isDestructive: this.#isDestructive });
  }

  /** Number of navigations that are recorded outside the page's world: windows, frames, stopped ones. */
  #askedSoFar(): number {
    const { watch, interceptor } = this.#page;
    return watch.windows.length + watch.frames.length + interceptor.stopped.length;
  }
}
