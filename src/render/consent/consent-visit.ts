/**
 * Deals with the consent dialog of one page: lets the engine into its frames when it is idle, gives it time, lets it answer what it finds,
 * and looks whether that helped (design/rendering, "Consent").
 */
import type { Clock } from '../../base/clock.ts';
import { milliseconds, type Milliseconds } from '../../base/units.ts';
import { consentAction, isStillSeen } from '../../core/consent/consent-action.ts';
import type { ConsentState, HidingStyle } from '../../model/consent.ts';
import type { IdleResult } from '../../model/page.ts';
import { collectLinksOnly, mainAddress, type Collected } from '../extract/collect.ts';
import { SOURCE as CONSENT_FRAME } from '../generated/consent-frame.ts';
import { SOURCE as CONSENT_HIDE } from '../generated/consent-hide.ts';
import { SOURCE as CONSENT_HIDDEN } from '../generated/consent-hidden.ts';
import type { IdleWait } from '../idle/idle-wait.ts';
import {
  CONSENT_AFTERMATH,
  CONSENT_LOOKS,
  CONSENT_RELOADS,
  CONSENT_STEP,
  CONSENT_STEPS,
  CONSENT_TICK,
  CONSENT_TIME,
} from '../limits/consent-limits.ts';
import { AllowedReloads } from '../page/allowed-reloads.ts';
import { runInWorld } from '../page/isolated-world.ts';
import { noteBeforeConsent } from '../details/read-behaviour.ts';
import type { WarmPage } from '../page/warm-page.ts';
import type { EnteredDocument } from './consent-channel.ts';
import { hideFrame } from './hide-frame.ts';
import { EnginePass, type ConsentSettings } from './engine-pass.ts';

interface ConsentContext {
  readonly idleWait: IdleWait;
  readonly clock: Clock;
  /** Has the page a clock of its own? */
  readonly virtual: boolean;
  /** When the page must be read, on the monotonic clock. */
  readonly until: Milliseconds;
  /** URL of the visit. */
  readonly url: string;
}

interface ConsentEnd {
  /** Null where no dialog was looked for. */
  readonly state: ConsentState | null;
  /** The links of the page with its dialog; null where none was found. */
  readonly before: Collected | null;
  /** How the page became idle after it was loaded again; null where it was not. */
  readonly settle: IdleResult | null;
}

/** The result where no dialog was looked for. */
const NOT_ASKED: ConsentEnd = { state: null, before: null, settle: null };

/** Lets reloads pass: our own script in the page stops navigations away from it (browsers/inpage/record-navigations.ts). */
const LET_RELOADS_PASS = {
  source: '()=>globalThis.orbweaverReloads=true',
  input: null,
  parse: (answer: unknown) => (answer === true ? answer : null),
};

/**
 * Deals with the dialog of a page that is idle; a page whose time is over is left as it is.
 * @param settings null: no dialog is looked for
 * Never rejects for what a page does. @throws where the visit is over
 */
export async function dealWithConsent(
  page: WarmPage,
  settings: ConsentSettings | null,
  context: ConsentContext,
  signal: AbortSignal,
): Promise<ConsentEnd> {
  if (settings === null || context.idleWait.over || context.idleWait.spoiled) return NOT_ASKED;
  using visit = new ConsentVisit(page, settings, context, signal);
  try {
    await visit.run();
  } catch {
    // a page whose dialog stays is worth more than no page
    page.gone.throwIfAborted();
    signal.throwIfAborted();
  }
  return visit.end;
}

class ConsentVisit implements Disposable {
  readonly #page: WarmPage;
  readonly #settings: ConsentSettings;
  readonly #context: ConsentContext;
  readonly #signal: AbortSignal;
  readonly #pass: EnginePass;
  readonly #reloads: AllowedReloads;
  /** Documents whose dialogs were dealt with. */
  readonly #seenTo = new Set<EnteredDocument>();
  /** Documents in which a rule hides a dialog. */
  readonly #hiding: EnteredDocument[] = [];
  /** On the monotonic clock. */
  #until: Milliseconds;
  #before: Collected | null = null;
  #settle: IdleResult | null = null;
  /** The number of the document that the engine is in. */
  #document: number;
  #isStillThere = false;

  constructor(page: WarmPage, settings: ConsentSettings, context: ConsentContext, signal: AbortSignal) {
    this.#page = page;
    this.#settings = settings;
    this.#context = context;
    this.#signal = signal;
    this.#pass = new EnginePass(page, settings, { name: '', url: context.url }, signal);
    this.#reloads = new AllowedReloads(CONSENT_RELOADS, () => this.#pass.progress.navigationStopped());
    this.#until = milliseconds(context.clock.monotonic() + CONSENT_TIME);
    this.#document = page.documents;
    page.interceptor.reloads = this.#reloads;
  }

  get end(): ConsentEnd {
    const { state } = this.#pass.progress;
    return { state: this.#isStillThere ? 'shown' : state, before: this.#before, settle: this.#settle };
  }

  [Symbol.dispose](): void {
    this.#page.interceptor.reloads = null;
    this.#pass[Symbol.dispose]();
  }

  async run(): Promise<void> {
    for (;;) {
      const document = this.#document;
      await this.#workOnDocument();
      if (this.#before !== null && this.#mayGoOn()) await this.#step(CONSENT_AFTERMATH);
      if (this.#document === document || !this.#mayGoOn()) break;
    }
    for (const document of this.#hiding)
      if (!(await this.#isHidden(document, 'rules'))) this.#pass.progress.note(document.key, { kind: 'left' });
    if (this.#pass.progress.answered && this.#settings.mode !== 'hide') await this.#lookAgain();
  }

  async #workOnDocument(): Promise<void> {
    const { progress } = this.#pass;
    await this.#pass.enterFrames();
    for (let look = 0; look < CONSENT_STEPS && this.#mayGoOn(); look++) {
      if (!progress.underWay || progress.answered || (!progress.hasDialog && look >= CONSENT_LOOKS)) return;
      await this.#step(CONSENT_STEP);
      await this.#answerDialogs();
    }
  }

  /** Checks by a new pass of the engine whether dialogs are gone: of most dialogs the engine only says that it has clicked. */
  async #lookAgain(): Promise<void> {
    const { idleWait, url } = this.#context;
    await idleWait.draw(this.#signal);
    using pass = new EnginePass(this.#page, this.#settings, { name: 'Check', url }, this.#signal);
    await pass.enterFrames();
    for (let look = 0; look < CONSENT_LOOKS && this.#mayGoOn(); look++) {
      if (!pass.progress.underWay || pass.progress.hasDialog) break;
      await this.#letRun(CONSENT_STEP);
      await pass.catchUp();
    }
    const { engine } = this.#settings;
    this.#isStillThere = [...pass.found.values()].some((name) => isStillSeen({ name, rule: engine.ruleOf(name) }));
  }

  #mayGoOn(): boolean {
    const { idleWait, clock, until } = this.#context;
    return !idleWait.over && !idleWait.spoiled && clock.monotonic() < Math.min(until, this.#until);
  }

  async #letRun(duration: Milliseconds): Promise<void> {
    const { idleWait, virtual } = this.#context;
    await (virtual ? idleWait.more(duration, this.#signal) : idleWait.pass(duration, this.#signal));
  }

  async #step(duration: Milliseconds): Promise<void> {
    await this.#letRun(duration);
    await this.#pass.catchUp();
    if (await this.#wasReloaded()) await this.#onReload();
    await this.#pass.enterFrames();
  }

  /** Lets the engine deal with the dialogs that it has found. Reads the page before, as the links of dialogs are links of the page. */
  async #answerDialogs(): Promise<void> {
    for (const [document, name] of this.#pass.found) {
      if (this.#seenTo.has(document)) continue;
      this.#seenTo.add(document);
      this.#before ??= await collectLinksOnly(this.#page, 'load', this.#signal);
      await noteBeforeConsent(this.#page, this.#context.url, this.#signal);
      await this.#deal(document, name);
    }
    await this.#pass.catchUp();
  }

  async #deal(document: EnteredDocument, name: string): Promise<void> {
    const { mode, engine } = this.#settings;
    const pass = this.#pass;
    const rule = engine.ruleOf(name);
    const action = consentAction(mode, { name, rule });
    const note = (kind: 'asked' | 'hidden' | 'left'): void => pass.progress.note(document.key, { kind });
    if (action === 'nothing') return note('left');
    if (action === 'look') {
      if (await this.#isHidden(document, 'prehide')) return note('hidden');
      if (rule?.hides !== true) return note((await this.#hide(document, name)) ? 'hidden' : 'left');
    }
    note('asked');
    if (rule?.hides === true && action !== 'optIn') this.#hiding.push(document);
    await runInWorld(this.#page, mainAddress(this.#page), LET_RELOADS_PASS, this.#signal);
    await pass.say(document, { type: action === 'optIn' ? 'optIn' : 'optOut' });
  }

  /** Hides a dialog by our own script. */
  async #hide(document: EnteredDocument, name: string): Promise<boolean> {
    if (document.address.frameId !== this.#page.frameId) {
      const isAll = (await this.#pass.ask(document, `(${CONSENT_FRAME})(null)`)) === 'true';
      return isAll && hideFrame(this.#page, document.address.frameId, this.#signal);
    }
    const elements = JSON.stringify(this.#settings.engine.elementsOf(name));
    return (await this.#pass.ask(document, `(${CONSENT_HIDE})(${elements})`)) === 'true';
  }

  /** Asks the document itself: the engine says that it has hidden what its rules name, whether it is there or not. */
  async #isHidden(document: EnteredDocument, style: HidingStyle): Promise<boolean> {
    return (await this.#pass.ask(document, `(${CONSENT_HIDDEN})(${JSON.stringify(style)})`)) === 'true';
  }

  /** Waits for a reload that is under way. @returns whether the page shows another document than the one that was worked on */
  async #wasReloaded(): Promise<boolean> {
    const { clock, until } = this.#context;
    const since = clock.monotonic();
    const isAwaited = (): boolean => this.#reloads.awaited && this.#page.documents === this.#document;
    while (isAwaited() && clock.monotonic() < until) await clock.sleep(CONSENT_TICK, this.#signal);
    this.#reloads.ended();
    this.#until = milliseconds(this.#until + clock.monotonic() - since);
    return this.#page.documents !== this.#document;
  }

  /** Waits until a reloaded page is idle again, before the engine looks at it. */
  async #onReload(): Promise<void> {
    const { clock, idleWait } = this.#context;
    const since = clock.monotonic();
    this.#document = this.#page.documents;
    this.#pass.forget();
    this.#settle = await idleWait.waitForIdle(this.#signal);
    if (!idleWait.over && !idleWait.spoiled) await idleWait.draw(this.#signal);
    this.#until = milliseconds(this.#until + clock.monotonic() - since);
    if (await this.#wasReloaded()) await this.#onReload();
  }
}
