/**
 * The browser contexts of the pages of one browser: one for each registrable domain, so that no two domains share cookies, caches or
 * connections. Invariant: a context lives as long as one of its pages.
 */
import type { BrowserContext, BrowserPage } from '../../browsers/protocol/browser.ts';
import type { RegistrableDomain } from '../model/url/host-key.ts';

interface SharedContext {
  readonly opened: Promise<BrowserContext>;
  /** Open, or being opened. */
  pages: number;
}

export class DomainContexts {
  readonly #open: () => Promise<BrowserContext>;
  /** Those that further pages are opened in. */
  readonly #current = new Map<RegistrableDomain, SharedContext>();

  constructor(open: () => Promise<BrowserContext>) {
    this.#open = open;
  }

  /**
   * Opens a page in the context of its domain. Its `close` ends the context, too, where it was the last page.
   * @param storage `empty`: in a context that no page has used, which takes the place of the domain's
   * @throws what the browser throws
   */
  async openPage(domain: RegistrableDomain, storage: 'shared' | 'empty'): Promise<BrowserPage> {
    const context = this.#contextOf(domain, storage);
    context.pages += 1;
    try {
      const page = await (await context.opened).openPage();
      return withClose(page, () => this.#release(domain, context, page));
    } catch (error) {
      this.#release(domain, context, null).catch(() => {}); // the browser is in trouble already
      throw error;
    }
  }

  #contextOf(domain: RegistrableDomain, storage: 'shared' | 'empty'): SharedContext {
    const known = storage === 'shared' ? this.#current.get(domain) : undefined;
    if (known !== undefined) return known;
    const context = { opened: this.#open(), pages: 0 };
    this.#current.set(domain, context);
    return context;
  }

  async #release(domain: RegistrableDomain, context: SharedContext, page: BrowserPage | null): Promise<void> {
    context.pages -= 1;
    if (context.pages > 0) return page?.close();
    if (this.#current.get(domain) === context) this.#current.delete(domain);
    await (await context.opened).close();
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
    adopt: () => page.adopt(),
    close,
  };
}
