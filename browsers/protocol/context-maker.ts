/** Makers of the contexts of a browser's pages: the browser's own call, or Playwright. */
import type { AdoptedPage, AdoptOptions, PageManner, PlaywrightUse } from './browser.ts';
import type { DevToolsConnection } from './connection.ts';
import type { StateDepth, StorageState } from './storage-state.ts';

export interface MadeContext {
  /** Its id in the protocol (`browserContextId`). */
  readonly id: string;
  /** Ends it and all its pages. */
  dispose(): Promise<void>;
  /** See {@link BrowserContext.storageState}. */
  storageState(depth: StateDepth): Promise<StorageState>;
  /** See {@link BrowserPage.adopt}. */
  adopt(targetId: string, options?: AdoptOptions): Promise<AdoptedPage>;
}

export interface ContextMaker {
  /** Aborted when the maker can make no more contexts, and those that it made have ended. */
  readonly lost: AbortSignal;
  /** See {@link Browser.playwright}. */
  readonly playwright: PlaywrightUse | null;
  /** Offers a waiting window that a page has opened. @returns false where the maker does not take it; true when the window may run */
  takeWindow(targetId: string, contextId: string): Promise<boolean>;
  /** @throws where the context is to have a storage, and Playwright does not make it */
  make(manner: PageManner, state: StorageState | null): Promise<MadeContext>;
}

const NOT_PLAYWRIGHTS = "the contexts of this browser are not Playwright's";

/** Contexts without Playwright: for pages of our own, and to measure what Playwright costs. */
export function ownContexts({ root }: DevToolsConnection): ContextMaker {
  return {
    lost: new AbortController().signal,
    playwright: null,
    takeWindow: async () => false,
    make: async (_manner, state) => {
      if (state !== null) throw new Error(NOT_PLAYWRIGHTS);
      const { browserContextId } = await root.send('Target.createBrowserContext', { disposeOnDetach: true });
      return {
        id: browserContextId,
        storageState: () => Promise.reject(new Error(NOT_PLAYWRIGHTS)),
        adopt: () => Promise.reject(new Error(NOT_PLAYWRIGHTS)),
        dispose: async () => void (await root.send('Target.disposeBrowserContext', { browserContextId })),
      };
    },
  };
}
