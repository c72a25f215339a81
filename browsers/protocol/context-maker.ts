/** Who makes the contexts of a browser's pages: the browser's own call, or Playwright's. */
import type { AdoptedPage, AdoptOptions, PageManner, PlaywrightUse } from './browser.ts';
import type { DevToolsConnection } from './connection.ts';

export interface MadeContext {
  /** As the protocol names it (`browserContextId`). */
  readonly id: string;
  /** Ends it and all its pages. */
  dispose(): Promise<void>;
  /** See {@link BrowserPage.adopt}. */
  adopt(targetId: string, options?: AdoptOptions): Promise<AdoptedPage>;
}

export interface ContextMaker {
  /** Aborted when it can make no more, and those that it made have ended. */
  readonly lost: AbortSignal;
  /** See {@link Browser.playwright}. */
  readonly playwright: PlaywrightUse | null;
  make(manner: PageManner): Promise<MadeContext>;
}

/** Contexts without Playwright: for pages of our own, and for what riding costs to be measured against. */
export function ownContexts({ root }: DevToolsConnection): ContextMaker {
  return {
    lost: new AbortController().signal,
    playwright: null,
    make: async () => {
      const { browserContextId } = await root.send('Target.createBrowserContext', { disposeOnDetach: true });
      return {
        id: browserContextId,
        adopt: async () => {
          throw new Error("the contexts of this browser are not Playwright's");
        },
        dispose: async () => void (await root.send('Target.disposeBrowserContext', { browserContextId })),
      };
    },
  };
}
