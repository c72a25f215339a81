/** A browser at an endpoint, through Playwright: the general way, with the same contract as the fast one. */
import type { Browser as PlaywrightsBrowser, BrowserContext, Frame, Page } from 'playwright-core';
import type { Browser, BrowserPage, PageEvents, PageManner } from '../protocol/browser.ts';
import type { DevToolsSession } from '../protocol/session.ts';

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

  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  async processes(): Promise<readonly number[]> {
    return [];
  }

  async openPage({ userAgent, viewport }: PageManner): Promise<BrowserPage> {
    const context = await this.#browser.newContext({
      userAgent,
      viewport,
      locale: 'en-US',
      serviceWorkers: 'block',
      acceptDownloads: false,
      ignoreHTTPSErrors: false,
      permissions: [],
    });
    try {
      const page = await context.newPage();
      context.on('page', (popup) => void popup.close().catch(() => {})); // a second page is not ours
      const session = await context.newCDPSession(page);
      const { frameTree } = await session.send('Page.getFrameTree');
      return {
        session,
        frameId: frameTree.frame.id,
        frameControl: false,
        listen: (events) => listen(page, events),
        remoteFrames: () => remoteFrames(context, page),
        close: () => context.close(),
      };
    } catch (error) {
      context.close().catch(() => {}); // the browser is in trouble already
      throw error;
    }
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

function listen(page: Page, events: PageEvents): void {
  page.on('crash', () => events.ended('crashed'));
  page.on('close', () => events.ended('closed'));
  page.on('worker', (worker) => {
    events.workerStarted(worker.url(), null);
    worker.on('close', () => events.workerEnded());
  });
}

/** A frame of another process has a session of its own; Playwright refuses one for all others. */
async function remoteFrames(context: BrowserContext, page: Page): Promise<readonly DevToolsSession[]> {
  const own = (frame: Frame): Promise<DevToolsSession | null> => context.newCDPSession(frame).catch(() => null);
  const sessions = await Promise.all(page.frames().slice(1, FRAMES).map(own));
  return sessions.filter((session) => session !== null);
}

/** Frames of other processes that are looked for. */
const FRAMES = 100;
