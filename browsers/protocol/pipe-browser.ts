/** A browser of ours, over its pipe. Its contexts are made by Playwright, over the same pipe, or by a call of ours. */
import type {
  AdoptOptions,
  Browser,
  BrowserContext,
  BrowserPage,
  MemoryAccount,
  PageManner,
  PlaywrightUse,
} from './browser.ts';
import { DevToolsConnection, type FaultListener } from './connection.ts';
import type { PipeSession } from './pipe-session.ts';
import { ownContexts, type ContextMaker, type MadeContext } from './context-maker.ts';
import { introduceProxy } from './introduce-proxy.ts';
import { PipePage } from './pipe-page.ts';
import type { PipeEnds } from './pipe.ts';
import type { ProxyCredential } from './proxy-credential.ts';
import type { StorageState } from './storage-state.ts';
import { rationSharedWorkers, refuseServiceWorkers, refuseWindows } from './unwanted-targets.ts';

/** Chromium's own name for the kind of process that sends requests. */
const NETWORK_SERVICE = 'network.mojom.NetworkService';

/** The program behind the pipe. */
export interface BrowserProgram {
  readonly pid: number;
  readonly pipe: PipeEnds;
  /** See {@link Browser.memory}. */
  readonly memory: MemoryAccount | null;
  /** See {@link Browser.heapOverflows}. */
  readonly heapOverflows: () => number;
  /** Resolves when all its processes have ended. */
  readonly ended: Promise<void>;
  kill(): void;
}

/** How the program was started. */
interface BrowserStart {
  /** Are frames drawn only when asked for? */
  readonly frameControl: boolean;
  /** Is it in a network that reaches its proxy and nothing else? */
  readonly ownNetwork: boolean;
  /** The credential that its proxy asks of each storage; null for none. */
  readonly proxyCredential: ProxyCredential | null;
  readonly onFault?: FaultListener;
  /** May pages open windows? The adopter of a page gets its windows, too. */
  readonly opensWindows?: boolean;
  /** Left out: contexts are made without Playwright. */
  readonly contexts?: (connection: DevToolsConnection) => Promise<ContextMaker>;
}

/** Functions of a context that its pages call. */
interface ContextCalls extends Pick<MadeContext, 'adopt'> {
  /** Gives the proxy's credential to the context, once. */
  readonly introduce: (session: PipeSession) => Promise<void>;
}

export class PipeBrowser implements Browser {
  readonly #program: BrowserProgram;
  readonly #connection: DevToolsConnection;
  readonly #start: BrowserStart;
  readonly #version: string;
  readonly #maker: ContextMaker;
  /** Ids of the contexts of our pages. */
  readonly #contexts: Set<string>;

  private constructor(
    program: BrowserProgram,
    connection: DevToolsConnection,
    about: BrowserStart & { readonly version: string; readonly ids: Set<string>; readonly maker: ContextMaker },
  ) {
    this.#program = program;
    this.#connection = connection;
    this.#version = about.version;
    this.#contexts = about.ids;
    this.#maker = about.maker;
    this.#start = about;
  }

  /**
   * Resolves when the browser answers.
   * @throws where it ends before
   */
  static async greet(program: BrowserProgram, start: BrowserStart): Promise<PipeBrowser> {
    const connection = new DevToolsConnection(program.pipe, start.onFault);
    const { gone } = connection;
    // without this, a browser that has not ended and does not answer would stay
    const leave = (): void => {
      if (gone.reason instanceof Error && gone.reason.cause !== undefined) program.kill();
    };
    gone.addEventListener('abort', leave, { once: true });
    const { root } = connection;
    const ids = new Set<string>();
    const making = start.contexts?.(connection) ?? Promise.resolve(ownContexts(connection));
    refuseServiceWorkers(connection, ids);
    rationSharedWorkers(connection, ids);
    refuseWindows(connection, async ({ targetId, contextId }) => {
      return start.opensWindows === true && (await making).takeWindow(targetId, contextId);
    });
    const [{ product }, maker] = await Promise.all([
      root.send('Browser.getVersion'),
      making,
      root.send('Target.setAutoAttach', {
        autoAttach: true,
        waitForDebuggerOnStart: true,
        flatten: true,
        filter: [
          { type: 'service_worker' },
          { type: 'shared_worker' },
          ...(start.frameControl ? [] : [{ type: 'page' }]),
        ],
      }),
    ]);
    // the contexts and their pages have ended with their maker
    maker.lost.addEventListener('abort', () => program.kill(), { once: true });
    return new PipeBrowser(program, connection, { ...start, version: product.replace(/^.*\//, ''), ids, maker });
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

  get playwright(): PlaywrightUse | null {
    return this.#maker.playwright;
  }

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

  async networkProcess(): Promise<number | null> {
    const { processInfo } = await this.#connection.root.send('SystemInfo.getProcessInfo');
    return processInfo.find(({ type }) => type === NETWORK_SERVICE)?.id ?? null;
  }

  async openContext(manner: PageManner, state: StorageState | null = null): Promise<BrowserContext> {
    const { root } = this.#connection;
    const { id: browserContextId, dispose, adopt, storageState } = await this.#maker.make(manner, state);
    this.#contexts.add(browserContextId);
    const close = async (): Promise<void> => {
      await dispose();
      this.#contexts.delete(browserContextId);
    };
    const prepared = Promise.all([
      root.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId }),
      // none granted: all refused
      root.send('Browser.grantPermissions', { permissions: [], browserContextId }),
    ]);
    prepared.catch(() => {}); // the caller that opens a page gets the rejection
    let introduced: Promise<void> | null = null;
    const introduce = (session: PipeSession): Promise<void> => (introduced ??= this.#introduce(session));
    return {
      close,
      storageState,
      openPage: async () => {
        await prepared;
        return this.#openPage(browserContextId, manner, { introduce, adopt });
      },
    };
  }

  async #openPage(
    browserContextId: string,
    manner: PageManner,
    { introduce, adopt }: ContextCalls,
  ): Promise<BrowserPage> {
    const { root } = this.#connection;
    const { frameControl, ownNetwork } = this.#start;
    const { targetId } = await root.send('Target.createTarget', {
      url: 'about:blank',
      browserContextId,
      ...manner.viewport,
      ...(frameControl ? { enableBeginFrameControl: true } : {}),
    });
    const close = async (): Promise<void> => void (await root.send('Target.closeTarget', { targetId }));
    try {
      const { sessionId } = await root.send('Target.attachToTarget', { targetId, flatten: true });
      const session = this.#connection.session(sessionId);
      const calls = { close, adopt: (options?: AdoptOptions) => adopt(targetId, options) };
      const page = new PipePage({ session, connection: this.#connection, frameId: targetId, frameControl, ...calls });
      await Promise.all([page.prepare(manner, ownNetwork), introduce(session)]);
      return page;
    } catch (error) {
      close().catch(() => {}); // the browser is in trouble already
      throw error;
    }
  }

  async #introduce(session: PipeSession): Promise<void> {
    const { proxyCredential } = this.#start;
    if (proxyCredential !== null) await introduceProxy(session, proxyCredential, proxyCredential.greeting);
  }

  async close(): Promise<void> {
    this.#connection.root.send('Browser.close').catch(() => {}); // it ends before it answers, or has ended
    await this.#program.ended;
  }

  kill(): void {
    this.#program.kill();
  }
}
