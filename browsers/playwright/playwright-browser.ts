/** A browser at an endpoint, through Playwright: the general way, with the same contract as the fast one. */
import type { Browser as PlaywrightsBrowser, BrowserContext as PlaywrightsContext, Frame, Page } from 'playwright-core';
import type {
  Browser,
  BrowserContext,
  BrowserPage,
  PageEvents,
  PageManner,
  PlaywrightUse,
} from '../protocol/browser.ts';
import type { DevToolsSession } from '../protocol/session.ts';
import type { StorageState } from '../protocol/storage-state.ts';
import { contextOptions } from './context-options.ts';
import { withoutOwnRequests } from './own-requests.ts';

export class PlaywrightBrowser implements Browser {
  readonly #browser: PlaywrightsBrowser;
  readonly #gone = new AbortController();
  /** Its processes may be those of another machine. */
  readonly pid = null;
  readonly memory = null;
  readonly heapOverflows = (): number => 0;

  constructor(browser: PlaywrightsBrowser) {
    this.#browser = browser;
    browser.on('disconnected', () => this.#gone.abort(new Error('the browser has ended')));
  }

  version(): string {
    return this.#browser.version();
  }

  /** Of the messages nothing is known. */
  get playwright(): PlaywrightUse {
    return { contexts: this.#browser.contexts().length, messages: 0 };
  }

  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  async processes(): Promise<readonly number[]> {
    return [];
  }

  async openContext(manner: PageManner, state: StorageState | null = null): Promise<BrowserContext> {
    const context = await this.#browser.newContext(contextOptions(manner, state));
    withoutOwnRequests(context);
    const ours = new Set<Page>();
    // what a page opens is not ours; one of ours is opened and noted in one turn
    context.on('page', (page) => {
      setImmediate(() => {
        if (!ours.has(page)) page.close().catch(() => {}); // it has gone by itself
      });
    });
    return {
      openPage: () => openPage(context, ours),
      storageState: () => context.storageState(),
      close: () => context.close(),
    };
  }

  close(): Promise<void> {
    return this.#browser.close();
  }

  /** The browser's owner ends it; this only closes the connection. */
  kill(): void {
    this.#gone.abort(new Error('the browser was given up'));
    this.#browser.close().catch(() => {}); // it does not listen
  }
}

async function openPage(context: PlaywrightsContext, ours: Set<Page>): Promise<BrowserPage> {
  const page = await context.newPage();
  ours.add(page);
  page.on('close', () => ours.delete(page));
  try {
    const session = await context.newCDPSession(page);
    const { frameTree } = await session.send('Page.getFrameTree');
    return {
      session,
      frameId: frameTree.frame.id,
      frameControl: false,
      listen: (events) => listen(page, events),
      remoteFrames: () => remoteFrames(context, page),
      // what it opens is closed (openContext); whatever was set stays set
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

/** A frame of another process has a session of its own; Playwright refuses one for all others. */
async function remoteFrames(context: PlaywrightsContext, page: Page): Promise<readonly DevToolsSession[]> {
  const own = (frame: Frame): Promise<DevToolsSession | null> => context.newCDPSession(frame).catch(() => null);
  const sessions = await Promise.all(page.frames().slice(1, FRAMES).map(own));
  return sessions.filter((session) => session !== null);
}

/** Frames of other processes that are looked for. */
const FRAMES = 100;
