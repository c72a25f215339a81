/**
 * Uses a page as a person would, and takes in the links that come by it. One action after the other: do it, give the
 * page's clock a little, look whether anything changed, and read the links only where it did. Nothing that could do harm
 * is touched or leaves the browser. Ends with its budget of actions and of time, whatever the page does.
 */
import type { Clock } from '../../base/clock.ts';
import { parsedUrl } from '../../base/parsed-url.ts';
import type { Milliseconds } from '../../base/units.ts';
import { ActionPlan, type PlannedAction, type Yield } from '../../core/interaction/action-plan.ts';
import { FormPlan, type PlannedForm } from '../../core/interaction/form-plan.ts';
import { formValues } from '../../core/interaction/form-values.ts';
import type { FoundLink, LinkStage } from '../../model/link.ts';
import type { FillInput, ActInput, ActResult, CandidateList, PageState } from '../../model/page-actions.ts';
import { collectLinksOnly, mainAddress, type Collected } from '../extract/collect.ts';
import { bareLink, foundLinkKey } from '../extract/found-links.ts';
import { SOURCE as ACT } from '../generated/act.ts';
import { SOURCE as FILL } from '../generated/fill.ts';
import { SOURCE as STATE } from '../generated/page-state.ts';
import type { IdleWait } from '../idle/idle-wait.ts';
import {
  ACTION_TIME,
  ACT_LIMIT,
  FORM_ANSWER_TICK,
  FORM_ANSWER_TIME,
  HANGS_LIMIT,
  HOLD_TIME,
  REAL_INPUTS,
  STATES_LIMIT,
} from '../limits/interaction-limits.ts';
import { runInWorld, ScriptFailed } from '../page/isolated-world.ts';
import type { WatchedRequest } from '../page/request-log.ts';
import type { WarmPage } from '../page/warm-page.ts';
import { parseAct, parseState } from './answer-shapes.ts';
import { ListenerSearch } from './listener-search.ts';
import { RealInput } from './real-input.ts';

type ActEnd = ActResult['end'];

interface InteractionOptions {
  readonly idleWait: IdleWait;
  readonly clock: Clock;
  /** On the monotonic clock. */
  readonly until: Milliseconds;
  /** Actions that may be done. */
  readonly actions: number;
  readonly submits: boolean;
  /** Loads the document again; false where that did not work. */
  readonly reload: (signal: AbortSignal) => Promise<boolean>;
}

export class PageInteraction {
  readonly #page: WarmPage;
  readonly #options: InteractionOptions;
  readonly #plan: ActionPlan;
  readonly #known: Set<string>;
  readonly #targets: Set<string>;
  readonly #states = new Set<string>();
  readonly #found: FoundLink[] = [];
  readonly #yielded = new Set<string>();
  #search: ListenerSearch;
  #home: PageState | null = null;
  #state: PageState | null = null;
  #asked = 0;
  #hangs = 0;
  /** Does the page show something else than at the start of the interaction? */
  #left = false;
  #actions = 0;
  /** Has anything been done since the links were read? */
  #unread = false;
  readonly #real: RealInput;
  /** Kinds of elements that were used by real input. */
  readonly #really = new Set<string>();

  constructor(page: WarmPage, first: Collected, options: InteractionOptions) {
    this.#page = page;
    this.#options = options;
    this.#plan = new ActionPlan(options.submits);
    this.#search = new ListenerSearch(page, options.submits);
    this.#known = new Set(first.foundLinks.map(foundLinkKey));
    this.#real = new RealInput(page, options.idleWait);
    this.#targets = new Set(first.foundLinks.map(targetOf));
  }

  /** Links that came by actions; whole after every action, whatever ends the interaction. */
  get found(): readonly FoundLink[] {
    return this.#found;
  }

  /** Targets that no state before had. */
  get yielded(): ReadonlySet<string> {
    return this.#yielded;
  }

  async run(signal: AbortSignal): Promise<void> {
    const list = await this.#list(signal);
    this.#home = list.state;
    this.#asked = this.#askedSoFar();
    this.#plan.reveal(list.candidates, []);
    for (let planned = this.#plan.next(); planned !== null && this.#mayGoOn(); planned = this.#plan.next()) {
      this.#plan.ended(planned, await this.#perform(planned, signal));
    }
    if (this.#options.submits && this.#mayGoOn()) await this.#sendForms(signal);
    // what changes in a closed tree alone does not show in the state of the page
    if (this.#unread && !this.#options.idleWait.spoiled) await this.#takeIn('', 'click', signal);
    await this.#real.leave(signal);
  }

  /** Fills and sends forms; what one leads to is read, and may hold the next one: a step after a step. */
  async #sendForms(signal: AbortSignal): Promise<void> {
    const plan = new FormPlan();
    plan.reveal((await this.#list(signal)).forms, 0);
    for (let form = plan.next(); form !== null && this.#mayGoOn(); form = plan.next()) {
      if (form.step === 0 && this.#left) await this.#loadAgain(signal);
      await this.#send(form, plan, signal);
    }
  }

  async #send(form: PlannedForm, plan: FormPlan, signal: AbortSignal): Promise<void> {
    const { page, idleWait } = { page: this.#page, idleWait: this.#options.idleWait };
    const { key } = form.facts;
    const input: FillInput = { key, values: formValues(form.facts), button: form.button };
    const run = { source: FILL, input, parse: parseAct, gesture: true, limit: ACT_LIMIT };
    page.gate.expectPost();
    let end: ActEnd = 'idle';
    try {
      end = (await runInWorld(page, mainAddress(page), run, signal)).end;
    } catch (error) {
      // it may have ended with its document
      signal.throwIfAborted();
      page.gone.throwIfAborted();
      if (error instanceof ScriptFailed) this.#hangs += 1;
      end = 'done';
    }
    if (end !== 'done') return page.gate.close();
    this.#actions += 1;
    await idleWait.more(ACTION_TIME, signal);
    if (await this.#awaitAnswer(signal)) await idleWait.more(ACTION_TIME, signal);
    const { answer } = page.gate;
    page.gate.close();
    this.#left ||= answer !== null;
    if (answer?.verdict.kind === 'redirected') this.#redirected(answer.verdict.location);
    const state = await this.#look('nothing', signal);
    await this.#takeIn(form.words, 'submit', signal);
    if (this.#isAway(state)) this.#left = true;
    if (this.#isNew(state)) plan.reveal((await this.#list(signal)).forms, form.step + 1);
  }

  /** A document asked for by POST holds no clock of the page that it will replace. @returns whether one was waited for */
  async #awaitAnswer(signal: AbortSignal): Promise<boolean> {
    const { clock } = this.#options;
    const isPost = ({ type, method, ended }: WatchedRequest): boolean =>
      type === 'document' && method === 'POST' && !ended;
    const until = clock.monotonic() + FORM_ANSWER_TIME;
    let waited = false;
    while (this.#page.watch.requests.some(isPost) && clock.monotonic() < until) {
      waited = true;
      await clock.sleep(FORM_ANSWER_TICK, signal);
    }
    return waited;
  }

  /** A form that was posted leads on: that is a page to visit by itself. */
  #redirected(location: string): void {
    const where = { frame: null, base: this.#home?.url ?? location, stage: 'submit' as const };
    this.#found.push(bareLink(location, { kind: 'form', context: 'submit()' }, where));
  }

  #mayGoOn(): boolean {
    const { actions, clock, until, idleWait } = this.#options;
    return this.#actions < actions && clock.monotonic() < until && !idleWait.spoiled && this.#hangs < HANGS_LIMIT;
  }

  async #perform(planned: PlannedAction, signal: AbortSignal): Promise<Yield> {
    const before = this.#state;
    const begun = this.#page.watch.begun();
    if (!(await this.#reachAndAct(planned, signal))) return { links: 0, changed: false };
    let effect = await this.#effect(before, signal);
    const silent = !effect.any && this.#page.watch.begun() === begun;
    if (silent && (await this.#actForReal(planned, signal))) effect = await this.#effect(before, signal);
    const { state, changed } = effect;
    if (!effect.any) return { links: 0, changed };
    const links = await this.#takeIn(planned.candidate.words, 'click', signal);
    if (this.#isAway(state)) await this.#comeBack(signal);
    else if (changed && this.#isNew(state)) {
      const list = await this.#list(signal);
      this.#plan.reveal(list.candidates, [...planned.via, planned]);
    }
    return { links, changed };
  }

  /** What has come of an action: does the page look different, has it asked for something? */
  async #effect(
    before: PageState | null,
    signal: AbortSignal,
  ): Promise<{ readonly state: PageState; readonly changed: boolean; readonly any: boolean }> {
    const state = await this.#look('nothing', signal);
    const asked = this.#askedSoFar();
    const changed = before === null || state.signature !== before.signature;
    const any = changed || asked !== this.#asked || state.novel > 0 || state.navigations !== before?.navigations;
    this.#asked = asked;
    return { state, changed, any };
  }

  /** For what listens and did not answer: its handler may trust the browser only. @returns whether anything was done */
  async #actForReal({ candidate, action }: PlannedAction, signal: AbortSignal): Promise<boolean> {
    const { listens, visible, guessed } = candidate;
    if (!listens || !visible || guessed || (action !== 'click' && action !== 'key')) return false;
    const kind = `${action} ${candidate.template}`;
    if (this.#really.size >= REAL_INPUTS || this.#really.has(kind) || !this.#mayGoOn()) return false;
    this.#really.add(kind);
    this.#actions += 1;
    if (!(await this.#real.use(candidate.key, action, signal))) return false;
    await this.#options.idleWait.more(ACTION_TIME, signal);
    return true;
  }

  /** Does it where the element is; where it is not, goes back to where it was, by the cheapest way that works. */
  async #reachAndAct(planned: PlannedAction, signal: AbortSignal): Promise<boolean> {
    const tried = (): Promise<ActEnd> => this.#act(planned, signal);
    let end = await tried();
    if (end !== 'gone') return end === 'done';
    await this.#list(signal); // it may have been made anew
    end = await tried();
    if (end !== 'gone' || !this.#plan.isPromising(planned)) return end === 'done';
    await this.#look('escape', signal);
    await this.#options.idleWait.more(ACTION_TIME, signal);
    await this.#list(signal);
    end = await tried();
    if (end !== 'gone' || !(await this.#loadAgain(signal))) return end === 'done';
    for (const step of planned.via) {
      if (!this.#mayGoOn() || (await this.#act(step, signal)) !== 'done') return false;
      await this.#list(signal);
    }
    return (await tried()) === 'done';
  }

  async #loadAgain(signal: AbortSignal): Promise<boolean> {
    if (!this.#mayGoOn() || !(await this.#options.reload(signal))) return false;
    this.#search = new ListenerSearch(this.#page, this.#options.submits);
    this.#left = false;
    this.#asked = this.#askedSoFar();
    await this.#list(signal);
    return true;
  }

  async #act({ candidate, action, turn }: PlannedAction, signal: AbortSignal): Promise<ActEnd> {
    const { idleWait } = this.#options;
    const { key } = candidate;
    const { end } = await this.#script({ key, action, turn: action === 'press' ? 0 : turn }, signal);
    if (end !== 'done') return end;
    this.#actions += 1;
    this.#unread = true;
    if (action === 'press') {
      await idleWait.more(HOLD_TIME, signal);
      await this.#script({ key, action, turn: 1 }, signal);
    }
    await idleWait.more(ACTION_TIME, signal);
    return end;
  }

  async #script(input: ActInput, signal: AbortSignal): Promise<ActResult> {
    const run = { source: ACT, input, parse: parseAct, gesture: true, limit: ACT_LIMIT };
    try {
      return await runInWorld(this.#page, mainAddress(this.#page), run, signal);
    } catch (error) {
      if (!(error instanceof ScriptFailed)) throw error;
      this.#hangs += 1; // it was ended by the browser
      return { end: 'done', x: 0, y: 0 };
    }
  }

  async #look(before: 'nothing' | 'escape' | 'back', signal: AbortSignal): Promise<PageState> {
    const run = { source: STATE, input: before, parse: parseState };
    this.#state = await runInWorld(this.#page, mainAddress(this.#page), run, signal);
    return this.#state;
  }

  async #list(signal: AbortSignal): Promise<CandidateList> {
    const list = await this.#search.candidates(signal);
    this.#state = list.state;
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
    await this.#look('back', signal);
    await this.#options.idleWait.more(ACTION_TIME, signal);
    const state = await this.#look('nothing', signal);
    if (!this.#isAway(state)) return;
    await this.#loadAgain(signal);
  }

  /** @returns links to where none led before */
  async #takeIn(words: string, stage: LinkStage, signal: AbortSignal): Promise<number> {
    const { foundLinks } = await collectLinksOnly(this.#page, stage, signal);
    this.#unread = false;
    let fresh = 0;
    for (const foundLink of foundLinks) {
      const key = foundLinkKey(foundLink);
      if (this.#known.has(key)) continue;
      this.#known.add(key);
      // a link that was made by a button is called by what stands on the button
      this.#found.push(foundLink.text === '' ? { ...foundLink, text: words.slice(0, 200) } : foundLink);
      const target = targetOf(foundLink);
      if (foundLink.kind === 'request' || foundLink.kind === 'resource' || this.#targets.has(target)) continue;
      this.#targets.add(target);
      this.#yielded.add(target);
      fresh += 1;
    }
    return fresh;
  }

  /** What the page asked for where its own world tells nothing. */
  #askedSoFar(): number {
    const { watch, gate } = this.#page;
    return watch.windows.length + watch.frames.length + gate.stopped.length;
  }
}

function targetOf({ resolved, href, base }: FoundLink): string {
  return resolved ?? parsedUrl(href, base)?.href ?? href;
}

function pageOf(url: string): string {
  const [address = '', fragment = ''] = url.split('#', 2);
  return /^[/!]/.test(fragment) ? url : address;
}
