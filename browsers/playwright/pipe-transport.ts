/**
 * Makes Playwright a second client of our pipe: it has sessions of its own, and the events of our pages do not reach it. The special rules
 * for its messages are here; each was found by what broke without it (Playwright 1.65, Chromium 156).
 */
import type { ConnectOverCDPTransport } from 'playwright-core';
import type { DevToolsConnection } from '../protocol/connection.ts';
import type { PipeSession } from '../protocol/pipe-session.ts';

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params?: object;
  /** Left out for the browser itself. */
  readonly sessionId?: string;
}

const BLANK = 'about:blank';
/** Calls that change the settings of a page, or of all pages of a context, from then on. A page's storage is no setting. */
const TUNING =
  /^(?:Emulation|Security|Browser)\.|^Fetch\.enable$|^Page\.(?:addScript|setBypassCSP)|^Runtime\.addBinding$|^Network\.(?:emulate|override|set(?!Cookie))/;
/** Its error only means that a client of ours has answered the dialog first. */
const ANSWERS_DIALOG = 'Page.handleJavaScriptDialog';
/** The last call by which Playwright sets up a page. */
const LETS_RUN = 'Runtime.runIfWaitingForDebugger';
/** Reports no target to Playwright: it is attached to pages one by one, by their ids. */
const NO_TARGETS = [{ exclude: true }];

const NO_PAGES = 'no page is opened here: the crawl opens them';

export class PipeTransport implements ConnectOverCDPTransport {
  onmessage?: (message: object) => void;
  onclose?: (reason?: string) => void;
  readonly #connection: DevToolsConnection;
  /** The session that Playwright takes for the browser's own. */
  readonly #root: PipeSession;
  /** Messages for Playwright. */
  readonly #queue: object[] = [];
  /** Number of messages that Playwright was given. */
  delivered = 0;
  #onContext: (contextId: string) => void = () => {};
  /** Contexts that we know; in others no page is opened. */
  readonly #contexts = new Set<string>();
  /** Contexts in which no page is opened for now, each with the callback for a refusal. */
  readonly #refusals = new Map<string, () => void>();
  /** Windows that wait for Playwright to be ready for them, by its session with each. */
  readonly #windows = new Map<string, () => void>();
  /** Sessions and contexts whose settings were changed. */
  readonly #tuned = new Set<string>();

  private constructor(connection: DevToolsConnection, root: PipeSession) {
    this.#connection = connection;
    this.#root = root;
    connection.relay(root, (message) => this.#relayed(message));
    root.gone.addEventListener('abort', () => this.#end('the browser has ended'), { once: true });
  }

  /** @throws where the browser has ended */
  static async open(connection: DevToolsConnection): Promise<PipeTransport> {
    const { sessionId } = await connection.root.send('Target.attachToBrowserTarget');
    return new PipeTransport(connection, connection.session(sessionId));
  }

  /** Calls back with the id of the next browser context that Playwright makes. */
  onceContextMade(listener: (contextId: string) => void): void {
    this.#onContext = (contextId) => {
      this.#contexts.add(contextId);
      listener(contextId);
    };
  }

  /** Makes Playwright know a page. @returns the session that it has with the page; the page is let go by detaching it */
  async attach(targetId: string): Promise<string> {
    const { sessionId } = await this.#root.send('Target.attachToTarget', { targetId, flatten: true });
    return sessionId;
  }

  /**
   * Makes Playwright know a window that a page of a context has opened, and that waits.
   * @returns false where the context is not Playwright's; resolves when Playwright has set up the window
   */
  async attachWindow(targetId: string, contextId: string): Promise<boolean> {
    if (!this.#contexts.has(contextId)) return false;
    const session = await this.attach(targetId);
    await new Promise<void>((resolve) => this.#windows.set(session, resolve));
    return true;
  }

  /** Refuses to open pages in a context. @returns a function that undoes it */
  refusePages(contextId: string, refused: () => void): () => void {
    this.#refusals.set(contextId, refused);
    return () => this.#refusals.delete(contextId);
  }

  /** Were settings changed, by calls in this session or about this context, since the last {@link untuned}? */
  isTuned(sessionOrContext: string): boolean {
    return this.#tuned.has(sessionOrContext);
  }

  untuned(sessionOrContext: string): void {
    this.#tuned.delete(sessionOrContext);
  }

  /** Forgets a context that has ended. */
  forget(contextId: string): void {
    this.#contexts.delete(contextId);
    this.#tuned.delete(contextId);
  }

  /** Makes Playwright forget a page that it was attached to. The page stays. */
  async detach(sessionId: string): Promise<void> {
    await this.#root.send('Target.detachFromTarget', { sessionId });
  }

  send(message: object): void {
    // eslint-disable-next-line typescript/no-unsafe-type-assertion -- Playwright's type says no more than that it is an object
    const { id, method, params = {}, sessionId } = message as Call;
    this.#noteTuning(method, params, sessionId);
    if (method === LETS_RUN) this.#letRun(sessionId);
    if (sessionId !== undefined && sessionId !== '') this.#call({ id, method, params, sessionId });
    else if (method === 'Target.createTarget') void this.#createTarget(id, params);
    else if (method === 'Target.setAutoAttach') this.#call({ id, method, params: { ...params, filter: NO_TARGETS } });
    else this.#call({ id, method, params });
  }

  /** Ends Playwright's connection only: the pipe and the browser are not its own. */
  close(): void {
    this.#end('let go');
  }

  #end(reason: string): void {
    this.#root.relay = null;
    this.#queue.length = 0;
    this.onclose?.(reason);
  }

  #letRun(sessionId = ''): void {
    this.#windows.get(sessionId)?.();
    this.#windows.delete(sessionId);
  }

  #noteTuning(method: string, params: object, sessionId = ''): void {
    if (!TUNING.test(method)) return;
    if (sessionId !== '') this.#tuned.add(sessionId);
    else if ('browserContextId' in params) this.#tuned.add(String(params.browserContextId));
  }

  #call({ id, method, params, sessionId }: Call): void {
    this.#connection.call(sessionId ?? this.#root.id, method, params, {
      answer: (text) => {
        const answer = JSON.parse(text);
        if (method === 'Target.createBrowserContext' && answer.error === undefined) this.#contextMade(answer.result);
        const answered = method === ANSWERS_DIALOG && answer.error !== undefined ? { result: {} } : answer;
        this.#deliver({ ...answered, id, sessionId });
      },
      fail: (reason) => this.#deliver({ id, sessionId, error: { message: reason.message } }),
    });
  }

  #contextMade({ browserContextId }: { readonly browserContextId: string }): void {
    const listener = this.#onContext;
    this.#onContext = () => {};
    listener(browserContextId);
  }

  /** Attaches before it answers: Playwright expects to know the target by then, as auto-attachment would ensure. */
  async #createTarget(id: number, params: object): Promise<void> {
    const contextId = 'browserContextId' in params ? String(params.browserContextId) : '';
    const refused = this.#refusals.get(contextId);
    if (refused !== undefined || !this.#contexts.has(contextId)) {
      refused?.();
      return this.#deliver({ id, error: { message: NO_PAGES } });
    }
    try {
      const result = await this.#root.send('Target.createTarget', { url: BLANK, ...params });
      await this.attach(result.targetId);
      this.#deliver({ id, result });
    } catch (error) {
      this.#deliver({ id, error: { message: error instanceof Error ? error.message : String(error) } });
    }
  }

  #relayed(text: string): void {
    const message = JSON.parse(text);
    if (message.method === 'Target.attachedToTarget') {
      const session = this.#connection.session(message.params.sessionId);
      this.#connection.relay(session, (inner) => this.#relayed(inner));
    }
    this.#deliver(message.sessionId === this.#root.id ? { ...message, sessionId: undefined } : message);
  }

  /** Delivers each message in a macrotask of its own: Playwright goes on in microtasks between two messages, and relies on it. */
  #deliver(message: object): void {
    this.#queue.push(message);
    if (this.#queue.length === 1) setImmediate(() => this.#next());
  }

  #next(): void {
    const [message] = this.#queue;
    if (message === undefined) return;
    this.delivered += 1;
    try {
      this.onmessage?.(message);
    } catch (error) {
      return this.#end(`Playwright could not take a message: ${String(error)}`); // its state is unknown from now on
    }
    this.#queue.shift();
    if (this.#queue.length > 0) setImmediate(() => this.#next());
  }
}
