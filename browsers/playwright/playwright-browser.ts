/**
 * A browser at an endpoint, through Playwright: the general way, with the same contract as the fast one. Somebody else started it, so each
 * of its contexts is given what our browsers get by flags: the proxy, and no way round it.
 */
import type {
  Browser as PlaywrightsBrowser,
  BrowserContext as PlaywrightsContext,
  BrowserContextOptions,
  Frame,
  Page,
} from 'playwright-core';
import type {
  Browser,
  BrowserContext,
  BrowserPage,
  PageEvents,
  PageManner,
  PlaywrightUse,
} from '../protocol/browser.ts';
import { introduceProxy } from '../protocol/introduce-proxy.ts';
import type { ProxyCredential } from '../protocol/proxy-credential.ts';
import type { DevToolsSession } from '../protocol/session.ts';
import type { StorageState } from '../protocol/storage-state.ts';
import { contextState } from './context-state.ts';
import { contextOptions, MOST_WINDOWS } from './context-options.ts';
import { withoutOwnRequests } from './own-requests.ts';

/** The proxy that the pages of a browser go through. */
export interface PageGate {
  readonly proxyUrl: string;
  readonly credential: ProxyCredential;
  /** Does it terminate TLS? Then it verifies the certificates of servers, and its own are trusted. */
  readonly endsTls: boolean;
}

/** Removes WebRTC, whose UDP would bypass the proxy. A browser of ours has command line flags for this. */
const WITHOUT_WEBRTC =
  'for(const name of ["RTCPeerConnection","webkitRTCPeerConnection","RTCIceTransport","RTCDataChannel"])delete globalThis[name]';

export class PlaywrightBrowser implements Browser {
  readonly #browser: PlaywrightsBrowser;
  readonly #gate: PageGate | null;
  readonly #opensWindows: boolean;
  readonly #gone = new AbortController();
  /** Its processes may be those of another machine. */
  readonly pid = null;
  readonly memory = null;
  readonly heapOverflows = (): number => 0;

  /** @param how gate null: its pages reach the network by themselves; `opensWindows` left out: windows that a page opens are closed */
  constructor(browser: PlaywrightsBrowser, how: { readonly gate: PageGate | null; readonly opensWindows?: boolean }) {
    this.#browser = browser;
    this.#gate = how.gate;
    this.#opensWindows = how.opensWindows ?? false;
    browser.on('disconnected', () => this.#gone.abort(new Error('the browser has ended')));
  }

  version(): string {
    return this.#browser.version();
  }

  /** The number of messages is unknown. */
  get playwright(): PlaywrightUse {
    return { contexts: this.#browser.contexts().length, messages: 0 };
  }

  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  async processes(): Promise<readonly number[]> {
    return [];
  }

  async networkProcess(): Promise<null> {
    return null;
  }

  async openContext(manner: PageManner, state: StorageState | null = null): Promise<BrowserContext> {
    const gate = this.#gate;
    const context = await this.#browser.newContext({ ...contextOptions(manner, state), ...gateOptions(gate) });
    withoutOwnRequests(context);
    if (gate !== null) await context.addInitScript(WITHOUT_WEBRTC);
    let introduced: Promise<void> | null = null;
    const introduce = async (session: DevToolsSession): Promise<void> => {
      if (gate !== null) await (introduced ??= proveGate(session, gate.credential));
    };
    const ours = new Set<Page>();
    // a window that a page opens is not ours; a page of ours is opened and noted in one turn
    context.on('page', (page) => {
      setImmediate(() => {
        const isKept = this.#opensWindows && context.pages().length <= MOST_WINDOWS;
        if (!ours.has(page) && !isKept) page.close().catch(() => {}); // it has gone by itself
      });
    });
    return {
      openPage: () => openPage(context, ours, introduce),
      storageState: (depth) => contextState(context, depth),
      close: () => context.close(),
    };
  }

  close(): Promise<void> {
    return this.#browser.close();
  }

  /** The browser's owner ends it; this only closes the connection. */
  kill(): void {
    this.#gone.abort(new Error('the browser was given up'));
    this.#browser.close().catch(() => {}); // it does not answer
  }
}

/** Gives Playwright no credential: it would hold every request to send it. The browser keeps a credential that it was told once. */
function gateOptions(gate: PageGate | null): BrowserContextOptions {
  if (gate === null) return {};
  return { proxy: { server: gate.proxyUrl, bypass: '<-loopback>' }, ignoreHTTPSErrors: gate.endsTls };
}

/**
 * Proves that the requests of a storage's pages arrive at the proxy, whatever somebody else's browser makes of its settings.
 * @throws where they do not
 */
async function proveGate(session: DevToolsSession, credential: ProxyCredential): Promise<void> {
  using probe = credential.probe();
  await introduceProxy(session, credential, probe.url);
  if (!probe.arrived()) throw new Error('what it asks for does not arrive at the proxy');
}

async function openPage(
  context: PlaywrightsContext,
  ours: Set<Page>,
  introduce: (session: DevToolsSession) => Promise<void>,
): Promise<BrowserPage> {
  const page = await context.newPage();
  ours.add(page);
  page.on('close', () => ours.delete(page));
  try {
    const session = await context.newCDPSession(page);
    await introduce(session);
    const { frameTree } = await session.send('Page.getFrameTree');
    return {
      session,
      frameId: frameTree.frame.id,
      frameControl: false,
      listen: (events) => listen(page, events),
      remoteFrames: remoteFramesOf(context, page),
      // windows that it opens are closed (openContext); settings that were changed stay changed
      adopt: async () => ({ page, tuned: true, caughtUp: async () => {}, letGo: async () => {} }),
      close: () => page.close(),
    };
  } catch (error) {
    page.close().catch(() => {}); // the browser is in trouble already
    throw error;
  }
}

function listen(page: Page, events: PageEvents): void {
  page.on('crash', () => events.ended('crashed'));
  page.on('close', () => events.ended('closed'));
  page.on('worker', (worker) => {
    events.workerStarted(worker.url(), null);
    worker.on('close', () => events.workerEnded());
  });
}

/** Sessions of frames in other processes, each made once; Playwright refuses one for other frames. */
function remoteFramesOf(context: PlaywrightsContext, page: Page): () => Promise<readonly DevToolsSession[]> {
  const known = new WeakMap<Frame, DevToolsSession>();
  const sessionOf = async (frame: Frame): Promise<DevToolsSession | null> => {
    const before = known.get(frame);
    if (before !== undefined) return before;
    const session = await context.newCDPSession(frame).catch(() => null);
    if (session === null) return null;
    known.set(frame, session);
    session.on('close', () => known.delete(frame));
    return session;
  };
  return async () => {
    const sessions = await Promise.all(page.frames().slice(1, FRAMES).map(sessionOf));
    return sessions.filter((session) => session !== null);
  };
}

/** Frames of other processes that are looked for. */
const FRAMES = 100;
