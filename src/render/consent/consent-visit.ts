/**
 * Deals with the consent dialog of one page: lets the engine into its frames when it is idle, gives it time, and lets it answer what it
 * finds (design/rendering, "Consent").
 */
import type { Clock } from '../../base/clock.ts';
import { milliseconds, type Milliseconds } from '../../base/units.ts';
import { consentAction, isFoundByWords } from '../../core/consent/consent-action.ts';
import { ConsentProgress } from '../../core/consent/consent-progress.ts';
import type { ConsentMode, ConsentState } from '../../model/consent.ts';
import type { IdleResult } from '../../model/page.ts';
import { childAddresses, collectLinksOnly, mainAddress, type Collected } from '../extract/collect.ts';
import { SOURCE as CONSENT_HIDDEN } from '../generated/consent-hidden.ts';
import type { IdleWait } from '../idle/idle-wait.ts';
import {
  CONSENT_AFTERMATH,
  CONSENT_ELEMENTS,
  CONSENT_FRAMES,
  CONSENT_LOOKS,
  CONSENT_RELOADS,
  CONSENT_STEP,
  CONSENT_STEPS,
  CONSENT_TICK,
  CONSENT_TIME,
} from '../limits/consent-limits.ts';
import { AllowedReloads } from '../page/allowed-reloads.ts';
import type { FrameAddress } from '../page/isolated-world.ts';
import type { WarmPage } from '../page/warm-page.ts';
import { ConsentChannel, type EnteredDocument } from './consent-channel.ts';
import type { ConsentEngine } from './consent-engine.ts';
import { engineMessage } from './engine-message.ts';

/** What a user wants done with consent dialogs, and who can do it. */
export interface ConsentSettings {
  readonly mode: Exclude<ConsentMode, 'leave'>;
  readonly engine: ConsentEngine;
}

interface ConsentContext {
  readonly idleWait: IdleWait;
  readonly clock: Clock;
  /** When the page must be read, on the monotonic clock. */
  readonly until: Milliseconds;
  /** Of the visit. */
  readonly url: string;
}

export interface ConsentEnd {
  /** Null where nobody looked for one. */
  readonly state: ConsentState | null;
  /** The links of the page with its dialog; null where none was found. */
  readonly before: Collected | null;
  /** How the page became idle after it was loaded again; null where it was not. */
  readonly settle: IdleResult | null;
}

/** What is known where nobody looked for a dialog. */
export const NOT_ASKED: ConsentEnd = { state: null, before: null, settle: null };

/**
 * Deals with the dialog of a page that is idle; a page whose time is over is left as it is.
 * Never rejects for what a page does. @throws where the visit is over
 */
export async function dealWithConsent(
  page: WarmPage,
  settings: ConsentSettings,
  context: ConsentContext,
  signal: AbortSignal,
): Promise<ConsentEnd> {
  if (context.idleWait.over || context.idleWait.spoiled) return NOT_ASKED;
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

/** What the engine is told when it begins, as source: it reports what it finds, and waits to be told what to do. */
function engineConfig(mode: ConsentSettings['mode']): string {
  const config = {
    enabled: true,
    autoAction: null,
    enablePrehide: mode === 'hide',
    prehideTimeout: 2 ** 31 - 1, // what is hidden stays so
    detectRetries: 1, // the page is idle; the second look is for words
    logs: { errors: false },
  };
  const words = `document.getElementsByTagName('*').length>${CONSENT_ELEMENTS}?'off':'tier2'`;
  return `{...${JSON.stringify(config)},heuristicMode:${words}}`;
}

class ConsentVisit implements Disposable {
  readonly #page: WarmPage;
  readonly #settings: ConsentSettings;
  readonly #context: ConsentContext;
  readonly #signal: AbortSignal;
  readonly #progress: ConsentProgress;
  readonly #channel: ConsentChannel;
  readonly #reloads: AllowedReloads;
  /** The first dialog of each document, and those that were seen to. */
  readonly #found = new Map<EnteredDocument, string>();
  readonly #acted = new Set<EnteredDocument>();
  /** What the engine is being told. */
  readonly #answers = new Set<Promise<void>>();
  /** On the monotonic clock. */
  #until: Milliseconds;
  #before: Collected | null = null;
  #settle: IdleResult | null = null;
  /** The number of the document that the engine is in. */
  #document: number;

  constructor(page: WarmPage, settings: ConsentSettings, context: ConsentContext, signal: AbortSignal) {
    this.#page = page;
    this.#settings = settings;
    this.#context = context;
    this.#signal = signal;
    this.#progress = new ConsentProgress(settings.mode);
    this.#channel = new ConsentChannel(page, {
      heard: (document, payload) => this.#heard(document, payload),
      gone: ({ key }) => this.#progress.note(key, { kind: 'gone' }),
    });
    this.#reloads = new AllowedReloads(CONSENT_RELOADS, () => this.#progress.navigationStopped());
    this.#until = milliseconds(context.clock.monotonic() + CONSENT_TIME);
    this.#document = page.documents;
    page.interceptor.reloads = this.#reloads;
  }

  get end(): ConsentEnd {
    return { state: this.#progress.state, before: this.#before, settle: this.#settle };
  }

  [Symbol.dispose](): void {
    this.#page.interceptor.reloads = null;
    this.#channel[Symbol.dispose]();
  }

  async run(): Promise<void> {
    await this.#enterFrames();
    for (let look = 0; look < CONSENT_STEPS && this.#isAtWork(look); look++) {
      await this.#step(CONSENT_STEP);
      await this.#answerDialogs();
    }
    if (this.#before !== null && this.#mayGoOn()) await this.#step(CONSENT_AFTERMATH);
  }

  #isAtWork(look: number): boolean {
    const { underWay, answered, hasDialog } = this.#progress;
    return this.#mayGoOn() && underWay && !answered && (hasDialog || look < CONSENT_LOOKS);
  }

  #mayGoOn(): boolean {
    const { idleWait, clock, until } = this.#context;
    return !idleWait.over && !idleWait.spoiled && clock.monotonic() < Math.min(until, this.#until);
  }

  async #step(duration: Milliseconds): Promise<void> {
    await this.#context.idleWait.more(duration, this.#signal);
    await this.#catchUp();
    if (await this.#wasReloaded()) await this.#onReload();
    if (this.#page.watch.frameCount > this.#channel.size) await this.#enterFrames();
  }

  /** Lets the engine into frames that it is not in yet. */
  async #enterFrames(): Promise<void> {
    const page = this.#page;
    const children = page.watch.frameCount > 1 ? await childAddresses(page, this.#signal) : [];
    for (const address of [mainAddress(page), ...children]) {
      if (this.#channel.size >= CONSENT_FRAMES) return;
      if (!this.#channel.isIn(address)) await this.#enter(address);
    }
    await this.#catchUp();
  }

  async #enter(address: FrameAddress): Promise<void> {
    const { mode, engine } = this.#settings;
    const isMain = address.frameId === this.#page.frameId;
    try {
      const document = await this.#channel.open(address, this.#signal);
      this.#progress.entered(document.key);
      const rules = engine.rulesFor(address.url ?? this.#context.url, isMain);
      const first = `{type:'initResp',rules:{autoconsent:${rules}},config:${engineConfig(mode)}}`;
      const script = `${engine.script};autoconsentReceiveMessage(${first})`;
      await this.#channel.begin(document, script, this.#signal);
    } catch (error) {
      this.#page.gone.throwIfAborted();
      this.#signal.throwIfAborted();
      if (isMain) throw error; // a frame may have gone
    }
  }

  #heard(document: EnteredDocument, payload: string): void {
    const message = engineMessage(payload);
    if (message === null) return;
    if (message.kind === 'question') return this.#track(this.#answer(document, message.id, message.snippet));
    if (message.kind === 'found' && !this.#found.has(document)) this.#found.set(document, message.name);
    this.#progress.note(document.key, message);
    // of such a dialog the engine has said no more than that it has clicked
    const clicked = message.kind === 'acted' && message.done && isFoundByWords(this.#found.get(document) ?? '');
    if (clicked) this.#track(this.#channel.say(document, { type: 'selfTest' }, this.#signal));
  }

  async #answer(document: EnteredDocument, id: string, snippet: string): Promise<void> {
    const source = this.#settings.engine.snippet(snippet);
    const result = source !== null && (await this.#channel.askPage(document, source, this.#signal));
    await this.#channel.say(document, { type: 'evalResp', id, result }, this.#signal);
  }

  /** What cannot be said is no failure: the frame has gone. */
  #track(work: Promise<void>): void {
    const said = work.catch(() => {}).finally(() => this.#answers.delete(said));
    this.#answers.add(said);
  }

  /** Waits until the engine has its answers: it gives a question up by the page's clock, which stands still meanwhile. */
  async #catchUp(): Promise<void> {
    while (this.#answers.size > 0) await Promise.all(this.#answers);
  }

  /** Lets the engine deal with the dialogs that it has found. Their links are links of the page, which is read before they go. */
  async #answerDialogs(): Promise<void> {
    for (const [document, name] of this.#found) {
      if (this.#acted.has(document)) continue;
      this.#acted.add(document);
      this.#before ??= await collectLinksOnly(this.#page, 'load', this.#signal);
      await this.#deal(document, name);
    }
    await this.#catchUp();
  }

  async #deal(document: EnteredDocument, name: string): Promise<void> {
    const { mode, engine } = this.#settings;
    const rule = engine.ruleOf(name);
    const action = consentAction(mode, { name, rule });
    const note = (kind: 'asked' | 'hidden' | 'left'): void => this.#progress.note(document.key, { kind });
    if (action === 'nothing') return note('left');
    if (action === 'look') {
      if ((await this.#channel.run(document, `(${CONSENT_HIDDEN})()`, this.#signal)) === 'true') return note('hidden');
      if (rule?.hides !== true) return note('left');
    }
    note('asked');
    await this.#channel.say(document, { type: action === 'optIn' ? 'optIn' : 'optOut' }, this.#signal);
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

  /** The page is loaded anew, and idle again before the engine looks at it. */
  async #onReload(): Promise<void> {
    const { clock, idleWait } = this.#context;
    const since = clock.monotonic();
    this.#document = this.#page.documents;
    this.#progress.reloaded();
    this.#channel.forget();
    this.#found.clear();
    this.#settle = await idleWait.waitForIdle(this.#signal);
    if (!idleWait.over && !idleWait.spoiled) await idleWait.draw(this.#signal);
    this.#until = milliseconds(this.#until + clock.monotonic() - since);
    if (await this.#wasReloaded()) await this.#onReload();
  }
}
