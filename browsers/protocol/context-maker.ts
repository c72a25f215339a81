/** Who makes the contexts of a browser's pages: the browser's own call, or Playwright's. */
import type { AdoptedPage, AdoptOptions, PageManner, PlaywrightUse } from './browser.ts';
import type { DevToolsConnection } from './connection.ts';
import type { StorageState } from './storage-state.ts';

export interface MadeContext {
  /** As the protocol names it (`browserContextId`). */
  readonly id: string;
  /** Ends it and all its pages. */
  dispose(): Promise<void>;
  /** See {@link BrowserContext.storageState}. */
  storageState(): Promise<StorageState>;
  /** See {@link BrowserPage.adopt}. */
  adopt(targetId: string, options?: AdoptOptions): Promise<AdoptedPage>;
}

export interface ContextMaker {
  /** Aborted when it can make no more, and those that it made have ended. */
  readonly lost: AbortSignal;
  /** See {@link Browser.playwright}. */
  readonly playwright: PlaywrightUse | null;
  /** Hands over a window that a page has opened, and that waits. @returns false where it does not take it; true when it may run */
  takeWindow(targetId: string, contextId: string): Promise<boolean>;
  /** @throws where it is to store something, and Playwright does not make it */
  make(manner: PageManner, state: StorageState | null): Promise<MadeContext>;
}

const NOT_PLAYWRIGHTS = "the contexts of this browser are not Playwright's";

/** Contexts without Playwright: for pages of our own, and for what riding costs to be measured against. */
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
