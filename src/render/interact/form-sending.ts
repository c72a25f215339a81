/** Fills and sends the forms of a page. The result of a form is read, and may hold the form of the next step. */
import type { Clock } from '../../base/clock.ts';
import { FormPlan, type PlannedForm } from '../../core/interaction/form-plan.ts';
import { formValues } from '../../core/interaction/form-values.ts';
import type { ActResult, FillInput, FormFacts } from '../../model/page-actions.ts';
import { mainAddress } from '../extract/collect.ts';
import { SOURCE as FILL } from '../generated/fill.ts';
import type { IdleWait } from '../idle/idle-wait.ts';
import { ACTION_TIME, ACT_LIMIT, FORM_ANSWER_TICK, FORM_ANSWER_TIME } from '../limits/interaction-limits.ts';
import { runInWorld } from '../page/isolated-world.ts';
import type { WatchedRequest } from '../page/watched-request.ts';
import type { WarmPage } from '../page/warm-page.ts';
import { parseAct } from './answer-shapes.ts';
import { ranOn } from './hung-action.ts';

/** The result of a form. */
export interface SentForm {
  /** Target to which its answer redirects; null for none. */
  readonly location: string | null;
  /** Has the document gone? */
  readonly answered: boolean;
}

/** Functions of the interaction around the sending. */
export interface FormSteps {
  readonly idleWait: IdleWait;
  readonly clock: Clock;
  readonly mayGoOn: () => boolean;
  /** Restores the document where something has been sent from it. */
  readonly restore: (signal: AbortSignal) => Promise<void>;
  readonly forms: (signal: AbortSignal) => Promise<readonly FormFacts[]>;
  readonly hung: () => void;
  /** Reads the result of a form. @returns whether the page is in a state that is new */
  readonly sent: (form: PlannedForm, how: SentForm, signal: AbortSignal) => Promise<boolean>;
}

export class FormSending {
  readonly #page: WarmPage;
  readonly #steps: FormSteps;
  readonly #plan = new FormPlan();

  constructor(page: WarmPage, steps: FormSteps) {
    this.#page = page;
    this.#steps = steps;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { mayGoOn, restore, forms } = this.#steps;
    this.#plan.reveal(await forms(signal), 0);
    for (let form = this.#plan.next(); form !== null && mayGoOn(); form = this.#plan.next()) {
      if (form.step === 0) await restore(signal);
      await this.#send(form, signal);
    }
  }

  async #send(form: PlannedForm, signal: AbortSignal): Promise<void> {
    const { idleWait, sent, forms } = this.#steps;
    const { interceptor } = this.#page;
    interceptor.expectPost();
    if ((await this.#fill(form, signal)) !== 'done') return interceptor.close();
    await idleWait.more(ACTION_TIME, signal);
    if (await this.#awaitAnswer(signal)) await idleWait.more(ACTION_TIME, signal);
    const { answer } = interceptor;
    interceptor.close();
    const location = answer?.verdict.kind === 'redirected' ? answer.verdict.location : null;
    const isNew = await sent(form, { location, answered: answer !== null }, signal);
    if (isNew) this.#plan.reveal(await forms(signal), form.step + 1);
  }

  async #fill({ facts, button }: PlannedForm, signal: AbortSignal): Promise<ActResult['end']> {
    const page = this.#page;
    const input: FillInput = { key: facts.key, values: formValues(facts), button };
    const run = { source: FILL, input, parse: parseAct, gesture: true, limit: ACT_LIMIT };
    try {
      return (await runInWorld(page, mainAddress(page), run, signal)).end;
    } catch (error) {
      // the script may have ended with its document
      signal.throwIfAborted();
      page.gone.throwIfAborted();
      if (await ranOn(page, error, signal)) this.#steps.hung();
      return 'done';
    }
  }

  /** Waits for a document asked for by POST, which does not hold the clock of the page that it replaces. @returns whether one was waited for */
  async #awaitAnswer(signal: AbortSignal): Promise<boolean> {
    const { clock } = this.#steps;
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
}
