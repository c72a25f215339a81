/**
 * Playwright's browser contexts, in a browser that we drive over its pipe. Playwright makes and ends them and holds their storage
 * (cookies, storage state); pages in them are ours, and no message about a page reaches Playwright until the page is handed over to it.
 */
import type { Browser as PlaywrightsBrowser, BrowserContext } from 'playwright-core';
import { Mutex } from '../../src/base/mutex.ts';
import type { AdoptedPage, AdoptOptions, PageManner, PlaywrightUse } from '../protocol/browser.ts';
import type { ContextMaker, MadeContext } from '../protocol/context-maker.ts';
import type { DevToolsConnection } from '../protocol/connection.ts';
import type { StorageState } from '../protocol/storage-state.ts';
import { withoutOwnRequests } from './own-requests.ts';
import { contextState } from './context-state.ts';
import { contextOptions, MOST_WINDOWS } from './context-options.ts';
import { loadPlaywright } from './load-playwright.ts';
import { PipeTransport } from './pipe-transport.ts';

// loaded with this module, which is while the browser starts
const { chromium } = loadPlaywright();

/** Milliseconds. A page is adopted in 14 to 65, on a busy machine in some hundred. */
const ADOPT_LIMIT = 10_000;

export class PlaywrightContexts implements ContextMaker {
  readonly #browser: PlaywrightsBrowser;
  readonly #transport: PipeTransport;
  readonly #lost = new AbortController();
  /** Contexts are made one at a time: that is how the id of each is known. */
  readonly #making = new Mutex();

  private constructor(browser: PlaywrightsBrowser, transport: PipeTransport) {
    this.#browser = browser;
    this.#transport = transport;
    browser.on('disconnected', () => this.#lost.abort(new Error('Playwright has let the browser go')));
  }

  /**
   * Connects Playwright over the pipe.
   * @param folder for Playwright's files; the caller removes it with the browser
   * @throws where it cannot connect
   */
  static async open(connection: DevToolsConnection, folder: string): Promise<PlaywrightContexts> {
    const transport = await PipeTransport.open(connection);
    const browser = await chromium.connectOverCDP(transport, { artifactsDir: folder, noDefaults: true });
    return new PlaywrightContexts(browser, transport);
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  get playwright(): PlaywrightUse {
    return { contexts: this.#browser.contexts().length, messages: this.#transport.delivered };
  }

  async takeWindow(targetId: string, contextId: string): Promise<boolean> {
    const open = this.#browser.contexts().flatMap((context) => context.pages()).length;
    return open < MOST_WINDOWS && this.#transport.attachWindow(targetId, contextId);
  }

  make(manner: PageManner, state: StorageState | null): Promise<MadeContext> {
    return this.#making.run(async () => {
      const made: string[] = [];
      this.#transport.onceContextMade((contextId) => void made.push(contextId));
      const context = await this.#browser.newContext(contextOptions(manner, state));
      const [id] = made;
      if (id === undefined) throw new Error('Playwright made a context without asking the browser');
      withoutOwnRequests(context);
      this.#transport.untuned(id); // only its own options have tuned it so far
      const adopting = new Mutex();
      const known = { context, contextId: id, transport: this.#transport };
      return {
        id,
        dispose: async () => {
          await context.close();
          this.#transport.forget(known.contextId);
        },
        storageState: (depth) => contextState(context, depth),
        adopt: (targetId, options = {}) => adopting.run(() => adopt(known, targetId, options)),
      };
    });
  }
}

interface KnownContext {
  readonly context: BrowserContext;
  readonly contextId: string;
  readonly transport: PipeTransport;
}

/** Runs one at a time: the page that the context reports next is the adopted one. */
async function adopt(
  { context, contextId, transport }: KnownContext,
  targetId: string,
  { refusesPages }: AdoptOptions,
): Promise<AdoptedPage> {
  const reported = context.waitForEvent('page', { timeout: ADOPT_LIMIT });
  reported.catch(() => {}); // nothing awaits it where attaching fails
  const session = await transport.attach(targetId);
  const page = await reported;
  transport.untuned(session); // so far Playwright has only applied the context's options
  const allow = refusesPages === undefined ? () => {} : transport.refusePages(contextId, refusesPages);
  return {
    page,
    get tuned() {
      return transport.isTuned(session) || transport.isTuned(contextId);
    },
    // messages keep their order: the answer to an empty query arrives after the page's events
    caughtUp: async () => void (await context.cookies('http://nowhere.invalid/')),
    letGo: async () => {
      allow();
      if (page.isClosed()) return;
      const forgotten = new Promise((resolve) => page.once('close', resolve));
      await transport.detach(session);
      await forgotten;
    },
  };
}
