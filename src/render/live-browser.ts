/**
 * One running browser: makes pages, draws frames one at a time, knows when it must be replaced.
 * States: alive → retiring (no new pages; closed when the last one is given back) → gone.
 */
import type { Browser, CDPSession } from 'playwright-core';
import type { Clock } from '../base/clock.ts';
import { withDeadline } from '../base/deadline.ts';
import type { Log } from '../base/log.ts';
import type { RegistrableDomain } from '../model/host-key.ts';
import { Mutex } from './mutex.ts';
import { CALL_LIMIT, OPEN_LIMIT } from './page-limits.ts';
import { PageEnded } from './page-ended.ts';
import { WarmPage } from './warm-page.ts';

export interface LiveBrowserOptions {
  readonly userAgent: string;
  readonly viewport: { readonly width: number; readonly height: number };
  /** Sent to the hosts of a page's registrable domain, and to no other. */
  readonly extraHeaders: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Begin-frame control exists where the browser was started with it (headless shells). */
const FRAME_CONTROL_FLAG = '--enable-begin-frame-control';

export class LiveBrowser {
  readonly #browser: Browser;
  readonly #root: CDPSession;
  readonly #options: LiveBrowserOptions;
  readonly #frameControl: boolean;
  readonly #opening = new Mutex();
  readonly #pages = new Set<WarmPage>();
  readonly #frames = new Mutex();
  #draws = true;
  readonly version: string;
  /** Of the main process; null where the browser does not tell. */
  readonly pid: number | null;
  #retiring = false;
  #gone = false;
  visits = 0;

  private constructor(
    browser: Browser,
    root: CDPSession,
    about: { frameControl: boolean; pid: number | null },
    options: LiveBrowserOptions,
  ) {
    this.#browser = browser;
    this.#root = root;
    this.#options = options;
    this.#frameControl = about.frameControl;
    this.pid = about.pid;
    this.version = browser.version();
    browser.on('disconnected', () => this.#lost());
  }

  /** Takes over a browser that was just started; who launched it need not close it. */
  static async adopt(browser: Browser, options: LiveBrowserOptions, signal: AbortSignal): Promise<LiveBrowser> {
    const root = await withDeadline(browser.newBrowserCDPSession(), 'the browser', CALL_LIMIT, signal);
    const [info, processes] = await withDeadline(
      Promise.all([
        root.send('SystemInfo.getInfo').catch(() => ({ commandLine: '' })),
        root.send('SystemInfo.getProcessInfo').catch(() => ({ processInfo: [] })),
      ]),
      'the browser',
      CALL_LIMIT,
      signal,
    );
    const pid = processes.processInfo.find(({ type }) => type === 'browser')?.id ?? null;
    const frameControl = info.commandLine.includes(FRAME_CONTROL_FLAG);
    return new LiveBrowser(browser, root, { frameControl, pid }, options);
  }

  get usable(): boolean {
    return !this.#retiring && !this.#gone && this.#browser.isConnected();
  }

  /** Has it not ended yet? One that retires is still alive. */
  get alive(): boolean {
    return !this.#gone && this.#browser.isConnected();
  }

  /** Process ids of all its processes. */
  async processes(): Promise<readonly number[]> {
    const { processInfo } = await this.#root.send('SystemInfo.getProcessInfo');
    return processInfo.map(({ id }) => id);
  }

  /** A new page with a storage of its own. */
  async openPage(domain: RegistrableDomain, signal: AbortSignal): Promise<WarmPage> {
    const opening = this.#opening.run(() => this.#open(domain, signal));
    try {
      const page = await withDeadline(opening, 'opening a page', OPEN_LIMIT, signal);
      this.#pages.add(page);
      page.gone.addEventListener('abort', () => this.#givenBack(page), { once: true });
      return page;
    } catch (error) {
      // nobody waits for it any more
      opening.then((late) => late.dispose(new AbortController().signal)).catch(() => {});
      if (!signal.aborted) this.misbehaved('no page could be opened');
      throw error;
    }
  }

  async #open(domain: RegistrableDomain, signal: AbortSignal): Promise<WarmPage> {
    const { userAgent, viewport, clock, extraHeaders } = this.#options;
    const before = new Set((await this.#root.send('Target.getBrowserContexts')).browserContextIds);
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
      const { browserContextIds } = await this.#root.send('Target.getBrowserContexts');
      const browserContextId = browserContextIds.find((id) => !before.has(id));
      const frameControl = this.#frameControl && browserContextId !== undefined;
      const arrival = frameControl ? context.waitForEvent('page', { timeout: OPEN_LIMIT }) : context.newPage();
      if (frameControl) {
        const url = 'about:blank';
        await this.#root.send('Target.createTarget', {
          url,
          browserContextId,
          enableBeginFrameControl: true,
          ...viewport,
        });
      }
      const page = await arrival;
      context.on('page', (popup) => void popup.close().catch(() => {})); // a second page is none of ours
      const session = await context.newCDPSession(page);
      const { frameTree } = await session.send('Page.getFrameTree');
      const parts = { browser: this, context, page, session, domain, clock, extraHeaders };
      const warm = new WarmPage({ ...parts, frameId: frameTree.frame.id, frameControl });
      await warm.prepare(signal);
      return warm;
    } catch (error) {
      context.close().catch(() => {}); // the browser is in trouble already
      throw error;
    }
  }

  /**
   * Draws one frame, while no other is drawn: two at once kill the GPU process (render-recipe, pitfall 1). Null where the
   * frame did not come; it still counts as under way, so that this browser draws no more and is replaced.
   * @param frame the call, bounded in time
   */
  draw<Result>(frame: () => Promise<Result>): Promise<Result | null> {
    return this.#frames.run(async () => {
      if (!this.#draws || this.#gone) return null;
      try {
        return await frame();
      } catch {
        this.#draws = false;
        this.misbehaved('a frame was not drawn');
        return null;
      }
    });
  }

  /** The browser cannot be trusted any more: it is replaced, its pages end as they can. */
  misbehaved(why: string): void {
    if (this.#retiring) return;
    this.#options.log.warn('browser retired', { why, visits: this.visits });
    this.retire();
  }

  /** No new pages; closed with the last of those it has. */
  retire(): void {
    this.#retiring = true;
    if (this.#pages.size === 0) this.#close();
  }

  /** Ends it now, with all its pages. Resolves when it is gone, or could not be asked to go. */
  async close(signal: AbortSignal): Promise<void> {
    this.#retiring = true;
    try {
      await withDeadline(this.#browser.close(), 'closing the browser', CALL_LIMIT, signal);
    } catch {
      this.kill();
    }
  }

  /** For a browser that does not listen: its process is ended by its id. */
  kill(): void {
    if (this.pid === null || this.#gone) return;
    try {
      process.kill(this.pid, 'SIGKILL');
    } catch {
      // it has ended by itself
    }
    this.#lost();
  }

  #givenBack(page: WarmPage): void {
    this.#pages.delete(page);
    if (this.#retiring && this.#pages.size === 0) this.#close();
  }

  #close(): void {
    if (this.#gone) return;
    const never = new AbortController().signal;
    withDeadline(this.#browser.close(), 'closing the browser', CALL_LIMIT, never).catch(() => this.kill());
  }

  #lost(): void {
    this.#gone = true;
    for (const page of this.#pages) page.end(new PageEnded('crashed', 'the browser has ended'));
  }
}
