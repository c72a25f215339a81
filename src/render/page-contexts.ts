/**
 * The browser contexts of the pages of one browser. No two registrable domains share a context. Each page has a context of its own: pages of
 * one context that ask for the same address wait for each other's answers (they share a cache; seen in Chromium 156). But where the crawl is
 * signed in, the pages of the domain share one: a site that gives new tokens for old ones would take two for a theft.
 */
import type { BrowserContext, BrowserPage } from '../../browsers/protocol/browser.ts';
import type { StorageState } from '../../browsers/protocol/storage-state.ts';
import type { Clock } from '../base/clock.ts';
import { milliseconds, type Milliseconds } from '../base/units.ts';
import type { RegistrableDomain } from '../model/url/host-key.ts';
import { SIGN_IN_KEPT_EVERY } from './limits/browser-limits.ts';
import type { SignIns } from './sign-ins.ts';

type OpenContext = (state: StorageState | null) => Promise<BrowserContext>;

export interface ApartPage {
  readonly page: BrowserPage;
  /** Its present storage. */
  readonly storageState: () => Promise<StorageState>;
}

interface SharedContext {
  readonly domain: RegistrableDomain;
  readonly opened: Promise<BrowserContext>;
  /** Pages that are open or being opened. */
  pages: number;
  /** When its state was taken last, on the monotonic clock. */
  keptAt: Milliseconds;
  isOver: boolean;
}

export class PageContexts {
  readonly #open: OpenContext;
  readonly #signIns: SignIns;
  readonly #clock: Clock;
  /** Contexts in which further pages are opened. */
  readonly #shared = new Map<RegistrableDomain, SharedContext>();

  constructor(open: OpenContext, parts: { readonly signIns: SignIns; readonly clock: Clock }) {
    this.#open = open;
    this.#signIns = parts.signIns;
    this.#clock = parts.clock;
  }

  /**
   * Opens a page. Its `close` ends the context, too, where it was the last page.
   * @param storage `empty`: in a context that no page has used; where the crawl is signed in, the context begins with the sign-in
   * @throws what the browser throws
   */
  async openPage(domain: RegistrableDomain, storage: 'shared' | 'empty'): Promise<BrowserPage> {
    const state = this.#signIns.stateOf(domain);
    return state === null ? this.#openAlone() : this.#openShared(this.#contextOf(domain, state, storage));
  }

  /** Opens a page in an empty context of its own, for somebody who signs in. */
  async openApart(): Promise<ApartPage> {
    const context = await this.#open(null);
    try {
      const page = withClose(await context.openPage(), () => context.close());
      return { page, storageState: () => context.storageState('whole') };
    } catch (error) {
      context.close().catch(() => {}); // the browser is in trouble already
      throw error;
    }
  }

  /** Opens later pages in new contexts; the storage of pages that are open now is not kept any more. */
  renew(): void {
    this.#shared.clear();
  }

  /** Takes the storage of a domain's signed-in pages, unless that was done lately. Never rejects. */
  async keep(domain: RegistrableDomain): Promise<void> {
    const context = this.#shared.get(domain);
    if (context === undefined || this.#clock.monotonic() - context.keptAt < SIGN_IN_KEPT_EVERY) return;
    await this.#keep(context);
  }

  /** Takes the storage of all signed-in pages before the browser ends. Never rejects. */
  async keepAll(): Promise<void> {
    await Promise.all([...this.#shared.values()].map((context) => this.#keep(context)));
  }

  async #openAlone(): Promise<BrowserPage> {
    const context = await this.#open(null);
    try {
      return withClose(await context.openPage(), () => context.close());
    } catch (error) {
      context.close().catch(() => {}); // the browser is in trouble already
      throw error;
    }
  }

  async #openShared(context: SharedContext): Promise<BrowserPage> {
    context.pages += 1;
    try {
      const page = await (await context.opened).openPage();
      return withClose(page, () => this.#release(context, page));
    } catch (error) {
      this.#release(context, null).catch(() => {}); // the browser is in trouble already
      throw error;
    }
  }

  #contextOf(domain: RegistrableDomain, state: StorageState, storage: 'shared' | 'empty'): SharedContext {
    const known = storage === 'shared' ? this.#shared.get(domain) : undefined;
    if (known !== undefined) return known;
    const keptAt = milliseconds(this.#clock.monotonic());
    const context = { domain, opened: this.#open(state), pages: 0, keptAt, isOver: false };
    this.#shared.set(domain, context);
    return context;
  }

  async #release(context: SharedContext, page: BrowserPage | null): Promise<void> {
    context.pages -= 1;
    if (context.pages > 0) return page?.close();
    if (page !== null) await this.#keep(context);
    if (context.isOver) return;
    // the next visit has opened a page in it meanwhile
    if (context.pages > 0) return page?.close();
    context.isOver = true;
    if (this.#shared.get(context.domain) === context) this.#shared.delete(context.domain);
    await (await context.opened).close();
  }

  async #keep(context: SharedContext): Promise<void> {
    context.keptAt = milliseconds(this.#clock.monotonic());
    try {
      const state = await (await context.opened).storageState('usual');
      // of two contexts of a domain, the one that took the other's place has the newer state
      if (this.#shared.get(context.domain) === context) this.#signIns.keep(context.domain, state);
    } catch {
      // the browser is in trouble: the state that was kept before still holds
    }
  }
}

function withClose(page: BrowserPage, close: () => Promise<void>): BrowserPage {
  const { session, frameId, frameControl } = page;
  return {
    session,
    frameId,
    frameControl,
    listen: (events) => page.listen(events),
    remoteFrames: () => page.remoteFrames(),
    adopt: (options) => page.adopt(options),
    close,
  };
}
