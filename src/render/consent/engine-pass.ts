/** Runs the engine in all frames of a page at a time: starts it, receives its findings, and answers its questions to the page. */
import { isFoundByWords } from '../../core/consent/consent-action.ts';
import { ConsentProgress } from '../../core/consent/consent-progress.ts';
import type { ConsentMode } from '../../model/consent.ts';
import { childAddresses, mainAddress } from '../extract/collect.ts';
import { SOURCE as CONSENT_STYLES } from '../generated/consent-styles.ts';
import { CONSENT_ELEMENTS, CONSENT_FRAMES } from '../limits/consent-limits.ts';
import type { FrameAddress } from '../page/isolated-world.ts';
import type { WarmPage } from '../page/warm-page.ts';
import { ConsentChannel, type EnteredDocument } from './consent-channel.ts';
import type { ConsentEngine } from './consent-engine.ts';
import { engineMessage, type EngineQuestion } from './engine-message.ts';

/** The user's choice for consent dialogs, and the engine for it. */
export interface ConsentSettings {
  readonly mode: Exclude<ConsentMode, 'leave'>;
  readonly engine: ConsentEngine;
}

/** Source of the engine's settings: it reports its findings, and waits for orders. */
function engineConfig(mode: ConsentSettings['mode']): string {
  const config = {
    enabled: true,
    autoAction: null,
    enablePrehide: mode === 'hide',
    prehideTimeout: 2 ** 31 - 1, // hidden elements stay hidden
    detectRetries: 1, // the page is idle; the second look is for words
    logs: { errors: false },
  };
  const words = `document.getElementsByTagName('*').length>${CONSENT_ELEMENTS}?'off':'tier2'`;
  return `{...${JSON.stringify(config)},heuristicMode:${words}}`;
}

interface PassOptions {
  /** Differs for each pass over the same documents. */
  readonly name: string;
  /** URL of the page. */
  readonly url: string;
}

export class EnginePass implements Disposable {
  readonly #page: WarmPage;
  readonly #settings: ConsentSettings;
  readonly #url: string;
  readonly #signal: AbortSignal;
  readonly #channel: ConsentChannel;
  readonly progress: ConsentProgress;
  /** The first dialog of each document. */
  readonly found: Map<EnteredDocument, string> = new Map();
  /** Questions that the engine has asked in each document, and that are not being answered yet. */
  readonly #questions = new Map<EnteredDocument, EngineQuestion[]>();
  /** Messages to send to the engine. */
  readonly #orders: (readonly [EnteredDocument, object])[] = [];
  #answering: Promise<void> | null = null;

  constructor(page: WarmPage, settings: ConsentSettings, { name, url }: PassOptions, signal: AbortSignal) {
    this.#page = page;
    this.#settings = settings;
    this.#url = url;
    this.#signal = signal;
    this.progress = new ConsentProgress(settings.mode);
    this.#channel = new ConsentChannel(page, name, {
      heard: (document, payload) => this.#heard(document, payload),
      gone: ({ key }) => this.progress.note(key, { kind: 'gone' }),
    });
  }

  [Symbol.dispose](): void {
    this.#channel[Symbol.dispose]();
  }

  /** Called when the page shows another document, in which the engine is not. */
  forget(): void {
    this.progress.reloaded();
    this.#channel.forget();
    this.found.clear();
  }

  /** Lets the engine into frames that it is not in yet. */
  async enterFrames(): Promise<void> {
    const page = this.#page;
    if (this.#channel.size >= Math.min(page.watch.frameCount, CONSENT_FRAMES)) return;
    const children = page.watch.frameCount > 1 ? await childAddresses(page, this.#signal) : [];
    for (const address of [mainAddress(page), ...children]) {
      if (this.#channel.size >= CONSENT_FRAMES) break;
      if (!this.#channel.isIn(address)) await this.#enter(address);
    }
    await this.catchUp();
  }

  /** Evaluates in the engine's world. */
  ask(document: EnteredDocument, expression: string): Promise<unknown> {
    return this.#channel.run(document, expression, this.#signal);
  }

  say(document: EnteredDocument, message: object): Promise<void> {
    return this.#channel.say(document, [message], this.#signal);
  }

  /** Waits until the engine has its answers: it gives a question up by the page's clock, which stands still meanwhile. */
  async catchUp(): Promise<void> {
    while (this.#answering !== null) await this.#answering;
  }

  async #enter(address: FrameAddress): Promise<void> {
    const { mode, engine } = this.#settings;
    const isMain = address.frameId === this.#page.frameId;
    try {
      const document = await this.#channel.open(address, this.#signal);
      this.progress.entered(document.key);
      const rules = engine.rulesFor(address.url ?? this.#url, isMain);
      const first = `{type:'initResp',rules:{autoconsent:${rules}},config:${engineConfig(mode)}}`;
      const script = `(${CONSENT_STYLES})();${engine.script};autoconsentReceiveMessage(${first})`;
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
    if (message.kind === 'question') {
      this.#questions.set(document, [...(this.#questions.get(document) ?? []), message]);
      return this.#beginAnswering();
    }
    if (message.kind === 'found' && !this.found.has(document)) this.found.set(document, message.name);
    this.progress.note(document.key, message);
    // of such a dialog the engine only reports that it has clicked
    const clicked = message.kind === 'acted' && message.done && isFoundByWords(this.found.get(document) ?? '');
    if (!clicked) return;
    this.#orders.push([document, { type: 'selfTest' }]);
    this.#beginAnswering();
  }

  #beginAnswering(): void {
    this.#answering ??= this.#answerAll().finally(() => (this.#answering = null));
  }

  /** Answers all questions so far in one call. An answer that cannot be sent is no failure: the frame has gone. */
  async #answerAll(): Promise<void> {
    await Promise.resolve(); // the engine asks each of its questions in a message of its own
    while (this.#questions.size > 0 || this.#orders.length > 0) {
      const questions = [...this.#questions];
      const orders = this.#orders.splice(0);
      this.#questions.clear();
      for (const [document, asked] of questions) await this.#answer(document, asked).catch(() => {});
      for (const [document, order] of orders) await this.say(document, order).catch(() => {});
    }
  }

  async #answer(document: EnteredDocument, asked: readonly EngineQuestion[]): Promise<void> {
    const known = asked.map(({ snippet }) => this.#settings.engine.snippet(snippet) ?? '()=>false');
    const answers = await this.#channel.askPage(document, known, this.#signal);
    const told = asked.map(({ id }, index) => ({ type: 'evalResp', id, result: answers[index] ?? false }));
    await this.#channel.say(document, told, this.#signal);
  }
}
