/**
 * A browser of ours, over its pipe. Playwright can ride on the same pipe where more than pages is wanted (storage state,
 * log-ins): `chromium.connectOverCDP` takes a transport, and sessions of its own do not disturb ours.
 */
import type { Browser, BrowserPage, MemoryAccount, PageEvents, PageManner } from './browser.ts';
import { DevToolsConnection, type PipeSession } from './connection.ts';
import type { PipeEnds } from './pipe.ts';
import type { DevToolsSession, EventOf } from './session.ts';

/** The program behind the pipe. */
export interface BrowserProgram {
  readonly pid: number;
  readonly pipe: PipeEnds;
  /** See {@link Browser.memory}. */
  readonly memory: MemoryAccount | null;
  /** See {@link Browser.heapOverflows}. */
  readonly heapOverflows: () => number;
  /** Resolves when it has ended and nothing of it is left. */
  readonly ended: Promise<void>;
  kill(): void;
}

type Attached = EventOf<'Target.attachedToTarget'>;

const LANGUAGE = 'en-US';

export class PipeBrowser implements Browser {
  readonly #program: BrowserProgram;
  readonly #connection: DevToolsConnection;
  readonly #frameControl: boolean;
  readonly #version: string;
  /** Storages of our pages. */
  readonly #contexts: Set<string>;

  private constructor(
    program: BrowserProgram,
    connection: DevToolsConnection,
    about: { readonly version: string; readonly frameControl: boolean; readonly contexts: Set<string> },
  ) {
    this.#program = program;
    this.#connection = connection;
    this.#version = about.version;
    this.#contexts = about.contexts;
    this.#frameControl = about.frameControl;
  }

  /**
   * Resolves when it answers.
   * @param frameControl was it started with begin-frame control?
   * @throws where it ends before
   */
  static async greet(program: BrowserProgram, frameControl: boolean): Promise<PipeBrowser> {
    const connection = new DevToolsConnection(program.pipe);
    const { root } = connection;
    const contexts = new Set<string>();
    refuseServiceWorkers(connection, contexts);
    const [{ product }] = await Promise.all([
      root.send('Browser.getVersion'),
      root.send('Target.setAutoAttach', {
        autoAttach: true,
        waitForDebuggerOnStart: true,
        flatten: true,
        filter: [{ type: 'service_worker' }],
      }),
    ]);
    return new PipeBrowser(program, connection, { version: product.replace(/^.*\//, ''), frameControl, contexts });
  }

  version(): string {
    return this.#version;
  }

  get pid(): number {
    return this.#program.pid;
  }

  get memory(): MemoryAccount | null {
    return this.#program.memory;
  }

  readonly heapOverflows = (): number => this.#program.heapOverflows();

  get gone(): AbortSignal {
    return this.#connection.gone;
  }

  /** Messages both ways; for measurements. */
  get messages(): { readonly sent: number; readonly received: number } {
    return { sent: this.#connection.sent, received: this.#connection.received };
  }

  async processes(): Promise<readonly number[]> {
    const { processInfo } = await this.#connection.root.send('SystemInfo.getProcessInfo');
    return processInfo.map(({ id }) => id);
  }

  async openPage(manner: PageManner): Promise<BrowserPage> {
    const { root } = this.#connection;
    const { browserContextId } = await root.send('Target.createBrowserContext', { disposeOnDetach: true });
    this.#contexts.add(browserContextId);
    const close = async (): Promise<void> => {
      await root.send('Target.disposeBrowserContext', { browserContextId });
      this.#contexts.delete(browserContextId);
    };
    try {
      const [{ targetId }] = await Promise.all([
        root.send('Target.createTarget', {
          url: 'about:blank',
          browserContextId,
          ...manner.viewport,
          ...(this.#frameControl ? { enableBeginFrameControl: true } : {}),
        }),
        root.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId }),
        // none granted: all refused
        root.send('Browser.grantPermissions', { permissions: [], browserContextId }),
      ]);
      const { sessionId } = await root.send('Target.attachToTarget', { targetId, flatten: true });
      const session = this.#connection.session(sessionId);
      const about = { frameId: targetId, frameControl: this.#frameControl, close };
      const page = new PipePage({ session, connection: this.#connection, ...about });
      await page.prepare(manner);
      return page;
    } catch (error) {
      close().catch(() => {}); // the browser is in trouble already
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#connection.root.send('Browser.close').catch(() => {}); // it ends before it answers, or has ended
    await this.#program.ended;
  }

  kill(): void {
    this.#program.kill();
  }
}

/**
 * They would answer a later visit in the server's place, and fetch what no page has asked for: those of our pages are
 * ended before they run.
 */
function refuseServiceWorkers(connection: DevToolsConnection, contexts: ReadonlySet<string>): void {
  connection.root.on('Target.attachedToTarget', ({ sessionId, targetInfo: { targetId, type, browserContextId } }) => {
    if (type !== 'service_worker') return; // attached to by name
    const ended = browserContextId !== undefined && contexts.has(browserContextId);
    const asked = ended
      ? connection.root.send('Target.closeTarget', { targetId })
      : connection.session(sessionId).send('Runtime.runIfWaitingForDebugger');
    asked.catch(() => {}); // it has gone by itself
  });
}

interface PipePageParts extends Pick<BrowserPage, 'frameId' | 'frameControl' | 'close'> {
  readonly session: PipeSession;
  readonly connection: DevToolsConnection;
}

class PipePage implements BrowserPage {
  readonly session: PipeSession;
  readonly frameId: string;
  readonly frameControl: boolean;
  readonly close: () => Promise<void>;
  readonly #connection: DevToolsConnection;
  readonly #frames = new Set<DevToolsSession>();
  #events: PageEvents | null = null;

  constructor({ session, connection, frameId, frameControl, close }: PipePageParts) {
    this.session = session;
    this.frameId = frameId;
    this.frameControl = frameControl;
    this.close = close;
    this.#connection = connection;
  }

  hear(events: PageEvents): void {
    this.#events = events;
    const { session } = this;
    session.on('Inspector.targetCrashed', () => events.ended('crashed'));
    if (session.gone.aborted) events.ended('closed');
    else session.gone.addEventListener('abort', () => events.ended('closed'), { once: true });
  }

  async remoteFrames(): Promise<readonly DevToolsSession[]> {
    return [...this.#frames];
  }

  async prepare({ userAgent, viewport }: PageManner): Promise<void> {
    const { session } = this;
    const metrics = { ...viewport, deviceScaleFactor: 1, mobile: false };
    await Promise.all([
      session.send('Inspector.enable'),
      this.#attachBelow(session),
      session.send('Emulation.setUserAgentOverride', { userAgent, acceptLanguage: LANGUAGE }),
      session.send('Emulation.setLocaleOverride', { locale: LANGUAGE }),
      // a page that thinks itself in the background does less than it would for a reader
      session.send('Emulation.setFocusEmulationEnabled', { enabled: true }),
      // a window of a frame-controlled page has the size that its target was made with
      this.frameControl ? undefined : session.send('Emulation.setDeviceMetricsOverride', metrics),
    ]);
  }

  /** Workers and frames of other processes, and theirs, each with a session of its own from its first moment. */
  async #attachBelow(above: PipeSession): Promise<void> {
    above.on('Target.attachedToTarget', (attached) => this.#attached(attached));
    await above.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true });
  }

  #attached({ sessionId, targetInfo: { type, url } }: Attached): void {
    const ignore = (): void => {}; // it has gone by itself
    if (type === 'service_worker') return; // the browser's session ends it
    const session = this.#connection.session(sessionId);
    if (type === 'worker') {
      this.#events?.workerStarted(url, session);
      session.gone.addEventListener('abort', () => this.#events?.workerEnded(), { once: true });
    } else if (type === 'iframe') {
      this.#frames.add(session);
      session.gone.addEventListener('abort', () => this.#frames.delete(session), { once: true });
      this.#events?.frameStarted(session);
    }
    this.#attachBelow(session).catch(ignore);
    session.send('Runtime.runIfWaitingForDebugger').catch(ignore);
  }
}
