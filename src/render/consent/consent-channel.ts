/**
 * The channel between the engine in a page's frames and us. The engine is in a world of its own, and so is the binding by which it sends:
 * no script of a page can call the binding.
 */
import type { DevToolsSession, ListenerOf } from '../../../browsers/protocol/session.ts';
import { CONSENT_MESSAGES } from '../limits/consent-limits.ts';
import { ANSWER_LIMIT, SCRIPT_LIMIT } from '../page-limits.ts';
import { createWorld, type FrameAddress } from '../page/isolated-world.ts';
import type { WarmPage } from '../page/warm-page.ts';

/** Names of a world and of the binding in it. */
const WORLD = 'orbweaverConsent';

/** Source of the function by which the engine sends to us, for the engine's world. */
const sender = (binding: string): string =>
  `globalThis.autoconsentSendMessage=(message)=>{${binding}(JSON.stringify(message));return Promise.resolve()};`;

/** A document that the engine is in. */
export interface EnteredDocument {
  /** Unique to this document. */
  readonly key: string;
  readonly address: FrameAddress;
  /** Its execution context there. */
  readonly contextId: number;
}

interface ChannelEvents {
  /** @param payload the engine's message, unchecked */
  readonly heard: (document: EnteredDocument, payload: string) => void;
  /** Its frame was taken away, or shows another document. */
  readonly gone: (document: EnteredDocument) => void;
}

interface Listeners {
  readonly called: ListenerOf<'Runtime.bindingCalled'>;
  readonly destroyed: ListenerOf<'Runtime.executionContextDestroyed'>;
}

export class ConsentChannel implements Disposable {
  readonly #page: WarmPage;
  readonly #events: ChannelEvents;
  readonly #world: string;
  readonly #documents = new Set<EnteredDocument>();
  readonly #listeners = new Map<DevToolsSession, Listeners>();
  #messages = 0;

  /** @param name differs for each engine of one document */
  constructor(page: WarmPage, name: string, events: ChannelEvents) {
    this.#page = page;
    this.#world = `${WORLD}${name}`;
    this.#events = events;
  }

  /** Documents that the engine is in. */
  get size(): number {
    return this.#documents.size;
  }

  /** Is the engine in the document that a frame shows? */
  isIn({ frameId }: FrameAddress): boolean {
    return [...this.#documents].some(({ address }) => address.frameId === frameId);
  }

  /** Called when other documents have replaced all those of the page. */
  forget(): void {
    this.#documents.clear();
  }

  /** Prepares a document for the engine, which is not in it yet. */
  async open(address: FrameAddress, signal: AbortSignal): Promise<EnteredDocument> {
    await this.#listenTo(address.session, signal);
    const contextId = await createWorld(this.#page, address, this.#world, signal);
    const document = { key: `${address.frameId} ${contextId}`, address, contextId };
    this.#documents.add(document);
    return document;
  }

  /** Starts the engine in a document. @param script its own, and its first message */
  async begin(document: EnteredDocument, script: string, signal: AbortSignal): Promise<void> {
    await this.run(document, `${sender(this.#world)}${script};0`, signal);
  }

  async say(document: EnteredDocument, messages: readonly object[], signal: AbortSignal): Promise<void> {
    const calls = messages.map((message) => `autoconsentReceiveMessage(${JSON.stringify(message)});`);
    await this.run(document, `${calls.join('')}0`, signal);
  }

  /** Evaluates in the engine's world. @returns the result, as the browser reports it; null where the script threw */
  run({ address, contextId }: EnteredDocument, expression: string, signal: AbortSignal): Promise<unknown> {
    return this.#evaluate(address.session, { expression, contextId }, signal);
  }

  /**
   * Calls snippets of the package in the page's own world, where the page may forge answers.
   * @returns for each whether its result was truthy; nothing where that world is not known, as within frames of other processes
   */
  async askPage(
    { address }: EnteredDocument,
    snippets: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly boolean[]> {
    const { session, frameId } = address;
    const contextId = session === this.#page.session ? this.#page.ownWorlds?.of(frameId) : undefined;
    if (contextId === undefined) return [];
    const calls = snippets.map((snippet) => `gave(${snippet})`).join(',');
    const expression = `(()=>{const gave=(ask)=>{try{return !!ask()}catch{return false}};return [${calls}]})()`;
    const answers = await this.#evaluate(session, { expression, contextId }, signal);
    return Array.isArray(answers) ? answers.map((answer) => answer === true) : [];
  }

  [Symbol.dispose](): void {
    for (const [session, { called, destroyed }] of this.#listeners) {
      session.off('Runtime.bindingCalled', called);
      session.off('Runtime.executionContextDestroyed', destroyed);
      session.send('Runtime.removeBinding', { name: this.#world }).catch(() => {}); // the page or frame is gone
    }
    this.#listeners.clear();
    this.#documents.clear();
  }

  async #listenTo(session: DevToolsSession, signal: AbortSignal): Promise<void> {
    if (this.#listeners.has(session)) return;
    const of = (contextId: number): EnteredDocument | undefined =>
      [...this.#documents].find((known) => known.contextId === contextId && known.address.session === session);
    const called: Listeners['called'] = ({ name, payload, executionContextId }) => {
      const document = of(executionContextId);
      if (name !== this.#world || document === undefined || this.#messages >= CONSENT_MESSAGES) return;
      this.#messages += 1;
      this.#events.heard(document, payload);
    };
    const destroyed: Listeners['destroyed'] = ({ executionContextId }) => {
      const document = of(executionContextId);
      if (document === undefined) return;
      this.#documents.delete(document);
      this.#events.gone(document);
    };
    this.#listeners.set(session, { called, destroyed });
    session.on('Runtime.bindingCalled', called);
    session.on('Runtime.executionContextDestroyed', destroyed);
    if (session !== this.#page.session) session.send('Runtime.enable').catch(() => {}); // a frame that has gone by itself
    const bound = session.send('Runtime.addBinding', { name: this.#world, executionContextName: this.#world });
    await this.#page.within(bound, 'the binding of the consent engine', signal);
  }

  async #evaluate(
    session: DevToolsSession,
    script: { readonly expression: string; readonly contextId: number },
    signal: AbortSignal,
  ): Promise<unknown> {
    const timeout = this.#page.browser.given.realTime(SCRIPT_LIMIT);
    const call = session.send('Runtime.evaluate', { ...script, returnByValue: true, silent: true, timeout });
    const { result, exceptionDetails } = await this.#page.within(call, 'the consent engine', signal, ANSWER_LIMIT);
    return exceptionDetails === undefined ? result.value : null;
  }
}
